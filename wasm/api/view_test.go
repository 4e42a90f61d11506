package api

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"decodingplayground/core/logits"
)

// TestToyStep is a step that can be worked out by hand.
func TestToyStep(t *testing.T) {
	for _, test := range []struct {
		stages []Stage
		probs  map[string]float64
		kept   int
	}{
		{nil, map[string]float64{" Paris": 0.9940, " Rome": 0.0050, " the": 0.0006, " a": 0.0004, ".": 0.0001}, 5},
		{[]Stage{stage("temperature", 2)}, map[string]float64{" Paris": 0.891, " Rome": 0.063}, 5},
		{[]Stage{stage("top_p", 0.9)}, map[string]float64{" Paris": 1, " Rome": 0}, 1},
		{[]Stage{stage("top_p", 0.9995)}, nil, 3},
	} {
		c := newClient(t)
		v := c.view(c.openToy(sampling(test.stages...)).Session, 5)
		if v.Numbers.KeptCount != test.kept || v.Numbers.NucleusSize != test.kept {
			t.Errorf("%v: kept %d, nucleus %d, want %d", test.stages, v.Numbers.KeptCount, v.Numbers.NucleusSize, test.kept)
		}
		final := len(v.Stages) - 1
		for i, token := range v.Tokens {
			want, ok := test.probs[token.Text]
			if got := float64(v.probs[final*len(v.Tokens)+i]); ok && !near(got, want, 0.0005) {
				t.Errorf("%v: %q has %.5f, want %.4f", test.stages, token.Text, got, want)
			}
		}
	}
}

// row has 200 tokens; the higher the id the likelier.
func row() []float32 {
	logits := make([]float32, 200)
	for id := range logits {
		logits[id] = float32(id) / 20
	}
	logits[7] = float32(math.Inf(-1)) // the model's own ban
	return logits
}

func ids(v View, indices []int) []int {
	list := make([]int, len(indices))
	for i, at := range indices {
		list[i] = v.Tokens[at].ID
	}
	return list
}

func TestStripIsTheOrderOfTheDraw(t *testing.T) {
	c := newClient(t)
	st := c.openFixed(row(), sampling(stage("top_k", 10), stage("top_p", 0.3)))
	v := c.view(st.Session, 12)
	kept := v.Numbers.KeptCount
	if kept < 2 || kept > 9 {
		t.Fatalf("kept %d of the 10 of top_k, want some", kept)
	}
	want := make([]int, stripSize) // here all of the order is one by falling id
	for i := range want {
		want[i] = 199 - i
	}
	if got := ids(v, v.Strip); !slices.Equal(got, want) {
		t.Errorf("strip: %v, want %v", got, want)
	}
	for i, at := range v.Strip {
		by := int32(-1)
		switch {
		case i >= 10:
			by = 1
		case i >= kept:
			by = 2
		}
		if v.removed[at] != by || int(v.rank[at]) != i+1 {
			t.Errorf("strip %d: removed by %d, rank %d, want %d, %d", i, v.removed[at], v.rank[at], by, i+1)
		}
	}
	if want := []Group{{Removed: 1, Count: 199 - stripSize}, {Removed: 0, Count: 1}}; !slices.Equal(v.Groups, want) {
		t.Errorf("groups: %v, want %v", v.Groups, want)
	}
}

// TestStripsAreWhole adds up each strip: what is drawn one by one and the
// groups are everything.
func TestStripsAreWhole(t *testing.T) {
	c := newClient(t)
	st := c.openFixed(row(), sampling(stage("temperature", 1.5), stage("top_k", 50), stage("min_p", 0.2)))
	v := c.view(st.Session, 12)
	n := len(v.Tokens)
	for s := range v.Stages {
		sum := 0.0
		for _, at := range v.Strip {
			sum += float64(v.probs[s*n+at])
		}
		for g := range v.Groups {
			sum += float64(v.groupProbs[s*len(v.Groups)+g])
		}
		if !near(sum, 1, 1e-6) {
			t.Errorf("stage %d: %v, want 1", s, sum)
		}
	}
}

