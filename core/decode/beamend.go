package decode

import (
	"cmp"
	"fmt"
)

// beaten says in words that a sum cannot beat the worst finished text, or
// nothing when it may.
func (b beam) beaten(env *Env, sum float64, length int, worst float64) string {
	when := "now"
	if b.early == earlyNever && b.penalty > 0 {
		limit, _ := env.limit()
		length, when = limit-env.promptLen, "at full length"
	}
	if best := b.final(sum, length); best <= worst {
		return fmt.Sprintf("the best running text would score %.4g %s, the worst finished one has %.4g", best, when, worst)
	}
	return ""
}

// final is the length-normalised score. length counts generated tokens.
func (b beam) final(sum float64, length int) float64 {
	return sum / power(length, b.penalty)
}

func byFinal(a, b *Hypothesis) int { return cmp.Compare(b.Final, a.Final) }

// searchStop is why a search is over, given the words of an early end.
func searchStop(env *Env, f Frontier, over string) Stop {
	switch {
	case over != "":
		return Stop{Reason: StopEarly, Doc: over}
	case len(f.Live) > 0:
		return Stop{}
	case len(f.Candidates) == 0:
		return Stop{Reason: StopNothing, Doc: "every token is removed: no text goes on"}
	}
	if stop := env.full(f.Candidates[0].Parent.length + 1); stop.Reason != "" {
		return stop
	}
	return Stop{Reason: StopEarly, Doc: "every text has ended"}
}
