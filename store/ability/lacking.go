package ability

import "memrace/store"

// no takes the place of a method: a field hides what an embedded type has by the same name.
type no struct{}

// Go gives a value its methods when it is compiled, so there is a type for each set of methods
// that may be lacking. The number of a type has a bit for each of Names.
type (
	lacks0 struct{ Full }
	lacks1 struct {
		Full
		List no
	}
	lacks2 struct {
		Full
		Clear no
	}
	lacks3 struct {
		Full
		List, Clear no
	}
	lacks4 struct {
		Full
		Append, Items no
	}
	lacks5 struct {
		Full
		List, Append, Items no
	}
	lacks6 struct {
		Full
		Clear, Append, Items no
	}
	lacks7 struct {
		Full
		List, Clear, Append, Items no
	}
	lacks8 struct {
		Full
		Update no
	}
	lacks9 struct {
		Full
		List, Update no
	}
	lacks10 struct {
		Full
		Clear, Update no
	}
	lacks11 struct {
		Full
		List, Clear, Update no
	}
	lacks12 struct {
		Full
		Append, Items, Update no
	}
	lacks13 struct {
		Full
		List, Append, Items, Update no
	}
	lacks14 struct {
		Full
		Clear, Append, Items, Update no
	}
	lacks15 struct {
		Full
		List, Clear, Append, Items, Update no
	}
	lacks16 struct {
		Full
		Take no
	}
	lacks17 struct {
		Full
		List, Take no
	}
	lacks18 struct {
		Full
		Clear, Take no
	}
	lacks19 struct {
		Full
		List, Clear, Take no
	}
	lacks20 struct {
		Full
		Append, Items, Take no
	}
	lacks21 struct {
		Full
		List, Append, Items, Take no
	}
	lacks22 struct {
		Full
		Clear, Append, Items, Take no
	}
	lacks23 struct {
		Full
		List, Clear, Append, Items, Take no
	}
	lacks24 struct {
		Full
		Update, Take no
	}
	lacks25 struct {
		Full
		List, Update, Take no
	}
	lacks26 struct {
		Full
		Clear, Update, Take no
	}
	lacks27 struct {
		Full
		List, Clear, Update, Take no
	}
	lacks28 struct {
		Full
		Append, Items, Update, Take no
	}
	lacks29 struct {
		Full
		List, Append, Items, Update, Take no
	}
	lacks30 struct {
		Full
		Clear, Append, Items, Update, Take no
	}
	lacks31 struct {
		Full
		List, Clear, Append, Items, Update, Take no
	}
	lacks32 struct {
		Full
		Dump no
	}
	lacks33 struct {
		Full
		List, Dump no
	}
	lacks34 struct {
		Full
		Clear, Dump no
	}
	lacks35 struct {
		Full
		List, Clear, Dump no
	}
	lacks36 struct {
		Full
		Append, Items, Dump no
	}
	lacks37 struct {
		Full
		List, Append, Items, Dump no
	}
	lacks38 struct {
		Full
		Clear, Append, Items, Dump no
	}
	lacks39 struct {
		Full
		List, Clear, Append, Items, Dump no
	}
	lacks40 struct {
		Full
		Update, Dump no
	}
	lacks41 struct {
		Full
		List, Update, Dump no
	}
	lacks42 struct {
		Full
		Clear, Update, Dump no
	}
	lacks43 struct {
		Full
		List, Clear, Update, Dump no
	}
	lacks44 struct {
		Full
		Append, Items, Update, Dump no
	}
	lacks45 struct {
		Full
		List, Append, Items, Update, Dump no
	}
	lacks46 struct {
		Full
		Clear, Append, Items, Update, Dump no
	}
	lacks47 struct {
		Full
		List, Clear, Append, Items, Update, Dump no
	}
	lacks48 struct {
		Full
		Take, Dump no
	}
	lacks49 struct {
		Full
		List, Take, Dump no
	}
	lacks50 struct {
		Full
		Clear, Take, Dump no
	}
	lacks51 struct {
		Full
		List, Clear, Take, Dump no
	}
	lacks52 struct {
		Full
		Append, Items, Take, Dump no
	}
	lacks53 struct {
		Full
		List, Append, Items, Take, Dump no
	}
	lacks54 struct {
		Full
		Clear, Append, Items, Take, Dump no
	}
	lacks55 struct {
		Full
		List, Clear, Append, Items, Take, Dump no
	}
	lacks56 struct {
		Full
		Update, Take, Dump no
	}
	lacks57 struct {
		Full
		List, Update, Take, Dump no
	}
	lacks58 struct {
		Full
		Clear, Update, Take, Dump no
	}
	lacks59 struct {
		Full
		List, Clear, Update, Take, Dump no
	}
	lacks60 struct {
		Full
		Append, Items, Update, Take, Dump no
	}
	lacks61 struct {
		Full
		List, Append, Items, Update, Take, Dump no
	}
	lacks62 struct {
		Full
		Clear, Append, Items, Update, Take, Dump no
	}
	lacks63 struct {
		Full
		List, Clear, Append, Items, Update, Take, Dump no
	}
)

var lacking = [...]store.Store{
	lacks0{}, lacks1{}, lacks2{}, lacks3{}, lacks4{}, lacks5{}, lacks6{}, lacks7{},
	lacks8{}, lacks9{}, lacks10{}, lacks11{}, lacks12{}, lacks13{}, lacks14{}, lacks15{},
	lacks16{}, lacks17{}, lacks18{}, lacks19{}, lacks20{}, lacks21{}, lacks22{}, lacks23{},
	lacks24{}, lacks25{}, lacks26{}, lacks27{}, lacks28{}, lacks29{}, lacks30{}, lacks31{},
	lacks32{}, lacks33{}, lacks34{}, lacks35{}, lacks36{}, lacks37{}, lacks38{}, lacks39{},
	lacks40{}, lacks41{}, lacks42{}, lacks43{}, lacks44{}, lacks45{}, lacks46{}, lacks47{},
	lacks48{}, lacks49{}, lacks50{}, lacks51{}, lacks52{}, lacks53{}, lacks54{}, lacks55{},
	lacks56{}, lacks57{}, lacks58{}, lacks59{}, lacks60{}, lacks61{}, lacks62{}, lacks63{},
}
