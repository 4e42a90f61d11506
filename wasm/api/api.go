package api

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"decodingplayground/core/decode"
)

// Bulk are bytes that came beside a call's parameters. They are lent for the
// call; Copy puts all Len of them into a slice that is as long.
type Bulk struct {
	Len  int
	Copy func(to []byte)
}

// BulkOf lends b.
func BulkOf(b []byte) Bulk {
	return Bulk{Len: len(b), Copy: func(to []byte) { copy(to, b) }}
}

// Method is one entry of the table: what it takes, what it answers, and how a
// call is done. decode fills a pointer to a wire struct with the caller's
// parameters.
type Method struct {
	Name           string
	Params, Result reflect.Type
	call           func(a *App, decode func(any) error, bulk Bulk) (any, error)
}

// Methods is the table, in the order a page uses it.
var Methods = []Method{
	method("describe", (*App).describe),
	method("modelBegin", (*App).modelBegin),
	bulkMethod("modelPart", (*App).modelPart),
	method("modelEnd", (*App).modelEnd),
	method("modelToy", (*App).modelToy),
	bulkMethod("modelStep", (*App).modelStep),
	method("modelClose", (*App).modelClose),
	method("tokenize", (*App).tokenize),
	method("tokenTexts", (*App).tokenTexts),
	method("open", (*App).open),
	method("feed", (*App).feed),
	method("step", (*App).step),
	method("force", (*App).force),
	method("rewind", (*App).rewind),
	method("fork", (*App).fork),
	method("retune", (*App).retune),
	method("status", (*App).status),
	method("view", (*App).view),
	method("logits", (*App).logits),
	method("tree", (*App).tree),
	method("draws", (*App).draws),
	method("chart", (*App).chart),
	method("metrics", (*App).metrics),
	method("promptSurprise", (*App).promptSurprise),
	method("close", (*App).close),
}

// Call does one call. The error, if any, is always an Error; a panic inside is
// one too, with code "internal". No slice or map of the result is nil.
func (a *App) Call(name string, decode func(any) error, bulk Bulk) (result any, err error) {
	i := slices.IndexFunc(Methods, func(m Method) bool { return m.Name == name })
	if i < 0 {
		return nil, Error{Code: "bad_request", Message: fmt.Sprintf("method %q: no such method", name)}
	}
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, Error{Code: "internal", Message: fmt.Sprintf("%s: %v", name, r)}
		}
	}()
	result, err = Methods[i].call(a, decode, bulk)
	if err != nil {
		return nil, asError(err)
	}
	return result, nil
}

// Error implements error.
func (e Error) Error() string { return e.Message }

func method[P, R any](name string, f func(*App, P) (R, error)) Method {
	return bulkMethod(name, func(a *App, p P, _ Bulk) (R, error) { return f(a, p) })
}

func bulkMethod[P, R any](name string, f func(*App, P, Bulk) (R, error)) Method {
	call := func(a *App, decode func(any) error, bulk Bulk) (any, error) {
		var p P
		if err := decode(&p); err != nil {
			return nil, Error{Code: "bad_request", Message: fmt.Sprintf("%s: %v", name, err)}
		}
		r, err := f(a, p, bulk)
		if err != nil {
			return nil, err
		}
		fill(reflect.ValueOf(&r).Elem())
		return r, nil
	}
	return Method{Name: name, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R](), call: call}
}

// fill makes every nil slice and map under v an empty one, so that a page
// never meets null.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				fill(f)
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		if holdsLists(v.Type().Elem()) {
			for i := range v.Len() {
				fill(v.Index(i))
			}
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	}
}

// holdsLists says whether fill has anything to do in values of that type.
func holdsLists(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() && holdsLists(f.Type) {
				return true
			}
		}
	}
	return false
}

// asError gives an error its code.
func asError(err error) Error {
	if e, ok := errors.AsType[Error](err); ok {
		return e
	}
	if errors.Is(err, decode.ErrContext) {
		return Error{Code: "context_full", Message: err.Error()}
	}
	return Error{Code: "bad_request", Message: err.Error()}
}
