package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var (
	clients = flag.Int("clients", 200, "clients of TestMany")
	modelMB = flag.Int("model", 8, "MB of the model that each of them fetches, a multiple of 8")
)

// serveEnv names the folder that the test binary serves in place of testing.
const serveEnv = "PLAYGROUND_TEST_SERVE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(serveEnv); dir != "" {
		os.Args = []string{"playground", "-addr", "127.0.0.1:0", "-dir", dir}
		main()
		return
	}
	os.Exit(m.Run())
}

// A part is larger than what a connection holds under way.
const partSize = 8 << 20

// TestMany has a class fetch a model at once: half of it reads on, a quarter
// stops reading for a while, a quarter hangs up in the middle and comes again.
// All get the right bytes, the server holds next to nothing for each of them,
// and it stops when it is told to though some still hang.
func TestMany(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of another process is read from /proc")
	}
	dir := siteDir(t)
	sums := make([][sha256.Size]byte, max(1, *modelMB<<20/partSize))
	for i := range sums {
		var key [32]byte
		key[0] = byte(i)
		data := make([]byte, partSize)
		_, _ = rand.NewChaCha8(key).Read(data)
		sums[i] = sha256.Sum256(data)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%03d.bin", i)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := startServer(t, dir)
	c := crowd{url: s.url, sums: sums, release: make(chan struct{})}
	c.fetch(t, 0) // every part once: the server knows their tags now
	before := s.memory(t)

	began := time.Now()
	var met, done sync.WaitGroup
	for i := range *clients {
		met.Add(1)
		done.Go(func() {
			meet := sync.OnceFunc(met.Done)
			defer meet()
			switch i % 4 {
			case 0:
				c.stall(t, i, meet)
			case 1:
				c.hangUp(t, i)
			}
			meet()
			c.fetch(t, i)
		})
	}
	met.Wait()
	crowded := s.memory(t)
	close(c.release)
	done.Wait()
	took := time.Since(began)
	after := s.memory(t)

	stuck := c.stuck(t, 20)
	stopping := time.Now()
	s.stop(t)
	stop := time.Since(stopping)
	for _, r := range stuck {
		_ = r.Body.Close()
	}
	t.Logf("%d clients, %d MB each, in %.1f s (%.0f MB/s)", *clients, *modelMB, took.Seconds(), float64(*clients**modelMB)/took.Seconds())
	t.Logf("memory of the server: %d kB before, %d kB with all there, %d kB after; stopped in %.1f s with 20 that hang", before, crowded, after, stop.Seconds())
	if grown := (max(crowded, after) - before) / *clients; grown > 128 {
		t.Errorf("%d kB for a client, want at most 128", grown)
	}
	if stop > 8*time.Second {
		t.Errorf("stopped after %v", stop)
	}
}

// crowd are the clients; release lets those go on that have stopped reading.
type crowd struct {
	url     string
	sums    [][sha256.Size]byte
	release chan struct{}
}

// get asks on a connection of its own, as each pupil's browser does. It has a
// small buffer: the server is to feel it when a client stops reading.
func (c crowd) get(t *testing.T, part int) *http.Response {
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(16 << 10)
		}
		return conn, err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true, DialContext: dial}}
	r, err := client.Get(fmt.Sprintf("%spart-%03d.bin", c.url, part%len(c.sums)))
	if err != nil {
		t.Error(err)
		return &http.Response{Body: http.NoBody}
	}
	return r
}

// fetch reads all parts, beginning with another one for each client.
func (c crowd) fetch(t *testing.T, first int) {
	for i := range c.sums {
		c.check(t, first+i, c.get(t, first+i).Body, nil)
	}
}

// check reads the rest of a part, after what was read of it.
func (c crowd) check(t *testing.T, part int, body io.ReadCloser, read []byte) {
	defer body.Close()
	h := sha256.New()
	h.Write(read)
	if _, err := io.Copy(h, body); err != nil {
		t.Error(err)
	}
	if part %= len(c.sums); [sha256.Size]byte(h.Sum(nil)) != c.sums[part] {
		t.Errorf("part %d has other bytes", part)
	}
}

func (c crowd) stall(t *testing.T, part int, there func()) {
	body := c.get(t, part).Body
	read := make([]byte, 1000)
	if _, err := io.ReadFull(body, read); err != nil {
		t.Error(err)
	}
	there()
	<-c.release
	c.check(t, part, body, read)
}

func (c crowd) hangUp(t *testing.T, part int) {
	body := c.get(t, part).Body
	defer body.Close()
	if _, err := io.CopyN(io.Discard, body, partSize/3); err != nil {
		t.Error(err)
	}
}

func (c crowd) stuck(t *testing.T, n int) []*http.Response {
	list := make([]*http.Response, n)
	for i := range list {
		list[i] = c.get(t, i)
	}
	return list
}

// process is the server as it runs, apart from its clients.
type process struct {
	cmd *exec.Cmd
	url string
}

func startServer(t *testing.T, dir string) process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, ok := strings.Cut(strings.TrimSpace(line), " at ")
	if !ok {
		t.Fatalf("printed %q", line)
	}
	return process{cmd, url}
}

var resident = regexp.MustCompile(`RssAnon:\s+(\d+) kB`)

// memory is what the server holds of its own, in kB: not its program, nor files.
func (p process) memory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	m := resident.FindSubmatch(text)
	if m == nil {
		t.Fatalf("no RssAnon in %s", text)
	}
	kB, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kB
}

func (p process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}
