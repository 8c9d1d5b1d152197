# SPDX-License-Identifier: GPL-2.0-or-later
# Part of compare: reads the makers' files, then the lines of --encodings.

function fail(text)
{
	print "compare: " text | "cat >&2"
	failed = 1
	exit 2
}

function hex(text,  i, n)
{
	text = tolower(text)
	sub(/^0x/, "", text)
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n + 0
}

# A number of JSON, which may be a text: "0x1F", "31".
function number(text)
{
	return text ~ /^0[xX]/ ? hex(text) : text + 0
}

# Numbers of up to 52 bits.
function bits_or(a, b,  unit, sum)
{
	for (unit = 1; a || b; unit *= 2) {
		if (a % 2 || b % 2)
			sum += unit
		a = int(a / 2)
		b = int(b / 2)
	}
	return sum + 0
}

function to_hex(n,  text)
{
	do {
		text = substr("0123456789abcdef", n % 16 + 1, 1) text
		n = int(n / 16)
	} while (n)
	return "0x" text
}

# An event of a file: names are of any case. pmu "": of all kinds of cores.
function remember(file, pmu, name, config)
{
	known[file, pmu, toupper(name)] = config
}

# The value of a member of an object; "": it has none. gawk 5.2.1 crashes where an element of an array that has no value
# yet is given to a function.
function member(depth, name)
{
	return (depth, name) in attr ? attr[depth, name] : ""
}

# The config of an object; without EventCode it is an event of a fixed counter, of code 0: Intel SDM, volume 3, IA32_PERFEVTSELx; AMD has four bits of the event more.
function config_of(depth,  code, n)
{
	split(member(depth, "EventCode") ",", code, ",")
	n = number(code[1])
	n = n % 256 + int(n / 256) * 4294967296
	n += number(member(depth, "UMask")) % 256 * 256
	n += (number(member(depth, "EdgeDetect")) ? 262144 : 0) + (number(member(depth, "Invert")) ? 8388608 : 0)
	return n + number(member(depth, "CounterMask")) % 256 * 16777216
}

# The object at this depth has ended.
function end_object(file, depth,  name)
{
	name = member(depth, "EventName")
	if (name != "" && (member(depth, "EventCode") != "" || member(depth, "UMask") != "")) {
		if (is_arm)
			remember(file, "", name, number(member(depth, "EventCode")))
		else
			remember(file, member(depth, "Unit") ~ /^cpu_/ ? member(depth, "Unit") : "", name, config_of(depth))
	} else if (member(depth, "ArchStdEvent") != "") {
		standard[file, ++n_standard[file]] = member(depth, "ArchStdEvent")
	} else if (depth == 3 && key[1] == "events" && member(depth, "code") != "") {
		remember(file, "", key[2], number(member(depth, "code")))
	} else if (depth == 2 && key[1] == "product_configuration") {
		part[file] = sprintf("%02X_%03X", number(member(depth, "implementer")), number(member(depth, "part_num")))
	}
}

function take_value(depth, value)
{
	if (kind[depth] == "{") {
		attr[depth, key[depth]] = value
		attrs[depth] = attrs[depth] SUBSEP key[depth]
	}
}

function begin(depth, bracket)
{
	kind[depth] = bracket
	attrs[depth] = ""
	key[depth] = ""
	wants_key[depth] = bracket == "{"
}

function forget(depth,  i, n, name)
{
	n = split(attrs[depth], name, SUBSEP)
	for (i = 1; i <= n; i++)
		delete attr[depth, name[i]]
}

