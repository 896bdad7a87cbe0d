#!/bin/sh
# strength plays the bot threat against the threat of an older commit, with 100 ms and with 1 s a
# move, from a hundred of the openings of cups with both sides, and prints the difference in Elo
# with its interval, and how many moves were too late. Arguments are further flags of hexarena cup,
# such as --count 20, or --elo1 1 to play all matches. It exits with 0 only if the newer one is
# better with both limits.
#
# AGAINST names the other commit: the default is the last one before threat had its solver. BUSY is
# the number of loops that keep processors busy meanwhile.
set -eu
against=${AGAINST:-64acf433}
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
busy=
trap 'kill $busy 2>/dev/null || :; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
go build -o "$dir/today" ./cmd/hexarena
mkdir "$dir/source"
git archive --format=tar -o "$dir/source.tar" "$against" || {
	echo "strength: no commit $against; if the clone is shallow, run git fetch --unshallow" >&2
	exit 1
}
tar -xf "$dir/source.tar" -C "$dir/source"
(cd "$dir/source" && go build -o ../older ./cmd/hexarena)

for _ in $(seq "${BUSY:-0}"); do
	while :; do :; done &
	busy="$busy $!"
done

# one match at a time, as the limits measure what the processor does
missed=0
for limit in 100ms 1s; do
	echo "$limit a move:"
	"$dir/today" cup "$dir/older bot threat --htttx --port {port}" \
		"$dir/today bot threat --htttx --port {port}" --game hextictactoe \
		--turn-timeout "$limit" --count 200 --elo1 100 --jobs 1 --seed 1 --out "$dir/$limit" "$@" || missed=$?
	[ "$missed" != 2 ] || exit 2 # wrong flags
	awk -F, 'NR > 1 { moves[$6] += $7; late[$6] += $8 }
		END { for (bot in moves) print bot ": " moves[bot] " moves, " late[bot] " too late" }' \
		"$dir/$limit/times.csv"
	echo
done
[ "$missed" = 0 ]
