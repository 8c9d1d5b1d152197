#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A program that does everything that daemons do prints the same, byte for byte, whether its regions are measured or not: it
# closes all descriptors, overwrites its arguments and its environment, changes its folder, forks twice, changes its root,
# its limits and its user, with a full /dev/shm and without standard error. DAEMON_RUNS: the number of runs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

runs=${DAEMON_RUNS:-5}
[ "$(id -u)" -eq 0 ] || skip_all "a daemon that changes its root and its user needs root"
unshare --mount mount -t tmpfs -o size=64k tmpfs /mnt 2>"$err" || skip_all "no file system can be mounted: $(cat "$err")"
unset XDG_RUNTIME_DIR

cat >"$dir/daemon.c" <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <tiptop.h>
#include <unistd.h>

#define N_FILES 8
#define SIZE    98304

TT_REGION(work, "work");
static int file[N_FILES], ends[2], sockets[2];

static void leave(const char *step)
{
	printf("%s failed\n", step);
	exit(1);
}

static void call(int n)
{
	char label[32];

	while (n--) {
		TT_BEGIN(work);
		snprintf(label, sizeof label, "label %d", n);
		tt_begin(label);
		tt_work(label, "bytes", 4096);
		tt_end(label);
		TT_END(work);
	}
}

static void *run(void *arg)
{
	call(40);
	return arg;
}

static void call_in_threads(int n)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 1 << 18);
	while (n--) {
		if (pthread_create(&thread, &attributes, run, NULL))
			leave("a thread");
		pthread_join(thread, NULL);
	}
}

/* As setproctitle(3) does: the texts lie behind each other. */
static void write_over(char **argv)
{
	char *end = argv[0];

	for (char **text = argv; *text; text++)
		end = *text + strlen(*text) + 1;
	for (char **text = environ; *text; text++)
		if (*text == end)
			end += strlen(*text) + 1;
	memset(argv[0], 'x', (size_t)(end - argv[0]) - 1);
	*environ = NULL;
}

static void limit(int resource, rlim_t to)
{
	const struct rlimit both = {to, to};

	if (setrlimit(resource, &both))
		leave("a limit");
}

static void begin_daemon(const char *root)
{
	char folder[4096];

	snprintf(folder, sizeof folder, "%s", root);
	for (int i = 0; i < 2; i++) {
		const pid_t pid = fork();

		if (pid < 0)
			leave("fork()");
		if (pid)
			_exit(0);
		setsid();
	}
	umask(027);
	if (chdir("/") || chroot(folder) || chdir("/"))
		leave("chroot()");
	limit(RLIMIT_FSIZE, SIZE);
	limit(RLIMIT_NOFILE, 32);
	limit(RLIMIT_MEMLOCK, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_AS, (rlim_t)4 << 30);
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		leave("setuid()");
}

