#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/packages/debian.sh [FOLDER] - the Debian packages of debian/: an ordinary user builds them twice in a chroot of
# bookworm, and both builds are the same, byte by byte; lintian finds nothing; in a second chroot they take the place of
# tiptop 2.3.1, the scripts of debian/tests run there, as does the manual, and after purging nothing is left.
# Chroots are kept in FOLDER; without it, they are in $TMPDIR and removed. Prints TAP; TIPTOP is a program, builddir a
# configured build. DEBIAN_JOBS limits how many compilers run at a time.
set -u
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

suite=bookworm
version=$(sed -n 's/^AC_INIT(\[tiptop\], \[\(.*\)\])/\1/p' "$srcdir/configure.ac")
packages='libtiptop-dev libtiptop0 python3-tiptop tiptop'

# --- what stands in two places ---

is "the version of debian/changelog is that of configure.ac" \
	"$(sed -n '1s/^tiptop (\(.*\)-[0-9.a-z~+]*) .*/\1/p' "$srcdir/debian/changelog")" "$version"
is "debian/libtiptop0.symbols has the symbols of the library" \
	"$(sed -n 's/^ \(tt_.*\) .*/\1/p' "$srcdir/debian/libtiptop0.symbols")" "$(cat "$srcdir/src/inject/lib/libtiptop.symbols")"

# --- the chroots ---

unusable=
if [ "$(id -u)" -ne 0 ]; then
	unusable="needs root, for chroots"
elif ! command -v mmdebstrap >/dev/null; then
	unusable="mmdebstrap is not installed"
fi
mirror=$(apt-cache policy 2>/dev/null | awk '/^ +[0-9]+ http/ { uri = $2 } /l=Debian,/ { print uri; exit }')
[ -z "$unusable" ] && [ -z "$mirror" ] && unusable="apt has no source of Debian's packages here"
if [ "$unusable" ]; then
	skip "the packages" "$unusable"
	finish
	exit
fi
keep=${1:-$dir/keep}
mkdir -p "$keep" || exit 1
build=$keep/debian-build used=$keep/debian-used root=$dir/root
needs=$(awk '/^[^ ]/ { on = /^Build-Depends:/ } on && /^ / { sub(/,.*/, "", $1); print $1 }' "$srcdir/debian/control" | paste -sd,)

# make_root FOLDER PACKAGES: a chroot with these packages, unless there is one. A mirror may have an old state of the suite.
make_root() {
	[ "$(cat "$1/.made" 2>/dev/null)" != "$2" ] || return 0
	rm -rf "${1:?}"
	mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' --include="$2" "$suite" "$1" "$mirror" \
		>"$out" 2>&1 && chroot "$1" useradd -m -u 1000 builder && echo "$2" >"$1/.made"
}

# The command, with the root's folder: /proc and a /dev of its own are mounted for as long as it runs.
cat >"$dir/enter" <<-'END'
	#!/bin/sh
	root=$1 && shift
	mount --bind /proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs -o mode=1777 none "$root/tmp" || exit 125
	cd / && exec chroot "$@"
END
chmod 755 "$dir/enter"

# inside ROOT COMMAND, as_user ROOT COMMAND: a command of the shell, as root with the network, or as an ordinary user without.
inside() {
	env -i TERM="${TERM-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		unshare -m "$dir/enter" "$1" "$1" /bin/sh -c "$2"
}

as_user() {
	env -i TERM="${TERM-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/build \
		unshare -m -n "$dir/enter" "$1" --userspec=1000:1000 "$1" /bin/sh -c "$2"
}

# --- the build ---

# unpack FOLDER: the distribution, as the original archive of the source package, and its tree.
unpack() {
	local place=$build/build/$1

	mkdir -p "$place" && cp -a "$dir/tiptop-$version" "$place" && cp "$dir/orig.tar.xz" "$place/tiptop_$version.orig.tar.xz" &&
		chown -R 1000:1000 "$place"
}

# built NAME FOLDER OPTION: a test that the user builds the source and the binary packages; OPTION is of DEB_BUILD_OPTIONS.
built() {
	as_user "$build" "cd /build/$2/tiptop-$version && export DEB_BUILD_OPTIONS='parallel=${DEBIAN_JOBS:-$(nproc)}${3:+ $3}' &&
		dpkg-buildpackage -us -uc" >"$keep/debian-$2.log" 2>&1
	set -- "$1" "$2" $?
	cp "$keep/debian-$2.log" "$out"
	ok "$1" "$3"
}

if ! make_root "$build" "build-essential,lintian,$needs"; then
	skip "the packages" "no chroot of $suite can be made: $(grep -m 1 '^E: ' "$out")"
	finish
	exit
fi
rm -rf "$build/build"
make -s -C "$builddir" distdir distdir="$dir/tiptop-$version" >"$out" 2>&1 &&
	tar -C "$dir" --sort=name --owner=0 --group=0 --numeric-owner -c "tiptop-$version" | xz -1 >"$dir/orig.tar.xz" &&
	unpack first && unpack second
