/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the script of tables.js: the reports of the page, as sections of tables and records. */

/* ---- elements of the page ---- */

const head = { marks: [] }, abouts = [], stacks = [];
const sections = []; /* {title, notes, tables, facts} */
const tables = []; /* of all sections: {section, type, rows, views, state} */

function readElements() {
	for (const e of document.querySelectorAll("script[type='application/json']")) {
		const data = JSON.parse(e.textContent);

		if (e.className === "head")
			Object.assign(head, data);
		else if (e.className === "about")
			abouts.push(data);
		else if (e.className === "stacks")
			stacks.push(data);
		else
			readReport(data);
	}
}

/* ---- reports ---- */

/* Returns the sentences of a note: joins lines that were broken at the edge of a terminal. */
function linesOf(note) {
	const out = [];
	let broken = false;

	for (const line of note.split("\n")) {
		const text = safe(line.replace(/^#+ */, "").trim());

		if (text && (broken || (!line.startsWith("#") && /^ /.test(line) && out.length)))
			out[out.length - 1] += " " + text;
		else if (text)
			out.push(text);
		broken = !line.startsWith("#") && line.length >= 66;
	}
	return out;
}

/* Returns whether records of the type are rows; others, such as the sums of a process, are facts. */
function isTable(type) {
	return type.csv.length > 0 || type.tables.length > 0;
}

function tableOf(section, type) {
	let table = section.tables.find((t) => t.type === type);

	if (!table) {
		table = { section, type, rows: [], sections: 0, caption: section.caption };
		section.caption = null;
		section.tables.push(table);
	}
	return table;
}

/* Adds a note. One line, unless it is the first note, is the caption of the next table; others belong to the section. */
function readNote(section, note) {
	const lines = linesOf(note);

	/* The first note begins with a title if its other lines are indented below the first one, or there are none. */
	section.isTitled = section.isTitled || (!section.notes.length && /^#+ ?\S[^\n]*(\n#+  |\n*$)/.test(note));
	if (lines.length === 1 && section.notes.length)
		section.caption = lines[0];
	else
		section.notes.push(...lines);
}

function readReport(data) {
	const types = data.types || [], before = sections[sections.length - 1];
	let section = null;
	const here = () => {
		if (!section)
			sections.push(section = { notes: [], tables: [], facts: [], caption: null });
		return section;
	};

	for (const e of data.entries) {
		if (e.note !== undefined)
			readNote(here(), e.note);
		else if (e.section !== undefined)
			section.tables.length && section.tables[section.tables.length - 1].sections++;
		else if (e.heading !== undefined)
			tableOf(here(), types[e.heading]);
		else if (e.type === null)
			(section || before).tables[0].rows.push(...e.rows);
		else if (isTable(types[e.type]))
			tableOf(here(), types[e.type]).rows.push(...e.rows);
		else
			here().facts.push(...e.rows.map((row) => ({ type: types[e.type], row })));
	}
	if (section && section.caption)
		section.notes.push(section.caption);
}

/* ---- cells ---- */

function isList(cell) {
	return cell !== null && typeof cell === "object" && cell.l !== undefined;
}

/* Returns the number or text of a cell; null: unknown or absent. */
function valueOf(cell) {
	if (cell === null || typeof cell !== "object")
		return typeof cell === "string" ? safe(cell) : cell;
	return cell.v === undefined ? null : cell.v;
}

function markOf(cell) {
	return cell !== null && typeof cell === "object" && cell.q ? head.marks[cell.q] : null;
}

function digitsOf(number) {
	return Number.isInteger(number) ? String(number) : general(number, 6);
}

/* Returns a number as the report in text shows it; large numbers have more digits here. */
function showNumber(c, number) {
	const n = number / (c.per || 1), digits = c.digits || 0;
	let text;

	if (c.style === 1 && Math.abs(n) >= 1e7)
		text = steps(n, 1000);
	else if (c.style === 1)
		text = Math.abs(n) >= 1000 || Number.isInteger(n) ? n.toFixed(0) : general(n, 4);
	else if (c.style === 2)
		text = n.toFixed(Math.abs(n) >= 100 || Number.isInteger(n) ? 0 : digits);
	else
		text = n.toFixed(digits);
	return (c.sign && n >= 0 ? "+" : "") + text;
}

/* Returns a number as the report in CSV has it. */
function showField(c, number) {
	const digits = c.csv_digits || 0;

	return digits > 0 ? number.toFixed(digits) : digits < 0 ? general(number, -digits) : digitsOf(number);
}

/* ---- views: the columns of a table ---- */

function plainTitle(text) {
	return safe(text).replace(/^#/, "").trim();
}

function columnOf(type, index, asText) {
	const c = type.columns[index], name = safe(c.csv || c.id || "");

	/* Among all fields, numbers are those of CSV; they are rounded as in text if text shows them in the same unit. */
	const isRounded = asText || (c.title !== undefined && !c.per);

	return { c, index, id: name || plainTitle(c.title), title: (asText && plainTitle(c.title)) || name,
		unit: isRounded && c.unit ? safe(c.unit) : "", asText: isRounded };
}

/* Finds whether a column has texts or no values; for numbers that are not negative, sets max, the end of the bars. */
function measure(table, column) {
	const values = table.rows.map((r) => valueOf(r[column.index])).filter((v) => v !== null);

	column.text = values.some((v) => typeof v === "string");
	column.empty = !values.length;
	if (!column.text && column.c.role !== "process" && values.length && values.every((v) => v >= 0)) {
		/* Bars of about the same length say nothing: then there are none. */
		const max = values.reduce((a, b) => Math.max(a, b)), min = values.reduce((a, b) => Math.min(a, b));

		column.max = min < 0.8 * max ? max : 0;
	}
	return column;
}

/* Makes a view for each table that text has, and one with all fields. If text has sections between the rows, which say what
 * these are about, only the view with all fields is complete. */
function makeViews(table) {
	const type = table.type;

	table.views = type.tables.map((t, i) => ({ title: t.note ? linesOf(t.note).join(" ") : i ? "more columns" : "main columns",
		columns: t.order.map((c) => columnOf(type, c, true)) }));
	if (table.sections && type.csv.length)
		table.views = [];
	if (!table.views.length || type.csv.some((c) => !table.views[0].columns.some((shown) => shown.index === c)))
		table.views.push({ title: "all fields", columns: type.csv.map((c) => columnOf(type, c, false)) });
	for (const v of table.views) {
		v.columns = v.columns.map((c) => measure(table, c));
		v.columns = v.columns.filter((c, i) => !isIdle(table, v, i));
	}
}

/* Returns whether a column is left out: it has no values and no title, is absent in all rows, or repeats the column before,
 * such as the names of both sides of a comparison. */
function isIdle(table, view, i) {
	const c = view.columns[i], before = view.columns[i - 1];

	if (c.empty)
		return !c.title || (table.rows.length > 0 && table.rows.every((r) => r[c.index] === null));
	return c.text && before !== undefined && before.text && table.rows.every((r) => r[c.index] === r[before.index]);
}

/* Splits the first note: the title of "locks of process 7: 2 threads" is the part before the colon. */
function takeTitle(section) {
	const found = section.isTitled ? /^(.*?)(: |, |$)(.*)$/s.exec(section.notes.shift() || "") : ["", "", "", ""];

	section.title = found[1];
	section.summary = found[3];
}

function prepareTables() {
	for (const s of sections) {
		takeTitle(s);
		for (const table of s.tables) {
			makeViews(table);
			tables.push(table);
		}
	}
	tables.forEach((t, i) => (t.key = "t" + i));
}

/* ---- fields of a record ---- */

/* Calls `add` for each cell with an id: its path of groups, its column and the cell. */
function eachField(type, row, add) {
	const path = [];

	type.columns.forEach((c, i) => {
		while (path.length && path[path.length - 1].end < i)
			path.pop();
		if (c.members)
			path.push({ id: c.id, end: i + c.members });
		else if (c.id)
			add(path.map((p) => p.id), c, row[i]);
	});
}

/* Returns the histograms of a record: lists of pairs (upper end of a bucket, number of items). */
function histogramsOf(type, row) {
	const found = [];
	let unit = "";

	eachField(type, row, (path, c, cell) => {
		if (c.id === "unit" && typeof cell === "string")
			unit = cell;
		if (isList(cell) && cell.l.length && cell.l.every(Array.isArray))
			found.push({ title: safe(path.concat(path.length ? [] : c.id).join(" ")), pairs: cell.l });
	});
	return found.map((h) => ({ ...h, unit }));
}
