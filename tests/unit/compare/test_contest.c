/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two commands that ran in turn, and the output about them. */
#include "compare/contest.h"

#include <string.h>

#include "report/format.h"
#include "rounded.h"

#define ROUNDS 6

/* noise of each round: in both commands, and in B alone */
static const double noise[ROUNDS] = {0, 0.5, -0.3, 0.2, -0.4, 0.1},
		    own[ROUNDS] = {0.01, -0.01, 0.02, 0, -0.02, 0.01};

static const struct run_end fine = {.status = 0};

struct scene {
	struct runs a, b;
	struct contest_side side[3];
	struct contest contest;
};

/* B takes longer by `longer`, and executes `more` more instructions. */
static void play(struct scene *s, double longer, double more, int rounds)
{
	runs_init(&s->a, rounds, 0);
	runs_init(&s->b, rounds, 0);
	for (int i = 0; i < rounds; i++) {
		runs_begin(&s->a, &fine);
		runs_put(&s->a, "wall", UNIT_S, value_exact(2 + noise[i]));
		runs_put(&s->a, "cycles", UNIT_COUNT, value_none(QUALITY_DENIED));
		runs_put(&s->a, "instructions", UNIT_COUNT, value_exact(1000 + i % 2));
		runs_put(&s->a, "faults", UNIT_COUNT, value_exact(100 + i));
		runs_begin(&s->b, &fine);
		runs_put(&s->b, "wall", UNIT_S, value_exact(2 + noise[i] + longer + own[i]));
		runs_put(&s->b, "cycles", UNIT_COUNT, value_none(QUALITY_DENIED));
		runs_put(&s->b, "instructions", UNIT_COUNT, value_exact(1000 + more + i % 3));
		runs_put(&s->b, "faults", UNIT_COUNT, value_exact(100 + i % 5));
	}
	s->side[0] = (struct contest_side){"./old", &s->a};
	s->side[1] = (struct contest_side){"./new", &s->b};
	contest_make(&s->contest, s->side, 2, CONTEST_IN_TURNS);
}

static void end(struct scene *s)
{
	contest_done(&s->contest);
	runs_done(&s->a);
	runs_done(&s->b);
}

static void test_results(void)
{
	const struct contest_row *reason[8], *row;
	struct scene s;

	play(&s, -0.2, -300, ROUNDS);
	row = s.contest.row;
	tap_int(contest_winner(&s.contest), 1, "B takes less time");
	tap_ok(fabs(row[0].numbers.change_pct +
		    100 * (0.2 - 0.01 / 6) / row[0].numbers.of[0].mean) < 1e-9,
	       "by how much");
	tap_ok(row[0].numbers.margin_pct < 1, "what changes from round to round is in both");
	tap_int(row[1].numbers.result, DIFFERENCE_UNKNOWN, "what was not counted is unknown");
	tap_int(row[2].numbers.result, DIFFERENCE_LESS, "fewer instructions");
	tap_int(row[3].numbers.result, DIFFERENCE_NOISE, "faults that differ by chance");
	tap_int((long)contest_reasons(&s.contest, 1, reason), 1, "one counter is the reason");
	tap_str(reason[0]->measure->name, "instructions", "which it is");
	end(&s);
	play(&s, 0.2, 0, ROUNDS);
	tap_int(contest_winner(&s.contest), 0, "A takes less time");
	end(&s);
	play(&s, 0.001, 0, ROUNDS);
	tap_int(contest_winner(&s.contest), -1, "no difference is found");
	tap_int((long)contest_reasons(&s.contest, 1, reason), 0, "nor a reason");
	end(&s);
	play(&s, 0.2, 0, 2);
	tap_int(s.contest.row[0].numbers.result, DIFFERENCE_FEW, "two rounds are too few");
	tap_ok(!contest_is_tested(&s.contest, 1), "nor is anything else tested");
	tap_int(contest_winner(&s.contest), -1, "so that no side has won");
	end(&s);
}

