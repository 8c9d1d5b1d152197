/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tap.h"
#include "ui/keys.h"

static void test_table(void)
{
	for (size_t i = 0; i < key_table_n; i++) {
		const struct key_row *row = &key_table[i];
		bool alone = true;

		for (size_t k = 0; k < i; k++)
			alone = alone && strcmp(key_table[k].action, row->action);
		tap_ok(alone, "%s is one row", row->action);
		tap_ok(*row->help && row->help[strlen(row->help) - 1] != '.',
		       "%s has help, without a full stop", row->action);
		tap_ok(!row->pair || (row->hint && i + 1 < key_table_n),
		       "%s is one of a pair with the next, or stands alone", row->action);
	}
}

/* A key is named once for each place in which it does something else. */
static void test_names(void)
{
	static const int plain[] = {' ', '~', KEYCODE_TAB, KEYCODE_CTRL_R, KEYCODE_ESC};
	char letter[KEY_NAME_MAX], other[KEY_NAME_MAX];

	for (size_t i = 0; i < key_table_n; i++) {
		const char *name = key_table[i].keys;

		for (; *name; name += strcspn(name, " "), name += strspn(name, " ")) {
			const int key = key_name_parse(name);
			const char *again = key_name_of(key, letter);

			tap_ok(key > 0 && !strncmp(again, name, strlen(again)),
			       "%s: a key is called %s", key_table[i].action, again);
			for (size_t k = 0; k < i; k++)
				tap_ok(!key_name_in(key_table[k].keys, key),
				       "%s: no other row has it", again);
		}
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		tap_int(key_name_parse(key_name_of(plain[i], letter)), plain[i], "%s is read again",
			key_name_of(plain[i], letter));
	for (int n = 1; n <= 12; n++) {
		snprintf(other, sizeof other, "F%d", n);
		tap_int(key_name_parse(other), KEYCODE_F1 + n - 1, "%s is a key", other);
		tap_str(key_name_of(KEYCODE_F1 + n - 1, letter), other, "of this name");
	}
	tap_ok(key_name_parse("F13") < 0 && key_name_parse("F0") < 0 && key_name_parse("F1x") < 0 &&
		       key_name_parse("FF") < 0 && key_name_parse("LEF") < 0 &&
		       key_name_parse("") < 0 && key_name_parse("Ctrl-") < 0 &&
		       key_name_parse("Ctrl-1") < 0,
	       "what is no key has no code");
	tap_int(key_name_parse("ctrl-R"), KEYCODE_CTRL_R,
		"capital and small letters are the same there");
	tap_ok(key_name_in("h ? F1", '?') && !key_name_in("h ? F1", 'F') &&
		       key_name_in("0-9", '7') && !key_name_in("0-9", '-'),
	       "keys are found in a list");
}

int main(void)
{
	test_table();
	test_names();
	return tap_done();
}
