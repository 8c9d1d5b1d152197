# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the batch output of tiptop says, without what is different in each run: the head with numbers and times blotted
# out, the names of the columns as they are, the number of refreshes, and the rows of the last one, sorted by pid: who
# used more of a CPU depends on what else runs.
#
# A row is "row PID MARK TIMESTAMP EPOCH USER | CELL ... | COMMAND". The number of a CPU stays as it is; a ratio, which
# is 1 or 100 where all events count the same, is rounded to that; other numbers are "0" or "n".
#
# Lines that begin with "# " are left out: 2.3.1 has no summary of a command.
#
# -v own="PID ...": rows of other tasks are left out. -v child=1: the filter is the pid of the command, different in each
# run.
# -v numbers=1: only the other numbers, as "PID COLUMN NUMBER".

function head_line(line)
{
	if (line ~ /^[A-Z][a-z][a-z] [A-Z][a-z][a-z] [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] [A-Z]+ [0-9]+$/)
		return "DATE"
	if (line ~ /^tiptop - /)
		gsub(/[0-9]+/, "#", line)
	if (child)
		sub(/^only pid [0-9]+$/, "only pid CHILD", line)
	return line
}

function cell_text(name, text)
{
	if (name == "P" || text == "-" || text == "?")
		return text
	if (text !~ /^[0-9]+\.[0-9]+$/)
		return "'" text "'"
	if (name ~ /^(IPC|TOT|%MISS|%BMIS|%BUS|%MIS\/I|%MISP|%BR\/I)$/) {
		if (text >= 0.95 && text <= 1.05)
			return 1
		if (text >= 95 && text <= 105)
			return 100
		return text
	}
	return text + 0 ? "n" : 0
}

# pid_of(LINE): the word below PID.
function pid_of(line, i)
{
	split(line, word, " ")
	for (i = 1; field[i] != "PID"; i++)
		;
	return word[i] + 0
}

function put_row(line, i, k, n, pid, prefix, cells, command)
{
	n = split(line, word, " ")
	k = 1
	for (i = 1; i <= n_fields && field[i] != "COMMAND"; i++) {
		if (field[i] == "PID") {
			pid = word[k++]
			mark = pid ~ /[+-]$/ ? substr(pid, length(pid)) : "."
			sub(/[+-]$/, "", pid)
			if (own != "" && !index(" " own " ", " " pid " "))
				return
			shown = child ? "CHILD" : pid
			prefix = prefix " " shown " " mark
		} else if (field[i] == "epoch") {
			prefix = prefix " " (word[k++] ~ /^[0-9][0-9]*$/ ? "EPOCH" : "no epoch")
		} else if (field[i] == "timest" || field[i] == "user") {
			prefix = prefix " " word[k++]
		} else {
			if (numbers && field[i] != "P" && word[k] ~ /^[0-9]/ && cell_text(field[i], word[k]) ~ /^[0n]$/)
				print shown, field[i], word[k]
			cells = cells " " field[i] "=" cell_text(field[i], word[k++])
		}
	}
	for (; k <= n; k++)
		command = command " " word[k]
	if (!numbers)
		print "row" prefix " |" cells " |" command
}

/^# / {
	next
}
!body && /PID.*COMMAND/ {
	body = 1
	columns = $0
	names = $0
	gsub(/[][]/, " ", names)
	n_fields = split(names, field, " ")
	if (!numbers)
		print "columns \"" columns "\""
	next
}
!body {
	if (!numbers)
		print "head " head_line($0)
	next
}
NF {
	row[n_rows++] = $0
	next
}
{
	refreshes++
	n_last = n_rows
	for (i = 0; i < n_rows; i++)
		last[i] = row[i]
	n_rows = 0
}
END {
	if (!numbers)
		print "refreshes " refreshes + 0
	for (i = 0; i < n_last; i++)
		for (j = i; j && pid_of(last[j]) < pid_of(last[j - 1]); j--) {
			row[0] = last[j]
			last[j] = last[j - 1]
			last[j - 1] = row[0]
		}
	for (i = 0; i < n_last; i++)
		put_row(last[i])
	if (n_rows && !numbers)
		print "rows without an empty line behind them"
}
