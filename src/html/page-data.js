/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the script of page.js: the data, the state of the view, and sums over the shown span. */

const data = mergeRecordings([...document.querySelectorAll("script.data")].map((e) => JSON.parse(e.textContent)));

/* ---- time ---- */

const two = (n) => String(n).padStart(2, "0");

function local(ms) {
	return new Date(ms + data.zone_min * 60000);
}

function date(ms) {
	return local(ms).toISOString().slice(0, 10);
}

function clock(ms, fine) {
	const iso = local(ms).toISOString();

	return iso.slice(11, fine ? 23 : 19);
}

function stamp(ms) {
	return date(ms) + " " + clock(ms);
}

function zone() {
	const m = Math.abs(data.zone_min);

	return "UTC" + (data.zone_min < 0 ? "-" : "+") + two(Math.floor(m / 60)) + ":" + two(m % 60);
}

/* ---- the data ---- */

const buckets = data.buckets, nBuckets = buckets.begin.length;
const whole = { from: buckets.begin[0], to: buckets.end[nBuckets - 1] };

function expand(list) {
	let at = 0;

	return list.map((d) => (at += d));
}

function prepare(lanes, kind) {
	lanes.forEach((lane, i) => {
		lane.kind = kind;
		lane.index = i;
		lane.name = safe(lane.name);
		lane.b = expand(lane.b);
		(lane.v || []).forEach((v) => (v.b = expand(v.b)));
		lane.key = kind + ":" + (lane.host ? lane.host + ":" : "") + lane.name + (kind === "task" ? ":" + lane.id + ":" +
			lane.first : "");
	});
	return lanes;
}

const programs = prepare(data.programs, "program"), tasks = prepare(data.tasks, "task");
const users = prepare(data.users, "user"), containers = prepare(data.containers, "container");
const machines = data.recordings ? data.names.map((name, k) => ({ kind: "machine", name, key: "machine:" + name, machine: k,
	b: buckets.begin.map((_, i) => i), s: buckets.of[k].cpu, cpu: sum(buckets.of[k].cpu) })) : [];
const words = data.words.map((w) => (w === null ? "no verdict" : w));
const columns = data.columns;

columns.forEach((c, i) => (c.index = i));

/* ---- the state, which is in the address ---- */

const state = {};

const usualStack = machines.length ? "machine" : "program";

function readState() {
	const p = new URLSearchParams(location.hash.slice(1)), zoom = /^(\d+)-(\d+)$/.exec(p.get("zoom") || "");

	state.from = zoom ? Math.max(whole.from, Number(zoom[1])) : whole.from;
	state.to = zoom ? Math.min(whole.to, Number(zoom[2])) : whole.to;
	if (!(state.to > state.from))
		Object.assign(state, whole);
	state.table = ["programs", "tasks", "verdicts"].includes(p.get("table")) ? p.get("table") : "programs";
	state.sort = p.get("sort") || "cpu_s";
	state.up = p.get("up") === "1";
	state.filter = p.get("filter") || "";
	state.page = Number(p.get("page")) || 0;
	state.chosen = p.get("chosen") || "";
	state.heat = columns.some((c) => c.id === p.get("heat")) ? p.get("heat") : firstHeat();
	state.stack = ["program", "user", "container"].includes(p.get("stack")) ? p.get("stack") : usualStack;
}

/* Returns IPC if it was recorded, else the first column with numbers. */
function firstHeat() {
	const c = columns.find((x) => x.id === "ipc" && known(x)) || columns.find(known) || columns[0];

	return c ? c.id : "";
}

function known(column) {
	return programs.some((p) => p.m && p.m[column.index]);
}

function writeState() {
	const p = new URLSearchParams();
	const put = (name, value, usual) => value !== usual && p.set(name, value);

	if (isZoomed())
		p.set("zoom", Math.round(state.from) + "-" + Math.round(state.to));
	put("table", state.table, "programs");
	put("sort", state.sort, "cpu_s");
	put("up", state.up ? "1" : "", "");
	put("filter", state.filter, "");
	put("page", state.page || "", "");
	put("chosen", state.chosen, "");
	put("heat", state.heat, firstHeat());
	put("stack", state.stack, usualStack);
	history.replaceState(null, "", "#" + p.toString());
}

function isZoomed() {
	return state.from > whole.from || state.to < whole.to;
}

/* ---- sums over the span ---- */

let first, last; /* the buckets of the span, last included */

function findSpan() {
	first = 0;
	while (first < nBuckets - 1 && buckets.end[first] <= state.from)
		first++;
	last = nBuckets - 1;
	while (last > first && buckets.begin[last] >= state.to)
		last--;
}

/* The index of the first cell that is not before the bucket. */
function lowerBound(list, bucket) {
	let a = 0, b = list.length;

	while (a < b) {
		const m = (a + b) >> 1;

		if (list[m] < bucket)
			a = m + 1;
		else
			b = m;
	}
	return a;
}

/* The CPU time of a lane in the span; without cells only that of the whole recording is known. */
function cpuOf(lane) {
	let s = 0;

	if (lane.cut)
		return isZoomed() ? null : lane.cpu;
	if (!isZoomed())
		return lane.cpu;
	for (let i = lowerBound(lane.b, first); i < lane.b.length && lane.b[i] <= last; i++)
		s += lane.s[i];
	return s;
}

/* Mean, smallest and largest number of a column in the span; null: unknown. */
function numberOf(lane, column) {
	const m = lane.m && lane.m[column], out = { mean: 0, min: Infinity, max: -Infinity };
	const measured = lane.machine === undefined ? buckets.s : buckets.of[lane.machine].s;
	let weight = 0;

	if (!m)
		return null;
	for (let i = lowerBound(lane.b, first); i < lane.b.length && lane.b[i] <= last; i++) {
		const w = columns[column].kind === "ratio" ? lane.s[i] : measured[lane.b[i]];

		if (m[i] === null || !(w > 0))
			continue;
		weight += w;
		out.mean += m[i] * w;
		out.min = Math.min(out.min, lane.lo[column] ? lane.lo[column][i] : m[i]);
		out.max = Math.max(out.max, lane.hi[column] ? lane.hi[column][i] : m[i]);
	}
	out.mean /= weight;
	return weight > 0 ? out : null;
}

/* The CPU time of each verdict in the span. */
function toldOf(lane) {
	const told = new Map();

	for (const v of lane.v || []) {
		let s = 0;

		for (let i = lowerBound(v.b, first); i < v.b.length && v.b[i] <= last; i++)
			s += v.s[i];
		if (s > 0)
			told.set(v.w, { s, unsure: 2 * v.maybe > sum(v.s) });
	}
	return [...told].sort((x, y) => y[1].s - x[1].s);
}

function sum(list) {
	return list.reduce((a, b) => a + b, 0);
}

let total; /* of the span: the used CPU time, the measured time, and the CPU time of all CPUs; in s */

function findTotal() {
	total = { cpu: 0, s: 0, capacity: 0 };
	for (let i = first; i <= last; i++) {
		total.cpu += buckets.cpu[i];
		total.s += buckets.s[i];
		total.capacity += buckets.capacity ? buckets.capacity[i] : 0;
	}
	if (!isZoomed()) {
		total.cpu = data.cpu_s;
		total.s = data.measured_s;
	}
	if (!buckets.capacity)
		total.capacity = total.s * data.machine.cpus;
}

function word(told) {
	return words[told[0]] + (told[1].unsure ? "?" : "");
}
