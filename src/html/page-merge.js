/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of the script of page.js: puts the recordings of several machines side by side, by their clocks.
 *
 * The result has the form of one recording, with lanes of all machines over common buckets. Programs with the same name on
 * different machines are different lanes: each lane belongs to one machine, whose name is `host`.
 */

const mergedBuckets = 960;

/* Returns the names of the machines. Machines with the same name get the names of their recordings added. */
function machineNames(list) {
	const hosts = list.map((r, i) => safe(r.machine.host || "machine " + (i + 1)));
	const recording = (i) => safe(list[i].recording || "recording") + ", " + (i + 1);

	return hosts.map((h, i) => (hosts.filter((x) => x === h).length > 1 ? h + " (" + recording(i) + ")" : h));
}

/* Returns the common buckets: their span, their width `step` in ms (that of the widest mean bucket of a recording, or more
 * to have at most mergedBuckets), and their number n. */
function makeGrid(list) {
	const from = Math.min(...list.map((r) => r.buckets.begin[0])), to = Math.max(...list.map((r) => r.buckets.end.at(-1)));
	const width = list.map((r) => (r.buckets.end.at(-1) - r.buckets.begin[0]) / r.buckets.begin.length);
	const step = Math.max(...width, (to - from) / mergedBuckets, 1), n = Math.max(1, Math.ceil((to - from) / step));

	return { from, step, n, to };
}

/* Returns, for each bucket of a recording, the common buckets that it overlaps, each with the share of it that lies there. */
function overlaps(grid, buckets) {
	return buckets.begin.map((begin, j) => {
		const end = buckets.end[j], out = [];
		const at = (ms) => Math.min(grid.n - 1, Math.max(0, Math.floor((ms - grid.from) / grid.step)));

		for (let i = at(begin); i <= at(end - 1e-6); i++) {
			const a = Math.max(begin, grid.from + i * grid.step), b = Math.min(end, grid.from + (i + 1) * grid.step);

			if (b > a)
				out.push([i, (b - a) / (end - begin)]);
		}
		return out;
	});
}

/* Returns the sums of a list of numbers, one for each bucket, over the common buckets. */
function spread(grid, map, list) {
	const out = new Array(grid.n).fill(0);

	list.forEach((x, j) => map[j].forEach(([i, share]) => (out[i] += (x || 0) * share)));
	return out;
}

/* Returns for each of n buckets the weighted mean, the smallest and the largest of its cells; null: unknown. */
function blend(n, cells) {
	const weight = new Array(n).fill(0), m = new Array(n).fill(null), lo = m.slice(), hi = m.slice();

	for (const [i, mean, low, high, w] of cells) {
		if (mean === null || !(w > 0))
			continue;
		m[i] = ((m[i] || 0) * weight[i] + mean * w) / (weight[i] + w);
		weight[i] += w;
		lo[i] = lo[i] === null ? low : Math.min(lo[i], low);
		hi[i] = hi[i] === null ? high : Math.max(hi[i], high);
	}
	return { m, lo, hi };
}

function mergeMachineNumbers(grid, recording, map, id) {
	const v = recording.buckets[id], mean = v.m[0], cells = [];

	if (!mean)
		return null;
	map.forEach((list, j) => list.forEach(([i, share]) => cells.push([i, mean[j], (v.lo[0] || mean)[j], (v.hi[0] || mean)[j],
		share * recording.buckets.s[j]])));
	return blend(grid.n, cells);
}

/* ---- lanes ---- */

function differences(list) {
	return list.map((x, i) => (i ? x - list[i - 1] : x));
}

/* Returns a lane over the common buckets. of: the data that all lanes of its machine share. */
function mergeLane(lane, of) {
	const at = expand(lane.b), index = new Map(), s = [];

	at.forEach((j, k) => of.map[j].forEach(([i, share]) => {
		if (!index.has(i)) {
			index.set(i, index.size);
			s.push(0);
		}
		s[index.get(i)] += lane.s[k] * share;
	}));
	const out = { ...lane, b: differences([...index.keys()]), s, machine: of.number, host: of.name };

	if (lane.why) {
		out.why = of.put(lane.why, of.unknown);
		out.quality = of.put(lane.quality, 0);
	}
	if (lane.m)
		mergeColumns(out, lane, of, at, index);
	if (lane.v)
		out.v = lane.v.map((v) => mergeVerdict(v, of));
	if (lane.x)
		out.x = lane.x.map((x) => ({ ...x, w: of.word[x.w] }));
	return out;
}

function mergeColumns(out, lane, of, at, index) {
	const blended = lane.m.map((m, c) => {
		const cells = [];

		if (!m)
			return null;
		at.forEach((j, k) => of.map[j].forEach(([i, share]) => cells.push([index.get(i), m[k], (lane.lo[c] || m)[k],
			(lane.hi[c] || m)[k], share * (of.ratio[c] ? lane.s[k] : of.buckets.s[j])])));
		return blend(index.size, cells);
	});

	for (const part of ["m", "lo", "hi"])
		out[part] = of.put(blended.map((x) => x && x[part]), null);
}

