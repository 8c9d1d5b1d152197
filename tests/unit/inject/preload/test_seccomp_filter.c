/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up seccomp filters: which calls they permit for known and unknown arguments; and invalid
 * filters. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "inject/lib/arch.h"
#include "inject/preload/seccomp_filter.h"
#include "tap.h"

#define LOAD(field)       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ARGUMENT(i)       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_OF(i))
#define IS(k, yes, no)    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, yes, no)
#define HAS(k, yes, no)   BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, k, yes, no)
#define ABOVE(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, k, yes, no)
#define RETURN(k)         BPF_STMT(BPF_RET | BPF_K, k)
#define ALLOW             RETURN(SECCOMP_RET_ALLOW)
#define KILL              RETURN(SECCOMP_RET_KILL_PROCESS)
#define HIGH_FIRST        (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define LOW_OF(i)         (offsetof(struct seccomp_data, args[i]) + (HIGH_FIRST ? 4 : 0))
#define HIGH_OF(i)        (offsetof(struct seccomp_data, args[i]) + (HIGH_FIRST ? 0 : 4))

/* madvise(unknown, unknown, 23) */
static const struct seccomp_call call = {.number = SYS_madvise,
					 .known = SECCOMP_CALL_ALL(2),
					 .argument = {7, SECCOMP_RET_ALLOW, 23}};

static void check_code(struct sock_filter *code, size_t n, bool want, const char *what)
{
	const struct sock_fprog filter = {.len = (unsigned short)n, .filter = code};

	tap_ok(seccomp_filter_allows(&filter, &call) == want, "%s", what);
}

#define CHECK(want, what, ...)                                                                     \
	do {                                                                                       \
		struct sock_filter code[] = {__VA_ARGS__};                                         \
                                                                                                   \
		check_code(code, sizeof code / sizeof *code, want, what);                          \
	} while (0)

static void check_lists(void)
{
	CHECK(true, "all is allowed", ALLOW);
	CHECK(true, "all is logged", RETURN(SECCOMP_RET_LOG));
	CHECK(false, "all is killed", KILL);
	CHECK(false, "all is an error", RETURN(SECCOMP_RET_ERRNO | 1));
	CHECK(false, "all is trapped", RETURN(SECCOMP_RET_TRAP));
	CHECK(false, "all is traced", RETURN(SECCOMP_RET_TRACE));
	CHECK(true, "in a list of what is allowed", LOAD(nr), IS(SYS_read, 2, 0),
	      IS(SYS_madvise, 1, 0), KILL, ALLOW);
	CHECK(false, "not in one", LOAD(nr), IS(SYS_read, 2, 0), IS(SYS_write, 1, 0), KILL, ALLOW);
	CHECK(false, "in a list of what is not", LOAD(nr), IS(SYS_madvise, 0, 1), KILL, ALLOW);
	CHECK(true, "not in one of these", LOAD(nr), IS(SYS_socket, 0, 1), KILL, ALLOW);
	CHECK(true, "the architecture is this one", LOAD(arch), IS(ARCH_AUDIT, 1, 0), KILL, ALLOW);
	CHECK(false, "and none of 32 bits", LOAD(arch), IS(AUDIT_ARCH_MIPS, 1, 0), KILL, ALLOW);
	CHECK(true, "the highest number is above", LOAD(nr), ABOVE(0x40000000, 0, 1), KILL, ALLOW);
}

static void check_arguments(void)
{
	CHECK(true, "an argument that is known", ARGUMENT(2), IS(23, 1, 0), KILL, ALLOW);
	CHECK(false, "and is another one", ARGUMENT(2), IS(22, 1, 0), KILL, ALLOW);
	CHECK(false, "bits that it has", ARGUMENT(2), HAS(4, 0, 1), KILL, ALLOW);
	CHECK(true, "and has not", ARGUMENT(2), HAS(8, 0, 1), KILL, ALLOW);
	CHECK(true, "its upper half", BPF_STMT(BPF_LD | BPF_W | BPF_ABS, HIGH_OF(2)), IS(0, 1, 0),
	      KILL, ALLOW);
	CHECK(false, "an argument that is not known", ARGUMENT(0), IS(7, 1, 0), KILL, ALLOW);
	CHECK(false, "whatever the filter compares it with", ARGUMENT(0), IS(7, 0, 1), KILL, ALLOW);
	CHECK(true, "but where both ways allow it", ARGUMENT(0), IS(7, 0, 1), ALLOW,
	      RETURN(SECCOMP_RET_LOG));
	CHECK(false, "where the caller is", LOAD(instruction_pointer), IS(7, 1, 0), KILL, ALLOW);
	CHECK(false, "a result that is an argument", ARGUMENT(1), BPF_STMT(BPF_RET | BPF_A, 0));
	CHECK(true, "a result that is computed", ARGUMENT(2),
	      BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, SECCOMP_RET_ALLOW), BPF_STMT(BPF_RET | BPF_A, 0));
}

