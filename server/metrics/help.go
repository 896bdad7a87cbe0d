package metrics

import "strings"

// help adds the texts of our metrics to the lines # HELP, which the library leaves without one.
var help = strings.NewReplacer(helpLines(
	"build_info", "Always 1; the label is the version.",
	"goroutines", "Goroutines of the process.",
	"viewers", "Browsers that watch.",

	"matches_total", "Finished matches, by outcome: finished or aborted.",
	"matches_running", "Running matches.",
	"turns_total", "Turns played.",
	"turn_duration_seconds", "Time between turns.",
	"seats", "Seats with a connected client, by role.",
	"player_wait_seconds", "Time from a player's TURN to the answer, by player id.",
	"skipped_turns_total", "Turns that a player skipped, by player id and reason.",
	"connections", "Open connections of the metaprotocol.",
	"connections_refused_total", "Connections that were refused, by reason.",
	"kicks_total", "Clients that were kicked, by kind of reason.",
	"received_bytes_total", "Bytes that clients of the metaprotocol sent.",
	"sent_bytes_total", "Bytes sent to clients of the metaprotocol.",
	"recordings_total", "Recordings, by outcome: complete or failed.",
	"recording_failures_total",
	"Times that a running match could not be recorded, as they happen.",

	"workers", "Workers, by state: alive, silent, left, or refused.",
	"leases", "Leases with matches that have no result yet.",
	"leases_ended_total", "Leases that ended, by reason: done, silent, lost, left, or refused.",
	"cup_matches", "Matches to be played, by state: queued, which no worker has, or leased.",
	"cup_results_total", "Results of workers that counted.",
	"cup_results_verified_total", "Results that counted and whose recordings were verified.",
	"cup_conflicts_total", "Results that differ from the first one of their match.",
	"worker_matches_per_second",
	"Matches per second of the slowest, the median and the fastest worker that is alive.",
	"worker_matches_total", "Matches that this worker has played.",
	"worker_matches_running", "Matches that this worker plays.",
	"worker_results_unsent", "Results of this worker that the queue has not stored.",
	"event_teams", "Teams of an event, by state: plays, ready, absent or rests.",
	"event_rounds_total", "Rounds of an event that have begun.",
	"event_versions_waiting", "Versions that wait for their test match.",
	"event_problems", "What went wrong in the last round, and versions that play no rounds.",
	"event_paused", "1 while rounds pause by the operator, 0 otherwise.",
	"event_failed", "1 while no result can be written, 0 otherwise.",

	"worker_coordinator_up", "1 while the coordinator answers this worker, 0 otherwise.",
)...)

// helpLines returns pairs of lines, without and with text, for names that are followed by texts.
func helpLines(texts ...string) (pairs []string) {
	for i := 0; i < len(texts); i += 2 {
		line := "# HELP " + prefix + texts[i]
		pairs = append(pairs, line+"\n", line+" "+texts[i+1]+"\n")
	}
	return pairs
}
