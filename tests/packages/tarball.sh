#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/packages/tarball.sh [FOLDER] - what tools/tarball builds, run by an ordinary user in chroots of three Debians that have
# nothing but their essential packages: batch mode, the live screen, recordings, locks, calls, regions, the manual.
# Chroots are kept in FOLDER; without it, they are in $TMPDIR and removed. Prints TAP; TIPTOP is a program, builddir
# where tests/program/work is.
set -u
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

suites=(bullseye bookworm sid)
[ "$(id -u)" -eq 0 ] || skip_all "needs root, for chroots"
case $(uname -m) in
x86_64) : ;;
*) skip_all "the tarball is for x86-64" ;;
esac
for program in mmdebstrap tmux objdump; do
	command -v $program >/dev/null || skip_all "$program is not installed"
done
keep=${1:-$dir/keep}
mkdir -p "$keep" "$dir/root" || exit 1
unset TIPTOP_LIBRARY

# --- the tarball ---

"$srcdir/tools/tarball" --work "$keep/work" "$dir" >"$out" 2>&1
status=$?
[ $status -ne 77 ] || skip_all "$(tail -n 1 "$out")"
ok "the tarball is built" $status
[ $status -eq 0 ] || { finish && exit 1; }
tarball=$(echo "$dir"/tiptop-*.tar.xz)
name=$(basename "$tarball" .tar.xz)
cp "$tarball" "$dir/first"
"$srcdir/tools/tarball" --work "$keep/work" "$dir" >"$out" 2>&1 && cmp "$dir/first" "$tarball" >"$out" 2>&1
ok "and built again it is the same, byte by byte" $?
[ "$(stat -c %s "$tarball")" -le $((8 << 20)) ]
ok "it has 8 MiB at most" $?
cp "$tarball" "$keep" # for tests/packages/container.sh
tar -xJf "$tarball" -C "$dir" && tree=$dir/$name
find "$tree" ! -perm -a=r >"$out"
[ ! -s "$out" ]
ok "everybody can read all of it" $?
is "the units are there" "$(find "$tree" -name 'tiptop-*.service' | wc -l)" 2
objdump -p "$tree/bin/tiptop" | sed -n 's/^ *NEEDED *//p' >"$out"
! grep -Evq '^(libc|libm|libdl|librt|libpthread|ld-linux-x86-64)\.so\.[0-9]$' "$out"
ok "the program needs nothing but the C library" $?
find "$tree" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec objdump -T {} + | grep -E 'GLIBC_2\.(29|[3-9][0-9])' >"$out"
[ ! -s "$out" ]
ok "and none of it above 2.28" $?

# Programs that measure themselves are built where the tarball was: with the least C library.
build=$keep/work/bullseye
rm -rf "$build/measured" && mkdir "$build/measured" && cp -r "$tree" "$srcdir/tests/packages/measured.c" "$build/measured" &&
	chroot "$build" sh -c "cd /measured && PKG_CONFIG_PATH=/measured/$name/lib/pkgconfig &&
		export PKG_CONFIG_PATH && gcc -g -O2 -Wall -Werror -o measured measured.c \$(pkg-config --cflags --libs tiptop) -pthread" \
		>"$out" 2>&1
ok "a program is built with libtiptop by pkg-config" $?

# --- the chroots ---

# make_root SUITE: the essential packages; one has man(1), too. A mirror may have an old state of a suite.
make_root() {
	local options=(--quiet --variant=essential --aptopt='Acquire::Check-Valid-Until "false"')

	[ "$1" != bookworm ] || options+=(--include=man-db)
	[ ! -e "$keep/$1/.made" ] || return 0
	rm -rf "${keep:?}/$1"
	mmdebstrap "${options[@]}" "$1" "$keep/$1" "$mirror" >"$out" 2>&1 && touch "$keep/$1/.made"
}
mirror=$(apt-cache policy 2>/dev/null | awk '/^ +[0-9]+ http/ { uri = $2 } /l=Debian,/ { print uri; exit }')

