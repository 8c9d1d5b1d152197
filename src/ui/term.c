/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/term.h"

#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "ui/keys.h"

#define ESCAPE_DELAY_MS 25

static struct {
	SCREEN *screen;
	bool colour, interrupt_taken;
	struct canvas shown; /* what curses was told last */
} term;

/* How each look is shown, on a terminal with colours and on one without. */
static const struct {
	short colour; /* -1: as it is */
	attr_t with, without;
} style[N_LOOKS] = {
	[LOOK_NORMAL] = {-1, A_NORMAL, A_NORMAL},          [LOOK_FAINT] = {-1, A_DIM, A_DIM},
	[LOOK_ROUGH] = {COLOR_CYAN, A_NORMAL, A_DIM},      [LOOK_DEAD] = {COLOR_RED, A_NORMAL, A_UNDERLINE},
	[LOOK_WATCHED] = {COLOR_GREEN, A_BOLD, A_REVERSE}, [LOOK_HEADER] = {-1, A_REVERSE, A_REVERSE},
	[LOOK_NOTE] = {COLOR_YELLOW, A_NORMAL, A_BOLD},
};

/* What a crash has to do: written while the terminal is being taken, read by the handler. */
static struct {
	volatile sig_atomic_t taken;
	struct termios saved;
	char reset[256];
	size_t reset_len;
} emergency;

/* Signals that end the program by its own fault. */
static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

#define N_FATAL (sizeof(fatal) / sizeof(fatal[0]))

static struct sigaction fatal_before[N_FATAL];

void term_emergency(void)
{
	ssize_t written;

	if (!emergency.taken)
		return;
	emergency.taken = 0;
	written = write(STDOUT_FILENO, emergency.reset, emergency.reset_len);
	(void)written; /* there is nothing left to try */
	tcsetattr(STDIN_FILENO, TCSANOW, &emergency.saved);
}

/* Restores the terminal and lets the signal do what it would have done without us. */
static void on_fatal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	term_emergency();
	for (size_t i = 0; i < N_FATAL; i++)
		if (fatal[i] == sig)
			sigaction(sig, &fatal_before[i], NULL);
	/* A fault comes back when its instruction is tried again; a signal that was sent does not. */
	if (info->si_code <= 0)
		raise(sig);
}

/* Adds the terminal's string for a capability, without its padding ("$<5>"). */
static void add_capability(const char *name)
{
	const char *s = tigetstr(name);

	if (!s || s == (const char *)-1)
		return;
	while (*s && emergency.reset_len < sizeof(emergency.reset)) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else
			emergency.reset[emergency.reset_len++] = *s++;
	}
}

static void emergency_arm(void)
{
	struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_NODEFER};

	emergency.reset_len = 0;
	add_capability("sgr0");
	add_capability("op");
	add_capability("rmkx");
	add_capability("cnorm");
	add_capability("rmcup");
	for (size_t i = 0; i < N_FATAL; i++)
		sigaction(fatal[i], &action, &fatal_before[i]);
	emergency.taken = 1;
}

static void emergency_disarm(void)
{
	emergency.taken = 0;
	for (size_t i = 0; i < N_FATAL; i++)
		sigaction(fatal[i], &fatal_before[i], NULL);
}

/* newterm() puts handlers of its own in place; they would write to the terminal and exit behind the loop's back. */
static SCREEN *new_screen(void)
{
	static const int taken[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	struct sigaction before[sizeof(taken) / sizeof(taken[0])];
	SCREEN *screen;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaction(taken[i], NULL, &before[i]);
	screen = newterm(NULL, stdout, stdin);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaction(taken[i], &before[i], NULL);
	return screen;
}

static void init_colours(void)
{
	const char *no_colour = getenv("NO_COLOR");

	if ((no_colour && *no_colour) || !has_colors() || start_color() == ERR)
		return;
	term.colour = use_default_colors() == OK;
	for (short i = 0; term.colour && i < N_LOOKS; i++)
		if (style[i].colour >= 0)
			init_pair((short)(i + 1), style[i].colour, -1);
}

static void init_modes(void)
{
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	typeahead(-1); /* a key that waits does not put off the painting */
	init_colours();
}

/* Asked before the terminal is touched. */
static bool known_terminal_type(void)
{
	int status;
	bool known;

	if (setupterm(NULL, STDOUT_FILENO, &status) == ERR)
		return false;
	known = cursor_address != NULL;
	del_curterm(cur_term);
	return known;
}

static int no_terminal_type(struct err *err)
{
	const char *name = getenv("TERM");

	if (!name || !*name)
		return err_set(err, ENOENT,
			       "the environment variable TERM is not set: set it to the type of this terminal, "
			       "or use -b for text");
	return err_set(
		err, ENOENT,
		"the terminal type '%s' ($TERM) is not known here, or cannot place the cursor: set TERM, or use -b "
		"for text",
		name);
}

int term_open(struct err *err)
{
	if (!isatty(STDOUT_FILENO))
		return err_set(err, ENOTTY, "standard output is no terminal: use -b for text");
	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &emergency.saved) < 0)
		return err_set(err, ENOTTY, "standard input is no terminal, so there are no keys: use -b for text");
	setlocale(LC_CTYPE, "");
	set_escdelay(ESCAPE_DELAY_MS);
	if (!known_terminal_type())
		return no_terminal_type(err);
	term.screen = new_screen();
	if (!term.screen)
		return no_terminal_type(err);
	emergency_arm();
	init_modes();
	term_resize();
	return 0;
}

