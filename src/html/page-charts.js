/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the script of page.js: charts. */

/* ---- drawing ---- */

const colours = {};

function readColours() {
	const style = getComputedStyle(root);

	for (const name of ["back", "panel", "fore", "faint", "line", "link", "others", "curve"])
		colours[name] = style.getPropertyValue("--" + name).trim();
}

/* Prepares a canvas of this height for drawing in CSS pixels. */
function begin(canvas, height) {
	const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || 600;
	const g = canvas.getContext("2d");

	canvas.style.height = height + "px";
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	g.clearRect(0, 0, width, height);
	g.font = "11px system-ui, 'DejaVu Sans', sans-serif";
	g.textBaseline = "middle";
	return { g, width, height };
}

function xOf(ms, width) {
	return (ms - state.from) / (state.to - state.from) * width;
}

const timeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5,
	72e5, 108e5, 216e5, 432e5, 864e5, 1728e5, 6048e5, 2592e6, 31536e6];

function timeTicks(width) {
	const most = Math.max(2, Math.floor(width / 90)), span = state.to - state.from;
	const step = timeSteps.find((s) => span / s <= most) || timeSteps[timeSteps.length - 1], out = [];
	const shift = data.zone_min * 60000;

	for (let t = Math.ceil((state.from + shift) / step) * step - shift; t <= state.to; t += step)
		out.push(t);
	return { at: out, label: (t) => (step >= 864e5 ? date(t) : step < 1000 ? clock(t, true) : step < 60000 ?
		clock(t) : clock(t).slice(0, 5)) };
}

/* The next larger one of 1, 2, 5, 10, ... */
function nice(number) {
	const power = 10 ** Math.floor(Math.log10(number));

	return [1, 2, 5, 10].map((x) => x * power).find((x) => x >= number * 0.9999) || number;
}

/* The largest number of an axis, and its ticks. binary: steps of 1024. */
function scale(most, n, binary) {
	const unit = binary && most > 0 ? 1024 ** Math.floor(Math.log(most) / Math.log(1024)) : 1;
	const step = nice((most > 0 ? most : 1) / unit / n) * unit, top = Math.ceil((most > 0 ? most : 1) / step - 1e-9) * step, at = [];

	for (let y = 0; y <= top + step / 2; y += step)
		at.push(y);
	return { top, at, label: binary ? (y) => styles.bytes(y).replace(".0", "") : (y) => String(Number(y.toPrecision(6))) };
}

function drawGrid(d, ticks, from, to) {
	d.g.strokeStyle = colours.line;
	d.g.lineWidth = 1;
	d.g.beginPath();
	for (const t of ticks.at) {
		const x = Math.round(xOf(t, d.width)) + 0.5;

		d.g.moveTo(x, from);
		d.g.lineTo(x, to);
	}
	d.g.stroke();
}

/* Draws the lines of the y axis; sideLabels() writes their labels beside the plot. */
function drawAxis(d, axis, top, bottom) {
	const g = d.g;

	for (const y of axis.at) {
		const at = Math.round(bottom - y / axis.top * (bottom - top)) + 0.5;

		g.strokeStyle = colours.line;
		g.beginPath();
		g.moveTo(0, at);
		g.lineTo(d.width, at);
		g.stroke();
	}
}

function sideLabels(side, axis, top, bottom, title) {
	side.replaceChildren();
	side.style.position = "relative";
	for (const y of axis.at) {
		const e = el("div", {}, axis.label(y));

		e.style.position = "absolute";
		e.style.right = "8px";
		e.style.top = (bottom - y / axis.top * (bottom - top) - 8) + "px";
		e.style.lineHeight = "16px";
		side.append(e);
	}
	const name = el("div", {}, title);

	name.style.position = "absolute";
	name.style.left = "0";
	name.style.right = "44px";
	name.style.top = top + "px";
	name.style.textAlign = "left";
	name.style.lineHeight = "15px";
	side.append(name);
}

