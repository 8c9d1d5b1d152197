// SPDX-License-Identifier: GPL-2.0-or-later
//
// sort - a sort as a region: TIPTOP_REGIONS=instructions,task-clock ./sort prints what it cost.
//
//   c++ -std=c++11 -o sort sort.cpp -ltiptop
#include <algorithm>
#include <iostream>
#include <vector>

#include <tiptop.hpp>

static void sort_part(std::vector<int> &numbers)
{
	TIPTOP_SCOPE("sort");

	std::sort(numbers.begin(), numbers.end());
}

int main()
{
	tiptop::counters counters("page-faults,task-clock");
	const tiptop::reading before = counters.read();
	std::vector<int> numbers(200000);
	unsigned seed = 1;

	for (int round = 0; round < 3; round++) {
		for (int &n : numbers)
			n = static_cast<int>((seed = seed * 1103515245 + 12345) >> 8);
		sort_part(numbers);
	}
	const std::vector<double> counted = counters.since(before);
	for (int i = 0; i < counters.size(); i++)
		std::cout << counters.name(i) << ' ' << counted[static_cast<std::size_t>(i)] << '\n';
}
