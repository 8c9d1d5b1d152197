/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Typing at a prompt, and the resulting requests. Keys are written as text; special keys by their
 * name in <>.
 */
#include "model/kinds.h"
#include "tap.h"
#include "tui/ask.h"
#include "tui/key.h"
#include "tui/keys.h"

#define ENTER  "\r"
#define ESC    "\033"
#define BACK   "\177"
#define CTRL_C "\003"
#define CTRL_G "\007"
#define CTRL_H "\010"
#define CTRL_L "\014"
#define CTRL_U "\025"
#define CTRL_W "\027"

static const struct {
	const char *name;
	int key;
} special[] = {
	{"<LEFT>", KEYCODE_LEFT}, {"<RIGHT>", KEYCODE_RIGHT}, {"<HOME>", KEYCODE_HOME},
	{"<END>", KEYCODE_END},   {"<DEL>", KEYCODE_DELETE},  {"<UP>", KEYCODE_UP},
};

/* Returns the key at the start of *keys, and advances *keys. */
static int next_key(const char **keys)
{
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (!strncmp(*keys, special[i].name, strlen(special[i].name))) {
			*keys += strlen(special[i].name);
			return special[i].key;
		}
	return (unsigned char)*(*keys)++;
}

static const struct {
	const char *initial, *keys, *text;
	int state;
	size_t cursor;
} editing[] = {
	{"", "abc", "abc", PROMPT_OPEN, 3},
	{"", "abc" ENTER, "abc", PROMPT_ACCEPTED, 3},
	{"", "abc\n", "abc", PROMPT_ACCEPTED, 3},
	{"", ENTER, "", PROMPT_ACCEPTED, 0},
	{"", "abc" ESC, "abc", PROMPT_CANCELLED, 3},
	{"", CTRL_C, "", PROMPT_CANCELLED, 0},
	{"", CTRL_G, "", PROMPT_CANCELLED, 0},
	{"", "qhk <>~ |", "qhk <>~ |", PROMPT_OPEN, 9},
	/* the initial text is selected */
	{"old", "", "old", PROMPT_OPEN, 3},
	{"old", ENTER, "old", PROMPT_ACCEPTED, 3},
	{"old", "n", "n", PROMPT_OPEN, 1},
	{"old", "<END>n", "oldn", PROMPT_OPEN, 4},
	{"old", "<LEFT>n", "olnd", PROMPT_OPEN, 3},
	{"old", "<HOME>n", "nold", PROMPT_OPEN, 1},
	{"old", "<UP>n", "n", PROMPT_OPEN, 1},
	{"old", BACK, "", PROMPT_OPEN, 0},
	{"old", "<DEL>", "", PROMPT_OPEN, 0},
	{"old", CTRL_W "new", "new", PROMPT_OPEN, 3},
	{"a b", "<LEFT><LEFT>" CTRL_W, " b", PROMPT_OPEN, 0},
	/* moving and deleting, at the ends too */
	{"", "ab<LEFT>c", "acb", PROMPT_OPEN, 2},
	{"", "ab<LEFT><LEFT><LEFT>c", "cab", PROMPT_OPEN, 1},
	{"", "ab<RIGHT>c", "abc", PROMPT_OPEN, 3},
	{"", "ab<HOME><RIGHT>c", "acb", PROMPT_OPEN, 2},
	{"", "ab<HOME>c<END>d", "cabd", PROMPT_OPEN, 4},
	{"", "abc<LEFT>" BACK, "ac", PROMPT_OPEN, 1},
	{"", "abc<LEFT>" CTRL_H, "ac", PROMPT_OPEN, 1},
	{"", "ab<HOME>" BACK, "ab", PROMPT_OPEN, 0},
	{"", "ab<HOME><DEL>", "b", PROMPT_OPEN, 0},
	{"", "ab<DEL>", "ab", PROMPT_OPEN, 2},
	{"", "abcd<LEFT>" CTRL_U, "d", PROMPT_OPEN, 0},
	{"", "one two  " CTRL_W, "one ", PROMPT_OPEN, 4},
	{"", "one two" CTRL_W CTRL_W, "", PROMPT_OPEN, 0},
	{"", "one two<LEFT>" CTRL_W, "one o", PROMPT_OPEN, 4},
	{"", CTRL_W CTRL_U BACK "<DEL>", "", PROMPT_OPEN, 0},
	/* UTF-8 */
	{"", "n\u00e4\u4e2d\U0001f600", "n\u00e4\u4e2d\U0001f600", PROMPT_OPEN, 10},
	{"", "n\u00e4\u4e2d" BACK BACK, "n", PROMPT_OPEN, 1},
	{"", "\u00e4\u4e2d<LEFT><LEFT><DEL>", "\u4e2d", PROMPT_OPEN, 0},
	{"", "\u00e4\u4e2d<HOME><RIGHT>x", "\u00e4x\u4e2d", PROMPT_OPEN, 3},
	{"\u00e4\u4e2d", "<LEFT>" BACK, "\u4e2d", PROMPT_OPEN, 0},
	{"", "\xe4\xb8x\xad", "x", PROMPT_OPEN, 1},
	{"", "\xff\xc0\x80\xbfz", "z", PROMPT_OPEN, 1},
	{"", "\xe4\xc3\xa4", "\u00e4", PROMPT_OPEN, 2},
	{"", "\xe4<LEFT>\xb8\xad", "", PROMPT_OPEN, 0},
	/* Not UTF-8: a form that is too long, and half of a pair of UTF-16. */
	{"", "\xe0\x80\x80x", "x", PROMPT_OPEN, 1},
	{"", "\xed\xa0\x80x", "x", PROMPT_OPEN, 1},
	/* no text */
	{"", "a\tb\001" CTRL_L, "ab", PROMPT_OPEN, 2},
};

