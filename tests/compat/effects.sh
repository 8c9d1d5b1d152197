#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each option has an effect: the output differs with and without it, and its name in the configuration file has the same
# effect. (Keys: tests/live/live.sh.)
# shellcheck source=../program/lib.sh disable=SC2086 # $base is several words
. "$(dirname "$0")/../program/lib.sh"

name=ef$$
me=$(id -un)
[ "$(id -u)" -eq 0 ] && other=65534 || other=0
mkdir "$dir/conf" "$dir/none"
echo '<tiptop/>' >"$dir/none/.tiptoprc"

# The tasks: one works, one sleeps, one has threads.
mkfifo "$dir/orders"
exec 3<>"$dir/orders"
# task STEP...: its pid is $!.
task() {
	"$work" "$@" <"$dir/orders" >"$dir/reports" 3>&- &
	worker="$worker $!"
}
task name=$name-spin duty=40:1000000
spin=$!
task name=$name-sleep wait
sleeper=$!
task name=$name-pool pool=2 wait
pool=$!
all_there() {
	grep -q spin "/proc/$spin/comm" && grep -q sleep "/proc/$sleeper/comm" && [ "$(ls "/proc/$pool/task" | wc -l)" = 3 ]
}
await all_there || exit 1

# conf NAME=VALUE...: a configuration file with these options, and no screen.
conf() {
	echo "<tiptop><options>" >"$dir/conf/.tiptoprc"
	for conf_option in "$@"; do
		echo "<option name=\"${conf_option%%=*}\" value=\"${conf_option#*=}\"/>" >>"$dir/conf/.tiptoprc"
	done
	echo "</options></tiptop>" >>"$dir/conf/.tiptoprc"
}

# run OPTION...; the exit status is $status.
runner=run_all
run() {
	$runner "$@"
}
run_all() {
	timeout 60 "$tiptop" "$@" >"$out" 2>"$err" </dev/null 3>&-
	status=$?
}
mkfifo "$dir/end"
run_dying() {
	"$work" name=$name-short wait <"$dir/end" 3>&- &
	short=$!
	exec 4>"$dir/end"
	await grep -q short "/proc/$short/comm"
	rm -f "$out"
	"$tiptop" "$@" >"$out" 2>"$err" </dev/null 3>&- 4>&- &
	monitor=$!
	await test -s "$out"
	await refreshed 1
	exec 4>&-
	wait $monitor
	status=$?
	monitor=''
}

# What is visible; each of these says it in a word or two.
third_line() {
	sed -n 3p "$out"
}
screen_line() {
	grep '^Screen ' "$out"
}
header() {
	grep 'PID.*COMMAND' "$out"
}
# body: all rows, the marks behind the pids cut off.
body() {
	awk '/^#/ { next } body && NF { sub(/[+-]$/, "", $1); print } /PID.*COMMAND/ { body = 1 }' "$out"
}
n_rows() {
	body | wc -l
}
# n_pids: how many tasks; "many" if more than three.
n_pids() {
	body | awk '{ pid[$1] = 1 } END { for (i in pid) n++; print (n > 3 ? "many" : n + 0) }'
}
n_refreshes() {
	refreshes
}
first_field() {
	body | awk -v pid=$sleeper '
	$1 == pid { print "pid"; next }
	$1 ~ /^[0-9]$/ { print $1; next }
	length($1) == 10 { print "epoch" }' | tr '\n' ' '
}
user_field() {
	[ "$(body | awk '{ print $2 }')" = "$me" ] && echo user || echo none
}
command_field() {
	body | grep -q " $work name=$name-sleep wait\$" && echo "command line"
	body | grep -q " $name-sleep\$" && echo name
}
n_dead() {
	grep -c ' DEAD$' "$out" | sed 's/^[2-9][0-9]*$/many/'
}
n_arrows() {
	grep -c " $name-sleep <---\$" "$out"
}
sorted_by() {
	header | sed -n 's/.*\[ *\([^] ]*\) *\].*/\1/p'
}
first_is_busy() {
	[ "$(body | awk 'NR == 1 { print $1 }')" = $spin ] && echo yes || echo no
}
text_or_status() {
	grep -q '^tiptop - up' "$out" && echo text || echo "status $status"
}
n_listed() {
	grep -c "^ *[0-9]*: '" "$out"
}

