# SPDX-License-Identifier: GPL-2.0-or-later
# Converts the output of sha256sum to a source of a Content-Security-Policy: the hash in base64.
{
	digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	out = "sha256-"
	# 64 hexadecimal digits: three are two digits of base64.
	for (i = 1; i <= 64; i += 3) {
		n = 0
		for (k = i; k < i + 3; k++)
			n = n * 16 + (k <= 64 ? index("0123456789abcdef", substr($1, k, 1)) - 1 : 0)
		out = out substr(digits, int(n / 64) + 1, 1) substr(digits, n % 64 + 1, 1)
	}
	# 256 bits are 42 digits and two thirds: 43, and one that fills up.
	print substr(out, 1, 50) "="
}