static void test_editing(void)
{
	struct prompt p;

	for (size_t i = 0; i < sizeof(editing) / sizeof(editing[0]); i++) {
		enum prompt_state state = PROMPT_OPEN;

		prompt_open(&p, "", editing[i].initial);
		for (const char *key = editing[i].keys; *key;)
			state = prompt_key(&p, next_key(&key));
		tap_str(p.text, editing[i].text, "row %zu: the text is '%s'", i, editing[i].text);
		tap_ok(p.len == strlen(p.text), "row %zu: so is its length", i);
		tap_int(p.cursor, editing[i].cursor, "row %zu: the cursor", i);
		tap_int(state, editing[i].state, "row %zu: open, accepted or not", i);
	}
}

static void test_limit(void)
{
	struct prompt p;
	char longer[2 * REQUEST_TEXT_MAX];

	prompt_open(&p, "", "");
	for (int i = 0; i < REQUEST_TEXT_MAX - 2; i++)
		prompt_key(&p, 'a');
	prompt_key(&p, 0xc3);
	prompt_key(&p, 0xa4);
	tap_int(p.len, REQUEST_TEXT_MAX - 2, "a character that has not all its room is not taken");
	prompt_key(&p, 'b');
	tap_int(p.len, REQUEST_TEXT_MAX - 1, "one that has it is");
	prompt_key(&p, 'c');
	tap_int(p.len, REQUEST_TEXT_MAX - 1, "and then none");
	tap_int(p.text[p.len - 1], 'b', "the last one stays");
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	prompt_open(&p, "", longer);
	tap_int(p.len, REQUEST_TEXT_MAX - 1, "a longer initial text is cut");
}

static const char *line(const struct prompt *p, int width)
{
	static struct strbuf text;
	struct canvas c = CANVAS_INIT;

	if (text.text)
		strbuf_done(&text);
	strbuf_init(&text);
	if (!p)
		return NULL;
	canvas_resize(&c, width, 1);
	prompt_paint(p, &c, 0);
	canvas_dump(&c, true, &text);
	canvas_done(&c);
	return text.text;
}

static void type(struct prompt *p, const char *keys)
{
	while (*keys)
		prompt_key(p, next_key(&keys));
}