// TestLiftedTokenHasABar biases a token from the far end to the top.
func TestLiftedTokenHasABar(t *testing.T) {
	c := newClient(t)
	bias := Stage{Kind: "logit_bias", On: true, Seqs: []Sequence{{Param: "logit_bias", IDs: []int{3}, Bias: 30}}}
	v := c.view(c.openFixed(row(), sampling(bias)).Session, 12)
	if want := []int{199, 198, 197, 196, 195, 194, 193, 192, 191, 190, 189, 3}; !slices.Equal(ids(v, v.Bars), want) {
		t.Errorf("bars: %v, want %v", ids(v, v.Bars), want)
	}
	if top := v.Tokens[v.Draw.Top].ID; top != 3 || ids(v, v.Strip)[0] != 3 {
		t.Errorf("top: %d, strip from %d, want 3", top, ids(v, v.Strip)[0])
	}
}

func TestNumbers(t *testing.T) {
	c := newClient(t)
	probs := []float64{0.5, 0.25, 0.125, 0.07, 0.055}
	logits := make([]float32, len(probs))
	for i, p := range probs {
		logits[i] = float32(math.Log(p))
	}
	v := c.view(c.openFixed(logits, sampling(stage("temperature", 1), stage("top_k", 3), stage("top_p", 0.75))).Session, 5)
	n := v.Numbers
	if n.NucleusSize != 2 || n.KeptCount != 2 || n.CrossingToken.ID != 1 {
		t.Errorf("nucleus %d, kept %d, crossing %d, want 2, 2, 1", n.NucleusSize, n.KeptCount, n.CrossingToken.ID)
	}
	if n.SlipSize != 1 || !near(n.SlipMass, 4.0/7, 1e-6) {
		t.Errorf("the wrong rule: %d tokens of %v, want 1 of 0.571", n.SlipSize, n.SlipMass)
	}
	for name, x := range map[string][2]float64{
		"kept_mass":         {n.KeptMass, 0.75},
		"model_kept_mass":   {n.ModelKeptMass, 0.75},
		"crossing_sum":      {n.CrossingSum, 6.0 / 7},
		"model_entropy":     {n.ModelEntropy, 1.8736984},
		"model_choices":     {n.ModelChoices, math.Exp2(1.8736984)},
		"entropy":           {n.Entropy, 0.9182958},
		"effective_choices": {n.EffectiveChoices, 1.8898816},
		"cut mass of top_k": {v.Stages[2].CutMass, 0.125},
		"cut mass of top_p": {v.Stages[3].CutMass, 1.0 / 7},
	} {
		if !near(x[0], x[1], 1e-6) {
			t.Errorf("%s: %v, want %v", name, x[0], x[1])
		}
	}
}

// TestKeptMassEntersTheFirstFilter has the temperature before the filter: the
// two kept masses differ.
func TestKeptMassEntersTheFirstFilter(t *testing.T) {
	c := newClient(t)
	logits := []float32{float32(math.Log(0.8)), float32(math.Log(0.2))}
	n := c.view(c.openFixed(logits, sampling(stage("temperature", 2), stage("top_k", 1))).Session, 2).Numbers
	if !near(n.KeptMass, 2.0/3, 1e-6) || !near(n.ModelKeptMass, 0.8, 1e-6) {
		t.Errorf("kept mass %v, of the model %v, want 0.667 and 0.8", n.KeptMass, n.ModelKeptMass)
	}
}

func TestStageThatIsOffIsNotInTheTrace(t *testing.T) {
	c := newClient(t)
	off := stage("top_k", 3)
	off.On = false
	v := c.view(c.openFixed(row(), sampling(off, stage("temperature", 2))).Session, 5)
	if len(v.Stages) != 2 || v.Stages[1].Kind != "temperature" || v.Stages[1].Index != 1 || v.Stages[0].Index != -1 {
		t.Errorf("stages: %+v, want model and temperature, which is stage 1 of the settings", v.Stages)
	}
}

func TestViewRefuses(t *testing.T) {
	c := newClient(t)
	st := c.openFixed(row(), sampling())
	c.refuses("view", ViewOf{Session: st.Session, Step: -1, Rows: 0}, "bad_request", "rows: 0, want 1 to 1000")
	c.refuses("view", ViewOf{Session: st.Session, Step: 1, Rows: 5}, "bad_request", "step: 1")
	c.refuses("view", ViewOf{Session: st.Session, Step: -2, Rows: 5}, "bad_request", "step: -2")
}

