# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of doc/system.md, of the files in config/: -v make=columns har.xml har-i.xml har-s.xml, -v make=others of
# any screens, -v make=events of screens and then events.
BEGIN { RS = ">" }

# The value of an attribute of the element at hand; "" where there is none.
function attribute(name, text) {
	if (!match($0, "[ \n]" name "=\"[^\"]*\""))
		return ""
	text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
	gsub(/&lt;/, "<", text)
	gsub(/&gt;/, ">", text)
	gsub(/&amp;/, "\\&", text)
	return text
}

function header(text) {
	text = attribute("header")
	gsub(/ /, "", text)
	return text
}

# As people read it: "% of", "per 1000".
function formula(text, unit) {
	text = attribute("expr")
	unit = attribute("unit")
	return "`" text "`" (unit == "" || unit == "ratio" ? "" : ", " unit)
}

/<!--/ { sub(/.*<!--.*/, "") }
/<screen / { screen = attribute("name"); n = 0 }
# The last choice, where the CPU has no event, is no formula.
/<column / && attribute("expr") != "0 / 0" {
	n++
	cell[screen, n] = formula()
	if (!(n in head)) {
		head[n] = header()
		what[n] = attribute("desc")
		last = n
	}
	if (make == "others")
		print "| `" screen "` | `" header() "` | " formula() " | " attribute("desc") " |"
}
/<counter / && attribute("event") != "" && !(attribute("event") in alias) {
	event[++n_events] = attribute("event")
	alias[event[n_events]] = attribute("alias")
	of[event[n_events]] = attribute("model")
}
/<event / { name = attribute("name"); meaning[name] = attribute("desc") }
/<for / && name in alias {
	where = attribute("model") == "" ? attribute("arch") : attribute("model")
	gsub(/;/, ", ", where)
	cpus[name] = cpus[name] (cpus[name] == "" ? "" : "; ") where ": " \
		(attribute("name") == "" ? attribute("event") : attribute("name"))
}

END {
	for (i = 1; make == "columns" && i <= last; i++)
		printf "| `%s` | %s | %s | %s | %s |\n", head[i], cell["har", i], cell["har-i", i], cell["har-s", i], what[i]
	for (i = 1; make == "events" && i <= n_events; i++)
		if (event[i] in meaning)
			printf "| `%s` | `%s` | %s | %s |\n", alias[event[i]], event[i], meaning[event[i]], cpus[event[i]]
}
