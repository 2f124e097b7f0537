// Histories: what the generator writes, and what Porcupine reads.

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/anishathalye/porcupine"
)

// An op is a call as it was recorded. Models read it as Porcupine's input; an output would only be a second pointer.
type op struct {
	Thread int
	Start  int64
	End    *int64 // nil while the call is open
	Op     string
	Key    int32
	Value  int32
	Text   *string // of a get: nil if it is not known
	Lo, Hi int32
	Old    int32
	New    int32
	Result *answer // nil if it is not known
	Count  *answer
	// The call ended, but whether it took effect is not known.
	Indeterminate bool

	// Op as a number, found once.
	kind kind
	// Result or Count.
	answer answer
	known  bool
}

// An answer is a number or, as 1 and 0, a boolean.
type answer int32

func (a *answer) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "true":
		*a = 1
	case "false":
		*a = 0
	default:
		return json.Unmarshal(text, (*int32)(a))
	}
	return nil
}

func truth(is bool) answer {
	if is {
		return 1
	}
	return 0
}

// says tells whether an answer is the one that was recorded, or may be.
func (o *op) says(a answer) bool {
	return !o.known || o.answer == a
}

type kind uint8

const (
	insert kind = iota
	insertIfAbsent
	erase
	contains
	rangeQuery
	enqueue
	dequeue
	read
	write
	compareAndSet
	get
	put
	appendText
)

// An object is what histories are about.
type object struct {
	model porcupine.Model
	ops   map[string]kind
	// What a call must be like for the model to represent it.
	fits func(*op) bool
}

var objects = map[string]object{
	"set": {setModel, map[string]kind{
		"KVInsert": insert, "KVInsertIfAbsent": insertIfAbsent, "KVErase": erase, "KVContains": contains,
		"KVRangeQuery": rangeQuery,
	}, fitsSet},
	"queue":    {queueModel, map[string]kind{"Enqueue": enqueue, "Dequeue": dequeue}, nil},
	"register": {registerModel, map[string]kind{"Read": read, "Write": write, "CompareAndSet": compareAndSet}, nil},
	"registers": {
		registersModel, map[string]kind{"Get": read, "Put": write, "CompareAndSet": compareAndSet}, nil,
	},
	"kv": {kvModel, map[string]kind{"KVGet": get, "KVPut": put, "KVAppend": appendText}, fitsKv},
}

// prepare makes a history of calls.
func prepare(name string, ops []op) (porcupine.Model, []porcupine.Operation, error) {
	object, ok := objects[name]
	if !ok {
		return porcupine.Model{}, nil, fmt.Errorf("there is no model %q", name)
	}
	model := object.model
	history := make([]porcupine.Operation, 0, len(ops))
	for i := range ops {
		op := &ops[i]
		if op.kind, ok = object.ops[op.Op]; !ok {
			return model, nil, fmt.Errorf("%q is no operation of a %s", op.Op, name)
		}
		if object.fits != nil && !object.fits(op) {
			return model, nil, fmt.Errorf("the model cannot represent %+v", *op)
		}
		for _, given := range []*answer{op.Result, op.Count} {
			if given != nil {
				op.answer, op.known = *given, true
			}
		}
		end := int64(math.MaxInt64)
		if op.End != nil {
			end = *op.End
		}
		if op.Indeterminate {
			model = nondeterministic(object.model)
		}
		history = append(history, porcupine.Operation{ClientId: op.Thread, Input: op, Call: op.Start, Return: end})
	}
	return model, history, nil
}

// nondeterministic is a model in which indeterminate calls may have had no effect. Open calls need no such thing: every
// operation with an unknown answer is possible in every state, and so can be the last of an order.
func nondeterministic(model porcupine.Model) porcupine.Model {
	wider := porcupine.NondeterministicModel{
		Partition: model.Partition,
		Init:      func() []interface{} { return []interface{}{model.Init()} },
		Step: func(state, input, output interface{}) []interface{} {
			var next []interface{}
			if input.(*op).Indeterminate {
				next = append(next, state)
			}
			if ok, changed := model.Step(state, input, output); ok {
				next = append(next, changed)
			}
			return next
		},
		Equal: model.Equal,
		Hash:  model.Hash,
	}
	return wider.ToModel()
}

func readFile(path string) (porcupine.Model, []porcupine.Operation, error) {
	var model porcupine.Model
	file, err := os.Open(path)
	if err != nil {
		return model, nil, err
	}
	defer file.Close()
	decoder := json.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	var header struct {
		Kind string
		Ops  int
	}
	if err := decoder.Decode(&header); err != nil {
		return model, nil, fmt.Errorf("%s: %w", path, err)
	}
	ops := make([]op, 0, header.Ops)
	for decoder.More() {
		var next op
		if err := decoder.Decode(&next); err != nil {
			return model, nil, fmt.Errorf("%s: %w", path, err)
		}
		ops = append(ops, next)
	}
	return prepare(header.Kind, ops)
}
