/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/wait_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define CONDITIONS 6
#define WORDS      (3 + CONDITIONS)
/* The largest file of rules. */
#define SIZE_MAX_RULES (1 << 20)
#define BLANKS         " \t\n"

static const char *const certainties[WAIT_CERTAINTIES] = {"sure", "likely", "maybe"};
static const char *const uses[] = {"lock", "work"};
static const char *const evidence[WAIT_EVIDENCE] = {
	"waits", "wakes", "handed", "balanced", "broadcasts", "timeouts", "inheriting"};
/* NULL: a kind of lock that is held, which needs no rule. LOCKS_N_KINDS: any kind. */
static const char *const kinds[LOCKS_N_KINDS + 1] = {
	[LOCKS_COND] = "cond",   [LOCKS_SEMAPHORE] = "semaphore", [LOCKS_BARRIER] = "barrier",
	[LOCKS_FUTEX] = "futex", [LOCKS_N_KINDS] = "any",
};

struct condition {
	enum wait_evidence evidence;
	bool is_below; /* <; else >= */
	double number;
};

struct rule {
	struct wait_use use;
	int kind;
	int n;
	struct condition condition[CONDITIONS];
};

struct rules {
	struct rule *v;
	size_t n;
};

struct wait_rules {
	struct rules own, built_in; /* the rules of the user, and those of config/waits.list */
};

/* --- reading --- */

/* Returns the index of a word; -1: none. */
static int find(const char *const *list, size_t n, const char *word, size_t length)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] && strlen(list[i]) == length && !strncmp(list[i], word, length))
			return (int)i;
	return -1;
}

#define FIND(list, word, length) find(list, sizeof(list) / sizeof *(list), word, length)

static bool parse_condition(struct condition *c, const char *word)
{
	const size_t length = strcspn(word, "<>");
	const int which = FIND(evidence, word, length);
	const char *number = word + length;
	char *end;

	if (which < 0 || !*number)
		return false;
	c->evidence = (enum wait_evidence)which;
	c->is_below = *number == '<';
	if (!c->is_below && number[1] != '=')
		return false;
	number += c->is_below ? 1 : 2;
	/* Only whole numbers, as the locale decides how others are written. */
	if (!*number || number[strspn(number, "0123456789")])
		return false;
	errno = 0;
	c->number = (double)strtoul(number, &end, 10);
	return !errno;
}

/* Returns the first word that is wrong, or, if there are fewer than three, what is missing; NULL:
 * all is right. */
static const char *parse_rule(struct rule *rule, char *const word[], int n)
{
	const char *const needed[] = {"a use", "a certainty", "a kind"};
	int use, certainty;

	if (n < 3)
		return needed[n];
	use = FIND(uses, word[0], strlen(word[0]));
	certainty = FIND(certainties, word[1], strlen(word[1]));
	*rule = (struct rule){.kind = FIND(kinds, word[2], strlen(word[2])), .n = n - 3};
	if (use < 0 || certainty < 0 || rule->kind < 0)
		return use < 0 ? word[0] : certainty < 0 ? word[1] : word[2];
	rule->use = (struct wait_use){use == 1, (enum wait_certainty)certainty};
	for (int i = 3; i < n; i++)
		if (!parse_condition(&rule->condition[i - 3], word[i]))
			return word[i];
	return NULL;
}

/* Adds the rule of a line, if it has one. Changes the line. Returns 0, or -EINVAL with a sentence.
 */
static int add_line(struct rules *rules, char *line, size_t number, struct err *err)
{
	char *word[WORDS], *save, *next;
	const char *wrong;
	int n = 0;

	line[strcspn(line, "#")] = '\0';
	for (next = strtok_r(line, BLANKS, &save); next; next = strtok_r(NULL, BLANKS, &save)) {
		if (n == WORDS)
			return err_set(err, EINVAL, "line %zu: more than %d conditions", number,
				       CONDITIONS);
		word[n++] = next;
	}
	if (!n)
		return 0;
	rules->v = xreallocarray(rules->v, rules->n + 1, sizeof *rules->v);
	wrong = parse_rule(&rules->v[rules->n], word, n);
	if (wrong && n < 3)
		return err_set(err, EINVAL, "line %zu: %s is missing", number, wrong);
	if (wrong)
		return err_set(err, EINVAL, "line %zu: '%s' is not known", number, wrong);
	rules->n++;
	return 0;
}

struct wait_rules *wait_rules_new(void)
{
	struct wait_rules *rules = xcalloc(1, sizeof *rules);
	struct err err = ERR_INIT;

	for (size_t i = 0; waits_list[i]; i++) {
		char *line = xstrdup(waits_list[i]);

		if (add_line(&rules->built_in, line, i + 1, &err))
			abort(); /* not possible: a test reads these rules */
		free(line);
	}
	return rules;
}

void wait_rules_free(struct wait_rules *rules)
{
	if (!rules)
		return;
	free(rules->own.v);
	free(rules->built_in.v);
	free(rules);
}

int wait_rules_read(struct wait_rules *rules, const char *path, struct err *err)
{
	struct strbuf text;
	char *line, *end;
	size_t number = 0;
	ssize_t n;
	int ret = 0;

	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, path, SIZE_MAX_RULES, &text);
	if (n < 0)
		ret = err_set(err, (int)-n, "%s: %s", path, strerror((int)-n));
	for (line = text.text; !ret && line && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		ret = add_line(&rules->own, line, ++number, err);
		if (ret)
			err_prefix(err, "%s", path);
	}
	strbuf_done(&text);
	return ret;
}

/* --- deciding --- */

/* A comparison with NaN is false. */
static bool is_true(const struct condition *c, const double known[WAIT_EVIDENCE])
{
	const double x = known[c->evidence];

	return c->is_below ? x < c->number : x >= c->number;
}

static const struct rule *find_rule(const struct rules *rules, enum locks_kind kind,
				    const double known[WAIT_EVIDENCE])
{
	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *rule = &rules->v[i];
		bool holds = rule->kind == LOCKS_N_KINDS || rule->kind == (int)kind;

		for (int k = 0; k < rule->n && holds; k++)
			holds = is_true(&rule->condition[k], known);
		if (holds)
			return rule;
	}
	return NULL;
}

struct wait_use wait_rules_decide(const struct wait_rules *rules, enum locks_kind kind,
				  const double known[WAIT_EVIDENCE])
{
	const struct rule *rule = find_rule(&rules->own, kind, known);

	if (!rule)
		rule = find_rule(&rules->built_in, kind, known);
	return rule ? rule->use : (struct wait_use){true, WAIT_MAYBE};
}

const char *wait_rules_certainty(enum wait_certainty certainty)
{
	return certainties[certainty];
}
