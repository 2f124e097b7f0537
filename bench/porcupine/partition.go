// Parts of a history that do not see each other.

package main

import "github.com/anishathalye/porcupine"

// byKey divides a history into the calls of each key.
func byKey(history []porcupine.Operation) [][]porcupine.Operation {
	var partitions [][]porcupine.Operation
	of := make(map[int32]int)
	for _, operation := range history {
		key := operation.Input.(*op).Key
		at, ok := of[key]
		if !ok {
			at = len(partitions)
			of[key] = at
			partitions = append(partitions, nil)
		}
		partitions[at] = append(partitions[at], operation)
	}
	return partitions
}
