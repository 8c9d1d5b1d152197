/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/container.h"

#include <string.h>

/* Of numbers, engines show the first 12 digits. */
#define NUMBER_DIGITS   64
#define NUMBER_SHOWN    12
#define FARGATE_DIGITS  32
#define BUILDKIT_DIGITS 25
#define GUID_LENGTH     36
#define GUID_SHORT      28

#define DECIMAL "0123456789"
#define HEX     "0123456789abcdef"
#define LETTERS "0123456789abcdefghijklmnopqrstuvwxyz"

enum parent { PARENT_ANY, PARENT_IS, PARENT_BEGINS, BELOW };

enum id {
	ID_NAME,     /* shown whole */
	ID_NUMBER,   /* 64 hexadecimal digits */
	ID_FARGATE,  /* 32 hexadecimal digits, '-', a decimal number */
	ID_BUILDKIT, /* 25 small letters and digits */
	ID_GUID,     /* 8-4-4-4-4 hexadecimal digits, or 12 at the end */
};

/* How a group is called that is a container: the name of its parent (or of any group above), and
 * what stands around its number or name. A prefix that begins with ':' may stand anywhere. */
struct form {
	const char *engine;
	enum parent how;
	const char *parent, *prefix, *suffix;
	enum id id;
};

/* The drivers "cgroupfs" and "systemd" name groups differently. Where the path for systemd's driver
 * is given to the other, it is SLICE:ENGINE:NUMBER (containerd/containerd, issue 4857). What only
 * watches a container, as libpod-conmon-... and lxc.monitor.... do, is not in it. A build of docker
 * is a container of its BuildKit. */