static void test_painting(void)
{
	struct prompt p;

	prompt_open(&p, "Path: ", "");
	tap_str(line(&p, 30), "Path:\n--\nNNNNNNh\n", "an empty prompt is a label and a cursor");
	prompt_open(&p, "Path: ", "ab");
	tap_str(line(&p, 30), "Path: ab\n--\nNNNNNNhhh\n", "the initial text is selected");
	type(&p, "<LEFT>");
	tap_str(line(&p, 30), "Path: ab\n--\nNNNNNNnh\n", "the cursor stands on a character");
	type(&p, "<END>\u4e2d<LEFT>");
	tap_str(line(&p, 30), "Path: ab\u4e2d\n--\nNNNNNNnnhh\n", "on both columns of a wide one");
	type(&p, CTRL_U "<DEL>0123456789abcdefghij");
	tap_str(line(&p, 16), "Path: <cdefghij\n--\nNNNNNNfnnnnnnnnh\n", "a longer text scrolls");
	type(&p, "<HOME>");
	tap_str(line(&p, 16), "Path: 012345678>\n--\nNNNNNNhnnnnnnnnf\n", "to its start");
	for (int i = 0; i < 10; i++)
		type(&p, "<RIGHT>");
	tap_str(line(&p, 16), "Path: <6789abcd>\n--\nNNNNNNfnnnnhnnnf\n", "and its middle");
	tap_str(line(&p, 14), "Pat\u2026<6789abcd>\n--\nNNNNfnnnnhnnnf\n", "a label gives way");
	tap_str(line(&p, 10), "<6789abcd>\n--\nfnnnnhnnnf\n", "at last altogether");
	tap_str(line(&p, 3), "9ab\n--\nnhn\n", "3 columns show what is around the cursor");
	tap_str(line(&p, 1), "a\n--\nh\n", "1 column shows what is under it");
	tap_str(line(&p, 0), "\n--\n\n", "0 columns show nothing");
	type(&p, "<END>");
	tap_str(line(&p, 1), "j\n--\nn\n", "1 column shows what was typed last");
	tap_str(line(&p, 2), "j\n--\nnh\n", "2 columns show the cursor, too");
	prompt_open(&p, "", "");
	type(&p, "e\u0301x<HOME><RIGHT>");
	tap_str(line(&p, 9), "ex\n--\nnh\n",
		"a character without a width has no cursor of its own");
	line(NULL, 0);
}

static void test_signals(void)
{
	static const struct {
		const char *text;
		int signal; /* 0: not a signal */
	} row[] = {
		{"15", 15},
		{"TERM", SIGTERM},
		{"SIGTERM", SIGTERM},
		{"sigkill", SIGKILL},
		{"Hup", SIGHUP},
		{"1", 1},
		{"34", 34},
		{"999", 0},
		{"0", 0},
		{"-9", 0},
		{"", 0},
		{"SIG", 0},
		{"NONSENSE", 0},
		{"9x", 0},
		{" 9", 0},
		{"SIG9", 0},
		{"USR1", SIGUSR1},
		{"SIGSIGTERM", 0},
		{"TERMINATE", 0},
		{"CONT", SIGCONT},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct err err = ERR_INIT;
		int signal = 0, ret = signame_parse(row[i].text, &signal, &err);

		tap_int(signal, row[i].signal, "signal '%s'", row[i].text);
		tap_ok(row[i].signal ? ret == 0 : ret < 0 && strstr(err.text, row[i].text),
		       "signal '%s': a fault is a sentence that quotes it", row[i].text);
	}
}

/* Settings that are unset, and settings that the user has set. */
static const struct view plain = {.delay_s = 2, .filter = FILTER_ALL, .watch = FILTER_ALL};
static const struct view set = {
	.delay_s = 0.25,
	.filter = {0, "sim", 1000, NULL},
	.uid_name = "alice",
	.watch = {4711, NULL, -1, NULL},
	.watching = true,
};

