# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# apt.sh - sourced by scripts that download packages of Debian and install none. Needs no root.

# apt_private FOLDER ARCHITECTURE [URI SUITE...]: lets all commands of apt that follow keep lists and packages in FOLDER,
# which is made, as on a machine of that architecture where nothing is installed. They use these suites of URI, or, without
# any, the sources of the host.
apt_private() {
	mkdir -p "$1/state/lists/partial" "$1/cache/archives/partial"
	: >"$1/status"
	cat >"$1/conf" <<-END
		Dir::State "$1/state";
		Dir::State::status "$1/status";
		Dir::Cache "$1/cache";
		APT::Architecture "$2";
		APT::Architectures { "$2"; };
		APT::Install-Recommends "false";
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Acquire::http::Timeout "30";
		Acquire::https::Timeout "30";
		Debug::NoLocking "true";
	END
	export APT_CONFIG="$1/conf"
	[ $# -gt 3 ] || return 0
	apt_folder=$1 apt_uri=$3
	shift 3
	for apt_suite; do
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $apt_uri $apt_suite main"
	done >"$apt_folder/sources.list"
	cat >>"$apt_folder/conf" <<-END
		Dir::Etc::SourceList "$apt_folder/sources.list";
		Dir::Etc::SourceParts "/dev/null";
	END
}
