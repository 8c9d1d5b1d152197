#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An error in the XML of config/ ends the build with a message that has its file and line; the project has none.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

awk=${AWK:-awk}
table=$srcdir/config/table.awk

# find_faults DIR: prints the errors of config/table.awk about the files there.
find_faults() {
	if [ "$1" = "$srcdir" ]; then
		(cd "$1" && LC_ALL=C $awk -v make=events -f "$table" config/cpus.xml config/events/*.xml >/dev/null)
		(cd "$1" && LC_ALL=C $awk -v make=screens -f "$table" config/cpus.xml config/screens/*.xml >/dev/null)
		(cd "$1" && LC_ALL=C $awk -v make=themes -f "$table" config/themes.xml >/dev/null)
		(cd "$1" && LC_ALL=C $awk -v make=verdicts -f "$table" config/cpus.xml config/verdicts.xml >/dev/null)
	elif grep -q "<screen" "$1/x.xml"; then
		LC_ALL=C $awk -v make=screens -f "$table" "$1/x.xml" >/dev/null
	else
		LC_ALL=C $awk -v make=events -f "$table" "$1/x.xml" >/dev/null
	fi
}

# fault LINE TEXT: a test that the example on standard input is refused with this sentence, at this line of x.xml.
fault() {
	lint_example x.xml
	find_faults "$lint_scratch/tree" >"$lint_scratch/told" 2>&1
	[ "$(sed "s|.*/\(x.xml:[0-9]*: \)|\1|" "$lint_scratch/told")" = "x.xml:$1: $2" ]
	lint_ok "$2" $?
	sed 's/^/# /' "$lint_scratch/told"
}

fault 2 "unknown element <cup>" <<'TEXT'
<tiptop>
<cup name="x"/>
</tiptop>
TEXT
fault 1 "<cpu> cannot stand here" <<'TEXT'
<cpu name="x" models="06_01" source="x"/>
TEXT
fault 4 "<cpu> has an unknown attribute 'model'" <<'TEXT'
<tiptop>
<!-- one
two --> <cpu name="x"
 model="06_01"/>
</tiptop>
TEXT
fault 2 "<cpu> has no attribute 'source'" <<'TEXT'
<tiptop>
<cpu name="x" models="06_01"/>
</tiptop>
TEXT
fault 2 "<cpu> has two attributes 'name'" <<'TEXT'
<tiptop>
<cpu name="x" name="y" models="06_01" source="x"/>
</tiptop>
TEXT
fault 2 "'06_1' is neither a model nor a CPU that stands above" <<'TEXT'
<tiptop>
<cpu name="x" models="06_01;06_1" source="x"/>
</tiptop>
TEXT
fault 2 "'zen9' is neither a model nor a CPU that stands above" <<'TEXT'
<tiptop>
<cpu name="x" models="zen9@cpu" source="x"/>
</tiptop>
TEXT
fault 3 "there are two of the name 'x'" <<'TEXT'
<tiptop>
<cpu name="x" models="06_01" source="x"/>
<cpu name="x" models="06_02" source="x"/>
</tiptop>
TEXT
fault 2 "'Zen' is no name: small letters, digits and '-'" <<'TEXT'
<tiptop>
<cpu name="Zen" models="06_01" source="x"/>
</tiptop>
TEXT
fault 2 "the name of the event 'misses' has no '-'" <<'TEXT'
<tiptop>
<event name="misses" unit="x" desc="x"><for event="r1" name="x" source="x"/></event>
</tiptop>
TEXT
fault 2 "<event> has no attribute 'unit'" <<'TEXT'
<tiptop>
<event name="l1-misses" desc="x"><for event="r1" name="x" source="x"/></event>
</tiptop>
TEXT
fault 2 "the weight '5x' is neither a decimal number nor 'slots'" <<'TEXT'
<tiptop>
<event name="l1-misses" unit="x" desc="x"><for event="r1" weight="5x" name="x" source="x"/></event>
</tiptop>
TEXT
fault 3 "the event 'l1-misses' is nothing on any CPU" <<'TEXT'
<tiptop>
<event name="l1-misses" unit="x" desc="x">
</event>
</tiptop>
TEXT
fault 2 "the event 'l1-misses' is nothing on any CPU" <<'TEXT'
<tiptop>
<event name="l1-misses" unit="x" desc="x"/>
</tiptop>
TEXT
fault 2 "the event r1 has no name of its maker" <<'TEXT'
<tiptop>
<event name="l1-misses" unit="x" desc="x"><for event="r1" source="x"/></event>
</tiptop>
TEXT
fault 3 "</event> is expected" <<'TEXT'
<tiptop>
<event name="l1-misses" unit="x" desc="x"><for event="r1" name="x" source="x"/>
</tiptop>
TEXT
fault 3 "</tiptop> is missing" <<'TEXT'
<tiptop>

