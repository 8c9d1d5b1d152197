/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changing an option keeps the user's metrics and verdicts unchanged. */
#include <stdlib.h>

#include "base/mem.h"
#include "save_rig.h"

static void slower(struct state *s)
{
	s->options.delay_s = 7;
}

static void idle_and_tree(struct state *s)
{
	s->options.idle = s->options.tree = true;
}

static void other_header(struct state *s)
{
	char **header = &s->screens.v[0]->column[0].header;

	free(*header);
	*header = xstrdup("\"A' \303\251");
}

/* Metrics and verdicts in a user's own style. No key of tiptop changes them. */
#define OWN_METRIC                                                                                 \
	"  <metric   name='resident'\n\tunit=\"MiB\" format='%.0f'  desc='memory &#105;n RAM' "    \
	"expr='RSS_KB / 1024' ><!-- mine --></metric  >\n"                                         \
	"\t<metric name='ipc' replace='yes'><from column='ipc' screen='a'\ttimes='2'/>  "          \
	"</metric>\n"
#define OWN_VERDICT                                                                                \
	"  <verdict name='queue' replace='yes' when='queue &gt;= 20'/>\n"                          \
	"<verdict sure='sure' word=\"large\" name=\"large\"\n when='resident &gt;= 1' "            \
	"rank='1000'\n"                                                                            \
	"   says='It has {resident} MiB: &quot;much&quot;.' source='our own'>\n"                   \
	"      <next why='what it is made of' run='pmap -x {pid}'></next> <!-- x -->\n  "          \
	"</verdict>\n"

static void test_verdicts(void)
{
	saves("an option, beside verdicts of one's own",
	      "<tiptop>\n" OWN_METRIC
	      "<options><option name='delay' value='3'/></options>\n" OWN_VERDICT "</tiptop>\n",
	      slower,
	      "<tiptop>\n" OWN_METRIC
	      "<options><option name='delay' value='7'/></options>\n" OWN_VERDICT "</tiptop>\n");
	saves("new options, beside verdicts of one's own",
	      "<tiptop>\n  <options>\n  </options>\n" OWN_VERDICT OWN_METRIC "</tiptop>\n",
	      idle_and_tree,
	      "<tiptop>\n  <options>\n    <option name=\"tree\" value=\"1\"/>\n"
	      "    <option name=\"idle\" value=\"1\"/>\n  </options>\n" OWN_VERDICT OWN_METRIC
	      "</tiptop>\n");
	saves("a column, between verdicts of one's own",
	      "<tiptop>\n" OWN_METRIC
	      "<screen><column header='A' format='%f' expr='CPU_TOT'/></screen>\n" OWN_VERDICT
	      "</tiptop>\n",
	      other_header,
	      "<tiptop>\n" OWN_METRIC "<screen><column header='\"A&apos; \xc3\xa9' format='%f' "
	      "expr='CPU_TOT'/></screen>\n" OWN_VERDICT "</tiptop>\n");
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	char *dir = xasprintf("%s/tiptop-test-XXXXXX", parent ? parent : P_tmpdir);

	if (!mkdtemp(dir) || chdir(dir)) {
		tap_ok(false, "a folder to work in");
		return tap_done();
	}
	test_verdicts();
	unlink("rc");
	tap_int(rmdir(dir), 0, "nothing was left behind");
	free(dir);
	return tap_done();
}
