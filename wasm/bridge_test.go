//go:build js && wasm

package main

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"syscall/js"
	"testing"

	"github.com/norunners/vert"

	"decodingplayground/wasm/api"
)

// sample fills a value with numbers and texts that no two fields share, two
// entries to a slice or map.
func sample(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString("text </script> é😀\x00" + string(rune('a'+*n%26)))
	case reflect.Bool:
		v.SetBool(*n%2 == 0)
	case reflect.Int:
		v.SetInt(int64(*n) << 33)
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			sample(v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"a", "b c"} {
			e := reflect.New(v.Type().Elem()).Elem()
			sample(e, n)
			v.SetMapIndex(reflect.ValueOf(key), e)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				sample(field, n)
			}
		}
	}
}

// TestEveryStructCrosses sends every wire struct to JavaScript and back.
func TestEveryStructCrosses(t *testing.T) {
	n := 0
	for _, m := range api.Methods {
		for _, typ := range []reflect.Type{m.Params, m.Result} {
			sent := reflect.New(typ)
			sample(sent.Elem(), &n)
			value := vert.ValueOf(sent.Elem().Interface()).JSValue()
			got := reflect.New(typ)
			if err := assign(got.Interface(), value); err != nil {
				t.Errorf("%v: %v", typ, err)
				continue
			}
			if !reflect.DeepEqual(got.Interface(), sent.Interface()) {
				t.Errorf("%v: sent %+v, got %+v", typ, sent.Elem(), got.Elem())
			}
			text, err := json.Marshal(sent.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if js := stringify(value); !sameJSON(js, string(text)) {
				t.Errorf("%v: JavaScript has %s, want %s", typ, js, text)
			}
		}
	}
}

func stringify(v js.Value) string { return js.Global().Get("JSON").Call("stringify", v).String() }

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// parse makes a JavaScript value of JSON with NaN and the like in it.
func parse(expression string) js.Value {
	return js.Global().Call("eval", "("+expression+")")
}

func TestAssignRefuses(t *testing.T) {
	good := `{session: 1, settings: {strategy: "greedy", strategyArgs: {}, strategySeqs: [], stages: [], seed: 0, die: -1, max_new_tokens: 5, max_length: 0, max_time: 0, eos: [], stop: [], draft: 0, assistant_early_exit: 0}}`
	var p api.Retune
	if err := assign(&p, parse(good)); err != nil || p.Settings.Die != -1 {
		t.Fatalf("%v, %+v", err, p)
	}
	for _, test := range []struct{ old, new, want string }{
		{"session: 1,", "", "params.session: undefined, want a whole number"},
		{"session: 1", "session: 2.9", "params.session: 2.9, want a whole number"},
		{"session: 1", "session: NaN", "params.session: NaN, want a whole number"},
		{"session: 1", `session: "1"`, "params.session: 1, want a whole number"},
		{"session: 1", "session: 2**60", "want a whole number"},
		{"session: 1", "session: 1n", "want a whole number"},
		{"session: 1", "session: Symbol()", "want a whole number"},
		{"die: -1,", "", "params.settings.die: undefined, want a number"},
		{"seed: 0", "seed: Infinity", "params.settings.seed: Infinity, want a number"},
		{"eos: []", "eos: [1, null]", "params.settings.eos[1]: null, want a whole number"},
		{"eos: []", "eos: {length: 0}", "params.settings.eos: [object Object], want an array"},
		{"stop: []", "stop: null", "params.settings.stop: null, want an array"},
		{"strategyArgs: {}", "strategyArgs: {a: true}", "params.settings.strategyArgs.a: true, want a number"},
		{"strategyArgs: {}", "strategyArgs: null", "params.settings.strategyArgs: null, want an object"},
		{`"greedy"`, "{}", "params.settings.strategy: [object Object], want a string"},
		{good, "null", "params: null, want an object"},
		{good, "undefined", "params: undefined, want an object"},
	} {
		err := assign(&p, parse(strings.Replace(good, test.old, test.new, 1)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.new, err, test.want)
		}
	}
}

// TestColumns looks at typed arrays from JavaScript, after Go's memory has
// grown.
func TestColumns(t *testing.T) {
	value := js.Global().Get("Object").New()
	grown := make([]byte, 64<<20)
	columns := map[string]any{
		"bytes":  []byte{1, 2, 255},
		"ints":   []int32{math.MinInt32, 0, math.MaxInt32},
		"floats": []float32{0.1, float32(math.Inf(-1)), math.MaxFloat32, float32(math.NaN())},
		"none":   []float32(nil),
	}
	buffer := setColumns(value, columns, js.Undefined())
	size := buffer.Get("byteLength").Int()
	for what, into := range map[string]js.Value{
		"null":      js.Null(),
		"an object": js.Global().Get("Object").New(),
		"a view":    uint8Array.New(size),
		"too small": arrayBuffer.New(size - 1),
		"too large": arrayBuffer.New(size + 1),
	} {
		if setColumns(value, columns, into).Equal(into) {
			t.Errorf("%s: was taken for a buffer", what)
		}
	}
	used := arrayBuffer.New(size)
	uint8Array.New(used).Call("fill", 77)
	if buffer = setColumns(value, columns, used); !buffer.Equal(used) {
		t.Error("a buffer of the right size was not taken")
	}
	grown[len(grown)-1]++
	for name, want := range map[string]string{
		"bytes":  "Uint8Array:1,2,255",
		"ints":   "Int32Array:-2147483648,0,2147483647",
		"floats": "Float32Array:0.10000000149011612,-Infinity,3.4028234663852886e+38,NaN",
		"none":   "Float32Array:",
	} {
		array := value.Get(name)
		got := array.Get("constructor").Get("name").String() + ":" + array.Call("toString").String()
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if !array.Get("buffer").Equal(buffer) {
			t.Errorf("%s: a buffer of its own", name)
		}
	}
}

func TestBulk(t *testing.T) {
	array := parse("new Uint8Array([7, 8, 9]).subarray(1)")
	b := bulk(array)
	to := make([]byte, b.Len)
	b.Copy(to)
	if b.Len != 2 || to[0] != 8 || to[1] != 9 {
		t.Errorf("%d bytes, %v, want 8 and 9", b.Len, to)
	}
	if bulk(js.Undefined()).Len != 0 {
		t.Error("undefined has bytes")
	}
}

func TestCall(t *testing.T) {
	f := bridge(api.New())
	defer f.Release()
	invoke := func(args ...any) js.Value { return f.Value.Invoke(args...) }

	ok := invoke("describe", parse("{}"), js.Undefined())
	if n := ok.Get("result").Get("processors").Length(); n == 0 || !ok.Get("buffer").IsUndefined() {
		t.Errorf("describe: %s", stringify(ok))
	}
	for _, test := range []struct{ method, params, code, message string }{
		{"nope", "{}", "bad_request", "nope"},
		{"close", "{session: 3}", "unknown", "session 3"},
		{"close", "{}", "bad_request", "close: params.session: undefined"},
	} {
		e := invoke(test.method, parse(test.params), js.Undefined()).Get("error")
		if e.Get("code").String() != test.code || !strings.Contains(e.Get("message").String(), test.message) {
			t.Errorf("%s: %s, want %s and %s", test.method, stringify(e), test.code, test.message)
		}
	}
	// Called with nothing, it answers and goes on.
	if e := invoke().Get("error"); e.Get("code").String() != "internal" {
		t.Errorf("no arguments: %s", stringify(e))
	}
	invoke("describe", parse("{}"), js.Undefined()).Get("result").Get("charts").Length()
}

// TestAnswersAreTold: of a text that grows, shrinks, turns another or is left as it
// is, JavaScript has every step; of two views with the same tokens both have them.
func TestAnswersAreTold(t *testing.T) {
	app := api.New()
	call := func(method string, params any) any {
		t.Helper()
		text, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		result, err := app.Call(method, func(to any) error { return json.Unmarshal(text, to) }, api.Bulk{})
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		return result
	}
	const toys = `{"vocab": [".", "Paris", "Rome"], "eos": 0, "hidden": [[1, 0], [2, 0], [3, 0]], "hidden_context": [0, 1],
		"toys": {"a": {"prompt": "To", "context": [], "start": [-1, 3, 2], "rows": {"Paris": [-3, 1, 2], "Rome": [-3, 2, 1]}}}}`
	info := call("modelToy", api.ModelToy{Toys: toys, Name: "a"}).(api.ModelInfo)
	set := api.Settings{Strategy: "sampling", Seed: 1, Die: -1, MaxNewTokens: 50}
	open := api.Open{Model: info.Model, IDs: info.PromptIDs, Settings: set}
	handle := call("open", open).(api.Status).Session
	call("feed", api.Feed{Session: handle, Count: 64})
	other := call("fork", api.Ref{Session: handle}).(api.Status).Session
	steps := api.Steps{Sessions: []int{handle, other}}
	for i, result := range []func() any{
		func() any { return call("step", steps) },
		func() any { return call("step", steps) },
		func() any { return call("step", api.Steps{Sessions: []int{handle}}) },
		func() any { return call("status", api.Ref{Session: handle}) },
		func() any { return call("rewind", api.Rewind{Session: handle, Steps: 1}) },
		func() any { return call("force", api.Force{Session: handle, ID: 2}) },
		func() any { return call("step", steps) },
		func() any { return call("rewind", api.Rewind{Session: handle, Steps: 0}) },
		func() any { return call("fork", api.Ref{Session: other}) },
		func() any { return call("view", api.ViewOf{Session: handle, Step: -1, Rows: 2}) },
		func() any { return call("view", api.ViewOf{Session: handle, Step: -1, Rows: 3}) },
	} {
		result := result()
		if got, want := stringify(valueOf(result)), stringify(vert.ValueOf(result).JSValue()); got != want {
			t.Errorf("answer %d: JavaScript has %s, want %s", i, got, want)
		}
	}
}