# Reads a file of JSON once.
function read_json(file,  line, token, depth, ret)
{
	if (file in is_read)
		return
	is_read[file] = 1
	depth = 0
	while ((ret = (getline line < file)) > 0)
		while (match(line, /"([^"\\]|\\.)*"|[][{}:,]|[^][{}:,"[:blank:]\r]+/)) {
			token = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (token == "{" || token == "[") {
				begin(++depth, token)
			} else if (token == "}" || token == "]") {
				if (kind[depth] != (token == "}" ? "{" : "["))
					fail(file ": a bracket '" token "' too many")
				if (token == "}")
					end_object(file, depth)
				forget(depth--)
			} else if (token == ":") {
				wants_key[depth] = 0
			} else if (token == ",") {
				wants_key[depth] = kind[depth] == "{"
			} else {
				if (token ~ /^"/)
					token = substr(token, 2, length(token) - 2)
				if (wants_key[depth])
					key[depth] = token
				else
					take_value(depth, token)
			}
		}
	close(file)
	if (ret < 0)
		fail(file " cannot be read")
	if (depth)
		fail(file " ends within a bracket")
}

function folder_of(path)
{
	sub(/[^\/]*$/, "", path)
	return path
}

# The name that mapfiles have for a model: GenuineIntel-6-8F, AuthenticAMD-25-11; Arm's 0x00000000410fd490 without
# revision and variant.
function map_name(model,  family, rest)
{
	if (length(model) >= 6 && substr(model, 3, 4) ~ /^_[0-9A-F][0-9A-F][0-9A-F]$/)
		return "0x00000000" tolower(substr(model, 1, 2)) ".." tolower(substr(model, 4, 3)) "."
	family = hex(substr(model, 1, 2))
	rest = substr(model, 4)
	sub(/^0/, "", rest)
	return (family == 6 || family == 18 || family == 19 ? "GenuineIntel" : "AuthenticAMD") "-" family "-" rest
}

# A row of a mapfile, which says where the events of CPUs are.
function read_map_row(map,  field, n)
{
	sub(/\r$/, "", row)
	n = split(row, field, ",")
	if (field[1] !~ /^(GenuineIntel|AuthenticAMD|0x)/ || field[4] !~ /^(hybrid)?core$/)
		return
	sub(/^\//, "", field[3])
	++n_maps
	map_cpus[n_maps] = field[1]
	map_path[n_maps] = folder_of(map) field[3]
	map_pmu[n_maps] = field[7] ~ /^Core/ ? "cpu_core" : field[7] ~ /^Atom/ ? "cpu_atom" : ""
	map_top[n_maps] = folder_of(map)
}

# Whether the row of a mapfile is of this model. Steppings are left out.
function is_of(i, model,  pattern, name)
{
	name = map_name(model)
	pattern = map_cpus[i]
	if (pattern ~ /^0x/)
		return name ~ /^0x/ && tolower(pattern) ~ ("^" name "$")
	gsub(/\[:xdigit:\]/, "0-9A-F", pattern)
	if (pattern ~ /^[A-Za-z]+-[0-9]+-[^-]+-\[[^]]*\]$/)
		sub(/-\[[^]]*\]$/, "", pattern)
	return name ~ ("^" pattern "$")
}

# Calls of the kernel's files name events of the architecture, whose codes are in the files above them.
function add_standard(file, top,  i, k)
{
	for (i = 1; i <= n_files; i++)
		if (index(path[i], top) == 1 && substr(path[i], length(top) + 1) ~ /^[^\/]*\.json$/)
			read_json(path[i])
	for (k = 1; k <= n_standard[file]; k++)
		for (i = 1; i <= n_files; i++)
			if ((path[i], "", toupper(standard[file, k])) in known && folder_of(path[i]) == top)
				remember(file, "", standard[file, k], known[path[i], "", toupper(standard[file, k])])
}

