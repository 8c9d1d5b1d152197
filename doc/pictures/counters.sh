#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# counters.sh BED - writes counters-dark.svg and counters-light.svg, by the program itself: a recording of hardware
# counters, made on the emulated machine of tests/vm, whose counters are exact. BED is the folder of tests/vm/run.sh, which
# has to have run.
#
# From the environment: TIPTOP, as for all tests.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tests=$here/../../tests
bed=$(cd "$1" && pwd)
export TZ=UTC LC_ALL=C.UTF-8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME="$folder"
unset NO_COLOR

# shellcheck source=/dev/null
. "$bed/cross.env"
mkdir "$folder/work"
cp "$bed/build/tiptop" "$folder/work"
$CC -D_GNU_SOURCE -O2 -static -o "$folder/work/work" "$tests/program/work.c"
cat >"$folder/work/run" <<'END'
#!/bin/sh
echo 1 >/proc/sys/kernel/perf_event_paranoid
for task in "graph-search duty=40:30000" "render duty=25:30000" "cc1plus duty=12:30000" "postgres duty=4:30000" "sshd duty=1:30000"; do
	./work name=$task &
done
sleep 1
./tiptop -b -d 2 -n 5 --record /recording >/dev/null
echo BEGIN
busybox od -An -v -tx1 /recording
echo END
END
chmod +x "$folder/work/run"
SHIFT=1 "$tests/vm/vmtest.sh" "$bed" "$folder/work" | sed '1,/^BEGIN/d; /^END/,$d' | xxd -r -p >"$folder/recording"
for theme in default light; do
	suffix=dark
	[ $theme = default ] || suffix=light
	"${TIPTOP:?}" --replay "$folder/recording" -n 100000 --size 100x14 --cpu-min 0.1 --theme $theme \
		--screenshot "$here/counters-$suffix.svg" -S default --heat
done
