package hexabomb

// Rules and DraftRules are the names and versions of the rules: of those of hexabomb 1.1, and of
// those that it had before its version 1.0.
const (
	Rules      = "hexabomb/1"
	DraftRules = "hexabomb-draft/1"
)

// edition holds everything in which versions of the rules differ.
type edition struct {
	rules    string
	specials int // most special players

	// required lists the fields that each verb needs. An action without a verb can never have
	// them all.
	required [verbs]fields

	revivesAnywhere bool // on the cell that the action names; otherwise where the character died
	countsBombs     bool // a character holds a number of bombs, otherwise any number
	readsBounds     bool // a bomb out of range is dropped when it is read: a later action counts
	showsExplosions bool // in states
	keepsCount      bool // cell_count of a player without cells shows its last count above 0
}

var (
	current = edition{
		rules: Rules, specials: 1,
		required: [verbs]fields{
			noVerb: ^fields(0), move: hasID | hasDir, dropBomb: hasID | hasReach | hasDelay,
			revive: hasID,
		},
		countsBombs: true, showsExplosions: true,
	}
	draft = edition{
		rules: DraftRules,
		required: [verbs]fields{
			noVerb: ^fields(0), move: hasID | hasDir, dropBomb: hasID | hasReach | hasDelay,
			revive: hasID | hasQ | hasR,
		},
		revivesAnywhere: true, readsBounds: true, keepsCount: true,
	}
)

// wellFormed reports whether an action has all fields that its verb needs.
func (e *edition) wellFormed(o *order) bool {
	need := e.required[o.verb]
	return o.has&need == need
}
