/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "conf/theme.h"
#include "tui/canvas.h"
#include "tui/key.h"
#include "tui/keys.h"

/* ---- key ----
 *
 * Keys and mouse events of the terminal, read through ncurses.
 */

/* The length of ncurses' queue of mouse events. */
#define TERM_MOUSE_MAX 8

/* The mouse events that are read from curses but not handled yet, the earliest last. */
struct term_mouse {
	struct mouse v[TERM_MOUSE_MAX];
	size_t n;
};

#define WHEEL_UP   BUTTON4_PRESSED
#define WHEEL_DOWN BUTTON5_PRESSED

/* Makes the terminal report mouse events, or not. */
static void term_key_take_mouse(bool take)
{
	mousemask(take ? BUTTON1_PRESSED | WHEEL_UP | WHEEL_DOWN : 0, NULL);
}

/* Moves the mouse events from curses to `waiting`. curses may have several events, and returns the
 * last one first. */
static void read_mouse(struct term_mouse *waiting)
{
	const uint64_t now_ms = clock_ns(CLOCK_MONOTONIC) / 1000000;
	MEVENT event;

	while (waiting->n < TERM_MOUSE_MAX && getmouse(&event) == OK) {
		struct mouse *mouse = &waiting->v[waiting->n];

		*mouse = (struct mouse){MOUSE_CLICK, event.x, event.y, now_ms};
		if (event.bstate & (WHEEL_UP | WHEEL_DOWN))
			mouse->kind = event.bstate & WHEEL_UP ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
		waiting->n += !!(event.bstate & (BUTTON1_PRESSED | WHEEL_UP | WHEEL_DOWN));
	}
}

/* Reads the next pending key (enum key_code). Returns false if there is none. For KEYCODE_MOUSE,
 * *mouse is the event; further ones stay in `waiting`. Characters come byte by byte. */
static bool term_key_read(struct term_mouse *waiting, int *key, struct mouse *mouse)
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
		{KEY_SLEFT, KEYCODE_S_LEFT},
		{KEY_SRIGHT, KEYCODE_S_RIGHT},
		{KEY_BTAB, KEYCODE_S_TAB},
	};
	int got = ERR;

	/* Skip KEY_RESIZE, which is not a key: resizeterm() adds it. Also skip mouse events that
	 * tiptop does not use, such as the release of a button. */
	while (!waiting->n) {
		got = getch();
		if (got == KEY_MOUSE)
			read_mouse(waiting);
		else if (got != KEY_RESIZE)
			break;
	}
	if (waiting->n) {
		*key = KEYCODE_MOUSE;
		*mouse = waiting->v[--waiting->n];
		return true;
	}
	if (got == ERR)
		return false;
	*key = got < KEYCODE_FIRST ? got : KEYCODE_OTHER;
	if (got >= KEY_F(1) && got <= KEY_F(12))
		*key = KEYCODE_F1 + got - KEY_F(1);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (special[i].curses == got)
			*key = special[i].key;
	return true;
}

/* ---- look ----
 *
 * Converts the looks of a theme to attributes and colour pairs of curses.
 *
 * The palette of the terminal is never changed. The style of a cell is computed once for each
 * combination of attribute and look laid over it.
 */

struct term_shown {
	bool known;
	unsigned attrs; /* attributes of curses (attr_t) */
	short pair;
};

struct term_looks {
	int colours; /* the number of colours used; 0: no colours */
	const struct theme *theme;
	struct term_shown shown[2][N_LOOKS][N_LOOKS];
};

/* Returns whether the terminal takes direct RGB colours: terminfo has RGB as a flag, or as the
 * number of bits of each component. */
static bool takes_rgb(void)
{
	const char *bits = tigetstr("RGB");

	return COLORS >= COLOUR_DIRECT &&
	       (tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (bits && bits != (const char *)-1));
}

