/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/seccomp_filter.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "inject/lib/arch.h"
#include "inject/preload/process.h"

/* The most instructions executed over all paths, and the greatest depth of branches that are
 * followed both ways. */
#define STEPS 65536
#define DEPTH 64

/* A number that is known or unknown as a whole. */
struct word {
	uint32_t value;
	bool known;
};

struct run {
	const struct sock_filter *code;
	uint32_t n;
	struct seccomp_data data, known; /* known: 1 for each bit of `data` that is known */
	uint32_t steps;
};

struct registers {
	struct word a, x, memory[BPF_MEMWORDS];
};

/* Loads a word of the data; returns false if the offset is not valid. */
static bool load_data(const struct run *r, uint32_t offset, struct word *to)
{
	uint32_t known;

	if (offset % sizeof known || offset >= sizeof r->data)
		return false;
	memcpy(&to->value, (const char *)&r->data + offset, sizeof to->value);
	memcpy(&known, (const char *)&r->known + offset, sizeof known);
	to->known = known == UINT32_MAX;
	return true;
}

/* Executes a load. Returns false if the instruction is not valid, as the functions below do. */
static bool load(const struct run *r, const struct sock_filter *i, struct registers *at,
		 struct word *to)
{
	switch (BPF_MODE(i->code)) {
	case BPF_IMM:
		*to = (struct word){i->k, true};
		return true;
	case BPF_LEN:
		*to = (struct word){sizeof r->data, true};
		return true;
	case BPF_MEM:
		if (i->k >= BPF_MEMWORDS)
			return false;
		*to = at->memory[i->k];
		return true;
	case BPF_ABS:
		return to == &at->a && load_data(r, i->k, to);
	default:
		return false;
	}
}

static bool store(const struct sock_filter *i, struct registers *at, struct word from)
{
	if (i->k >= BPF_MEMWORDS)
		return false;
	at->memory[i->k] = from;
	return true;
}

static struct word operand(const struct sock_filter *i, const struct registers *at)
{
	return BPF_SRC(i->code) == BPF_X ? at->x : (struct word){i->k, true};
}

static bool compute(uint16_t operation, uint32_t *a, uint32_t b)
{
	switch (operation) {
	case BPF_ADD:
		*a += b;
		return true;
	case BPF_SUB:
		*a -= b;
		return true;
	case BPF_MUL:
		*a *= b;
		return true;
	case BPF_DIV:
		*a = b ? *a / b : 0;
		return b;
	case BPF_AND:
		*a &= b;
		return true;
	case BPF_OR:
		*a |= b;
		return true;
	case BPF_XOR:
		*a ^= b;
		return true;
	case BPF_LSH:
		*a <<= b & 31;
		return b < 32;
	case BPF_RSH:
		*a >>= b & 31;
		return b < 32;
	case BPF_NEG:
		*a = -*a;
		return true;
	default:
		return false;
	}
}

static bool execute(const struct run *r, const struct sock_filter *i, struct registers *at)
{
	const struct word b = operand(i, at);

	switch (BPF_CLASS(i->code)) {
	case BPF_LD:
		return load(r, i, at, &at->a);
	case BPF_LDX:
		return load(r, i, at, &at->x);
	case BPF_ST:
		return store(i, at, at->a);
	case BPF_STX:
		return store(i, at, at->x);
	case BPF_ALU:
		at->a.known &= b.known || BPF_OP(i->code) == BPF_NEG;
		return compute(BPF_OP(i->code), &at->a.value, at->a.known ? b.value : 1);
	case BPF_MISC:
		if (BPF_MISCOP(i->code) == BPF_TAX)
			at->x = at->a;
		else
			at->a = at->x;
		return true;
	default:
		return false;
	}
}

static bool compare(uint16_t operation, uint32_t a, uint32_t b)
{
	switch (operation) {
	case BPF_JEQ:
		return a == b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	default:
		return a & b;
	}
}

/* Which way a jump goes: an unconditional one; a conditional one whose condition is true, false or
 * unknown. WAY_BAD: the jump is not valid. */
