package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"decodingplayground/core/gpt2"
)

func TestFetchFromFolder(t *testing.T) {
	dir := writeCheckpoint(t)
	files := readDir(t, dir)
	f := newFetcher(t, "curl", files)
	f.succeed(t, noHost, "--from", dir, "tiny")
	f.packed(t)
	write(t, filepath.Join(dir, "config.json"), []byte(files["config.json"]+"\n"))
	f.fail(t, "want "+sha(files["config.json"]), noHost, "--from", dir, "tiny")
}

// Without pinned hashes the script takes the hub's, says so, and fetches that
// very revision.
func TestFetchUnpinned(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	weightMap := `{"weight_map":{"a":"model-1.safetensors","b":"model-2.safetensors"}}`
	sharded := map[string]string{
		"config.json": files["config.json"], "model.safetensors.index.json": weightMap,
		"model-1.safetensors": string(safetensors(t, func(name string) bool { return strings.HasPrefix(name, "h.") })),
		"model-2.safetensors": string(safetensors(t, func(name string) bool { return !strings.HasPrefix(name, "h.") })),
	}
	for _, client := range clients {
		for name, files := range map[string]map[string]string{"whole": files, "sharded": sharded} {
			t.Run(client+"/"+name, func(t *testing.T) {
				f := newFetcher(t, client, files)
				h := newHub(t, files)
				output := f.succeed(t, h.URL, "free")
				if !strings.Contains(output, "revision "+commit+" and these hashes are what the hub says:") {
					t.Errorf("output %s", output)
				}
				m, err := gpt2.ParseManifest([]byte(readDir(t, filepath.Join(f.out, "free"))["manifest.json"]))
				if err != nil || m.Source.Revision != commit {
					t.Errorf("manifest %+v, %v", m, err)
				}
				if left := glob(t, f.out+"/.*"); len(left) != 0 {
					t.Errorf("left behind: %v", left)
				}
			})
		}
		t.Run(client+"/wrong", func(t *testing.T) {
			f := newFetcher(t, client, files)
			h := newHub(t, files)
			h.fault = func(w http.ResponseWriter, _ *http.Request, name string, _ int) bool {
				_, _ = io.WriteString(w, "x"+h.files[name][1:])
				return true
			}
			f.fail(t, "config.json: hash ", h.URL, "free")
		})
	}
}

// What is not pinned has the hub's hashes, wherever its files come from: no
// folder is offered as what it is not.
func TestFetchUnpinnedFrom(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	sharded := map[string]string{
		"config.json":                  files["config.json"],
		"model.safetensors.index.json": `{"weight_map":{"a":"model-1.safetensors"}}`,
		"model-1.safetensors":          files["model.safetensors"],
	}
	other := map[string]string{"config.json": files["config.json"], "model.safetensors": files["model.safetensors"] + "!"}
	tests := []struct {
		name      string
		hub, here map[string]string
		fails     string // what the message has, empty where it goes well
	}{
		{name: "the same", hub: files, here: files},
		{name: "the same shards", hub: sharded, here: sharded},
		{name: "another file", hub: files, here: other, fails: "model.safetensors: hash " + sha(other["model.safetensors"]) + ", want " + sha(files["model.safetensors"])},
		{name: "a file is missing", hub: sharded, here: files, fails: "model.safetensors.index.json: no such file"},
	}
	for _, test := range tests {
		for _, mirrored := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/mirrored %v", test.name, mirrored), func(t *testing.T) {
				f := newFetcher(t, "curl", files)
				from, fails := folderOf(t, test.here), test.fails
				if mirrored {
					from = newHub(t, test.here).URL + "/cdn/"
					if fails != "" {
						fails = "want " // whatever the mirror sends in its place
					}
				}
				hub := newHub(t, test.hub).URL
				if fails != "" {
					f.fail(t, fails, hub, "--from", from, "free")
					f.empty(t, "free")
					return
				}
				f.succeed(t, hub, "--from", from, "free")
				m, err := gpt2.ParseManifest([]byte(readDir(t, filepath.Join(f.out, "free"))["manifest.json"]))
				if err != nil || m.Source.Repo != "someone/tiny" || m.Source.Revision != commit {
					t.Errorf("manifest %+v, %v", m, err)
				}
			})
		}
	}
	t.Run("no hub", func(t *testing.T) {
		f := newFetcher(t, "curl", files)
		output := f.fail(t, "its hashes are not pinned here", noHost, "--from", folderOf(t, files), "free")
		if !strings.Contains(output, "under a name of your own") {
			t.Errorf("no way on: %s", output)
		}
		f.empty(t, "free")
	})
}

// folderOf writes files by name into a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	return dir
}

// Shards beside a pinned model.safetensors are none of it.
func TestFetchLeavesUncheckedShards(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	f := newFetcher(t, "curl", files)
	files["model.safetensors.index.json"] = `{"weight_map":{"a":"other.safetensors"}}`
	files["other.safetensors"] = "not what was asked for"
	f.succeed(t, noHost, "--from", folderOf(t, files), "tiny")
	f.packed(t)
}

func TestFetchFromMirror(t *testing.T) {
	files := readDir(t, writeCheckpoint(t))
	h := newHub(t, files)
	f := newFetcher(t, "curl", files)
	f.env = append(f.env, "HF_TOKEN=secret")
	f.succeed(t, noHost, "--from", h.URL+"/cdn/", "tiny")
	f.packed(t)
	if len(h.tokens) != 0 {
		t.Errorf("the mirror was given a token: %q", h.tokens)
	}
}
