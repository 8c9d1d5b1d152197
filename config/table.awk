# SPDX-License-Identifier: GPL-2.0-or-later
#
# table.awk - converts the XML of config/ to tables of C: awk -v make=events|screens|themes|verdicts -f table.awk FILE...
#
# events: the CPUs and events of all files, as declared in src/pmu/event/table.h. screens: the screens of all files, as
# declared in src/screen/screen.h, ordered by number. themes: as declared in src/conf/theme.h. verdicts: the metrics and
# verdicts, as declared in src/screen/verdict_list.h.
#
# Reads only the subset of XML that these files use. An error or an unknown name ends the build with file and line.

# The attributes of each element. To add one: a word here, and a field of that name in the struct. A prefix '!' means
# required, '?' "yes" or left out, '#' a digit, '%' a whole number.
BEGIN {
	element("tiptop", "", "")
	element("cpu", "tiptop", "name! models! source!")
	element("event", "tiptop", "name! unit! desc!")
	element("for", "event", "arch model event! name source! weight code")
	element("screen", "tiptop", "name! number!% desc! needs rows idle?")
	element("counter", "screen", "alias! event! arch model")
	element("column", "screen", "id header! format! unit optional? priority# warn crit expr! desc!")
	element("theme", "tiptop", "name! desc! like light?")
	element("look", "theme", "name! fg bg bold? dim? underline? reverse?")
	element("metric", "tiptop", "name! unit format! desc! expr look single?")
	element("from", "metric", "screen! column! times arch model")
	element("verdict", "tiptop", "name! word! when! without rank! says! sure! surer source! counters covers")
	element("next", "verdict", "run! why!")

	for (i = 1; i < ARGC; i++)
		read_document(ARGV[i])
	print "/* Made by config/table.awk: do not edit. */"
	if (make == "events")
		write_events()
	else if (make == "themes")
		write_themes()
	else if (make == "verdicts")
		write_verdicts()
	else
		write_screens()
}

