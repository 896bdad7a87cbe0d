package netorcai

// DoInit asks a game logic for the initial state.
type DoInit struct {
	NbPlayers        int // ordinary players
	NbSpecialPlayers int
	NbTurnsMax       int

	Match int    // the number of the match in its series, from 1; 0: not sent
	Seed  uint64 // at most MaxSeed, for the random numbers of the game; sent with Match
}

// AppendDoInit appends a DO_INIT.
func AppendDoInit(dst []byte, m DoInit) []byte {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"DO_INIT","nb_players":`...)
	dst = appendInt(dst, m.NbPlayers)
	dst = append(dst, `,"nb_special_players":`...)
	dst = appendInt(dst, m.NbSpecialPlayers)
	dst = append(dst, `,"nb_turns_max":`...)
	dst = appendInt(dst, m.NbTurnsMax)
	dst = appendSeed(dst, m.Match, m.Seed)
	return endSmall(append(dst, '}'), start)
}

var doInitFields = []string{
	"message_type", "nb_players", "nb_special_players", "nb_turns_max", "match", "seed",
}

// ParseDoInit parses a DO_INIT.
func ParseDoInit(content []byte) (DoInit, error) {
	f := readFields(content, doInitFields)
	f.messageType(typeDoInit)
	m := DoInit{
		NbPlayers: f.count(), NbSpecialPlayers: f.count(), NbTurnsMax: f.count(),
		Match: int(f.optionalNumber()), Seed: f.optionalNumber(),
	}
	return m, f.err
}
