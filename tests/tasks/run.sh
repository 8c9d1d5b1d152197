#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh [--update] [TASK]... - does the thirty user tasks of README with the steps of the file steps, and compares captures
# of the screen with golden/, both at 140x45 and at 80x24; see lib.sh. With names, only these tasks, and no captures. With
# --update, writes the captures instead ("make captures"): check the difference before committing it.
here=$(cd "$(dirname "$0")" && pwd)
update=
[ "${1-}" != --update ] || { update=1 && shift; }
if [ "${TASKS_WINDOW-}" ]; then
	# shellcheck source=lib.sh
	. "$here/lib.sh"
	# shellcheck source=capture.sh
	. "$here/capture.sh"
	[ "$update" ] || do_tasks "$@"
	[ $# -gt 0 ] || take_captures
	exit 0
fi

# Both sizes at once: each waits for the program more than it computes.
results=$(mktemp -d) || exit 1
children=
trap 'kill $children 2>/dev/null; rm -rf "$results"' EXIT
trap 'exit 1' HUP INT TERM
for size in 140x45 80x24; do
	TASKS_WINDOW=$size sh "$0" ${update:+--update} "$@" >"$results/$size" &
	children="$children $!"
done
for child in $children; do
	wait "$child" || echo "not ok - a size was not done to its end" >>"$results/140x45"
done
children=
skipped=$(sed -n 's/.*# SKIP //p' "$results/80x24" | head -n 1)
if [ "$skipped" ] && ! grep -q '^not ok' "$results"/*; then
	printf 'ok 1 - thirty tasks # SKIP %s\n1..1\n' "$skipped"
	exit 0
fi
cat "$results"/* | awk '
/^(not )?ok / {
	failed = failed || /^not/
	sub(/ok /, "ok " ++n " ")
}
{ print }
END { print "1.." n; exit failed }'
