#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/packages/rpm.sh [FOLDER] - the RPM packages of packaging/tiptop.spec: the spec is parsed and has the version of
# configure.ac, rpmlint finds no error that packaging/rpmlint.toml does not explain, each file of "make install" is in
# exactly one package, the same as Debian's, and rpmbuild builds them here, without the packages of Fedora.
# rpmbuild's folders are kept in FOLDER; without it, they are in $TMPDIR and removed. Prints TAP; TIPTOP is a program,
# builddir a built tree. RPM_JOBS limits how many compilers run at a time.
set -u
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

for program in rpm rpmspec rpmbuild; do
	command -v $program >/dev/null || skip_all "$program is not installed (Debian: rpm)"
done
spec=$srcdir/packaging/tiptop.spec
version=$(sed -n 's/^AC_INIT(\[tiptop\], \[\(.*\)\])/\1/p' "$srcdir/configure.ac")

# --- the spec ---

rpmspec -P "$spec" >"$dir/spec" 2>"$err"
ok "the spec is parsed" $?
[ ! -s "$err" ]
ok "without a warning" $?
# scriptlets FILE: prints the scripts of installing and removing.
scriptlets() {
	sed -n '/^%post$/,/^%files/p' "$1" | grep -v '^%'
}
scriptlets "$dir/spec" >"$dir/scriptlets" && sh -n "$dir/scriptlets" 2>"$err" && [ "$(grep -c systemctl "$dir/scriptlets")" -eq 4 ]
ok "without the macros of systemd, the scriptlets call systemctl" $?
rpmspec -P "$spec" --define 'systemd_post() post %*' --define 'systemd_preun() preun %*' \
	--define 'systemd_postun_with_restart() postun %*' >"$dir/systemd" 2>"$err"
units='tiptop-metrics.service tiptop-tracepoints.service'
is "with them, they are these" "$(scriptlets "$dir/systemd" | grep tiptop-metrics | paste -sd,)" \
	"post $units,preun $units,postun $units"
rpmspec -P "$spec" --without check >"$dir/nocheck" 2>"$err"
is "tests can be left out" "$(sed -n '/^%check/,/^%post/p' "$dir/spec" "$dir/nocheck" | grep -c '^[^ ]*make.* check ')" 1
is "the version is that of configure.ac" "$(rpmspec -q --srpm --qf '%{version}' "$spec")" "$version"
is "and that of the changelog" "$(rpmspec -q --srpm --qf '%{changelogname}' "$spec")" "tiptop developers - $version-1"
rpmspec -q --qf '%{name} %{license}\n' "$spec" 2>/dev/null | sort >"$dir/licences"
is "the packages" "$(cut -d ' ' -f 1 "$dir/licences" | paste -sd' ')" "libtiptop libtiptop-devel python3-tiptop tiptop"
is "licences are SPDX identifiers of the project" \
	"$(cut -d ' ' -f 2- "$dir/licences" | sed 's/ AND /\n/' | sort -u | paste -sd' ')" "GPL-2.0-or-later LGPL-2.1-or-later"

# lint FILE...: rpmlint finds no error that is not explained.
lint() {
	rpmlint -c "$srcdir/packaging/rpmlint.toml" "$@" >"$out" 2>"$err" && ! grep -q ': E: ' "$out"
}
if command -v rpmlint >/dev/null; then
	lint "$spec"
	ok "rpmlint finds no error in the spec" $?
	sed '/^License:/d' "$spec" >"$dir/bad.spec"
	! lint "$dir/bad.spec"
	ok "it finds one in a spec without licences" $?
else
	skip "rpmlint finds no error in the spec" "rpmlint is not installed"
fi

# --- the lists of files ---

# The packages and their patterns: "tiptop /usr/bin/tiptop".
awk '
/^%files/ { package = NF > 1 ? $3 : "tiptop"; on = 1; next }
/^%changelog/ { on = 0 }
on && /^\// { print package, $0 }' "$dir/spec" >"$dir/patterns"
python_folder=$(sed -n 's/.* pythondir=//p' "$dir/spec")
make -s -C "$builddir" install DESTDIR="$dir/tree" prefix=/usr exec_prefix=/usr libdir="$(rpm --eval '%{_libdir}')" \
	mandir="$(rpm --eval '%{_mandir}')" docdir="$(rpm --eval '%{_defaultdocdir}')/tiptop" pythondir="$python_folder" >"$out" 2>"$err"
ok "make install" $?
(cd "$dir/tree" && find . ! -type d | sed 's/^\.//' | LC_ALL=C sort) >"$dir/installed"

