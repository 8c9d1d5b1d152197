/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the script of tables.js: histograms, stacks as an icicle, and changes with their intervals. */

/* ---- histograms ---- */

/* Adds the buckets without items, which the data leave out. The end of a bucket is twice that of the bucket before. */
function fillBuckets(pairs) {
	const all = [];

	for (const [end, n] of pairs) {
		const before = all[all.length - 1];

		for (let e = before ? before.end * 2 : end; before && end !== null && e < end * 0.99 && all.length < 64; e *= 2)
			all.push({ end: e, n: 0 });
		all.push({ end, n });
	}
	return all;
}

function amount(number, unit) {
	if (unit !== "ns")
		return steps(number, 1000) + (unit ? " " + unit : "");
	const i = number >= 999.5e6 ? 3 : number >= 999.5e3 ? 2 : number >= 999.5 ? 1 : 0, n = number / 1000 ** i;

	return n.toFixed(n < 9.95 && i ? 1 : 0) + " " + ["ns", "µs", "ms", "s"][i];
}

function bucketBar(bucket, h, most, total) {
	const until = bucket.end === null ? "more" : "up to " + amount(bucket.end, h.unit);
	const bar = el("div", { class: "bucket", title: until + ": " + bucket.n + " (" + percent(bucket.n, total) + " %)" },
		el("div", {}));

	/* Few long waits matter as much as many short ones: so the height is a logarithm. */
	bar.firstChild.style.height = 100 * Math.log1p(bucket.n) / Math.log1p(most) + "%";
	return bar;
}

function histogram(h) {
	const all = fillBuckets(h.pairs), most = Math.max(...all.map((b) => b.n));
	const total = all.reduce((s, b) => s + b.n, 0), ends = all.map((b) => b.end).filter((end) => end !== null);
	const end = (text, i) => el("span", {}, ends.length ? text + amount(ends.at(i), h.unit) : "");

	return el("figure", {}, el("figcaption", {}, el("b", {}, h.title), total + " measured, log scale"),
		el("div", { class: "buckets", role: "img", "aria-label": "Histogram of " + h.title },
			all.map((b) => bucketBar(b, h, most, total))), el("figcaption", {}, end("up to ", 0), end("", -1)));
}

function histograms(list) {
	return list.length ? el("div", { class: "curves" }, list.map(histogram)) : null;
}

/* ---- stacks ---- */

function treeOf(folded) {
	const root = { name: "all", n: 0, below: new Map() };

	for (const line of folded.split("\n")) {
		const at = line.lastIndexOf(" "), n = Number(line.slice(at + 1));
		let node = root;

		if (at < 0 || !(n > 0))
			continue;
		root.n += n;
		for (const name of line.slice(0, at).split(";")) {
			if (!node.below.has(name))
				node.below.set(name, { name: safe(name), n: 0, below: new Map() });
			node = node.below.get(name);
			node.n += n;
		}
	}
	return root;
}

/* Returns a colour for a name, on which text is readable in both colour schemes. */
function colourOf(name) {
	const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
	let h = 0;

	for (let i = 0; i < name.length; i++)
		h = (h * 31 + name.charCodeAt(i)) >>> 0;
	return "hsl(" + h % 360 + " 45% " + (isDark ? 32 : 82) + "%)";
}

/* Calls `add` for a node and those below it, with their left end and width in %, and their depth. Leaves narrow nodes out. */
function eachFrame(node, base, from, depth, add) {
	const width = 100 * node.n / base.n;

	if (width < 0.15)
		return;
	add(node, from, width, depth);
	for (const child of [...node.below.values()].sort((x, y) => y.n - x.n)) {
		eachFrame(child, base, from, depth + 1, add);
		from += 100 * child.n / base.n;
	}
}

/* Shows the tree below the frame `base`. path: the frames shown before, to go back. */
function showFrames(chart, base, path) {
	const frames = [];
	let depths = 1;

	eachFrame(base, base, 0, 0, (node, from, width, depth) => {
		const share = amount(node.n, chart.unit) + " (" + percent(node.n, chart.all.n) + " %)";
		const isBack = node === base && path.length > 0;
		const button = el("button", { type: "button", title: node.name + ": " + share, onclick: () => (isBack ?
			showFrames(chart, path[path.length - 1], path.slice(0, -1)) :
			node !== base && showFrames(chart, node, path.concat(base))) }, node.name);

		Object.assign(button.style, { left: from + "%", width: width + "%", top: depth * 20 + "px" });
		if (depth)
			button.style.background = colourOf(node.name);
		depths = Math.max(depths, depth + 1);
		frames.push(button);
	});
	chart.box.style.height = depths * 20 + "px";
	chart.box.replaceChildren(...frames);
	chart.said.textContent = path.length ? "Shown: " + base.name + ", " + percent(base.n, chart.all.n) +
		" % of all. A click on it goes back." : "A click shows what is below a frame.";
}