# effect VIEW WITHOUT WITH CONF... -- OPTION...: with $base alone, VIEW says WITHOUT; with the options it says WITH, and
# with each option of the file, too. There may be no OPTION: some are in the file only.
effect() {
	view=$1 without=$2 with=$3
	shift 3
	in_file=
	while [ "$1" != -- ]; do
		in_file="$in_file $1"
		shift
	done
	shift
	run $base -W "$dir/none"
	is "$view: without $*$in_file" "$($view)" "$without"
	[ $# -eq 0 ] || {
		run $base -W "$dir/none" "$@"
		is "$view: with $*" "$($view)" "$with"
	}
	for setting in $in_file; do
		conf $setting
		run $base -W "$dir/conf"
		is "$view: with $setting in the file" "$($view)" "$with"
		is "$setting in the file: no fault of the file" "$(grep -c "tiptoprc" "$err")" 0
	done
}
# toggle VIEW WITHOUT WITH CONF OPTION...: the same, and both together undo each other. Each OPTION is one name of it.
toggle() {
	toggle_conf=$4
	for toggle_name in "$@"; do
		case $toggle_name in
		-*) ;;
		*) continue ;;
		esac
		effect "$1" "$2" "$3" $toggle_conf -- $toggle_name
		run $base -W "$dir/conf" $toggle_name
		is "$1: with $toggle_conf in the file, and $toggle_name" "$($1)" "$2"
	done
}

software="-b -S software -d 0.1 -p $name"

base="$software -n 1 -p $sleeper"
toggle n_rows 0 1 idle=1 -i --idle
base="$software -n 1 -i -p $pool"
toggle n_pids 1 3 show_threads=1 -H --threads
base="$software -n 1 -i -p $sleeper"
toggle user_field none user show_user=1 -U --show-user
toggle command_field name "command line" show_cmdline=1 -c --command-line
toggle first_field "pid " "epoch " show_epoch=1 --epoch
base="$software -n 2 -i -p $sleeper"
toggle first_field "pid pid " "0 1 " show_timestamp=1 --timestamp

# What a command makes.
run_family() {
	run_all "$@" -- sh -c '"$0" name=made touch=10; true' "$work"
}
made_rows() {
	body | grep -q ' made\( DEAD (.*)\)\{0,1\}$' && echo yes || echo no
}
runner=run_family
base="-b -S software -d 0.1"
toggle made_rows no yes children=1 --children
runner=run_all

# A task that ends after the first refresh.
runner=run_dying
base="$software -n 6 -d 0.2 -i -p $name-short"
toggle n_dead 1 many sticky=1 --sticky
effect n_dead 1 many stick=1 --
runner=run_all

base="$software -n 1 -i"
effect n_arrows 0 1 watch_name=$name-sleep -- -w $name-sleep
effect n_arrows 0 1 watch_name=$sleeper -- --watch $sleeper
base="-b -S software -d 0.1 -n 1 -i"
effect n_pids many 1 only_pid=$sleeper -- -p $sleeper
effect n_pids many 3 only_name=$name -- --pid $name
base="$software -n 1 -i -p $sleeper"
effect n_rows 1 0 only_uid=$other watch_uid=$other -- -u $other
effect n_rows 1 0 -- --user $other
effect n_rows 1 0 filter=/^nosuch/ -- --filter /^nosuch/
# An interval that is long enough for the spinner to get its turn on a busy machine.
base="$software -n 1 -p $spin -d 0.25"
effect n_rows 1 0 cpu_threshold=10000 -- --cpu-min 10000

base="-b -d 0.1 -n 1 -i -p $sleeper -S software"
effect screen_line "$("$tiptop" --list-screens | sed -n "s/^ *\([0-9]*\): 'software'.*/Screen \1: software/p")" \
	"Screen 1: branch" -- -S branch
base="-b -d 0.1 -n 1 -i -p $sleeper"
effect screen_line "$(run -b -d 0.1 -n 1 -p 1 && screen_line)" "Screen 1: branch" screen=branch -- --screen 1
base="$software -n 1 -i"
effect sorted_by %CPU WAITms/s sort_column=WAITms/s --
effect sorted_by %CPU WAITms/s -- --sort WAIT
base="$base -d 0.25"
effect first_is_busy yes no ascending=1 --

