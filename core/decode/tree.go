package decode

import "fmt"

// Node is a token of the tree of a session: every continuation that a step
// kept or noted. State and Reason are as things stand after the newest step.
type Node struct {
	Parent int // index of the node before; -1 for node 0, the prompt
	Step   int // that made it, from 1; 0 for the prompt
	Candidate
	Kept    bool // its step went on from it, whatever became of it since
	Chained bool // on the path to the best text
}

// Tree is all that was kept or noted, step by step, node 0 being the prompt.
// Strategies that follow one text give a chain.
func (s *Session) Tree() []Node {
	if !s.Ready() {
		return nil
	}
	g := grower{at: map[*Hypothesis]int{}}
	root := s.history[0].frontier.Live[0]
	g.add(Node{Parent: -1, Child: root, State: Live})
	for step := 1; step <= s.Steps(); step++ {
		g.grow(step, s.history[step].frontier)
	}
	g.judge(s.newest())
	for h := s.Best(); h != nil; h = h.Parent {
		for i := g.at[h]; i >= 0 && !g.nodes[i].Chained; i = g.nodes[i].Parent {
			g.nodes[i].Chained = true
		}
	}
	return g.nodes
}

type grower struct {
	nodes []Node
	at    map[*Hypothesis]int // the node of a text's last token
}

func (g *grower) add(n Node) int {
	n.Kept = n.State == Live
	g.nodes = append(g.nodes, n)
	if n.Child != nil {
		g.at[n.Child] = len(g.nodes) - 1
	}
	return len(g.nodes) - 1
}

// grow adds what one step made: the texts it kept, token by token, and what it
// noted besides.
func (g *grower) grow(step int, f Frontier) {
	noted := map[*Hypothesis]bool{}
	for _, c := range f.Candidates {
		if c.Child != nil {
			noted[c.Child] = true
		}
	}
	chain := map[*Hypothesis][]int{} // nodes of a text of several tokens, by its parent
	for _, h := range f.Live {
		if noted[h] || h.Parent == nil {
			continue
		}
		at := g.at[h.Parent]
		nodes := []int{at}
		for i, t := range h.Taken {
			c := Candidate{Parent: h.Parent, ID: t.ID, Prob: t.ModelProb, Score: h.Score, Place: i + 1, State: Live}
			if i == len(h.Taken)-1 {
				c.Child = h
			}
			at = g.add(Node{Parent: at, Step: step, Candidate: c})
			nodes = append(nodes, at)
		}
		chain[h.Parent] = nodes
	}
	for _, c := range f.Candidates {
		at := g.at[c.Parent]
		if nodes := chain[c.Parent]; c.Ahead < len(nodes) {
			at = nodes[c.Ahead]
		}
		g.add(Node{Parent: at, Step: step, Candidate: c})
	}
}

// judge brings State and Reason up to the newest step.
func (g *grower) judge(f Frontier) {
	leads := make([]State, len(g.nodes)) // what the texts beyond a node have come to
	mark := func(h *Hypothesis, s State) {
		for i := g.at[h]; i >= 0 && leads[i] != Live; i = g.nodes[i].Parent {
			leads[i] = s
		}
	}
	for _, h := range f.Done {
		mark(h, Done)
	}
	if f.Stop.Reason == "" {
		for _, h := range f.Live {
			mark(h, Live)
		}
	}
	last := make([]int, len(g.nodes)) // the last step that kept something of a node
	for i := len(g.nodes) - 1; i > 0; i-- {
		n := g.nodes[i]
		if n.Kept {
			last[i] = max(last[i], n.Step)
		}
		last[n.Parent] = max(last[n.Parent], last[i])
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		switch {
		case n.State == Pruned:
		case leads[i] != "":
			n.State = leads[i]
		case n.State == Done:
			n.State, n.Reason = Pruned, "pushed out by better finished texts"
		case n.Child != nil && n.Step == f.Step && f.Stop.Reason != "":
			n.State, n.Reason = Pruned, "the search ended: "+f.Stop.Doc
		default:
			n.State, n.Reason = Pruned, fmt.Sprintf("no continuation stayed after step %d", last[i])
		}
	}
}