static const struct form form_table[] = {
	{"docker", PARENT_IS, "docker", "", "", ID_NUMBER},
	{"docker", PARENT_ANY, "", "docker-", ".scope", ID_NUMBER},
	{"docker", PARENT_ANY, "", ":docker:", "", ID_NUMBER},
	{"buildkit", PARENT_IS, "buildkit", "", "", ID_BUILDKIT},
	{"buildkit", PARENT_ANY, "", "buildkit-", ".scope", ID_BUILDKIT},
	{"buildkit", PARENT_ANY, "", "docker-", ".scope", ID_BUILDKIT},
	{"podman", PARENT_ANY, "", "libpod-payload-", "", ID_NUMBER},
	{"podman", PARENT_ANY, "", "libpod-", ".scope", ID_NUMBER},
	{"podman", PARENT_ANY, "", "libpod-", "", ID_NUMBER},
	{"containerd", PARENT_ANY, "", "cri-containerd-", ".scope", ID_NUMBER},
	{"containerd", PARENT_ANY, "", ":cri-containerd:", "", ID_NUMBER},
	{"containerd", PARENT_ANY, "", "nerdctl-", ".scope", ID_NUMBER},
	{"containerd", PARENT_IS, "default", "", "", ID_NUMBER},
	{"containerd", PARENT_IS, "k8s.io", "", "", ID_NUMBER},
	{"cri-o", PARENT_ANY, "", "crio-", ".scope", ID_NUMBER},
	{"cri-o", PARENT_ANY, "", "crio-", "", ID_NUMBER},
	{"cri-o", PARENT_ANY, "", ":crio:", "", ID_NUMBER},
	{"kubernetes", PARENT_BEGINS, "pod", "", "", ID_NUMBER},
	{"kubernetes", PARENT_BEGINS, "kubepods-", "", "", ID_NUMBER},
	{"ecs", BELOW, "ecs", "", "", ID_NUMBER},
	{"ecs", BELOW, "ecs", "", "", ID_FARGATE},
	{"garden", BELOW, "garden", "", "", ID_GUID},
	{"lxc", PARENT_ANY, "", "lxc.payload.", "", ID_NAME},
	{"lxc", PARENT_IS, "lxc.payload", "", "", ID_NAME},
	{"lxc", PARENT_IS, "lxc", "", "", ID_NAME},
	{"nspawn", PARENT_ANY, "", "systemd-nspawn@", ".service", ID_NAME},
	{"nspawn", PARENT_ANY, "", "machine-", ".scope", ID_NAME},
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

static bool consists_of(struct part p, const char *letters)
{
	return p.len && strspn(p.text, letters) >= p.len;
}

static bool is_fargate(struct part p)
{
	const struct part task = {p.text, FARGATE_DIGITS};

	return p.len > FARGATE_DIGITS + 1 && consists_of(task, HEX) &&
	       p.text[FARGATE_DIGITS] == '-' &&
	       consists_of((struct part){p.text + FARGATE_DIGITS + 1, p.len - FARGATE_DIGITS - 1},
			   DECIMAL);
}

/* systemd gives virtual machines groups like those of its containers. */
static bool is_virtual_machine(struct part name)
{
	return begins(name, "qemu\\x2d") || begins(name, "qemu-");
}

static bool is_id(enum id id, struct part p)
{
	switch (id) {
	case ID_NUMBER:
		return p.len == NUMBER_DIGITS && consists_of(p, HEX);
	case ID_FARGATE:
		return is_fargate(p);
	case ID_BUILDKIT:
		return p.len == BUILDKIT_DIGITS && consists_of(p, LETTERS);
	case ID_GUID:
		return (p.len == GUID_LENGTH || p.len == GUID_SHORT) && consists_of(p, HEX "-");
	case ID_NAME:
		break;
	}
	return p.len && !is_virtual_machine(p);
}

/* Whether one of the groups of a path that ends at a place has a name. */
static bool is_below(const char *path, const char *end, const char *name)
{
	for (path += strspn(path, "/"); path < end; path += strspn(path, "/")) {
		const size_t len = strcspn(path, "/");

		if (len == strlen(name) && !memcmp(path, name, len))
			return true;
		path += len;
	}
	return false;
}

/* A group of a path. */
struct group {
	const char *path;
	struct part parent, name;
};

static bool has_parent(const struct form *f, const struct group *g)
{
	switch (f->how) {
	case PARENT_IS:
		return g->parent.len == strlen(f->parent) && begins(g->parent, f->parent);
	case PARENT_BEGINS:
		return begins(g->parent, f->parent);
	case BELOW:
		return is_below(g->path, g->name.text, f->parent);
	case PARENT_ANY:
		break;
	}
	return true;
}

/* Takes away what stands before the number or name of a group. False: something else stands there.
 */
static bool skip_prefix(const char *prefix, struct part *name)
{
	while (prefix[0] == ':' && name->len && !begins(*name, prefix)) {
		name->text++;
		name->len--;
	}
	if (!begins(*name, prefix))
		return false;
	name->text += strlen(prefix);
	name->len -= strlen(prefix);
	return true;
}

/* The number or name, of length 0 where the group has another form. */
static struct part match(const struct form *f, const struct group *g)
{
	struct part name = g->name;

	if (!has_parent(f, g) || !skip_prefix(f->prefix, &name) || !ends(name, f->suffix))
		return (struct part){"", 0};
	name.len -= strlen(f->suffix);
	return is_id(f->id, name) ? name : (struct part){"", 0};
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

static bool add_container(struct strbuf *out, const struct group *g)
{
	for (size_t i = 0; i < sizeof form_table / sizeof *form_table; i++) {
		const struct form *f = &form_table[i];
		struct part name = match(f, g);

		if (!name.len)
			continue;
		strbuf_addf(out, "%s:", f->engine);
		if (f->id == ID_NUMBER)
			name.len = NUMBER_SHOWN;
		add_name(out, name);
		return true;
	}
	return false;
}

bool container_of_cgroup(const char *path, struct strbuf *out)
{
	struct group g = {.path = path, .parent = {"", 0}};

	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		g.name = (struct part){path, strcspn(path, "/")};
		if (add_container(out, &g))
			return true;
		g.parent = g.name;
		path += g.name.len;
	}
	return false;
}
