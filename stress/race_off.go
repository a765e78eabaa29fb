//go:build !race

package stress

// raceDetector says whether this program was built with the race detector.
const raceDetector = false