/* Returns the p-value of the differences of a measure, tested on its own. */
static double chance_of(const struct scene *s, size_t row)
{
	const struct run_measure *m = s->contest.row[row].measure, *other = NULL;
	const struct runs *b = s->contest.side[1].runs;
	struct variation pairs;
	struct mean_error error;
	double number[ROUNDS];

	for (size_t i = 0; i < b->n_measures; i++)
		if (!strcmp(b->measure[i].name, m->name))
			other = &b->measure[i];
	for (size_t i = 0; i < ROUNDS; i++)
		number[i] = other->value[i].number - m->value[i].number;
	variation_measure(&pairs, number, ROUNDS);
	error = variation_error(&pairs);
	return mean_error_chance(&error, pairs.mean);
}

/* p-values of several measures are corrected for their number; that of the time is not. */
static void test_correction(void)
{
	struct scene s;
	double alone;

	play(&s, 0, 0, ROUNDS);
	alone = s.contest.row[0].numbers.chance;
	tap_ok(alone > 0.05 && alone < 1, "the time is asked about by itself");
	tap_ok(chance_of(&s, 2) < s.contest.row[2].numbers.chance, "the others are several");
	tap_num(chance_of(&s, 0), alone, "as if it was the only one");
	end(&s);
}

/* Appends the whole report. */
static void write_in(struct strbuf *out, const struct contest *c, enum report_format_id format)
{
	struct report report;

	report_init(&report);
	contest_add(&report, c, &(struct report_selection){.rows = 0});
	report_formats[format].write(&report, true, out);
	report_done(&report);
}

static void check_line(struct scene *s, const char *line)
{
	struct strbuf text;

	strbuf_init(&text);
	write_in(&text, &s->contest, REPORT_AS_TEXT);
	if (!tap_ok(strstr(text.text, line) != NULL, "text: %s", line))
		tap_str(text.text, line, "what it is");
	strbuf_done(&text);
	end(s);
}

static void test_text(void)
{
	struct strbuf text;
	struct scene s;

	play(&s, -0.2, -300, ROUNDS);
	check_line(&s, "\nB is faster: it takes 9.8 % +- 0.8 % less time\n"
		       "what else differs: B has 29.9 % fewer instructions\n");
	play(&s, 0.2, 300, ROUNDS);
	check_line(&s, "\nA is faster: B takes 10.0 % +- 0.8 % more time\n");
	play(&s, 0.001, 0, ROUNDS);
	check_line(&s, "\nno difference is found: B takes 0.1 % +- 0.8 % more time\n"
		       "nothing else differs by more than noise\n");
	play(&s, 0.2, 0, 2);
	check_line(&s, "\ntoo few rounds to find a difference (--repeat 3): B takes 8.9 % more ");
	play(&s, 0.2, 0, ROUNDS);
	check_line(&s, "A  ./old: 6 runs, all ended with status 0\nB  ./new: ");
	play(&s, 0.2, 0, ROUNDS);
	check_line(&s, "\nBoth ran in turns, N rounds; CHANGE is computed from the rounds, ");
	play(&s, 0.2, 0, 2);
	contest_done(&s.contest);
	contest_make(&s.contest, s.side, 2, CONTEST_PAIRED);
	check_line(&s, "\ntoo few pairs to find a difference (--repeat 3): ");
	play(&s, 0.2, 0, ROUNDS);
	contest_done(&s.contest);
	contest_make(&s.contest, s.side, 2, CONTEST_PAIRED);
	check_line(&s, "\nThe runs are N pairs; CHANGE is computed from the pairs, ");
	play(&s, 0.2, 0, ROUNDS);
	check_line(&s, "\ncycles            0       ?       ?       ?       ?       -     -     -  "
		       "unknown\n  A: ");
	strbuf_init(&text);
	play(&s, 0.2, 0, 0);
	write_in(&text, &s.contest, REPORT_AS_TEXT);
	tap_str(text.text, "A  ./old: 0 runs\nB  ./new: 0 runs\n", "nothing has run");
	end(&s);
	strbuf_done(&text);
}

