// SPDX-License-Identifier: MIT
//
// The guard against accumulating events: geometric sequences down to the resolution of time,
// chattering, crowds, and what must pass: a hundred bounces, regular sampling, slow sequences.

#include "events/guard.h"
#include "support/hybrid.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Notes the events t_0 + sum of q^i d until something is found; their number, 0 if nothing is.
static int run_geometric(Guard *guard, double t, double d, double q, int most,
                         GuardFinding *finding)
{
    guard_reset(guard, t);
    for (int i = 1; i <= most; i++, d *= q) {
        t += d;
        *finding = guard_note(guard, t, 100.0);
        if (*finding != GUARD_FINE)
            return i;
    }
    return 0;
}

static void test_geometric(void **state)
{
    (void)state;
    const double ratios[] = {0.5, 0.81, 0.9, 0.99};
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
        double q = ratios[k], limit = 1.0 + 2.0 / (1.0 - q);
        Guard guard = {0};
        GuardFinding finding = GUARD_FINE;
        int n = run_geometric(&guard, 1.0, 2.0, q, 100000, &finding);
        assert_int_equal(finding, GUARD_ZENO);
        // Found when the intervals 2 q^n reach 1024 units in the last place of the limit.
        double expected = log(1024.0 * DBL_EPSILON * limit / 2.0) / log(q);
        assert_true(fabs(n - expected) <= 3.0);
        // Aitken: exact for a geometric sequence, up to the rounding of times and their
        // differences, d2^2 / (d1 - d2) of which amplifies by 1 / (1 - q)^2.
        double noise = DBL_EPSILON * limit;
        assert_close(guard_accumulation(&guard), limit, 1024.0 * noise / ((1.0 - q) * (1.0 - q)));
        assert_close(guard_ratio(&guard), q, 0.01);
    }
}

// Reproducible chance.
static uint64_t chance = 7;

static double between(double low, double high)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * ((double)(chance >> 11) / 9007199254740992.0);
}

static int below(int limit)
{
    return (int)between(0.0, limit);
}

static bool same_guards(const Guard *a, const Guard *b)
{
    return a->last == b->last && a->before == b->before && a->before_that == b->before_that &&
           a->shrinking == b->shrinking && a->tiny == b->tiny && a->anchor == b->anchor &&
           a->since_anchor == b->since_anchor && a->direction == b->direction &&
           a->largest == b->largest && a->peak == b->peak && a->low == b->low &&
           a->highest == b->highest;
}

// Many at once are what they are one by one: sequences that shrink, that collapse, that chatter,
// and crowds, with and without a function that was seen between them.
static void test_many(void **state)
{
    (void)state;
    enum { ROUNDS = 400, EVENTS = 5000 };
    static double times[2 * EVENTS];
    for (int round = 0; round < ROUNDS; round++) {
        double t = between(0.0, 10.0), d = 1.0;
        const double kinds[] = {0.5, 0.9, 0.999, 1.0, 1.01};
        const double q = kinds[below(5)];
        const bool is_crowd = below(4) == 0;
        for (int i = 0; i < EVENTS; i++) {
            d = is_crowd         ? between(1e-12, 3e-11)
                : below(50) == 0 ? d * between(1e-3, 100.0)
                                 : d * q;
            times[2 * i] = t += d;
        }
        Guard one = {0};
        guard_reset(&one, times[0] - 1.0);
        if (below(2))
            guard_watch(&one, between(0.0, 1.0));
        Guard many = one;
        long expected = 0, found = 0;
        for (Guard next = one;
             expected < EVENTS && guard_note(&next, times[2 * expected], 100.0) == GUARD_FINE;
             expected++)
            one = next;
        // In parts, as stretches come.
        for (long part = 1; found < EVENTS; part = 1 + below(900)) {
            part = part < EVENTS - found ? part : EVENTS - found;
            const long fine = guard_note_fine(&many, times + 2 * found, 2, part, 100.0);
            found += fine;
            if (fine < part)
                break;
        }
        assert_int_equal(found, expected);
        assert_true(same_guards(&one, &many));
    }
}

// A multistep solver loses the bounces once they are smaller than its tolerance: an interval falls
// out of the sequence, whose limit is known from the others.
static void test_collapse(void **state)
{
    (void)state;
    Guard guard = {0};
    GuardFinding finding = GUARD_FINE;
    assert_int_equal(run_geometric(&guard, 1.0, 0.001, 0.5, 14, &finding), 0);
    const double last = guard.last;
    assert_int_equal(guard_note(&guard, last + 1e-12, 100.0), GUARD_COLLAPSED);
    assert_close(guard_accumulation(&guard), 1.002, 1e-12);
    assert_close(guard_ratio(&guard), 0.5, 1e-6);
    // The same after few intervals, or in the midst of a run, is nothing.
    assert_int_equal(run_geometric(&guard, 1.0, 0.001, 0.5, 10, &finding), 0);
    assert_int_equal(guard_note(&guard, guard.last + 1e-12, 100.0), GUARD_FINE);
    assert_int_equal(run_geometric(&guard, 1.0, 1000.0, 0.5, 14, &finding), 0);
    assert_int_equal(guard_note(&guard, guard.last + 1e-6, 100.0), GUARD_FINE);
}

