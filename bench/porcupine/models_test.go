package main

import (
	"encoding/json"
	"testing"

	"github.com/anishathalye/porcupine"
)

// Each model: a history that it allows beside one that it does not, as close as possible.
func TestModels(t *testing.T) {
	cases := []struct {
		model, ops string
		ok         bool
	}{
		{"set", `{"start":1,"end":3,"op":"KVInsert","key":2,"value":7,"result":0},
			{"start":3,"end":4,"op":"KVRangeQuery","lo":1,"hi":3,"count":0}`, true},
		{"set", `{"start":1,"end":2,"op":"KVInsert","key":2,"value":7,"result":0},
			{"start":3,"end":4,"op":"KVRangeQuery","lo":1,"hi":3,"count":0}`, false},
		{"set", `{"start":1,"end":2,"op":"KVInsert","key":2,"value":7,"result":0},
			{"start":3,"end":4,"op":"KVInsertIfAbsent","key":2,"value":8,"result":7},
			{"start":5,"end":6,"op":"KVErase","key":2,"result":7},
			{"start":7,"end":8,"op":"KVContains","key":2,"result":false}`, true},
		{"set", `{"start":1,"end":2,"op":"KVInsert","key":2,"value":7,"result":0},
			{"start":3,"end":4,"op":"KVInsertIfAbsent","key":2,"value":8,"result":7},
			{"start":5,"end":6,"op":"KVErase","key":2,"result":8}`, false},
		{"set", `{"start":1,"end":2,"op":"KVInsert","key":2,"value":7,"result":0},
			{"start":3,"end":4,"op":"KVErase","key":2,"result":7},
			{"start":5,"end":6,"op":"KVContains","key":2,"result":true}`, false},
		{"queue", `{"start":1,"end":2,"op":"Enqueue","value":7}, {"start":2,"end":4,"op":"Enqueue","value":8},
			{"start":5,"end":6,"op":"Dequeue","result":8}, {"start":7,"end":8,"op":"Dequeue","result":7},
			{"start":9,"end":9,"op":"Dequeue","result":0}`, true},
		{"queue", `{"start":1,"end":2,"op":"Enqueue","value":7}, {"start":3,"end":4,"op":"Enqueue","value":8},
			{"start":5,"end":6,"op":"Dequeue","result":8}`, false},
		{"queue", `{"start":1,"op":"Enqueue","value":7}, {"start":5,"end":6,"op":"Dequeue","result":7}`, true},
		{"queue", `{"start":1,"op":"Enqueue","value":7}, {"start":5,"end":6,"op":"Dequeue","result":0}`, true},
		{"queue", `{"start":1,"end":2,"op":"Enqueue","value":7}, {"start":5,"end":6,"op":"Dequeue","result":0}`, false},
		{"queue", `{"start":1,"end":2,"op":"Enqueue","value":7,"indeterminate":true},
			{"start":5,"end":6,"op":"Dequeue","result":0}`, true},
		{"queue", `{"start":1,"end":2,"op":"Enqueue","value":7,"indeterminate":true},
			{"start":5,"end":6,"op":"Dequeue","result":0}, {"start":7,"end":8,"op":"Dequeue","result":7}`, false},
		{"register", `{"start":1,"end":2,"op":"CompareAndSet","old":0,"new":3,"result":true},
			{"start":3,"end":4,"op":"Read","result":3}, {"start":5,"end":6,"op":"Write","value":4},
			{"start":7,"end":8,"op":"CompareAndSet","old":3,"new":5,"result":false}`, true},
		{"register", `{"start":1,"end":2,"op":"CompareAndSet","old":0,"new":3,"result":false}`, false},
		{"register", `{"start":1,"end":2,"op":"Write","value":3}, {"start":3,"end":4,"op":"Read","result":0}`, false},
		{"registers", `{"start":1,"end":2,"op":"Put","key":1,"value":3},
			{"start":3,"end":4,"op":"Get","key":2,"result":0}`, true},
		{"registers", `{"start":1,"end":2,"op":"Put","key":1,"value":3},
			{"start":3,"end":4,"op":"Get","key":1,"result":0}`, false},
		{"kv", `{"start":1,"end":2,"op":"KVPut","key":1,"text":"a"}, {"start":1,"end":4,"op":"KVAppend","key":1,"text":"b"},
			{"start":3,"end":6,"op":"KVGet","key":1,"text":"ab"}, {"start":3,"end":4,"op":"KVGet","key":2,"text":""}`, true},
		{"kv", `{"start":1,"end":2,"op":"KVPut","key":1,"text":"a"}, {"start":3,"end":4,"op":"KVAppend","key":1,"text":"b"},
			{"start":5,"end":6,"op":"KVGet","key":1,"text":"b"}`, false},
		{"kv", `{"start":1,"end":2,"op":"KVAppend","key":1,"text":"a"}, {"start":3,"op":"KVPut","key":1,"text":"b"},
			{"start":5,"end":6,"op":"KVGet","key":1,"text":"b"}, {"start":7,"end":8,"op":"KVGet","key":1,"text":"a"}`, false},
	}
	for _, c := range cases {
		var ops []op
		if err := json.Unmarshal([]byte("["+c.ops+"]"), &ops); err != nil {
			t.Fatal(err)
		}
		model, history, err := prepare(c.model, ops)
		if err != nil {
			t.Fatal(err)
		}
		if porcupine.CheckOperations(model, history) != c.ok {
			t.Errorf("%s: %s: should be %s", c.model, c.ops, word(c.ok))
		}
	}
}

// Equal states have equal hashes, however they came about.
func TestHashes(t *testing.T) {
	queue := (&fifo{}).with(1).with(2).with(3)
	if other := (&fifo{}).with(2).with(3); !queueModel.Equal(queue.tail(), other) {
		t.Errorf("%v is not %v", queue.tail(), other)
	}
	set := func(ops ...op) interface{} {
		state := setModel.Init()
		for i := range ops {
			_, state = setModel.Step(state, &ops[i], nil)
		}
		return state
	}
	put := func(key, value int32) op { return op{kind: insert, Key: key, Value: value} }
	if a, b := set(put(1, 5), put(2, 6), put(1, 7)), set(put(1, 7), put(2, 6)); !setModel.Equal(a, b) {
		t.Errorf("%v is not %v", a, b)
	}
}
