/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script of pages that --format html writes (report/html.h): shows any records by the declarations of their columns,
 * and fetches nothing. The build joins page-base.js, page-csv.js, tables-data.js, tables-charts.js and this file.
 *
 * Texts of the reports are hostile: they become text nodes only, never markup. The order, the filter and the columns of
 * each table are in the fragment of the address, so a link shows the same view.
 */

/* ---- the state, which is in the address ---- */

const usual = { sort: "", up: "", filter: "", view: "0", page: "0", open: "" };

function readState() {
	const p = new URLSearchParams(location.hash.slice(1));

	for (const t of tables) {
		t.state = {};
		for (const name of Object.keys(usual))
			t.state[name] = p.get(t.key + "." + name) || usual[name];
	}
}

function writeState() {
	const p = new URLSearchParams();

	for (const t of tables)
		for (const [name, value] of Object.entries(t.state))
			if (String(value) !== usual[name])
				p.set(t.key + "." + name, value);
	history.replaceState(null, "", "#" + p.toString());
}

/* ---- rows ---- */

/* Returns the column that names a row. */
function nameOf(view) {
	return view.columns.find((c) => c.text && c.c.role === "name") || view.columns.find((c) => c.text);
}

function viewOf(t) {
	return t.views[Number(t.state.view)] || t.views[0];
}

function textOf(column, row) {
	const v = valueOf(row[column.index]);

	return v === null ? "" : typeof v === "number" ? (column.asText ? showNumber : showField)(column.c, v) : v;
}

/* Returns the rows that match the filter, sorted. The filter searches texts of all fields, and numbers as they are shown. */
function rowsOf(t) {
	const view = viewOf(t), needle = t.state.filter.toLowerCase(), has = (text) => text.toLowerCase().includes(needle);
	const column = view.columns.find((c) => c.id === t.state.sort), way = t.state.up ? 1 : -1;
	const rows = t.rows.filter((r) => !needle || r.some((cell) => typeof cell === "string" && has(cell)) ||
		view.columns.some((c) => has(textOf(c, r))));

	if (!column)
		return rows;
	/* Unknown numbers come last in either direction. */
	return rows.map((r) => [valueOf(r[column.index]), r]).sort(([x], [y]) => {
		if (x === null || y === null)
			return (x === null) - (y === null);
		if (typeof x !== typeof y)
			return typeof x === "string" ? 1 : -1;
		return x === y ? 0 : x < y ? -way : way;
	}).map(([, r]) => r);
}

function csvOf(t) {
	const columns = viewOf(t).columns, title = (c) => csvText(c.title + (c.unit ? " (" + c.unit + ")" : ""));
	const cell = (c, r) => {
		const v = valueOf(r[c.index]);

		if (typeof v !== "number")
			return v === null ? "" : csvText(v);
		return String(Number((v / (c.asText && c.c.per || 1)).toPrecision(15)));
	};
	const lines = rowsOf(t).map((r) => columns.map((c) => cell(c, r)).join(","));

	return [columns.map(title).join(","), ...lines].join("\n") + "\n";
}

/* ---- a table ---- */

/* Returns why a cell has no number; null: the report does not say why. */
function reasonOf(cell) {
	const mark = markOf(cell);

	return mark && mark.name !== "not-read" ? mark.text : null;
}

function emptyCell(column, cell) {
	const text = cell === null && column.c.blank ? "" : column.c.unknown ? safe(column.c.unknown) : "-";

	return el("td", { class: column.text ? "text faint" : "number unknown", title: reasonOf(cell) }, text);
}

/* first: the cell names the row: a click on it opens the row. */
function cellElement(t, column, row, first) {
	const cell = row[column.index], v = valueOf(cell), mark = markOf(cell), text = textOf(column, row);

	if (v === null)
		return emptyCell(column, cell);
	if (typeof v === "string")
		return el("td", { class: text.length > 40 ? "long" : "text", title: text.length > 30 ? text : null }, first ?
			el("button", { type: "button", onclick: () => open(t, row) }, text) : text);
	const td = el("td", { class: "number", "data-mark": mark && mark.mark, title: mark && mark.text },
		column.c.no_zero && v === 0 ? "-" : text);

	if (column.max > 0)
		td.style.setProperty("--bar", 100 * v / column.max + "%");
	return td;
}

