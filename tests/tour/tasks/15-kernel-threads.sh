# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How are kernel threads hidden?"
if grep -q kthreadd /proc/2/comm 2>/dev/null; then
	open_among_all kwork-report -S tasks -p kwork
	await "kernel threads are there" shows 'kworker/'
	shot
	key f
	await "f asks for a filter" shows 'ilter'
	type_answer 'res > 0'
	await "they are not shown any more" hides 'kworker/'
	check "my own task is" shows 'kwork-report'
	tell "They have no memory of their own: the filter \`res > 0\` lets all others pass."
	shot
	close_tiptop
else
	ok "there are no kernel threads to be seen # SKIP a container"
fi