# matching FILE PATTERNS: prints the packages that have the file.
matching() {
	local package pattern

	while read -r package pattern; do
		# shellcheck disable=SC2254 # patterns
		case $1 in
		$pattern | $pattern/* | ${pattern%/}/*) echo "$package" ;;
		esac
	done <"$2"
}

while read -r file; do
	echo "$file $(matching "$file" "$dir/patterns" | paste -sd,)"
done <"$dir/installed" >"$dir/owners"
is "files are installed" "$(($(wc -l <"$dir/owners") > 30))" 1
is "each is in one list" "$(awk 'NF != 2 || $2 ~ /,/' "$dir/owners" | paste -sd' ')" ""
while read -r package pattern; do
	# shellcheck disable=SC2086 # a pattern
	[ -n "$(cd "$dir/tree" && ls -d .$pattern 2>/dev/null)" ] || echo "$package $pattern"
done <"$dir/patterns" >"$dir/unused"
folder=$(rpm --eval '%{?_unitdir}%{!?_unitdir:/usr/lib/systemd/system}')
is "each line of the lists has files, but for the units, which the spec installs" \
	"$(paste -sd' ' "$dir/unused")" "tiptop $folder/tiptop-metrics.service tiptop $folder/tiptop-tracepoints.service"

# Debian's names of packages and of folders.
for package in tiptop libtiptop0 libtiptop-dev python3-tiptop; do
	name=$(echo "$package" | sed 's/0$//; s/-dev$/-devel/')
	sed "s|/\*/|/MACHINE/|; s|^|$name /|" "$srcdir/debian/$package.install"
done >"$dir/debian"
while read -r file package; do
	debian=$(echo "$file" | sed "s|^$(rpm --eval '%{_libdir}')/|/usr/lib/MACHINE/|; s|^$python_folder/|/usr/lib/python3/dist-packages/|")
	[ "$(matching "$debian" "$dir/debian")" = "$package" ] || echo "$file"
done <"$dir/owners" >"$dir/elsewhere"
is "Debian's packages have them in the same places" "$(paste -sd' ' "$dir/elsewhere")" ""

# --- the packages ---

keep=${1:-$dir/keep}
top=$keep/rpm
rm -rf "$top" && mkdir -p "$top/SOURCES"
make -s -C "$builddir" distdir distdir="$dir/tiptop-$version" >"$out" 2>&1 &&
	tar -C "$dir" --sort=name --owner=0 --group=0 --numeric-owner -c "tiptop-$version" | xz -0 >"$top/SOURCES/tiptop-$version.tar.xz"
ok "the source is there" $?
rpmbuild -bb --nodeps --define "_topdir $top" --define "_smp_mflags -j${RPM_JOBS:-$(nproc)}" "$spec" >"$keep/rpm.log" 2>&1
status=$?
tail -n 30 "$keep/rpm.log" >"$out"
ok "rpmbuild builds the packages" $status
[ $status -eq 0 ] || finish
grep -q '^# PASS: *[1-9]' "$keep/rpm.log" && ! grep -Eq '^# (FAIL|ERROR): *[1-9]' "$keep/rpm.log"
ok "the unit tests have run" $?
is "which they are" "$(find "$top/RPMS" -name '*.rpm' -printf '%f\n' | sed "s/-$version-.*//" | LC_ALL=C sort | paste -sd' ')" \
	"libtiptop libtiptop-devel python3-tiptop tiptop"
for package in libtiptop libtiptop-devel python3-tiptop tiptop; do
	rpm=$(echo "$top"/RPMS/*/"$package-$version"-*.rpm)
	# Manual pages are compressed.
	rpm -qlp "$rpm" 2>"$err" | sed 's/\(\.[1-8]\)\.gz$/\1/' | LC_ALL=C sort >"$dir/listed"
	is "$package has its files" "$(awk -v package="$package" '$2 == package { print $1 }' "$dir/owners" | LC_ALL=C sort |
		LC_ALL=C comm -23 - "$dir/listed" | paste -sd' ')" ""
	mkdir -p "$dir/root" && rpm2cpio "$rpm" | (cd "$dir/root" && cpio -idm --quiet) 2>"$err"
	ok "$package is unpacked" $?
done
is "the units are there" "$(find "$dir/root" -name 'tiptop-*.service' -path '*/systemd/*' | wc -l)" 2
"$dir/root/usr/bin/tiptop" -b -n 1 -e no-such::NAME >"$out" 2>&1
is "the program runs" "$("$dir/root/usr/bin/tiptop" -v | head -n 1)" "tiptop $version"
if command -v rpmlint >/dev/null; then
	find "$top/RPMS" -name '*.rpm' >"$dir/rpms"
	mapfile -t rpms <"$dir/rpms"
	lint "${rpms[@]}"
	ok "rpmlint finds no error in the packages" $?
fi
finish
