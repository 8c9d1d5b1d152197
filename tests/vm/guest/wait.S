/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait - executes a known number of instructions for each byte on standard input, and exits with status 0 at its end.
 *
 * The counts, absolute symbols as in loop.S, hold for one who attaches while the program waits for a byte:
 *   byte_instructions  from a byte to the wait for the next
 *   end_instructions   from the end of the input to the exit
 */
	.global _start, byte_instructions, end_instructions

_start:
	mov	x0, #0
	ldr	x1, buffer_address
	mov	x2, #1
	mov	x8, #63			// read
	svc	#0
got:
	cmp	x0, #1
	b.ne	end
got_end:
	ldr	x9, iterations
loop:
	subs	x9, x9, #1
	b.ne	loop
loop_end:
	b	_start
end:
	mov	x0, #0
	mov	x8, #93			// exit
	svc	#0
end_end:
	.balign	8
iterations:
	.quad	ITERATIONS
buffer_address:
	.quad	buffer

	.set	byte_instructions, ((end - _start) - (loop_end - loop) + (loop_end - loop) * ITERATIONS) / 4
	.set	end_instructions, ((got_end - got) + (end_end - end)) / 4

	.bss
buffer:
	.skip	8
