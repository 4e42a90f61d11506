package api

import (
	"reflect"
	"regexp"
	"testing"
)

// TestWire holds the wire structs to what vert carries over unharmed: it
// panics on named basic types, arrays and named map keys, takes a whole tag as
// the key, and leaves embedded structs nested.
func TestWire(t *testing.T) {
	tag := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	for name, typ := range wireTypes() {
		seen := map[string]bool{}
		for _, f := range reflect.VisibleFields(typ) {
			if !f.IsExported() {
				continue
			}
			key := f.Tag.Get("json")
			if string(f.Tag) != `json:"`+key+`"` || !tag.MatchString(key) {
				t.Errorf("%s.%s: tag %q, want one plain json key", name, f.Name, f.Tag)
			}
			if seen[key] {
				t.Errorf("%s.%s: key %q twice", name, f.Name, key)
			}
			seen[key] = true
			if f.Anonymous {
				t.Errorf("%s.%s: embedded", name, f.Name)
			}
			if !plain(f.Type) {
				t.Errorf("%s.%s: %v does not cross", name, f.Name, f.Type)
			}
		}
		if c, ok := reflect.Zero(typ).Interface().(Columns); ok {
			for key := range c.Columns() {
				if seen[key] {
					t.Errorf("%s: column %q is a field, too", name, key)
				}
			}
		}
	}
}

// plain reports whether t crosses: unnamed basic kinds, structs, and slices
// and string maps of them.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Float64:
		return t.PkgPath() == "" && t.Name() == t.Kind().String()
	case reflect.Slice:
		return t.Name() == "" && plain(t.Elem())
	case reflect.Map:
		return t.Name() == "" && t.Key() == reflect.TypeFor[string]() && plain(t.Elem())
	}
	return t.Kind() == reflect.Struct
}
