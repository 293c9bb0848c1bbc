package widget

import "time"

// turn is how long work that is done in turns holds the page, in ms.
const turn = 12

// InTurns runs work that may take long on a goroutine of its own. It calls pause now and
// then, which lets the page go on when it is time.
func InTurns(work func(pause func())) {
	go func() {
		began := Now()
		work(func() {
			if Now()-began > turn {
				time.Sleep(time.Millisecond)
				began = Now()
			}
		})
	}()
}