function headElement(t, c) {
	const sorted = c.id !== "" && c.id === t.state.sort, order = sorted ? (t.state.up ? "ascending" : "descending") : null;
	const sort = () => {
		/* At the first click, texts begin with A, numbers with the largest. */
		const up = sorted ? (t.state.up ? "" : "1") : c.text ? "1" : "";

		Object.assign(t.state, { sort: c.id, up, page: "0" });
		show(t);
	};

	return el("th", { class: c.text ? null : "number", scope: "col", "aria-sort": order }, el("button", { type: "button",
		title: "sort by " + c.id, onclick: sort }, c.title + (sorted ? (t.state.up ? " ▴" : " ▾") : ""),
	c.unit ? el("small", {}, c.unit) : null));
}

function open(t, row) {
	t.state.open = row && String(t.rows.indexOf(row)) !== t.state.open ? String(t.rows.indexOf(row)) : "";
	show(t);
	if (t.state.open)
		t.detail.scrollIntoView({ block: "nearest" });
}

function showDetail(t) {
	const row = t.rows[Number(t.state.open || "x")], first = nameOf(viewOf(t));

	t.detail.hidden = !row;
	t.detail.replaceChildren();
	if (row)
		t.detail.append(el("div", { class: "bar" }, el("h3", { class: "text" }, first ? textOf(first, row) : "The row"),
			button("Close", () => open(t, null))), histograms(histogramsOf(t.type, row)) || "", fields(t.type, row));
}

function show(t) {
	const view = viewOf(t), rows = rowsOf(t), pages = Math.max(1, Math.ceil(rows.length / tableRows));
	const page = Math.min(Math.max(0, Math.floor(Number(t.state.page)) || 0), pages - 1);
	const name = nameOf(view), chosen = t.rows[Number(t.state.open || "x")];
	const shown = rows.slice(page * tableRows, (page + 1) * tableRows);

	t.state.page = String(page);
	if (t.choice)
		t.choice.value = String(Math.max(0, t.views.indexOf(view)));
	t.search.value = t.state.filter;
	t.element.replaceChildren(el("thead", {}, el("tr", {}, view.columns.map((c) => headElement(t, c)))), el("tbody", {},
		shown.map((r) => el("tr", { class: r === chosen ? "chosen" : null }, view.columns.map((c) => cellElement(t, c, r,
			c === name))))));
	t.pages.hidden = pages < 2;
	t.pageText.textContent = "Rows " + (page * tableRows + 1) + " to " + (page * tableRows + shown.length) + " of " + rows.length;
	t.note.textContent = rows.length ? "" : t.state.filter ? "Nothing matches the filter." : "No rows.";
	showDetail(t);
	writeState();
}

function button(text, act) {
	return el("button", { type: "button", onclick: act }, text);
}

function turn(t, by) {
	t.state.page = String(Number(t.state.page) + by);
	show(t);
}

function buildTable(t) {
	const said = el("span", { class: "faint", role: "status" });

	t.search = el("input", { type: "search", placeholder: "filter", "aria-label": "Filter the table", oninput: (e) => {
		Object.assign(t.state, { filter: e.target.value, page: "0" });
		show(t);
	} });
	t.choice = t.views.length > 1 ? el("select", { "aria-label": "Columns", onchange: (e) => {
		t.state.view = e.target.value;
		show(t);
	} }, t.views.map((v, i) => el("option", { value: i }, v.title))) : null;
	t.element = el("table", {});
	t.note = el("p", { class: "faint" });
	t.pageText = el("span", {});
	t.pages = el("div", { class: "bar controls" }, button("Back", () => turn(t, -1)), t.pageText, button("Next", () => turn(t, 1)));
	t.detail = el("section", { class: "detail", "aria-label": "The chosen row", hidden: true });
	return [changes(t), t.caption ? el("h3", {}, t.caption) : null, el("div", { class: "bar controls" }, t.search, t.choice,
		button("Copy as CSV", () => copyText(csvOf(t), said)), said), el("div", { class: "scroll" }, t.element), t.pages,
	t.note, t.detail];
}

