/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/winsize.h"

#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/num.h"

bool winsize_ask(int fd, int *width, int *height)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size))
		return false;
	*width = size.ws_col;
	*height = size.ws_row;
	return *width > 0 && *width <= WINSIZE_WIDTH_MAX && *height > 0 &&
	       *height <= WINSIZE_HEIGHT_MAX;
}

void winsize_check_environment(int fd)
{
	static const struct {
		const char *name;
		long max;
		const char *usual;
	} sides[] = {{"LINES", WINSIZE_HEIGHT_MAX, "24"}, {"COLUMNS", WINSIZE_WIDTH_MAX, "80"}};
	int width = 0, height = 0;
	bool known = winsize_ask(fd, &width, &height);

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		const char *text = getenv(sides[i].name);
		long n;

		if (text && !num_parse_int(text, sides[i].name, 1, sides[i].max, &n, NULL))
			continue;
		/* If the terminal has no size (0 x 0), curses uses the size of terminfo. */
		if (known || (!width && !height))
			unsetenv(sides[i].name);
		else
			setenv(sides[i].name, sides[i].usual, 1);
	}
}
