#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each change of tests/mutate/list still finds its file, its function and its text, and its test is there: else the long run
# of tests/mutate/run.sh breaks nothing, and says so only after an hour.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# changes FILE FUNCTION CHANGE: the change has an effect there.
changes() {
	if [ "$2" = - ]; then
		! sed -E "$3" "$1" | cmp -s - "$1"
	else
		! sed -E "/^[a-z].*\\b$2\\(/,/^}/{$3}" "$1" | cmp -s - "$1"
	fi
}
find_faults() {
	(cd "$1" && [ -e tests/mutate/list ] || exit 0
	cd "$1" && while read -r key value || [ -n "$key" ]; do
		case $key in
		what) what=$value ;;
		where) file=${value% *} function=${value##* } ;;
		change)
			if [ ! -e "$file" ]; then
				echo "$what: there is no file '$file'"
			elif ! changes "$file" "$function" "$value" 2>&1; then
				echo "$what: the change of $function() in $file changes nothing"
			fi
			;;
		test)
			case $value in
			*.sh) ;;
			*) value=tests/unit/$value.c ;;
			esac
			[ -e "$value" ] || echo "$what: there is no test '$value'"
			;;
		esac
	done <tests/mutate/list)
}

# example CHANGE TEST: a list with this row.
example() {
	printf 'int twice(int x)\n{\n\treturn 2 * x;\n}\n\nint half(int x)\n{\n\treturn x / 2;\n}\n' | lint_example src/base/x.c
	: | lint_example tests/unit/base/test_x.c
	printf 'what   %s\nwhere  src/base/x.c twice\nchange %s\ntest   %s\n' "it adds" "$1" "$2" | lint_example tests/mutate/list
}
example 's/2 \* x/2 + x/' base/test_x
lint_accepts "a change with an effect"
example 's/x \/ 2/x/' base/test_x
lint_detects "a change whose text is in another function"
example 's/2 \* x/2 + x/' base/test_y
lint_detects "a test that is not there"
lint_project "changes of the mutation test"
lint_done
