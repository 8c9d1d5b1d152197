/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script of the page of tiptop report: shows the data of the page, and fetches nothing. The build joins page-base.js,
 * page-csv.js, page-merge.js, page-data.js, page-charts.js, page-input.js, page-tables.js and this file, which builds the page.
 *
 * Texts of the recording are hostile: they become text nodes only, never markup. The state of the view (span, sorting,
 * filter, selection) is in the fragment of the address, so a link shows the same view.
 *
 * The charts are drawn here, on canvases, and not by a library: a stacked area, a heat map, curves and a brush are some
 * 400 lines, while d3 3.5 (the one of the distribution) adds 150 KB to each page, draws with one element for each
 * point, and would still not draw on canvases.
 */

/* ---- the top ---- */

function verdictText() {
	const rows = verdictRows().sort((x, y) => y.cpu - x.cpu), best = rows[0], cpus = machines.length ? 0 : data.machine.cpus;
	const used = "Tasks used " + (data.cpu_partial ? "at least " : "") + total.cpu.toFixed(2) + " s of CPU time in " +
		total.s.toFixed(1) + " s" + (total.capacity > 0 ? ", " + percent(total.cpu, total.capacity) + " % of " + (cpus ? "the " +
		plural(cpus, "CPU") : "all CPUs of " + plural(machines.length, "machine")) : "");

	if (!best || !(total.cpu > 0))
		return used + ".";
	const share = percent(best.cpu, total.cpu) + " % of it";

	if (best.word === "no verdict")
		return used + ". For " + share + ", nothing known held them up (" + best.programs + ")" + second(rows) + ".";
	if (best.word === "not judged")
		return used + ". " + share + " was not judged: " + best.programs + second(rows) + ".";
	return used + ". Main verdict: " + best.word + ", " + share + " (" + best.programs + ")" + second(rows) + ".";
}

function second(rows) {
	const next = rows.slice(1).find((r) => r.word !== "not judged" && r.word !== "no verdict");

	return next && next.cpu > total.cpu / 50 ? "; then " + next.word + ", " + percent(next.cpu, total.cpu) + " % (" + next.programs +
		")" : "";
}

/* Returns "810 solver: IPC 1.69 → 0.81 at 12:01:40, → 1.68 at 12:03:12" for each task, those that changed most often first. */
function changeTexts() {
	const tasks = new Map();

	for (const c of data.phases.filter(inSpan)) {
		const name = hostOf(c) + c.id + " " + safe(c.name) + ": " + c.of + " ", list = tasks.get(name) || [];

		list.push((list.length ? "→ " : c.before.toFixed(c.digits) + " → ") + c.after.toFixed(c.digits) + " at " + clock(c.at));
		tasks.set(name, list);
	}
	return [...tasks].sort((x, y) => y[1].length - x[1].length).map(([name, list]) => name + list.slice(0, 4).join(", ") +
		(list.length > 4 ? ", and " + plural(list.length - 4, "more change") : ""));
}

/* Returns a sentence on what changed in the span, and whether another task may be the reason. */
function changedText() {
	const texts = changeTexts(), rest = texts.length - 3;

	if (!texts.length)
		return noPhases;
	return "Changed: " + texts.slice(0, 3).join("; ") + (rest > 0 ? "; and " + rest + " more (Phases)" : "") + ". " +
		(data.coincidences.some(inSpan) ? "Another task may be the reason: What coincided." : nothingCoincided);
}

const noPhases = "No program was seen to change the level of its IPC or %CPU.";
const nothingCoincided = "No other task was found that began or changed then and could be the reason.";

function fact(title, text) {
	return text === null || text === undefined || text === "" ? null : el("span", { class: "text" }, title + " ", el("b", {},
		safe(text)));
}

/* Returns the facts about a recording. key: the element with the colour of its machine; null: there is one machine. */
function factsOf(data, key) {
	const m = data.machine, c = data.command, parts = [m.arch, m.model].filter(Boolean).join(" ");

	return el("div", { class: "facts" }, key, fact("Recording", data.recording), fact("Machine", m.host || "not recorded"),
		fact("CPUs", m.cpus === null ? "not known" : m.cpus + (parts ? ", " + parts : "")),
		fact("Kernel", m.kernel || "not recorded"), fact("Screen", data.screen),
		fact("Readings", plural(data.intervals, "interval") + ", " + data.measured_s.toFixed(1) + " s"),
		data.gaps ? fact("Gaps", data.gaps + ", " + data.gaps_s.toFixed(1) + " s in which nothing is known") : null,
		fact("Ran", plural(data.n_tasks, "task") + " of " + plural(data.n_programs, "program") + "; " + data.began + " began, " +
			data.n_ended + " ended"), fact("Waited for a CPU", data.wait_s === null ? "not recorded" :
			(data.wait_partial ? "at least " : "") + data.wait_s.toFixed(2) + " s, sum over the tasks"),
		c ? fact("Command", c.words.join(" ") + (c.status === null ? "" : ": status " + c.status) + (c.ran_s === null ? "" :
			" after " + c.ran_s.toFixed(2) + " s")) : null);
}

