/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of xml: where the configuration file is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "conf/xml.h"

#define FILE_NAME  ".tiptoprc"
#define PLAIN_NAME "tiptoprc"

/* O_NONBLOCK: a pipe must not hold the program. */
#define FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

static int find_check_kind(int *fd, char **path, struct err *err)
{
	struct stat st;

	if (!fstat(*fd, &st) && S_ISREG(st.st_mode))
		return 0;
	err_set(err, EPERM, "the configuration '%s' is a pipe or a device: name a regular file",
		*path);
	close(*fd);
	free(*path);
	*fd = -1;
	*path = NULL;
	return -EPERM;
}

/* Opens the file that the user has named. */
static int find_given(const char *given, char **path, int *fd, struct err *err)
{
	struct stat st;
	int folder, rc = 0;

	*fd = open(given, FLAGS);
	if (*fd < 0 || fstat(*fd, &st))
		return err_set(err, errno, "cannot open the configuration '%s': %s", given,
			       strerror(errno));
	if (!S_ISDIR(st.st_mode)) {
		*path = xstrdup(given);
		return find_check_kind(fd, path, err);
	}
	folder = *fd;
	*fd = openat(folder, FILE_NAME, FLAGS);
	if (*fd < 0)
		rc = err_set(err, errno, "cannot open %s in the folder '%s': %s", FILE_NAME, given,
			     strerror(errno));
	else
		*path = xasprintf("%s/%s", given, FILE_NAME);
	close(folder);
	return rc ? rc : find_check_kind(fd, path, err);
}

/* The reason why a file is not taken from a folder that the user has not named, or NULL. */
static const char *find_distrust(const struct stat *st)
{
	if (st->st_uid != getuid() && st->st_uid != 0)
		return "somebody else owns it; -W takes it all the same";
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return "others may write it; 'chmod go-w' makes it safe, -W takes it as it is";
	return NULL;
}

/* Without a change of errno. */
static bool is_link(const char *path)
{
	const int error = errno;
	struct stat st;
	const bool is = !lstat(path, &st) && S_ISLNK(st.st_mode);

	errno = error;
	return is;
}

/* Opens a file of the search; -1 where it is not there or not taken. A file that was refused once,
 * as *refused says, is refused under its other names, too. */
static int find_open(const char *path, bool named, struct stat *refused, screen_report report,
		     void *context)
{
	struct err err = ERR_INIT;
	const char *why = NULL;
	struct stat st = {0};
	int fd;

	fd = open(path, FLAGS);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR) && !is_link(path))
		return -1;
	if (fd < 0 && errno == ENOENT) {
		why = "it is a link to what is not there";
	} else if (fd < 0 || fstat(fd, &st)) {
		why = strerror(errno);
	} else if (st.st_dev == refused->st_dev && st.st_ino == refused->st_ino) {
		close(fd);
		return -1;
	} else if (!S_ISREG(st.st_mode)) {
		why = "it is no regular file";
	} else if (!named) {
		why = find_distrust(&st);
	}
	if (!why)
		return fd;
	err_set(&err, EPERM, "'%s' is passed over: %s", path, why);
	report(context, 0, &err);
	if (fd >= 0) {
		*refused = st;
		close(fd);
	}
	return -1;
}

/* A folder to search, and the name of the file there, which need not be hidden in those of the XDG
 * base directories. */
struct place {
	char *folder; /* NULL: none */
	const char *name;
	bool named; /* the user has named it, so that it does not matter whose file it is */
};

#define N_PLACES 5

static char *copy_folder(const char *text)
{
	return text && text[0] ? xstrdup(text) : NULL;
}

/* $XDG_CONFIG_HOME, which has to be absolute, or the default that the XDG specification gives. */
static char *xdg_folder(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return xasprintf("%s/tiptop", xdg);
	return home && home[0] ? xasprintf("%s/.config/tiptop", home) : NULL;
}

static void list_places(struct place place[N_PLACES])
{
	place[0] = (struct place){xstrdup("."), FILE_NAME, false};
	place[1] = (struct place){copy_folder(getenv("TIPTOP")), FILE_NAME, true};
	place[2] = (struct place){copy_folder(getenv("HOME")), FILE_NAME, true};
	place[3] = (struct place){xdg_folder(), FILE_NAME, true};
	place[4] = (struct place){xdg_folder(), PLAIN_NAME, true};
}

void conf_add_places(struct strbuf *out)
{
	struct place place[N_PLACES];
	const char *between = "";

	list_places(place);
	for (size_t i = 0; i < N_PLACES; i++) {
		if (!place[i].folder)
			continue;
		strbuf_addf(out, "%s%s/%s", between, place[i].folder, place[i].name);
		between = ", ";
		free(place[i].folder);
	}
}

int conf_find(const char *given, char **path, int *fd, screen_report report, void *context,
	      struct err *err)
{
	struct place place[N_PLACES];
	struct stat refused = {0};

	*path = NULL;
	*fd = -1;
	if (given)
		return find_given(given, path, fd, err);
	list_places(place);
	for (size_t i = 0; i < N_PLACES && *fd < 0; i++) {
		if (!place[i].folder)
			continue;
		free(*path);
		*path = xasprintf("%s/%s", place[i].folder, place[i].name);
		*fd = find_open(*path, place[i].named, &refused, report, context);
	}
	for (size_t i = 0; i < N_PLACES; i++)
		free(place[i].folder);
	if (*fd < 0) {
		free(*path);
		*path = NULL;
	}
	return 0;
}

static int is_addition(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && !strcmp(dot, ".xml");
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

void conf_each_file(void (*visit)(void *visitor, const char *path, int fd), void *visitor,
		    screen_report report, void *context)
{
	char *folder = xdg_folder();
	struct dirent **entry = NULL;
	int n = folder ? scandir(folder, &entry, is_addition, by_bytes) : 0;

	for (int i = 0; i < n; i++) {
		struct stat refused = {0};
		char *path = xasprintf("%s/%s", folder, entry[i]->d_name);
		int fd = find_open(path, true, &refused, report, context);

		if (fd >= 0) {
			visit(visitor, path, fd);
			close(fd);
		}
		free(path);
		free(entry[i]);
	}
	free(entry);
	free(folder);
}

int conf_expand_path(const char *typed, char **out, struct err *err)
{
	size_t n = strcspn(typed, "/");
	const char *folder = getenv("HOME");
	const struct passwd *user;
	char *name;

	*out = NULL;
	if (typed[0] != '~') {
		*out = xstrdup(typed);
		return 0;
	}
	if (n > 1 || !folder || !folder[0]) {
		name = xasprintf("%.*s", (int)n - 1, typed + 1);
		user = *name ? getpwnam(name) : getpwuid(geteuid());
		free(name);
		if (!user)
			return err_set(err, ENOENT,
				       "nobody's home is '%.*s': there is no such user", (int)n,
				       typed);
		folder = user->pw_dir;
	}
	*out = xasprintf("%s%s", folder, typed + n);
	return 0;
}
