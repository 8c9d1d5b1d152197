# SPDX-License-Identifier: GPL-2.0-or-later
"""A sort in Python, counted: PYTHONPATH=../python python3 sort.py; as a region with TIPTOP_REGIONS=page-faults,task-clock."""

import random

import tiptop

numbers = [random.random() for _ in range(200000)]
with tiptop.counters("page-faults,task-clock") as counted, tiptop.region("sort"):
    numbers.sort()
for name in counted:
    print(name, counted[name])
