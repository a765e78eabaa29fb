package report

// What the tests look at more closely than a page lets them.
var (
	Forced    = forced
	Draw      = draw
	NewScale  = newScale
	TextWidth = textWidth
)

// Edge, Drawing and Scale are what those return.
type (
	Edge    = edge
	Drawing = drawing
	Scale   = scale
)

// Ends returns the places between which the edge is.
func (e Edge) Ends() (from, to int) { return e.from, e.to }

// Places returns where the stamps of a scale are, and which stretches are drawn too short.
func (s Scale) Places() ([]int, []bool) { return s.x, s.long }

// Call returns the place of the bar's call among those of the story.
func (b *bar) Call() int { return b.call }
