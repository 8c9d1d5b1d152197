# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The test bed itself: the kernel's counts equal the instructions in the assembler source. The other tests depend on this.
. ./lib.sh

is "bed: a program from its start to its end, exactly" "$(./count run ./loop-short)" "$loop_short_all"

# shellcheck disable=SC2046 # three numbers
set -- $(./count bytes ./wait-short)
is "bed: attached while it waits, first byte, exactly" "${1-}" "$wait_short_byte"
is "bed: attached while it waits, second byte, exactly" "${2-}" "$wait_short_byte"
is "bed: attached while it waits, end of the input, exactly" "${3-}" "$wait_short_end"
