package api

import (
	"fmt"

	"decodingplayground/core/decode"
)

// App is the state behind the wire: models that load, models that are ready
// and sessions, each by its handle. One goroutine at a time may use it.
type App struct {
	Clock func() float64 // seconds since any moment, for max_time; nil: there is none

	loading  map[int]*loading
	models   map[int]*model
	sessions map[int]*session
	last     int // handle given out last; none is used twice
	viewer   decode.Viewer
	picture  picture
}

// New is an App without models.
func New() *App {
	return &App{loading: map[int]*loading{}, models: map[int]*model{}, sessions: map[int]*session{}}
}

func (a *App) handle() int {
	a.last++
	return a.last
}

// find returns what has the handle, or an error of code "unknown".
func find[T any](things map[int]*T, what string, handle int) (*T, error) {
	if t, ok := things[handle]; ok {
		return t, nil
	}
	return nil, Error{Code: "unknown", Message: fmt.Sprintf("%s %d: not open", what, handle)}
}
