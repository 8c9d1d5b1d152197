/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the script of page.js: zooming by pointer and keys, and the program or task that is chosen. */

/* ---- brush, cursor and keys ---- */

function zoomTo(from, to) {
	const least = Math.max(1, Math.min(whole.to - whole.from, ...buckets.s.slice(first, last + 1).filter((t) => t > 0)) * 900);

	if (to - from < least) {
		const middle = (from + to) / 2;

		from = middle - least / 2;
		to = middle + least / 2;
	}
	state.from = Math.round(Math.max(whole.from, from));
	state.to = Math.round(Math.min(whole.to, to));
	state.page = 0;
	show();
}

function zoomBy(factor) {
	const middle = (state.from + state.to) / 2, half = (state.to - state.from) / 2 * factor;

	zoomTo(middle - half, middle + half);
}

function panBy(share) {
	const span = state.to - state.from;
	const by = Math.min(Math.max(span * share, whole.from - state.from), whole.to - state.to);

	zoomTo(state.from + by, state.to + by);
}

function bucketAt(ms) {
	for (let i = first; i <= last; i++)
		if (ms >= buckets.begin[i] && ms < buckets.end[i])
			return i;
	return -1;
}

function readout(ms, row) {
	const i = bucketAt(ms);

	if (i < 0 || !(buckets.s[i] > 0)) {
		view.readout.textContent = stamp(ms) + ": nothing was recorded";
		return;
	}
	const parts = [stamp(buckets.begin[i]) + " to " + clock(buckets.end[i]), "CPUs used " +
		cpusUsed(i).toFixed(2)];
	const lane = row === undefined ? null : heat.lanes[row], c = columns[heat.column];

	if (lane) {
		const k = lane.b.indexOf(i), v = k >= 0 && lane.m[c.index] ? lane.m[c.index][k] : null;

		parts.push(laneLabel(lane) + ": " + (k < 0 ? "did not run" : lane.s[k].toFixed(2) + " s of CPU time, " + c.title +
			" " + (v === null ? "not known" : format(c, v) + " " + unitOf(c))));
	} else {
		stackLanes().slice(0, 4).forEach((x) => {
			const k = x.lane.b.indexOf(i);

			if (k >= 0)
				parts.push(laneLabel(x.lane) + " " + (x.lane.s[k] / buckets.s[i]).toFixed(2));
		});
	}
	view.readout.textContent = parts.join(" · ");
}

function attachBrush(canvas, rowHeight, click) {
	let start = null;
	const msAt = (e) => {
		const box = canvas.getBoundingClientRect();

		return state.from + Math.min(Math.max((e.clientX - box.left) / box.width, 0), 1) * (state.to - state.from);
	};
	const rowAt = (e) => (rowHeight ? Math.floor((e.clientY - canvas.getBoundingClientRect().top) / rowHeight) : undefined);
	const moveBand = (a, b) => {
		const left = view.gutter(), width = view.charts.clientWidth - left;

		view.band.hidden = false;
		view.band.style.left = left + xOf(Math.min(a, b), width) + "px";
		view.band.style.width = Math.abs(xOf(a, width) - xOf(b, width)) + "px";
	};

	canvas.classList.add("brush");
	canvas.addEventListener("pointerdown", (e) => {
		if (e.button !== 0)
			return;
		start = { ms: msAt(e), x: e.clientX };
		canvas.setPointerCapture(e.pointerId);
	});
	canvas.addEventListener("pointermove", (e) => {
		const ms = msAt(e), left = view.gutter();

		view.hair.hidden = false;
		view.hair.style.left = left + xOf(ms, view.charts.clientWidth - left) + "px";
		readout(ms, rowAt(e));
		if (start && Math.abs(e.clientX - start.x) > 3)
			moveBand(start.ms, ms);
	});
	canvas.addEventListener("pointerleave", () => (view.hair.hidden = true));
	canvas.addEventListener("pointerup", (e) => {
		const from = start;

		start = null;
		view.band.hidden = true;
		if (from && Math.abs(e.clientX - from.x) > 3)
			zoomTo(Math.min(from.ms, msAt(e)), Math.max(from.ms, msAt(e)));
		else if (from && click)
			click(rowAt(e));
	});
	canvas.addEventListener("pointercancel", () => {
		start = null;
		view.band.hidden = true;
	});
	canvas.addEventListener("dblclick", () => zoomTo(whole.from, whole.to));
}

const keys = {
	"+": () => zoomBy(0.5),
	"=": () => zoomBy(0.5),
	"-": () => zoomBy(2),
	"0": () => zoomTo(whole.from, whole.to),
	"ArrowLeft": () => panBy(-0.25),
	"ArrowRight": () => panBy(0.25),
	"Escape": () => (state.chosen ? choose(null) : zoomTo(whole.from, whole.to)),
	"/": () => view.filter.focus(),
};

function onKey(e) {
	const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);

	if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key] || (typing && e.key !== "Escape"))
		return;
	if (typing) {
		e.target.blur();
		return;
	}
	e.preventDefault();
	keys[e.key]();
}

/* ---- what is chosen ---- */

