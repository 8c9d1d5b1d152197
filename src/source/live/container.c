/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/live/container.h"

#include <string.h>

/* Engines number containers by 64 hexadecimal digits, and show the first 12. */
#define NUMBER_DIGITS 64
#define NUMBER_SHOWN  12

enum parent { PARENT_ANY, PARENT_IS, PARENT_BEGINS };

/* How a group is called that is a container: its parent's name, and what stands around
 * its number or name. */
struct form {
	const char *engine;
	enum parent how;
	const char *parent, *prefix, *suffix;
	bool numbered;
};

/* The drivers "cgroupfs" and "systemd" name groups differently. What only watches a container, as
 * libpod-conmon-... and lxc.monitor.... do, is not in it. */
static const struct form form_table[] = {
	{"docker", PARENT_IS, "docker", "", "", true},
	{"docker", PARENT_ANY, "", "docker-", ".scope", true},
	{"podman", PARENT_ANY, "", "libpod-", ".scope", true},
	{"podman", PARENT_ANY, "", "libpod-", "", true},
	{"containerd", PARENT_ANY, "", "cri-containerd-", ".scope", true},
	{"containerd", PARENT_ANY, "", "nerdctl-", ".scope", true},
	{"containerd", PARENT_IS, "default", "", "", true},
	{"cri-o", PARENT_ANY, "", "crio-", ".scope", true},
	{"cri-o", PARENT_ANY, "", "crio-", "", true},
	{"kubernetes", PARENT_BEGINS, "pod", "", "", true},
	{"lxc", PARENT_ANY, "", "lxc.payload.", "", false},
	{"lxc", PARENT_IS, "lxc.payload", "", "", false},
	{"lxc", PARENT_IS, "lxc", "", "", false},
	{"nspawn", PARENT_ANY, "", "systemd-nspawn@", ".service", false},
	{"nspawn", PARENT_ANY, "", "machine-", ".scope", false},
};

/* A part of a text. */
struct part {
	const char *text;
	size_t len;
};

static bool begins(struct part p, const char *with)
{
	return p.len >= strlen(with) && !memcmp(p.text, with, strlen(with));
}

static bool ends(struct part p, const char *with)
{
	size_t n = strlen(with);

	return p.len >= n && !memcmp(p.text + p.len - n, with, n);
}

static bool is_number(struct part p)
{
	return p.len == NUMBER_DIGITS && strspn(p.text, "0123456789abcdef") >= p.len;
}

/* systemd gives virtual machines groups like those of its containers. */
static bool is_virtual_machine(struct part name)
{
	return begins(name, "qemu\\x2d") || begins(name, "qemu-");
}

/* The number or name, of length 0 where the group has another form. */
static struct part match(const struct form *f, struct part parent, struct part group)
{
	const struct part none = {"", 0};
	bool right = f->how == PARENT_ANY || begins(parent, f->parent);

	if (!right || (f->how == PARENT_IS && parent.len != strlen(f->parent)))
		return none;
	if (!begins(group, f->prefix) || !ends(group, f->suffix) ||
	    group.len <= strlen(f->prefix) + strlen(f->suffix))
		return none;
	group.text += strlen(f->prefix);
	group.len -= strlen(f->prefix) + strlen(f->suffix);
	if (f->numbered ? !is_number(group) : is_virtual_machine(group))
		return none;
	return group;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* systemd writes '-' and others as "\x2d" in names of groups. */
static void add_name(struct strbuf *out, struct part name)
{
	for (size_t i = 0; i < name.len; i++) {
		const char *c = name.text + i;

		if (name.len - i >= 4 && c[0] == '\\' && c[1] == 'x' && hex_digit(c[2]) >= 0 &&
		    hex_digit(c[3]) >= 0) {
			strbuf_addch(out, (char)(hex_digit(c[2]) << 4 | hex_digit(c[3])));
			i += 3;
		} else {
			strbuf_addch(out, *c);
		}
	}
}

static bool add_container(struct strbuf *out, struct part parent, struct part group)
{
	for (size_t i = 0; i < sizeof form_table / sizeof *form_table; i++) {
		const struct form *f = &form_table[i];
		struct part name = match(f, parent, group);

		if (!name.len)
			continue;
		strbuf_addf(out, "%s:", f->engine);
		if (f->numbered)
			name.len = NUMBER_SHOWN;
		add_name(out, name);
		return true;
	}
	return false;
}

bool container_of_cgroup(const char *path, struct strbuf *out)
{
	struct part parent = {"", 0};

	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		struct part group = {path, strcspn(path, "/")};

		if (add_container(out, parent, group))
			return true;
		parent = group;
		path += group.len;
	}
	return false;
}
