# shellcheck shell=bash disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by tools/run and tools/check: the packages that they need, and building in a separate folder.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=tools/$(basename "$0")

# One row for each requirement: its user (run: the build; check: the tests; long: those of tools/check --long; real: the
# programs of tests/real in their long form; studies: those of doc/studies; tarball: tools/tarball; packages: other tests of packages; machines: tests/machines; kernels: tests/kernels), how to detect it, and the package that has it on each distribution
# ("-": none).
#   command:NAME  a program      header:NAME  a C header      module:NAME  known to pkg-config
#   option:NAME:OPTION  the compiler NAME links with this option
#   python:NAME   a module of the distribution's Python
#   cross:NAME    the compiler NAME has a C library
package_table='
# for  what                                 debian                  fedora                   arch
run    command:gcc                          gcc                     gcc                      gcc
run    command:make                         make                    make                     make
run    command:autoconf                     autoconf                autoconf                 autoconf
run    command:automake                     automake                automake                 automake
run    command:pkg-config                   pkg-config              pkgconf-pkg-config       pkgconf
run    header:stdio.h                       libc6-dev               glibc-devel              glibc
run    header:perfmon/pfmlib_perf_event.h   libpfm4-dev             libpfm-devel             libpfm
run    module:libxml-2.0                    libxml2-dev             libxml2-devel            libxml2
run    module:json-c                        libjson-c-dev           json-c-devel             json-c
run    module:libpcre2-8                    libpcre2-dev            pcre2-devel              pcre2
run    module:ncursesw                      libncurses-dev          ncurses-devel            ncurses
run    module:sqlite3                       libsqlite3-dev          sqlite-devel             sqlite
run    header:elfutils/libdwfl.h             libdw-dev               elfutils-devel           libelf
check  command:clang                        clang                   clang                    clang
check  option:clang:-fsanitize=address      libclang-rt-dev         compiler-rt              compiler-rt
check  command:clang-format                 clang-format            clang-tools-extra        clang
check  command:shellcheck                   shellcheck              ShellCheck               shellcheck
check  command:mandoc                       mandoc                  mandoc                   mandoc
check  command:tmux                         tmux                    tmux                     tmux
check  command:xz                           xz-utils                xz                       xz
check  command:/usr/bin/tiptop              tiptop                  -                        -
check  command:/usr/sbin/setcap             libcap2-bin             libcap                   libcap
check  command:cpio                         cpio                    cpio                     cpio
check  command:flock                        util-linux              util-linux               util-linux
check  command:qemu-system-aarch64          qemu-system-arm         qemu-system-aarch64-core qemu-system-aarch64
check  command:jq                           jq                      jq                       jq
check  command:sqlite3                      sqlite3                 sqlite                   sqlite
check  command:python3                      python3                 python3                  python
check  command:cwebp                        webp                    libwebp-tools            libwebp-utils
check  command:gnuplot                      gnuplot-nox             gnuplot                  gnuplot
check  command:chromium-headless-shell      chromium-headless-shell -                        -
check  command:aarch64-linux-gnu-gcc        gcc-aarch64-linux-gnu   gcc-aarch64-linux-gnu    aarch64-linux-gnu-gcc
check  command:strace                       strace                  strace                   strace
check  command:git                          git                     git-core                 git
check  command:pigz                         pigz                    pigz                     pigz
check  command:perl                         perl                    perl                     perl
check  option:gcc:-luring                   liburing-dev            liburing-devel           liburing
check  option:gcc:-l:libtcmalloc_minimal.so.4 libtcmalloc-minimal4  gperftools-libs          gperftools
check  option:gcc:-fsanitize=address        gcc                     libasan-static           gcc
tarball command:mmdebstrap                  mmdebstrap              mmdebstrap               -
tarball command:dpkg-source                 dpkg-dev                dpkg-dev                 dpkg
tarball command:objdump                     binutils                binutils                 binutils
packages command:rpmbuild                    rpm                     rpm-build                rpm-tools
packages command:rpmlint                     rpmlint                 rpmlint                  -
packages command:podman                      podman                  podman                   podman
packages command:runc                        runc                    runc                     runc
machines command:i686-linux-gnu-gcc          gcc-i686-linux-gnu      -                        -
machines command:arm-linux-gnueabihf-gcc     gcc-arm-linux-gnueabihf -                        -
kernels command:qemu-system-x86_64           qemu-system-x86         qemu-system-x86-core     qemu-system-x86
kernels command:qemu-system-ppc64            qemu-system-ppc         qemu-system-ppc-core     qemu-system-ppc
kernels command:qemu-system-riscv64          qemu-system-misc        qemu-system-riscv-core   qemu-system-riscv
real   command:perf                         linux-perf              perf                     perf
real   command:zstd                         zstd                    zstd                     zstd
real   command:gdb                          gdb                     gdb                      gdb
real   command:javac                        default-jdk-headless    java-latest-openjdk-devel jdk-openjdk
real   command:/usr/bin/node                nodejs                  nodejs                   nodejs
real   command:go                           golang-go               golang                   go
real   command:/usr/bin/rustc               rustc                   rust                     rust
real   command:swipl                        swi-prolog-nox          pl                       swi-prolog
real   command:g++                          g++                     gcc-c++                  gcc
real   option:g++:-ltbb                     libtbb-dev              tbb-devel                onetbb
real   option:gcc:-l:libjemalloc.so.2       libjemalloc2            jemalloc                 jemalloc
check  command:powerpc64le-linux-gnu-gcc    gcc-powerpc64le-linux-gnu -                        -
check  cross:powerpc64le-linux-gnu-gcc      libc6-dev-ppc64el-cross -                        -
check  command:riscv64-linux-gnu-gcc        gcc-riscv64-linux-gnu   -                        riscv64-linux-gnu-gcc
check  cross:riscv64-linux-gnu-gcc          libc6-dev-riscv64-cross -                        -
check  command:qemu-riscv64                 qemu-user               qemu-user                qemu-user
check  command:s390x-linux-gnu-gcc          gcc-s390x-linux-gnu     -                        -
check  cross:s390x-linux-gnu-gcc            libc6-dev-s390x-cross   -                        -
real   header:lz4.h                         liblz4-dev              lz4-devel                lz4
real   header:leveldb/c.h                   libleveldb-dev          leveldb-devel            leveldb
real   python:flask                         python3-flask           python3-flask            python-flask
real   python:aiohttp                       python3-aiohttp         python3-aiohttp          python-aiohttp
real   command:apache2                      apache2-bin             httpd                    apache
real   command:haproxy                      haproxy                 haproxy                  haproxy
real   command:lighttpd                     lighttpd                lighttpd                 lighttpd
real   command:erlc                         erlang-base             erlang-erts              erlang-nox
real   command:ghc                          ghc                     ghc                      ghc
real   command:ab                           apache2-utils           httpd-tools              apache
real   command:man                          man-db                  man-db                   man-db
real   command:memcached                    memcached               memcached                memcached
real   command:pgbench                      postgresql              postgresql-contrib       postgresql
real   command:mysqlslap                    mariadb-client          mariadb                  mariadb-clients
long   command:prometheus                   prometheus              golang-github-prometheus prometheus
long   command:prometheus-node-exporter     prometheus-node-exporter node-exporter           prometheus-node-exporter
long   command:/usr/sbin/mariadbd           mariadb-server          mariadb-server           mariadb
long   command:redis-server                 redis-server            redis                    redis
long   command:/usr/sbin/nginx              nginx-light             nginx                    nginx
studies command:/usr/sbin/mariadbd          mariadb-server          mariadb-server           mariadb
studies command:mariadb-slap                mariadb-client          mariadb                  mariadb-clients
studies command:/usr/sbin/nginx             nginx-light             nginx                    nginx
studies command:/usr/sbin/apache2           apache2-bin             -                        -
studies command:ab                          apache2-utils           httpd-tools              apache
studies command:jq                          jq                      jq                       jq
studies command:strace                      strace                  strace                   strace
studies command:gnuplot                     gnuplot-nox             gnuplot                  gnuplot
'

