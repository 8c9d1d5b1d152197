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
//     tiptop::scope part("part " + std::to_string(n));    // one whose label is made at run time
//
// Errors are exceptions of std::runtime_error with tiptop's sentence. Without exceptions (-fno-exceptions), counters that are
// not open are false, and tt_strerror() has the sentence. Numbers that are not known are NaN. Nothing of it is compiled into
// the library.
//
// A scope that is left in another thread than it has begun in, as in a coroutine that goes on elsewhere, is in no number: the
// report says that it was left without its end. So it does of scopes of coroutines that take turns in one thread, where the one
// that began first ends first; and of two such in the same region, one call goes from the second begin to the first end.
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
// A program may have parts of each kind.
inline namespace TIPTOP_WAY {

using reading = std::array<tt_value, TT_MAX_EVENTS>;

// The counters of the thread that makes it.
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

	// Whether they are open.
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

inline namespace TIPTOP_SCOPES {
#ifdef TT_DISABLE
class scope {
public:
	template <typename any> explicit scope(const any & /* label */) {}
	void work(const char * /* unit */, uint64_t /* n */) const {}
};
#else
// An address that no other thread has. Never a constant for the compiler, as a coroutine may go on in another thread.
__attribute__((noinline)) inline const void *this_thread()
{
	static thread_local char own;
	const void *address = &own;

	__asm__ volatile("" : "+r"(address));
	return address;
}

// A region that goes on as long as this does.
class scope {
public:
	// In line, so that a region has begun where its scope stands (tiptop(3)).
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

	// Says that the region has done so much work: n of a unit, as 4096 "bytes".
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
	// The call of another thread has no end; that it is missing is noted there.
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
