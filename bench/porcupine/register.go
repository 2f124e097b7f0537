// A register, and many of them by key. Initially 0.

package main

import "github.com/anishathalye/porcupine"

var registerModel = porcupine.Model{
	Init: func() interface{} { return int32(0) },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		present, o := state.(int32), input.(*op)
		switch o.kind {
		case read:
			return o.says(answer(present)), state
		case write:
			return true, o.Value
		default:
			if present == o.Old {
				return o.says(1), o.New
			}
			return o.says(0), state
		}
	},
	Equal: func(a, b interface{}) bool { return a.(int32) == b.(int32) },
	Hash:  func(state interface{}) uint64 { return mix(uint64(state.(int32))) },
}

// Registers by key do not see each other.
var registersModel = func() porcupine.Model {
	model := registerModel
	model.Partition = byKey
	return model
}()
