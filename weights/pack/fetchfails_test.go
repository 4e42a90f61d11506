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
	for _, client := range []string{"curl", "wget"} {
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
			output, err := f.run(t, h.URL, "tiny")
			if err == nil || !strings.Contains(output, "no room left on "+f.out) {
				t.Errorf("error %v, output %s", err, output)
			}
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
		if output, err := f.run(t, "http://127.0.0.1:1", "tiny"); err == nil || !strings.Contains(output, want) {
			t.Errorf("%s: error %v, output %s", bad, err, output)
		}
	}
}

func TestFetchNoAnswer(t *testing.T) {
	for _, client := range []string{"curl", "wget"} {
		f := newFetcher(t, client, readDir(t, writeCheckpoint(t)))
		output, err := f.run(t, "http://127.0.0.1:1", "free")
		if err == nil || !strings.Contains(output, "config.json: the host does not answer") {
			t.Errorf("%s: error %v, output %s", client, err, output)
		}
	}
}
