// A dictionary of small integers with range queries. These read all keys, so it cannot be partitioned by key.

package main

import (
	"math/bits"

	"github.com/anishathalye/porcupine"
)

const (
	maxKey   = 31
	maxValue = 255
)

// A dictionary is never changed. Its hash is kept up to date by every change, so that asking for it costs nothing.
type dictionary struct {
	hash    uint64
	present uint32           // bit k: key k has a value
	values  [maxKey + 1]byte // 0: it has none
}

var setModel = porcupine.Model{
	Init: func() interface{} { return &dictionary{} },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		return state.(*dictionary).step(input.(*op), state)
	},
	Equal: func(a, b interface{}) bool { return *a.(*dictionary) == *b.(*dictionary) },
	Hash:  func(state interface{}) uint64 { return state.(*dictionary).hash },
}

func fitsSet(o *op) bool {
	within := func(n, most int32) bool { return 0 <= n && n <= most }
	return within(o.Key, maxKey) && within(o.Value, maxValue) && within(o.Lo, maxKey) && within(o.Hi, maxKey)
}

// step answers with the state as it came, which spares an allocation, where nothing changes.
func (d *dictionary) step(o *op, same interface{}) (bool, interface{}) {
	old := d.values[o.Key&maxKey]
	switch o.kind {
	case insert:
		return d.after(o, same, old, byte(o.Value))
	case insertIfAbsent:
		if old != 0 {
			return o.says(answer(old)), same
		}
		return d.after(o, same, old, byte(o.Value))
	case erase:
		return d.after(o, same, old, 0)
	case contains:
		return o.says(truth(old != 0)), same
	default:
		between := uint64(2)<<uint(o.Hi) - uint64(1)<<uint(o.Lo)
		if o.Lo > o.Hi {
			between = 0
		}
		return o.says(answer(bits.OnesCount32(d.present & uint32(between)))), same
	}
}

// after is the step that puts a value in place of the old one and answers with the old one.
func (d *dictionary) after(o *op, same interface{}, old, value byte) (bool, interface{}) {
	if !o.says(answer(old)) {
		return false, nil
	}
	if value == old {
		return true, same
	}
	next := *d
	next.values[o.Key] = value
	next.hash += entryHash(o.Key, value) - entryHash(o.Key, old)
	next.present &^= 1 << o.Key
	if value != 0 {
		next.present |= 1 << o.Key
	}
	return true, &next
}

// entryHash is what an entry contributes to the hash, which is a sum.
func entryHash(key int32, value byte) uint64 {
	if value == 0 {
		return 0
	}
	return mix(uint64(key)<<8 | uint64(value))
}

// mix spreads an integer over 64 bits (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
