#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop exits with the status of the command that it ran, even if it could not measure it; if that is 0, a failure to write
# the output gives the status 1.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -c /dev/full ] || skip_all "there is no /dev/full"

# Reports that cannot be written are kept here.
export TMPDIR="$dir"

# ends NAME OPTION...: a command whose report cannot be written.
ends() {
	ends_name=$1
	shift
	for status in 3 0; do
		"$tiptop" "$@" -o /dev/full -- sh -c "exit $status" >"$out" 2>"$err"
		is "$ends_name: of a command that ends with $status" "$? $(grep -c "cannot write '/dev/full'" "$err")" "$((status ? status : 1)) 1"
	done
}
if [ -r "${builddir:?}/tiptop-locks.so" ]; then
	ends locks locks
	ends calls calls
else
	skip "locks and calls" "the objects were not built"
fi
if "$tiptop" follow -c page-faults -- true >"$out" 2>"$err"; then
	# A command is followed to its end, also where its recording cannot grow.
	forks='i=0; while [ $i -lt 300 ]; do (:); i=$((i + 1)); done'
	for status in 3 0; do
		rm -f recording*
		(
			ulimit -f 400
			trap '' XFSZ
			exec "$tiptop" follow -f -T 0 -c page-faults --record recording -- sh -c "$forks; exit $status"
		) >"$out" 2>"$err"
		is "follow --record: of a command that ends with $status" "$? $(grep -c "the recording" "$err")" "$((status ? status : 1)) 1"
	done
else
	skip "follow" "nothing can be followed here"
fi
# The command gets its signals as they were: tiptop itself ignores SIGXFSZ.
for what in locks calls regions follow; do
	"$tiptop" $what -o "$dir/report" -- true >"$out" 2>"$err" || continue
	for ignored in '' 'XFSZ PIPE'; do
		(
			# shellcheck disable=SC2086 # words, or none
			[ ! "$ignored" ] || trap '' $ignored
			"$tiptop" $what -o "$dir/report" -- grep ^SigIgn /proc/self/status >"$out" 2>"$err"
			grep ^SigIgn /proc/self/status >"$dir/want"
		)
		is "$what: ignored signals of the command: ${ignored:-none}" "$(cat "$out")" "$(cat "$dir/want")"
	done
done
finish
