package api

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"decodingplayground/core/lm/lmtest"
)

// chosen are the ids of a status's text.
func chosen(st Status) []int {
	list := make([]int, len(st.Text))
	for i, step := range st.Text {
		list[i] = step.ID
	}
	return list
}

func (c client) stepOnce(session int) Status {
	c.Helper()
	return call[Stepped](c, "step", Steps{Sessions: []int{session}}).Sessions[0]
}

func TestRewindRepeats(t *testing.T) {
	c := newClient(t)
	st := c.openToy(sampling())
	var steps []Status
	for range 4 {
		steps = append(steps, c.stepOnce(st.Session))
	}
	back := call[Status](c, "rewind", Rewind{Session: st.Session, Steps: 2})
	if !reflect.DeepEqual(back, steps[1]) {
		t.Errorf("rewound to 2: %+v, was %+v", back, steps[1])
	}
	if again := c.stepOnce(st.Session); !reflect.DeepEqual(again, steps[2]) {
		t.Errorf("step 3 again: %+v, was %+v", again, steps[2])
	}
	for i, step := range steps[3].Text {
		if step.Step != i+1 {
			t.Errorf("token %d: step %d", i, step.Step)
		}
	}
	c.refuses("rewind", Rewind{Session: st.Session, Steps: 4}, "bad_request", "steps: 4, want 0 to 3")
	c.refuses("rewind", Rewind{Session: st.Session, Steps: -1}, "bad_request", "steps: -1")
}

// TestOpenSharesWhatIsRead: a second session on a prompt, and one on its start,
// read no token twice.
func TestOpenSharesWhatIsRead(t *testing.T) {
	c := newClient(t)
	m := &lmtest.Fake{Vocab: 20}
	handle := c.app.handle()
	c.app.models[handle] = &model{Model: m, info: ModelInfo{Model: handle, Vocab: 20, Context: 64}, words: hexWords(20)}
	for _, open := range []struct {
		ids  []int
		read int // tokens, by then
	}{
		{[]int{1, 2, 3, 4, 5}, 5},
		{[]int{1, 2, 3, 4, 5}, 5},
		{[]int{1, 2, 3, 9}, 6},
	} {
		st := call[Status](c, "open", Open{Model: handle, IDs: open.ids, Settings: sampling()})
		fed := call[Fed](c, "feed", Feed{Session: st.Session, Count: 64})
		if fed.Done != len(open.ids) || m.Tokens != open.read {
			t.Errorf("%v: %d tokens done, %d read by now, want %d", open.ids, fed.Done, m.Tokens, open.read)
		}
	}
}

func TestForkIsIndependent(t *testing.T) {
	c := newClient(t)
	st := c.openToy(sampling())
	c.stepOnce(st.Session)
	fork := call[Status](c, "fork", Ref{Session: st.Session})
	if fork.Session == st.Session || len(fork.Text) != 1 {
		t.Fatalf("fork: %+v", fork)
	}
	forced := call[Status](c, "force", Force{Session: fork.Session, ID: 3})
	if len(forced.Text) != 2 || forced.Text[1].ID != 3 || !forced.Text[1].Forced {
		t.Errorf("forced: %+v", forced.Text)
	}
	if old := call[Status](c, "status", Ref{Session: st.Session}); len(old.Text) != 1 {
		t.Errorf("the first session has %d tokens, want 1", len(old.Text))
	}
	v := call[View](c, "view", ViewOf{Session: fork.Session, Step: 1, Rows: 5})
	if !v.Draw.Forced || v.Draw.Thrown || v.Tokens[v.Draw.Token].ID != 3 {
		t.Errorf("view of a forced step: %+v", v.Draw)
	}
	c.refuses("force", Force{Session: fork.Session, ID: 5}, "bad_request", "5, want 0 to 4")
}