// The standard ball's first hundred bounces must pass: 0.9^100 is 2.7e-5.
static void test_a_hundred_bounces(void **state)
{
    (void)state;
    Guard guard = {0};
    GuardFinding finding = GUARD_FINE;
    assert_int_equal(run_geometric(&guard, 0.0, 2.57, 0.9, 200, &finding), 0);
}

static void test_early_estimate(void **state)
{
    (void)state;
    Guard guard = {0};
    GuardFinding finding = GUARD_FINE;
    run_geometric(&guard, 0.0, 1.0, 0.5, 10, &finding);
    assert_int_equal(finding, GUARD_FINE);
    assert_close(guard_accumulation(&guard), 2.0, 1e-12);
    assert_close(guard_ratio(&guard), 0.5, 1e-12);
    guard_reset(&guard, 5.0);
    assert_true(guard_accumulation(&guard) == 5.0); // nothing is known
    assert_true(guard_ratio(&guard) == 0.0);
}

static void test_regular(void **state)
{
    (void)state;
    Guard guard = {0};
    guard_reset(&guard, 0.0);
    for (int i = 1; i <= 100000; i++)
        assert_int_equal(guard_note(&guard, 1e-3 * i, 100.0), GUARD_FINE);
    // Intervals that shrink like 1/n accumulate nowhere.
    guard_reset(&guard, 0.0);
    double t = 0.0;
    for (int i = 1; i <= 100000; i++)
        assert_int_equal(guard_note(&guard, t += 1.0 / i, 100.0), GUARD_FINE);
}

static void test_chattering(void **state)
{
    (void)state;
    Guard guard = {0};
    guard_reset(&guard, 1.0);
    double t = 1.0;
    int n = 0;
    GuardFinding finding = GUARD_FINE;
    while (finding == GUARD_FINE && ++n < 1000)
        finding = guard_note(&guard, t = nextafter(t, 2.0), 100.0);
    assert_int_equal(finding, GUARD_CHATTERING);
    assert_int_equal(n, 64);
    // Fewer next to each other are none, however often: what was before a pause does not count.
    guard_reset(&guard, 1.0);
    t = 1.0;
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < 63; k++)
            assert_int_equal(guard_note(&guard, t = nextafter(t, 100.0), 100.0), GUARD_FINE);
        assert_int_equal(guard_note(&guard, t += 0.01, 100.0), GUARD_FINE);
    }
}

// Two thousand events in less than 1e-7 of the run, though each interval is far above rounding.
static void test_crowd(void **state)
{
    (void)state;
    Guard guard = {0};
    guard_reset(&guard, 1.0);
    GuardFinding finding = GUARD_FINE;
    int n = 0;
    while (finding == GUARD_FINE && ++n < 10000)
        finding = guard_note(&guard, 1.0 + 1e-12 * n, 100.0);
    assert_int_equal(finding, GUARD_DENSE);
    assert_int_equal(n, 2000);
    guard_reset(&guard, 1.0);
    for (int i = 1; i <= 10000; i++) // the same over a longer time
        assert_int_equal(guard_note(&guard, 1.0 + 1e-7 * i, 100.0), GUARD_FINE);
}

// Two thousand events in less than 1e-3 of the run, between which the function was never more than
// a thousand roundings of what it once was; not over a longer time, and not if it was more.
static void test_low(void **state)
{
    (void)state;
    static const double interval[] = {1e-6, 1e-6, 1e-4}, high[] = {1e-13, 1e-11, 1e-13};
    for (int k = 0; k < 3; k++) {
        Guard guard = {0};
        guard_reset(&guard, 1.0);
        guard_watch(&guard, 1.0);
        GuardFinding finding = guard_note(&guard, 1.0, 100.0);
        int n = 1;
        for (; finding == GUARD_FINE && n < 10000; n++) {
            guard_watch(&guard, high[k]);
            finding = guard_note(&guard, 1.0 + interval[k] * n, 100.0);
        }
        assert_int_equal(finding, k == 0 ? GUARD_LOW : GUARD_FINE);
        assert_int_equal(n, k == 0 ? 4000 : 10000); // the first two thousand have the 1
    }
}

