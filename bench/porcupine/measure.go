// What this process has taken so far, as Linux counts it.

package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// cpuSeconds counts all threads, the garbage collector's too, and the kernel.
func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // It has no way to fail for the process itself.
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

func peakMegabytes() (float64, error) {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			var kilobytes float64
			_, err := fmt.Sscan(value, &kilobytes)
			return kilobytes / 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no VmHWM")
}
