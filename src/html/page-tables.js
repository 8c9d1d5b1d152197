/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the script of page.js: tables, CSV and lists. */

/* ---- tables ---- */

/* Columns of the tables: id, title, unit, help, value of a row (null: unknown), text of the value. */
const own = {
	name: { id: "name", title: "program", text: true, of: (r) => r.lane.name },
	machine: { id: "machine", title: "machine", text: true, of: (r) => r.lane.host },
	pid: { id: "pid", title: "PID", of: (r) => r.lane.id, show: String },
	user: { id: "user", title: "user", text: true, of: (r) => safe(r.lane.user === null ? "?" : r.lane.user) },
	container: { id: "container", title: "container", text: true, of: (r) => safe(r.lane.container === null ? "?" :
		r.lane.container || "-") },
	cpu: { id: "cpu_s", title: "CPU", unit: "s", help: "CPU time in the shown span", of: (r) => r.cpu,
		show: (v, r) => (r.lane.partial ? "≥ " : "") + v.toFixed(2) },
	share: { id: "share", title: "share", unit: "%", help: "of all CPU time used in the shown span", of: (r) => (total.cpu > 0 ?
		100 * r.cpu / total.cpu : null), show: (v) => v.toFixed(1) },
	verdict: { id: "verdict", title: "main verdict", text: true, help:
		"what held it up most, and for how much of its CPU time", of: (r) => (r.told.length ? word(r.told[0]) + " " +
		percent(r.told[0][1].s, r.cpu) + " %" : "") },
	arguments: { id: "arguments", title: "command line", text: true, of: (r) => safe(r.lane.arguments || "") },
};

function recorded() {
	return columns.map((c) => ({ id: c.id, title: c.title, unit: unitOf(c), help: c.desc + (c.kind === "ratio" ?
		": mean, weighted with CPU time" : ": mean of the readings in which it ran"), column: c, of: (r) => {
		const v = numberOf(r.lane, c.index);

		return v ? v.mean : null;
	}, show: (v) => format(c, v) }));
}

/* A column that no program has a number for is left out; what is not known has the reason. */
function tableColumns() {
	const numbers = recorded().filter((c) => known(c.column)), host = machines.length ? [own.machine] : [];

	if (state.table === "verdicts")
		return [own.cpu, own.share, { id: "word", title: "main verdict", text: true, of: (r) => r.word },
			{ id: "programs", title: "programs", text: true, long: true, of: (r) => r.programs }];
	if (state.table === "programs")
		return [own.name, ...host, own.cpu, own.share, ...numbers, own.verdict];
	return [own.name, ...host, own.pid, own.user, ...(data.container_known ? [own.container] : []), own.cpu, own.share, ...numbers,
		own.verdict, ...(data.anonymous ? [] : [own.arguments])];
}

function verdictRows() {
	const all = new Map();

	for (const p of programs)
		for (const t of toldOf(p)) {
			const v = all.get(t[0]) || { s: 0, unsure: 0, of: [] };

			v.s += t[1].s;
			v.unsure += t[1].unsure ? t[1].s : 0;
			v.of.push([laneLabel(p), t[1].s]);
			all.set(t[0], v);
		}
	const rows = [...all].map(([w, v]) => ({ lane: { partial: false }, cpu: v.s, word: words[w] + (2 * v.unsure > v.s ? "?" : ""),
		programs: v.of.sort((x, y) => y[1] - x[1]).slice(0, 3).map((x) => x[0] + " " + Math.round(100 * x[1] / v.s) +
			" %").join(", ") }));
	const rest = total.cpu - sum(rows.map((r) => r.cpu));

	if (rest > 0.005 && rest > total.cpu / 1000)
		rows.push({ lane: { partial: false }, cpu: rest, word: "not judged",
			programs: "less than 10 ms of CPU time in an interval, or left out of the page" });
	return rows;
}

function tableData() {
	const needle = state.filter.toLowerCase();
	const all = state.table === "verdicts" ? verdictRows() : (state.table === "programs" ? programs : tasks).map((lane) => ({
		lane, cpu: cpuOf(lane), told: toldOf(lane) })).filter((r) => r.cpu === null || r.cpu > 0);

	return all.filter((r) => !needle || (r.word !== undefined ? [r.word, r.programs] : [r.lane.name, r.lane.host || "",
		String(r.lane.id || ""), r.lane.user || "", r.lane.container || "", r.lane.arguments || "",
		r.told.length ? word(r.told[0]) : ""])
		.some((t) => t.toLowerCase().includes(needle)));
}

function sortRows(rows, list) {
	const c = list.find((x) => x.id === state.sort) || list.find((x) => x.id === "cpu_s");
	const way = state.up ? 1 : -1;

	rows.forEach((r) => (r.key = c.of(r)));
	/* Unknown numbers come last in either direction. */
	rows.sort((x, y) => {
		if (x.key === null || y.key === null)
			return (x.key === null) - (y.key === null);
		if (x.key === y.key)
			return (y.cpu || 0) - (x.cpu || 0);
		return (c.text ? -1 : 1) * (x.key < y.key ? -way : way);
	});
	return c;
}

function cellOf(c, r) {
	const v = c.of(r);

	if (c === own.name)
		return el("td", { class: "text" }, el("button", { type: "button", title: v, onclick: () => choose(r.lane) }, v));
	if (c.text)
		return el("td", { class: c.long ? "long" : "text", title: v.length > 30 ? v : null }, v);
	if (v !== null)
		return numberCell(c, r, v);
	return unknownCell(c, r);
}

