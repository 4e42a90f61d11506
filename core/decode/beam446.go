package decode

import (
	"fmt"
	"slices"
)

// settle446 follows transformers 4.46, for one group of beams of the given
// size with the finished texts done. It returns the new live and finished
// texts and, in words, why the group is over. memo is for the live ones.
func (b beam) settle446(env *Env, next *Frontier, done []*Hypothesis, size int, cands []candidate, memo any) ([]*Hypothesis, []*Hypothesis, string) {
	done = slices.Clone(done)
	var live []*Hypothesis
	for place, c := range cands {
		note := c.note(place + 1)
		child := c.child(env)
		child.Memo = memo
		stop := env.stop(child)
		ends := stop.Reason == StopEOS || stop.Reason == StopString
		switch {
		case len(live) == size:
			note.prune("place %d, beyond num_beams %d", place+1, size)
		case ends && place >= size:
			note.prune("it ends at place %d, beyond num_beams %d: thrown away", place+1, size)
		case ends:
			c.record(child)
			if stop.Reason == StopEOS {
				child.IDs = []int{env.set.EOS[0]} // 4.46 writes the first EOS id, whichever was taken
			}
			note.finish(child, b.final(child.Score, child.length-env.promptLen), stop)
			next.Candidates = append(next.Candidates, note)
			done = next.offer(done, child, size)
			continue
		default:
			c.record(child)
			note.Child, note.State = child, Live
			live = append(live, child)
		}
		next.Candidates = append(next.Candidates, note)
	}
	over := ""
	if len(cands) > 0 && len(done) >= size {
		if b.early == earlyTrue {
			over = fmt.Sprintf("early_stopping is true and %d texts are finished", size)
		} else {
			length := cands[0].h.length + 1 - env.promptLen
			over = b.beaten(env, cands[0].score, length, done[len(done)-1].Final)
		}
	}
	return live, done, over
}

// end446 turns the running texts into finished ones at the length limit,
// whatever their place, unless the group is over for another reason.
func (b beam) end446(env *Env, next *Frontier, live, done []*Hypothesis, size int, over string) ([]*Hypothesis, []*Hypothesis) {
	if over != "" || len(live) == 0 {
		return live, done
	}
	stop := env.full(live[0].length)
	if stop.Reason == "" {
		return live, done
	}
	for _, h := range live {
		for i := range next.Candidates {
			if c := &next.Candidates[i]; c.Child == h {
				c.finish(h, b.final(h.Score, h.length-env.promptLen), stop)
			}
		}
		done = next.offer(done, h, size)
	}
	return nil, done
}

// offer adds a finished text to a list of at most size, best first. A full list
// takes only one that is strictly better than its worst. Of equal texts the
// newer one comes first.
func (f *Frontier) offer(done []*Hypothesis, h *Hypothesis, size int) []*Hypothesis {
	if len(done) >= size && h.Final <= done[len(done)-1].Final {
		f.pruneChild(h, "%d better texts are finished", size)
		return done
	}
	at := 0
	for at < len(done) && done[at].Final > h.Final {
		at++
	}
	done = slices.Insert(done, at, h)
	if len(done) > size {
		f.pruneChild(done[size], "pushed out by a better finished text")
		done = done[:size]
	}
	return done
}

// drop takes finished text i off the list.
func (f *Frontier) drop(i int) {
	f.pruneChild(f.Done[i], "%d better texts are finished", i)
	f.Done = slices.Delete(f.Done, i, i+1)
}

func (f *Frontier) pruneChild(h *Hypothesis, format string, args ...any) {
	for i := range f.Candidates {
		if f.Candidates[i].Child == h {
			f.Candidates[i].prune(format, args...)
		}
	}
}
