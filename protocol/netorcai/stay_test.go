package netorcai

import (
	"strings"
	"testing"
)

// The extensions of the metaprotocol are left out unless they are wanted, survive a round
// trip, and are ignored where they are something else.
func TestAdditions(t *testing.T) {
	want := Login{
		Nickname: "a", Role: RolePlayer, Version: Version, Stay: true, Code: "sha256:9f", Language: "Go",
		Debugger: true, TurnOver: true,
	}
	frame, err := AppendLogin(nil, want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParseLogin(frame[headerSize:]); err != nil || got != want {
		t.Errorf("LOGIN = %+v, %v, want %+v", got, err, want)
	}
	for _, odd := range []string{
		`"stay":1`, `"stay":"true"`, `"stay":null,"version":{},"language":[],"debugger":"true"`,
		`"debugger":1`,
	} {
		text := `{"message_type":"LOGIN","nickname":"a","role":"player","metaprotocol_version":"2.0.0",` + odd + `}`
		if got, err := ParseLogin([]byte(text)); err != nil || got.Stay || got.Debugger ||
			got.Code != "" || got.Language != "" {
			t.Errorf("LOGIN with %s = %+v, %v, want it without additions", odd, got, err)
		}
	}
	starts := GameStarts{State: []byte("{}"), PlayersInfo: []byte("[]")}
	plain, err := AppendGameStarts(nil, starts)
	if err != nil || strings.Contains(string(plain), "seed") ||
		strings.Contains(string(plain), `"match"`) {
		t.Errorf("GAME_STARTS without additions = %s, %v", plain, err)
	}
	starts.Match, starts.Seed = 7, MaxSeed
	if frame, err = AppendGameStarts(nil, starts); err != nil {
		t.Fatal(err)
	}
	if got, err := ParseGameStarts(frame[headerSize:]); err != nil || got.Match != 7 ||
		got.Seed != MaxSeed {
		t.Errorf("GAME_STARTS = %+v, %v, want match 7 and its seed", got, err)
	}
	if got, err := ParseDoInit(AppendDoInit(nil, DoInit{1, 0, 5, 3, 12})[headerSize:]); err != nil ||
		got.Match != 3 || got.Seed != 12 {
		t.Errorf("DO_INIT = %+v, %v, want match 3 with seed 12", got, err)
	}
	for _, seed := range []string{"-1", "1.5", "1e300", `"7"`} {
		text := `{"message_type":"DO_INIT","nb_players":1,"nb_special_players":0,"nb_turns_max":5,"match":1,"seed":` + seed + `}`
		if got, err := ParseDoInit([]byte(text)); err != nil || got.Seed != 0 {
			t.Errorf("DO_INIT with the seed %s = %+v, %v, want none", seed, got, err)
		}
	}
}
