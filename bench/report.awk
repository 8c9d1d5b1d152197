# SPDX-License-Identifier: GPL-2.0-or-later
#
# report.awk - prints the results of bench/run as text, json or markdown (variable format); rows: only the rows of a set
# of runs (variable set), one on a line.
#
# Reads meta (key, value), left-out (set, tool, why), busy (set, share of the CPU time that was used before) and samples
# (set, tool, metric, run, value), separated by tabs, and rows, as bench/run describes them, separated by |.

# Above this share, in %, the machine was too busy for times.
BEGIN {
	busy_limit = 10
}

FILENAME ~ /\/meta$/ {
	split($0, part, "\t")
	if (part[1] == "tool") {
		tool_name[++n_tools] = part[2]
		tool_version[n_tools] = part[3]
	} else
		meta[part[1]] = part[2]
}

FILENAME ~ /\/left-out$/ {
	n_left++
	split($0, part, "\t")
	left_set[n_left] = part[1]
	left_tool[n_left] = part[2]
	left_why[n_left] = part[3]
}

FILENAME ~ /\/busy$/ {
	split($0, part, "\t")
	if (part[2] > busy_limit)
		busy = busy (busy ? ", " : "") part[1] " (" part[2] " %)"
}

FILENAME ~ /\/rows$/ {
	n_rows++
	split($0, part, "|")
	row_id[n_rows] = part[2]
	row_what[n_rows] = part[3]
	row_value[n_rows] = part[4]
	row_reference[n_rows] = part[5]
	row_limit[n_rows] = part[6]
}

FILENAME ~ /\/samples$/ {
	split($0, part, "\t")
	key = part[1] "/" part[2] "/" part[3]
	if (!(key in count)) {
		key_of[++n_keys] = key
		set_of[key] = part[1]
		tool_of[key] = part[2]
		metric_of[key] = part[3]
	}
	at = ++count[key]
	by_run[key, part[4]] = part[5] + 0
	if (part[4] > last_run[key])
		last_run[key] = part[4]
	# Insert in order.
	for (; at > 1 && value[key, at - 1] > part[5] + 0; at--)
		value[key, at] = value[key, at - 1]
	value[key, at] = part[5] + 0
}

# --- numbers ---

function quantile(key, q,    at, below) {
	at = 1 + q * (count[key] - 1)
	below = int(at)
	return below == count[key] ? value[key, below] : value[key, below] + (at - below) * (value[key, below + 1] - value[key, below])
}

function median(key) {
	return quantile(key, 0.5)
}

# The mean and half of its 95 % confidence interval: Student's t with n - 1 degrees of freedom.
function mean(key,    i, sum) {
	for (i = 1; i <= count[key]; i++)
		sum += value[key, i]
	return sum / count[key]
}

function half_interval(key,    i, sum, m, n, t) {
	n = count[key]
	if (n < 2)
		return "inf"
	split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 2.160 2.145 2.131 2.120 2.110 2.101 2.093 2.086", t, " ")
	m = mean(key)
	for (i = 1; i <= n; i++)
		sum += (value[key, i] - m) ^ 2
	return (n <= 21 ? t[n - 1] : 2.086) * sqrt(sum / (n - 1) / n)
}

# The unit in which a metric is shown, and the factor from its own unit.
function unit_of(metric) {
	return metric ~ /_us$/ ? "ms" : metric ~ /_ns$/ ? "us" : metric ~ /_kib$/ ? "MiB" : metric ~ /_pct$/ ? "%" : metric ~ /_bytes$/ ? "B" : ""
}

function scale_of(metric) {
	return metric ~ /_[un]s$/ ? 1000 : metric ~ /_kib$/ ? 1024 : 1
}

function digits(x) {
	if (x == int(x))
		return sprintf("%d", x)
	return x >= 100 || x <= -100 ? sprintf("%.0f", x) : x >= 10 || x <= -10 ? sprintf("%.1f", x) : sprintf("%.3g", x)
}

