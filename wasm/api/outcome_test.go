package api

import (
	"slices"
	"strings"
	"testing"
)

// What has no effect is named with the reason, by its place in the settings.
func TestIgnoredIsNamed(t *testing.T) {
	c := newClient(t)
	off := stage("top_k", 3)
	off.On = false
	set := Settings{
		Strategy: "beam", StrategyArgs: map[string]float64{"num_beams": 1}, Die: -1, MaxNewTokens: 5, MaxLength: 9,
		Stages: []Stage{off, stage("repetition_penalty", 1.2), stage("temperature", 0.5), stage("temperature", 2)},
	}
	st := c.openToy(set)
	var got []string
	for _, i := range st.Ignored {
		if i.Reason == "" {
			t.Errorf("%+v: no reason", i)
		}
		got = append(got, i.Name)
	}
	want := []string{"temperature", "temperature", "max_length", "early_stopping", "length_penalty", "rules"}
	if !slices.Equal(got, want) || st.Ignored[0].Place != 2 || st.Ignored[1].Place != 3 || st.Ignored[2].Place != -1 {
		t.Errorf("ignored: %+v, want %v", st.Ignored, want)
	}
	set.Strategy, set.StrategyArgs, set.MaxLength = "sampling", nil, 0
	if st := call[Status](c, "retune", Retune{Session: st.Session, Settings: set}); len(st.Ignored) != 0 {
		t.Errorf("sampling ignores %+v, want nothing", st.Ignored)
	}
}

func TestEndingsSayWhy(t *testing.T) {
	c := newClient(t)
	set := Settings{
		Strategy: "beam", StrategyArgs: map[string]float64{"num_beams": 3, "num_return_sequences": 2},
		Die: -1, MaxNewTokens: 6, EOS: []int{0},
	}
	st := c.openToy(set)
	for st.Stop == "" {
		for _, e := range st.Endings {
			if e.Returned {
				t.Errorf("%+v is returned before the search is over", e)
			}
		}
		st = c.stepOnce(st.Session)
	}
	if st.StopDoc == "" || len(st.Endings) != 3 {
		t.Fatalf("stopped by %q, %d endings, want 3", st.StopDoc, len(st.Endings))
	}
	for i, e := range st.Endings {
		if e.Stop == "" || e.StopDoc == "" || len(e.Tokens) == 0 || e.Returned != (i < 2) {
			t.Errorf("ending %d: %+v", i, e)
		}
		if want := e.Score / float64(len(e.Tokens)); !near(e.Final, want, 1e-12) {
			t.Errorf("ending %d: final %v, want %v", i, e.Final, want)
		}
		if i > 0 && e.Final > st.Endings[i-1].Final {
			t.Errorf("ending %d is better than the one before", i)
		}
	}
}