function choose(lane) {
	state.chosen = lane && state.chosen !== lane.key ? lane.key : "";
	show();
	if (state.chosen)
		view.detail.scrollIntoView({ block: "nearest" });
}

function chosenLane() {
	return programs.find((p) => p.key === state.chosen) || tasks.find((t) => t.key === state.chosen);
}

function showDetail() {
	const lane = chosenLane();

	view.detail.hidden = !lane;
	view.detail.replaceChildren();
	if (!lane)
		return;
	const cpu = cpuOf(lane), title = lane.kind === "task" ? laneLabel(lane) + " (PID " + lane.id + ")" : laneLabel(lane);

	view.detail.append(el("div", { class: "bar" }, el("h2", { class: "name" }, title), el("div", { class: "bar controls" },
		lane.kind === "program" ? el("button", { type: "button", onclick: () => showTasks(lane) }, "Show its tasks") : null,
		el("button", { type: "button", onclick: () => choose(null) }, "Close"))));
	view.detail.append(el("p", { class: "faint" }, detailText(lane, cpu)));
	if (lane.arguments)
		view.detail.append(el("p", { class: "text" }, safe(lane.arguments)));
	showCurves(lane);
	showVerdicts(lane, cpu);
	const phases = data.phases.filter((c) => c.host === lane.host && (lane.kind === "task" ? c.id === lane.id :
		safe(c.name) === lane.name));

	if (phases.some(inSpan))
		view.detail.append(el("h3", {}, "Phases"), el("ul", {}, phases.filter(inSpan).slice(0, 50).map(phaseItem)));
}

function detailText(lane, cpu) {
	const parts = [(lane.partial ? "at least " : "") + (cpu === null ? "CPU time of the span not kept" : cpu.toFixed(2) +
		" s of CPU time, " + percent(cpu, total.cpu) + " % of all")];

	if (lane.kind === "task") {
		parts.push("user " + safe(lane.user || "?"));
		if (lane.container)
			parts.push("container " + safe(lane.container));
	}
	parts.push("seen from " + stamp(lane.first) + " to " + stamp(lane.last) + (lane.ended ? ", then it ended" : ""));
	return parts.join(" · ");
}

function showTasks(lane) {
	Object.assign(state, { table: "tasks", filter: lane.name, page: 0 });
	show();
	view.tables.scrollIntoView({ block: "start" });
}

function showCurves(lane) {
	const grid = el("div", { class: "curves" });

	if (!lane.m) {
		view.detail.append(el("p", { class: "faint" }, lane.cut ?
			"Its numbers over time were not kept: too many tasks ran." :
			"Its columns are left out, to keep the page small."));
		return;
	}
	view.detail.append(grid);
	for (const c of columns) {
		const v = numberOf(lane, c.index);

		if (!v)
			continue;
		const canvas = el("canvas", { role: "img", "aria-label": c.title + ": mean " + format(c, v.mean) + ", from " +
			format(c, v.min) + " to " + format(c, v.max) });

		grid.append(el("figure", {}, el("figcaption", { title: c.desc }, el("span", {}, el("b", {}, c.title), " " +
			unitOf(c)), el("span", {}, "mean " + format(c, v.mean) + ", " + format(c, v.min) + " to " +
			format(c, v.max))), canvas));
		drawOne(canvas, lane, c.index, v);
	}
	const lacking = columns.filter((c) => !lane.m[c.index] && lane.why[c.index]);

	if (lacking.length)
		view.detail.append(el("p", { class: "faint" }, "Not known: " + lacking.map((c) => c.title + " (" +
			data.marks[lane.why[c.index]].text + ")").join("; ")));
}

function drawOne(canvas, lane, column, v) {
	const d = begin(canvas, 64), low = Math.min(v.min, 0), high = v.max > low ? v.max : low + 1;

	drawCurve(d, lane.m[column], lane.lo[column], lane.hi[column], (i) => lane.b[i], lane.b.length,
		(y) => 60 - (y - low) / (high - low) * 54, colours.curve);
}

function showVerdicts(lane, cpu) {
	const told = toldOf(lane), judged = sum(told.map((t) => t[1].s));

	if (!told.length)
		return;
	const rows = told.map((t) => {
		const example = (lane.x || []).find((x) => x.w === t[0]);

		return el("tr", {}, el("td", { class: "number" }, t[1].s.toFixed(2)), el("td", { class: "number" },
			percent(t[1].s, cpu)), el("td", {}, word(t)), el("td", { class: "long" }, example ? clock(example.at) + ": " +
			safe(example.text) : ""));
	});

	if (cpu - judged > 0.005)
		rows.push(el("tr", {}, el("td", { class: "number" }, (cpu - judged).toFixed(2)), el("td", { class: "number" },
			percent(cpu - judged, cpu)), el("td", {}, "not judged"), el("td", { class: "long" },
			"less than 10 ms of CPU time in an interval")));
	view.detail.append(el("h3", {}, "Verdicts"), el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {},
		["CPU s", "%", "main verdict", lane.kind === "program" ? "in its busiest interval" : ""].map((t, i) => el("th",
			{ scope: "col", class: i < 2 ? "plain number" : "plain" }, t)))), el("tbody", {}, rows))));
}