static int count_colours(void)
{
	static const int known[] = {256, 16, 8};
	const char *no_colour = getenv("NO_COLOR");

	if ((no_colour && *no_colour) || !has_colors() || start_color() == ERR ||
	    use_default_colors() == ERR)
		return 0;
	if (takes_rgb())
		return COLOUR_DIRECT;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (COLORS >= known[i])
			return known[i];
	return 0;
}

/* Sets l->colours to the number of colours of the terminal; to 0 if the environment has
 * NO_COLOR. */
static void term_looks_init(struct term_looks *l)
{
	l->colours = count_colours();
}

/* Sets the theme to use: `theme`, or `plain` if there are no colours. Returns whether the theme in
 * use has changed. */
static bool term_looks_use(struct term_looks *l, const struct theme *theme,
			   const struct theme *plain)
{
	const struct theme *used = l->colours ? theme : plain;

	if (used == l->theme)
		return false;
	l->theme = used;
	memset(l->shown, 0, sizeof(l->shown));
	return true;
}

/* Returns the number that curses has for a colour; -1: the default colour. With direct RGB colours,
 * the numbers below 8 are still those of the palette. */
static int number_of(struct colour c, int colours)
{
	if (c.kind < COLOUR_INDEX)
		return -1;
	if (colours < COLOUR_DIRECT || (c.kind == COLOUR_INDEX && c.value < 8))
		return (int)c.value;
	if (c.kind == COLOUR_INDEX)
		return (int)colour_of_index(c.value);
	return c.value < 8 ? COLOR_BLACK : (int)c.value;
}

static attr_t attrs_of(uint8_t bits)
{
	return (bits & STYLE_BOLD ? A_BOLD : 0) | (bits & STYLE_DIM ? A_DIM : 0) |
	       (bits & STYLE_UNDERLINE ? A_UNDERLINE : 0) | (bits & STYLE_REVERSE ? A_REVERSE : 0);
}

/* Returns the attributes and the colour pair of a cell. */
static const struct term_shown *term_looks_of(struct term_looks *l, const struct cell *cell)
{
	struct term_shown *shown =
		&l->shown[!!(cell->attr & LOOK_STRONG)][LOOK_OF(cell->attr)][cell->laid];
	struct style style;
	int pair = 0;

	if (shown->known || !l->theme)
		return shown;
	style = theme_style(l->theme, cell->attr, (enum look)cell->laid, l->colours);
	/* The default colours of the terminal need no colour pair. */
	if (style.fg.kind >= COLOUR_INDEX || style.bg.kind >= COLOUR_INDEX)
		pair = alloc_pair(number_of(style.fg, l->colours), number_of(style.bg, l->colours));
	*shown = (struct term_shown){true, attrs_of(style.bits), pair > 0 ? (short)pair : 0};
	return shown;
}

/* ---- term ---- */

#define ESCAPE_DELAY_MS 25

static struct {
	SCREEN *screen;
	FILE *out;
	bool interrupt_taken, mouse_taken;
	struct term_mouse mouse;
	struct term_looks looks;
	struct canvas shown; /* the canvas that was passed to curses last */
	int repaints;        /* how many of the next paintings write every cell */
} term;

/* The data for the handler of fatal signals. `taken` is set after the other members. */
static struct {
	volatile sig_atomic_t taken;
	struct termios saved;
	char reset[256];
	size_t reset_len;
	struct sigaction before[NSIG];
} emergency;

/* A terminal may accept no output (Ctrl-S, or no reader of a pseudo terminal). Such a terminal
 * would block curses in write(2), while blocked signals that should end the program are pending.
 * Therefore, while curses writes, a timer looks for such signals. If one of them is pending, the
 * rest of the output is dropped: curses writes to a descriptor that nothing else uses, and the
 * handler of the timer redirects this descriptor to /dev/null. */
static struct {
	int out_fd, null_fd;
	timer_t timer;
	volatile sig_atomic_t at_once; /* drop output even without a pending signal */
	volatile sig_atomic_t dropped; /* output was dropped */
} output_timer = {.out_fd = -1, .null_fd = -1};