func TestSettingsAreRefusedAndStay(t *testing.T) {
	c := newClient(t)
	st := c.openToy(sampling(stage("temperature", 0.5)))
	before := c.view(st.Session, 5)
	bad := func(change func(*Settings)) Retune {
		set := sampling(stage("top_p", 0.9))
		change(&set)
		return Retune{Session: st.Session, Settings: set}
	}
	for want, change := range map[string]func(*Settings){
		`strategy: "best"`:             func(s *Settings) { s.Strategy = "best" },
		"top_p: 1.5, want 0 to 1":      func(s *Settings) { s.Stages[0] = stage("top_p", 1.5) },
		"temperature: -1":              func(s *Settings) { s.Stages[0] = stage("temperature", -1) },
		`"top_q"`:                      func(s *Settings) { s.Stages[0].Kind = "top_q" },
		"p: no such number":            func(s *Settings) { s.Stages[0].Args = map[string]float64{"p": 1} },
		"q: no such list":              func(s *Settings) { s.Stages[0].Seqs = []Sequence{{Param: "q"}} },
		"seed: -1":                     func(s *Settings) { s.Seed = -1 },
		"seed: 1.5":                    func(s *Settings) { s.Seed = 1.5 },
		"die: 1, want":                 func(s *Settings) { s.Die = 1 },
		"die: -0.5, want":              func(s *Settings) { s.Die = -0.5 },
		"max_new_tokens: 0":            func(s *Settings) { s.MaxNewTokens = 0 },
		"eos_token_id: 5, want 0 to 4": func(s *Settings) { s.EOS = []int{5} },
		"stop_strings":                 func(s *Settings) { s.Stop = []string{""} },
		"stages: 101, want at most":    func(s *Settings) { s.Stages = make([]Stage, 101) },
		"num_beams":                    func(s *Settings) { s.StrategyArgs = map[string]float64{"num_beams": 2} },
		"suppress_tokens: token 9": func(s *Settings) {
			s.Stages[0] = Stage{Kind: "suppress_tokens", On: true, Seqs: []Sequence{{Param: "suppress_tokens", IDs: []int{9}}}}
		},
	} {
		c.refuses("retune", bad(change), "bad_request", want)
	}
	if after := c.view(st.Session, 5); !reflect.DeepEqual(after, before) {
		t.Error("a refused retune has changed the view")
	}
}

// TestZeroIsAValue: T = 0 and seed 0 are not "missing".
func TestZeroIsAValue(t *testing.T) {
	c := newClient(t)
	set := sampling(stage("temperature", 0))
	set.Seed = 0
	v := c.view(c.openToy(set).Session, 5)
	if v.Numbers.KeptCount != 1 || v.Tokens[v.Draw.Token].Text != " Paris" {
		t.Errorf("T = 0: kept %d, draws %q, want the likeliest alone", v.Numbers.KeptCount, v.Tokens[v.Draw.Token].Text)
	}
}

func TestStops(t *testing.T) {
	c := newClient(t)
	set := sampling()
	set.MaxNewTokens, set.EOS, set.Stop = 50, []int{0}, []string{" Rome"}
	st := c.openToy(set)
	call[Status](c, "force", Force{Session: st.Session, ID: 1})
	eos := call[Status](c, "force", Force{Session: st.Session, ID: 0})
	if eos.Stop != "eos" || eos.StopDoc == "" {
		t.Errorf("after the full stop: %q %q", eos.Stop, eos.StopDoc)
	}
	if again := c.stepOnce(st.Session); again.Steps != 2 {
		t.Errorf("a step after the end: %d steps, want 2", again.Steps)
	}
	call[Status](c, "rewind", Rewind{Session: st.Session, Steps: 0})
	if word := call[Status](c, "force", Force{Session: st.Session, ID: 2}); word.Stop != "stop_string" {
		t.Errorf("after Rome: %q", word.Stop)
	}
}

// TestStepTogether steps several sessions at once and alone.
func TestStepTogether(t *testing.T) {
	c := newClient(t)
	info := call[ModelInfo](c, "modelToy", ModelToy{Toys: toys, Name: "capital"})
	greedy := Settings{Strategy: "greedy", Die: -1, MaxNewTokens: 5}
	open := func() []int {
		var handles []int
		for _, set := range []Settings{greedy, sampling(), sampling(stage("temperature", 3))} {
			handles = append(handles, call[Status](c, "open", Open{Model: info.Model, Settings: set}).Session)
		}
		return handles
	}
	together, alone := open(), open()
	for range 5 {
		all := call[Stepped](c, "step", Steps{Sessions: together}).Sessions
		for i, handle := range alone {
			if one := c.stepOnce(handle); !slices.Equal(chosen(one), chosen(all[i])) {
				t.Errorf("session %d: %v together, %v alone", i, chosen(all[i]), chosen(one))
			}
		}
	}
	c.refuses("step", Steps{Sessions: []int{alone[0], alone[0]}}, "bad_request", "twice")
}

// TestStepErrorsStayWithTheirSession has one session that can't go on.
func TestStepErrorsStayWithTheirSession(t *testing.T) {
	c := newClient(t)
	ban := Stage{Kind: "suppress_tokens", On: true}
	for id := range 5 {
		ban.Seqs = append(ban.Seqs, Sequence{Param: "suppress_tokens", IDs: []int{id}})
	}
	good, bad := c.openToy(sampling()).Session, c.openToy(sampling(ban)).Session
	all := call[Stepped](c, "step", Steps{Sessions: []int{good, bad}}).Sessions
	if all[0].Steps != 1 || all[0].Error.Code != "" {
		t.Errorf("the good one: %+v", all[0])
	}
	if all[1].Steps != 0 || !strings.Contains(all[1].Error.Message, "every token is removed") {
		t.Errorf("the bad one: %+v", all[1])
	}
	c.refuses("step", Steps{Sessions: []int{bad}}, "bad_request", "every token is removed")
}

