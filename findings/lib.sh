# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the scripts of findings/ share. Each one installs pinned packages of Debian 12 in a temporary folder, shows one
# surprising behaviour of theirs on valid input, and fails if that has changed. They are not part of the tests.
set -u
dir=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$dir"' EXIT

# package NAME VERSION: unpacks exactly this version in $dir/root; nothing is installed on the machine.
package() {
	(cd "$dir" && apt-get -o APT::Sandbox::User=root -qq download "$1=$2") || {
		echo "cannot get the package $1 $2" >&2
		exit 1
	}
	dpkg-deb -x "$dir/$1"_*.deb "$dir/root"
}

# seen WHAT GOT WANTED: fails unless both are the same.
seen() {
	if [ "$2" != "$3" ]; then
		printf 'changed: %s\n  now:    %s\n  before: %s\n' "$1" "$2" "$3"
		exit 1
	fi
	echo "seen: $1"
}
