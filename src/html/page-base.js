/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the scripts of page.js and tables.js, their beginning: elements, and numbers as text. */
"use strict";

const main = document.getElementById("page");
const root = document.documentElement;

/* Okabe and Ito, "Color Universal Design"; without black and yellow, which one of the backgrounds hides. */
const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6bb1", "#b5a642"];
/* From cividis, which looks the same to people with and without colour-blindness. */
const heatStops = [[0, 34, 78], [66, 78, 108], [124, 123, 120], [187, 175, 113], [254, 232, 56]];
const stackMax = palette.length, heatRows = 24, tableRows = 100;

/* ---- elements ---- */

function el(tag, attributes, ...children) {
	const e = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes || {}))
		if (name.startsWith("on"))
			e.addEventListener(name.slice(2), value);
		else if (value !== null && value !== undefined && value !== false)
			e.setAttribute(name, value === true ? "" : value);
	for (const child of children.flat(Infinity))
		if (child !== null && child !== undefined)
			e.append(child);
	return e;
}

/* Text of the recording: what could command a terminal, or turn the order of characters round, is shown as '?'. */
function safe(text) {
	return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "?");
}

function plural(n, what) {
	return n + " " + what + (n === 1 ? "" : "s");
}

/* ---- numbers, as the program writes them ---- */

function steps(number, step) {
	const sign = number < 0 ? "-" : "", prefixes = "KMGTPEZ";
	let n = Math.abs(number), i = -1;

	for (; n >= 999.5 && i + 1 < prefixes.length; i++)
		n /= step;
	if (i < 0)
		return sign + n.toFixed(n === Math.floor(n) || n >= 99.95 ? 0 : 1);
	return sign + n.toFixed(n < 99.95 ? 1 : 0) + prefixes[i];
}

function duration(seconds) {
	const sign = seconds < 0 ? "-" : "", two = (n) => String(n).padStart(2, "0");
	const tenths = Math.floor(Math.abs(seconds) * 10 + 1e-6), s = Math.floor(tenths / 10);
	const minutes = Math.floor(s / 60), hours = Math.floor(minutes / 60);

	if (minutes < 100)
		return sign + minutes + ":" + two(s % 60) + "." + tenths % 10;
	if (hours < 100)
		return sign + hours + ":" + two(minutes % 60) + ":" + two(s % 60);
	return sign + Math.floor(hours / 24) + "d" + (hours < 240000 ? two(hours % 24) + "h" : "");
}

const styles = {
	large: (n) => steps(n, 1000),
	bytes: (n) => steps(n, 1024),
	time: duration,
	tenths: (n) => n.toFixed(1),
	hundredths: (n) => n.toFixed(2),
};

function exponent(text) {
	return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/* Like %.{precision}g of printf. */
function general(number, precision, keep) {
	const p = precision || 1, e = number === 0 ? 0 : Number(number.toExponential(p - 1).split("e")[1]);
	let text = e < -4 || e >= p ? number.toExponential(p - 1) : number.toFixed(Math.min(p - 1 - e, 100));

	if (!keep && text.includes("."))
		text = text.replace(/\.?0+(e|$)/, "$1");
	return exponent(text);
}

function format(column, number) {
	const precision = /\.(\d+)/.exec(column.format), p = precision ? Number(precision[1]) : 6;
	let text;

	switch (column.conversion.toLowerCase()) {
	case "h":
		text = column.style ? styles[column.style](number * column.factor) : general(number, 4);
		break;
	case "e":
		text = exponent(number.toExponential(p));
		break;
	case "g":
		text = general(number, p);
		break;
	default:
		text = number.toFixed(p);
	}
	return (column.before + text + column.after).trim();
}

function unitOf(column) {
	const unit = { none: "", ratio: "", count: "" }[column.unit];
	const text = unit === undefined ? column.unit : unit;

	return column.per_s ? (text ? text + "/s" : "1/s") : text;
}

function percent(part, whole) {
	return whole > 0 ? (100 * part / whole).toFixed(1) : "0.0";
}
