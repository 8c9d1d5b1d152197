/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Meters of CPUs and memory, at sizes from wide to none.
 */
#include <errno.h>
#include <locale.h>

#include "tap.h"
#include "tui/paint_parts.h"

#define CPUS 128
#define MIB  1024u
#define GIB  (1024 * MIB)

static struct cpu_share share[CPUS];
static struct use_delta use;
static struct sample sample;
static struct frame frame;
static struct strbuf text;

/* Half of busy is user time, half system time. All in %. */
static struct cpu_share share_of(int cpu, double busy, double stolen)
{
	struct cpu_share s = {.cpu = cpu, .busy = value_exact(busy)};

	s.in[CPU_USER] = s.in[CPU_SYSTEM] = value_exact(busy / 2);
	s.in[CPU_NICE] = s.in[CPU_IRQ] = value_exact(0);
	s.in[CPU_STOLEN] = value_exact(stolen);
	s.in[CPU_IDLE] = value_exact(100 - busy - stolen);
	return s;
}

static struct cpu_share share_unknown(int cpu, enum quality why)
{
	struct cpu_share s = {.cpu = cpu, .busy = value_none(why)};

	for (int i = 0; i < N_CPU_STATES; i++)
		s.in[i] = value_none(why);
	return s;
}

/* Makes n CPUs; CPU i is busy for i %. */
static void begin(int n)
{
	for (int i = 0; i < n; i++)
		share[i] = share_of(i, i, 0);
	use = (struct use_delta){
		.wanted = true,
		.share = share,
		.n_shares = (size_t)n,
		.memory = {.total = 16 * GIB,
			   .available = 12 * GIB,
			   .free = 8 * GIB,
			   .swap_total = 2 * GIB,
			   .swap_free = 2 * GIB - 100 * MIB},
	};
	sample = (struct sample){.machine = NULL};
	frame = (struct frame){.sample = &sample, .use = &use};
}

/* Returns the lines of the meters on a screen of this size; looks: with the look of each cell. */
static const char *painted(int width, int height, bool looks)
{
	struct canvas c = CANVAS_INIT, lines = CANVAS_INIT;
	const struct picture p = {.c = &c, .frame = &frame};
	int n;

	canvas_resize(&c, width, height);
	n = part_meter_lines(&p);
	part_paint_meters(&p, 0, n);
	/* The lines below the meters are empty. */
	canvas_resize(&lines, width, n);
	if (n && width)
		memcpy(lines.cell, c.cell, (size_t)width * (size_t)n * sizeof *c.cell);
	strbuf_reset(&text);
	canvas_dump(&lines, looks, &text);
	canvas_done(&lines);
	canvas_done(&c);
	return text.text;
}

static void test_few(void)
{
	begin(2);
	share[0] = share_of(0, 50, 0);
	tap_str(painted(80, 30, false),
		"0[||||||||   50.0%] 1[            1.0%] Mem[||| 4.0G/16.0G] Swp[|     "
		"100M/2.0G]\n",
		"two CPUs and memory share a line");
	tap_str(painted(40, 30, false),
		"0[||||||||   50.0%] 1[             1.0%]\n"
		"Mem[||| 4.0G/16.0G] Swp[|     100M/2.0G]\n",
		"they do not on a narrow screen");
	use.memory.swap_total = use.memory.swap_free = 0;
	tap_ok(strstr(painted(80, 30, false), "none]"), "no swap is no 0 of 0");
}

static void test_parts_of_a_bar(void)
{
	begin(1);
	share[0] = share_of(0, 50, 25);
	share[0].in[CPU_USER] = value_exact(10);
	share[0].in[CPU_NICE] = value_exact(10);
	share[0].in[CPU_SYSTEM] = value_exact(20);
	share[0].in[CPU_IRQ] = value_exact(10);
	tap_str(painted(130, 30, false),
		"0[||||||||||||||||||||::::st 25.0%  50.0%] Mem[|||||||||::::::::::        "
		"4.0G/16.0G] Swp[||                            100M/2.0G]\n",
		"user, nice, system, irq, stolen");
	tap_str(painted(130, 30, true),
		"0[||||||||||||||||||||::::st 25.0%  50.0%] Mem[|||||||||::::::::::        "
		"4.0G/16.0G] Swp[||                            100M/2.0G]\n"
		"--\n"
		"[[||||----########!!!!%%%%%%%%%nnn  nnnnn[ "
		"[[[[=========++++++++++....... nnnnnnnnnn[ "
		"[[[[$$........................... nnnnnnnnn[\n",
		"each with a look of its own");
}