/* The columns of pixels of the buckets of the span. Of buckets in the same column, the one with the largest number is
 * drawn, so no peak is lost. */
function pixels(width, numberOfBucket) {
	const out = [];

	for (let i = first; i <= last; i++) {
		const x = Math.round(xOf(buckets.begin[i], width)), end = Math.max(Math.round(xOf(buckets.end[i], width)), x + 1);
		const before = out[out.length - 1];

		if (!before || x >= before.end)
			out.push({ bucket: i, x, end });
		else if (numberOfBucket(i) > numberOfBucket(before.bucket))
			Object.assign(before, { bucket: i, end });
		else if (end > before.end)
			out.push({ bucket: i, x: before.end, end });
	}
	return out;
}

/* ---- the stack ---- */

const taken = new Map(); /* the colour of each name, kept while one zooms */

function assignColours(names) {
	if (state.stack === "machine") {
		taken.clear();
		machines.forEach((m) => taken.set(m.key, m.machine % palette.length));
		return;
	}
	const free = new Set(palette.keys());

	for (const name of names)
		if (taken.has(name) && free.has(taken.get(name)))
			free.delete(taken.get(name));
		else
			taken.delete(name);
	for (const name of names)
		if (!taken.has(name)) {
			const [colour] = free;

			free.delete(colour);
			taken.set(name, colour);
		}
}

function stackLanes() {
	const lanes = { program: programs, user: users, container: containers, machine: machines }[state.stack];

	return lanes.map((lane) => ({ lane, cpu: lane.cut ? 0 : cpuOf(lane) })).filter((x) => x.cpu > 0)
		.sort((x, y) => y.cpu - x.cpu).slice(0, stackMax);
}

function laneLabel(lane) {
	if (lane.kind === "container" && lane.name === "?")
		return "container not recorded" + (lane.host ? " @ " + lane.host : "");
	return (lane.name === "" ? "no container" : lane.name) + (lane.host ? " @ " + lane.host : "");
}

/* The CPU time of the lanes in each bucket of the span. */
function stackTable(lanes) {
	return lanes.map((lane) => {
		const out = new Float64Array(last - first + 1);

		for (let i = lowerBound(lane.b, first); i < lane.b.length && lane.b[i] <= last; i++)
			out[lane.b[i] - first] += lane.s[i];
		return out;
	});
}

/* The CPUs used in a step; 0 in a step between recordings, which has no time. */
function cpusUsed(bucket) {
	return buckets.s[bucket] > 0 ? buckets.cpu[bucket] / buckets.s[bucket] : 0;
}

function drawStack() {
	const shown = stackLanes(), table = stackTable(shown.map((x) => x.lane));
	const d = begin(view.stack, 196), g = d.g, top = 8, bottom = 187;
	let most = 0;

	assignColours(shown.map((x) => x.lane.key));
	for (let i = first; i <= last; i++)
		most = Math.max(most, cpusUsed(i));
	const axis = scale(most, 4), height = (s) => s / axis.top * (bottom - top);

	drawAxis(d, axis, top, bottom);
	for (const { bucket: i, x, end } of pixels(d.width, cpusUsed)) {
		let y = bottom, rest = buckets.cpu[i];

		if (!(buckets.s[i] > 0))
			continue;
		const bar = (s, colour) => {
			const h = height(s / buckets.s[i]);

			g.fillStyle = colour;
			g.fillRect(x, y - h, end - x, h);
			y -= h;
		};
		shown.forEach((item, k) => {
			bar(table[k][i - first], palette[taken.get(item.lane.key)]);
			rest -= table[k][i - first];
		});
		if (rest > 1e-9)
			bar(rest, colours.others);
	}
	sideLabels(view.stackSide, axis, top, bottom, "CPUs used");
	drawStackLegend(shown);
}