// A draft of the model itself: rounds tell what was guessed, and the cost how
// few passes it took.
func TestEarlyExitRounds(t *testing.T) {
	c := newClient(t)
	info := c.load(smallModel())
	set := Settings{Strategy: "assisted", Die: -1, MaxNewTokens: 8, EarlyExit: 1}
	st := call[Status](c, "open", Open{Model: info.Model, IDs: []int{5, 6, 7}, Settings: set})
	call[Fed](c, "feed", Feed{Session: st.Session, Count: 3})
	for st = c.stepOnce(st.Session); st.Stop == ""; {
		st = c.stepOnce(st.Session)
	}
	at := 0
	for i, r := range st.Rounds {
		if r.Step != i+1 || r.Accepted > len(r.Guessed) {
			t.Errorf("round %d: %+v", i, r)
		}
		for _, token := range r.Guessed[:r.Accepted] {
			if st.Text[at].ID != token.ID {
				t.Errorf("token %d: %d, but %d was accepted", at, st.Text[at].ID, token.ID)
			}
			at++
		}
		if at < len(st.Text) {
			at++ // the model's own
		}
	}
	if at != len(st.Text) || st.Cost.Passes != len(st.Rounds) || st.Cost.DraftPasses == 0 {
		t.Errorf("%d tokens in rounds of %d, cost %+v for %d rounds", at, len(st.Text), st.Cost, len(st.Rounds))
	}

	plain := call[Status](c, "open", Open{Model: info.Model, IDs: []int{5, 6, 7}, Settings: Settings{Strategy: "greedy", Die: -1, MaxNewTokens: 8}})
	call[Fed](c, "feed", Feed{Session: plain.Session, Count: 3})
	for range 8 {
		plain = c.stepOnce(plain.Session)
	}
	if !slices.Equal(chosen(st), chosen(plain)) {
		t.Errorf("%v with a draft, %v without", chosen(st), chosen(plain))
	}

	for want, set := range map[string]Settings{
		"assistant_early_exit: 2, want 1 to 1":        {Strategy: "assisted", Die: -1, MaxNewTokens: 8, EarlyExit: 2},
		"assistant_early_exit: 1, and draft is":       {Strategy: "assisted", Die: -1, MaxNewTokens: 8, EarlyExit: 1, Draft: info.Model},
		"assistant_early_exit: 1, but capital has no": {},
	} {
		model := info.Model
		if set.Strategy == "" {
			set = Settings{Strategy: "assisted", Die: -1, MaxNewTokens: 8, EarlyExit: 1}
			model = call[ModelInfo](c, "modelToy", ModelToy{Toys: toys, Name: "capital"}).Model
		}
		c.refuses("open", Open{Model: model, IDs: []int{1}, Settings: set}, "bad_request", want)
	}
}

// Lists of a strategy cross, too.
func TestStrategyLists(t *testing.T) {
	c := newClient(t)
	info := c.load(smallModel())
	set := Settings{Strategy: "dola", StrategyArgs: map[string]float64{"dola_layers": 2}, Die: -1, MaxNewTokens: 2}
	open := Open{Model: info.Model, IDs: []int{5}, Settings: set}
	c.refuses("open", open, "bad_request", "dola_layer_list: empty")
	open.Settings.StrategySeqs = []Sequence{{Param: "dola_layer_list", IDs: []int{1}}}
	st := call[Status](c, "open", open)
	call[Fed](c, "feed", Feed{Session: st.Session, Count: 1})
	if st = c.stepOnce(st.Session); len(st.Text) != 1 {
		t.Errorf("%+v, want a token", st)
	}
	open.Settings.StrategySeqs[0].Param = "layers"
	c.refuses("open", open, "bad_request", "layers: no such list")
}

func TestMaxLengthAndTime(t *testing.T) {
	c := newClient(t)
	set := sampling()
	set.MaxNewTokens, set.MaxLength = 0, 4
	st := c.openFixed(row(), set)
	for range 9 {
		st = c.stepOnce(st.Session)
	}
	if st.Stop != "max_length" || len(st.Text) != 3 || st.StopDoc == "" {
		t.Errorf("after a prompt of one: %d tokens, stopped by %q", len(st.Text), st.Stop)
	}

	set.MaxTime = 2.5
	c.refuses("retune", Retune{Session: st.Session, Settings: set}, "bad_request", "max_time: no clock")
	seconds := 0.0
	c.app.Clock = func() float64 { seconds++; return seconds }
	set.MaxNewTokens, set.MaxLength = 7, 0
	st = c.openFixed(row(), set)
	for range 9 {
		st = c.stepOnce(st.Session)
	}
	if st.Stop != "max_time" || !strings.Contains(st.StopDoc, "2.5 s") || st.Cost.Seconds <= 2.5 || len(st.Text) >= 7 {
		t.Errorf("%d tokens in %v s, stopped by %q: %q", len(st.Text), st.Cost.Seconds, st.Stop, st.StopDoc)
	}
}
