#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --tree: a worker below its shell, below this one; ancestors that are shown only for their descendants; the sum of the rows
# that pass a filter.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# depth PID: how far its command stands to the right of where all others begin, in levels.
depth() {
	awk -v pid="$1" '$1 == "PID" { at = index($0, "COMMAND") }
		$1 ~ "^" pid "[+-]?$" { rest = substr($0, at); match(rest, /^ */); depth = RLENGTH / 2 } END { print depth }' "$out"
}
# line_of PID: the number of its last line.
line_of() {
	awk -v pid="$1" '$1 ~ "^" pid "[+-]?$" { n = NR } END { print n + 0 }' "$out"
}
tree() {
	"$tiptop" -b -S software -d 0.1 -n 2 --tree "$@" >"$out" 2>"$err" 3>&-
}

work_start name=tree$$ pool=2 wait
# A shell between this one and another worker.
mkfifo "$dir/input"
sh -c "'$work' name=leaf$$ wait <'$dir/input' >'$dir/leaf' & echo \$! >'$dir/pid'; wait" &
shell=$!
exec 4>"$dir/input"
await grep -q '^# wait' "$dir/leaf"
leaf=$(cat "$dir/pid")

tree -i
is "it says so" "$(grep -c '^as a tree$' "$out")" 1
is "a child is one level below its parent" "$(depth "$worker")" "$(($(depth $$) + 1))"
is "a grandchild two" "$(depth "$leaf")" "$(($(depth $$) + 2))"
[ "$(line_of $$)" -lt "$(line_of "$shell")" ] && [ "$(line_of "$shell")" -lt "$(line_of "$leaf")" ]
ok "a child stands below its parent" $?
is "each task has one line in each refresh" "$(rows "$leaf" | wc -l) $(rows "$shell" | wc -l)" "2 2"
is "no row is there for others only" "$(grep -c ' ABOVE' "$out")" 0
is "the name is the last field" "$(rows "$leaf" | awk '{ print $NF }' | sort -u)" "leaf$$"

tree -i -p "leaf$$"
is "a filter: who is above is there" "$(rows "$shell" | grep -c ' ABOVE$')" "$(rows "$shell" | wc -l)"
is "up to the first" "$(depth "$leaf")" "$(rows $$ | tail -n 1 | awk -v d="$(depth $$)" '{ print d + 2 }')"
is "and no others" "$(rows "$worker" | wc -l)" 0
is "what is not known of them is no 0" "$(rows "$shell" | tail -n 1 | awk -v waits="$(column VCSW/s)" '{ print $2, $waits }')" "? ?"
tree -i -p "leaf$$" --safe-names
is "--safe-names: the mark stands before the name" "$(rows "$shell" | awk '{ print $(NF - 1) }' | sort -u)" ABOVE

tree -i -H -p "$worker"
is "a thread is below its process" \
	"$(for tid in $(cd "/proc/$worker/task" && echo *); do depth "$tid"; done | awk 'NR == 1 { d = $1 } { printf "%d ", $1 - d }')" "0 1 1 "
tree -i --group user
is "groups are not a tree" "$(grep -c '^as a tree$' "$out")" 0

exec 4>&-
wait "$shell" 2>/dev/null
work_end
finish