/* Its files get the numbers that were closed. */
static void open_all(void)
{
	for (int i = 0; i < N_FILES; i++) {
		char name[32];

		snprintf(name, sizeof name, "file.%d", i);
		file[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
		for (int k = 0; k < SIZE; k += 8)
			if (write(file[i], "daemon!\n", 8) != 8)
				leave("write()");
	}
	if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		leave("pipe()");
	for (int k = 0; k < 4096; k++)
		if (write(ends[1], "0123456789" + k % 10, 1) != 1)
			leave("a pipe");
	/* All other numbers are those of a socket that has nothing to read. */
	while (dup(sockets[0]) >= 0)
		;
}

static void check_all(void)
{
	unsigned long sum = 0;
	char text[8];

	close(sockets[1]);
	for (int i = 0; i < N_FILES; i++) {
		lseek(file[i], 0, SEEK_SET);
		for (int k = 0; k < SIZE; k += 8) {
			if (read(file[i], text, 8) != 8)
				leave("read()");
			for (int c = 0; c < 8; c++)
				sum = sum * 31 + (unsigned char)text[c];
		}
		printf("file %d has number %d, sum %lu\n", i, file[i], sum);
	}
	close(ends[1]);
	for (int n = 0; read(ends[0], text, 1) == 1 || (printf("pipe: %d\n", n), 0); n++)
		sum = sum * 31 + (unsigned char)text[0];
	printf("sum %lu, user %d, folder %s\n", sum, (int)getuid(), getcwd(text, sizeof text));
}

/* How often it has called its region, if that is measured; beside what is compared. */
static void write_calls(void)
{
	struct tt_numbers numbers;
	FILE *f;

	close(ends[0]);
	if (tt_get_numbers("work", TT_PROCESS, &numbers))
		return;
	f = fopen("calls", "w");
	if (!f)
		leave("fopen()");
	fprintf(f, "%llu\n", (unsigned long long)numbers.calls);
	fclose(f);
}

int main(int argc, char **argv)
{
	const int early = argc > 2;

	if (early) {
		call(100);
		call_in_threads(4);
	}
	for (int fd = 3; fd < 4096; fd++)
		close(fd);
	begin_daemon(argv[1]);
	write_over(argv);
	open_all();
	call(300);
	call_in_threads(20);
	tt_report();
	check_all();
	fflush(stdout);
	write_calls();
	return 0;
}
EOF
gcc -std=gnu11 -O1 -I "${srcdir:?}/include" "$dir/daemon.c" -o "$dir/static" "${builddir:?}/libtiptop.a" -lm -pthread >"$out" 2>"$err" &&
	gcc -std=gnu11 -O1 -I "$srcdir/include" "$dir/daemon.c" -o "$dir/shared" "$builddir/libtiptop.so.0" -Wl,-rpath,"$builddir" -pthread >>"$out" 2>>"$err"
ok "a daemon is built" $?

# In a mount namespace of its own: daemons.sh PROGRAM WORD, with a full /dev/shm. Each run writes to a folder of its own.
cat >"$dir/daemons.sh" <<'EOF'
mount -t tmpfs -o size=64k tmpfs /dev/shm || exit
cat /dev/zero >/dev/shm/full 2>/dev/null
i=0
while [ $i -lt "$RUNS" ]; do
	rm -rf "$FOLDER/root" && mkdir "$FOLDER/root" && chmod 777 "$FOLDER/root"
	(exec "$@" 2>&-) | cat >"$FOLDER/root/output"
	cp "$FOLDER/root/output" "$FOLDER/last"
	rm -f "$FOLDER/calls"
	[ ! -e "$FOLDER/root/calls" ] || mv "$FOLDER/root/calls" "$FOLDER/calls"
	(cd "$FOLDER/root" && cat -- *) | cksum
	i=$((i + 1))
done
EOF
chmod 711 "$dir"
# daemons RUNS PROGRAM WORD...: the sums of what each has written go to $dir/sums.
daemons() {
	RUNS=$1 FOLDER=$dir
	export RUNS FOLDER
	shift
	unshare --mount sh "$dir/daemons.sh" "$1" "$dir/root" ${2+"$2"} >"$dir/sums" 2>"$err"
}
for program in shared static; do
	for early in '' early; do
		name="$program${early:+, which has measured before}"
		daemons 1 "$dir/$program" ${early:+"$early"}
		cp "$dir/last" "$dir/plain"
		sum=$(cat "$dir/sums")
		is "$name: without measuring it does all of it" "$(grep -c '^file ' "$dir/plain") $(tail -n 1 "$dir/plain" | cut -d, -f 2-)" "8  user 65534, folder /"
		(
			TIPTOP_REGIONS=page-faults,task-clock TIPTOP_REPORT=$dir/report
			export TIPTOP_REGIONS TIPTOP_REPORT
			daemons "$runs" "$dir/$program" ${early:+"$early"}
		)
		is "$name: $runs times with measuring, it writes the same" "$(sort "$dir/sums" | uniq -c | awk '{ print $1, $2, $3 }')" "$runs $sum"
		is "$name: and nothing is said beside it" "$(diff "$dir/plain" "$dir/last")$(cat "$err")" ""
		is "$name: while its last process has measured all of its calls" "$(cat "$dir/calls")" 1100
	done
done
finish