// TestLogits: all numbers of the model, whatever the stages do to them.
func TestLogits(t *testing.T) {
	c := newClient(t)
	one := c.openFixed([]float32{1, 2, 3}, sampling(stage("top_k", 1))).Session
	two := c.openFixed([]float32{6, 5, 4}, sampling()).Session
	if got := call[Logits](c, "logits", LogitsOf{[]int{two, one}}).logits; !slices.Equal(got, []float32{6, 5, 4, 1, 2, 3}) {
		t.Errorf("logits %v, want 6 5 4 1 2 3", got)
	}
	c.refuses("logits", LogitsOf{[]int{one, one}}, "bad_request", "stands there twice")
	c.refuses("logits", LogitsOf{[]int{77}}, "unknown", "session 77")
}

// TestEveryTokenRemoved bans the whole vocabulary: a picture of nothing, without
// NaN.
func TestEveryTokenRemoved(t *testing.T) {
	c := newClient(t)
	ban := Stage{Kind: "suppress_tokens", On: true}
	for id := range 3 {
		ban.Seqs = append(ban.Seqs, Sequence{Param: "suppress_tokens", IDs: []int{id}})
	}
	st := c.openFixed([]float32{1, 2, 3}, sampling(ban))
	v := c.view(st.Session, 3)
	if v.Numbers.KeptCount != 0 || v.Draw.Token != -1 || v.Draw.Top != -1 || v.Numbers.Entropy != 0 {
		t.Errorf("%+v %+v, want nothing kept and nothing drawn", v.Numbers, v.Draw)
	}
	for _, p := range slices.Concat(v.probs, v.groupProbs) {
		if p != p {
			t.Fatalf("probs: %v", v.probs)
		}
	}
	c.refuses("draws", DrawsOf{Session: st.Session, Step: -1, Count: 9}, "bad_request", "nothing to draw from")
	call[ChartJSON](c, "chart", ChartOf{Name: "draws", Sessions: []int{st.Session}, Step: -1, Draws: 9})
}

// TestDrawLiesOnTheStrip checks the die against the strip it is drawn on.
func TestDrawLiesOnTheStrip(t *testing.T) {
	c := newClient(t)
	set := sampling(stage("top_k", 8))
	for _, die := range []float64{0, 0.3, 0.9, 0.999999} {
		set.Die = die
		v := c.view(c.openFixed(row(), set).Session, 12)
		at, low := -1, 0.0
		for i, token := range v.Strip {
			p := float64(v.probs[len(v.Tokens)+token])
			if die < low+p || i == 7 {
				at = token
				break
			}
			low += p
		}
		d := v.Draw
		if d.Token != at || d.Die != die || !d.Thrown || !near(d.Low, low, 1e-6) || d.Die < d.Low || d.Die >= d.High {
			t.Errorf("die %v: %+v, want token %d from %v", die, d, at, low)
		}
	}
}

// TestPastStep looks back at a step after the settings have changed.
func TestPastStep(t *testing.T) {
	c := newClient(t)
	st := c.openFixed(row(), sampling(stage("temperature", 0.7), stage("top_k", 4)))
	before := c.view(st.Session, 12)
	call[Stepped](c, "step", Steps{Sessions: []int{st.Session}})
	call[Status](c, "retune", Retune{Session: st.Session, Settings: sampling(stage("min_p", 0.5))})
	after := call[View](c, "view", ViewOf{Session: st.Session, Step: 0, Rows: 12})
	if len(after.Stages) != 3 || !reflect.DeepEqual(after.Stages[2], before.Stages[2]) || after.Draw != before.Draw {
		t.Errorf("step 0 was %+v %+v, is %+v %+v", before.Stages, before.Draw, after.Stages, after.Draw)
	}
	if next := c.view(st.Session, 12); len(next.Stages) != 2 || next.Stages[1].Kind != "min_p" || next.Step != 1 {
		t.Errorf("the next step: %d %+v, want 1 with min_p", next.Step, next.Stages)
	}
}

// TestRemovedForGood has a stage that brings a token back.
// The likeliest token of all is seen to fall, however many others stay.
func TestBannedTokenIsOnTheStrip(t *testing.T) {
	c := newClient(t)
	row := make([]float32, 300)
	row[77] = 8
	set := sampling()
	set.Stages = []Stage{{Kind: "suppress_tokens", On: true, Seqs: []Sequence{{Param: "suppress_tokens", IDs: []int{77}}}}}
	view := c.view(c.openFixed(row, set).Session, 12)
	if strip := ids(view, view.Strip); len(strip) != stripSize || strip[stripSize-1] != 77 {
		t.Errorf("strip: %v, want 77 last", strip)
	}
}