/* Returns the facts about all recordings, each with the colour of its curves. */
function topFacts() {
	if (!machines.length)
		return factsOf(data, null);
	return [data.recordings.map((r, k) => {
		const key = el("span", { class: "key" });

		key.style.background = machineColour(k);
		return factsOf(r, el("span", { class: "text" }, key, el("b", {}, data.names[k])));
	}), el("p", { class: "faint" }, "Times are those of the clock of each machine. A program belongs to one machine, whatever " +
		"its name. A reading that lies in two steps of the charts counts for both, by its shares.")];
}

function showSpan() {
	view.span.textContent = stamp(state.from) + " to " + (date(state.from) === date(state.to) ? clock(state.to) : stamp(state.to)) +
		" (" + zone() + ")" + (isZoomed() ? ", a part of the recording" : "");
	view.reset.disabled = !isZoomed();
	view.verdict.replaceChildren(verdictText(), el("br", {}), changedText());
}

/* ---- the page ---- */

const view = { machine: [] };

function chart(canvas, side, extra) {
	return el("div", { class: "chart" }, side, el("div", { class: "plot" }, canvas, extra || null));
}

function choice(label, options, value, change) {
	const select = el("select", { "aria-label": label, onchange: (e) => change(e.target.value) }, options.map(([id, title, off]) =>
		el("option", { value: id, disabled: off }, title)));

	select.value = value;
	return el("label", {}, label + " ", select);
}

function button(text, help, act) {
	return el("button", { type: "button", title: help, onclick: act }, text);
}

const machineRows = [["running", "running or waiting for a CPU (tasks)", null], ["load", "load average, 1 min", null],
	["busy", "CPUs busy, all tasks", null], ["memory", "memory available (bytes)", "bytes"]];

function buildMachine() {
	for (const [id, title, style] of machineRows) {
		const curves = machineCurves(id);

		if (!curves.length)
			continue;
		const row = { curves, title, style, canvas: el("canvas", { role: "img", "aria-label": title + " over time" }),
			side: el("div", { class: "side" }) };

		view.machine.push(row);
		view.charts.append(chart(row.canvas, row.side));
		attachBrush(row.canvas);
	}
}

function buildCharts() {
	view.stack = el("canvas", { role: "img", tabindex: "0" });
	view.stackSide = el("div", { class: "side" });
	view.legend = el("div", { class: "legend" });
	view.times = el("canvas", { "aria-hidden": "true" });
	view.timesSide = el("div", { class: "side" });
	view.heat = el("canvas", { role: "img" });
	view.heatRows = el("div", { class: "side rows" });
	view.band = el("div", { class: "band", hidden: true });
	view.hair = el("div", { class: "hair", hidden: true });
	view.charts = el("div", { class: "charts" }, view.band, view.hair, chart(view.stack, view.stackSide), view.legend);
	view.gutter = () => view.stack.parentNode.offsetLeft;
	buildMachine();
	view.scale = el("canvas", { "aria-hidden": "true" });
	view.scaleFrom = el("span", {});
	view.scaleTo = el("span", {});
	view.heatBar = el("div", { class: "bar" }, choice("Heat map of", columns.map((c) => [c.id, c.title + (unitOf(c) ? " (" +
		unitOf(c) + ")" : "") + (known(c) ? "" : ": not known")]), state.heat, (v) => {
		state.heat = v;
		show();
	}), el("span", { class: "scale" }, view.scaleFrom, view.scale, view.scaleTo),
	el("span", { class: "faint" }, "empty: did not run; thin grey: not known"));
	view.charts.append(view.heatBar, chart(view.heat, view.heatRows), chart(view.times, view.timesSide));
	attachBrush(view.stack);
	attachBrush(view.heat, 18, (row) => heat.lanes[row] && choose(heat.lanes[row]));
}

function buildTables() {
	view.tabs = ["programs", "tasks", "verdicts"].map((name) => el("button", { type: "button", role: "tab", "data-table": name,
		onclick: () => {
			Object.assign(state, { table: name, page: 0 });
			show();
		} }, name[0].toUpperCase() + name.slice(1)));
	view.filter = el("input", { type: "search", placeholder: "filter: name, PID, user, …", "aria-label": "Filter the table",
		oninput: (e) => {
			Object.assign(state, { filter: e.target.value, page: 0 });
			showTable();
			writeState();
		} });
	view.said = el("span", { class: "faint", role: "status" });
	view.table = el("table", {});
	view.tableNote = el("p", { class: "faint" });
	view.pageText = el("span", {});
	view.pageBack = button("Back", null, () => {
		state.page--;
		show();
	});
	view.pageOn = button("Next", null, () => {
		state.page++;
		show();
	});
	view.pages = el("div", { class: "bar controls" }, view.pageBack, view.pageText, view.pageOn);
	view.tables = el("section", { "aria-label": "Tables" }, el("h2", {}, "Numbers of the shown span"), el("div",
		{ class: "bar controls" }, el("div", { role: "tablist", class: "bar" }, view.tabs), view.filter, button("Copy as CSV",
			"copies all rows of this table", copyCsv), view.said), el("div", { class: "scroll" }, view.table), view.pages,
	view.tableNote);
}