static void test_json(void)
{
	struct strbuf text;
	struct scene s;

	strbuf_init(&text);
	play(&s, 0.2, 0, ROUNDS);
	write_in(&text, &s.contest, REPORT_AS_JSON);
	tap_ok(!strncmp(text.text,
			"{\"type\":\"contest\",\"schema\":1,\"confidence\":0.95,\"faster\":\"a\","
			"\"a\":{\"command\":\"./old\",\"runs\":{\"n\":6,",
			90),
	       "json: who is faster, and the sides");
	tap_ok(strstr(text.text, "{\"measure\":\"cycles\",\"unit\":\"count\",\"mean_a\":null,") !=
		       NULL,
	       "json: a row");
	end(&s);
	strbuf_done(&text);
}

static void check_golden(const struct scene *s, const char *name, enum report_format_id format)
{
	struct strbuf text;

	strbuf_init(&text);
	write_in(&text, &s->contest, format);
	golden_check("contest", name, text.text);
	strbuf_done(&text);
}

static void check_rounded(const struct scene *s, const char *name, enum report_format_id format)
{
	struct strbuf text;

	strbuf_init(&text);
	write_in(&text, &s->contest, format);
	rounded_check("contest", name, text.text);
	strbuf_done(&text);
}

/* All runs of a side are equal: otherwise, the last digits would depend on the machine. */
static void play_equal(struct scene *s)
{
	runs_init(&s->a, 3, 1);
	runs_init(&s->b, 4, 0);
	for (int i = 0; i < 3; i++) {
		runs_begin(&s->a, &fine);
		runs_put(&s->a, "wall", UNIT_S, value_exact(2));
		runs_put(&s->a, "a, \"b\"", UNIT_COUNT, value_count(8));
		runs_put(&s->a, "none", UNIT_COUNT, value_none(QUALITY_DENIED));
		runs_put(&s->a, "zero", UNIT_COUNT, value_count(0));
		runs_put(&s->a, "only-in-a", UNIT_COUNT, value_count(1));
		runs_begin(&s->b, i == 1 ? &(struct run_end){.status = 3} : &fine);
		runs_put(&s->b, "wall", UNIT_S, value_exact(1.5));
		runs_put(&s->b, "a, \"b\"", UNIT_COUNT, value_count(1ull << 60));
		runs_put(&s->b, "none", UNIT_COUNT,
			 i ? value_none(QUALITY_DENIED) : value_count(5));
		runs_put(&s->b, "zero", UNIT_COUNT, value_count(2));
	}
	runs_stop(&s->b, 4, &(struct run_end){.status = 139, .signal = 11});
	s->side[0] = (struct contest_side){"./old 'x y'", &s->a};
	s->side[1] = (struct contest_side){"./new\033[m", &s->b};
	contest_make(&s->contest, s->side, 2, CONTEST_IN_TURNS);
}

static void test_formats(void)
{
	struct scene s;

	play_equal(&s);
	check_golden(&s, "equal-text", REPORT_AS_TEXT);
	check_golden(&s, "equal-csv", REPORT_AS_CSV);
	check_golden(&s, "equal-json", REPORT_AS_JSON);
	end(&s);
	play(&s, 0.2, 300, 0);
	check_golden(&s, "empty-text", REPORT_AS_TEXT);
	check_golden(&s, "empty-csv", REPORT_AS_CSV);
	check_golden(&s, "empty-json", REPORT_AS_JSON);
	end(&s);
	play(&s, 0.2, 300, 1);
	check_golden(&s, "one-text", REPORT_AS_TEXT);
	end(&s);
	play(&s, -0.2, -300, ROUNDS);
	check_golden(&s, "less-text", REPORT_AS_TEXT);
	end(&s);
	play(&s, -0.2, 0, ROUNDS);
	check_rounded(&s, "noise-csv", REPORT_AS_CSV);
	check_rounded(&s, "noise-json", REPORT_AS_JSON);
	end(&s);
	play(&s, 0.2, 1e9, ROUNDS);
	contest_done(&s.contest);
	runs_put(&s.a, "wall", UNIT_S, value_exact(1000));
	runs_put(&s.b, "a-counter-of-a-long-name", UNIT_MS, value_exact(1));
	runs_put(&s.a, "a-counter-of-a-long-name", UNIT_MS, value_exact(1));
	contest_make(&s.contest, s.side, 2, CONTEST_IN_TURNS);
	check_golden(&s, "outlier-text", REPORT_AS_TEXT);
	end(&s);
}

