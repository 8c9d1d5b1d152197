// SPDX-License-Identifier: LGPL-2.1-or-later
//
// tiptop.hpp - tiptop.h for C++11 and later: counters and regions that end with their block, however it is left.
//
//     tiptop::counters c("instructions,cycles");
//     auto before = c.read();
//     std::sort(v.begin(), v.end());
//     std::cout << c.since(before)[0] << " instructions\n";
//
//     TIPTOP_SCOPE("sort");    // a region, from here to the end of the block
//
// Errors are exceptions of std::runtime_error with tiptop's sentence. Numbers that are not known are NaN. Nothing of it is
// compiled into the library.
#ifndef TIPTOP_HPP
#define TIPTOP_HPP

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <tiptop.h>

namespace tiptop {

using reading = std::array<tt_value, TT_MAX_EVENTS>;

// The counters of the thread that makes it.
class counters {
public:
	explicit counters(const std::string &events) : t_(tt_open(events.c_str()))
	{
		if (!t_)
			throw std::runtime_error(tt_strerror());
	}
	~counters() { tt_close(t_); }
	counters(const counters &) = delete;
	counters &operator=(const counters &) = delete;

	int size() const { return tt_count(t_); }
	std::string name(int i) const { return tt_name(t_, i); }
	enum tt_state state(int i) const { return tt_state(t_, i); }
	reading read()
	{
		reading r{};

		if (tt_read(t_, r.data()))
			throw std::runtime_error(tt_strerror());
		return r;
	}
	// What was counted since a reading, for each event.
	std::vector<double> since(const reading &before)
	{
		const reading now = read();
		std::vector<double> counted;

		for (std::size_t i = 0; i < static_cast<std::size_t>(size()); i++)
			counted.push_back(tt_between(&before[i], &now[i]));
		return counted;
	}

private:
	tt *t_;
};

// A region that goes on as long as this does.
class scope {
public:
	// In line, so that a region has begun where its scope stands (tiptop(3)).
	__attribute__((always_inline)) explicit scope(tt_region &region) : region_(tt_enabled ? &region : nullptr)
	{
		if (region_)
			tt_region_begin(region_);
	}
	__attribute__((always_inline)) ~scope()
	{
		if (region_)
			tt_region_end(region_);
	}
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;

private:
	tt_region *region_;
};

} // namespace tiptop

#define TIPTOP_JOIN_(a, b) a##b
#define TIPTOP_JOIN(a, b)  TIPTOP_JOIN_(a, b)
#ifdef TT_DISABLE
#define TIPTOP_SCOPE(label) ((void)0)
#else
#define TIPTOP_SCOPE(label)                                                                        \
	static tt_region TIPTOP_JOIN(tiptop_region_, __LINE__) = {label, 0, 0};                      \
	const tiptop::scope TIPTOP_JOIN(tiptop_scope_, __LINE__)(                                  \
		TIPTOP_JOIN(tiptop_region_, __LINE__))
#endif

#endif