static void test_many(void)
{
	begin(16);
	tap_str(painted(80, 30, false),
		"16 CPUs[|           7.5%] Mem[|||||::::: 4.0G/16.0G] Swp[|            "
		"100M/2.0G]\n",
		"too many bars for three lines: the mean of all");
	tap_str(painted(160, 30, false),
		"0[            0.0%] 1[            1.0%] 2[            2.0%] 3[            3.0%] "
		"4[|           4.0%] 5[|           5.0%] 6[|           6.0%] 7[|            7.0%]\n"
		"8[|           8.0%] 9[|           9.0%] 10[||        10.0%] 11[||        11.0%] "
		"12[||        12.0%] 13[||        13.0%] 14[||        14.0%] 15[||         15.0%]\n"
		"Mem[|||||||||||||||||||::::::::::::::::::                           4.0G/16.0G] "
		"Swp[||||                                                              "
		"100M/2.0G]\n",
		"8 a line where there is room");
	begin(128);
	tap_str(painted(200, 60, false),
		"128 CPUs[|||||||||||||||||||||||||||||||||||               63.5%] "
		"Mem[|||||||||||||||::::::::::::::::                    4.0G/16.0G] Swp[|||        "
		"                                          100M/2.0G]\n",
		"128 are too many for any");
	share[0] = share_unknown(0, QUALITY_GONE);
	tap_ok(strstr(painted(200, 60, false), "64.0%"),
	       "the mean is that of the CPUs that are there");
}

static void test_kinds(void)
{
	static const char *const core[] = {"cpu_core", "cpu_atom"};
	static const uint8_t kind[] = {0, 0, 1, 1, 1};
	struct sample_machine machine = {.n_cores = 2, .core = core, .cpu_kind = kind, .n_cpus = 5};
	static const char *const arm[] = {"armv8_cortex_a78", "armv8_cortex_a55"};

	begin(5);
	sample.machine = &machine;
	tap_str(painted(80, 30, false),
		"P 0[                              0.0%] P 1[                               1.0%]\n"
		"E 2[                2.0%] E 3[|                3.0%] E 4[|                 4.0%]\n"
		"Mem[|||||||||::::::::       4.0G/16.0G] Swp[||                        "
		"100M/2.0G]\n",
		"a kind of cores begins a line");
	tap_str(painted(80, 16, false),
		"2 P[          0.5%] 3 E[          3.0%] Mem[||| 4.0G/16.0G] Swp[|     "
		"100M/2.0G]\n",
		"or has one bar");
	machine.core = arm;
	tap_ok(strstr(painted(80, 30, false), "a55 2["), "other kinds have the end of their names");
}

static void test_unknown(void)
{
	begin(3);
	share[0] = share_unknown(0, QUALITY_FRESH);
	share[1] = share_unknown(1, QUALITY_GONE);
	tap_str(painted(60, 30, false),
		"0[               ?] 1[               -] 2[             2.0%]\n"
		"Mem[||||||::::::  4.0G/16.0G] Swp[|               100M/2.0G]\n",
		"not yet known; not there any more; known");
	use.n_shares = 0;
	use.cpu_error = EACCES;
	use.memory_error = EINVAL;
	tap_str(painted(80, 30, false),
		"CPU[? /proc/stat: Permission denied   ] Mem[? /proc/meminfo: unknown format    "
		"]\n",
		"what cannot be read says why");
	use.wanted = false;
	tap_str(painted(80, 30, false), "", "not requested: no line");
	frame.use = NULL;
	tap_str(painted(80, 30, false), "", "nothing known: no line");
}

static void test_sizes(void)
{
	bool fits = true;

	for (int n = 1; n <= CPUS; n += 7)
		for (int width = 0; width <= 210; width++)
			for (int height = 1; height <= 60; height += 9) {
				const char *p;
				int lines = 0;

				begin(n);
				for (p = painted(width, height, false); *p; p++)
					lines += *p == '\n';
				fits = fits && lines <= (height < 16 ? 1 : height / 8);
			}
	tap_ok(fits, "at any size they take an eighth of the lines at most");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	strbuf_init(&text);
	test_few();
	test_parts_of_a_bar();
	test_many();
	test_kinds();
	test_unknown();
	test_sizes();
	strbuf_done(&text);
	return tap_done();
}
