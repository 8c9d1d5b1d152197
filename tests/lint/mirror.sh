#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A unit test is found by the name of what it tests: tests/unit/ROOM/test_MODULE.c or test_MODULE_TOPIC.c for ROOM/MODULE.c
# or ROOM/MODULE.h of src.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_faults() {
	(cd "$1" && find tests/unit -name 'test_*.c' 2>/dev/null | LC_ALL=C sort | while read -r test; do
		room=${test#tests/unit/} room=${room%/*}
		module=${test##*/test_} module=${module%.c}
		until [ -e "src/$room/$module.c" ] || [ -e "src/$room/$module.h" ]; do
			case $module in
			*_*) module=${module%_*} ;;
			*) echo "$test: no file of src/$room has the beginning of its name" && break ;;
			esac
		done
	done)
}

echo | lint_example src/base/log.c
echo | lint_example tests/unit/base/test_lag.c
lint_detects "a test of no module"
echo | lint_example src/base/log.c
echo | lint_example tests/unit/model/test_log.c
lint_detects "a test in another room than its module"
echo | lint_example src/base/log.c
echo | lint_example tests/unit/base/test_log.c
echo | lint_example tests/unit/base/test_log_full_disk.c
lint_accepts "tests of a module, and of a part of it"
lint_project "unit tests have the names of modules"
lint_done
