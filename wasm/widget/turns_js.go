package widget

import "syscall/js"

// turn is how long work that is done in turns holds the page, in ms.
const turn = 12

// InTurns runs work that may take long on a goroutine of its own. It calls pause now and
// then, which lets the page go on when it is time.
func InTurns(work func(pause func())) {
	go func() {
		began := Now()
		work(func() {
			if Now()-began > turn {
				breathe()
				began = Now()
			}
		})
	}()
}

// breathe waits until the browser has had its turn. A sleep would not do: with two of them at
// work each wakes while the other one is busy, and the page never has its turn.
func breathe() {
	done := make(chan struct{})
	var f js.Func
	f = js.FuncOf(func(js.Value, []js.Value) any {
		f.Release()
		close(done)
		return nil
	})
	js.Global().Call("setTimeout", f, 0)
	<-done
}
