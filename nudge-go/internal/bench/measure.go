package main

import (
	"fmt"
	"sort"
	"time"
)

// Rounds are many and short, so that whoever else is busy disturbs all ways alike.
const rounds = 75

// way is one way to do a thing; what it runs gives back how many operations it did.
type way struct {
	name string
	run  func() int
}

// race runs all ways in turns and prints a line for each: the median of its
// rounds, and how that compares with the first way. A machine that is busy for
// a while then slows all of them.
func race(title string, ways ...way) {
	times := make([][]float64, len(ways))
	for round := 0; round <= rounds; round++ {
		for i, way := range ways {
			start := time.Now()
			operations := way.run()
			each := float64(time.Since(start)) / float64(operations)
			// The first round warms up.
			if round > 0 {
				times[i] = append(times[i], each)
			}
		}
	}
	fmt.Printf("\n%s\n", title)
	var floor float64
	for i, way := range ways {
		sort.Float64s(times[i])
		median := times[i][len(times[i])/2]
		if i == 0 {
			floor = median
		}
		fmt.Printf("  %-52s %7.0f ns   %7.2f x   %+6.0f ns\n", way.name, median, median/floor, median-floor)
	}
}
