// SPDX-License-Identifier: LGPL-2.1-or-later
//
// tiptop.hpp - tiptop.h for C++11 and later: counters and regions that end with their block, however the block is left.
//
//     tiptop::counters c("instructions,cycles");
//     auto before = c.read();
//     std::sort(v.begin(), v.end());
//     std::cout << c.since(before)[0] << " instructions\n";
//
//     TIPTOP_SCOPE("sort");    // a region, from here to the end of the block
//
//     tiptop::scope part("part " + std::to_string(n));    // a region whose label is made at run time
//
// Errors are exceptions of the type std::runtime_error with the sentence of tt_strerror(). Without exceptions
// (-fno-exceptions), counters that are not open convert to false. Unknown numbers are NaN. All of this header is inline: the
// library has no C++ code.
//
// If a scope ends in another thread than the one in which it began, as in a coroutine that is resumed elsewhere, its call is
// not counted: the report says that it was left without its end. The same holds for scopes of coroutines that alternate in one
// thread, if the scope that began first ends first. If both are of the same region, one call is counted, from the second begin
// to the first end.
#ifndef TIPTOP_HPP
#define TIPTOP_HPP

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <tiptop.h>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#include <stdexcept>
#define TIPTOP_FAIL(why) throw std::runtime_error(why)
#define TIPTOP_WAY       with_exceptions
#else
#define TIPTOP_FAIL(why) ((void)(why))
#define TIPTOP_WAY       without_exceptions
#endif

#ifdef TT_DISABLE
#define TIPTOP_SCOPES without_scopes
#else
#define TIPTOP_SCOPES with_scopes
#endif

namespace tiptop {
// The name of this inline namespace differs between code compiled with and without exceptions, and that of the namespace around
// scope between code with and without TT_DISABLE: a program may link objects of both kinds.
inline namespace TIPTOP_WAY {

using reading = std::array<tt_value, TT_MAX_EVENTS>;

// Counters of the thread that constructs them.
class counters {
public:
	explicit counters(const std::string &events) : t_(tt_open(events.c_str()))
	{
		if (!t_)
			TIPTOP_FAIL(tt_strerror());
	}
	~counters() { tt_close(t_); }
	counters(const counters &) = delete;
	counters &operator=(const counters &) = delete;
	counters(counters &&other) noexcept : t_(other.t_) { other.t_ = nullptr; }
	counters &operator=(counters &&other) noexcept
	{
		std::swap(t_, other.t_);
		return *this;
	}

	// Returns whether the counters are open.
	explicit operator bool() const { return t_ != nullptr; }
	int size() const { return t_ ? tt_count(t_) : 0; }
	std::string name(int i) const { return t_ ? tt_name(t_, i) : ""; }
	enum tt_state state(int i) const { return t_ ? tt_state(t_, i) : TT_DENIED; }
	reading read()
	{
		reading r{};

		if (t_ && tt_read(t_, r.data()))
			TIPTOP_FAIL(tt_strerror());
		return r;
	}
	// Returns the count since a reading, for each event.
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

inline namespace TIPTOP_SCOPES {
#ifdef TT_DISABLE
class scope {
public:
	template <typename any> explicit scope(const any & /* label */) {}
	void work(const char * /* unit */, uint64_t /* n */) const {}
};
#else
// Returns an address that differs between threads. The compiler must not cache the address, as a coroutine may be resumed
// in another thread.
__attribute__((noinline)) inline const void *this_thread()
{
	static thread_local char own;
	const void *address = &own;

	__asm__ volatile("" : "+r"(address));
	return address;
}

// A call of a region that lasts as long as this object.
class scope {
public:
	// Inlined, so that the region begins in the function with the scope: abandoned calls are detected by that place (tiptop(3)).
	__attribute__((always_inline)) explicit scope(tt_region &region_of_scope)
		: region_(tt_enabled ? &region_of_scope : nullptr)
	{
		begin();
	}
	__attribute__((always_inline)) explicit scope(const std::string &label)
		: region_(tt_enabled ? tt_region_of(label.c_str()) : nullptr)
	{
		begin();
	}
	__attribute__((always_inline)) ~scope()
	{
		if (region_)
			end();
	}
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;

	// Records work that the region has done: n of a unit, such as 4096 "bytes".
	void work(const char *unit, uint64_t n) const
	{
		if (region_)
			tt_region_work(region_, unit, n);
	}

private:
	__attribute__((always_inline)) void begin()
	{
		if (!region_)
			return;
		thread_ = this_thread();
		tt_region_begin(region_);
	}
	// Does nothing in another thread: the call then counts as abandoned in the thread where it began.
	void end() const
	{
		if (thread_ == this_thread())
			tt_region_end(region_);
	}

	tt_region *region_;
	const void *thread_ = nullptr;
};

#endif
} // namespace TIPTOP_SCOPES
} // namespace TIPTOP_WAY
} // namespace tiptop

#undef TIPTOP_SCOPES
#undef TIPTOP_FAIL
#undef TIPTOP_WAY

#define TIPTOP_JOIN_(a, b) a##b
#define TIPTOP_JOIN(a, b)  TIPTOP_JOIN_(a, b)
#ifdef TT_DISABLE
#define TIPTOP_SCOPE(label) ((void)0)
#else
#define TIPTOP_SCOPE(label) TIPTOP_SCOPE_(label, __COUNTER__)
#define TIPTOP_SCOPE_(label, n)                                                                    \
	static tt_region TIPTOP_JOIN(tiptop_region_, n) = {label, 0, 0};                           \
	const tiptop::scope TIPTOP_JOIN(tiptop_scope_, n)(TIPTOP_JOIN(tiptop_region_, n))
#endif

#endif
