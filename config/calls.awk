# SPDX-License-Identifier: GPL-2.0-or-later
#
# calls.awk - generates C from the functions of config/calls.list: awk [-v make=check] -f calls.awk FILE...
#
# Prints the tables of src/inject/preload/calls.h, and a wrapper of each function (src/inject/preload/calls.h). A
# wrapper has the function's name only as an assembler label, so that it conflicts with no macro or declaration of a
# header. With make=check, prints code that compiles if the prototypes agree with the headers; names that begin with "__"
# are in none and left out.
#
# With make=more, the last FILE has a user's functions, and the one before it those that have wrappers already: prints a
# separate object, which is preloaded after the other one. The file of a user may have two more kinds of lines:
#
#   include <HEADER>      or "HEADER": has the types and prototypes
#   library NAME          or a path: has the functions, if programs may load it later; its linker flag goes to the file flags=
#
# With make=blocking, the first FILE is config/blocking.list: prints the tables and wrappers of src/inject/preload/blocking.h, of
# the functions in it.
#
# An error ends it with a message that has file, line and column.

BEGIN {
	real = make == "blocking" ? "blocking_real" : "calls_real"
	n_groups = split("io memory pthread string time math other", group, " ")
	for (i = 1; i <= n_groups; i++)
		is_group[group[i]]
	if (make == "blocking")
		for (i = split("input time task device file stream", group, " "); i; i--)
			is_group[group[i]]
	print "/* Made by config/calls.awk: do not edit. */"
	if (make == "more")
		print_begin()
	else
		print "#include \"inject/preload/calls_headers.h\"\n"
	if (make == "")
		print "#include \"inject/preload/calls.h\"\n#include \"inject/preload/calls.h\"\n"
	if (make == "blocking")
		print "#include \"inject/preload/blocking.h\"\n"
}

FNR == 1 {
	n_files++
}

{
	sub(/[ \t\r]+$/, "")
}

/^#/ || !NF {
	next
}

{
	column = index($0, $1)
}