func TestDraftModel(t *testing.T) {
	c := newClient(t)
	set := Settings{Strategy: "assisted", Die: -1, MaxNewTokens: 6}
	info := call[ModelInfo](c, "modelToy", ModelToy{Toys: toys, Name: "capital"})
	c.refuses("open", Open{Model: info.Model, Settings: set}, "bad_request", "draft model: none")
	set.Draft = 99
	c.refuses("open", Open{Model: info.Model, Settings: set}, "unknown", "draft 99")
	set.Draft = call[ModelInfo](c, "modelToy", ModelToy{Toys: toys, Name: "capital"}).Model
	st := call[Status](c, "open", Open{Model: info.Model, Settings: set})
	st = c.stepOnce(st.Session)
	if len(st.Text) < 2 || st.Steps != 1 {
		t.Fatalf("a step with a draft of its own kind took %d tokens, want several", len(st.Text))
	}
	last := len(st.Text) - 1
	v := call[View](c, "view", ViewOf{Session: st.Session, Step: last, Rows: 5})
	if v.Step != last || v.Tokens[v.Draw.Token].ID != st.Text[last].ID {
		t.Errorf("view of token %d: step %d, token %d, want %d", last, v.Step, v.Tokens[v.Draw.Token].ID, st.Text[last].ID)
	}
}

func TestTree(t *testing.T) {
	c := newClient(t)
	set := Settings{Strategy: "beam", StrategyArgs: map[string]float64{"num_beams": 2}, Die: -1, MaxNewTokens: 3, EOS: []int{0}}
	st := c.openToy(set)
	for range 3 {
		c.stepOnce(st.Session)
	}
	tree := call[Tree](c, "tree", Ref{Session: st.Session})
	if tree.Nodes[0].Parent != -1 || tree.Nodes[0].Step != 0 || !tree.Nodes[0].Chained {
		t.Errorf("root: %+v", tree.Nodes[0])
	}
	for i, n := range tree.Nodes[1:] {
		if n.Parent < 0 || n.Parent > i || tree.Nodes[n.Parent].Step >= n.Step || n.Text == "" {
			t.Errorf("node %d: %+v", i+1, n)
		}
		if n.State == "pruned" && n.Reason == "" {
			t.Errorf("node %d is pruned without a reason", i+1)
		}
	}
	var path []int
	for i := tree.Best; i > 0; i = tree.Nodes[i].Parent {
		path = append(path, tree.Nodes[i].ID)
	}
	slices.Reverse(path)
	if best := chosen(call[Status](c, "status", Ref{Session: st.Session})); !slices.Equal(path, best) {
		t.Errorf("path to the best %v, text %v", path, best)
	}
}

func TestMetrics(t *testing.T) {
	c := newClient(t)
	empty := c.openToy(sampling())
	full := c.openToy(sampling())
	for _, id := range []int{1, 4, 1, 4} {
		call[Status](c, "force", Force{Session: full.Session, ID: id})
	}
	all := call[AllMetrics](c, "metrics", MetricsOf{Sessions: []int{empty.Session, full.Session}}).Sessions
	if want := (Metrics{Session: empty.Session}); all[0] != want {
		t.Errorf("an empty text: %+v, want zeros", all[0])
	}
	m := all[1]
	if m.Tokens != 4 || m.Distinct1 != 0.5 || m.Distinct2 != 2.0/3 || m.Distinct3 != 1 || m.Repeated4 != 0 {
		t.Errorf("%+v, want distinct 1/2, 2/3, 1", m)
	}
	sum := 0.0
	for _, step := range call[Status](c, "status", Ref{Session: full.Session}).Text {
		sum += math.Log(step.ModelProb)
	}
	if !near(m.MeanLogProb, sum/4, 1e-9) || !near(m.Perplexity, math.Exp(-sum/4), 1e-6) {
		t.Errorf("mean log-probability %v, perplexity %v, want %v", m.MeanLogProb, m.Perplexity, sum/4)
	}
}

