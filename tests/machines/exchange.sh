# shellcheck shell=bash disable=SC2154 # read by run.sh, which has the variables
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What one machine writes, another one reads: recordings, and reports of regions; but not the tables of running programs.
# Here: this machine; there: the one that run.sh looks at.
data=$folder/exchange
rm -rf "$data" && mkdir -p "$data"

# here PROGRAM ARGUMENT..., there PROGRAM ARGUMENT...: run a program of the build.
here() {
	LC_ALL=C TZ=UTC "$builddir/$1" "${@:2}"
}
there() {
	# shellcheck disable=SC2086 # no word, or one
	LC_ALL=C TZ=UTC ${emulator#-} "$folder/build/$1" "${@:2}"
}

# same NAME ARGUMENT...: a test that tiptop prints the same here and there. Machines round the last digit of a quotient in
# different ways: twelve digits are compared.
same() {
	here tiptop "${@:2}" >"$data/out.here" 2>&1 && there tiptop "${@:2}" >"$data/out.there" 2>&1 &&
		[ -s "$data/out.here" ] && diff <(rounded <"$data/out.here") <(rounded <"$data/out.there") | sed 's/^/# /'
	[[ ${PIPESTATUS[*]} = "0 0" ]]
	ok "$1" $?
}

rounded() {
	sed -E 's/[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/\n&\n/g' |
		awk '/^[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?$/ && /[.e]/ { printf "%.12g\n", $0; next } { print }'
}

# Recordings of made-up tasks, which are the same each time: processes with counts, and threads of a small scene.
for place in here there; do
	$place bench/recording "$data/counts.$place" 40 10 30 1000 >"$data/out" &&
		$place tests/tasks/scene "$data/scene.$place" && $place tests/tasks/scene "$data/threads.$place" threads
	ok "recordings are written $place" $?
done
for name in counts scene threads; do
	cmp <(sqlite3 "$data/$name.here" .dump) <(sqlite3 "$data/$name.there" .dump)
	ok "$name: the same is in both recordings" $?
	same "$name: a recording of there is replayed" -b --replay "$data/$name.there" --format json
	same "$name: one of here, too" -b --replay "$data/$name.here" --format csv
	same "$name: it is told what happened" what "$data/$name.there"
	same "$name: compare finds the same" compare --format json "$data/$name.here,to=+8" "$data/$name.there,from=+8"
done
there tiptop -b -n 3 -d 0.2 -S software --record "$data/own.there" >"$data/out" 2>&1
ok "it records itself" $?
same "that is replayed here" -b --replay "$data/own.there" --format json

# Programs with regions write reports themselves. Their options stand in the Makefile.
variable() {
	sed -n "s/^$1 = //p" "$folder/build/Makefile"
}

# measured PLACE BUILD COMMAND...: builds a program with the compiler.
measured() {
	"${@:3}" -O2 -I "$srcdir/include" "$srcdir/tests/packages/measured.c" -o "$data/measured.$1" \
		"$2/libtiptop.so.0" -Wl,-rpath,"$2" -pthread
}

# report PLACE [EMULATOR]...
report() {
	TIPTOP_REGIONS=task-clock TIPTOP_REPORT=$data/regions.$1 TIPTOP_FORMAT=json "${@:2}" "$data/measured.$1" >"$data/out"
}

# shellcheck disable=SC2046 # words
measured here "$builddir" gcc && measured there "$folder/build" $(variable CC) $(variable LDFLAGS)
ok "programs with regions are built" $?
# shellcheck disable=SC2086 # no word, or one
report here && report there ${emulator#-} && [ "$(cut -d, -f9,10 "$data/regions.here")" = "$(cut -d, -f9,10 "$data/regions.there")" ]
ok "both report as many calls of their region" $?
same "compare reads both reports" compare --format json "$data/regions.here" "$data/regions.there"