make == "more" && n_files == 2 && $1 == "include" {
	if ($2 !~ /^(<[^<>"\\]+>|"[^<>"\\]+")$/ || NF > 2)
		fail("an include is of <HEADER> or \"HEADER\"")
	print place() "#include " $2
	has_headers = 1
	next
}

make == "more" && n_files == 2 && $1 == "library" {
	if (NF != 2 || $2 !~ /^[-A-Za-z0-9_+.\/]+$/ || $2 ~ /^-/)
		fail("a library has a name, or a path, of letters, digits and -_+./")
	print ($2 ~ /\// ? $2 : "-l" $2) >flags
	next
}

make == "blocking" && n_files == 1 && !/\(/ {
	for (i = 2; i <= NF; i++)
		state[$i] = toupper($1)
	next
}

$1 == "refused" {
	for (i = 2; i <= NF && $i != ":"; i++)
		refused[$i] = substr($0, index($0, " : ") + 3)
	if (i >= NF)
		fail("no reason is given")
	next
}

{
	read_function()
	if (make == "blocking" && n_files == 1)
		state[name] = toupper($1)
	if ((make == "check" && name ~ /^__/) || (make == "more" && n_files == 1) || (make == "blocking" && !(name in state)))
		next
	if (n_more == 512)
		fail("there are more than 512 functions")
	if (length(name) > 39)
		fail(name " is longer than 39 characters")
	if (since != "") {
		enough = sprintf("#if __GLIBC_PREREQ(%s, %s)\n", part_of(since, 1), part_of(since, 2))
		end_if = "#endif\n"
	} else {
		enough = end_if = ""
	}
	numbers = numbers enough "\tCALLS_" name ",\n" end_if
	n_more += make == "more"
	functions = functions enough "\t{\"" name "\", \"" $1 "\"},\n" end_if
	symbols = symbols enough "\t{\"" (vform == "" ? name : vform) "\", " (version == "" ? "NULL" : "\"" version "\"") "},\n" end_if
	code = code enough (make == "more" ? place() one_line(check_of() wrapper_of()) : make == "check" ? check_of() : wrapper_of()) end_if
}

function fail(text) {
	printf "%s:%d:%d: %s\n", FILENAME, FNR, column, text >"/dev/stderr"
	failed = 1
	exit 1
}

function fail_at(at, text) {
	column = at
	fail(text)
}

# Prints a #line directive: the compiler's messages about the following code name the line of the list.
function place(    file) {
	file = FILENAME
	gsub(/[\\"]/, "\\\\&", file)
	gsub(/[[:cntrl:]]/, "?", file)
	return "#line " FNR " \"" file "\"\n"
}

function part_of(number, i,    part) {
	split(number, part, ".")
	return part[i]
}

# Parses "char *f(int, int (*)(int, int)) @ V" into result, name, types, argument[], vform, more, version, since.
function read_function(    line, at, end, depth, c) {
	if (!($1 in is_group))
		fail("there is no group " $1)
	line = substr($0, column + length($1))
	sub(/^[ \t]+/, "", line)
	column = length($0) - length(line) + 1
	if (!match(line, /[A-Za-z_][A-Za-z_0-9]*\(/))
		fail("no function")
	if (RSTART == 1)
		fail("the function has no type")
	column += RSTART - 1
	result = substr(line, 1, RSTART - 1)
	name = substr(line, RSTART, RLENGTH - 1)
	at = RSTART + RLENGTH
	for (end = at; end <= length(line) && depth >= 0; end++) {
		c = substr(line, end, 1)
		depth += (c == "(") - (c == ")")
	}
	if (depth >= 0)
		fail(name " has no end")
	types = substr(line, at, end - 1 - at)
	if ((result types) !~ /^[][A-Za-z0-9_ \t,*().]*$/)
		fail(name ": a prototype has names, *, (), [], commas and nothing else")
	split_types(types)
	read_options(substr(line, end))
	check_option("=", vform, "^[A-Za-z_][A-Za-z0-9_]*$", "the name of a function")
	check_option("+", more, "^[A-Za-z_][A-Za-z0-9_ *]*(, *[A-Za-z_][A-Za-z0-9_ *]*)*$", "types")
	check_option("@", version, "^[A-Za-z_][A-Za-z0-9_.]*$", "the version of a symbol, as GLIBC_2.15")
	check_option("?", since, "^[0-9]+[.][0-9]+$", "a version of the C library, as 2.34")
	if (name in refused)
		fail(name " may have no wrapper, as " refused[name])
	if (name in seen)
		fail(name (seen[name] == n_files ? " is there twice" : " is measured already"))
	seen[name] = n_files
	is_variadic = n_arguments && argument[n_arguments] == "..."
	if (is_variadic != (vform != "" || more != ""))
		fail(name ": \"...\" and what is called for it do not go together")
	if (is_variadic)
		n_arguments--
}

function split_types(text,    i, c, depth, from) {
	n_arguments = 0
	if (text == "void")
		return
	from = 1
	for (i = 1; i <= length(text) + 1; i++) {
		c = substr(text, i, 1)
		depth += (c == "(") - (c == ")")
		if (i > length(text) || (c == "," && !depth)) {
			argument[++n_arguments] = substr(text, from, i - from)
			sub(/^ +/, "", argument[n_arguments])
			from = i + 1
		}
	}
}

function read_options(text,    word) {
	vform = more = version = since = ""
	while (match(text, /^ [=+@?] [^=+@?]+/)) {
		word = substr(text, 4, RLENGTH - 3)
		sub(/ +$/, "", word)
		if (substr(text, 2, 1) == "=")
			vform = word
		else if (substr(text, 2, 1) == "+")
			more = word
		else if (substr(text, 2, 1) == "@")
			version = word
		else
			since = word
		text = (RLENGTH == length(text) ? "" : " ") substr(text, RLENGTH + 1)
	}
	if (text != "")
		fail_at(length($0) - length(text) + 2, name ": what is \"" substr(text, 2) "\"?")
}

# Refuses an option with other characters than the pattern allows: its text becomes C code.
function check_option(sign, text, pattern, what) {
	if (text != "" && text !~ pattern)
		fail_at(index($0, " " sign " ") + 3, name ": behind " sign " stands " what ", and not \"" text "\"")
}

function one_line(text) {
	gsub(/\n/, " ", text)
	return text "\n"
}

# Returns the check of a prototype against the headers; "" if there is no header to compare with.
function check_of() {
	if (make == "more" && (!has_headers || name ~ /^__/))
		return ""
	return "__attribute__((unused)) static " result "(*const check_" name ")(" types ") = " name ";\n"
}

# Returns the state of a blocking function, its descriptor and its stream.
function what_of(name,    i) {
	for (i = 1; name == "STREAM" && i < n_arguments && argument[i] != "FILE *"; i++)
		;
	return name == "FILE" ? "BLOCKING_FILE, a1, NULL" : name == "STREAM" ? "BLOCKING_FILE, -1, a" i : "LOCKS_" name ", -1, NULL"
}

function wrapper_of(    i, parameters, values, extra, n_extra, type, returns, text) {
	for (i = 1; i <= n_arguments; i++) {
		parameters = parameters (i > 1 ? ", " : "") "__typeof__(" argument[i] ") a" i
		values = values (i > 1 ? ", " : "") "a" i
	}
	if (is_variadic)
		parameters = parameters ", ..."
	else if (!n_arguments)
		parameters = "void"
	returns = result == "void " ? "" : vform != "" ? "ret = " : "return "
	type = types
	if (vform != "")
		sub(/\.\.\.$/, "va_list", type)
	text = "CALLS_PUBLIC " result "wrap_" name "(" parameters ") __asm__(\"" name "\");\n" result "wrap_" name "(" parameters ")\n{\n"
	if (is_variadic)
		text = text "\tva_list list;\n"
	if (vform != "" && returns != "")
		text = text "\t" result "ret;\n"
	n_extra = more == "" ? 0 : split(more, extra, / *, */)
	for (i = 1; i <= n_extra; i++)
		text = text "\t" extra[i] (extra[i] ~ /\*$/ ? "" : " ") "b" i ";\n"
	if (make == "blocking")
		text = text "\tBLOCKING_ENTER(CALLS_" name ", " what_of(state[name]) ");\n"
	else
		text = text "\tCALLS_ENTER(CALLS_" name ");\n"
	delete state[name]
	if (is_variadic)
		text = text "\tva_start(list, a" n_arguments ");\n"
	for (i = 1; i <= n_extra; i++) {
		text = text "\tb" i " = va_arg(list, " extra[i] ");\n"
		values = values ", b" i
	}
	if (n_extra)
		text = text "\tva_end(list);\n"
	if (vform != "")
		values = values ", list"
	text = text "\t" returns "((" result "(*)(" type "))" real "[CALLS_" name "])(" values ");\n"
	if (vform != "")
		text = text "\tva_end(list);\n" (returns == "" ? "" : "\n\treturn ret;\n")
	return text "}\n\n"
}

END {
	if (failed)
		exit 1
	for (name in state) {
		printf "config/blocking.list: %s is not in config/calls.list\n", name >"/dev/stderr"
		exit 1
	}
	if (make == "more") {
		print_end()
	} else if (make == "blocking") {
		print "enum {\n\tCALLS_PROGRAM,\n" numbers "\tCALLS_N\n};\n"
		print "const uint32_t blocking_n = CALLS_N - 1;\nvoid (*blocking_real[CALLS_N])(void);\n"
		print "const struct blocking_symbol blocking_symbols[CALLS_N - 1] = {\n" symbols "};\n"
	} else if (make == "") {
		print "enum {\n\tCALLS_PROGRAM,\n" numbers "\tCALLS_N\n};\n"
		print "const uint32_t calls_n_listed = CALLS_N - 1;\nvoid (*calls_real[CALLS_N])(void);\n"
		print "const struct calls_function calls_functions[CALLS_N - 1] = {\n" functions "};\n"
		print "const struct calls_symbol calls_symbols[CALLS_N - 1] = {\n" symbols "};\n"
		print "const struct calls_special calls_special = {"
		for (i = split("malloc calloc realloc free prctl pthread_create thrd_create", special, " "); i; i--)
			print "\t." special[i] " = CALLS_" special[i] ","
		print "};\n"
	}
	printf "%s", code
}

# Prints the beginning of a user's object, before its wrappers; src/inject/preload/calls.h and calls_more.c describe it.
function print_begin() {
	print "#include <dlfcn.h>\n#include <stdarg.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <sys/types.h>\n#include <unistd.h>"
	print "#define CALLS_PUBLIC __attribute__((visibility(\"default\")))"
	print "struct calls_call { void *own; uint32_t level; uintptr_t at; };"
	print "void tiptop_calls_enter(struct calls_call *, uint32_t, void *);\nvoid tiptop_calls_leave(struct calls_call *);"
	print "#define CALLS_ENTER(number) __attribute__((cleanup(tiptop_calls_leave))) struct calls_call call; \\"
	print "\ttiptop_calls_enter(&call, number, __builtin_frame_address(0)); \\"
	print "\tif (!calls_real[number]) find_one(number)"
	print "static void (*calls_real[513])(void);\nstatic const char *first_version;\nstatic void find_one(uint32_t number);"
}

function print_end() {
	if (!n_more) {
		printf "%s: there is no function in it\n", ARGV[ARGC - 1] >"/dev/stderr"
		exit 1
	}
	print "enum {\n\tCALLS_NONE,\n" numbers "\tCALLS_N\n};"
	print "static const struct { char name[40], group[8]; } functions[CALLS_N - 1] = {\n" functions "};"
	print "static const struct { const char *name, *version; } symbols[CALLS_N - 1] = {\n" symbols "};"
	print "static void missing(void)\n{\n\tstatic const char text[] ="
	print "\t\t\"tiptop: a function was called that was in no library when the program began: see 'library' in tiptop-calls(1)\\n\";"
	print "\tssize_t n = write(2, text, sizeof text - 1);\n\n\t(void)n;\n\tabort();\n}"
	print "static void find_one(uint32_t number)\n{"
	print "\tconst char *name = symbols[number - 1].name, *version = symbols[number - 1].version;"
	print "\tvoid *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;\n"
	print "\tfound = found ? found : dlsym(RTLD_NEXT, name);"
	print "\tfound = found || !first_version ? found : dlvsym(RTLD_NEXT, name, first_version);"
	print "\tcalls_real[number] = missing;\n\tif (found)\n\t\t*(void **)&calls_real[number] = found;\n}"
	print "static void find(const char *first)\n{\n\tfirst_version = first;"
	print "\tfor (uint32_t i = 1; i < CALLS_N; i++)\n\t\tfind_one(i);\n}"
	print "const struct { uint32_t n; const void *function; void (*find)(const char *); } tiptop_calls_more = {CALLS_N - 1, functions, find};"
}
