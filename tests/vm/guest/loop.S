/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop - executes a known number of instructions and exits with status 0.
 *
 * ITERATIONS comes from the command line of the assembler. all_instructions is what the program executes in all: an
 * absolute symbol, computed from the addresses of the code itself; all instructions are 4 bytes long.
 */
	.global _start, all_instructions

_start:
	ldr	x9, iterations
loop:
	subs	x9, x9, #1
	b.ne	loop
loop_end:
	mov	x0, #0
	mov	x8, #93			// exit
	svc	#0
end:
	.balign	8
iterations:
	.quad	ITERATIONS

	.set	all_instructions, ((loop - _start) + (loop_end - loop) * ITERATIONS + (end - loop_end)) / 4