base="-b -S software -n 1 -i -p $sleeper"
effect third_line "delay: 2.00  idle: 1  threads: 0" "delay: 0.25  idle: 1  threads: 0" delay=0.25 -- -d 0.25
effect third_line "delay: 2.00  idle: 1  threads: 0" "delay: 0.25  idle: 1  threads: 0" -- --delay 0.25
# In time, too: the second refresh is one delay after the first; of the short ones the quickest counts.
# took DELAY: in ms
took() {
	took_begin=$(date +%s%N)
	run -b -S software -n 2 -p $sleeper -d "$1"
	echo $((($(date +%s%N) - took_begin) / 1000000))
}
short_ms=$(for _ in 1 2 3; do took 0.05; done | sort -n | head -n 1)
long_ms=$(took 1)
[ "$long_ms" -ge $((short_ms + 500)) ]
ok "delay: 0.05 takes $short_ms ms, 1 takes $long_ms ms" $?

base="$software -n 1 -i -p $sleeper"
effect n_refreshes 1 3 -- -n 3
effect n_refreshes 1 3 -- --iterations 3
# Without end; with the option of the file, one.
watch -S software -d 0.05 -p $sleeper -W "$dir/none"
look
kill -0 "$monitor"
ok "n_refreshes: without max_iter no end" $?
watch_end
conf max_iter=2
run -b -S software -d 0.1 -p $sleeper -W "$dir/conf"
is "n_refreshes: with max_iter=2 in the file" "$(n_refreshes)" 2

base="-S software -d 0.1 -n 1 -p $sleeper"
effect text_or_status "status 1" text batch=1 -- -b
effect text_or_status "status 1" text -- --batch
base="$software -n 1"
effect text_or_status text "status 0" -- -o "$dir/file"
matches "output: the text is in the file" "$(head -n 1 "$dir/file")" "tiptop - up .*"
rm "$dir/file"
effect text_or_status text "status 0" -- --output "$dir/file"
matches "output: the text is in the file" "$(head -n 1 "$dir/file")" "tiptop - up .*"

run $software -n 1 --format text
is "--format text: that of batch mode" "$(text_or_status)" text
run $software -n 1 --format no-such
is "--format: one that is not there" "$status $(grep -c "'no-such'" "$err")" "2 1"

# Groups.
run $software -n 1
is "without --group no members are counted" "$(grep -c MEMBERS "$out")" 0
run $software -n 1 --group user
is "--group: members are counted" "$(grep -c MEMBERS "$out")" 1
conf group=user
run $software -n 1 -W "$dir/conf"
is "group in the file: members are counted" "$(grep -c MEMBERS "$out")" 1

# Rows of other things than tasks have a key of their own, and none of tasks.
while IFS=: read -r rows key; do
	# shellcheck disable=SC2086 # the words of the command
	run $rows -b -d 0.1 -n 1
	is "$rows: without --group no members are counted" "$(grep -c MEMBERS "$out")" 0
	# shellcheck disable=SC2086
	run $rows -b -d 0.1 -n 1 --group $key
	is "$rows --group $key: members are counted" "$(grep -c MEMBERS "$out")" 1
	# shellcheck disable=SC2086
	run $rows -b -d 0.1 -n 1 --group user
	is "$rows: --group user is refused" "$status $(grep -c "'user': name one of process, $key" "$err")" "2 1"
done <<-COMMANDS
	regions:region
	locks --live:lock
	calls --live:call
COMMANDS

# The configuration: the file, and only its screens.
base="--list-screens"
n_built_in=$("$tiptop" --list-screens | grep -c "^ *[0-9]*: '")
run $base -W "$dir/counters"
is "config: one screen more" "$(n_listed)" $((n_built_in + 1))
run $base --config "$dir/counters"
is "--config: one screen more" "$(n_listed)" $((n_built_in + 1))
run $base -W "$dir/counters" --only-conf
is "only-conf: one screen" "$(n_listed)" 1
sed 's/<screen/<options><option name="only_conf" value="1"\/><\/options>&/' "$dir/counters" >"$dir/only"
run $base -W "$dir/only"
is "only_conf=1 in the file: one screen" "$(n_listed)" 1

# Information.
for option in -h --help -v --build-info --version --list-screens; do
	run $option
	is "$option: status" $status 0
	is "$option: on standard output" "$(cat "$err")$(head -n 1 "$out" | wc -l)" 1
	cat "$out" >"$dir/info$option"
done
is "-h is --help, -v is --build-info" \
	"$(cat "$dir/info-h" "$dir/info-v")" "$(cat "$dir/info--help" "$dir/info--build-info")"