ok "the source is there" $?
built "an ordinary user builds the packages" first ''
debs=$(cd "$build/build/first" 2>/dev/null && echo *.deb)
is "which they are" "$(echo "$debs" | tr ' ' '\n' | grep -v dbgsym | sed 's/_.*//' | paste -sd' ')" "$packages"
grep -q '^# PASS: *[1-9]' "$keep/debian-first.log" && ! grep -Eq '^# (FAIL|ERROR): *[1-9]' "$keep/debian-first.log"
ok "the unit tests have run" $?
built "and builds them again, without tests" second nocheck
! grep -q '^# PASS:' "$keep/debian-second.log"
ok "none has run then" $?
for deb in $debs; do
	cmp "$build/build/first/$deb" "$build/build/second/$deb"
done >"$out" 2>&1
[ ! -s "$out" ] && [ "$debs" ]
ok "both builds are the same, byte by byte" $?
as_user "$build" 'cd /build/first && lintian --fail-on error,warning --tag-display-limit 0 *.changes' >"$out" 2>&1
ok "lintian finds no error and no warning" $?

# --- the use ---

# run NAME COMMAND, run_user NAME COMMAND: the command succeeds in the chroot.
run() {
	inside "$root" "$2" >"$out" 2>"$err" </dev/null
	ok "$1" $?
}

run_user() {
	as_user "$root" "$2" >"$out" 2>"$err" </dev/null
	ok "$1" $?
}

if ! make_root "$used" man-db; then
	skip "the use of the packages" "no chroot of $suite can be made: $(grep -m 1 '^E: ' "$out")"
	finish
	exit
fi
rm -rf "$root" && cp -a "$used" "$root" && mkdir -p "$root/opt/packages" && cp "$build"/build/first/*.deb "$root/opt/packages" &&
	rm -f "$root"/opt/packages/*dbgsym* && cp -r "$srcdir/debian/tests" "$root/opt/tests" && chmod -R a+rX "$root/opt"
install='apt-get -y -q --no-install-recommends install'
inside "$root" "apt-get -q -o Acquire::Check-Valid-Until=false update && $install tiptop=2.3.1-* && dpkg -L tiptop >/opt/old" \
	>"$out" 2>&1 || :
if [ -s "$root/opt/old" ]; then
	run "they replace tiptop 2.3.1" "$install /opt/packages/*.deb"
	run "none of its files is left that is not of the new one" \
		'dpkg -L tiptop >/opt/new; for file in $(grep -vxFf /opt/new /opt/old); do ! [ -e "$file" ] || { echo "$file" && exit 1; }; done'
else
	skip "they replace tiptop 2.3.1" "it cannot be had: $(grep -m 1 '^E: ' "$out")"
	run "they are installed" "$install /opt/packages/*.deb"
fi
run "without what they only recommend" '! dpkg-query -W libdw1 libpfm4 2>/dev/null | grep -q "[0-9]$"'
run_user "the version" "tiptop -v | grep -q '^tiptop $version'"
run_user "batch mode" 'tiptop -b -n 2 -d 0.2 --pid $$ | grep -q COMMAND'
run_user "a vendor's name says what is missing" 'tiptop -b -n 1 -e no-such::NAME 2>&1 | grep -q libpfm4'
run_user "the manual" 'man tiptop-locks | grep -q "^TIPTOP-LOCKS(1)" && man 3 tiptop | grep -q tt_open'
run_user "ptiptop, and its manual" 'ptiptop -v >/dev/null && man ptiptop | grep -q "^TIPTOP(1)"'
run "the services are there, and not enabled" \
	'[ "$(find / -xdev -name "tiptop-*.service" -path "*/systemd/*" | wc -l)" -eq 2 ] && ! find /etc/systemd -name "tiptop*" | grep .'
run "what they recommend can be installed" "$install libpfm4 'libdw1*' build-essential pkgconf"
run_user "libpfm4 is found then" 'tiptop -b -n 1 -e no-such::NAME 2>&1 | grep -q "libpfm4 knows no event"'
for name in $(sed -n 's/^Tests: //p' "$srcdir/debian/tests/control"); do
	run_user "debian/tests/$name" "AUTOPKGTEST_TMP=\$(mktemp -d) && export AUTOPKGTEST_TMP && /opt/tests/$name"
done
run "they are removed" "apt-get -y -q remove $packages"
run "and purged" "dpkg --purge $packages"
find "$root" -xdev \( -name '*tiptop*' -o -name 'tt_*' \) ! -path "$root/opt/*" ! -path "$root/var/cache/apt/*" \
	! -path "$root/var/lib/apt/*" >"$out"
[ ! -s "$out" ]
ok "nothing is left" $?

finish