// A step that was taken tells what it was taken with, whatever was set since.
func TestPastStepKeepsItsSettings(t *testing.T) {
	c := newClient(t)
	st := c.openFixed([]float32{3, 2, 1, 0}, sampling(stage("temperature", 0.5)))
	call[Stepped](c, "step", Steps{Sessions: []int{st.Session}})
	now := sampling(stage("top_p", 0.3), stage("temperature", 2))
	now.Strategy = "greedy"
	call[Status](c, "retune", Retune{Session: st.Session, Settings: now})
	fork := call[Status](c, "fork", Ref{Session: st.Session})
	for _, session := range []int{st.Session, fork.Session} {
		past := call[View](c, "view", ViewOf{Session: session, Step: 0, Rows: 4})
		if last := past.Stages[len(past.Stages)-1]; past.Strategy != "sampling" || last.Kind != "temperature" || last.Args["temperature"] != 0.5 {
			t.Errorf("session %d: the past step is by %s, %s %v, want sampling, temperature 0.5", session, past.Strategy, last.Kind, last.Args)
		}
		if next := c.view(session, 4); next.Strategy != "greedy" {
			t.Errorf("session %d: the next step is by %s, want greedy", session, next.Strategy)
		}
	}
}

// leaving is a processor that leaves this row.
type leaving []float32

func (l leaving) Process(_ logits.Context, scores []float32) { copy(scores, l) }

func TestRemovedForGood(t *testing.T) {
	inf := float32(math.Inf(-1))
	var p picture
	rows := [][]float32{{0, 1, 2, inf}, {0, inf, inf, inf}, {0, inf, 2, inf}}
	leaves := func(name string, row []float32) logits.Stage {
		return logits.Stage{Name: name, Processor: leaving(row)}
	}
	p.measure(logits.Pipeline{leaves("ban", rows[1]), leaves("back", rows[2])}.Run(logits.Context{}, rows[0]), rankingOf(rows[0]))
	if want := []uint8{3, 1, 3, 0}; !slices.Equal(p.removed, want) {
		t.Errorf("removed: %v, want %v", p.removed, want)
	}
	if got := p.strip(logits.Top(nil, rows[2], stripSize)); !slices.Equal(got, []int{2, 0, 1, 3}) {
		t.Errorf("strip: %v, want 2 0 1 3", got)
	}
}

// What the picture says of the nucleus is what the rule says.
func TestNucleus(t *testing.T) {
	scores := row()
	for _, stages := range [][]Stage{
		{stage("top_p", 0.9)},
		{stage("temperature", 2), stage("top_k", 20), stage("top_p", 0.5)},
		{stage("top_p", 1)},
		{stage("top_p", 0)},
		{stage("min_p", 0.9), stage("top_p", 0.1)},
	} {
		app := New()
		app.models[1] = &model{Model: &fixed{scores}, info: ModelInfo{Vocab: len(scores)}, words: hexWords(len(scores))}
		for _, keep := range []float64{1, 5} {
			last := len(stages) - 1
			stages[last].Args["min_tokens_to_keep"] = keep
			st, err := app.open(Open{Model: 1, IDs: []int{1}, Settings: sampling(stages...)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := app.feed(Feed{Session: st.Session, Count: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := app.view(ViewOf{Session: st.Session, Step: -1, Rows: 5}); err != nil {
				t.Fatal(err)
			}
			p := &app.picture
			s := len(p.trace.Scores) - 1
			topP := stages[last].Args["top_p"]
			got, want := p.nucleus(s, topP), logits.NucleusOf(p.trace.Scores[s-1], topP)
			if got.Size != want.Size || got.Crossing != want.Crossing || got.SlipSize != want.SlipSize ||
				math.Abs(got.Mass-want.Mass) > 1e-6 || math.Abs(got.SlipMass-want.SlipMass) > 1e-6 {
				t.Errorf("%v, at least %v: %+v, want %+v", stages, keep, got, want)
			}
		}
	}
}