static const struct {
	const char *keys;
	const struct view *view;
	int32_t victim;
	int kind, signal;
	const char *text, *message; /* text of the request; error of the open prompt */
} request_table[] = {
	{"d1.5" ENTER, &plain, 0, REQUEST_DELAY, 0, "1.5", ""},
	{"s0.1" ENTER, &plain, 0, REQUEST_DELAY, 0, "0.1", ""},
	{"d" ENTER, &set, 0, REQUEST_DELAY, 0, "0.25", ""},
	{"d" CTRL_U ENTER, &set, 0, REQUEST_NONE, 0, "", ""},
	{"d1" ESC, &plain, 0, REQUEST_NONE, 0, "", ""},
	{"pcc1" ENTER, &plain, 0, REQUEST_FILTER, 0, "cc1", ""},
	{"p" ENTER, &set, 0, REQUEST_FILTER, 0, "sim", ""},
	{"p" BACK ENTER, &set, 0, REQUEST_FILTER, 0, "", ""},
	{"p<END>u" ENTER, &set, 0, REQUEST_FILTER, 0, "simu", ""},
	{"u" ENTER, &plain, 0, REQUEST_USER, 0, "", ""},
	{"u<END>x" ENTER, &set, 0, REQUEST_USER, 0, "alicex", ""},
	{"w" ENTER, &plain, 0, REQUEST_WATCH, 0, "", ""},
	{"w<END>2" ENTER, &set, 0, REQUEST_WATCH, 0, "47112", ""},
	{"W" ENTER, &plain, 0, REQUEST_WRITE, 0, "/etc/read.rc", ""},
	{"Wother file" ENTER, &plain, 0, REQUEST_WRITE, 0, "other file", ""},
	{"W" CTRL_U ENTER, &plain, 0, REQUEST_NONE, 0, "", ""},
	{"k" ENTER ENTER, &plain, 77, REQUEST_KILL, SIGTERM, "77", ""},
	{"k" ENTER "KILL" ENTER, &plain, 77, REQUEST_KILL, SIGKILL, "77", ""},
	{"k12" ENTER "sighup" ENTER, &plain, 77, REQUEST_KILL, SIGHUP, "12", ""},
	{"k" ENTER, &plain, 77, REQUEST_NONE, 0, "", ""},
	{"k" ENTER ESC, &plain, 77, REQUEST_NONE, 0, "", ""},
	{"k" ENTER CTRL_U ENTER, &plain, 77, REQUEST_NONE, 0, "", ""},
	{"k" ENTER, &plain, 0, REQUEST_NONE, 0, "", ""},
	{"k0" ENTER, &plain, 77, REQUEST_NONE, 0, "", "the pid"},
	{"k-5" ENTER, &plain, 77, REQUEST_NONE, 0, "", "the pid"},
	{"kinit" ENTER, &plain, 77, REQUEST_NONE, 0, "", "the pid"},
	{"k" ENTER "TREM" ENTER, &plain, 77, REQUEST_NONE, 0, "", "there is no signal 'TREM'"},
	{"k12" CTRL_L ENTER "9" ENTER, &plain, 0, REQUEST_KILL, SIGKILL, "12", ""},
	{"k12x" ENTER BACK ENTER "9x" ENTER BACK ENTER, &plain, 0, REQUEST_KILL, SIGKILL, "12", ""},
	{"piKHq" ENTER, &plain, 0, REQUEST_FILTER, 0, "iKHq", ""},
};

/* From the initial state, keys lead to this request, or to the reason why there is none. */
static void test_requests(void)
{
	struct screen_list none = SCREEN_LIST_INIT;

	for (size_t i = 0; i < sizeof(request_table) / sizeof(request_table[0]); i++) {
		const struct task task = {.kind = &kind_task,
					  .id = (uint64_t)request_table[i].victim,
					  .owner = (uint64_t)request_table[i].victim};
		struct frame_row row = {.task = &task};
		const struct frame frame = {.row = &row, .n = request_table[i].victim != 0};
		struct ui_state ui = {.frame = &frame, .ask.path = "/etc/read.rc"};
		struct view view = *request_table[i].view;
		unsigned reaction = REACT_NONE;

		for (const char *key = request_table[i].keys; *key;) {
			tap_ok(!(reaction & REACT_REQUEST),
			       "row %zu: no request before the last key", i);
			reaction = keys_apply(&ui, &view, &none, next_key(&key));
			if (ui.ask.ready.kind == REQUEST_HOLD) {
				tap_int(ui.tasks[0].pid, request_table[i].victim, "row %zu: k", i);
				ui.ask.ready.kind = REQUEST_NONE;
				reaction = REACT_NONE;
			}
		}
		tap_int(reaction & REACT_REQUEST, request_table[i].kind ? REACT_REQUEST : 0,
			"row %zu: announced", i);
		tap_int(ui.ask.ready.kind, request_table[i].kind, "row %zu: the kind of request",
			i);
		tap_str(ui.ask.ready.text, request_table[i].text, "row %zu: its text is '%s'", i,
			request_table[i].text);
		tap_int(ui.ask.ready.signal, request_table[i].signal, "row %zu: its signal", i);
		tap_ok(*request_table[i].message
			       ? ui.ask.mode == ASK_PROMPT &&
					 strstr(ui.ask.text, request_table[i].message)
			       : !*ui.ask.text,
		       "row %zu: the reason '%s'", i, request_table[i].message);
		tap_ok(!memcmp(&view, request_table[i].view, sizeof(view)),
		       "row %zu: the view has not changed", i);
		ui_state_done(&ui);
	}
}

