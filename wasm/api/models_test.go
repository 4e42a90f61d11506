package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"decodingplayground/core/gpt2"
)

// noise is a checkpoint of small random weights.
type noise struct{ *rand.Rand }

func (n noise) Tensor(_ string, shape ...int) (gpt2.Tensor, error) {
	size := 1
	for _, d := range shape {
		size *= d
	}
	values := make([]float32, size)
	for i := range values {
		values[i] = float32(n.NormFloat64()) / 4
	}
	return gpt2.Values(values), nil
}

// smallModel is a model folder: its manifest and its parts, decoded. They are
// not to be changed.
var smallModel = sync.OnceValues(func() (string, [][]byte) {
	cfg, err := gpt2.ParseConfig([]byte(`{"vocab_size": 50257, "n_positions": 16, "n_embd": 32, "n_layer": 2, "n_head": 2, "eos_token_id": 50256}`))
	if err != nil {
		panic(err)
	}
	var parts [][]byte
	keep := func(_ gpt2.Part, data []byte) error {
		parts = append(parts, slices.Clone(data))
		return nil
	}
	m, err := gpt2.Pack(cfg, noise{rand.New(rand.NewPCG(1, 2))}, gpt2.Quantisation{Bits: 8, Group: 32}, keep)
	if err != nil {
		panic(err)
	}
	m.ID, m.Name, m.Tokenizer, m.Licence = "small", "Small", "gpt2", "MIT"
	text, err := m.JSON()
	if err != nil {
		panic(err)
	}
	return string(text), parts
})

// load loads a model folder.
func (c client) load(manifest string, parts [][]byte) ModelInfo {
	c.Helper()
	begun := call[ModelBegun](c, "modelBegin", ModelBegin{Manifest: manifest})
	if len(begun.Parts) != len(parts) {
		c.Fatalf("%d parts are asked for, want %d", len(begun.Parts), len(parts))
	}
	for i, part := range slices.Backward(parts) { // any order will do
		if _, err := c.try("modelPart", ModelPart{Model: begun.Model, Index: i}, BulkOf(part)); err != nil {
			c.Fatal(err)
		}
	}
	return call[ModelInfo](c, "modelEnd", ModelRef{Model: begun.Model})
}

func TestLoadAndRun(t *testing.T) {
	c := newClient(t)
	info := c.load(smallModel())
	want := ModelInfo{
		Model: info.Model, ID: "small", Name: "Small", Hash: info.Hash, Layers: 2, Heads: 2, Embd: 32, Context: 16,
		Vocab: 50257, Params: 50257*32 + 16*32 + 2*(12*32*32+13*32) + 64, EOS: 50256, Bits: "8", Licence: "MIT",
		PromptIDs: []int{},
	}
	if len(info.Hash) != 64 || !reflect.DeepEqual(info, want) {
		t.Errorf("%+v, want %+v and a hash", info, want)
	}

	tokens := call[Tokens](c, "tokenize", Tokenize{Model: info.Model, Text: "Hello <|endoftext|>", BOS: true}).Tokens
	if tokens[0] != (Token{ID: 50256, Text: "<|endoftext|>"}) || tokens[1] != (Token{ID: 15496, Text: "Hello"}) || tokens[len(tokens)-1].ID == 50256 {
		t.Errorf("tokens: %v", tokens)
	}
	var ids []int
	for _, token := range tokens[:3] {
		ids = append(ids, token.ID)
	}
	st := call[Status](c, "open", Open{Model: info.Model, IDs: ids, Settings: sampling(stage("top_k", 40))})
	c.refuses("view", ViewOf{Session: st.Session, Step: -1, Rows: 5}, "bad_request", "not read yet")
	for done := 0; done < len(ids); {
		fed := call[Fed](c, "feed", Feed{Session: st.Session, Count: 2})
		if fed.Done <= done || fed.Total != len(ids) {
			t.Fatalf("fed %+v after %d", fed, done)
		}
		done = fed.Done
	}
	v := c.view(st.Session, 20)
	if v.Numbers.KeptCount != 40 || len(v.Bars) != 20 {
		t.Errorf("kept %d, bars %d, want 40 and 20", v.Numbers.KeptCount, len(v.Bars))
	}
	drawn := v.Tokens[v.Draw.Token].ID
	stepped := call[Stepped](c, "step", Steps{Sessions: []int{st.Session}}).Sessions[0]
	if len(stepped.Text) != 1 || stepped.Text[0].ID != drawn {
		t.Errorf("took %+v, want token %d as shown", stepped.Text, drawn)
	}
}

