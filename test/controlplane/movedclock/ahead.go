// Package time is what a control plane built by this project has besides Go's own: how far its clock is ahead.
//
// test/endtoend/goclock.ts compiles this file into Go's package time. Preloading libfaketime, as every other program
// of a run under a moved clock does, changes nothing for a static program.
package time

import "syscall"

// secondsAhead is added to every reading of the wall clock.
var secondsAhead = readSecondsAhead()

// readSecondsAhead understands the form of FAKETIME that this project writes: a plus and whole seconds.
func readSecondsAhead() int64 {
	text, _ := syscall.Getenv("FAKETIME")
	if len(text) < 2 || text[0] != '+' {
		return 0
	}
	var seconds int64
	for _, digit := range []byte(text[1:]) {
		if digit < '0' || digit > '9' {
			return 0
		}
		seconds = seconds*10 + int64(digit-'0')
	}
	return seconds
}
