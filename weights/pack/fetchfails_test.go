package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A disk that fills meanwhile is no fault of the host, which is not asked again.
func TestFetchDiskFills(t *testing.T) {
	const full = "/dev/full" // takes no byte
	if _, err := os.Stat(full); err != nil {
		t.Skip("no file here that is always full")
	}
	files := readDir(t, writeCheckpoint(t))
	for _, client := range clients {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			f := newFetcher(t, client, files)
			h := newHub(t, files)
			work := filepath.Join(f.out, ".tiny-abc123")
			if err := os.Mkdir(work, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(full, filepath.Join(work, "model.safetensors.part")); err != nil {
				t.Fatal(err)
			}
			output := f.fail(t, "no room left on "+f.out, h.URL, "tiny")
			if n := h.asked["model.safetensors"]; n != 1 {
				t.Errorf("asked %d times, want once: %s", n, output)
			}
		})
	}
}

func TestFetchRefusesTries(t *testing.T) {
	f := newFetcher(t, "curl", readDir(t, writeCheckpoint(t)))
	env := f.env
	for _, bad := range []string{"TRIES=abc", "TRIES=1.5", "TRIES=-1", "TRIES=08", "WAIT=2s"} {
		f.env = append(env, bad)
		want := "fetch.sh: " + strings.Replace(bad, "=", ": ", 1) + ", want a whole number"
		f.fail(t, want, noHost, "tiny")
	}
}

func TestFetchNoAnswer(t *testing.T) {
	for _, client := range clients {
		f := newFetcher(t, client, readDir(t, writeCheckpoint(t)))
		f.fail(t, "config.json: the host does not answer", noHost, "free")
	}
}
