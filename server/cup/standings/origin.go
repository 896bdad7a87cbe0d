package standings

// Origin says where a table comes from, so that others can make it again. It decides no result.
type Origin struct {
	Version string `json:"version"` // of the program that began the cup; empty: it is not known
	Commit  string `json:"commit"`  // from which that program was built; empty: it is not known
	Plan    string `json:"plan"`    // the digest of the plan
	Command string `json:"command"` // plays the cup again; empty: it is not known
}

// OriginHeader are the names of the last columns of each CSV.
var OriginHeader = []string{"version", "commit", "plan", "command"}

// Fields returns the fields of those columns.
func (o *Origin) Fields() []string { return []string{o.Version, o.Commit, o.Plan, o.Command} }
