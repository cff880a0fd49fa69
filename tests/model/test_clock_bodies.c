// SPDX-License-Identifier: MIT
//
// What may stand in a clocked partition: if-equations in any form, calls with several results,
// assertions in branches, algorithms. Everything is computed from the time of a tick and a count,
// so the bound is rounding.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

static const double rounding = 1e-13;

#define CLOCKED                                                                                    \
    "model M function two input Real u; output Real a = u + 1; output Real b[2] = {2*u, 3*u}; "    \
    "algorithm end two; Real x = sample(time, Clock(1, 10)); Integer n(start = 0); "               \
    "Real y, z, p, q[2], s; equation n = previous(n) + (if x >= 0 then 1 else 0); "

static const char bodies[] =
    CLOCKED "if n > 6 then 2*y = x + 4; z = y; (p, q) = two(x); "
            "elseif n > 3 then y - x = 7; z = -y; (p, q) = two(2*x); "
            "else 3*y = 1 + x; z = 2*y; (p, q) = two(-x); end if; "
            "algorithm s := 0; for i in 1:5 loop s := s + i*x; if i == 3 then break; end if; "
            "end for; if x > 0.55 then s := s + 1; end if; assert(s >= 0, \"below\"); end M;";

static void check_bodies(double stop_time, const double expected[6])
{
    static const char *const names[] = {"y", "z", "p", "q[1]", "q[2]", "s"};
    Trial *t = trial_run_text(bodies, stop_time);
    for (int i = 0; i < 6; i++)
        ASSERT_VALUE(t, names[i], expected[i]);
    trial_end(t);
}

static void branches_and_algorithms(void **state)
{
    (void)state;
    check_bodies(0.25, (double[]){0.4, 0.8, 0.8, -0.4, -0.6, 1.2}); // x = 0.2, n = 3
    check_bodies(0.55, (double[]){7.5, -7.5, 2.0, 2.0, 3.0, 3.0});  // x = 0.5, n = 6
    check_bodies(0.95, (double[]){2.45, 2.45, 1.9, 1.8, 2.7, 6.4}); // x = 0.9, n = 10
}

// An assertion in a branch is one of the ticks at which the branch is taken.
static void assertions_in_branches(void **state)
{
    (void)state;
    static const char text[] = CLOCKED "y = x; z = x; (p, q) = two(x); s = x; "
                                       "if n > 8 then assert(x < 0.25, \"first\"); "
                                       "elseif n > 4 then assert(x < 0.55, \"second\"); "
                                       "else assert(x < 0.35, \"third\"); end if; end M;";
    Trial *t = trial_run_text(text, 0.55);
    ASSERT_VALUE(t, "x", 0.5);
    trial_end(t);
    trial_expect_error(text, 0.95, "second");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_and_algorithms),
        cmocka_unit_test(assertions_in_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
