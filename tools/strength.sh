#!/bin/sh
# strength asks a cup whether the bot threat is better than the threat of an older commit, on a
# clock, from a hundred openings with both sides. Arguments are further flags of hexarena cup,
# such as --count 20. It exits as hexarena cup does: with 0 if it is better.
#
# TC is the clock of each side. AGAINST names the other commit: the default is the last one in which
# threat had a fixed depth
# and used no clock. The difference to it is large, so --elo1 is.
set -eu
against=${AGAINST:-1f22965}
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
go build -o "$dir/today" ./cmd/hexarena
mkdir "$dir/source"
git archive --format=tar -o "$dir/source.tar" "$against" || {
	echo "strength: no commit $against; if the clone is shallow, run git fetch --unshallow" >&2
	exit 1
}
tar -xf "$dir/source.tar" -C "$dir/source"
(cd "$dir/source" && go build -o ../older ./cmd/hexarena)

# one match at a time, as the clocks measure what the processor does
"$dir/today" cup "$dir/older bot threat --htttx --port {port}" threat --game hextictactoe \
	--tc "${TC:-10+0.1}" --openings tools/openings.ndjson --count 200 --elo1 100 --jobs 1 --seed 1 \
	--out "$dir/cup" "$@"