#define PATIENCE_MS     250
#define PATIENCE_SIGNAL SIGRTMIN

/* Writes the codes that reset the terminal, without blocking. Returns whether all were written. */
static bool write_reset(void)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);
	ssize_t n;

	fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
	n = write(STDOUT_FILENO, emergency.reset, emergency.reset_len);
	fcntl(STDOUT_FILENO, F_SETFL, flags);
	return n == (ssize_t)emergency.reset_len;
}

/* Restores the terminal as well as possible, if it is taken; async-signal-safe, for handlers of
 * fatal signals. */
static void term_emergency(void)
{
	struct termios running = emergency.saved;

	if (!emergency.taken)
		return;
	emergency.taken = 0;
	if (!write_reset()) {
		/* Drop the pending output; clearing IXON ends a stop by Ctrl-S. */
		running.c_iflag &= ~(tcflag_t)IXON;
		tcflush(STDOUT_FILENO, TCOFLUSH);
		tcsetattr(STDIN_FILENO, TCSANOW, &running);
		write_reset();
	}
	tcsetattr(STDIN_FILENO, TCSANOW, &emergency.saved);
}

/* Returns whether the kernel will raise the signal again when the handler returns, as the
 * instruction that caused the signal is repeated. */
static bool is_raised_again(const siginfo_t *info)
{
	switch (info->si_signo) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
		return info->si_code > 0;
	default:
		return false;
	}
}

/* Restores the terminal, then the previous disposition of the signal, and raises it again. */
static void on_fatal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	term_emergency();
	sigaction(sig, &emergency.before[sig], NULL);
	if (!is_raised_again(info))
		raise(sig);
}

static void on_output_timer(int sig, siginfo_t *info, void *context)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	bool ending = output_timer.at_once;
	int error = errno;
	sigset_t waiting;

	if (info->si_code != SI_TIMER) {
		on_fatal(sig, info, context);
		return;
	}
	sigpending(&waiting);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		ending = ending || sigismember(&waiting, ends[i]) == 1;
	if (ending && dup3(output_timer.null_fd, output_timer.out_fd, O_CLOEXEC) >= 0)
		output_timer.dropped = 1;
	errno = error;
}

static void set_output_timer(bool on)
{
	const struct timespec t = {0, on ? PATIENCE_MS * 1000000L : 0};
	const struct itimerspec every = {t, t};

	timer_settime(output_timer.timer, 0, &every, NULL);
}

/* Returns whether the default action of a signal does not end the program, or the signal cannot be
 * caught. */
static bool is_harmless(int sig)
{
	static const int harmless[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
				       SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};

	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (harmless[i] == sig)
			return true;
	return false;
}

/* Returns whether a capability of terminfo is present. */
static bool is_capability(const char *s)
{
	return s && s != (const char *)-1;
}

/* Appends a string capability to the reset codes, if it is present, without padding ("$<5>"). */
static void add_string(const char *s)
{
	if (!is_capability(s))
		return;
	while (*s && emergency.reset_len < sizeof(emergency.reset)) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>') + 1;
		else
			emergency.reset[emergency.reset_len++] = *s++;
	}
}

static void add_capability(const char *name)
{
	add_string(tigetstr(name));
}

/* Appends the code that turns mouse reports off. If terminfo lacks the code, uses that of xterm, as
 * curses does. */
static void add_mouse_off(void)
{
	const char *mode = tigetstr("XM");

	if (is_capability(tigetstr("kmous")))
		add_string(is_capability(mode) ? tiparm(mode, 0) : "\033[?1000l");
}

