#!/bin/sh
# figures compares the built-in bots in cups of two: painter with random on each shipped map, and
# threat with the weak bots of hexagonal tic-tac-toe. It exits with 1 unless the better bot wins
# each cup. The same program prints the same scores on every machine.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
go build -o "$dir/hexarena" ./cmd/hexarena

cups=0 missed=0
cup() {
	cups=$((cups + 1))
	"$dir/hexarena" cup "$@" --seed 1 --out "$dir/$cups" || missed=$((missed + 1))
	echo
}

for map in maps/*.json; do
	cup random painter --maps "$(basename "$map" .json)"
done
for weak in nearest random; do
	cup "$weak" threat --game hextictactoe --count 100
done
echo "the better bot won $((cups - missed)) of $cups cups"
[ "$missed" = 0 ]
