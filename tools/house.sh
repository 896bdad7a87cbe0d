#!/usr/bin/env bash
# house prints how large the product is: lines, packages, the largest rooms, the types with the most
# methods, the entries of server/, and the words of the documents. Nothing tests these figures.
set -euo pipefail
cd "$(dirname "$0")/.."

sources() { git ls-files '*.go' | grep -v '_test\.go$' | grep -v '^tools/'; }

printf 'lines of Go without tests and tools  %6d\n' "$(sources | xargs cat | wc -l)"
printf 'lines of tests                       %6d\n' "$(git ls-files '*_test.go' | xargs cat | wc -l)"
printf 'lines of Go in tools                 %6d\n' \
	"$(git ls-files 'tools/*.go' | grep -v '_test\.go$' | xargs cat | wc -l)"
printf 'packages without tools               %6d\n' "$(sources | xargs -n1 dirname | sort -u | wc -l)"
printf 'entries of server/                   %6d\n' \
	"$(git ls-files server | cut -d/ -f2 | sort -u | wc -l)"
printf 'words of Markdown                    %6d\n' \
	"$(git ls-files '*.md' | grep -v 'SPEC\.md$' | grep -v '^docs/reference/' | xargs cat | wc -w)"

printf '\nlargest rooms, in lines\n'
sources | xargs wc -l | awk '$2 != "total" { sub(/\/[^\/]*$/, "", $2); lines[$2] += $1 }
	END { for (room in lines) print lines[room], room }' | sort -rn | head -n 12

printf '\ntypes with the most methods\n'
sources | xargs grep -HoE '^func \([a-zA-Z]+ \*?[A-Za-z]+' |
	sed -E 's|/[^/]*\.go:func \([a-zA-Z]+ \*?| |' | sort | uniq -c | sort -rn | head -n 12
