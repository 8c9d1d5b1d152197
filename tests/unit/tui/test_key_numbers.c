/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A key press never changes a number. In random sequences of all keys of the table, each row keeps
 * the numbers that it had when it was first shown.
 */
#include "tui/key.h"
#include "ui_rig.h"
#include "view/frame.h"
#include "view/view.h"

#define N_TASKS   12
#define N_PRESSES 8000
#define COLUMNS   5

/* The cells of each task, for each kind of values. */
struct numbers {
	bool known[N_VALUES][N_TASKS + 1];
	struct value cell[N_VALUES][N_TASKS + 1][COLUMNS];
};

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("numbers", "a test");

	screen_add_counter(s, "instr", "0", NULL);
	screen_add_counter(s, "cycle", "1", NULL);
	screen_add_column(s, "COUNT", "%5.0f", NULL, "delta(instr)");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "NS", "%5.0f", NULL, "delta(CPU_NS)");
	screen_add_column(s, "N", "%5.0f", NULL, "NUM_THREADS");
	return s;
}

static void begin(struct ui_rig *r, struct collapse *collapse)
{
	ui_rig_init(r, 90, 24);
	frame_rig_done(&r->rig);
	frame_rig_init(&r->rig, make_screen());
	r->screens.v[0] = r->rig.screen;
	r->rig.view.collapse = collapse;
	for (int i = 1; i <= N_TASKS; i++)
		frame_rig_add(
			&r->rig,
			&(struct rig_task){.id = i,
					   .parent = i / 2,
					   .counting = i % 5 ? COUNT_OK : COUNT_DENIED,
					   .count = {(uint64_t)i * 300, (uint64_t)(i % 3) * 100},
					   .cpu_ns = (uint64_t)(i % 4) * 70000000,
					   .share_pct = i % 2 ? 0 : 50});
	ui_rig_build(r);
}

static bool is_same(struct value x, struct value y)
{
	return x.quality == y.quality && (!value_known(x) || x.number == y.number);
}

/* Returns whether the rows have the numbers that they had when they were first shown. */
static bool check_rows(const struct ui_rig *r, struct numbers *first)
{
	const struct frame *f = &r->rig.frame;

	for (size_t i = 0; i < f->n; i++) {
		const struct frame_row *row = &f->row[i];
		const uint64_t id = row->task->id;
		struct value *cell = first->cell[f->view->values][id];

		/* A collapsed row has the sum of the rows below it. */
		if (row->collapsed)
			continue;
		for (size_t c = 0; c < COLUMNS; c++) {
			const struct value v = frame_value(f, row, c);

			if (!first->known[f->view->values][id])
				cell[c] = v;
			if (!is_same(cell[c], v))
				return false;
		}
		first->known[f->view->values][id] = true;
	}
	return true;
}

/* Returns a random key of the table. If a prompt is open, returns a key that closes it. */
static int choose(unsigned *seed, const struct ui_rig *r)
{
	const struct key_row *row;
	const char *name;
	int key;

	*seed = *seed * 1664525 + 1013904223;
	if (ask_takes_keys(&r->ui.ask))
		return *seed >> 8 & 1 ? KEYCODE_ESC : KEYCODE_ENTER;
	row = &key_table[(*seed >> 8) % key_table_n];
	name = row->keys;
	if (*seed >> 20 & 1 && strchr(name, ' '))
		name = strchr(name, ' ') + 1;
	key = key_name_parse(name);
	return key == KEYCODE_DIGIT ? '0' : key;
}

int main(void)
{
	struct collapse collapse = {.all = false};
	static struct numbers first;
	size_t seen = 0, n = 0;
	unsigned seed = 1;
	struct ui_rig r;
	char letter[KEY_NAME_MAX];
	bool same = true;
	int key = 0;

	begin(&r, &collapse);
	for (; n < N_PRESSES && same; n++) {
		key = choose(&seed, &r);
		UI_RIG_PRESS(&r, key);
		same = check_rows(&r, &first);
	}
	tap_ok(same, "after %zu keys, the last one %s", n, key_name_of(key, letter));
	for (int v = 0; v < N_VALUES; v++)
		for (int id = 1; id <= N_TASKS; id++)
			seen += first.known[v][id];
	tap_int(seen, (size_t)N_VALUES * N_TASKS, "all tasks were seen, with all kinds of values");
	collapse_done(&collapse);
	ui_rig_done(&r);
	return tap_done();
}
