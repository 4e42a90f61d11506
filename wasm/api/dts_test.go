package api

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write web/api.d.ts anew")

const dtsFile = "../../web/api.d.ts"

// TestDTS fails when the types that the page is checked with are not those of
// the wire structs.
func TestDTS(t *testing.T) {
	want := dts(t)
	if *update {
		if err := os.WriteFile(dtsFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(dtsFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: go test ./wasm/api -run TestDTS -update", dtsFile)
	}
}

// dts writes the wire structs, in the order of their files and with their comments,
// and the method table as TypeScript declarations.
func dts(t *testing.T) []byte {
	types := wireTypes()
	var b bytes.Buffer
	b.WriteString("// Generated from wasm/api/wire*.go: go test ./wasm/api -run TestDTS -update\n")
	for _, spec := range wireSpecs(t) {
		typ, ok := types[spec.Name.Name]
		if !ok {
			t.Errorf("%s: no method takes or answers it", spec.Name.Name)
			continue
		}
		if typ.NumField() == 0 {
			fmt.Fprintf(&b, "\n%sexport type %s = Record<string, never>;\n", comment("", spec.Doc.Text()), typ.Name())
			continue
		}
		fmt.Fprintf(&b, "\n%sexport interface %s {\n", comment("", spec.Doc.Text()), typ.Name())
		docs := fieldDocs(spec)
		for _, f := range reflect.VisibleFields(typ) {
			if f.IsExported() {
				fmt.Fprintf(&b, "%s  %s: %s;\n", comment("  ", docs[f.Name]), f.Tag.Get("json"), tsType(f.Type))
			}
		}
		if c, ok := reflect.Zero(typ).Interface().(Columns); ok {
			writeColumns(&b, c, docs)
		}
		b.WriteString("}\n")
	}
	b.WriteString("\n/** What each method takes and answers. */\nexport interface Methods {\n")
	for _, m := range Methods {
		fmt.Fprintf(&b, "  %s: { params: %s; result: %s };\n", m.Name, m.Params.Name(), m.Result.Name())
	}
	b.WriteString("}\n\nexport type Method = keyof Methods;\n")
	return b.Bytes()
}

func writeColumns(b *bytes.Buffer, c Columns, docs map[string]string) {
	columns := c.Columns()
	names := make([]string, 0, len(columns))
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		typ := map[string]string{"[]float32": "Float32Array", "[]int32": "Int32Array", "[]uint8": "Uint8Array"}[reflect.TypeOf(columns[name]).String()]
		fmt.Fprintf(b, "%s  %s: %s;\n", comment("  ", docs[name]), name, typ)
	}
}

func tsType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Float64:
		return "number"
	case reflect.Slice:
		return tsType(t.Elem()) + "[]"
	case reflect.Map:
		return "Record<string, " + tsType(t.Elem()) + ">"
	}
	return t.Name()
}

func comment(indent, text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	if !strings.Contains(text, "\n") {
		return indent + "/** " + text + " */\n"
	}
	lines := indent + "/**\n"
	for line := range strings.SplitSeq(text, "\n") {
		lines += strings.TrimRight(indent+" * "+line, " ") + "\n"
	}
	return lines + indent + " */\n"
}

// wireTypes are the structs that methods take and answer, by name, with those
// inside them and Error.
func wireTypes() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Slice, reflect.Map:
			walk(t.Elem())
		case reflect.Struct:
			types[t.Name()] = t
			for _, f := range reflect.VisibleFields(t) {
				walk(f.Type)
			}
		}
	}
	for _, m := range Methods {
		walk(m.Params)
		walk(m.Result)
	}
	walk(reflect.TypeFor[Error]())
	return types
}

// wireSpecs are the struct declarations of the wire's files.
func wireSpecs(t *testing.T) []*ast.TypeSpec {
	var specs []*ast.TypeSpec
	for _, name := range []string{"wire.go", "wiremodels.go", "wiresessions.go", "wireviews.go", "wirefigures.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				spec := g.Specs[0].(*ast.TypeSpec)
				if _, ok := spec.Type.(*ast.StructType); ok {
					spec.Doc = g.Doc
					specs = append(specs, spec)
				}
			}
		}
	}
	return specs
}

func fieldDocs(spec *ast.TypeSpec) map[string]string {
	docs := map[string]string{}
	for _, f := range spec.Type.(*ast.StructType).Fields.List {
		for _, name := range f.Names {
			docs[name.Name] = f.Comment.Text()
		}
	}
	return docs
}