static void emergency_arm(void)
{
	struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO};

	emergency.reset_len = 0;
	add_capability("sgr0");
	add_capability("op");
	add_capability("rmkx");
	add_mouse_off();
	add_capability("cnorm");
	add_capability("rmcup");
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction *before = &emergency.before[sig];

		if (is_harmless(sig) || sig == PATIENCE_SIGNAL || sigaction(sig, NULL, before) ||
		    before->sa_handler == SIG_IGN)
			continue;
		sigaction(sig, &action, NULL);
	}
	emergency.taken = 1;
}

static void emergency_disarm(void)
{
	struct sigaction now;

	emergency.taken = 0;
	for (int sig = 1; sig < NSIG; sig++)
		if (!sigaction(sig, NULL, &now) && now.sa_flags & SA_SIGINFO &&
		    now.sa_sigaction == on_fatal)
			sigaction(sig, &emergency.before[sig], NULL);
}

/* Opens the descriptor that curses writes to, and the timer that may redirect it. */
static int open_output(struct err *err)
{
	struct sigaction action = {.sa_sigaction = on_output_timer, .sa_flags = SA_SIGINFO};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = PATIENCE_SIGNAL};
	sigset_t set;

	output_timer.out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	output_timer.null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (output_timer.out_fd < 0 || output_timer.null_fd < 0)
		return err_set(err, errno, "cannot open %s: %s",
			       output_timer.out_fd < 0 ? "the terminal" : "/dev/null",
			       strerror(errno));
	term.out = fdopen(output_timer.out_fd, "w");
	if (!term.out || timer_create(CLOCK_MONOTONIC, &event, &output_timer.timer))
		return err_set(err, errno, "cannot watch the terminal: %s", strerror(errno));
	sigaction(PATIENCE_SIGNAL, &action, &emergency.before[PATIENCE_SIGNAL]);
	sigemptyset(&set);
	sigaddset(&set, PATIENCE_SIGNAL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return 0;
}

/* Calls newterm() and restores the signal handlers that it replaces: those of ncurses would write
 * to the terminal and exit, bypassing the loop. */
static SCREEN *new_screen(void)
{
	static const int taken[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	struct sigaction before[sizeof(taken) / sizeof(taken[0])];
	SCREEN *screen;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaction(taken[i], NULL, &before[i]);
	screen = newterm(NULL, term.out, stdin);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaction(taken[i], &before[i], NULL);
	return screen;
}

static void init_modes(void)
{
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	typeahead(-1);    /* do not postpone painting while a key is pending */
	mouseinterval(0); /* do not delay clicks to detect double clicks */
	term_looks_init(&term.looks);
}

/* Returns whether terminfo knows the type of the terminal, and the terminal can place the cursor.
 * Changes nothing on the terminal. */
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
			       "the environment variable TERM is not set: set it to the type of "
			       "this terminal, or use -b for text");
	return err_set(err, ENOENT,
		       "the terminal type '%s' ($TERM) is not known here, or cannot place the "
		       "cursor: set TERM, or use -b for text",
		       name);
}

int term_open(struct err *err)
{
	int ret;

	if (!isatty(STDOUT_FILENO))
		return err_set(err, ENOTTY, "standard output is not a terminal: use -b for text");
	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &emergency.saved) < 0)
		return err_set(
			err, ENOTTY,
			"standard input is not a terminal, so there are no keys: use -b for text");
	setlocale(LC_CTYPE, "");
	set_escdelay(ESCAPE_DELAY_MS);
	if (!known_terminal_type())
		return no_terminal_type(err);
	ret = open_output(err);
	if (ret)
		return ret;
	winsize_check_environment(STDOUT_FILENO);
	set_output_timer(true);
	term.screen = new_screen();
	if (!term.screen) {
		set_output_timer(false);
		return no_terminal_type(err);
	}
	emergency_arm();
	init_modes();
	term_resize();
	set_output_timer(false);
	return 0;
}

/* Leaves curses' screen. On a terminal without an alternate screen, the painted text stays: clears
 * its last line for the output that follows. */