TEXT
fault 2 "an element is expected" <<'TEXT'
<tiptop>
text</tiptop>
TEXT
fault 2 "'-->' is missing" <<'TEXT'
<tiptop>
<!-- </tiptop>
TEXT
fault 2 "<cpu>: an attribute, '>' or '/>' is expected" <<'TEXT'
<tiptop>
<cpu name="x" models="06_01" source="x" more/>
</tiptop>
TEXT
fault 2 "a value has an unknown entity, a tab or a line break" <<'TEXT'
<tiptop>
<cpu name="x" models="06_01" source="&auml;"/>
</tiptop>
TEXT
fault 2 "the theme 'dark' does not stand above" <<'TEXT'
<tiptop>
<theme name="mine" desc="x" like="dark"/>
</tiptop>
TEXT

fault 2 "<column>: the only value of 'optional' is \"yes\"" <<'TEXT'
<tiptop> <screen name="s" number="0" desc="x">
<column header="x" format="%f" optional="no" expr="1" desc="x"/>
</screen> </tiptop>
TEXT
fault 3 "there are two screens 's'" <<'TEXT'
<tiptop> <screen name="s" number="0" desc="x">
<column header="x" format="%f" expr="1" desc="x"/> </screen>
<screen name="s" number="1" desc="x"/> </tiptop>
TEXT
fault 3 "there are two screens with the number 10" <<'TEXT'
<tiptop> <screen name="s" number="10" desc="x">
<column header="x" format="%f" expr="1" desc="x"/> </screen>
<screen name="t" number="10" desc="x"/> </tiptop>
TEXT
fault 1 "<screen> has no attribute 'number'" <<'TEXT'
<tiptop> <screen name="s" desc="x"> <column header="x" format="%f" expr="1" desc="x"/> </screen> </tiptop>
TEXT
fault 1 "<screen>: the value of 'number' is a whole number" <<'TEXT'
<tiptop> <screen name="s" number="01" desc="x"> <column header="x" format="%f" expr="1" desc="x"/> </screen> </tiptop>
TEXT
lint_example x.xml <<'TEXT'
<?xml version="1.0"?>
<tiptop>
  <!-- "&" --> <cpu name="one" models="06_01" source="a &quot;b&quot; &amp; c"/>
  <cpu name="two" models="one;06_??@cpu_core"
       source="x"/>
  <event name="a-b" unit="x" desc="x"><for event="cycles" source="x"/></event>
</tiptop>
TEXT
lint_accepts "what is right"
fault 2 "<metric> has no attribute 'format'" <<'TEXT'
<tiptop>
<metric name="x" desc="x"/>
</tiptop>
TEXT
fault 2 "'Big' is no name of a <metric>" <<'TEXT'
<tiptop>
<metric name="Big" format="%f" desc="x"/>
</tiptop>
TEXT
fault 3 "there are two of the name 'x'" <<'TEXT'
<tiptop>
<verdict name="x" word="x" when="1" rank="1" says="x" sure="sure" source="x"/>
<verdict name="x" word="x" when="1" rank="1" says="x" sure="sure" source="x"/>
</tiptop>
TEXT
fault 2 "<next> cannot stand here" <<'TEXT'
<tiptop>
<next run="x" why="x"/>
</tiptop>
TEXT

lint_project "config"
lint_done