func TestTokensOfALongText(t *testing.T) {
	c := newClient(t)
	info := c.load(smallModel())
	for _, n := range []int{0, 1, info.Context, info.Context + 1, info.Context + 2, 100_000} {
		got := call[Tokens](c, "tokenize", Tokenize{Model: info.Model, Text: strings.Repeat(" a", n)})
		if got.Count != n || len(got.Tokens) != min(n, info.Context+1) {
			t.Errorf("%d tokens: counted %d, listed %d", n, got.Count, len(got.Tokens))
		}
	}
	got := call[Tokens](c, "tokenTexts", TokenTexts{Model: info.Model, IDs: make([]int, 40)})
	if got.Count != 40 || len(got.Tokens) != 40 {
		t.Errorf("40 ids: counted %d, listed %d", got.Count, len(got.Tokens))
	}
}

func TestUTF8OfTokens(t *testing.T) {
	c := newClient(t)
	info := c.load(smallModel())
	tokens := call[Tokens](c, "tokenize", Tokenize{Model: info.Model, Text: "é😀"}).Tokens
	if tokens[0].Text != "é" || tokens[1].Text != "" || tokens[1].Hex != "F0 9F 98" {
		t.Errorf("tokens: %+v, want é whole and the first bytes of 😀 in hex", tokens)
	}
	c.refuses("tokenTexts", TokenTexts{Model: info.Model, IDs: []int{1, 50257}}, "bad_request", "ids[1]: 50257, want 0 to 50256")
}

func TestContextFull(t *testing.T) {
	c := newClient(t)
	info := c.load(smallModel())
	c.refuses("open", Open{Model: info.Model, IDs: make([]int, 17), Settings: sampling()}, "context_full", "17 tokens, want at most 16")
	st := call[Status](c, "open", Open{Model: info.Model, IDs: make([]int, 15), Settings: sampling()})
	call[Fed](c, "feed", Feed{Session: st.Session, Count: 64})
	call[Fed](c, "feed", Feed{Session: st.Session, Count: 64})
	for range 5 {
		st = call[Stepped](c, "step", Steps{Sessions: []int{st.Session}}).Sessions[0]
	}
	if st.Stop != "context" || st.StopDoc == "" || st.Steps != 2 {
		t.Errorf("stop %q (%s) after %d steps, want context after 2", st.Stop, st.StopDoc, st.Steps)
	}
	c.refuses("force", Force{Session: st.Session, ID: 1}, "context_full", "")
}

