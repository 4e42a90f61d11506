package main

import (
	"slices"
	"strings"
	"testing"
)

var modules = map[string][]byte{
	"app.js": []byte(`/** import { no } from "./none.js"; */
import { a } from "./a.js";
import {
  b,
} from './sub/b.js';
import "./side.js";
export * from "./a.js";
export const text = "from";
const later = () => import("./later.js");
/** @typedef {import("./types.js").T} T */
`),
	"a.js":     []byte(`import { b } from "./sub/b.js"`),
	"sub/b.js": []byte(`import { a } from "../a.js";` + "\n" + `export { d } from "./d.js";`),
	"sub/d.js": []byte(`export const d = 1;`),
	"side.js":  []byte("globalThis.x = 1;"),
}

func TestClosure(t *testing.T) {
	got, err := closure(modules, "app.js")
	want := []string{"app.js", "a.js", "sub/b.js", "side.js", "sub/d.js"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestPreload(t *testing.T) {
	page, err := preload([]byte(`<head><script type="module" src="a.js"></script></head>`), modules)
	want := `<head><link rel="modulepreload" href="sub/b.js">
<link rel="modulepreload" href="sub/d.js">
<script type="module" src="a.js"></script></head>`
	if err != nil || string(page) != want {
		t.Errorf("%s, %v", page, err)
	}
}

func TestCheckImports(t *testing.T) {
	err := checkImports(map[string][]byte{"app.js": []byte(`import "./gone.js";`)})
	if err == nil || !strings.Contains(err.Error(), `app.js imports "gone.js"`) {
		t.Errorf("error %v", err)
	}
}