is "help, build-info, version, list-screens: four texts" "$(cat "$dir/info--"[hbvl]* | sort | uniq | wc -l)" \
	"$(for option in help build-info version list-screens; do sort -u "$dir/info--$option"; done | sort -u | wc -l)"
matches "help" "$(head -n 1 "$dir/info-h")" "Usage: tiptop .*"
matches "build-info" "$(grep '^libraries: ' "$dir/info-v")" "libraries: .+"
grep -q "GNU General Public License" "$dir/info--version"
ok "version: the licence" $?
matches "list-screens" "$(head -n 1 "$dir/info--list-screens")" "Available screens:"
run --show-screen branch
is "--show-screen: that screen, as a file has it" "$(grep -c '<screen name="branch"' "$out")" 1

# A command.
run -b -d 0.1 -n 1 -S software -- "$work" spin=1000
is "a command: it is the only row" "$(body | awk '{ print $NF }')" work

run -b -S software --start-after 1000 -- true
is "--start-after: a command that ends before" "$status $(grep -c 'ended before --start-after' "$err")" "0 1"
run -b -S software --exact -- sh -c 'sh -c "exit 3"; true'
is "--exact: each end is known" "$status $(grep -c 'each followed to its end' "$out") $(grep -c ' sh, 1 failed$' "$out")" "0 1 1"
run -S software --repeat 3 -- sh -c 'echo >>"$0"; exit 1' "$dir/runs"
is "--repeat: the first run fails" "$status $(wc -l <"$dir/runs")" "1 1"
run -S software --repeat 3 --ignore-failure -- sh -c 'echo >>"$0"; exit 1' "$dir/runs"
is "--ignore-failure: all runs" "$status $(wc -l <"$dir/runs")" "0 4"
run -S software --repeat 1 --warmup 4 -- sh -c 'echo >>"$0"' "$dir/runs"
is "--warmup: some more" "$status $(wc -l <"$dir/runs")" "0 9"
run -S software --repeat 2 --prepare "rm '$dir/runs'" -- sh -c 'echo >>"$0"' "$dir/runs"
is "--prepare: before each" "$status $(wc -l <"$dir/runs")" "0 1"

# An unknown option of the file is reported; this one is known, and without effect.
conf debug=1 no-such-option=1
run $software -n 1 -W "$dir/conf"
is "debug in the file: no message" "$(grep -c "'debug'" "$err")" 0
is "an unknown option of the file: a message" "$(grep -c "'no-such-option'" "$err")" 1

# What is counted.
if reason=$("$work" can-count); then
	# What read(2) writes into fresh pages, faults in the kernel.
	kernel_faults=475
	# faults_of OPTION...: those of a command that has $kernel_faults of them.
	faults_of() {
		run --only-conf -b -d 0.1 "$@" -- dd if=/dev/zero of=/dev/null bs=1900K count=1
		awk 'NF && !/^#/ { n = $2 } END { print n }' "$out"
	}
	sed 's/<screen/<options><option name="show_kernel" value="1"\/><\/options>&/' "$dir/counters" >"$dir/kernel"
	all=$(faults_of -W "$dir/counters" -K)
	if [ "$all" = "?" ]; then
		skip "kernel" "this user may not count in the kernel"
	else
		few=$(faults_of -W "$dir/counters")
		within "without -K: few page faults" "$few" 1 $((all - kernel_faults / 2))
		within "-K: those in the kernel, too" "$all" $kernel_faults 5000
		within "--kernel: those in the kernel, too" "$(faults_of -W "$dir/counters" --kernel)" $kernel_faults 5000
		within "show_kernel=1 in the file: those in the kernel, too" "$(faults_of -W "$dir/kernel")" $kernel_faults 5000
		within "show_kernel=1 in the file, and -K: few" "$(faults_of -W "$dir/kernel" -K)" 1 $((all - kernel_faults / 2))
	fi

	# 80 tasks that run a little now and then, with too few descriptors for all; then comes one that works.
	i=0
	many=''
	while [ $((i += 1)) -le 80 ]; do
		task name=$name-many wait
		many="$many $!"
	done
	for option in no_collect=1 error_file=$dir/errors; do
		sed "s|<screen|<options><option name=\"${option%%=*}\" value=\"${option#*=}\"/></options>&|" \
			"$dir/counters" >"$dir/${option%%=*}"
	done
	# short OPTION...: with few descriptors, until the refresh after all of the 80 have run.
	short() {
		rm -f "$out"
		(
			# shellcheck disable=SC3045 # all shells in use have it
			ulimit -n 100
			exec "$tiptop" -b --only-conf -i -d 0.3 -p $name- "$@" >"$out" 2>"$err" </dev/null 3>&-
		) &
		monitor=$!
		await test -s "$out"
		await refreshed 1
		# To stop and to go on, they have to run.
		kill -STOP $many
		kill -CONT $many
		look
	}
	# late OPTION...: what is counted for a task that works, and comes late.
	late() {
		short "$@"
		"$work" name=$name-late duty=60:100000 3>&- &
		late=$!
		look
		look
		watch_end
		kill $late
		wait $late 2>"$dir/text"
		last $late 2 | sed 's/^[0-9].*/counted/'
	}
	is "collect: it gets the descriptors of those that sleep" "$(late -W "$dir/counters")" counted
	is "no-collect: it does not" "$(late -W "$dir/counters" --no-collect)" "?"
	is "no_collect=1 in the file: it does not" "$(late -W "$dir/no_collect")" "?"

	# Then there is a fault to report, too.
	short -W "$dir/counters" --no-collect
	watch_end
	is "errors: on standard error" "$(grep -c descriptor "$err")" 1
	for option in "-E $dir/errors" "--errors $dir/errors"; do
		short -W "$dir/counters" --no-collect $option
		watch_end
		is "$option: in the file" "$(cat "$err")$(grep -c descriptor "$dir/errors")" 1
		rm -f "$dir/errors"
	done
	short -W "$dir/error_file" --no-collect
	watch_end
	is "error_file=... in the file: in that file" "$(cat "$err")$(grep -c descriptor "$dir/errors")" 1
