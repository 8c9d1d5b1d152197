/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of the scripts of page.js and tables.js: CSV, and copying it. */

/* Returns a text as a field of CSV. One that a spreadsheet would take for a formula gets an apostrophe in front. */
function csvText(text) {
	const harmless = /^[=+\-@\t\r]/.test(text) ? "'" + text : text;

	return /[",\n\r]/.test(harmless) ? '"' + harmless.replace(/"/g, '""') + '"' : harmless;
}

/* Copies CSV to the clipboard; `said` is the element that shows whether this succeeded. */
async function copyText(text, said) {
	let done = true;

	try {
		await navigator.clipboard.writeText(text);
	} catch (error) {
		const area = el("textarea", { readonly: true });

		area.value = text;
		document.body.append(area);
		area.select();
		done = document.execCommand("copy");
		area.remove();
	}
	said.textContent = done ? "Copied " + plural(text.split("\n").length - 2, "row") + "." :
		"The browser does not allow copying.";
}
