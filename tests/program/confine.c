/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * confine - runs a command without a system call, as a container would: a seccomp filter refuses it
 * with EPERM.
 *
 *   confine [-CALL] command [argument]...
 *
 * CALL is one of the table below.
 *
 * The command has no descriptors but the standard ones. The default call is perf_event_open(2).
 * Exits with 99 if it cannot set the filter or run the command, else like the command.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *option;
	unsigned number, least; /* least: calls whose first argument is less are let through */
} call_table[] = {
	{"-faccessat2", SYS_faccessat2, 0},
	{"-readlinkat", SYS_readlinkat, 0},
	{"-fstatfs", SYS_fstatfs, 0},
	{"-timerfd_settime", SYS_timerfd_settime, 0},
	{"-timerfd_create", SYS_timerfd_create, 0},
	{"-signalfd4", SYS_signalfd4, 0},
	{"-close", SYS_close, 4}, /* the loader needs a descriptor: 3, after the standard ones */
};

int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof code / sizeof *code, code};

	for (size_t i = 0; argc > 2 && i < sizeof call_table / sizeof *call_table; i++)
		if (!strcmp(argv[1], call_table[i].option)) {
			code[1].k = call_table[i].number;
			code[3].k = call_table[i].least;
			argv++, argc--;
			break;
		}
	close_range(3, ~0U, 0);
	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
		fprintf(stderr, "confine: %s\n", argc < 2 ? "no command" : strerror(errno));
		return 99;
	}
	execvp(argv[1], argv + 1);
	fprintf(stderr, "confine: %s: %s\n", argv[1], strerror(errno));
	return 99;
}