else
	skip "what is counted" "$reason"
fi

# What 2.3.1 does not have is tested in full by the scripts of tests/program.
for option in -e --event; do
	"$tiptop" -b -n 1 -d 0.1 $option page-faults >"$out" 2>"$err" </dev/null
	matches "$option: a column for the event" "$(grep ' PID ' "$out")" ".*page-faults.*"
done
"$tiptop" --list-events page-f >"$out" 2>"$err"
matches "--list-events: the event" "$(sed -n 2p "$out")" "page-faults .*"
"$tiptop" --list-columns >"$out" 2>"$err"
is "--list-columns: a variable" "$(grep -c '^variable CPU_TOT ' "$out")" 1
echo '<tiptop><filter name="mine" expr="sleep"/></tiptop>' >"$dir/filters"
"$tiptop" -W "$dir/filters" --list-filters >"$out" 2>"$err"
matches "--list-filters: the filter" "$(sed -n 2p "$out")" "mine +own +all += sleep"
"$tiptop" --encodings --for-cpu zen4 >"$out" 2>"$err"
is "--encodings: what its columns are" "$(head -n 1 "$out" | cut -f 1-3 | tr '\t' ' ')" "cpu screen column"
is "--for-cpu: the CPU that is named" "$(sed 1d "$out" | cut -f 1 | sort -u)" 19_10
"$tiptop" --check >"$out" 2>"$err"
is "--check: exit status" $? 0
"$tiptop" -b -i -n 1 -d 0.1 -p "$name-sleep" -w "$name-sleep" --safe-names >"$out" 2>"$err"
is "--safe-names: the name is the last field" "$(body | awk '{ print $(NF - 1), $NF }')" "<--- $name-sleep"
"$tiptop" --explain-verdict -i -n 1 -d 0.1 -p "$name-sleep" >"$out" 2>"$err"
grep -q '^  rule  *[a-z-]*: .*asleep >= 5' "$out"
ok "--explain-verdict: the rule by which it was found" $?
"$tiptop" -b -n 3 -d 0.1 --verbose >"$out" 2>"$err"
matches "--verbose: what a refresh cost" "$(grep '^#' "$out" | tail -n 1)" "# tiptop: [0-9]+ us, .*"

