package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"slices"
)

// Picture is a chart that stands alone, as SVG: in light and dark, without a page round it.
type Picture struct {
	// Name is that of its file: throughput.svg.
	Name string
	SVG  []byte
}

// PictureNames are the names of the pictures that Pictures returns, in their order.
func PictureNames() []string { return []string{"throughput.svg", "latency.svg"} }

// alone is what the template sees of a picture: a chart with a margin, and its colours.
type alone struct {
	*chart
	Outer, OuterHeight px
	CSS                template.CSS
}

// Pictures are throughput against clients, and the latency of the most clients, of the first mix
// and the first synchronous of the benchmarks. It is an error if they have none of these.
func (p *Page) Pictures() ([]Picture, error) {
	l := newLineup(&p.benchmarks)
	groups := l.wholes(opsPerSec)
	if len(groups) == 0 {
		return nil, errors.New("draw pictures: nothing is measured in ops/sec")
	}
	row := l.rows(groups[0])[0]
	panels := l.panels(row)
	most := slices.MaxFunc(panels, func(a, b []*measured) int {
		return cmp.Compare(a[0].clients, b[0].clients)
	})
	throughput := l.bars(most, linear("operations a second", highest(most), short))
	if clients := clientsOf(row); len(clients) > 1 {
		throughput = l.against(row, clients, throughputOf(row))
	}
	took := latencies(most)
	if !took.any {
		return nil, fmt.Errorf("draw pictures: there are no latencies of %s", most[0].inFull())
	}
	latency := l.tail(most, most[0].inFull(), nines(most), logarithmic("latency", took, human))
	var pictures []Picture
	for i, c := range []*chart{throughput, latency} {
		svg, err := c.alone()
		if err != nil {
			return nil, fmt.Errorf("draw pictures: %w", err)
		}
		pictures = append(pictures, Picture{PictureNames()[i], svg})
	}
	return pictures, nil
}

func (c *chart) alone() ([]byte, error) {
	const margin = 12
	var b bytes.Buffer
	err := pageTemplate.ExecuteTemplate(&b, "picture", alone{c, c.Width + 2*margin,
		c.Height + 2*margin, template.CSS(colorsCSS + chartCSS)})
	return []byte(visible(b.String())), err
}