static void leave_screen(void)
{
	set_output_timer(true);
	if (!enter_ca_mode) {
		move(LINES - 1, 0);
		clrtoeol();
		refresh();
	}
	endwin();
	set_output_timer(false);
}

void term_close(bool at_once)
{
	term_set_intr(false);
	output_timer.at_once = at_once;
	leave_screen();
	if (output_timer.dropped)
		term_emergency();
	emergency_disarm();
	delscreen(term.screen);
	timer_delete(output_timer.timer);
	fclose(term.out);
	close(output_timer.null_fd);
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
	int width, height;

	term.shown.width = 0;

	if (winsize_ask(STDOUT_FILENO, &width, &height))
		resizeterm(height, width);
	/* Write every cell even if the size is the same: the terminal may have lost text. Do so
	 * once more with the next refresh: a terminal that reports its size while it still
	 * rearranges its lines loses text that is written meanwhile. */
	term.repaints = 2;
}

void term_use_theme(const struct theme *theme, const struct theme *plain)
{
	if (term_looks_use(&term.looks, theme, plain))
		term.shown.width = 0;
}

const struct theme *term_theme(void)
{
	return term.looks.theme;
}

static void show_cell(int x, int y, const struct cell *cell)
{
	const struct term_shown *look = term_looks_of(&term.looks, cell);
	wchar_t text[2] = {cell->ch, L'\0'};
	cchar_t out;

	if (setcchar(&out, text, look->attrs, look->pair, NULL) == OK)
		mvadd_wch(y, x, &out);
}

static void show_line(const struct canvas *c, const struct canvas *shown, int y, bool all)
{
	for (int x = 0; x < c->width; x++) {
		const struct cell *cell = &c->cell[y * c->width + x];
		const struct cell *old = &shown->cell[y * c->width + x];
		/* Both halves of a wide character are written together. */
		bool wide = cell->ch == 0 || old->ch == 0 ||
			    (x + 1 < c->width && (cell[1].ch == 0 || old[1].ch == 0));

		if (cell->ch != 0 && (all || wide || !canvas_same_cell(cell, old)))
			show_cell(x, y, cell);
	}
}

/* Passes only the changed cells to curses, as its work for each cell is most of the cost of
 * painting. Compares whole lines first, as most lines are unchanged. */
static void show_changes(const struct canvas *c, struct canvas *shown)
{
	const size_t line = (size_t)c->width * sizeof *c->cell;
	bool all = c->width != shown->width || c->height != shown->height;

	if (all)
		canvas_resize(shown, c->width, c->height);
	for (int y = 0; y < c->height && line; y++) {
		if (!all && canvas_same_line(c, shown, y))
			continue;
		show_line(c, shown, y, all);
		memcpy(&shown->cell[y * c->width], &c->cell[y * c->width], line);
	}
}

void term_show(const struct canvas *c, bool redraw)
{
	show_changes(c, &term.shown);
	if (redraw || term.repaints)
		clearok(curscr, TRUE);
	term.repaints -= term.repaints > 0;
	set_output_timer(true);
	refresh();
	set_output_timer(false);
}

void term_set_mouse(bool take)
{
	if (take == term.mouse_taken)
		return;
	term.mouse_taken = take;
	term_key_take_mouse(take);
}

bool term_read_key(int *key, struct mouse *mouse)
{
	return term_key_read(&term.mouse, key, mouse);
}

void term_set_intr(bool take)
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
	unsigned char key;
	ssize_t n;

	if (poll(&fd, 1, 0) <= 0)
		return false;
	if (fd.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	/* There is input that curses has not returned. Try to read it: this fails if the terminal
	 * belongs to other processes. */
	n = read(fd.fd, &key, 1);
	if (n == 1)
		ungetch(key);
	return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

void term_suspend(void)
{
	term_set_intr(false);
	leave_screen();
	emergency_disarm();
}

void term_resume(void)
{
	emergency_arm();
	reset_prog_mode();
	term_resize();
}