function icicle(data) {
	const chart = { all: treeOf(data.folded), unit: safe(data.unit), box: el("div", { class: "icicle" }),
		said: el("p", { class: "faint controls" }) };

	if (!chart.all.n)
		return null;
	data.again = () => showFrames(chart, chart.all, []);
	data.again();
	return el("section", {}, el("h2", {}, safe(data.title)), chart.box, chart.said);
}

/* ---- changes ---- */

/* Returns the indexes of the columns of a comparison, by their roles; < 0: there is none. null: the table is no comparison. */
function changesOf(table) {
	const find = (role, of) => table.type.columns.findIndex((c) => c.role === role && (!of || c.amount === of));
	const at = { change: find("change"), margin: find("margin"), a: find("mean", "a"), b: find("mean", "b"),
		sdA: find("sd", "a"), sdB: find("sd", "b") };

	return at.change >= 0 && at.margin >= 0 ? at : null;
}

function nameOfChange(table, row) {
	const isName = (c) => ["name", "kind", "caller"].includes(table.type.columns[c].role);
	const texts = table.type.csv.filter(isName).map((c) => valueOf(row[c]));

	return [...new Set(texts.filter((t) => t !== null && t !== ""))].join(" ");
}

/* Returns a bar from `from` to `to`, in % of the track. */
function bar(kind, from, to, help) {
	const e = el("i", { class: kind, title: help }), left = Math.max(0, Math.min(100, from));

	Object.assign(e.style, { left: left + "%", width: Math.max(0, Math.min(100, to) - left) + "%" });
	return e;
}

/* Returns the bars of both sides, one above the other: their means with the standard deviations. */
function sidesBar(r) {
	const most = Math.max(r.a + (r.sdA || 0), r.b + (r.sdB || 0)), at = (x) => 100 * x / most;
	const side = (name, mean, sd) => [bar("side " + name, 0, at(mean), name.toUpperCase() + " " + digitsOf(mean)),
		sd > 0 ? bar("spread " + name, at(mean - sd), at(mean + sd), "standard deviation " + digitsOf(sd)) : null];
	const isKnown = r.a !== null && r.b !== null && r.a >= 0 && r.b >= 0 && most > 0;

	return el("span", { class: "track" }, isKnown ? [side("a", r.a, r.sdA), side("b", r.b, r.sdB)] : null);
}

/* A change that is larger than the scale ends at the edge. */
function changeBar(r, scale) {
	const at = (x) => 50 + 50 * Math.max(-1, Math.min(1, x / scale));
	const change = bar("change" + (r.sure ? "" : " noise"), at(Math.min(0, r.change)), at(Math.max(0, r.change)), null);

	return el("span", { class: "track" }, bar("zero", 50, 50.3, null), change, r.margin === null ? null :
		bar("interval", at(r.change - r.margin), at(r.change + r.margin), "interval"));
}

function changeLine(r, scale) {
	const text = (r.change >= 0 ? "+" : "") + r.change.toFixed(1) + (r.margin === null ? " %, interval unknown" :
		" ± " + r.margin.toFixed(1) + " %");

	return el("div", { class: "ranked" }, el("span", { class: "text name", title: r.name }, r.name), sidesBar(r),
		changeBar(r, scale), el("span", { class: "number" + (r.sure ? "" : " faint") }, text));
}

/* Returns the changes, the largest first; those within their margins come last. */
function rankChanges(table, at) {
	const value = (row, i) => (i < 0 ? null : valueOf(row[i]));
	const rows = table.rows.map((row) => {
		const r = { name: nameOfChange(table, row) };

		for (const [name, i] of Object.entries(at))
			r[name] = value(row, i);
		r.sure = r.margin !== null && Math.abs(r.change) > r.margin;
		return r;
	}).filter((r) => r.change !== null);

	return rows.sort((x, y) => y.sure - x.sure || Math.abs(y.change) - Math.abs(x.change));
}

const changesMax = 30;

/* Returns the list of changes for a table of a comparison; null: there are none. */
function changes(table) {
	const at = changesOf(table), rows = at ? rankChanges(table, at) : [], shown = rows.slice(0, changesMax);
	const n = rows.filter((r) => r.sure).length, left = rows.length - shown.length;
	const ends = shown.map((r) => Math.abs(r.change) + (r.sure ? r.margin : 0));
	const scale = Math.min(200, Math.max(1, ...ends));

	if (!rows.length)
		return null;
	return el("section", { class: "changes" }, el("h3", {}, n ? n + " of " + plural(rows.length, "number") +
		(n === 1 ? " differs by more than its margin" : " differ by more than their margins") :
		"No number differs by more than its margin"),
	el("p", { class: "faint" }, el("i", { class: "key a" }), "A ", el("i", { class: "key b" }),
		"B: means, with lines of one standard deviation; beside them the change from A to B with its interval, up to ± " +
		scale.toFixed(0) + " %. Pale: within the margin (+-), whose meaning is said above."), shown.map((r) => changeLine(r, scale)),
	left ? el("p", { class: "faint" }, plural(left, "smaller change") + " in the table") : null);
}