func TestCharts(t *testing.T) {
	c := newClient(t)
	a, b := c.openToy(sampling(stage("top_p", 0.9))), c.openToy(sampling())
	for range 3 {
		call[Stepped](c, "step", Steps{Sessions: []int{a.Session, b.Session}})
	}
	for _, chart := range call[Described](c, "describe", Nothing{}).Charts {
		for _, step := range []int{-1, 1} {
			p := ChartOf{Name: chart.Name, Sessions: []int{a.Session, b.Session}, Step: step, Draws: 1000}
			option := call[ChartJSON](c, "chart", p).Option
			if !json.Valid([]byte(option)) || !strings.Contains(option, "series") {
				t.Errorf("%s: %s", chart.Name, option)
			}
		}
	}
	c.refuses("chart", ChartOf{Name: "pie", Sessions: []int{a.Session}}, "bad_request", `"pie"`)
	c.refuses("chart", ChartOf{Name: "draws", Sessions: []int{a.Session}, Draws: 100_001}, "bad_request", "draws: 100001")
	c.refuses("chart", ChartOf{Name: "entropy"}, "bad_request", "sessions: 0")
}

// TestDrawsFollowTheProbabilities throws many dice at a step.
func TestDrawsFollowTheProbabilities(t *testing.T) {
	c := newClient(t)
	s := c.app.sessions[c.openFixed(row(), sampling()).Session]
	d, with, err := c.app.decision(s, -1)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := outcomesOf(s.model.words, throw(d, with.seed, 100_000))
	drawn, expected := 0.0, 0.0
	for _, o := range outcomes {
		drawn += o.Drawn
		expected += o.Expected
		if sigma := math.Sqrt(o.Expected * (1 - o.Expected) / 100_000); math.Abs(o.Drawn-o.Expected) > 5*sigma {
			t.Errorf("%s: %v drawn, %v expected", o.Label, o.Drawn, o.Expected)
		}
	}
	if len(outcomes) != maxOutcomes+1 || !near(drawn, 1, 1e-9) || !near(expected, 1, 1e-9) {
		t.Errorf("%d outcomes, %v drawn, %v expected", len(outcomes), drawn, expected)
	}
}

// A step that was taken is thrown with the seed that it was taken with.
func TestDrawsOfTakenStep(t *testing.T) {
	c := newClient(t)
	set := sampling()
	st := c.openFixed(row(), set)
	text := call[Stepped](c, "step", Steps{[]int{st.Session}}).Sessions[0].Text
	set.Seed++
	call[Status](c, "retune", Retune{Session: st.Session, Settings: set})
	d := call[Draws](c, "draws", DrawsOf{Session: st.Session, Step: 0, Count: 1})
	if d.dice[0] != float32(text[0].Die) {
		t.Errorf("die %v, want the step's %v", d.dice[0], text[0].Die)
	}
}

// TestDraws counts what the dice of a step hit: the first die is the step's own,
// each hits what a session draws with it, and the next seed has none of them.
func TestDraws(t *testing.T) {
	c := newClient(t)
	set := sampling()
	st := c.openFixed(row(), set)
	d := call[Draws](c, "draws", DrawsOf{Session: st.Session, Step: -1, Count: 200})
	total, mass := d.OtherHits, d.OtherExpected
	for i := range d.Tokens {
		total += d.Hits[i]
		mass += d.Expected[i]
	}
	if total != 200 || len(d.dice) != 200 || !near(mass, 1, 1e-9) {
		t.Fatalf("%d hits of 200, %d dice, mass %v", total, len(d.dice), mass)
	}
	if v := call[View](c, "view", ViewOf{Session: st.Session, Step: -1, Rows: 12}); float32(v.Draw.Die) != d.dice[0] {
		t.Errorf("first die %v, want %v", d.dice[0], v.Draw.Die)
	}
	hits := map[int]int{}
	for _, die := range d.dice {
		set.Die = float64(die)
		call[Status](c, "retune", Retune{Session: st.Session, Settings: set})
		v := call[View](c, "view", ViewOf{Session: st.Session, Step: -1, Rows: 12})
		hits[v.Tokens[v.Draw.Token].ID]++
	}
	set.Seed, set.Die = set.Seed+1, -1
	call[Status](c, "retune", Retune{Session: st.Session, Settings: set})
	next := call[Draws](c, "draws", DrawsOf{Session: st.Session, Step: -1, Count: 200})
	for _, die := range next.dice {
		if slices.Contains(d.dice, die) {
			t.Errorf("die %v of both seeds", die)
		}
	}
	for i, token := range d.Tokens {
		if d.Hits[i] != hits[token.ID] {
			t.Errorf("%q: %d hits, want %d", token.Text, d.Hits[i], hits[token.ID])
		}
	}
	for _, count := range []int{0, 100_001} {
		c.refuses("draws", DrawsOf{Session: st.Session, Step: -1, Count: count}, "bad_request", "count")
	}
	c.refuses("draws", DrawsOf{Session: 99, Step: -1, Count: 1}, "unknown", "session 99")
}
