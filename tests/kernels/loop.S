/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program of 200,000,000 instructions, and ten for its begin and end. */
	.globl	_start
#ifdef __powerpc64__
	.abiversion 2
_start:
	lis	4, 200000000@h
	ori	4, 4, 200000000@l
	mtctr	4
1:	bdnz	1b
	li	0, 1
	li	3, 0
	sc
#elif defined __riscv
_start:
	li	a0, 100000000
1:	addi	a0, a0, -1
	bnez	a0, 1b
	li	a7, 93
	ecall
#endif
