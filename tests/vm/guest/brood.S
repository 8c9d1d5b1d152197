/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * brood - makes children, one after the other, waits for each, and exits with status 0.
 *
 * Each child executes a known number of instructions, ITERATIONS times two and a few. What the first process executes
 * is root_instructions, a child child_instructions, and all together all_instructions: absolute symbols, computed from
 * the addresses of the code itself; all instructions are 4 bytes long. What a child executes begins behind clone(2).
 */
	.global _start, root_instructions, child_instructions, all_instructions
	.set	CHILDREN, 2000

_start:
	mov	x9, #CHILDREN
each:
	mov	x0, #17			// SIGCHLD
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #220		// clone
	svc	#0
	cbz	x0, child
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #260		// wait4
	svc	#0
	subs	x9, x9, #1
	b.ne	each
each_end:
	mov	x0, #0
	mov	x8, #93			// exit
	svc	#0
child:
	ldr	x10, iterations
loop:
	subs	x10, x10, #1
	b.ne	loop
loop_end:
	mov	x0, #0
	mov	x8, #93
	svc	#0
child_end:
	.balign	8
iterations:
	.quad	ITERATIONS

	.set	root_instructions, ((each - _start) + (each_end - each) * CHILDREN + (child - each_end)) / 4
	.set	child_instructions, 1 + ((loop - child) + (loop_end - loop) * ITERATIONS + (child_end - loop_end)) / 4
	.set	all_instructions, root_instructions + child_instructions * CHILDREN
