/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

uint32_t text_decode(const char *text, size_t n, size_t *len)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} form[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
	unsigned char first = (unsigned char)text[0];

	*len = 1;
	for (size_t k = 0; k < 4 && k < n; k++) {
		uint32_t ch = first & (unsigned char)~form[k].mask;
		size_t i;

		if ((first & form[k].mask) != form[k].lead)
			continue;
		for (i = 1; i <= k && ((unsigned char)text[i] & 0xc0) == 0x80; i++)
			ch = ch << 6 | ((unsigned char)text[i] & 0x3f);
		if (i <= k || ch < form[k].least || ch > 0x10ffff || (ch >= 0xd800 && ch <= 0xdfff))
			break;
		*len = k + 1;
		return ch;
	}
	return TEXT_BAD;
}
