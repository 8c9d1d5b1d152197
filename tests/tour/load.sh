#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# load.sh COMMAND [ARGUMENT]... - runs the command beside a fixed set of tasks. To be run in its own pid namespace, so that
# there are no other tasks, and they end with the command:
#
#   render       computes all the time
#   queue        three tasks that may run on the first CPU only, with a nice value of 10
#   fill         allocates memory repeatedly
#   cache        holds 32 MB
#   db           has three threads beside its first one
#   other        belongs to another user, if root has started the script; it waits
#   shell        a shell that has started edit and build, which wait
#
# From the environment: TIPTOP and builddir, as for all tests; and folder, for the files of the tasks, in which the command
# runs.
set -u
cd "${folder:?}" || exit
mkdir -p bin
ln -sf "$TIPTOP" bin/tiptop
for name in work confine locker; do
	ln -sf "${builddir:?}/tests/program/$name" "bin/$name"
done
for name in cache shell; do
	[ -e "bin/$name" ] || cp "$(command -v bash)" "bin/$name"
done
PATH=$folder/bin:$PATH
export PATH
unset TIPTOP

# No process ever writes what they wait for.
rm -f never
mkfifo never
exec 3<>never
first_cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
{
	work name=render spin=100000000 <&3 &
	for _ in 1 2 3; do
		nice -n 10 taskset -c "$first_cpu" work name=queue spin=100000000 <&3 &
	done
	# shellcheck disable=SC2046 # several words
	work name=fill $(yes 'touch=3000 duty=0:100' | head -n 3000) wait <&3 &
	cache -c 'printf -v held %32000000s ""; read -r line' <&3 &
	work name=db pool=3 wait <&3 &
	setpriv --reuid 65534 --clear-groups work name=other wait <&3 &
	shell -c 'work name=edit wait <&3 & work name=build wait <&3 & wait' &
} >/dev/null 2>&1
"$@"