# The files that know this model: file_of[1..n], and for which kind of cores.
function find_files(model,  i, k, n)
{
	if (model in n_of)
		return n_of[model]
	is_arm = map_name(model) ~ /^0x/
	for (i = 1; i <= n_maps; i++)
		for (k = 1; is_of(i, model) && k <= n_files; k++)
			if (path[k] == map_path[i] ||
			    (index(path[k], map_path[i] "/") == 1 && path[k] ~ /\.json$/)) {
				read_json(path[k])
				add_standard(path[k], map_top[i])
				file_of[model, ++n] = path[k]
				pmu_of[model, n] = map_pmu[i]
			}
	for (i = 1; i <= n_files; i++)
		if (part[path[i]] != "" && part[path[i]] == substr(model, 1, 6)) {
			file_of[model, ++n] = path[i]
			pmu_of[model, n] = ""
		}
	return n_of[model] = n + 0
}

# What a file says of an event of ours, which may be several with a plus sign between them, and a remark behind a comma:
# -1, where it has not all.
function config_in(file, pmu, event,  name, n, i, config, sum)
{
	sub(/,.*/, "", event)
	n = split(event, name, / *\+ */)
	for (i = 1; i <= n; i++) {
		# A part of a sum may leave out what it shares with the first one.
		if ((file, pmu, toupper(name[i])) in known)
			config = known[file, pmu, toupper(name[i])]
		else if ((file, "", toupper(name[i])) in known)
			config = known[file, "", toupper(name[i])]
		else if (i > 1 && (file, pmu, toupper(folded(name[1], name[i]))) in known)
			config = known[file, pmu, toupper(folded(name[1], name[i]))]
		else if (i > 1 && (file, "", toupper(folded(name[1], name[i]))) in known)
			config = known[file, "", toupper(folded(name[1], name[i]))]
		else
			return -1
		sum = bits_or(sum, config)
	}
	return sum
}

function folded(first, rest)
{
	sub(/\.[^.]*$/, "", first)
	return first "." rest
}

BEGIN {
	FS = "\t"
	while ((getline row < files) > 0)
		path[++n_files] = row
	for (f = 1; f <= n_files; f++)
		if (path[f] ~ /\/mapfile\.csv$/)
			while ((getline row < path[f]) > 0)
				read_map_row(path[f])
	# Arm's own files say themselves whose they are.
	for (f = 1; f <= n_files; f++)
		if (path[f] ~ /\.json$/ && (getline row < path[f]) > 0) {
			text = row
			for (i = 0; i < 40 && (getline row < path[f]) > 0; i++)
				text = text row
			close(path[f])
			if (text ~ /"product_configuration"/)
				read_json(path[f])
		}
}

FNR == 1 {
	if ($0 !~ /^cpu\tscreen\tcolumn\tcounter\tevent\ttype\tconfig\tconfig1\tgroup\tweight$/)
		fail("these are no lines of --encodings")
	next
}

# The metrics of SLOTS are the kernel's: the maker has a register for them.
$5 ~ /^PERF_METRICS\./ {
	next
}

# By a code: the type is that of raw events, or a PMU.
$6 == "0x4" || $6 ~ /^[a-z]/ {
	pmu = $4 ~ /@/ ? $4 : ""
	sub(/^.*@/, "", pmu)
	if (seen[$1, pmu, $5]++)
		next
	n = find_files($1)
	answer = n ? "absent" : "unknown"
	why = n ? "no event of this name" : "no file for this CPU"
	for (i = 1; i <= n && answer != "differs"; i++) {
		if (pmu != "" && pmu_of[$1, i] != "" && pmu_of[$1, i] != pmu)
			continue
		theirs = config_in(file_of[$1, i], pmu, $5)
		if (theirs < 0)
			continue
		answer = theirs == hex($7) ? "agree" : "differs"
		why = to_hex(theirs)
	}
	total[answer]++
	print answer "\t" $1 "\t" (pmu == "" ? "-" : pmu) "\t" $5 "\t" $7 "\t" why
}

END {
	if (failed)
		exit 2
	print "# " total["agree"] + 0 " agree, " total["differs"] + 0 " differ, " total["absent"] + 0 " absent, " total["unknown"] + 0 " unknown"
	exit total["differs"] + total["absent"] > 0
}