#define ASK(what, answer, number)                                                                  \
	{                                                                                          \
		.kind = what, .text = answer, .signal = number                                     \
	}

/* If the loop cannot do a request, the prompt opens again with the text and the error, and all keys
 * are text again. */
static void test_refusal(void)
{
	static const struct {
		struct request refused;
		const char *keys;
		struct request then;
	} row[] = {
		{ASK(REQUEST_DELAY, "soon", 0), CTRL_U "1" ENTER, ASK(REQUEST_DELAY, "1", 0)},
		{ASK(REQUEST_USER, "alicd", 0), BACK "e" ENTER, ASK(REQUEST_USER, "alice", 0)},
		{ASK(REQUEST_FILTER, "99999999999", 0), "qiK" ENTER,
		 ASK(REQUEST_FILTER, "99999999999qiK", 0)},
		{ASK(REQUEST_KILL, "12", SIGHUP), "3" ENTER ENTER,
		 ASK(REQUEST_KILL, "123", SIGHUP)},
		{ASK(REQUEST_WRITE, "/x/y", 0), "z" ENTER, ASK(REQUEST_WRITE, "/x/yz", 0)},
		{ASK(REQUEST_OVERWRITE, "/x/y", 0), "z" ENTER, ASK(REQUEST_WRITE, "/x/yz", 0)},
		{ASK(REQUEST_WATCH, "0x", 0), ESC, ASK(REQUEST_NONE, "", 0)},
	};
	struct screen_list none = SCREEN_LIST_INIT;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct ui_state ui = {0};
		struct view view = plain;

		ask_refuse(&ui.ask, &row[i].refused, "the reason");
		tap_str(ui.ask.prompt.text, row[i].refused.text, "refusal %zu: the answer is there",
			i);
		tap_str(ui.ask.text, "the reason", "refusal %zu: so is the reason", i);
		for (const char *key = row[i].keys; *key;)
			keys_apply(&ui, &view, &none, next_key(&key));
		tap_int(ui.ask.ready.kind, row[i].then.kind, "refusal %zu: the request then", i);
		tap_str(ui.ask.ready.text, row[i].then.text, "refusal %zu: its text", i);
		tap_int(ui.ask.ready.signal, row[i].then.signal, "refusal %zu: its signal", i);
		tap_ok(!memcmp(&view, &plain, sizeof(view)),
		       "refusal %zu: the view has not changed", i);
		ask_open(&ui.ask, REQUEST_DELAY, &view);
		tap_str(ui.ask.text, "", "refusal %zu: another prompt begins without a reason", i);
	}
}

/* A text that is too long to be edited is not offered: ENTER would set its beginning only. */
static void test_too_long(void)
{
	static const char keys[] = {'p', 'w', 'u'};
	static char text[REQUEST_TEXT_MAX + 1];
	struct screen_list none = SCREEN_LIST_INIT;

	for (size_t i = 0; i < 2 * sizeof(keys); i++) {
		bool fits = i % 2;
		struct ui_state ui = {0};
		struct view view = plain;

		memset(text, 'x', sizeof text - 1);
		text[REQUEST_TEXT_MAX - fits] = '\0';
		view.filter.text = view.watch.text = view.uid_name = text;
		view.watching = true;
		keys_apply(&ui, &view, &none, keys[i / 2]);
		tap_str(ui.ask.prompt.text, fits ? text : "", "%c, %zu bytes: what is offered",
			keys[i / 2], strlen(text));
		tap_str(ui.ask.text,
			fits ? "" : "what is set now is too long to be edited here: ESC keeps it",
			"%c, %zu bytes: what is said", keys[i / 2], strlen(text));
		tap_int(keys_apply(&ui, &view, &none, KEYCODE_ESC), REACT_PAINT,
			"ESC changes nothing");
		tap_int(ui.ask.mode, ASK_NOTHING, "and closes the prompt");
	}
}