function element(name, parent, attributes,    part, i, n, word) {
	parent_of[name] = parent
	n = split(attributes, part, " ")
	for (i = 1; i <= n; i++) {
		word = part[i]
		gsub(/[!?#%]/, "", word)
		attribute[name, i] = word
		known[name, word] = part[i] ~ /[?]$/ ? "yes" : part[i] ~ /#$/ ? "digit" : part[i] ~ /%$/ ? "number" : "any"
		required[name, i] = part[i] ~ /!/
	}
	n_attributes[name] = n
}

function fail(text) {
	printf "%s:%d: %s\n", file, line, text >"/dev/stderr"
	exit 1
}

# Removes n characters from the text, and counts their lines.
function skip(n,    taken_off) {
	taken_off = substr(text, 1, n)
	line += gsub(/\n/, "", taken_off)
	text = substr(text, n + 1)
}

function skip_behind(end,    at) {
	at = index(text, end)
	if (!at)
		fail("'" end "' is missing")
	skip(at + length(end) - 1)
}

function skip_blanks() {
	match(text, /^[ \t\n]*/)
	skip(RLENGTH)
}

function read_document(path,    row, status) {
	file = path
	line = 1
	text = ""
	while ((status = (getline row <path)) > 0)
		text = text row "\n"
	close(path)
	if (status < 0)
		fail("cannot be read")
	depth = 0
	for (skip_blanks(); text != ""; skip_blanks())
		if (substr(text, 1, 4) == "<!--")
			skip_behind("-->")
		else if (substr(text, 1, 2) == "<?")
			skip_behind("?>")
		else if (substr(text, 1, 2) == "</")
			read_end()
		else
			read_element()
	if (depth)
		fail("</" open[depth] "> is missing")
}

function read_end() {
	if (!depth || index(text, "</" open[depth] ">") != 1)
		fail(depth ? "</" open[depth] "> is expected" : "there is no element to end")
	check_end(open[depth])
	skip(length(open[depth]) + 3)
	depth--
}

function read_element(    name) {
	if (!match(text, /^<[a-z]+/))
		fail("an element is expected")
	name = substr(text, 2, RLENGTH - 1)
	if (!(name in parent_of))
		fail("unknown element <" name ">")
	if (parent_of[name] != (depth ? open[depth] : ""))
		fail("<" name "> cannot stand here")
	skip(RLENGTH)
	read_attributes(name)
	if (substr(text, 1, 2) == "/>") {
		check_end(name)
		skip(2)
	} else if (substr(text, 1, 1) == ">") {
		skip(1)
		open[++depth] = name
	} else
		fail("<" name ">: an attribute, '>' or '/>' is expected")
}

function read_attributes(name,    word, length_of, i) {
	split("", value)
	for (skip_blanks(); match(text, /^[a-z]+="[^"<]*"/); skip_blanks()) {
		length_of = RLENGTH
		word = substr(text, 1, index(text, "=") - 1)
		if (!((name, word) in known))
			fail("<" name "> has an unknown attribute '" word "'")
		if (word in value)
			fail("<" name "> has two attributes '" word "'")
		value[word] = unescape(substr(text, length(word) + 3, length_of - length(word) - 3))
		if (known[name, word] == "yes" && value[word] != "yes")
			fail("<" name ">: the only value of '" word "' is \"yes\"")
		if (known[name, word] == "digit" && value[word] !~ /^[1-9]$/)
			fail("<" name ">: the value of '" word "' is a digit from 1 on")
		if (known[name, word] == "number" && value[word] !~ /^(0|[1-9][0-9]*)$/)
			fail("<" name ">: the value of '" word "' is a whole number")
		skip(length_of)
	}
	for (i = 1; i <= n_attributes[name]; i++)
		if (required[name, i] && value[attribute[name, i]] == "")
			fail("<" name "> has no attribute '" attribute[name, i] "'")
	take(name)
}

function unescape(s,    rest) {
	rest = s
	gsub(/&(lt|gt|quot|apos|amp);/, "", rest)
	if (index(rest, "&") || s ~ /[\t\n]/)
		fail("a value has an unknown entity, a tab or a line break")
	gsub(/&lt;/, "<", s)
	gsub(/&gt;/, ">", s)
	gsub(/&quot;/, "\"", s)
	gsub(/&apos;/, "'", s)
	gsub(/&amp;/, "\\&", s)
	return s
}

# --- elements ---

function take(name) {
	if ("model" in value)
		check_models(value["model"])
	if (name == "cpu") {
		check_models(value["models"])
		check_name("cpu", value["name"])
		cpu[++n_cpus] = fields(name)
	} else if (name == "event") {
		check_name("event", value["name"])
		# The "-" distinguishes it from names of the kernel and of libpfm4.
		if (!index(value["name"], "-"))
			fail("the name of the event '" value["name"] "' has no '-'")
		event_name = value["name"]
		event[++n_events] = fields(name)
		first_choice[n_events] = n_choices + 1
	} else if (name == "for") {
		if (value["event"] ~ /^r[0-9a-f]+$/ && !("name" in value))
			fail("the event " value["event"] " has no name of its maker")
		if ("weight" in value && value["weight"] !~ /^([0-9]+(\.[0-9]+)?|slots)$/)
			fail("the weight '" value["weight"] "' is neither a decimal number nor 'slots'")
		choice[++n_choices] = fields(name)
		last_choice[n_events] = n_choices
	} else if (name == "screen")
		take_screen()
	else if (name == "counter") {
		counter[++n_counters] = fields(name)
		last_counter[n_screens] = n_counters
	} else if (name == "column") {
		column[++n_columns] = fields(name)
		last_column[n_screens] = n_columns
	} else if (name == "theme")
		take_theme()
	else if (name == "look") {
		look[++n_looks] = fields(name)
		last_look[n_themes] = n_looks
	} else if (name == "metric" || name == "verdict")
		take_parent(name)
	else if (name == "from" || name == "next")
		take_child(name, parent_of[name])
}

# Adds a parent element, still without children.
function take_parent(kind) {
	check_id(kind, value["name"])
	rows_of[kind, ++n_of[kind]] = fields(kind)
	children_of[kind, n_of[kind]] = 0
}

function take_child(kind, parent) {
	rows_of[kind, ++n_of[kind]] = fields(kind)
	if (!children_of[parent, n_of[parent]]++)
		first_child[parent, n_of[parent]] = n_of[kind]
}

function check_end(name) {
	if (name == "event" && !(n_events in last_choice))
		fail("the event '" event_name "' is nothing on any CPU")
}

function take_screen() {
	if (value["name"] in screen_of)
		fail("there are two screens '" value["name"] "'")
	if (value["number"] in screen_at)
		fail("there are two screens with the number " value["number"])
	screen_of[value["name"]] = ++n_screens
	screen_at[value["number"]] = n_screens
	screen[n_screens] = fields("screen")
	first_counter[n_screens] = n_counters + 1
	last_counter[n_screens] = n_counters
	first_column[n_screens] = n_columns + 1
}

function take_theme() {
	check_name("theme", value["name"])
	if ("like" in value && !(("theme", value["like"]) in taken))
		fail("the theme '" value["like"] "' does not stand above")
	theme[++n_themes] = fields("theme")
	first_look[n_themes] = n_looks + 1
	last_look[n_themes] = n_looks
}

function check_name(kind, name) {
	if (name !~ /^[a-z][a-z0-9-]*$/)
		fail("'" name "' is no name: small letters, digits and '-'")
	if ((kind, name) in taken)
		fail("there are two of the name '" name "'")
	taken[kind, name]
}

# Checks the name of an element: unique, and of a metric an identifier for expressions.
function check_id(kind, name) {
	if (name !~ (kind == "metric" ? "^[a-z][a-z0-9_]*$" : "^[a-z][a-z0-9-]*$"))
		fail("'" name "' is no name of a <" kind ">")
	if ((kind, name) in taken)
		fail("there are two of the name '" name "'")
	taken[kind, name]
}

function check_models(list,    part, i, n) {
	n = split(list, part, ";")
	for (i = 1; i <= n; i++) {
		sub(/@[a-z_0-9]+$/, "", part[i])
		if (part[i] ~ /^[0-9A-F?][0-9A-F?]+_[0-9A-F?][0-9A-F?]+(_R[0-9A-F?]+)?$/)
			continue
		if (!(("cpu", part[i]) in taken))
			fail("'" part[i] "' is neither a model nor a CPU that stands above")
	}
}

# Returns the attributes as initializers of fields.
function fields(name,    i, word, out) {
	for (i = 1; i <= n_attributes[name]; i++) {
		word = attribute[name, i]
		if (word in value)
			out = out (out == "" ? "" : ", ") "." word " = " constant(known[name, word], value[word])
	}
	return out
}

function constant(kind, s) {
	return kind == "yes" ? "true" : kind == "digit" || kind == "number" ? s : quote(s)
}

function quote(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}

# --- C ---

function write_rows(type, name, rows, n,    i) {
	printf "\nstatic const struct %s %s[] = {\n", type, name
	for (i = 1; i <= n; i++)
		printf "\t{%s},\n", rows[i]
	print "};"
}

function write_events(    i) {
	print "#include \"pmu/event/table.h\""
	write_rows("cpu_name", "cpus", cpu, n_cpus)
	write_rows("event_choice", "choices", choice, n_choices)
	for (i = 1; i <= n_events; i++)
		event[i] = event[i] ", .choice = &choices[" first_choice[i] - 1 "], .n_choices = " last_choice[i] - first_choice[i] + 1
	write_rows("event_def", "events", event, n_events)
	print "\nconst struct event_table event_table_built_in = {cpus, " n_cpus ", events, " n_events ", NULL};"
}

function write_themes(    i) {
	print "#include \"conf/theme.h\""
	write_rows("theme_look_row", "looks", look, n_looks)
	for (i = 1; i <= n_themes; i++)
		theme[i] = theme[i] ", .look = &looks[" first_look[i] - 1 "], .n_looks = " last_look[i] - first_look[i] + 1
	write_rows("theme_row", "themes", theme, n_themes)
	print "\nconst struct theme_row *const theme_built_in = themes;"
	print "const size_t theme_built_in_n = " n_themes ";"
}

function write_parents(kind, type, child, child_type, name,    i, rows) {
	for (i = 1; i <= n_of[child]; i++)
		rows[i] = rows_of[child, i]
	write_rows(child_type, child "s", rows, n_of[child])
	for (i = 1; i <= n_of[kind]; i++) {
		rows[i] = rows_of[kind, i]
		if (children_of[kind, i])
			rows[i] = rows[i] ", ." child " = &" child "s[" first_child[kind, i] - 1 "], .n_" child " = " children_of[kind, i]
	}
	write_rows(type, name, rows, n_of[kind])
}

function write_verdicts() {
	print "#include \"screen/verdict_list.h\""
	write_parents("metric", "metric_row", "from", "metric_from", "metrics")
	write_parents("verdict", "verdict_row", "next", "verdict_next", "verdicts")
	print "\nconst struct verdict_table verdict_table_built_in = {metrics, " n_of["metric"] ", verdicts, " n_of["verdict"] "};"
}

# Prints the screens ordered by number. Users know the numbers, so that of a removed screen stays unused.
function write_screens(    i, n, number, left, sorted) {
	left = n_screens
	print "#include \"screen/screen.h\""
	write_rows("counter_row", "counters", counter, n_counters)
	write_rows("column_row", "columns", column, n_columns)
	for (number = 0; left; number++) {
		if (!(number in screen_at))
			continue
		left--
		i = screen_at[number]
		sorted[++n] = screen[i] ", .counter = &counters[" first_counter[i] - 1 "], .n_counters = " \
			last_counter[i] - first_counter[i] + 1 ", .column = &columns[" first_column[i] - 1 "], .n_columns = " \
			last_column[i] - first_column[i] + 1
	}
	write_rows("screen_row", "screens", sorted, n)
	print "\nconst struct screen_row *const screen_built_in = screens;"
	print "const size_t screen_built_in_n = " n ";"
}