/* A number that is not exact in some reading has the mark of the worst one behind it. */
function numberCell(c, r, v) {
	const mark = c.column && r.lane.quality ? data.marks[r.lane.quality[c.column.index]] : null, rough = mark && mark.mark;

	return el("td", { class: "number", "data-mark": rough ? mark.mark : null, title: rough ? "in some reading: " +
		mark.text : null }, c.show(v, r));
}

function unknownCell(c, r) {
	const why = c.column && r.lane.why ? r.lane.why[c.column.index] : 0, mark = data.marks[why];

	if (c.column && !r.lane.m)
		return el("td", { class: "number unknown", title: "left out, to keep the page small" }, "…");
	return el("td", { class: "number unknown", title: why ? mark.text : "it did not run in this span" }, why ? mark.mark : "-");
}

function headOf(c, sorted) {
	return el("th", { scope: "col", class: c.text ? null : "number", "aria-sort": c === sorted ? (state.up !== Boolean(c.text) ?
		"ascending" : "descending") : "none" }, el("button", { type: "button", title: c.help, onclick: () => {
		state.up = state.sort === c.id ? !state.up : false;
		state.sort = c.id;
		state.page = 0;
		show();
		view.table.querySelectorAll("thead button")[tableColumns().findIndex((x) => x.id === c.id)].focus();
	} }, c.title + (c === sorted ? (state.up !== Boolean(c.text) ? " ▲" : " ▼") : ""), el("small", {}, c.unit || "")));
}

function showTable() {
	const list = tableColumns(), rows = tableData(), sorted = sortRows(rows, list);
	const pages = Math.max(1, Math.ceil(rows.length / tableRows));

	state.page = Math.min(state.page, pages - 1);
	const part = rows.slice(state.page * tableRows, (state.page + 1) * tableRows);

	view.table.replaceChildren(el("caption", { hidden: true }, state.table), el("thead", {}, el("tr", {},
		list.map((c) => headOf(c, sorted)))), el("tbody", {}, part.map((r) => el("tr", { class: r.lane.key &&
		r.lane.key === state.chosen ? "chosen" : null }, list.map((c) => cellOf(c, r))))));
	view.tabs.forEach((tab) => tab.setAttribute("aria-selected", String(tab.dataset.table === state.table)));
	view.filter.value = state.filter;
	view.pages.hidden = pages === 1;
	view.pageText.textContent = "rows " + (state.page * tableRows + 1) + " to " + (state.page * tableRows + part.length) +
		" of " + rows.length;
	view.pageBack.disabled = !state.page;
	view.pageOn.disabled = state.page === pages - 1;
	view.tableNote.textContent = tableNote(rows.length);
}

function tableNote(n) {
	const left = data.left[state.table], parts = [];

	if (!n)
		parts.push(state.filter ? "Nothing matches the filter." : "Nothing ran in this span.");
	if (left && left.n)
		parts.push(plural(left.n, "more") .replace("mores", "more") + " with " + left.cpu.toFixed(2) +
			" s of CPU time in all are left out, to keep the page small.");
	return parts.join(" ");
}

/* ---- CSV ---- */

function csv() {
	const list = tableColumns(), rows = tableData();

	sortRows(rows, list);
	const head = list.map((c) => csvText(c.title + (c.unit ? " (" + c.unit + ")" : "")));
	const lines = rows.map((r) => list.map((c) => {
		const v = c.of(r);

		return v === null ? "" : c.text ? csvText(v) : String(Number(v.toPrecision(10)));
	}).join(","));

	return [head.join(","), ...lines].join("\n") + "\n";
}

function copyCsv() {
	copyText(csv(), view.said);
}

/* ---- lists ---- */

function inSpan(item) {
	return !item.at || (item.at >= state.from && item.at <= state.to + 1);
}

function hostOf(item) {
	return item.host ? item.host + ": " : "";
}

function phaseItem(c) {
	return el("li", { class: "text" }, stamp(c.at) + " " + hostOf(c) + c.id + " " + safe(c.name) + ": " + c.of + " " +
		c.before.toFixed(c.digits) + " → " + c.after.toFixed(c.digits) + " (10^" +
		c.likelier.toFixed(0) + " times likelier than noise)");
}

function noteItem(n) {
	return el("li", { class: "text" }, (n.at ? stamp(n.at) + " " : "") + hostOf(n) + safe(n.text));
}

function endItem(e) {
	return el("li", { class: "text" }, (e.at ? stamp(e.at) + " " : "") + hostOf(e) + e.id + " " + safe(e.name) + ": " + (e.signal ?
		"ended by signal " + e.signal + (e.signal_name ? " (SIG" + e.signal_name + ")" : "") : "ended with status " + e.status));
}

/* Shows the items of the span. none: the sentence if there are no items; false: hides the section then. */
function showList(section, items, make, left, none) {
	const shown = items.filter(inSpan), rest = Math.max(0, shown.length - 40) + left;

	section.hidden = !shown.length && !left && !none;
	section.lastChild.replaceChildren(...shown.slice(0, 40).map(make), rest ? el("li", { class: "faint" }, "and " + rest +
		" more") : "", !shown.length && !left && none ? el("li", { class: "faint" }, none) : "");
}