/* A measure that differs is listed as a reason, also if its unit is not a count. */
static void test_unit(void)
{
	const struct contest_row *reason[8];
	struct scene s;
	size_t n;

	play(&s, 0.001, 0, ROUNDS);
	contest_done(&s.contest);
	for (int i = 0; i < ROUNDS; i++) {
		s.a.measure[2].value[i] = value_exact(10 + own[i]);
		s.b.measure[2].value[i] = value_exact(15 - own[i]);
	}
	s.a.measure[2].unit = s.b.measure[2].unit = UNIT_S;
	contest_make(&s.contest, s.side, 2, CONTEST_IN_TURNS);
	n = contest_reasons(&s.contest, 1, reason);
	tap_int((long)n, 1, "one that differs");
	tap_str(n ? reason[0]->measure->name : "", "instructions", "whatever its unit");
	end(&s);
}

/* Three sides: C has the runs of A. */
static void test_sides(void)
{
	const struct contest_row *reason[16], *row;
	struct scene s;
	double alone;

	play(&s, -0.0188, -300, ROUNDS);
	alone = s.contest.row[0].numbers.chance;
	tap_ok(alone > 0.025 && alone < 0.05, "B alone takes less time: p %g", alone);
	tap_int(contest_winner(&s.contest), 1, "and is faster");
	contest_done(&s.contest);
	s.side[2] = (struct contest_side){"./old again", &s.a};
	contest_make(&s.contest, s.side, 3, CONTEST_IN_TURNS);
	row = s.contest.row;
	tap_int((long)s.contest.n, 8, "a row for each measure and further side");
	tap_ok(row[0].is_time && row[1].is_time && !row[2].is_time, "both times are the first");
	tap_ok(row[4].side == 1 && row[5].side == 2 && row[4].measure == row[5].measure,
	       "the sides of a measure are adjacent");
	tap_num(row[0].numbers.chance, 2 * alone, "of two times, p is corrected");
	tap_int(contest_winner(&s.contest), -1, "so no side is faster");
	tap_int((long)contest_reasons(&s.contest, 1, reason), 1, "B has fewer instructions");
	tap_int((long)contest_reasons(&s.contest, 2, reason), 0, "C has not");
	end(&s);
	play(&s, -0.2, -300, ROUNDS);
	contest_done(&s.contest);
	s.side[2] = s.side[0];
	contest_make(&s.contest, s.side, 3, CONTEST_IN_TURNS);
	tap_int(contest_winner(&s.contest), 1, "B is faster than A and C");
	check_golden(&s, "three-text", REPORT_AS_TEXT);
	check_rounded(&s, "three-csv", REPORT_AS_CSV);
	check_rounded(&s, "three-json", REPORT_AS_JSON);
	contest_done(&s.contest);
	s.side[0] = s.side[1];
	s.side[1] = s.side[2];
	contest_make(&s.contest, s.side, 3, CONTEST_IN_TURNS);
	tap_int(contest_winner(&s.contest), 0, "A is faster than B and C");
	end(&s);
}

int main(void)
{
	test_unit();
	test_results();
	test_correction();
	test_text();
	test_json();
	test_formats();
	test_sides();
	return tap_done();
}
