package api

// Figures on the wire: throws, trees, charts and numbers of whole texts.

// DrawsOf asks what Count dice would draw at a step: the one that the step's seed
// gives, and those that follow it in PCG(seed, step). Step is as in ViewOf, Count
// 1 to 100000.
type DrawsOf struct {
	Session int `json:"session"`
	Step    int `json:"step"`
	Count   int `json:"count"`
}

// Draws is how often each token was hit. Tokens are kept ones in the order of
// the draw, 50 at most, with their final probability; Other is of all the rest.
type Draws struct {
	Count         int       `json:"count"`
	Tokens        []Token   `json:"tokens"`
	Expected      []float64 `json:"expected"`
	Hits          []int     `json:"hits"`
	OtherTokens   int       `json:"otherTokens"`
	OtherExpected float64   `json:"otherExpected"`
	OtherHits     int       `json:"otherHits"`

	dice []float32 // the first throws, 1000 at most
}

// Columns implements Columns.
func (d Draws) Columns() map[string]any { return map[string]any{"dice": d.dice} }

// Tree is the search of a session, step by step, for strategies that follow
// several texts. Node 0 is the prompt.
type Tree struct {
	Nodes []Node `json:"nodes"`
	Best  int    `json:"best"` // the best hypothesis so far
}

// Node is one candidate. State is live, done or pruned, as things stand after
// the newest step; Reason says why it was pruned or how it ended. Score is the
// sum of log-probabilities, Final the length-normalised score of one that is
// done.
type Node struct {
	Parent  int     `json:"parent"`
	Step    int     `json:"step"` // 1 is the first; 0 the prompt
	ID      int     `json:"id"`
	Text    string  `json:"text"`
	Hex     string  `json:"hex"`
	Prob    float64 `json:"prob"`
	Score   float64 `json:"score"`
	Final   float64 `json:"final"`
	Place   int     `json:"place"` // in its step, from 1
	State   string  `json:"state"`
	Reason  string  `json:"reason"`
	Kept    bool    `json:"kept"`    // its step went on from it, whatever became of it since
	Chained bool    `json:"chained"` // on the path to Best
}

// ChartOf asks for a chart: an ECharts option as JSON. Colours in it are names
// of the page's custom properties ("--kept"); the page puts the colours in.
type ChartOf struct {
	Name     string `json:"name"`
	Sessions []int  `json:"sessions"`
	Step     int    `json:"step"`  // as in ViewOf, of the first session
	Draws    int    `json:"draws"` // of the chart "draws": how many, up to 100000
}

// ChartJSON is the option.
type ChartJSON struct {
	Option string `json:"option"`
}

// Metrics of a session's text so far. Never NaN; an empty text has zeros.
type Metrics struct {
	Session     int     `json:"session"`
	Tokens      int     `json:"tokens"`
	MeanLogProb float64 `json:"mean_logprob"` // nats, the model's own
	Perplexity  float64 `json:"perplexity"`
	Distinct1   float64 `json:"distinct_1"`
	Distinct2   float64 `json:"distinct_2"`
	Distinct3   float64 `json:"distinct_3"`
	Repeated4   float64 `json:"repeated_4"` // share of 4-grams seen before
	MeanEntropy float64 `json:"mean_entropy"`
	MeanNucleus float64 `json:"mean_nucleus"`
	LoopPeriod  int     `json:"loop_period"` // tokens that the end repeats three times or more; 0: no loop
}

// MetricsOf asks for metrics of sessions.
type MetricsOf struct {
	Sessions []int `json:"sessions"`
}

// AllMetrics is the answer, in the order asked.
type AllMetrics struct {
	Sessions []Metrics `json:"sessions"`
}

// PromptSurpriseOf asks how the model meets up to Count tokens of a session's
// prompt, 64 at most, from place From on. The prompt has to be read.
type PromptSurpriseOf struct {
	Session int `json:"session"`
	From    int `json:"from"`
	Count   int `json:"count"`
}

// PromptSurprise is the answer, token by token; Total is of the whole prompt.
type PromptSurprise struct {
	Total int `json:"total"`

	surprise []float32 // bits; -1 for the first token, which nothing precedes
	rank     []int32   // in the model's order, from 1; 0 for the first token
}

// Columns implements Columns.
func (p PromptSurprise) Columns() map[string]any {
	return map[string]any{"surprise": p.surprise, "rank": p.rank}
}
