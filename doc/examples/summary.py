#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Mean and maximum of each column, by program, from CSV or JSON of tiptop.

    tiptop --format csv -n 60 >tiptop.csv; python3 summary.py tiptop.csv
    tiptop --format json -n 60 | python3 summary.py -
"""
import collections
import csv
import json
import sys


def rows_of_json(lines):
    """(name, {column: number}) of each row of each refresh."""
    for line in lines:
        refresh = json.loads(line)
        for row in refresh.get("rows", []):
            yield row["name"], {k: v for k, v in row["values"].items() if isinstance(v, (int, float))}


def rows_of_csv(lines):
    beside = {"timestamp", "mono_s", "interval_s", "host", "screen", "kind", "pid", "tid", "name", "user",
              "members", "command", "quality"}
    for row in csv.DictReader(lines):
        values = {}
        for column, text in row.items():
            try:
                if column not in beside and text:
                    values[column] = float(text)
            except ValueError:
                pass  # a text
        yield row["name"], values


def main(path):
    lines = sys.stdin if path == "-" else open(path, newline="", encoding="utf-8")
    first = next(lines, "")
    read = rows_of_json if first.startswith("{") else rows_of_csv
    numbers = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, values in read([first, *lines]):
        for column, number in values.items():
            numbers[name][column].append(number)
    for name in sorted(numbers):
        for column, seen in numbers[name].items():
            print(f"{name}\t{column}\tmean {sum(seen) / len(seen):.4g}\tmax {max(seen):.4g}\tof {len(seen)}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "-")
