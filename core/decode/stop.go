package decode

import (
	"bytes"
	"fmt"
	"slices"
)

// Reason says why a text or a search has ended.
type Reason string

// The reasons to stop. The empty reason means that it goes on.
const (
	StopEOS       Reason = "eos"
	StopNewTokens Reason = "max_new_tokens"
	StopLength    Reason = "max_length"
	StopContext   Reason = "context"
	StopTime      Reason = "max_time"
	StopString    Reason = "stop_string"
	StopEarly     Reason = "early_stopping" // of a beam search
	StopNothing   Reason = "no_candidates"  // of a beam search: every token was removed
)

// Stop is a reason with its story. Of a stop string, Start and End are where
// the match lies in the bytes of the generated text; Start is negative when it
// begins in the prompt. The tokens stay whole, so the text may go on after End.
type Stop struct {
	Reason     Reason
	Doc        string // in words
	Text       string // the stop string
	Start, End int
}

// limit is the greatest length a text may have, prompt included, and the
// reason that goes with it. The last token of a text need not be read, so one
// more than the context fits.
func (e *Env) limit() (int, Reason) {
	n, why := e.set.MaxLength, StopLength
	if e.set.MaxNewTokens > 0 {
		n, why = e.promptLen+e.set.MaxNewTokens, StopNewTokens
	}
	fits := e.model.Info().Context + 1 - e.longer()
	if e.traits.Peeks {
		fits--
	}
	if n > fits {
		return fits, StopContext
	}
	return n, why
}

// stop says whether a text has ended with its newest token. A text without a
// generated token has not.
func (e *Env) stop(h *Hypothesis) Stop {
	generated := h.length - e.promptLen
	if generated <= 0 {
		return e.full(h.length)
	}
	newest := h.IDs[len(h.IDs)-1]
	if slices.Contains(e.set.EOS, newest) {
		return Stop{Reason: StopEOS, Doc: "the end-of-sequence token was taken"}
	}
	if s := e.stopString(h); s.Reason != "" {
		return s
	}
	return e.full(h.length)
}

// full says whether a text of n tokens has reached a limit, or the time is up.
func (e *Env) full(n int) Stop {
	limit, why := e.limit()
	switch {
	case n < limit && e.set.MaxTime > 0 && e.spent > e.set.MaxTime:
		return Stop{Reason: StopTime, Doc: fmt.Sprintf("the steps took %.2f s, and %v s are the limit", e.spent, e.set.MaxTime)}
	case n < limit:
		return Stop{}
	}
	switch why {
	case StopNewTokens:
		return Stop{Reason: why, Doc: fmt.Sprintf("%d new tokens are there, the limit", e.set.MaxNewTokens)}
	case StopLength:
		return Stop{Reason: why, Doc: fmt.Sprintf("the text has %d tokens with its prompt, the limit", e.set.MaxLength)}
	}
	doc := fmt.Sprintf("the text has %d tokens, and the model reads no more than %d", n, e.model.Info().Context)
	if longer := e.longer(); longer > 0 {
		doc += fmt.Sprintf("; after the other prompt it is %d tokens longer", longer)
	}
	return Stop{Reason: why, Doc: doc}
}

// stopString looks for a stop string that ends inside the newest token. It may
// begin in the prompt. The earliest end wins, then the order of the settings.
func (e *Env) stopString(h *Hypothesis) Stop {
	longest := 0
	for _, s := range e.set.Stop {
		longest = max(longest, len(s))
	}
	if longest == 0 {
		return Stop{}
	}
	ids := h.Sequence()
	newest := e.set.Piece(ids[len(ids)-1])
	tail := slices.Clone(newest)
	i := len(ids) - 2
	for ; i >= 0 && len(tail) < longest-1+len(newest); i-- {
		tail = append(slices.Clone(e.set.Piece(ids[i])), tail...)
	}
	old := len(tail) - len(newest) // bytes that were there before

	var found Stop
	for _, s := range e.set.Stop {
		from := max(0, old-len(s)+1)
		at := bytes.Index(tail[from:], []byte(s))
		if at < 0 {
			continue
		}
		start := from + at
		if found.Reason == "" || start+len(s) < found.End {
			found = Stop{Reason: StopString, Text: s, Start: start, End: start + len(s)}
		}
	}
	if found.Reason == "" {
		return found
	}
	// So far the offsets count from the tail; the generated text begins there
	// or before it.
	shift := -old
	for _, id := range ids[e.promptLen : len(ids)-1] {
		shift += len(e.set.Piece(id))
	}
	found.Start += shift
	found.End += shift
	found.Doc = fmt.Sprintf("the text %q has appeared", found.Text)
	return found
}