# The user's command, with the root's folder: /proc and a /dev of its own are mounted for as long as it runs.
cat >"$dir/enter" <<-'END'
	#!/bin/sh
	root=$1 && shift
	mount --bind /proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs -o mode=1777 none "$root/tmp" || exit 125
	cd / && exec chroot --userspec=65534:65534 "$root" "$@"
END
chmod 755 "$dir/enter"

# as_user COMMAND: of the shell, in the folder of the user, who has unpacked the tarball there.
as_user() {
	env -i TERM="${TERM-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C unshare -m "$dir/enter" "$root" /bin/sh -c \
		"cd /opt/user && HOME=/opt/user && export HOME && PATH=/opt/user/$name/bin:\$PATH && $1"
}

put_in_place() {
	rm -rf "$root/opt/user" && mkdir -p "$root/opt/user" && cp "$tarball" "$build/measured/measured" "$root/opt/user" &&
		tar -xJf "$tarball" -C "$root/opt/user" && chown -R 65534:65534 "$root/opt/user"
}

# --- what runs there ---

mux() {
	tmux -L "tarball-$$" -f /dev/null "$@"
}

shows() {
	mux capture-pane -p >"$out" 2>"$err" && grep -Eq "$1" "$out"
}

gone() {
	! mux has-session 2>"$err"
}

# run NAME PATTERN COMMAND: the command succeeds, and a line of what it prints matches.
run() {
	as_user "$3" >"$out" 2>"$err" </dev/null && grep -Eq -- "$2" "$out"
	ok "$suite: $1" $?
}

live() {
	mux new-session -d -x 120 -y 30 "$(printf '%q ' env -i TERM="$1" PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C unshare -m "$dir/enter" "$root" \
		"/opt/user/$name/bin/tiptop" -d 1)" 2>"$err"
	await shows 'PID.*COMMAND'
	ok "$suite: the live screen in a terminal of the type $1" $?
	mux send-keys q
	await gone
	ok "$suite: q ends it" $?
}

test_suite() {
	run "the version" '^tiptop [0-9]' 'tiptop -v'
	run "batch mode" 'COMMAND' 'tiptop -b -n 2 -d 0.2 --pid $$'
	run "a command" ' dd$' 'tiptop -b -d 0.1 -- dd if=/dev/zero of=/dev/null bs=1M count=2000'
	run "libpfm4 is there" "libpfm4 knows no event" 'tiptop -b -n 1 -e no-such::NAME 2>&1 || :'
	run "a recording, and what happened" 'dd' 'tiptop -b -d 0.1 --record run.db -- dd if=/dev/zero of=/dev/null bs=1M count=2000 >/dev/null && tiptop what run.db'
	run "locks, with lines of the source" 'run.*\(measured\.c:[0-9]+\) +4000 ' "LD_LIBRARY_PATH=$name/lib tiptop locks -- ./measured"
	run "calls" '^write +io +2000 ' "LD_LIBRARY_PATH=$name/lib tiptop calls -- ./measured"
	run "regions" '^work +4000 ' "LD_LIBRARY_PATH=$name/lib tiptop regions -- ./measured"
	live xterm-256color
}

for suite in "${suites[@]}"; do
	root=$keep/$suite
	if ! make_root "$suite"; then
		skip "$suite" "no chroot of it can be made: $(grep -m 1 '^E: ' "$out")"
		continue
	fi
	put_in_place && test_suite
	[ "$suite" = bookworm ] || continue
	run "the manual by MANPATH" 'TIPTOP-LOCKS\(1\)' "MANPATH=\$PWD/$name/share/man: man tiptop-locks"
	# Terminals that the distribution does not know.
	for folder in usr/share usr/lib etc; do
		mv "$root/$folder/terminfo" "$root/$folder/terminfo.away"
	done
	live tmux-256color
	for folder in usr/share usr/lib etc; do
		mv "$root/$folder/terminfo.away" "$root/$folder/terminfo"
	done
done

finish