function drawStackLegend(shown) {
	const items = shown.map((item) => {
		const key = el("span", { class: "key" });

		key.style.background = palette[taken.get(item.lane.key)];
		return el("button", { type: "button", title: item.cpu.toFixed(2) + " s of CPU time",
			"aria-pressed": String(state.chosen === item.lane.key),
			onclick: () => item.lane.kind === "program" && choose(item.lane) }, key, laneLabel(item.lane) + " " +
			percent(item.cpu, total.cpu) + " %");
	});
	const rest = total.cpu - sum(shown.map((x) => x.cpu));

	if (rest > 0.005) {
		const key = el("span", { class: "key" });

		key.style.background = colours.others;
		items.push(el("button", { type: "button", disabled: true }, key, "others " + percent(rest, total.cpu) + " %"));
	}
	view.legend.replaceChildren(...items);
	view.stack.setAttribute("aria-label", "CPU time over time, stacked by " + state.stack + ": " +
		shown.map((x) => laneLabel(x.lane) + " " + percent(x.cpu, total.cpu) + " %").join(", "));
}

/* ---- the machine ---- */

/* Draws the mean as a line in a band from the smallest to the largest number. at: the bucket of number i. */
function drawCurve(d, m, lo, hi, at, n, y, colour) {
	const g = d.g, line = new Path2D();
	let x0 = null;

	g.fillStyle = g.strokeStyle = colour;
	g.lineWidth = 1.5;
	for (let i = 0; i < n; i++) {
		const b = at(i);

		if (b < first || b > last)
			continue;
		if (m[i] === null) {
			x0 = null;
			continue;
		}
		const x = xOf(buckets.begin[b], d.width), end = Math.max(xOf(buckets.end[b], d.width), x + 0.7);

		if (lo && hi) {
			g.globalAlpha = 0.35;
			g.fillRect(x, y(hi[i]), end - x, Math.max(y(lo[i]) - y(hi[i]), 1));
			g.globalAlpha = 1;
		}
		if (x0 === null || x - x0 > 1.5)
			line.moveTo(x, y(m[i]));
		else
			line.lineTo(x, y(m[i]));
		line.lineTo(end, y(m[i]));
		x0 = end;
	}
	g.stroke(line);
}

function machineColour(machine) {
	return palette[machine % palette.length];
}

/* Returns the curves of a number: one, or one for each machine that has the number. */
function machineCurves(id) {
	const v = buckets[id];

	if (Array.isArray(v))
		return v.map((x, machine) => ({ v: x, machine })).filter((x) => x.v);
	return v.m[0] ? [{ v: { m: v.m[0], lo: v.lo[0], hi: v.hi[0] }, machine: null }] : [];
}

function drawMachine() {
	for (const row of view.machine) {
		const d = begin(row.canvas, 62);
		let most = 0;

		for (const { v } of row.curves)
			for (let i = first; i <= last; i++)
				most = Math.max(most, (v.hi || v.m)[i] || 0);
		const axis = scale(most, 2, row.style === "bytes");

		drawAxis(d, axis, 8, 54);
		for (const { v, machine } of row.curves)
			drawCurve(d, v.m, v.lo, v.hi, (i) => i, nBuckets, (y) => 54 - y / axis.top * 46, machine === null ? colours.curve :
				machineColour(machine));
		sideLabels(row.side, axis, 8, 54, row.title);
	}
}

function drawTimes() {
	const d = begin(view.times, 18), ticks = timeTicks(d.width);

	d.g.fillStyle = colours.faint;
	d.g.textAlign = "center";
	drawGrid(d, ticks, 0, 4);
	for (const t of ticks.at) {
		const text = ticks.label(t), half = d.g.measureText(text).width / 2;

		d.g.fillText(text, Math.min(Math.max(xOf(t, d.width), half), d.width - half), 11);
	}
	view.timesSide.textContent = zone();
}

/* ---- the heat map ---- */

