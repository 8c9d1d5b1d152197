# shellcheck shell=sh disable=SC2034,SC2154 # used by lib.sh, which sets the others
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Captures of a recording's screens, which do not depend on the machine: the recording has its CPU, its names and its times.

# take_captures - takes the captures of the file captures, whose lines have the name, the options, the keys to press one after
# the other, and a text that the screen shows then, separated by bars
take_captures()
{
	[ ! "$update" ] || mkdir -p "$here/golden"
	while IFS='|' read -r name options keys pattern <&4; do
		case $name in '' | '#'*) continue ;; esac
		golden=$here/golden/$name-$window.txt
		fault='' step="capture $name"
		# shellcheck disable=SC2086 # several words
		if play $options; then
			for one in $keys; do
				press "$one"
			done
			await "the screen shows '$pattern'" shows "$pattern"
		fi
		[ "$fault" ] || capture
		result "capture of $name"
		mux kill-server 2>/dev/null
	done 4<"$here/captures"
}
# capture - compares it with $golden, or writes that once it stands still
capture()
{
	if [ "$update" ]; then
		until looks >"$dir/before" && sleep 0.7 && looks >"$golden" && cmp -s "$dir/before" "$golden"; do
			:
		done
		return
	fi
	tries=0
	until looks >"$dir/got" && cmp -s "$dir/got" "$golden"; do
		if [ $((tries += 1)) -gt 50 ]; then
			not_ok "it is not golden/${golden##*/}; 'make captures' writes what it is now"
			diff "$golden" "$dir/got" >"$dir/seen"
			return
		fi
		sleep 0.1
	done
}