// A model may bring its tokenizer.
func TestOwnTokenizer(t *testing.T) {
	c := newClient(t)
	vocab := map[string]int{}
	for id := range 256 { // every byte as GPT-2 writes it
		r := rune(id)
		if !(id > ' ' && id < 127 || id > 160 && id < 256 && id != 173) {
			r = rune(256 + len(vocab) - len(shown(vocab)))
		}
		vocab[string(r)] = id
	}
	vocab["ab"] = 256
	text, err := json.Marshal(vocab)
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := gpt2.ParseConfig([]byte(`{"vocab_size": 257, "n_positions": 16, "n_embd": 32, "n_layer": 1, "n_head": 2}`))
	if err != nil {
		t.Fatal(err)
	}
	var parts [][]byte
	m, err := gpt2.Pack(cfg, noise{rand.New(rand.NewPCG(1, 2))}, gpt2.Quantisation{Bits: 8, Group: 32}, func(_ gpt2.Part, data []byte) error {
		parts = append(parts, slices.Clone(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	m.ID, m.Name, m.Tokenizer, m.Vocab, m.Merges = "mine", "Mine", "own", string(text), "#version: 0.2\na b\n"
	manifest, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	info := c.load(string(manifest), parts)
	tokens := call[Tokens](c, "tokenize", Tokenize{Model: info.Model, Text: "abc"}).Tokens
	if len(tokens) != 2 || tokens[0] != (Token{ID: 256, Text: "ab"}) {
		t.Errorf("tokens %v, want ab and c", tokens)
	}
	c.refuses("modelBegin", ModelBegin{Manifest: strings.Replace(string(manifest), `"own"`, `"gpt2"`, 1)}, "bad_model", "50257 tokens, want vocab_size 257")
	c.refuses("modelBegin", ModelBegin{Manifest: strings.Replace(string(manifest), `a b`, `a z`, 1)}, "bad_model", "merges.txt")
}

// shown are the pieces that stand for themselves.
func shown(vocab map[string]int) (list []string) {
	for piece := range vocab {
		if []rune(piece)[0] < 256 {
			list = append(list, piece)
		}
	}
	return list
}

func TestBrokenModels(t *testing.T) {
	c := newClient(t)
	manifest, parts := smallModel()
	c.refuses("modelBegin", ModelBegin{Manifest: "<!doctype html>"}, "bad_model", "manifest")
	c.refuses("modelBegin", ModelBegin{Manifest: strings.Replace(manifest, `"gpt2"`, `"bert"`, 1)}, "bad_model", `tokenizer: "bert"`)
	c.refuses("modelBegin", ModelBegin{Manifest: strings.Replace(manifest, `"n_layer": 2`, `"n_layer": 3`, 1)}, "bad_model", "bytes")

	begun := call[ModelBegun](c, "modelBegin", ModelBegin{Manifest: manifest})
	piece := func(index, at int, data []byte) string {
		_, err := c.try("modelPart", ModelPart{Model: begun.Model, Index: index, At: at}, BulkOf(data))
		if err == nil {
			return ""
		}
		return err.(Error).Code + " " + err.Error()
	}
	part := func(index int, data []byte) string { return piece(index, 0, data) }
	if got := part(0, append(slices.Clone(parts[0]), 0)); !strings.HasPrefix(got, "bad_model part-000.bin: bytes 0 to") {
		t.Errorf("a long part: %q", got)
	}
	for _, at := range []int{-1, len(parts[0]), 1 << 40} {
		if got := piece(0, at, parts[0][:2]); !strings.HasPrefix(got, "bad_model part-000.bin: bytes") {
			t.Errorf("a piece at %d: %q", at, got)
		}
	}
	told := ModelPart{Model: begun.Model, Index: 0, SHA256: strings.Repeat("0", 64)}
	if _, err := c.try("modelPart", told, BulkOf(parts[0])); err == nil || !strings.HasPrefix(err.Error(), "part-000.bin: corrupt") {
		t.Errorf("a part whose hash is told, and wrong: %v", err)
	}
	if got := part(len(parts), nil); !strings.HasPrefix(got, "bad_model part") {
		t.Errorf("a part too many: %q", got)
	}
	wrong := slices.Clone(parts[0])
	wrong[9] ^= 1
	if got := part(0, wrong); !strings.HasPrefix(got, "bad_model part-000.bin: corrupt") {
		t.Errorf("a changed bit: %q", got)
	}
	c.refuses("modelEnd", ModelRef{Model: begun.Model}, "bad_model", "part-000.bin: not loaded")
	for i, data := range parts { // and all is well again, in pieces
		half := len(data) / 2
		if got := piece(i, 0, data[:half]) + piece(i, half, data[half:]); got != "" {
			t.Errorf("part %d: %q", i, got)
		}
	}
	call[ModelInfo](c, "modelEnd", ModelRef{Model: begun.Model})
	c.refuses("modelEnd", ModelRef{Model: begun.Model}, "unknown", "model")
}

func TestModelCloseTakesItsSessions(t *testing.T) {
	c := newClient(t)
	st, other := c.openToy(sampling()), c.openToy(sampling())
	call[Nothing](c, "modelClose", ModelRef{Model: c.app.sessions[st.Session].model.info.Model})
	c.refuses("status", Ref{Session: st.Session}, "unknown", "session")
	call[Status](c, "status", Ref{Session: other.Session})

	manifest, _ := smallModel()
	begun := call[ModelBegun](c, "modelBegin", ModelBegin{Manifest: manifest})
	call[Nothing](c, "modelClose", ModelRef{Model: begun.Model})
	c.refuses("modelPart", ModelPart{Model: begun.Model}, "unknown", "model")
}

func TestToyRefuses(t *testing.T) {
	c := newClient(t)
	c.refuses("modelToy", ModelToy{Toys: "{", Name: "x"}, "bad_model", "toys")
	c.refuses("modelToy", ModelToy{Toys: toys, Name: "x"}, "bad_request", `"x"`)
	info := call[ModelInfo](c, "modelToy", ModelToy{Toys: toys, Name: "capital"})
	if !info.Toy || info.Prompt != "The capital of France is" || info.EOS != 0 || info.PromptIDs == nil {
		t.Errorf("%+v", info)
	}
	tokens := call[Tokens](c, "tokenize", Tokenize{Model: info.Model, Text: " the Paris."}).Tokens
	if len(tokens) != 3 || tokens[0].ID != 4 || tokens[1].Text != " Paris" || tokens[2].ID != 0 {
		t.Errorf("tokens: %v, want the, Paris and a full stop", tokens)
	}
	c.refuses("tokenize", Tokenize{Model: info.Model, Text: "the Oslo"}, "bad_request", `"Oslo"`)
	c.refuses("tokenize", Tokenize{Model: info.Model, BOS: true}, "bad_request", "endoftext")
}

// TestStoredSteps reads the steps that the page keeps: they are the rows that
// the samplers are tested with.
func TestStoredSteps(t *testing.T) {
	var steps map[string]struct{ Prompt string }
	index, err := os.ReadFile("../../web/lessons/steps/index.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(index, &steps); err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob("../../core/logits/testdata/real/case-*.json")
	if err != nil || len(cases) != len(steps) {
		t.Fatalf("%d rows, %d steps, %v", len(cases), len(steps), err)
	}
	c := newClient(t)
	for name, step := range steps {
		row := rowOf(t, cases, step.Prompt)
		packed, err := os.ReadFile("../../web/lessons/steps/" + name + ".f32.gz")
		if err != nil {
			t.Fatal(err)
		}
		if other, err := os.ReadFile("../../core/logits/testdata/real/" + row.File + ".gz"); err != nil || !bytes.Equal(packed, other) {
			t.Errorf("%s is not %s: %v", name, row.File, err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		logits, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.try("modelStep", ModelStep{Name: name, Prompt: step.Prompt}, BulkOf(logits))
		if err != nil {
			t.Fatal(err)
		}
		info := got.(ModelInfo)
		if !slices.Equal(info.PromptIDs, row.IDs) || info.Context != len(row.IDs) || info.EOS != 50256 || info.Toy {
			t.Errorf("%s: %+v, want the ids %v", name, info, row.IDs)
		}
	}
	_, err = c.try("modelStep", ModelStep{Name: "x", Prompt: "A"}, BulkOf(make([]byte, 8)))
	if err == nil || !strings.Contains(err.Error(), "8 bytes") {
		t.Errorf("half a row: %v", err)
	}
	_, err = c.try("modelStep", ModelStep{Name: "x"}, BulkOf(make([]byte, 4*50257)))
	if err == nil || !strings.Contains(err.Error(), "prompt") {
		t.Errorf("no prompt: %v", err)
	}
}

// realCase is a case-N.json of core/logits/testdata/real.
type realCase struct {
	Prompt string
	IDs    []int
	File   string `json:"logits_file"`
}

func rowOf(t *testing.T, cases []string, prompt string) realCase {
	t.Helper()
	for _, path := range cases {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var row realCase
		if err := json.Unmarshal(text, &row); err != nil {
			t.Fatal(err)
		}
		if row.Prompt == prompt {
			return row
		}
	}
	t.Fatalf("no row of %q", prompt)
	return realCase{}
}
