#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The colours of the live screen: the codes written to terminals with 8, 16, 256, direct or no colours.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

case $("$tiptop" </dev/null 2>&1) in
*"without ncurses"*) skip_all "built without ncurses" ;;
esac
command -v tic >/dev/null || skip_all "there is no tic, which makes types of terminals"
terminal=$builddir/tests/program/terminal
unset NO_COLOR

# One type of terminal for each number of colours. All can change their palette, which no program should.
cat >"$dir/types" <<'TI'
test-all|what all have,
	am, bce, ccc, cols#80, lines#24, pairs#0x10000,
	clear=\E[H\E[2J, cup=\E[%i%p1%d;%p2%dH, el=\E[K, ed=\E[J, cuu1=\E[A,
	bold=\E[1m, dim=\E[2m, smul=\E[4m, rmul=\E[24m, rev=\E[7m, sgr0=\E[m, op=\E[39;49m,
	initc=\E]4;%p1%d;rgb:%p2%2.2X/%p3%2.2X/%p4%2.2X\E\\, oc=\E]104\007,
test-8|,
	colors#8, setaf=\E[3%p1%dm, setab=\E[4%p1%dm, use=test-all,
test-16|,
	colors#16, setaf=\E[38;5;%p1%dm, setab=\E[48;5;%p1%dm, use=test-all,
test-256|,
	colors#256, setaf=\E[38;5;%p1%dm, setab=\E[48;5;%p1%dm, use=test-all,
test-rgb|,
	RGB, colors#0x1000000, setaf=\E[38;2;%p1%Xm, setab=\E[48;2;%p1%Xm, use=test-all,
test-none|,
	colors@, pairs@, initc@, ccc@, use=test-all,
TI
export TERMINFO="$dir/terminfo"
tic -x -o "$TERMINFO" "$dir/types" 2>"$dir/tic" || skip_all "tic cannot make the types: $(head -1 "$dir/tic")"

cat >"$dir/rc" <<'XML'
<tiptop>
<theme name="mine" like="monochrome"><look name="header" fg="#ffd700" bg="#5f0087"/><look name="label" fg="12"/></theme>
<screen name="known"><column header="  KNOWN" format="%7.0f" expr="0 * CPU_NS + 4711"/></screen>
</tiptop>
XML

# paint TYPE [OPTION]...: what is written to such a terminal is in $dir/raw.
paint() {
	type=$1
	shift
	TERM=$type "$terminal" "copy=$dir/raw" show=4711 type=q end -- \
		"$tiptop" -i -d 0.1 --only-conf -W "$dir/rc" "$@" >"$out" 2>"$err"
	sed 's/\x1b/E/g' "$dir/raw" >"$dir/codes"
}
# coloured: the codes of colours that were written, each once.
coloured() {
	grep -oE 'E\[[34]8;[0-9;A-F]*m|E\[[34][0-7]m|E\]1?0?4;?[^E]*' "$dir/codes" | sort -u | tr '\n' ' '
}

paint test-8 --theme mine
is "8 colours: the nearest of them" "$(coloured)" "E[33m E[45m "
paint test-16 --theme mine
is "16 colours" "$(coloured)" "E[38;5;11m E[48;5;5m "
paint test-256 --theme mine
is "256 colours" "$(coloured)" "E[38;5;220m E[48;5;54m "
paint test-rgb --theme mine
is "red, green and blue as they are" "$(coloured)" "E[38;2;FFD700m E[48;2;5F0087m "
paint test-none --theme mine
is "a terminal without colours has none" "$(coloured)" ""
grep -q 'E\[7m' "$dir/codes"
ok "its header is reversed" $?
NO_COLOR=1
export NO_COLOR
paint test-256 --theme mine
is "NO_COLOR: no colours" "$(coloured)" ""
NO_COLOR=''
paint test-256 --theme mine
is "an empty NO_COLOR says nothing" "$(coloured)" "E[38;5;220m E[48;5;54m "
unset NO_COLOR
paint test-256 --theme monochrome
is "monochrome: no colours" "$(coloured)" ""

for theme in default light high-contrast; do
	for type in test-8 test-16 test-256 test-rgb; do
		paint $type --theme $theme
		grep -q "4711: yes" "$out" && ! grep -q 'E\]' "$dir/codes"
		ok "$theme on $type: the palette stays as it is" $?
	done
done

# Thresholds: shown, kept, and what is none is said.
thresholds() {
	cat <<-XML
		<tiptop><theme name="mine" like="monochrome"><look name="$1" fg="#ffd700" underline="yes"/></theme>
		<screen name="known"><column header="  KNOWN" format="%7.0f" expr="0 * CPU_NS + 4711" warn="&gt; $2" crit="gt $3"/></screen>
		</tiptop>
	XML
}
thresholds warn 4710 4711 >"$dir/rc"
paint test-256 --theme mine
is "a number beyond a threshold has its look" "$(coloured)" "E[38;5;220m "
grep -qE 'E\[([0-9]+;)*4(;[0-9]+)*m' "$dir/codes"
ok "and is underlined" $?
thresholds crit 1 4710 >"$dir/rc"
paint test-256 --theme mine
is "one beyond both has that of the second" "$(coloured)" "E[38;5;220m "
thresholds warn 4711 4712 >"$dir/rc"
paint test-256 --theme mine
is "one that is not beyond has none" "$(coloured)" ""
"$tiptop" -W "$dir/rc" --show-screen known >"$out" 2>"$err"
is "--show-screen has them" "$(grep -o ' warn="[^"]*" crit="[^"]*"' "$out")" ' warn="&gt; 4711" crit="gt 4712"'
sed 's/gt 4712/4712/' "$dir/rc" >"$dir/wrong"
"$tiptop" -W "$dir/wrong" -b -n 1 >"$out" 2>"$err"
is "one that is none ends the start" "$? $(grep -c "crit: '4712' is not a threshold" "$err")" "1 1"

"$tiptop" --theme none -b -n 1 >"$out" 2>"$err"
is "a theme that is not there: a usage error" "$? $(cat "$err")" \
	"2 tiptop: there is no theme 'none': there are default, light, monochrome, high-contrast"
finish
