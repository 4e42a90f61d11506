//go:build js && wasm

package main

import (
	"fmt"
	"reflect"
	"syscall/js"
	"unsafe"

	"github.com/norunners/vert"

	"decodingplayground/wasm/api"
)

// bridge is engineCall(method, params, bytes, into): it answers {result, buffer} or
// {error}. The columns of a result are typed arrays over buffer, which the
// worker transfers to the page; buffer is undefined where there are none, and into
// where that is a buffer of the right size.
func bridge(app *api.App) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if r := recover(); r != nil {
				answer = failed(api.Error{Code: "internal", Message: fmt.Sprint(r)})
			}
		}()
		decode := func(to any) error { return assign(to, args[1]) }
		result, err := app.Call(args[0].String(), decode, bulk(args[2]))
		if err != nil {
			return failed(err)
		}
		value := valueOf(result)
		buffer := js.Undefined()
		if c, ok := result.(api.Columns); ok {
			into := js.Undefined()
			if len(args) > 3 {
				into = args[3]
			}
			buffer = setColumns(value, c.Columns(), into)
		}
		return map[string]any{"result": value, "buffer": buffer}
	})
}

// valueOf is the JavaScript value of a result.
func valueOf(result any) js.Value {
	switch r := result.(type) {
	case api.Status:
		return statusValue(r)
	case api.View:
		return viewValue(r)
	case api.Stepped:
		list := make([]any, len(r.Sessions))
		for i, s := range r.Sessions {
			list[i] = statusValue(s)
		}
		r.Sessions = r.Sessions[:0]
		value := vert.ValueOf(r).JSValue()
		value.Set("sessions", list)
		return value
	}
	return vert.ValueOf(result).JSValue()
}

// statusValue makes objects of those steps of a text that are new: a hundred
// of them take longer than a step of GPT-2.
func statusValue(s api.Status) js.Value {
	told, steps, same := s.Told(), s.Text, 0
	for same < min(len(steps), len(told.Steps)) && steps[same] == told.Steps[same] {
		same++
	}
	s.Text = steps[same:]
	value := vert.ValueOf(s).JSValue()
	text := value.Get("text")
	if same > 0 {
		text = told.Value.(js.Value).Call("slice", 0, same).Call("concat", text)
		value.Set("text", text)
	}
	told.Steps, told.Value = steps, text
	return value
}

// tokenValues are objects of tokens. What views show while a slider moves is nearly
// the same from one to the next, and making an object takes longer than finding it.
var tokenValues = map[api.Token]js.Value{}

const mostTokenValues = 4000

func viewValue(v api.View) js.Value {
	if len(tokenValues) > mostTokenValues {
		clear(tokenValues)
	}
	list := make([]any, len(v.Tokens))
	for i, t := range v.Tokens {
		value, made := tokenValues[t]
		if !made {
			value = vert.ValueOf(t).JSValue()
			tokenValues[t] = value
		}
		list[i] = value
	}
	v.Tokens = v.Tokens[:0]
	value := vert.ValueOf(v).JSValue()
	value.Set("tokens", list)
	return value
}

func failed(err error) any {
	return map[string]any{"error": vert.ValueOf(err).JSValue()}
}

// assign fills the struct that to points to. vert would leave out a field that
// is missing and cut 2.9 to 2; here both are errors that name the field.
func assign(to any, from js.Value) error {
	if err := check("params", reflect.TypeOf(to).Elem(), from); err != nil {
		return err
	}
	return vert.Value{Value: from}.AssignTo(to)
}

var (
	isArray   = js.Global().Get("Array").Get("isArray")
	isInteger = js.Global().Get("Number").Get("isSafeInteger")
	isFinite  = js.Global().Get("Number").Get("isFinite")
	keys      = js.Global().Get("Object").Get("keys")
)

func check(path string, t reflect.Type, v js.Value) error {
	ok, want := true, ""
	switch t.Kind() {
	case reflect.String:
		ok, want = v.Type() == js.TypeString, "a string"
	case reflect.Bool:
		ok, want = v.Type() == js.TypeBoolean, "true or false"
	case reflect.Int:
		ok, want = isInteger.Invoke(v).Bool(), "a whole number"
	case reflect.Float64:
		ok, want = isFinite.Invoke(v).Bool(), "a number"
	case reflect.Slice:
		ok, want = isArray.Invoke(v).Bool(), "an array"
	default:
		ok, want = v.Type() == js.TypeObject, "an object"
	}
	if !ok {
		return fmt.Errorf("%s: %s, want %s", path, js.Global().Call("String", v).String(), want)
	}
	switch t.Kind() {
	case reflect.Slice:
		for i := range v.Length() {
			if err := check(fmt.Sprintf("%s[%d]", path, i), t.Elem(), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		names := keys.Invoke(v)
		for i := range names.Length() {
			name := names.Index(i).String()
			if err := check(path+"."+name, t.Elem(), v.Get(name)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for f := range t.Fields() {
			if !f.IsExported() {
				continue
			}
			name := f.Tag.Get("json")
			if err := check(path+"."+name, f.Type, v.Get(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// bulk lends the bytes of a Uint8Array, which are copied once, to where the
// callee wants them.
func bulk(v js.Value) api.Bulk {
	if v.IsUndefined() {
		return api.Bulk{}
	}
	return api.Bulk{Len: v.Length(), Copy: func(to []byte) { js.CopyBytesToGo(to, v) }}
}

var (
	arrayBuffer = js.Global().Get("ArrayBuffer")
	uint8Array  = js.Global().Get("Uint8Array")
	arrays      = map[reflect.Type]js.Value{
		reflect.TypeFor[[]byte]():    uint8Array,
		reflect.TypeFor[[]int32]():   js.Global().Get("Int32Array"),
		reflect.TypeFor[[]float32](): js.Global().Get("Float32Array"),
	}
)

// setColumns puts each column under its name in value, all in one new buffer:
// one allocation and one copy each, since the page is given the buffer itself; none
// where into has that size.
func setColumns(value js.Value, columns map[string]any, into js.Value) js.Value {
	size := 0
	for _, c := range columns {
		size += align(len(rawBytes(c)))
	}
	buffer := into
	if !buffer.InstanceOf(arrayBuffer) || buffer.Get("byteLength").Int() != size {
		buffer = arrayBuffer.New(size)
	}
	bytes, at := uint8Array.New(buffer), 0
	for name, c := range columns {
		raw := rawBytes(c)
		js.CopyBytesToJS(bytes.Call("subarray", at), raw)
		value.Set(name, arrays[reflect.TypeOf(c)].New(buffer, at, reflect.ValueOf(c).Len()))
		at += align(len(raw))
	}
	return buffer
}

func align(n int) int { return (n + 3) &^ 3 }

// rawBytes are the bytes of a column where they lie.
func rawBytes(column any) []byte {
	switch c := column.(type) {
	case []byte:
		return c
	case []int32:
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c))), 4*len(c))
	case []float32:
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c))), 4*len(c))
	}
	panic(fmt.Sprintf("column of %T", column))
}
