# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A task that ends between two refreshes is shown once more, with its final counts.
. ./lib.sh

worker ./wait-short
monitor -i $exact -d 1 -n 4 -p "$worker"
sleep 1.7
feed
worker_end
wait $tiptop
is "dead: shown once as DEAD" "$(grep -c ' DEAD$' "$out")" 1
is "dead: its last row says DEAD" "$(grep "^ *$worker" "$out" | tail -n 1 | awk '{ print $NF }')" DEAD
is "dead: its final increment, exactly" "$(last "$worker" 2)" "$((wait_short_byte + wait_short_end))"
is "dead: its final total, exactly" "$(last "$worker" 3)" "$((wait_short_byte + wait_short_end))"

# The same where idle tasks are not shown: it ran in the interval.
worker ./wait-short
monitor $exact -d 1 -n 4 -p "$worker"
sleep 1.7
feed
worker_end
wait $tiptop
is "dead: shown among the active ones, too" "$(last "$worker" 3)" "$((wait_short_byte + wait_short_end))"