function mergeVerdict(v, of) {
	const s = new Map();

	expand(v.b).forEach((j, k) => of.map[j].forEach(([i, share]) => s.set(i, (s.get(i) || 0) + v.s[k] * share)));
	return { ...v, w: of.word[v.w], b: differences([...s.keys()]), s: [...s.values()] };
}

/* ---- all ---- */

/* Returns the elements of all lists, each key once, and for each list the indexes of its elements. */
function union(lists, key) {
	const all = [], at = lists.map((list) => list.map((x) => {
		const i = all.findIndex((y) => key(y) === key(x));

		return i < 0 ? all.push(x) - 1 : i;
	}));

	return { all, at };
}

/* Returns the common buckets. s: the longest measured time of a machine; cpu: the sum of all machines; `of`: s and cpu of
 * each machine; capacity: the CPU time that all had, without times in which a machine was not recorded. */
function mergeBuckets(list, grid, maps) {
	const of = list.map((r, k) => ({ s: spread(grid, maps[k], r.buckets.s), cpu: spread(grid, maps[k], r.buckets.cpu) }));
	const begin = Array.from({ length: grid.n }, (_, i) => grid.from + i * grid.step);

	return { of, begin, end: begin.map((b) => Math.min(b + grid.step, grid.to)),
		s: begin.map((_, i) => Math.max(...of.map((x) => x.s[i]))),
		cpu: begin.map((_, i) => add(of, (x) => x.cpu[i])),
		capacity: begin.map((_, i) => of.reduce((sum, x, k) => sum + x.s[i] * (list[k].machine.cpus || NaN), 0)) };
}

function add(list, of) {
	return list.reduce((sum, r) => sum + of(r), 0);
}

/* Merges the lists of sentences; each sentence gets the name of its machine. */
function mergeLists(list, names, out) {
	for (const name of ["phases", "coincidences", "ended_badly"]) {
		out[name] = list.flatMap((r, k) => r[name].map((x) => ({ ...x, host: names[k] }))).sort((x, y) => x.at - y.at);
		out[name + "_left"] = add(list, (r) => r[name + "_left"]);
	}
	out.unknown = union(list.map((r, k) => r.unknown.map((text) => ({ text, host: names[k] }))), (x) => x.text).all.map((x) => {
		const hosts = list.flatMap((r, k) => (r.unknown.includes(x.text) ? [names[k]] : []));

		return (hosts.length < list.length ? hosts.join(", ") + ": " : "") + x.text;
	});
}

/* Merges the columns. Columns with the same id and another meaning on another machine get another id. */
function mergeColumnLists(list) {
	const columns = union(list.map((r) => r.columns), JSON.stringify);

	columns.all = columns.all.map((c, i) => {
		const n = columns.all.slice(0, i).filter((x) => x.id === c.id).length;

		return n ? { ...c, id: c.id + "_" + (n + 1) } : c;
	});
	return columns;
}

function mergeLanes(list, kind, of) {
	return list.flatMap((r, k) => r[kind].map((lane) => mergeLane(lane, of[k]))).sort((x, y) => y.cpu - x.cpu);
}

function mergeRecordings(list) {
	if (list.length === 1)
		return list[0];
	const names = machineNames(list), grid = makeGrid(list), maps = list.map((r) => overlaps(grid, r.buckets));
	const columns = mergeColumnLists(list), words = union(list.map((r) => r.words), String);
	const of = list.map((r, k) => ({ number: k, name: names[k], map: maps[k], buckets: r.buckets, word: words.at[k],
		unknown: r.marks.findIndex((m) => m.name === "not-counted"), ratio: r.columns.map((c) => c.kind === "ratio"),
		put: (values, none) => {
			const all = new Array(columns.all.length).fill(none);

			values.forEach((v, c) => (all[columns.at[k][c]] = v));
			return all;
		} }));
	const out = { ...list[0], recordings: list, names, columns: columns.all, words: words.all, left: {}, intervals_of_bucket: 1,
		buckets: mergeBuckets(list, grid, maps), from: Math.min(...list.map((r) => r.from)), to: Math.max(...list.map((r) => r.to)),
		cpu_partial: list.some((r) => r.cpu_partial), container_known: list.some((r) => r.container_known) };

	for (const kind of ["programs", "tasks", "users", "containers"]) {
		out[kind] = mergeLanes(list, kind, of);
		out.left[kind] = { n: add(list, (r) => r.left[kind].n), cpu: add(list, (r) => r.left[kind].cpu) };
	}
	for (const id of ["busy", "running", "load", "memory"])
		out.buckets[id] = list.map((r, k) => mergeMachineNumbers(grid, r, maps[k], id));
	out.cpu_s = add(list, (r) => r.cpu_s);
	out.measured_s = add(out.buckets.s, (x) => x);
	mergeLists(list, names, out);
	return out;
}
