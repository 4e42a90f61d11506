package decode

import (
	"fmt"
	"slices"
)

// settle5 follows transformers 5.x. A candidate that ends counts at a place
// within num_beams only, at the length limit too.
func (b beam) settle5(env *Env, f Frontier, cands []candidate) Frontier {
	next := Frontier{Step: f.Step + 1, Cost: f.Cost, Done: slices.Clone(f.Done)}
	for place, c := range cands {
		note := c.note(place + 1)
		child := c.child(env)
		stop := env.stop(child)
		switch {
		case stop.Reason != "" && place >= b.beams:
			note.prune("it ends at place %d, beyond num_beams %d: thrown away", place+1, b.beams)
		case stop.Reason != "":
			c.record(child)
			note.finish(child, b.final(child.Score, child.length-env.promptLen), stop)
			next.Done = append(next.Done, child)
		case len(next.Live) < b.beams:
			c.record(child)
			note.Child, note.State = child, Live
			next.Live = append(next.Live, child)
		default:
			note.prune("place %d, beyond num_beams %d", place+1, b.beams)
		}
		next.Candidates = append(next.Candidates, note)
	}

	// The sort is stable, so that of equal texts the older one stays.
	slices.SortStableFunc(next.Done, byFinal)
	for len(next.Done) > b.beams {
		next.drop(len(next.Done) - 1)
	}
	next.Stop = searchStop(env, next, b.over5(env, next))
	return next
}

// over5 says in words why the search ends, or nothing.
func (b beam) over5(env *Env, f Frontier) string {
	if len(f.Live) == 0 || len(f.Done) < b.beams {
		return ""
	}
	if b.early == earlyTrue {
		return fmt.Sprintf("early_stopping is true and %d texts are finished", b.beams)
	}
	worst := f.Done[len(f.Done)-1].Final
	return b.beaten(env, f.Live[0].Score, f.Live[0].length-env.promptLen, worst)
}