function section(title, list) {
	return el("section", {}, el("h2", {}, title), list || el("ul", {}));
}

function legendOfMarks() {
	const seen = new Set();

	return el("dl", { class: "marks" }, data.marks.filter((m) => m.mark && !seen.has(m.text) && seen.add(m.text)).map((m) => [
		el("dt", {}, m.mark), el("dd", {}, m.text)]),
	el("dt", {}, "≥"), el("dd", {}, "a part of it was not counted"), el("dt", {}, "?"), el("dd",
		{}, "behind a verdict: it is certain for less than half of the time"));
}

function columnHelp() {
	return el("ul", {}, columns.map((c) => el("li", {}, el("b", {}, c.title), (unitOf(c) ? " (" + unitOf(c) + ")" : "") +
		": " + c.desc +
		(c.per_s ? "; here in a second" : "") + (known(c) ? "" : "; not known: " + reason(c.index)))));
}

function build() {
	view.span = el("span", { class: "text" });
	view.reset = button("Whole recording", "key 0", () => zoomTo(whole.from, whole.to));
	view.verdict = el("p", { class: "verdict", "aria-live": "polite" });
	view.readout = el("div", { class: "readout faint" }, "\u00a0");
	view.detail = el("section", { class: "detail", "aria-label": "The chosen program or task", hidden: true });
	buildCharts();
	buildTables();
	view.phases = section("Phases");
	view.notes = section("What coincided");
	view.ends = section("What ended badly");
	const stacks = [["program", "program"], ["user", "user"], ["container", data.container_known ? "container" :
		"container (not recorded)", !data.container_known]];

	view.stackChoice = choice("CPU time by", machines.length ? [["machine", "machine"], ...stacks] : stacks, state.stack, (v) => {
		state.stack = v;
		show();
	});
	main.append(el("header", {}, el("h1", {}, "What happened from " + stamp(data.from) + " to " + stamp(data.to)), topFacts(),
		data.anonymous ? el("p", { class: "faint" }, "Users, containers, the host and the recording have made-up names, " +
			"command lines are left out; names of programs are real.") : null, view.verdict));
	main.append(el("section", { "aria-label": "Time line" }, el("h2", {}, "Time line"), el("div", { class: "bar" }, view.span,
		el("span", { class: "bar controls" }, view.reset, view.stackChoice)), view.charts, view.readout,
	el("p", { class: "faint controls" },
		"Drag over a chart to zoom; click a program to open it. Keys: ", ["+", "-", "0", "←", "→", "/", "Esc"].map((k) => [
			el("kbd", {}, k), " "]), "zoom, whole, move, filter, close.",
	data.intervals_of_bucket > 1 ? " A step of the charts is up to " +
			plural(data.intervals_of_bucket, "interval") + "; bands show the smallest and the largest number in it." : "",
	data.step_s ? " An interval has the samples of up to " + plural(data.step_s, "second") + ": bands of %CPU and of the " +
			"machine show those of the samples, other bands those of intervals." : "")));
	main.append(view.detail, view.tables, view.phases, view.notes, view.ends, section("What is not known", el("ul", {},
		data.unknown.map((t) => el("li", { class: "text" }, safe(t))))), section("Columns", columnHelp()),
	section("Marks", legendOfMarks()), el("p", { class: "faint" }, "Written by tiptop " + data.version +
		". This page fetches nothing."));
}

function setChoice(label, value) {
	label.querySelector("select").value = value;
}

function show() {
	findSpan();
	findTotal();
	readColours();
	writeState();
	showSpan();
	setChoice(view.stackChoice, state.stack);
	setChoice(view.heatBar, state.heat);
	drawStack();
	drawMachine();
	drawHeat();
	drawTimes();
	showDetail();
	showTable();
	showList(view.phases, data.phases, phaseItem, isZoomed() ? 0 : data.phases_left, noPhases);
	showList(view.notes, data.coincidences, noteItem, data.coincidences_left, data.phases.some(inSpan) && nothingCoincided);
	showList(view.ends, data.ended_badly, endItem, isZoomed() ? 0 : data.ended_badly_left);
	document.title = "tiptop: " + (machines.length ? data.names.join(", ") : safe(data.machine.host || "report")) + ", " +
		stamp(state.from);
}

function again() {
	readState();
	show();
}

function printing(on) {
	root.classList.toggle("print", on);
	show();
}

let waiting = 0;

readState();
build();
show();
addEventListener("hashchange", again);
addEventListener("keydown", onKey);
addEventListener("beforeprint", () => printing(true));
addEventListener("afterprint", () => printing(false));
addEventListener("resize", () => {
	cancelAnimationFrame(waiting);
	waiting = requestAnimationFrame(show);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