function shown(key,    metric, scale, unit, text) {
	metric = metric_of[key]
	scale = scale_of(metric)
	unit = unit_of(metric)
	if (metric == "slowdown_pct")
		return sprintf("%+.2f %% +- %.2f", mean(key), half_interval(key))
	text = digits(median(key) / scale) (unit ? " " unit : "")
	if (count[key] > 1)
		text = text " [" digits(value[key, 1] / scale) ".." digits(value[key, count[key]] / scale) "]"
	return text
}

function as_ratio(x) {
	return x <= 0 ? digits(x) : x < 1 ? sprintf("1/%.1f", 1 / x) : sprintf("%.2f", x)
}

# Sets extremes[1] and [2] to the range of the ratios of runs made side by side.
function ratio_range(key, reference, extremes,    run, r, n) {
	extremes[1] = extremes[2] = ratio(key, reference)
	for (run = 1; run <= last_run[key]; run++)
		if (((key, run) in by_run) && ((reference, run) in by_run)) {
			r = by_run[key, run] / by_run[reference, run]
			if (!n++)
				extremes[1] = extremes[2] = r
			else if (r < extremes[1])
				extremes[1] = r
			else if (r > extremes[2])
				extremes[2] = r
		}
}

function ratio(key, reference) {
	return median(key) / median(reference)
}

function limit_number(text,    part) {
	return split(text, part, "/") == 2 ? part[1] / part[2] : text + 0
}

# Whether row i meets its target: "yes", "no", or "" if that is not known or there is no target.
function met(i,    key, reference, x, part) {
	key = row_value[i]
	reference = row_reference[i]
	if (row_limit[i] == "" || !(key in count) || (reference != "" && !(reference in count)))
		return ""
	if (row_limit[i] == "noise")
		return count[key] > 1 && mean(key) - half_interval(key) <= 0 ? "yes" : "no"
	x = reference != "" ? ratio(key, reference) : median(key) / scale_of(metric_of[key])
	if (split(row_limit[i], part, "[.][.]") == 2)
		return x >= part[1] + 0 && x <= part[2] + 0 ? "yes" : "no"
	return x <= limit_number(row_limit[i]) ? "yes" : "no"
}

function shown_limit(i,    unit) {
	if (row_limit[i] == "" || row_limit[i] == "noise")
		return row_limit[i] == "" ? "" : "0 in it"
	unit = row_reference[i] == "" ? unit_of(substr(row_value[i], match(row_value[i], /[^\/]*$/))) : ""
	return (index(row_limit[i], "..") ? "" : "<= ") row_limit[i] (unit ? " " unit : "")
}

# The key of top(1) in the same set, for comparison.
function top_of(key,    i, k) {
	for (i = 1; i <= n_keys; i++) {
		k = key_of[i]
		if (set_of[k] == set_of[key] && metric_of[k] == metric_of[key] && tool_of[k] ~ /^top/)
			return k
	}
	return ""
}

# --- text and markdown ---

function machine() {
	return meta["cpu"] ", " meta["cpus"] " CPUs, " (meta["pmu"] == "yes" ? "with" : "without") " hardware counters; " meta["kernel"]
}

function row_cells(i, cell,    key, reference, extremes) {
	key = row_value[i]
	reference = row_reference[i]
	cell[1] = row_what[i]
	cell[2] = key in count ? shown(key) : "not measured"
	cell[3] = cell[4] = ""
	if (reference != "") {
		cell[3] = reference in count ? tool_of[reference] " " shown(reference) : "not measured"
		if (key in count && reference in count) {
			ratio_range(key, reference, extremes)
			cell[4] = as_ratio(ratio(key, reference))
			if (count[key] > 1)
				cell[4] = cell[4] " [" as_ratio(extremes[1]) ".." as_ratio(extremes[2]) "]"
		}
	}
	cell[5] = shown_limit(i)
	cell[6] = met(i)
	return 6
}

