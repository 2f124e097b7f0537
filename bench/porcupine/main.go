// Porcupine, as a peer to be measured beside and as an oracle to be compared with.
//
//	porcupine FILE   checks one history of bench/check/gen_hist.py
//	porcupine        checks many small histories from standard input
//
// The first prints one line: the verdict, the CPU seconds of checking alone, and the peak memory in MB. The second
// answers every line, {"model": "set", "ops": [...]}, by one: ok or illegal.
//
// Intervals are closed for Porcupine too. It knows no lanes, though: calls of one lane that touch (the end of one is
// the start of the next) are concurrent to it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/anishathalye/porcupine"
)

func main() {
	var err error
	if len(os.Args) > 1 {
		err = checkFile(os.Args[1])
	} else {
		err = checkLines()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

func checkFile(path string) error {
	model, history, err := readFile(path)
	if err != nil {
		return err
	}
	before := cpuSeconds()
	verdict := porcupine.CheckOperations(model, history)
	spent := cpuSeconds() - before
	peak, err := peakMegabytes()
	if err != nil {
		return err
	}
	fmt.Printf("%s %.6f %.1f\n", word(verdict), spent, peak)
	return nil
}

func checkLines() error {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for decoder := json.NewDecoder(in); decoder.More(); {
		var line struct {
			Model string
			Ops   []op
		}
		if err := decoder.Decode(&line); err != nil {
			return err
		}
		model, history, err := prepare(line.Model, line.Ops)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, word(porcupine.CheckOperations(model, history)))
		// Whoever asks one by one waits for the answer.
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func word(linearizable bool) string {
	if linearizable {
		return "ok"
	}
	return "illegal"
}