enum way { WAY_BAD, WAY_ALWAYS, WAY_TRUE, WAY_FALSE, WAY_UNKNOWN };

static enum way find_way(const struct run *r, const struct sock_filter *i,
			 const struct registers *at)
{
	const struct word b = operand(i, at);

	if (BPF_OP(i->code) == BPF_JA)
		return i->k < r->n ? WAY_ALWAYS : WAY_BAD;
	if (BPF_OP(i->code) > BPF_JSET)
		return WAY_BAD;
	if (!at->a.known || !b.known)
		return WAY_UNKNOWN;
	return compare(BPF_OP(i->code), at->a.value, b.value) ? WAY_TRUE : WAY_FALSE;
}

static bool allows(const struct sock_filter *i, const struct registers *at)
{
	const struct word result = BPF_RVAL(i->code) == BPF_A ? at->a : (struct word){i->k, true};
	const uint32_t action = result.value & SECCOMP_RET_ACTION_FULL;

	return result.known && (action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG);
}

/* Follows the filter from pc on. Returns whether all paths allow the call. */
static bool follow(struct run *r, struct registers at, uint32_t pc, int depth)
{
	for (; pc < r->n && r->steps; pc++) {
		const struct sock_filter *i = &r->code[pc];
		enum way way;

		r->steps--;
		if (BPF_CLASS(i->code) == BPF_RET)
			return allows(i, &at);
		if (BPF_CLASS(i->code) != BPF_JMP) {
			if (!execute(r, i, &at))
				return false;
			continue;
		}
		way = find_way(r, i, &at);
		if (way == WAY_BAD ||
		    (way == WAY_UNKNOWN &&
		     (depth == DEPTH || !follow(r, at, pc + 1 + i->jt, depth + 1))))
			return false;
		pc += way == WAY_ALWAYS ? i->k : way == WAY_TRUE ? i->jt : i->jf;
	}
	return false;
}

bool seccomp_filter_allows(const struct sock_fprog *filter, const struct seccomp_call *call)
{
	struct run r = {
		.code = filter->filter,
		.n = filter->len,
		.data = {.nr = (int)call->number, .arch = ARCH_AUDIT},
		.known = {.nr = -1, .arch = UINT32_MAX},
		.steps = STEPS,
	};
	struct registers at = {.a = {0, true}, .x = {0, true}};

	if (r.n > BPF_MAXINSNS)
		return false;
	for (int i = 0; i < SECCOMP_CALL_ARGUMENTS; i++) {
		r.data.args[i] = call->argument[i];
		r.known.args[i] = seccomp_call_known(call, i);
	}
	return follow(&r, at, 0, 0);
}

bool seccomp_strict_allows(const struct seccomp_call *call)
{
	return call->number == SYS_read || call->number == SYS_write || call->number == SYS_exit ||
	       call->number == SYS_rt_sigreturn;
}

/* ---- seccomp_calls ---- */

#define ALL SECCOMP_CALL_ALL
#define LOW SECCOMP_CALL_LOW