static void check_registers(void)
{
	CHECK(true, "kept and compared", ARGUMENT(2), BPF_STMT(BPF_ST, 3),
	      BPF_STMT(BPF_LD | BPF_IMM, 23), BPF_STMT(BPF_LDX | BPF_MEM, 3),
	      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1), ALLOW, KILL);
	CHECK(false, "what was never kept", BPF_STMT(BPF_LD | BPF_MEM, 3), IS(0, 0, 1), ALLOW,
	      KILL);
	CHECK(true, "23 * 4 / 2 - 6 >> 3 & 7 ^ 2 = 7", ARGUMENT(2),
	      BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, 4), BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 2),
	      BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, 6), BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 3),
	      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 7), BPF_STMT(BPF_ALU | BPF_XOR | BPF_K, 2),
	      IS(7, 0, 1), ALLOW, KILL);
	CHECK(true, "the length of what it sees", BPF_STMT(BPF_LDX | BPF_W | BPF_LEN, 0),
	      BPF_STMT(BPF_MISC | BPF_TXA, 0), IS(sizeof(struct seccomp_data), 0, 1), ALLOW, KILL);
}

static void check_faults(void)
{
	static struct sock_filter ways[3 * 100 + 1], long_one[BPF_MAXINSNS + 1];

	CHECK(false, "it has no end", LOAD(nr));
	CHECK(false, "a jump leads behind it", BPF_STMT(BPF_JMP | BPF_JA, 1), ALLOW);
	CHECK(false, "far behind it", BPF_STMT(BPF_JMP | BPF_JA, UINT32_MAX), ALLOW);
	CHECK(false, "a comparison does", LOAD(nr), IS(SYS_madvise, 200, 0), ALLOW);
	CHECK(false, "a word that is none", BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), ALLOW);
	CHECK(false, "behind all", BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64), ALLOW);
	CHECK(false, "memory that is not there", BPF_STMT(BPF_ST, BPF_MEMWORDS), ALLOW);
	CHECK(false, "nor to be read", BPF_STMT(BPF_LDX | BPF_MEM, BPF_MEMWORDS), ALLOW);
	CHECK(false, "a division by 0", BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0), ALLOW);
	check_code(NULL, 0, false, "there is nothing in it");
	for (size_t i = 0; i <= BPF_MAXINSNS; i++)
		long_one[i] = (struct sock_filter)ALLOW;
	check_code(long_one, BPF_MAXINSNS, true, "as long as may be");
	check_code(long_one, BPF_MAXINSNS + 1, false, "and longer");
	/* Each of these branches doubles the number of paths. */
	for (size_t i = 0; i < 100; i++) {
		ways[3 * i] = (struct sock_filter)ARGUMENT(0);
		ways[3 * i + 1] = (struct sock_filter)IS((uint32_t)i, 0, 1);
		ways[3 * i + 2] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_NEG, 0);
	}
	ways[300] = (struct sock_filter)ALLOW;
	check_code(ways, 301, false, "more ways than can be followed");
	check_code(ways + 3 * 95, 16, true, "a few of them");
}

static void check_strict(void)
{
	const struct seccomp_call reads = {.number = SYS_read};

	tap_ok(seccomp_strict_allows(&reads), "the strict mode allows read");
	tap_ok(!seccomp_strict_allows(&call), "and not madvise");
}

int main(void)
{
	check_lists();
	check_arguments();
	check_registers();
	check_faults();
	check_strict();
	return tap_done();
}
