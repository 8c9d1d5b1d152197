/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/setup.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>

#include "base/destination.h"
#include "base/mem.h"
#include "base/num.h"
#include "model/kinds.h"
#include "pmu/check/refusal.h"
#include "pmu/event/foreign_cpu.h"
#include "screen/bind/counters.h"

void setup_fit(struct setup *s, size_t screen)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);

	fit_screen(s->config.screens.v[screen], &offer);
}

void setup_fit_all(struct setup *s)
{
	for (size_t i = 0; i < s->config.screens.n; i++)
		setup_fit(s, i);
}

void setup_make_events(struct setup *s, struct event_set *events, struct screen_numbers *numbers)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);

	counters_make_set(events, s->config.screens.v[s->display.view.screen], &offer);
	events->no_user = s->config.options.kernel_only;
	offer.ops->describe(&offer, events);
	counters_describe(numbers, events);
}

/* ---- configuration ---- */

bool configuration_name_file(const struct configuration *config, const char *conf_name,
			     struct err *err)
{
	const bool is_there = options_are_from_file(&config->options, conf_name);

	if (is_there)
		err_prefix(err, "%s: the option '%s'", config->file.path, conf_name);
	return is_there;
}

const struct kind *configuration_kind(const struct configuration *config)
{
	return config->rows ? kinds_find(config->rows) : &kind_task;
}

bool configuration_is_for_all(const struct configuration *config)
{
	return config->options.task == TASK_ENCODINGS && config->options.for_cpu &&
	       !strcmp(config->options.for_cpu, "all");
}

bool configuration_keeps_past(const struct configuration *config)
{
	return !config->options.batch || config->options.record;
}

/* ---- backend ---- */

int configuration_check_output(const struct configuration *config, const char *output,
			       struct err *err)
{
	int ret = dest_check_input(output, config->file.path, err);

	for (size_t i = 0; i < config->n_added && !ret; i++)
		ret = dest_check_input(output, config->added_path[i], err);
	return ret;
}

const char *backend_no_counters(const struct backend *backend)
{
	const struct sample_machine *m;

	if (!backend->recording)
		return backend->hardware.code ? backend->hardware.text : NULL;
	m = record_reader_machine(backend->recording);
	return m && !m->n_cores && m->pmu[0] ? "the recorded machine has no hardware counters"
					     : NULL;
}

bool backend_recorded_has_ended(const struct backend *backend)
{
	return backend->recorded && kill(backend->recorded, 0) && errno == ESRCH;
}

bool backend_is_for_rows(const struct configuration *config, const struct backend *backend,
			 const struct screen *screen)
{
	const struct kind *kind = configuration_kind(config);

	/* A recorded row of a command may come from --repeat, whose screens are for tasks. */
	if (backend->recording && kind == &kind_command && screen_has_rows(screen, kind_task.name))
		return true;
	return screen_has_rows(screen, kind->like ? kind->like->name : kind->name);
}

int backend_use_for_cpu(const struct configuration *config, struct backend *backend,
			struct err *err)
{
	if (!config->options.for_cpu)
		return 0;
	perf_foreign_init(&backend->kernel.sys);
	/* "other:" makes the order of screens independent of this machine's CPU. */
	if (machine_set_foreign(
		    &backend->machine,
		    configuration_is_for_all(config) ? "other:" : config->options.for_cpu, err))
		return err_prefix(err, "--for-cpu");
	return 0;
}

/* Returns the offer of the running machine. */
static struct offer offer_here(const struct configuration *config, struct backend *backend,
			       bool kernel)
{
	struct offer offer = offer_live(&backend->machine, &backend->kernel.sys, kernel);

	offer.sockets = configuration_kind(config) == &kind_socket;
	return offer;
}

struct offer backend_offer(const struct configuration *config, struct backend *backend, bool kernel)
{
	if (backend->recording)
		return offer_recorded(&backend->machine, record_reader_events(backend->recording),
				      kernel);
	return offer_here(config, backend, kernel);
}

struct offer backend_cpu_offer(const struct configuration *config, struct backend *backend)
{
	return offer_here(config, backend, false);
}

size_t backend_default_screen(const struct configuration *config, const struct backend *backend)
{
	const int own = config->default_screen
				? screen_list_find(&config->screens, config->default_screen, NULL)
				: 0;
	const size_t usual = own < 0 ? 0 : (size_t)own;
	size_t first = config->screens.n;

	if (!backend->hardware.code || !screen_needs_counters(config->screens.v[usual]))
		return usual;
	/* The users' screens come after built-in ones in the list, but are preferred here. */
	for (size_t k = config->screens.n; k-- > 0;)
		if (!screen_needs_counters(config->screens.v[k]) &&
		    (first == config->screens.n || config->screens.v[k]->file ||
		     !config->screens.v[first]->file))
			first = k;
	return first < config->screens.n ? first : usual;
}

int backend_asked_screen(const struct configuration *config, const struct backend *backend)
{
	const char *name = config->options.screen;

	return name ? screen_list_find(&config->screens, name, NULL)
		    : (int)backend_default_screen(config, backend);
}

static long find_here(const char *text)
{
	const struct passwd *pw = getpwnam(text);

	return pw ? (long)pw->pw_uid : -1;
}

int backend_find_user(const struct backend *backend, const char *text, long *uid, struct err *err)
{
	*uid = backend->recording ? record_reader_user(backend->recording, text) : find_here(text);
	if (*uid >= 0)
		return 0;
	if (text[strspn(text, "0123456789")])
		return err_set(err, EINVAL, "there is no user '%s' (-u)%s", text,
			       backend->recording ? " in the recording" : "");
	return num_parse_int(text, "the user (-u)", 0, UINT32_MAX, uid, err);
}

char *backend_user_name(const struct backend *backend, long uid, const char *text)
{
	const struct passwd *pw = backend->recording ? NULL : getpwuid((uid_t)uid);

	return xstrdup(pw ? pw->pw_name : text);
}

int backend_process_of(const struct backend *backend, int pid)
{
	struct task_status status;

	return backend->recording || task_status_read(pid, &status) ? pid : status.process;
}