say() {
	echo "$tool: $1" >&2
}

# have WHAT: succeeds if the requirement of a row is installed.
have() {
	local name=${1#*:}

	case $1 in
	command:*) command -v "$name" >/dev/null ;;
	header:*) echo "#include <$name>" | gcc -E - ;;
	module:*) pkg-config --exists "$name" ;;
	python:*) /usr/bin/python3 -c "import $name" ;;
	cross:*) echo '#include <stdio.h>' | "$name" -E - ;;
	option:*) echo 'int main(void) { return 0; }' | "${name%%:*}" "${name#*:}" -x c -o /dev/null - ;;
	esac >/dev/null 2>&1
}

# The distribution: debian, fedora, arch or unknown.
case $(. /etc/os-release 2>/dev/null && echo " ${ID-} ${ID_LIKE-} ") in
*" debian "* | *" ubuntu "*) distribution=debian ;;
*" fedora "* | *" rhel "*) distribution=fedora ;;
*" arch "*) distribution=arch ;;
*) distribution=unknown ;;
esac

# missing SCOPE...: prints the missing packages of these scopes, or on an unknown distribution the requirements themselves.
missing() {
	local scope what debian fedora arch unknown

	while read -r scope what debian fedora arch; do
		[[ " $* " = *" $scope "* ]] || continue
		unknown=${what#*:}
		have "$what" || echo "${!distribution}"
	done <<<"$package_table" | grep -vx -e - | sort -u | tr '\n' ' '
}

# as_root COMMAND...: runs a command as root; sudo asks for a password only if standard input is a terminal.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

# apt_install PACKAGE...: installs packages; if that fails, updates the package lists and tries again. RUNLEVEL=1: services
# in the packages, such as Prometheus, are not started.
apt_install() {
	local install=(as_root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends install "$@")

	"${install[@]}" || { as_root apt-get update && "${install[@]}"; }
}

# require SCOPE...: installs the missing packages, or prints the command for that and exits.
require() {
	local packages how log

	packages=$(missing "$@")
	[ -n "$packages" ] || return 0
	case $distribution in
	debian) how="apt-get install --no-install-recommends" ;;
	fedora) how="dnf install" ;;
	arch) how="pacman -S --needed" ;;
	*) say "these are missing, please install them: $packages" && exit 1 ;;
	esac
	if [ $distribution = debian ] && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }; then
		say "installing: $packages"
		log=$(mktemp)
		# shellcheck disable=SC2086 # a list of packages
		apt_install $packages >"$log" 2>&1 || tail -n 5 "$log" >&2
		rm -f "$log"
		packages=$(missing "$@")
	fi
	[ -z "$packages" ] && return
	say "these packages are missing: $packages"
	say "install them with: sudo $how $packages"
	exit 1
}

# quietly COMMAND...: runs a command, and prints its output only if it fails.
quietly() {
	local log status

	log=$(mktemp)
	"$@" >"$log" 2>&1
	status=$?
	[ $status -eq 0 ] || { cat "$log" >&2 && say "failed: $*"; }
	rm -f "$log"
	return $status
}

# bootstrap: generates configure if it does not exist; after later changes make itself regenerates it.
bootstrap() {
	[ -e "$top/configure" ] && [ -e "$top/Makefile.in" ] && return
	(cd "$top" && autoreconf -i)
}

# configured DIR OPTION...: configures a build in $top/DIR, unless it has these options already. Removes what was compiled
# with other options.
configured() {
	local dir=$top/$1 line

	shift
	line="$top/configure $*"
	[ -e "$dir/Makefile" ] && [ "$(cat "$dir/.configured" 2>/dev/null)" = "$line" ] && return
	mkdir -p "$dir" && (cd "$dir" && "$top/configure" "$@" && make -s clean) && echo "$line" >"$dir/.configured"
}