static void test_question(void)
{
	static const struct request then = {.kind = REQUEST_OVERWRITE, .text = "a file"};
	static const struct {
		const char *keys;
		unsigned reaction; /* to the last key */
		bool yes, open;
	} row[] = {
		{"y", REACT_REQUEST | REACT_PAINT, true, false},
		{"Y", REACT_REQUEST | REACT_PAINT, true, false},
		{"n", REACT_PAINT, false, false},
		{"N", REACT_PAINT, false, false},
		{ESC, REACT_PAINT, false, false},
		{CTRL_C, REACT_PAINT, false, false},
		{CTRL_G, REACT_PAINT, false, false},
		{ENTER, REACT_NONE, false, true},
		{"i", REACT_NONE, false, true},
		{"qy", REACT_REQUEST | REACT_PAINT, true, false},
	};
	struct screen_list none = SCREEN_LIST_INIT;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct ui_state ui = {0};
		struct view view = plain;
		unsigned reaction = REACT_NONE;

		ask_question(&ui.ask, "overwrite? (y/n)", &then);
		for (const char *key = row[i].keys; *key;)
			reaction = keys_apply(&ui, &view, &none, next_key(&key));
		tap_int(reaction, row[i].reaction, "question %zu: the reaction", i);
		tap_ok(!memcmp(&view, &plain, sizeof(view)),
		       "question %zu: the view has not changed", i);
		tap_int(ui.ask.ready.kind, row[i].yes ? REQUEST_OVERWRITE : REQUEST_NONE,
			"question %zu: the answer", i);
		tap_str(ui.ask.ready.text, row[i].yes ? "a file" : "", "question %zu: the file", i);
		tap_int(ask_takes_keys(&ui.ask), row[i].open, "question %zu: %s", i,
			row[i].open ? "open" : "closed");
	}
}

static void test_command_question(void)
{
	static const struct request leave = {.kind = REQUEST_LEAVE};
	static const struct {
		const char *keys;
		enum request_kind made;
		bool open;
	} row[] = {
		{"e", REQUEST_END, false},  {"E", REQUEST_END, false},  {"l", REQUEST_LEAVE, false},
		{ESC, REQUEST_NONE, false}, {"n", REQUEST_NONE, false}, {"y", REQUEST_NONE, true},
		{"q", REQUEST_NONE, true},  {"qe", REQUEST_END, false},
	};
	struct screen_list none = SCREEN_LIST_INIT;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct ui_state ui = {0};
		struct view view = plain;

		ask_question(&ui.ask, "end it (e) or leave it (l)?", &leave);
		for (const char *key = row[i].keys; *key;)
			keys_apply(&ui, &view, &none, next_key(&key));
		tap_int(ui.ask.ready.kind, row[i].made,
			"what becomes of the command %zu: the request", i);
		tap_int(ask_takes_keys(&ui.ask), row[i].open,
			"what becomes of the command %zu: open or not", i);
	}
}

static void test_message(void)
{
	struct screen_list none = SCREEN_LIST_INIT;
	struct ui_state ui = {0};
	struct view view = plain;

	ask_message(&ui.ask, "done");
	tap_int(keys_apply(&ui, &view, &none, KEYCODE_ESC), REACT_PAINT,
		"a key that changes nothing");
	tap_int(ui.ask.mode, ASK_NOTHING, "clears a message");
	tap_int(keys_apply(&ui, &view, &none, KEYCODE_ESC), REACT_NONE, "and then does nothing");
	ask_message(&ui.ask, "done");
	tap_int(keys_apply(&ui, &view, &none, 'c'), REACT_PAINT | REACT_REBUILD,
		"another clears it");
	tap_ok(view.show_cmdline, "and does its work");
	ask_message(&ui.ask, "done");
	tap_int(keys_apply(&ui, &view, &none, 'p'), REACT_PAINT, "p clears it");
	tap_int(ui.ask.mode, ASK_PROMPT, "and opens its prompt");
	ask_message(&ui.ask, "done");
	tap_int(ui.ask.mode, ASK_MESSAGE, "a message takes the place of a prompt");
}

int main(void)
{
	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	test_editing();
	test_limit();
	test_painting();
	test_signals();
	test_requests();
	test_refusal();
	test_too_long();
	test_question();
	test_command_question();
	test_message();
	return tap_done();
}
