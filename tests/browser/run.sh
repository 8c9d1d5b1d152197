#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop report, and pages of --format html, in a real browser. With TIPTOP_PICTURES=FOLDER, pictures to look at are put there.
# shellcheck source=../program/lib.sh
. "$(dirname "$0")/../program/lib.sh"

scene=$builddir/tests/tasks/scene
if ! [ -x "$scene" ]; then
	skip_all "tiptop was built without SQLite"
fi
for browser in chromium-headless-shell chromium chromium-browser google-chrome; do
	command -v "$browser" >/dev/null && break
	browser=''
done
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
	skip_all "there is no browser: install chromium-headless-shell and python3"
fi

"$scene" "$dir/scene.db" || exit 1
"$tiptop" report "$dir/scene.db" -o "$dir/page.html" || exit 1
"$tiptop" report "$dir/scene.db" -o "$dir/anonymous.html" --anonymize || exit 1
(cd "$dir" && "$tiptop" compare scene.db,to=+30 from=+30 --format html -o compare.html) || exit 1
cp "$dir/scene.db" "$dir/other.db"
python3 - "$dir/other.db" <<'END' || exit 1
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE machine SET host = 'node2'")
db.execute("UPDATE sample SET wall_ns = wall_ns + 10700000000")
db.execute("UPDATE run SET began_ns = began_ns + 10700000000, ended_ns = ended_ns + 10700000000")
db.commit()
END
"$tiptop" report "$dir/scene.db" "$dir/other.db" -o "$dir/machines.html" || exit 1
"$tiptop" what "$dir/scene.db" --format html -o "$dir/what.html" || exit 1
"$tiptop" locks --format html --folded "$dir/folded" -o "$dir/locks.html" -- "$work" hold=20 || exit 1
# Some machines do not let processes trace others.
"$tiptop" follow --format html -o "$dir/follow.html" -- "$work" exit=0 2>/dev/null || rm -f "$dir/follow.html"
python3 - "$dir/scene.db" <<'END' || exit 1
import sqlite3, sys
names = {"render": "<script>alert(1)</script>", "graph-search": "</script><img src=x onerror=alert(2)>",
         "queue": "<!--<script>", "db": "a\"b'c&amp;", "make": "=cmd|'/c calc'!A0", "cc1plus": "\u202egnp.exe"}
db = sqlite3.connect(sys.argv[1])
for name, hostile in names.items():
    db.execute("UPDATE task SET process = ?, cmdline = ?, user = ? WHERE process = ? OR (process IS NULL AND name = ?)",
               (hostile, hostile, hostile, name, name))
    db.execute("UPDATE task SET name = ? WHERE name = ?", (hostile, name))
db.execute("UPDATE machine SET host = ?", ("<img src=x onerror=alert(3)>",))
db.commit()
END
"$tiptop" report "$dir/scene.db" -o "$dir/hostile.html" || exit 1
"$tiptop" compare "$dir/scene.db,to=+30" from=+30 --format html -o "$dir/names.html" || exit 1
# shellcheck disable=SC2086 # none or one
PYTHONDONTWRITEBYTECODE=1 timeout 100 python3 "${srcdir:?}/tests/browser/check.py" "$dir" ${TIPTOP_PICTURES-}
