package report

// What the tests look at more closely than a page lets them.
var (
	Forced    = forced
	Draw      = draw
	NewScale  = newScale
	TextWidth = textWidth

	PercentilesOf = percentilesOf
	Linear        = linear
	Logarithmic   = logarithmic
	Counts        = counts
	Plain         = plain
)

// Edge, Drawing and Scale are what those return.
type (
	Edge    = edge
	Drawing = drawing
	Scale   = scale
	Axis    = axis
)

// Text returns what the point says.
func (p point) Text() string { return p.text }

// Place returns the percentile of a point of a curve, and the latency.
func (p point) Place() (x, y float64) { return p.x, p.y }

// NewSpan returns the span of some numbers.
func NewSpan(numbers ...float64) (s span) {
	s.add(numbers...)
	return s
}

// Add adds numbers to a span.
func (s *span) Add(numbers ...float64) { s.add(numbers...) }

// Put says where the axis begins and ends, and where its texts may end.
func (a *axis) Put(from, to, right float64) {
	a.put(px(from), px(to))
	a.placeTexts(px(right))
}

// At returns where a number is.
func (a *axis) At(number float64) float64 { return float64(a.at(number)) }

// Ends returns the places between which the edge is.
func (e Edge) Ends() (from, to int) { return e.from, e.to }

// Places returns where the stamps of a scale are, and which stretches are drawn too short.
func (s Scale) Places() ([]int, []bool) { return s.x, s.long }

// Call returns the place of the bar's call among those of the story.
func (b *bar) Call() int { return b.call }
