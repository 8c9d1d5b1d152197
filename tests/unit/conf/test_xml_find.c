/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search for the configuration file, and files that are refused. */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "conf/xml.h"
#include "tap.h"

#define NAME ".tiptoprc"

static void note(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %s\n", line, err->text);
}

static void write_file(const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, path, strlen(path)) < 0 || fchmod(fd, mode) || close(fd))
		tap_ok(false, "a file to look for: %s", path);
}

/*
 * Searches the file, and checks its path ("" for none) and the beginning of the messages and of the
 * error. Each file contains its path relative to the test's folder, which shows which one was
 * opened.
 */
static void check(const char *what, const char *given, const char *want_path,
		  const char *want_content, const char *want_text)
{
	struct err err = ERR_INIT;
	char content[64] = "";
	struct strbuf text;
	char *path = NULL;
	int fd = -1, rc;

	strbuf_init(&text);
	rc = conf_find(given, &path, &fd, note, &text, &err);
	if (rc)
		strbuf_addstr(&text, err.text);
	tap_str(path ? path : "", want_path, "%s: the path", what);
	if (fd >= 0) {
		ssize_t n = read(fd, content, sizeof content - 1);

		content[n > 0 ? n : 0] = '\0';
		close(fd);
	}
	tap_str(content, want_content, "%s: the file", what);
	tap_int(rc < 0, given && !path, "%s: the code", what);
	if (!tap_ok(!strncmp(text.text, want_text, strlen(want_text)) &&
			    !text.text[0] == !want_text[0],
		    "%s: the text", what)) {
		tap_show("got", text.text);
		tap_show("want", want_text);
	}
	free(path);
	strbuf_done(&text);
}

static void test_search(void)
{
	check("nothing anywhere", NULL, "", "", "");
	write_file("home/" NAME, 0644);
	check("in $HOME", NULL, "home/" NAME, "home/" NAME, "");
	write_file("tip/" NAME, 0644);
	check("in $TIPTOP, before $HOME", NULL, "tip/" NAME, "tip/" NAME, "");
	write_file(NAME, 0644);
	check("in the current folder, before both", NULL, "./" NAME, NAME, "");
	check("a folder that was given", "home", "home/" NAME, "home/" NAME, "");
	check("a file that was given", "tip/" NAME, "tip/" NAME, "tip/" NAME, "");
	check("a folder without it", "none", "", "",
	      "cannot open .tiptoprc in the folder 'none': ");
	check("a path that is not there", "missing", "", "",
	      "cannot open the configuration 'missing': ");
}

static void test_distrust(void)
{
	write_file(NAME, 0664);
	check("the group may write it", NULL, "tip/" NAME, "tip/" NAME,
	      "0: './.tiptoprc' is passed over: others may write it");
	write_file(NAME, 0646);
	check("all may write it", NULL, "tip/" NAME, "tip/" NAME,
	      "0: './.tiptoprc' is passed over: others may write it");
	check("it is named", NAME, NAME, NAME, "");
	write_file(NAME, 0600);
	if (chown(NAME, getuid() + 1, getgid())) {
		tap_ok(true, "another user owns it # SKIP only root can make such a file");
	} else {
		check("another user owns it", NULL, "tip/" NAME, "tip/" NAME,
		      "0: './.tiptoprc' is passed over: another user owns it");
		tap_int(chown(NAME, getuid(), getgid()), 0, "it is ours again");
	}
	write_file("tip/" NAME, 0666);
	check("in a folder that the user has named", NULL, "./" NAME, NAME, "");
	unlink(NAME);
	check("also where all may write it", NULL, "tip/" NAME, "tip/" NAME, "");
}

static void test_same_file(void)
{
	write_file("home/" NAME, 0666);
	if (chdir("home"))
		tap_ok(false, "into the folder");
	setenv("TIPTOP", ".", 1);
	setenv("HOME", "../home", 1);
	check("refused here, it is not taken from $HOME either", NULL, "", "",
	      "0: './.tiptoprc' is passed over: ");
	if (chdir(".."))
		tap_ok(false, "and back");
	setenv("TIPTOP", "tip", 1);
	setenv("HOME", "home", 1);
}

static void test_odd_files(void)
{
	check("an empty $TIPTOP", NULL, "tip/" NAME, "tip/" NAME, "");
	setenv("TIPTOP", "", 1);
	check("is not a folder", NULL, "home/" NAME, "home/" NAME, "");
	unsetenv("HOME");
	check("no $HOME", NULL, "", "", "");
	setenv("HOME", "home", 1);
	setenv("TIPTOP", "tip", 1);
	mkdir(NAME, 0755);
	check("a folder of that name", NULL, "tip/" NAME, "tip/" NAME,
	      "0: './.tiptoprc' is passed over: it is not a regular file");
	check("a folder with such a folder", ".", "", "",
	      "the configuration './" NAME "' is a folder: name a regular file");
	rmdir(NAME);
	mkfifo(NAME, 0600);
	check("a pipe that was given", NAME, "", "",
	      "the configuration '" NAME "' is a pipe or a device: name a regular file");
	check("a folder with a pipe", ".", "", "",
	      "the configuration './" NAME "' is a pipe or a device");
	check("a device", "/dev/null", "", "",
	      "the configuration '/dev/null' is a pipe or a device");
	check("a pipe of that name", NULL, "tip/" NAME, "tip/" NAME,
	      "0: './.tiptoprc' is passed over: it is not a regular file");
	unlink(NAME);
	if (symlink(NAME, NAME))
		tap_ok(false, "a link");
	check("a link to itself", NULL, "tip/" NAME, "tip/" NAME,
	      "0: './.tiptoprc' is passed over: ");
	unlink(NAME);
	if (symlink("nowhere", NAME))
		tap_ok(false, "a link");
	check("a link to nothing", NULL, "tip/" NAME, "tip/" NAME,
	      "0: './.tiptoprc' is passed over: it is a symbolic link to a file that does not "
	      "exist");
	unlink(NAME);
}