# Makes the cells of the table of refreshes: one line for each tool of a set, columns of the common metrics.
function tool_cells(key, cell,    set, top, i, metric, n, k) {
	set = set_of[key] "/" tool_of[key] "/"
	cell[1] = set_of[key]
	cell[2] = tool_of[key]
	cell[3] = shown(key)
	top = top_of(key)
	cell[4] = top == "" ? "" : as_ratio(ratio(key, top))
	n = split("start_us rss_kib private_kib fds", metric, " ")
	for (i = 1; i <= n; i++) {
		k = set metric[i]
		cell[4 + i] = k in count ? shown(k) : ""
		sub(/ \[.*/, "", cell[4 + i])
	}
	return 8
}

function in_tool_table(key) {
	return ((set_of[key] "/" tool_of[key] "/refresh_us") in count)
}

function other_cells(key, cell) {
	cell[1] = set_of[key]
	cell[2] = tool_of[key]
	cell[3] = metric_of[key]
	sub(/_(pct|bytes|us|kib)$/, "", cell[3])
	gsub(/_/, " ", cell[3])
	cell[4] = shown(key)
	return 4
}

# Adds a line to the current table, which is printed when the widths of its columns are known.
function add_line(n, cell,    i) {
	n_lines++
	n_columns = n
	for (i = 1; i <= n; i++) {
		grid[n_lines, i] = cell[i]
		if (length(cell[i]) > width[i])
			width[i] = length(cell[i])
	}
}

function begin_table(title, heads,    n, cell) {
	print ""
	if (format == "markdown")
		print "### " title "\n"
	else
		print title
	n_lines = 0
	split("", width)
	n = split(heads, cell, "|")
	add_line(n, cell)
}

function end_table(    i, k, line) {
	for (i = 1; i <= n_lines; i++) {
		line = format == "markdown" ? "|" : ""
		for (k = 1; k <= n_columns; k++)
			line = line (format == "markdown" ? " " grid[i, k] " |" : sprintf("  %-" width[k] "s", grid[i, k]))
		sub(/ +$/, "", line)
		print line
		if (i == 1 && format == "markdown") {
			line = "|"
			for (k = 1; k <= n_columns; k++)
				line = line "---|"
			print line
		}
	}
}

function write_text(    i, n, cell, line) {
	if (format == "markdown")
		print ""
	print "Measured " meta["date"] " by '" meta["command"] "'" (small ? ", small: its times mean nothing" : "") "."
	print "Machine: " machine() "; its load average was " meta["load_before"] " before and " meta["load_after"] " after."
	for (i = 1; i <= n_tools; i++)
		line = line (i > 1 ? "; " : "") (index(tool_version[i], tool_name[i]) ? "" : tool_name[i] ": ") tool_version[i]
	print "Tools: " line "."
	for (i = 1; i <= n_left; i++)
		print "Left out: " (left_set[i] ? left_set[i] ", " : "") left_tool[i] ": " left_why[i] "."
	if (busy)
		print "The machine was busy with other programs before these sets of runs: " busy "."
	begin_table("Targets", "what|tiptop|compared with|ratio|target|met")
	for (i = 1; i <= n_rows; i++) {
		n = row_cells(i, cell)
		add_line(n, cell)
	}
	end_table()
	begin_table("One refresh of each tool", "set|tool|CPU time|of top's|to first rows|RSS|private|descriptors")
	for (i = 1; i <= n_keys; i++)
		if (metric_of[key_of[i]] == "refresh_us") {
			n = tool_cells(key_of[i], cell)
			add_line(n, cell)
		}
	end_table()
	begin_table("All else", "set|tool|what|value")
	for (i = 1; i <= n_keys; i++)
		if (!in_tool_table(key_of[i])) {
			n = other_cells(key_of[i], cell)
			add_line(n, cell)
		}
	end_table()
	if (format == "markdown")
		print ""
}

# Prints the rows that need this set of runs and are measured.
function write_rows(    i, key, reference, cell) {
	for (i = 1; i <= n_rows; i++) {
		key = row_value[i]
		reference = row_reference[i]
		if (!(key in count) || (reference != "" && !(reference in count)) || \
		    (set_of[key] != set && (reference == "" || set_of[reference] != set)))
			continue
		row_cells(i, cell)
		print "  " row_id[i] ": " cell[2] (cell[3] ? "; " cell[3] "; ratio " cell[4] : "") (cell[5] ? "; target " cell[5] ": " cell[6] : "")
	}
}

# --- json ---

function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/[[:cntrl:]]/, " ", text)
	return "\"" text "\""
}

