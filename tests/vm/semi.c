/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * semi STATUS - ends the emulator with this exit status, by a semihosting call from the
 * guest's user mode.
 */
#include <stdint.h>
#include <stdlib.h>

#define SYS_EXIT_EXTENDED            0x20
#define ADP_STOPPED_APPLICATION_EXIT 0x20026

int main(int argc, char **argv)
{
	uint64_t block[2] = {ADP_STOPPED_APPLICATION_EXIT,
			     argc > 1 ? strtoul(argv[1], NULL, 10) : 0};
	register uint64_t operation asm("x0") = SYS_EXIT_EXTENDED;
	register const uint64_t *argument asm("x1") = block;

	asm volatile("hlt #0xf000" : "+r"(operation) : "r"(argument) : "memory");
	return 125; /* the emulator has no semihosting */
}
