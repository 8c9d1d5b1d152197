/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/seccomp_filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/syscall.h>

#include "inject/lib/arch.h"

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