void term_close(void)
{
	term_take_interrupt(false);
	endwin();
	emergency_disarm();
	delscreen(term.screen);
	canvas_done(&term.shown);
}

int term_fd(void)
{
	return STDIN_FILENO;
}

void term_size(int *width, int *height)
{
	getmaxyx(stdscr, *height, *width);
}

void term_resize(void)
{
	struct winsize size;

	term.shown.width = 0;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
		resizeterm(size.ws_row, size.ws_col);
	/* Even at the same size: the terminal may have become smaller and larger again, and have lost text. */
	clearok(curscr, TRUE);
}

static void show_cell(int x, int y, const struct cell *cell)
{
	int look = LOOK_OF(cell->attr);
	attr_t attr = term.colour ? style[look].with : style[look].without;
	short pair = term.colour && style[look].colour >= 0 ? (short)(look + 1) : 0;
	wchar_t text[2] = {cell->ch, L'\0'};
	cchar_t out;

	if (cell->attr & LOOK_STRONG)
		attr |= A_BOLD;
	if (setcchar(&out, text, attr, pair, NULL) == OK)
		mvadd_wch(y, x, &out);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->attr == b->attr;
}

/* Cells that are as they were are not handed to curses, whose work for a cell is most of what painting costs. */
static void show_changes(const struct canvas *c, struct canvas *shown)
{
	bool all = c->width != shown->width || c->height != shown->height;

	if (all)
		canvas_resize(shown, c->width, c->height);
	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++) {
			const struct cell *cell = &c->cell[y * c->width + x];
			struct cell *old = &shown->cell[y * c->width + x];
			/* The other half goes with it. */
			bool wide = cell->ch == 0 || old->ch == 0 ||
				    (x + 1 < c->width && (cell[1].ch == 0 || old[1].ch == 0));

			if (cell->ch != 0 && (all || wide || !same_cell(cell, old)))
				show_cell(x, y, cell);
		}
	if (c->width && c->height)
		memcpy(shown->cell, c->cell, (size_t)c->width * (size_t)c->height * sizeof *c->cell);
}

void term_show(const struct canvas *c, bool redraw)
{
	show_changes(c, &term.shown);
	if (redraw)
		clearok(curscr, TRUE);
	refresh();
}

/* Characters come byte by byte. */
bool term_read_key(int *key)
{
	static const struct {
		int curses, key;
	} special[] = {
		{KEY_UP, KEYCODE_UP},
		{KEY_DOWN, KEYCODE_DOWN},
		{KEY_LEFT, KEYCODE_LEFT},
		{KEY_RIGHT, KEYCODE_RIGHT},
		{KEY_PPAGE, KEYCODE_PGUP},
		{KEY_NPAGE, KEYCODE_PGDN},
		{KEY_HOME, KEYCODE_HOME},
		{KEY_END, KEYCODE_END},
		{KEY_DC, KEYCODE_DELETE},
		{KEY_ENTER, KEYCODE_ENTER},
		{KEY_BACKSPACE, KEYCODE_BACKSPACE},
		{KEY_F(1), KEYCODE_F1},
		{KEY_F(10), KEYCODE_F10},
	};
	int got;

	/* resizeterm() puts in a key that nobody has pressed. */
	do
		got = getch();
	while (got == KEY_RESIZE);
	if (got == ERR)
		return false;
	*key = got < KEYCODE_FIRST ? got : KEYCODE_OTHER;
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (special[i].curses == got)
			*key = special[i].key;
	return true;
}

void term_take_interrupt(bool take)
{
	struct termios modes;

	if (take == term.interrupt_taken || tcgetattr(STDIN_FILENO, &modes) < 0)
		return;
	modes.c_cc[VINTR] = take ? _POSIX_VDISABLE : emergency.saved.c_cc[VINTR];
	if (tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0)
		term.interrupt_taken = take;
}

bool term_lost(void)
{
	struct pollfd fd = {.fd = term_fd(), .events = POLLIN};

	return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR | POLLNVAL));
}

void term_suspend(void)
{
	term_take_interrupt(false);
	endwin();
	emergency_disarm();
}

void term_resume(void)
{
	emergency_arm();
	reset_prog_mode();
	term_resize();
}