function number(x) {
	return sprintf("%.6g", x)
}

function statistics(key,    i, text) {
	text = "\"tool\": " quoted(tool_of[key]) ", \"n\": " count[key] ", \"median\": " number(median(key)) ", \"min\": " number(value[key, 1]) \
		", \"max\": " number(value[key, count[key]]) ", \"q1\": " number(quantile(key, 0.25)) ", \"q3\": " number(quantile(key, 0.75))
	if (metric_of[key] == "slowdown_pct" && count[key] > 1)
		text = text ", \"mean\": " number(mean(key)) ", \"ci95\": [" number(mean(key) - half_interval(key)) ", " \
			number(mean(key) + half_interval(key)) "]"
	return text
}

function json_row(i,    key, reference, text, extremes, m) {
	key = row_value[i]
	reference = row_reference[i]
	text = "    {\"row\": " quoted(row_id[i]) ", \"what\": " quoted(row_what[i]) ", \"metric\": " \
		quoted(substr(key, match(key, /[^\/]*$/)))
	text = text ", \"value\": " (key in count ? "{" statistics(key) "}" : "null")
	text = text ", \"reference\": " (reference != "" && reference in count ? "{" statistics(reference) "}" : "null")
	if (reference != "" && key in count && reference in count) {
		ratio_range(key, reference, extremes)
		text = text ", \"ratio\": " number(ratio(key, reference)) ", \"ratio_min\": " number(extremes[1]) \
			", \"ratio_max\": " number(extremes[2])
	} else
		text = text ", \"ratio\": null"
	m = met(i)
	return text ", \"target\": " (row_limit[i] == "" ? "null" : quoted(shown_limit(i))) ", \"met\": " \
		(m == "yes" ? "true" : m == "no" ? "false" : "null") "}"
}

function json_measurement(key,    top) {
	top = top_of(key)
	return "    {\"set\": " quoted(set_of[key]) ", \"metric\": " quoted(metric_of[key]) ", " statistics(key) \
		", \"ratio_to_top\": " (top == "" || !median(top) ? "null" : number(ratio(key, top))) "}"
}

function write_json(    i) {
	print "{\n  \"date\": " quoted(meta["date"]) ",\n  \"command\": " quoted(meta["command"]) ",\n  \"small\": " \
		(small ? "true" : "false") ",\n  \"runs\": " runs ","
	print "  \"machine\": {\"cpu\": " quoted(meta["cpu"]) ", \"cpus\": " meta["cpus"] ", \"kernel\": " quoted(meta["kernel"]) \
		", \"hardware_counters\": " (meta["pmu"] == "yes" ? "true" : "false") ", \"load_before\": " quoted(meta["load_before"]) \
		", \"load_after\": " quoted(meta["load_after"]) "},"
	print "  \"tools\": {"
	for (i = 1; i <= n_tools; i++)
		print "    " quoted(tool_name[i]) ": " quoted(tool_version[i]) (i < n_tools ? "," : "")
	print "  },\n  \"left_out\": ["
	for (i = 1; i <= n_left; i++)
		print "    {\"set\": " quoted(left_set[i]) ", \"tool\": " quoted(left_tool[i]) ", \"why\": " quoted(left_why[i]) "}" \
			(i < n_left ? "," : "")
	print "  ],\n  \"rows\": ["
	for (i = 1; i <= n_rows; i++)
		print json_row(i) (i < n_rows ? "," : "")
	print "  ],\n  \"measurements\": ["
	for (i = 1; i <= n_keys; i++)
		print json_measurement(key_of[i]) (i < n_keys ? "," : "")
	print "  ]\n}"
}

END {
	if (format == "json")
		write_json()
	else if (format == "rows")
		write_rows()
	else
		write_text()
}
