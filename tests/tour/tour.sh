#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tour.sh [FILE] - tasks of users, each done only with keys that the screen itself names; see lib.sh. With a file, writes the
# tour with the screens at the main steps to it: "make tour" writes doc/tour.md. Else compares doc/tour.md with the tour,
# except for the screens, as numbers differ between machines.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../live/lib.sh
. "$here/../live/lib.sh"

for enter in "unshare -p -f --mount-proc" "unshare -r -p -f --mount-proc" ''; do
	# shellcheck disable=SC2086 # several words
	$enter true 2>/dev/null && break
done
[ -n "$enter" ] || skip_all "a pid namespace is not allowed here"
scene=${builddir:?}/tests/tasks/scene
[ -x "$scene" ] || skip_all "tests/tasks/scene is not built, as without SQLite"
"$scene" "$dir/scene.db" || exit 1
# shellcheck source=lib.sh
. "$here/lib.sh"

cat >"$dir/tour" <<'END'
# A tour of tiptop

This tour shows questions that tiptop can answer and other monitors cannot. It uses only keys that the footer, the help (`h`)
and the messages of the screen name. `tests/tour/tour.sh` presses these keys, and has written this page.

The tasks are artificial: `render` computes, three tasks called `queue` wait for their turn on one CPU, `fill` allocates memory
again and again, `cache` holds memory, `db` has threads that wait, `other` belongs to another user, and `shell` has started `edit`
and `build`. The machine had no hardware counters, and other users' programs ran at the same time.

These pictures show the kernel's own counts, with `--heat`, and a tree of tasks.

![the screen software](pictures/software-dark.svg)

![the screen tasks, as a tree](pictures/tree-light.svg)
END
for script in "$here"/tasks/*.sh; do
	# shellcheck disable=SC1090 # the tasks
	. "$script"
done
{
	printf '\n## What can it do that other monitors can do, too?\n\n| key | |\n|---|---|\n'
	for known in F3 F4 u k r a t H i SPACE F c Z U M T; do
		sed -n "s/^  \($known\|$known [^ ]*\|[^ ]* $known\)   *\([^ ;][^;]*\).*/| \`\1\` | \2 |/p" "$dir/help" | head -n 1
	done
	# shellcheck disable=SC2016 # code of Markdown
	printf '\nFor the keys of htop, write `<keys set="htop"/>` in `~/.tiptoprc`.\n'
} >>"$dir/tour"

# shape FILE - all but what the screens show
shape()
{
	awk '/^```$/ { shown = 0 } !shown { print } /^```text$/ { shown = 1 }' "$1"
}
if [ -n "${1-}" ]; then
	cp "$dir/tour" "$1"
else
	shape "$dir/tour" >"$dir/want"
	shape "${srcdir:?}/doc/tour.md" >"$dir/got"
	check "doc/tour.md has these tasks, and as many screens" cmp "$dir/got" "$dir/want"
	diff "$dir/got" "$dir/want" | sed 's/^/# /'
fi
echo "1..$count"
exit $failed
