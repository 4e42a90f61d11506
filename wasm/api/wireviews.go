package api

// One step on the wire.

// ViewOf asks what the pipeline does at a step: 0 is the first generated
// token of Status.Text, -1 the next one. Rows is how many tokens are wanted, 1
// to 1000.
type ViewOf struct {
	Session int `json:"session"`
	Step    int `json:"step"`
	Rows    int `json:"rows"`
}

// View is one step, stage by stage. Its token list is the union of what the
// picture, the bars and the table need; Bars and Strip index into it.
//
// Strip is the order of the draw: kept tokens from the likeliest down, then
// the removed ones, those that fell last first; so on every strip the next
// stage cuts a far end off. Bars is in the order of the model's own rank.
// Groups are the tokens outside Strip, joined by the stage that removes them,
// in strip order.
//
// A step that was taken stays as it was: Strategy and the stages' Args are those
// that it was taken with.
type View struct {
	Step     int         `json:"step"`
	Strategy string      `json:"strategy"`
	Stages   []StageView `json:"stages"` // [0] is the model
	Tokens   []Token     `json:"tokens"`
	Bars     []int       `json:"bars"`
	Strip    []int       `json:"strip"`
	Groups   []Group     `json:"groups"`
	Numbers  Numbers     `json:"numbers"`
	Draw     Draw        `json:"draw"`

	// Columns, one number a token of Tokens.
	logits     []float32 // the model's
	scores     []float32 // after the pipeline; -Infinity where removed
	rank       []int32   // in the model's order, from 1
	removed    []int32   // index in Stages, -1 = kept
	probs      []float32 // stage by stage: probs[stage*tokens.length+token]
	groupProbs []float32 // likewise: groupProbs[stage*groups.length+group]
}

// Columns implements Columns.
func (v View) Columns() map[string]any {
	return map[string]any{
		"logits": v.logits, "scores": v.scores, "rank": v.rank,
		"removed": v.removed, "probs": v.probs, "groupProbs": v.groupProbs,
	}
}

// StageView is what a stage left: Count tokens. Cut and CutMass are what it
// removed for good, CutMass of the distribution that came in. Index is its place in
// Settings.Stages, -1 for the model. Args are its numbers, defaults included.
type StageView struct {
	Kind    string             `json:"kind"`
	Index   int                `json:"index"`
	Args    map[string]float64 `json:"args"`
	Count   int                `json:"count"`
	Cut     int                `json:"cut"`
	CutMass float64            `json:"cutMass"`
	Entropy float64            `json:"entropy"` // bits
}

// Group is a run of tokens outside Strip. Removed is the stage, -1 = kept.
type Group struct {
	Removed int `json:"removed"`
	Count   int `json:"count"`
}

// Numbers are the readout. NucleusSize is what the top-p stage leaves (what
// the whole pipeline leaves where there is none); KeptCount is what the whole
// pipeline leaves. KeptMass is of the distribution that enters the first
// filter, ModelKeptMass of the model's own.
type Numbers struct {
	NucleusSize      int     `json:"nucleus_size"`
	KeptCount        int     `json:"kept_count"`
	KeptMass         float64 `json:"kept_mass"`
	ModelKeptMass    float64 `json:"model_kept_mass"`
	Entropy          float64 `json:"entropy"` // bits, final
	ModelEntropy     float64 `json:"model_entropy"`
	EffectiveChoices float64 `json:"effective_choices"` // 2^entropy
	ModelChoices     float64 `json:"model_choices"`
	CrossingToken    Token   `json:"crossing_token"` // the one that crosses top_p
	CrossingSum      float64 `json:"crossing_sum"`   // its mass and all before it; 0 when no top-p stage cuts

	// What the common wrong rule, which drops the crossing token, would keep.
	SlipSize int     `json:"slip_size"`
	SlipMass float64 `json:"slip_mass"`
}

// Draw is how the token of the step is chosen. Thrown is false where no die
// is: greedy, beams, a token taken by hand. Token is the index in View.Tokens
// of the token that is taken or would be, -1 when none is decided yet.
type Draw struct {
	Thrown bool    `json:"thrown"`
	Forced bool    `json:"forced"`
	Die    float64 `json:"die"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Token  int     `json:"token"`
	Top    int     `json:"top"` // index of the likeliest kept token
	TopEnd float64 `json:"topEnd"`
}

// LogitsOf asks for what the model says comes next in each session's best text.
type LogitsOf struct {
	Sessions []int `json:"sessions"`
}

// Logits are one number a token of the vocabulary, row after row in the order
// asked. All come from one pass, and the next step uses them again.
type Logits struct {
	logits []float32
}

// Columns implements Columns.
func (l Logits) Columns() map[string]any { return map[string]any{"logits": l.logits} }