function heatColour(share) {
	const x = Math.min(Math.max(share, 0), 1) * (heatStops.length - 1), i = Math.min(Math.floor(x), heatStops.length - 2);
	const mix = heatStops[i].map((c, k) => Math.round(c + (heatStops[i + 1][k] - c) * (x - i)));

	return "rgb(" + mix.join(",") + ")";
}

let heat = { lanes: [] };

/* The scale of colours: linear, or logarithmic if most numbers are far below the largest one. */
function heatScale(lanes, column) {
	const all = [];

	for (const lane of lanes)
		for (let i = lowerBound(lane.b, first); lane.m && lane.m[column] && i < lane.b.length && lane.b[i] <= last; i++)
			if (lane.m[column][i] !== null)
				all.push(lane.m[column][i]);
	if (!all.length)
		return null;
	all.sort((x, y) => x - y);
	const min = all[0], max = all[all.length - 1], middle = all[all.length >> 1];
	const low = Math.max(all.find((x) => x > 0) || 0, max / 1000), log = min >= 0 && middle > 0 && max / middle > 30;
	const share = log ? (v) => Math.log(Math.max(v, low) / low) / Math.log(max / low || 2) : (v) => (v - min) / (max - min);

	return { min: log ? low : min, max, log, share: max > min ? share : () => 0.5 };
}

function drawHeat() {
	const column = columns.findIndex((c) => c.id === state.heat);
	const lanes = programs.filter((p) => p.m).map((lane) => ({ lane, cpu: cpuOf(lane) })).filter((x) => x.cpu > 0)
		.sort((x, y) => y.cpu - x.cpu).slice(0, heatRows).map((x) => x.lane);
	const d = begin(view.heat, Math.max(lanes.length, 1) * 18), g = d.g;

	heat = { lanes, column, scale: column < 0 ? null : heatScale(lanes, column) };
	lanes.forEach((lane, row) => {
		const m = lane.m[column];

		g.fillStyle = colours.panel;
		g.fillRect(0, row * 18 + 1, d.width, 16);
		for (let i = lowerBound(lane.b, first); i < lane.b.length && lane.b[i] <= last; i++) {
			const x = Math.round(xOf(buckets.begin[lane.b[i]], d.width));
			const end = Math.round(xOf(buckets.end[lane.b[i]], d.width));
			const unknown = !m || m[i] === null || !heat.scale;

			g.fillStyle = unknown ? colours.others : heatColour(heat.scale.share(m[i]));
			g.fillRect(x, row * 18 + (unknown ? 8 : 1), Math.max(end - x, 1), unknown ? 2 : 16);
		}
	});
	view.heatRows.replaceChildren(...lanes.map((lane) => el("button", { type: "button", class: "name",
		title: laneLabel(lane), "aria-pressed": String(state.chosen === lane.key), onclick: () => choose(lane) }, laneLabel(lane))));
	drawHeatScale();
	view.heat.setAttribute("aria-label", "Heat map of " + (column < 0 ? "nothing" : columns[column].title) + ": " +
		plural(lanes.length, "program") + " over time; the table has the numbers");
}

function drawHeatScale() {
	const c = columns[heat.column], d = begin(view.scale, 10);

	for (let x = 0; x < d.width; x++) {
		d.g.fillStyle = heatColour(x / d.width);
		d.g.fillRect(x, 0, 1, 10);
	}
	view.scaleFrom.textContent = heat.scale ? format(c, heat.scale.min) : "not known: " + (c ? reason(c.index) : "no columns");
	view.scaleTo.textContent = heat.scale ? format(c, heat.scale.max) + " " + unitOf(c) + (heat.scale.log ?
		" (logarithmic)" : "") : "";
	view.scale.hidden = !heat.scale;
}

/* The reason why a column has no number. */
function reason(column) {
	const why = programs.map((p) => p.why[column]).find((w) => w > 0);

	return why ? data.marks[why].text : "it was not recorded";
}
