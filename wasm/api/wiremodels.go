package api

// Models and texts on the wire.

// Part is one file of a model folder; see Manifest.
type Part struct {
	File        string `json:"file"`
	Bytes       int    `json:"bytes"`
	SHA256      string `json:"sha256"`
	CodedFile   string `json:"codedFile"`
	CodedBytes  int    `json:"codedBytes"`
	CodedSHA256 string `json:"codedSha256"`
}

// ModelBegin starts loading: the text of manifest.json. The answer names the
// parts in order. Each part is then handed over, decoded, by modelPart; the
// model is ready when modelEnd answers.
type ModelBegin struct {
	Manifest string `json:"manifest"`
}

// ModelBegun is the answer to modelBegin. Model is the handle for the rest.
type ModelBegun struct {
	Model int    `json:"model"`
	Name  string `json:"name"`
	Hash  string `json:"hash"` // as in ModelInfo
	Parts []Part `json:"parts"`
}

// ModelPart hands over decoded bytes of part Index, from byte At on: the whole
// part, or a piece of it, in order. The part is checked when its last byte came:
// against SHA256, in hex, where the caller has computed it (a browser does so ten
// times as fast), else the bytes are hashed here.
// Bytes come beside the struct; see package wasm.
type ModelPart struct {
	Model  int    `json:"model"`
	Index  int    `json:"index"`
	At     int    `json:"at"`
	SHA256 string `json:"sha256"`
}

// ModelRef names a model.
type ModelRef struct {
	Model int `json:"model"`
}

// ModelToy makes a table model of a few words, for lessons: the one called
// Name of the JSON text Toys; core/lm/table has its form.
type ModelToy struct {
	Toys string `json:"toys"`
	Name string `json:"name"`
}

// ModelStep makes a model that knows one step of GPT-2: the token after Prompt.
// Its logits, little-endian float32, come beside the struct; see package wasm.
type ModelStep struct {
	Name   string `json:"name"`
	Prompt string `json:"prompt"`
}

// ModelInfo describes a model that is ready.
type ModelInfo struct {
	Model   int    `json:"model"`
	ID      string `json:"id"`
	Name    string `json:"name"`
	Hash    string `json:"hash"` // sha256 of the manifest's parts; part of share links
	Layers  int    `json:"n_layer"`
	Heads   int    `json:"n_head"`
	Embd    int    `json:"n_embd"`
	Context int    `json:"n_positions"`
	Vocab   int    `json:"vocab_size"`
	Params  int    `json:"params"`
	EOS     int    `json:"eos_token_id"`
	Bits    string `json:"bits"`
	Licence string `json:"licence"`
	Source  string `json:"source"`

	// Of toys and of single steps: the prompt, which a toy shows and does not
	// read, and the ids to open a session with, possibly none.
	Toy       bool   `json:"toy"`
	Prompt    string `json:"prompt"`
	PromptIDs []int  `json:"promptIds"`
}

// Tokenize asks for the tokens of a text, at most one more of them than the
// model reads. BOS puts the chip <|endoftext|> at the front; the same
// characters inside Text are plain text.
type Tokenize struct {
	Model int    `json:"model"`
	Text  string `json:"text"`
	BOS   bool   `json:"bos"`
}

// TokenTexts asks for the tokens of ids.
type TokenTexts struct {
	Model int   `json:"model"`
	IDs   []int `json:"ids"`
}

// Tokens is a list of tokens. Count is of all, those of a long text that are
// not listed included.
type Tokens struct {
	Tokens []Token `json:"tokens"`
	Count  int     `json:"count"`
}