# Output for programs, recordings and pictures.
base="$software -n 1 -i -p $sleeper"
$tiptop $base --format csv --fields pid,command >"$out" 2>"$err"
is "--fields: these fields alone" "$(head -n 1 "$out")" pid,command
is "without --rows: all rows" "$(run $software -n 1 -i && [ "$(n_rows)" -ge 3 ] && echo all)" all
is "--rows: the number" "$(run $software -n 1 -i --rows 2 && n_rows)" 2
if [ "$("$tiptop" --version | grep -c 'no SQLite')" -eq 0 ]; then
	run $software -n 6 -d 0.2 --record "$dir/recording"
	is "--record: a database" "$(head -c 15 "$dir/recording")" "SQLite format 3"
	run -b --replay "$dir/recording" -S software
	all=$(n_refreshes)
	within "--replay: what was recorded" "$all" 3 6
	run -b --replay "$dir/recording" -S software --from -0.3
	within "--from: the later ones" "$(n_refreshes)" 0 $((all - 1))
	run -b --replay "$dir/recording" -S software --to +0.7
	within "--to: the earlier ones" "$(n_refreshes)" 0 $((all - 1))
	# family OPTION...: whether a recording of a command has what it makes.
	family() {
		rm -f "$dir/family"
		run_all -b -S software -d 0.1 --record "$dir/family" "$@" -- sh -c '"$0" name=made spin=500; true' "$work"
		run -b -S software -i --replay "$dir/family"
		made_rows
	}
	is "--record of a command: what it makes, too" "$(family)" yes
	is "--no-children: not that" "$(family --no-children)" no
	# again NAME OPTION...: the recording once more, and how many of its refreshes were kept.
	again() {
		kept=$dir/$1
		shift
		run -b --replay "$dir/recording" --record "$kept" "$@"
		run -b --replay "$kept" -S software
		n_refreshes
	}
	is "without --record-max: all" "$(again whole)" "$all"
	run $software -n 12 -d 0.2 --record "$dir/last" --record-max 1s
	run -b --replay "$dir/last" -S software
	within "--record-max: the last second or so" "$(n_refreshes)" 1 9
	is "--record-when: nothing where it is never true" "$(again never --record-when 'cpu < 0')" 0
	is "--record-around: of what is always true, all" "$(again always --record-when 'cpu >= 0' --record-around 1s)" "$all"
	again tasks --record-screens tasks >/dev/null
	is "--record-screens: another screen is in it" "$(grep -ac '<screen name="tasks"' "$dir/tasks")" 1
else
	skip "--record, --replay, --from and --to" "built without SQLite"
fi
# picture OPTION...: of the live screen.
picture() {
	rm -f "$dir/picture.txt" "$dir/picture.ans"
	run -S software -d 0.1 -n 1 -i -p $sleeper "$@"
}
picture --screenshot "$dir/picture.txt"
is "--screenshot: the number of lines" "$(wc -l <"$dir/picture.txt")" 24
# tab: how many lines have it. Its number is up to the CPU, which has more or fewer screens before it.
tab() {
	grep -c ' [0-9]* software ' "$dir/picture.txt"
}
is "the tabs are there" "$(tab)" 1
picture --screenshot "$dir/picture.txt" --size 100x12
is "--size: the number of lines" "$(wc -l <"$dir/picture.txt")" 12
picture --screenshot "$dir/picture.txt" --page $sleeper
is "--page: that of the task" "$(grep -c "^ process $sleeper " "$dir/picture.txt")" 1
picture --screenshot "$dir/picture.txt" --layout table
is "--layout: no tabs" "$(tab)" 0
picture --screenshot "$dir/picture.txt" --screens=-software,tasks -S tasks
is "--screens: another first tab" "$(grep -Ec '^ *[0-9]+ tasks' "$dir/picture.txt")" 1
is "and one is left out" "$(tab)" 0
conf screens=-branch
picture --screenshot "$dir/picture.txt" -W "$dir/conf"
is "screens=-branch in the file: without its tab" "$(grep -c ' branch ' "$dir/picture.txt")" 0
conf layout=table
picture --screenshot "$dir/picture.txt" -W "$dir/conf"
is "layout=table in the file: no tabs" "$(tab)" 0
# codes: the colours of the tabs in a picture.
codes() {
	grep -a 'software' "$dir/picture.ans" | head -n 1 | grep -ao '\[[0-9;]*m'
}
picture --screenshot "$dir/picture.ans"
codes >"$dir/colours"
picture --screenshot "$dir/picture.ans" --theme light
[ "$(codes)" != "$(cat "$dir/colours")" ]
ok "--theme: other colours" $?
codes >"$dir/colours"
conf theme=light
picture --screenshot "$dir/picture.ans" -W "$dir/conf"
is "theme=light in the file: the same" "$(codes)" "$(cat "$dir/colours")"