static void test_xdg(void)
{
	unlink("home/" NAME);
	unlink("tip/" NAME);
	mkdir("home/.config", 0755);
	mkdir("home/.config/tiptop", 0755);
	write_file("home/.config/tiptop/tiptoprc", 0666);
	check("in $HOME/.config, when it is nowhere else", NULL, "home/.config/tiptop/tiptoprc",
	      "home/.config/tiptop/tiptoprc", "");
	write_file("home/.config/tiptop/" NAME, 0644);
	check("hidden there, too, before the other", NULL, "home/.config/tiptop/" NAME,
	      "home/.config/tiptop/" NAME, "");
	setenv("XDG_CONFIG_HOME", "home", 1);
	check("a relative $XDG_CONFIG_HOME does not count", NULL, "home/.config/tiptop/" NAME,
	      "home/.config/tiptop/" NAME, "");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	check("$XDG_CONFIG_HOME takes the place of .config", NULL, "", "", "");
	unsetenv("HOME");
	unsetenv("XDG_CONFIG_HOME");
	check("neither $HOME nor $XDG_CONFIG_HOME", NULL, "", "", "");
	setenv("HOME", "home", 1);
	write_file("home/" NAME, 0644);
	check("in $HOME, before $HOME/.config", NULL, "home/" NAME, "home/" NAME, "");
	unlink("home/.config/tiptop/tiptoprc");
	unlink("home/.config/tiptop/" NAME);
	rmdir("home/.config/tiptop");
	rmdir("home/.config");
}

/* $XDG_CONFIG_HOME as an absolute path. */
static void test_xdg_absolute(const char *dir)
{
	char *folder = xasprintf("%s/xdg", dir), *want = xasprintf("%s/xdg/tiptop/tiptoprc", dir);

	unlink("home/" NAME);
	mkdir("xdg", 0755);
	mkdir("xdg/tiptop", 0755);
	write_file("xdg/tiptop/tiptoprc", 0644);
	setenv("XDG_CONFIG_HOME", folder, 1);
	check("in $XDG_CONFIG_HOME", NULL, want, "xdg/tiptop/tiptoprc", "");
	unsetenv("HOME");
	check("and without $HOME", NULL, want, "xdg/tiptop/tiptoprc", "");
	unlink("xdg/tiptop/tiptoprc");
	rmdir("xdg/tiptop");
	rmdir("xdg");
	free(folder);
	free(want);
}

static char *temporary_folder(void)
{
	const char *parent = getenv("TMPDIR");
	char *dir = xasprintf("%s/tiptop-test-XXXXXX", parent ? parent : P_tmpdir);

	return mkdtemp(dir);
}

static void test_expand(void)
{
	static const struct {
		const char *home, *typed, *path;
	} row[] = {
		{"/h", "~/.tiptoprc", "/h/.tiptoprc"},
		{"/h", "~", "/h"},
		{"/h", "plain", "plain"},
		{"/h", "a~/b", "a~/b"},
		{"/h", "./~/b", "./~/b"},
		{"/h", "", ""},
		{"/h", "~no-such-user-here/x", NULL},
	};
	struct passwd *me = getpwuid(geteuid());
	struct err err = ERR_INIT;
	char *path, *typed, *want = me ? xasprintf("%s/x", me->pw_dir) : NULL;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		setenv("HOME", row[i].home, 1);
		tap_int(conf_expand_path(row[i].typed, &path, &err), row[i].path ? 0 : -ENOENT,
			"'%s'", row[i].typed);
		tap_str(path ? path : "none", row[i].path ? row[i].path : "none",
			"'%s' with the home '%s'", row[i].typed, row[i].home);
		free(path);
	}
	tap_str(err.text, "'~no-such-user-here' is not a home folder: there is no such user",
		"a user who is not there");
	unsetenv("HOME");
	if (!want)
		return;
	tap_int(conf_expand_path("~/x", &path, &err), 0, "without $HOME");
	tap_str(path, want, "it is the home of this user");
	free(path);
	setenv("HOME", "/h", 1);
	typed = xasprintf("~%s/x", me->pw_name);
	tap_int(conf_expand_path(typed, &path, &err), 0, "%s", typed);
	tap_str(path, want, "is the home of this user, too");
	free(path);
	free(typed);
	free(want);
}

int main(void)
{
	static const char *const folder[] = {"home", "tip", "none"};
	char *dir = temporary_folder();

	if (!dir || chdir(dir)) {
		tap_ok(false, "a folder to work in");
		return tap_done();
	}
	for (size_t i = 0; i < sizeof folder / sizeof *folder; i++)
		mkdir(folder[i], 0755);
	setenv("TIPTOP", "tip", 1);
	unsetenv("XDG_CONFIG_HOME");
	test_expand();
	setenv("HOME", "home", 1);
	test_search();
	test_distrust();
	test_same_file();
	test_odd_files();
	test_xdg();
	test_xdg_absolute(dir);
	unlink("home/" NAME);
	unlink("tip/" NAME);
	for (size_t i = 0; i < sizeof folder / sizeof *folder; i++)
		rmdir(folder[i]);
	tap_int(rmdir(dir), 0, "nothing was left behind");
	free(dir);
	return tap_done();
}
