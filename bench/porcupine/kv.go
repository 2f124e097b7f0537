// A store of strings by key, initially empty. Keys do not see each other, so the state is that of one key.

package main

import (
	"hash/maphash"

	"github.com/anishathalye/porcupine"
)

var seed = maphash.MakeSeed()

var kvModel = porcupine.Model{
	Partition: byKey,
	Init:      func() interface{} { return "" },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		text, o := state.(string), input.(*op)
		switch o.kind {
		case get:
			return o.Text == nil || *o.Text == text, state
		case put:
			return true, *o.Text
		default:
			return true, text + *o.Text
		}
	},
	Equal: func(a, b interface{}) bool { return a.(string) == b.(string) },
	Hash:  func(state interface{}) uint64 { return maphash.String(seed, state.(string)) },
}

func fitsKv(o *op) bool {
	return o.kind == get || o.Text != nil
}