# Two tasks that work. The busier one is the current row, whose look hides that of its numbers.
task name=$name-hotter duty=60:1000000
hotter=$!
task name=$name-hot duty=5:1000000
hot=$!
all_hot() {
	grep -q hotter "/proc/$hotter/comm" && grep -q hot "/proc/$hot/comm"
}
await all_hot || exit 1
# least OPTION...: how many numbers of the other one have the colour of the least.
least() {
	run -S software -d 1 -n 2 -p $name-hot --screenshot "$dir/picture.ans" --layout table --theme high-contrast "$@"
	grep -a "$name-hot\>" "$dir/picture.ans" | grep -ao '198;198;198' | wc -l
}
is "without --heat: none has" "$(least -W "$dir/none")" 0
within "--heat: some have" "$(least -W "$dir/none" --heat)" 1 9
conf heat=1
within "heat=1 in the file: some have" "$(least -W "$dir/conf")" 1 9
kill $hotter $hot

# lines FILE
lines() {
	wc -l <"$1"
}
run $software -n 2 -i -p $sleeper --format csv -o "$dir/appended"
run $software -n 2 -i -p $sleeper --format csv -o "$dir/appended"
is "without --append: the last run" "$(lines "$dir/appended")" 3
run $software -n 2 -i -p $sleeper --format csv -o "$dir/appended" --append
is "--append: behind it, without a header" "$(lines "$dir/appended")" 5
run $software -n 1 -i --metrics "$dir/metrics.prom"
within "--metrics: programs" "$(grep -c "program=\"$name-" "$dir/metrics.prom")" 3 1000
run $software -n 1 -i --metrics "$dir/metrics.prom" --metrics-by user
is "--metrics-by: users, not programs" "$(grep -c "program=\"$name-" "$dir/metrics.prom")" 0
run $software -n 1 -i --metrics "$dir/metrics.prom" --metrics-source first
is "--metrics-source: all series have it" "$(grep -v '^#' "$dir/metrics.prom" | grep -vc 'source="first"')" 0

# values: the word in the head of batch mode.
values() {
	sed -n 's/^values: \([a-z-]*\).*/\1/p' "$out"
}
base="$software -n 1 -i -p $sleeper"
effect values "" total values=total -- --values total
effect values "" since-mark values=since-mark -- --values since-mark

base="$software -n 1 -p $spin -d 0.25"
toggle n_pids 1 many tree=1 --tree

# keys OPTION...: what the key k does.
keys() {
	TERM=xterm "${builddir:?}/tests/program/terminal" show=COMMAND type=k "show=$asked" type=q end -- \
		"$tiptop" -S software -d 0.2 -i -p $sleeper "$@" 2>"$err" | sed -n 2p
}
asked='ignal'
is "without --readonly: k asks for a signal" "$(keys -W "$dir/none")" "show $asked: yes"
asked='readonly'
is "--readonly: k is refused" "$(keys --readonly)" "show $asked: yes"
conf readonly=1
is "readonly=1 in the file: k is refused" "$(keys -W "$dir/conf")" "show $asked: yes"

# mouse OPTION...: how often the terminal is asked for its mouse.
mouse() {
	TERM=xterm "${builddir:?}/tests/program/terminal" "copy=$dir/codes" show=COMMAND type=q end -- \
		"$tiptop" -S software -d 0.2 -i -p $sleeper "$@" 2>"$err" >"$out"
	grep -ac '?[0-9;]*1000h' "$dir/codes"
}
is "without --no-mouse: the terminal reports its mouse" "$(mouse -W "$dir/none")" 1
is "--no-mouse: it keeps it" "$(mouse -W "$dir/none" --no-mouse)" 0
conf no_mouse=1
is "no_mouse=1 in the file: it keeps it" "$(mouse -W "$dir/conf")" 0

# Nothing is missing above: each option has a test.
for option in $("$tiptop" --help=all | grep -o -- '--[a-z][a-z-]*' | sort -u); do
	grep -q -e "[ \"]$option\>" "${srcdir:?}/tests/compat/effects.sh"
	ok "there is a test for $option" $?
done
for option in $(sed -n 's/.*\.conf_name = "\([a-z_]*\)".*/\1/p' "${srcdir:?}/src/conf/option_table.c"); do
	grep -q "[\" /]$option=" "${srcdir:?}/tests/compat/effects.sh"
	ok "there is a test for $option of the file" $?
done

finish
