// A first-in first-out queue. A dequeue that answers 0 found it empty.

package main

import (
	"slices"

	"github.com/anishathalye/porcupine"
)

// A fifo is never changed, so that those which were dequeued from share their elements with those they came from.
type fifo struct {
	hash     uint64 // a polynomial of the elements: both ends can change it without reading the others
	elements []int32
}

// base is the base of that polynomial: any odd number with bits all over.
const base uint64 = 0x9e3779b97f4a7c15

var queueModel = porcupine.Model{
	Init: func() interface{} { return &fifo{} },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		queue, o := state.(*fifo), input.(*op)
		if o.kind == enqueue {
			return true, queue.with(o.Value)
		}
		if len(queue.elements) == 0 {
			return o.says(0), state
		}
		if !o.says(answer(queue.elements[0])) {
			return false, nil
		}
		return true, queue.tail()
	},
	Equal: func(a, b interface{}) bool {
		x, y := a.(*fifo), b.(*fifo)
		return x.hash == y.hash && slices.Equal(x.elements, y.elements)
	},
	Hash: func(state interface{}) uint64 { return state.(*fifo).hash },
}

func (q *fifo) with(element int32) *fifo {
	elements := make([]int32, len(q.elements)+1)
	copy(elements, q.elements)
	elements[len(q.elements)] = element
	return &fifo{q.hash*base + mix(uint64(element)), elements}
}

func (q *fifo) tail() *fifo {
	first := mix(uint64(q.elements[0]))
	for range q.elements[1:] {
		first *= base
	}
	return &fifo{q.hash - first, q.elements[1:]}
}
