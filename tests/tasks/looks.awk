# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads a captured screen with its escape sequences, and writes its text, a line "--", and for each line that has looks
# the pieces that do: "LINE: FROM+LENGTH attributes, ...". Characters are counted, in the C locale, too. What a refresh cost
# tiptop itself, at the end of the footer, is no two times the same: it is left out.

function width(text) {
	gsub(/[\200-\277]/, "", text)
	return length(text)
}

# Takes the numbers of a sequence over.
function set_look(numbers,   n, code, i) {
	n = split(numbers, code, ";")
	if (!n)
		bold = dim = underlined = reversed = front = back = ""
	for (i = 1; i <= n; i++) {
		if (code[i] + 0 == 0) bold = dim = underlined = reversed = front = back = ""
		else if (code[i] == 1) bold = " bold"
		else if (code[i] == 2) dim = " dim"
		else if (code[i] == 4) underlined = " underlined"
		else if (code[i] == 7) reversed = " reversed"
		else if (code[i] == 22) bold = dim = ""
		else if (code[i] == 24) underlined = ""
		else if (code[i] == 27) reversed = ""
		else if (code[i] == 39) front = ""
		else if (code[i] == 49) back = ""
		else if (code[i] ~ /^(3|9)[0-7]$/) front = " colour" code[i]
		else if (code[i] ~ /^(4|10)[0-7]$/) back = " on" code[i]
	}
}

# Adds a piece, which belongs to the one before where that looks the same.
function add_piece(text, look) {
	if (text == "")
		return
	if (n_pieces && look_of[n_pieces] == look)
		long[n_pieces] += width(text)
	else {
		look_of[++n_pieces] = look
		from[n_pieces] = width(plain)
		long[n_pieces] = width(text)
	}
	plain = plain text
}

{
	plain = ""
	n_pieces = 0
	rest = $0
	gsub(/\017|\016/, "", rest)
	sub(/ *(\033\[[0-9;]*m)* *tiptop: *[0-9.]+ ms.*/, "", rest)
	while (match(rest, /\033\[[0-9;]*m/)) {
		add_piece(substr(rest, 1, RSTART - 1), bold dim underlined reversed front back)
		set_look(substr(rest, RSTART + 2, RLENGTH - 3))
		rest = substr(rest, RSTART + RLENGTH)
	}
	add_piece(rest, bold dim underlined reversed front back)
	sub(/ +$/, "", plain)
	print plain
	line = ""
	for (i = 1; i <= n_pieces; i++)
		if (look_of[i] != "")
			line = line (line == "" ? "" : ",") " " from[i] "+" long[i] look_of[i]
	if (line != "")
		looks[NR] = NR ":" line
}

END {
	print "--"
	for (i = 1; i <= NR; i++)
		if (i in looks)
			print looks[i]
}
