#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The subject of each commit names the module and says what the commit does: "module: verb object", 72 characters at
# most. The verb is one of tests/lint/verbs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Subjects before this commit have forms of their own.
first_commit=9726c8f13d0fa63425f3a3579a71e2e4467cab55

# find_faults DIR: reads the file "subjects" of an example, else the history of the tree.
find_faults() {
	if [ -e "$1/subjects" ]; then
		cat "$1/subjects"
	else
		git -C "$1" log --no-merges --format=%s "$first_commit..HEAD"
	fi | awk '
	FILENAME == ARGV[1] {
		if (!/^#/)
			verb[$1]
		next
	}
	length($0) > 72 {
		print "above 72 characters: " $0
	}
	!/^[^:]+: / {
		print "without a module and a colon: " $0
		next
	}
	{
		split(substr($0, index($0, ": ") + 2), word, " ")
		if (!(word[1] in verb))
			print "\"" word[1] "\" is not in tests/lint/verbs: " $0
	}' "$srcdir/tests/lint/verbs" -
}

echo 'Read a file once' | lint_example subjects
lint_detects "a subject without a module"
echo 'file: reading once' | lint_example subjects
lint_detects "a subject that does not begin with a verb"
echo "file: read $(printf '%070d' 0)" | lint_example subjects
lint_detects "a long subject"
printf 'file: read a file once\ntests/program, doc: name the tests by their subjects\n' | lint_example subjects
lint_accepts "module, colon, verb"
if git -C "$srcdir" merge-base --is-ancestor "$first_commit" HEAD 2>/dev/null; then
	lint_project "the subjects of commits"
else
	lint_count=$((lint_count + 1))
	echo "ok $lint_count - the subjects of commits # SKIP there is no history of the project here"
fi
lint_done