/* Files of tables contain the numbers of these rows, so new rows are added at the end. */
/* clang-format off */
static const struct row {
	const char *name;
	unsigned needs; /* the uses of the call (enum seccomp_needs); 0: always made */
	struct seccomp_call call;
} rows[] = {
	{"rt_sigprocmask", 0, {SYS_rt_sigprocmask, ALL(3), {0, 0, 0, _NSIG / 8}}},
	{"mmap", 0, {ARCH_SYS_MMAP, ALL(0) | ALL(2) | ALL(3) | LOW(4) | ALL(5),
		     {0, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, UINT32_MAX, 0}}},
	{"munmap", 0, {SYS_munmap, 0, {0}}},
	{"madvise", 0, {SYS_madvise, ALL(2), {0, 0, MADV_POPULATE_WRITE}}},
	{"madvise", 0, {SYS_madvise, ALL(2), {0, 0, MADV_WIPEONFORK}}},
	{"futex", 0, {SYS_futex, ALL(1), {0, FUTEX_WAIT | FUTEX_PRIVATE_FLAG}}},
	{"futex", 0, {SYS_futex, ALL(1), {0, FUTEX_WAKE | FUTEX_PRIVATE_FLAG}}},
	{"gettid", 0, {SYS_gettid, 0, {0}}},
	{"prctl", SECCOMP_FILES, {SYS_prctl, ALL(0), {PR_GET_NAME}}},
	{"openat", SECCOMP_FILES, {SYS_openat, LOW(0) | ALL(2), {(uint32_t)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC}}},
	{"read", SECCOMP_FILES | SECCOMP_EVENTS, {SYS_read, 0, {0}}},
	{"pread64", SECCOMP_FILES, {SYS_pread64, 0, {0}}},
	{"close", SECCOMP_FILES | SECCOMP_EVENTS, {SYS_close, 0, {0}}},
	{"perf_event_open", SECCOMP_EVENTS, {SYS_perf_event_open, 0, {0}}},
	{"ioctl", SECCOMP_EVENTS, {SYS_ioctl, 0, {0}}},
	{"fcntl", SECCOMP_EVENTS, {SYS_fcntl, ALL(1), {0, F_DUPFD_CLOEXEC}}},
	{"prlimit64", SECCOMP_EVENTS, {SYS_prlimit64, 0, {0}}},
	{"mmap", SECCOMP_EVENTS, {ARCH_SYS_MMAP, ALL(0) | ALL(3) | ALL(5), {0, 0, 0, MAP_SHARED, 0, 0}}},
	{"clock_gettime", SECCOMP_CLOCK, {SYS_clock_gettime, ALL(0), {CLOCK_MONOTONIC}}},
	{"getppid", SECCOMP_START, {SYS_getppid, 0, {0}}},
	{"getpid", SECCOMP_START, {SYS_getpid, 0, {0}}},
	{"openat", SECCOMP_START, {SYS_openat, LOW(0) | ALL(2) | ALL(3),
				   {(uint32_t)AT_FDCWD, 0, PROCESS_FILE_FLAGS, PROCESS_FILE_MODE}}},
	{"openat", SECCOMP_START, {SYS_openat, LOW(0) | ALL(2), {(uint32_t)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC}}},
	{"read", SECCOMP_START, {SYS_read, 0, {0}}},
	{"close", SECCOMP_START, {SYS_close, 0, {0}}},
	{"ftruncate", SECCOMP_START, {SYS_ftruncate, 0, {0}}},
	{"mmap", SECCOMP_START, {ARCH_SYS_MMAP, ALL(0) | ALL(2) | ALL(3) | ALL(5),
				 {0, 0, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0}}},
	{"clock_gettime", SECCOMP_START | SECCOMP_TASK_CLOCK, {SYS_clock_gettime, ALL(0), {CLOCK_THREAD_CPUTIME_ID}}},
};
/* clang-format on */
#define N_ROWS (sizeof rows / sizeof *rows)

const struct seccomp_call *seccomp_calls_next(uint32_t *number, unsigned needs)
{
	while (*number < N_ROWS) {
		const struct row *row = &rows[(*number)++];

		if (!row->needs || row->needs & needs)
			return &row->call;
	}
	return NULL;
}

uint32_t seccomp_calls_find_lacking(const struct sock_fprog *filter, unsigned needs)
{
	const struct seccomp_call *call;
	uint32_t number = 0;

	while ((call = seccomp_calls_next(&number, needs)))
		if (filter ? !seccomp_filter_allows(filter, call) : !seccomp_strict_allows(call))
			return number;
	return 0;
}

unsigned seccomp_calls_need_clock(void)
{
	return arch_time_is_steady() ? 0 : SECCOMP_CLOCK;
}

bool seccomp_calls_may_fail(uint32_t number)
{
	return rows[number - 1].needs == SECCOMP_EVENTS;
}

const char *seccomp_calls_name(uint32_t number)
{
	return number && number <= N_ROWS ? rows[number - 1].name : NULL;
}
