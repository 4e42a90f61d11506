package api

func (a *App) tree(p Ref) (Tree, error) {
	s, err := find(a.sessions, "session", p.Session)
	if err != nil {
		return Tree{}, err
	}
	var tree Tree
	for i, n := range s.Tree() {
		node := Node{
			Parent: n.Parent, Step: n.Step, Prob: n.Prob, Score: n.Score, Final: n.Final, Place: n.Place,
			State: string(n.State), Reason: n.Reason, Kept: n.Kept, Chained: n.Chained,
		}
		if i > 0 {
			token := tokenOf(s.model.words, n.ID)
			node.ID, node.Text, node.Hex = token.ID, token.Text, token.Hex
		}
		if n.Chained {
			tree.Best = i // the deepest: nodes come step by step
		}
		tree.Nodes = append(tree.Nodes, node)
	}
	return tree, nil
}
