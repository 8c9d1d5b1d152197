#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/packages/container.sh [FOLDER] - the image of packaging/Containerfile, made from a root tree of bookworm and the
# archive of tools/tarball, without the network: an ordinary user counts tasks of others with CAP_PERFMON and without any
# other capability, as the DaemonSet of packaging/kubernetes/ has it.
# The root tree is kept in FOLDER, where tests/packages/tarball.sh has left an archive; else both are made, in $TMPDIR,
# and removed. Prints TAP; TIPTOP is a program, builddir where tests/program/work is.
set -u
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "needs root, for a root tree"
for program in mmdebstrap podman; do
	command -v $program >/dev/null || skip_all "$program is not installed"
done
version=$(sed -n 's/^AC_INIT(\[tiptop\], \[\(.*\)\])/\1/p' "$srcdir/configure.ac")
archive=tiptop-$version-linux-$(uname -m).tar.xz
keep=${1:-$dir/keep} storage=$dir/storage
mkdir -p "$keep" "$storage"
runtime=() alone=()

# container COMMAND...: podman with folders of its own.
container() {
	"${alone[@]}" podman --root "$storage/layers" --runroot "$storage/run" --tmpdir "$storage/tmp" "${runtime[@]}" "$@"
}
# Layers are mounted.
trap 'container rmi --all --force >/dev/null 2>&1; umount "$storage/layers/overlay" 2>/dev/null; cleanup' EXIT

# --- a base, an archive, and a runtime that starts containers ---

mirror=$(apt-cache policy 2>/dev/null | awk '/^ +[0-9]+ http/ { uri = $2 } /l=Debian,/ { print uri; exit }')
if [ ! -e "$keep/container-base/.made" ]; then
	rm -rf "$keep/container-base"
	mmdebstrap --quiet --variant=essential --aptopt='Acquire::Check-Valid-Until "false"' --include=libcap2-bin bookworm \
		"$keep/container-base" "$mirror" >"$out" 2>&1 ||
		skip_all "no root tree of bookworm can be made: $(grep -m 1 '^E: ' "$out")"
	touch "$keep/container-base/.made"
fi
tar -C "$keep/container-base" --exclude='./dev/*' -c . | container import -q - localhost/base:test >"$out" 2>"$err" ||
	skip_all "podman cannot import a root tree: $(tail -n 1 "$err")"
# Limits above those of this session cannot be set everywhere.
limits=(--ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=1000:1000)

# run OPTION... IMAGE ARGUMENT...: in a container without the network.
run() {
	container run --rm --pull never --network none "${limits[@]}" "$@"
}
reason=
for name in '' runc crun; do
	runtime=(${name:+--runtime "$name"})
	run localhost/base:test true >"$out" 2>"$err" && break
	reason=$(tail -n 1 "$err")
	name=none
done
[ "$name" != none ] || skip_all "podman starts no container here: $reason"
if [ ! -e "$keep/$archive" ]; then
	"$srcdir/tools/tarball" --work "$keep/work" "$keep" >"$out" 2>&1 || skip_all "there is no archive: $(tail -n 1 "$out")"
fi

# --- the image ---

mkdir "$dir/context" && cp "$srcdir/packaging/Containerfile" "$keep/$archive" "$dir/context"
# build NAME OPTION...: the image of this name. RUN is in a chroot, which needs no runtime; it has the network of podman: none.
build() {
	local image=$1 alone=(unshare -n)

	shift
	container build -q --pull=never --isolation chroot --build-arg BASE=localhost/base:test "$@" -t "localhost/$image" \
		-f "$dir/context/Containerfile" "$dir/context" >"$out" 2>"$err"
}
build tiptop
status=$?
ok "the image is built, without the network" $status
[ $status -eq 0 ] || finish
is "its user" "$(container inspect -f '{{.Config.User}}' localhost/tiptop)" 65532:65532
is "the program" "$(run localhost/tiptop -v | head -n 1)" "tiptop $version"
is "its capability" "$(run --entrypoint sh localhost/tiptop -c 'getcap "$(readlink -f /opt/tiptop/bin/tiptop)"' | sed 's/.* //')" \
	cap_perfmon=p
build other --build-arg CAPABILITY=
ok "the capability can be left out" $?
is "it is" "$(run --entrypoint sh localhost/other -c 'getcap "$(readlink -f /opt/tiptop/bin/tiptop)"')" ""
cp "$dir/context/$archive" "$dir/context/tiptop-0-linux-other.tar.xz" && mkdir "$dir/tiptop-0-linux-other" &&
	tar -C "$dir" -cJf "$dir/context/tiptop-0-linux-other.tar.xz" tiptop-0-linux-other
build two
is "two archives are refused" "$(($? != 0))" 1

# --- what it may count ---

least=(--pid host --cap-drop all)
run "${least[@]}" localhost/tiptop >"$dir/without" 2>"$err"
ok "without the capability it starts, and tells" $?
is "which tasks of others it cannot count" "$(grep -c 'ok *others' "$dir/without")" 0
least+=(--cap-add PERFMON --read-only)
run "${least[@]}" localhost/tiptop >"$out" 2>"$err"
if grep -q 'seccomp.*forbid\|filter forbids' "$out"; then
	skip "the default profile of seccomp allows counting" "podman's forbids perf_event_open(2) here"
	least+=(--security-opt seccomp=unconfined)
	run "${least[@]}" localhost/tiptop >"$out" 2>"$err"
else
	ok "the default profile of seccomp allows counting" 0
fi
grep -Eq 'ok +others +tasks of other users can be counted' "$out"
ok "with CAP_PERFMON alone it counts tasks of other users" $?
run "${least[@]}" --entrypoint /bin/grep localhost/tiptop -E '^(Uid|CapPrm|CapBnd)' /proc/self/status >"$out" 2>"$err"
is "as an ordinary user" "$(awk '/^Uid/ { print $2, $3 }' "$out")" "65532 65532"
is "whose bounding set has nothing else" "$(awk '/^CapBnd/ { print $2 }' "$out")" "$(printf '%016x' $((1 << 38)))"
run "${least[@]}" --security-opt no-new-privileges localhost/tiptop >"$out" 2>"$err"
echo "# with no-new-privileges: $(sed -n 's/^ *\(ok\|no\|warn\)  *others  */\1 /p' "$out")"

# --- as the DaemonSet runs it ---

mkdir "$dir/metrics"
run --cap-drop all --cap-add CHOWN --read-only --user 0:0 -v "$dir/metrics:/var/lib/tiptop" --entrypoint chown localhost/tiptop \
	65532:65532 /var/lib/tiptop >"$out" 2>"$err"
is "root without any other right gives the folder away" "$(stat -c %u:%g "$dir/metrics")" 65532:65532
work_start name=contained spin=600000
run "${least[@]}" -v "$dir/metrics:/var/lib/tiptop" -v /etc/passwd:/etc/passwd:ro localhost/tiptop -b -o /dev/null -d 0.5 -n 3 \
	--metrics /var/lib/tiptop/tiptop.prom >"$out" 2>"$err"
ok "it writes metrics, and nothing else" $?
is "of tasks of the machine, with names of its users" \
	"$(grep -c "^tiptop_cpu_seconds_total{program=\"contained\",user=\"$(id -un)\"}" "$dir/metrics/tiptop.prom")" 1
kill "$worker"
work_end
finish