/* ---- records that are no rows ---- */

function fieldText(c, cell) {
	const v = valueOf(cell), mark = markOf(cell);

	if (isList(cell))
		return cell.l.map((x) => safe(Array.isArray(x) ? x.join(": ") : x)).join(", ");
	return v === null ? reasonOf(cell) || "-" : typeof v === "number" ? showField(c, v) + (mark ? " " + mark.mark : "") : v;
}

function fields(type, row) {
	const list = [];

	eachField(type, row, (path, c, cell) => {
		const isHistogram = isList(cell) && cell.l.length && cell.l.every(Array.isArray);

		if (cell !== null && !isHistogram && !["type", "schema"].includes(c.id))
			list.push(el("dt", {}, safe([...path, c.id].join(" "))), el("dd", { class: "text" }, fieldText(c, cell)));
	});
	return el("dl", { class: "fields" }, list);
}

function facts(f) {
	return [histograms(histogramsOf(f.type, f.row)), el("details", {}, el("summary", {}, "More numbers of it"),
		fields(f.type, f.row))];
}

/* ---- the page ---- */

function buildSection(s, isOpen) {
	return el("details", { class: "part", open: isOpen }, el("summary", {}, el("h2", { class: "text" }, s.title || "Rows"),
		s.summary ? el("span", { class: "faint text" }, " " + s.summary) : null), el("ul", {},
		s.notes.map((n) => el("li", { class: "text" }, n))), s.facts.map(facts), s.tables.map(buildTable));
}

function fact(title, text) {
	return text ? el("span", { class: "text" }, title + " ", el("b", {}, safe(text))) : null;
}

/* Returns a legend of the marks that follow numbers of this page. */
function legendOfMarks() {
	const used = new Set();

	for (const t of tables)
		for (const cell of t.rows.flat())
			if (cell !== null && cell.v !== undefined)
				used.add(head.marks[cell.q]);
	return el("dl", { class: "marks" }, [...used].map((m) => [el("dt", {}, m.mark), el("dd", {}, m.text)]), el("dt", {}, "-"),
		el("dd", {}, "no number: not known, or there is none"));
}

/* Returns the different values of a fact, as a page that was appended to is about several runs. */
function ofAll(get) {
	return [...new Set(abouts.map(get))].filter(Boolean).join(", ");
}

function build() {
	const title = ofAll((a) => a.of + (a.command ? ": " + a.command.join(" ") : "")) || "tiptop";

	document.title = safe(title);
	main.append(el("header", {}, el("h1", { class: "text" }, safe(title)), el("div", { class: "facts" },
		fact("Machine", ofAll((a) => a.host)), fact("Written", ofAll((a) => a.when)),
		fact("By", head.version ? "tiptop " + head.version : ""))));
	main.append(...stacks.map(icicle).filter(Boolean), ...sections.map((s, i) => buildSection(s, sections.length < 4 || i === 0)));
	main.append(el("section", {}, el("h2", {}, "Marks"), legendOfMarks()), el("p", { class: "faint" },
		"A click on a heading sorts; one on a name opens its row. This page fetches nothing."));
}

function again() {
	readState();
	tables.forEach(show);
}

function begin() {
	readElements();
	prepareTables();
	readState();
	build();
	tables.forEach(show);
	addEventListener("hashchange", again);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => stacks.forEach((s) => s.again && s.again()));
	addEventListener("beforeprint", () => document.querySelectorAll("details.part").forEach((d) => (d.open = true)));
}

addEventListener("DOMContentLoaded", begin);