// At the very beginning, t = 0, there is no scale of time but the numbers themselves.
static void test_at_zero(void **state)
{
    (void)state;
    Guard guard = {0};
    guard_reset(&guard, 0.0);
    for (int i = 0; i < 10; i++)
        assert_int_equal(guard_note(&guard, 0.0, 1.0), GUARD_FINE);
    double t = -1.0;
    guard_reset(&guard, t);
    for (int i = 0; i < 50; i++) // towards zero: 2^-50 is far from the resolution there
        assert_int_equal(guard_note(&guard, t *= 0.5, 1.0), GUARD_FINE);
}

// Bounces in a sequence are none of noise, whatever another function does; crossings without order
// are, once they are many.
static void test_irregular(void **state)
{
    (void)state;
    Guard guards[2] = {0};
    guard_reset(&guards[0], 0.0);
    guard_reset(&guards[1], 0.0);
    double t = 0.0;
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(guards_are_irregular(guards, 2, t), i > 8);
        guard_note(&guards[0], t += i % 2 ? 0.1 : 0.01, 100.0);
    }
    double interval = 1.0;
    for (int i = 0; i < 6; i++)
        guard_note(&guards[1], t += interval *= 0.5, 100.0);
    assert_false(guards_are_irregular(guards, 2, t));
    assert_true(guards_are_irregular(guards, 1, t));
    // A sequence that is long over says nothing about what happens now.
    assert_false(guards_are_irregular(guards, 2, t + 2.0 * interval));
    assert_true(guards_are_irregular(guards, 2, t + 8.0 * interval));
}

// Intervals that are all but the same lead nowhere: the next event after a short one is none of an
// accumulation. Those that shrink by a hundredth do.
static void test_even(void **state)
{
    (void)state;
    static const double ratios[] = {0.9999, 0.99};
    for (int k = 0; k < 2; k++) {
        Guard guard;
        double t = 0.3, interval = 1e-7;
        guard_reset(&guard, t);
        for (int i = 0; i < 20; i++)
            assert_int_equal(guard_note(&guard, t += interval *= ratios[k], 0.4), GUARD_FINE);
        assert_int_equal(guard_is_even(&guard), k == 0);
        const GuardFinding expected = k == 1 ? GUARD_COLLAPSED : GUARD_FINE;
        assert_int_equal(guard_note(&guard, t + 1e-3 * interval, 0.4), expected);
    }
}

// Crossings of what is only rounding of former values are noise; those of a function that has
// become small are not, and one large value between two crossings is enough.
static void test_rounding(void **state)
{
    (void)state;
    static const double peaks[] = {1e-29, 1e-3, 1e-14};
    for (int k = 0; k < 3; k++) {
        Guard guard = {0};
        guard_reset(&guard, 0.0);
        guard_watch(&guard, 2.0);
        double t = 1.0;
        guard_note(&guard, t, 100.0);
        for (int i = 0; i < 5; i++) {
            guard_watch(&guard, i % 2 ? peaks[k] : -peaks[k]);
            t += 0.5 + 0.1 * (i % 2);
            assert_int_equal(guard_note(&guard, t, 100.0), GUARD_FINE);
        }
        double noise[2] = {1e-30, 1.0};
        const Guard both[] = {guard, guard};
        guards_raise_noise(both, 2, t, noise);
        const double expected = k == 0 ? 16.0 * DBL_EPSILON * 2.0 : 0.0;
        assert_true(guard_noise(&guard, t) == expected);
        assert_true(noise[0] == fmax(1e-30, expected) && noise[1] == 1.0);
        // A new beginning knows what was large, and counts anew.
        guard_watch(&guard, 1.0);
        guard_note(&guard, t + 1.0, 100.0);
        assert_true(guard_noise(&guard, t + 1.0) == 0.0);
        guard_reset(&guard, t + 1.0);
        assert_true(guard.largest == 2.0 && guard.low == 0);
    }
}

// A sequence that shrinks tells where it ends, however small it has become.
static void test_rounding_in_a_sequence(void **state)
{
    (void)state;
    Guard guard = {0};
    guard_reset(&guard, 0.0);
    guard_watch(&guard, 1.0);
    double t = 0.0, interval = 1.0;
    for (int i = 0; i < 12; i++, interval *= 0.9) {
        guard_watch(&guard, 1e-20);
        t += interval;
        guard_note(&guard, t, 100.0);
    }
    assert_true(guard_is_due(&guard, t) && guard_noise(&guard, t) == 0.0);
    assert_true(guard_noise(&guard, t + 100.0) > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geometric),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_collapse),
        cmocka_unit_test(test_a_hundred_bounces),
        cmocka_unit_test(test_early_estimate),
        cmocka_unit_test(test_regular),
        cmocka_unit_test(test_chattering),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_low),
        cmocka_unit_test(test_at_zero),
        cmocka_unit_test(test_irregular),
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_rounding_in_a_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
