// SPDX-License-Identifier: MIT
//
// Blocks of equations whose matrix has no inverse, or whose pivots vanish: solved where they have
// solutions, refused by name where not.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-12;

// The only warning of the run.
static const char *warning_of(const Trial *t)
{
    uint32_t index = 0;
    double time;
    const char *message = NULL;
    model_next_warning(trial_model(t), trial_get_run(t), &index, &time, &message);
    return message ? message : "";
}

// Coefficients that are zero with the parameters' values are no pivots: regular equations, with
// x = 3, y = z = 1.
static void pivots_that_are_zero(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real a = 0, b = 0; Real x, y, z; equation "
                              "a*x + y + b*z = 1; x + a*y + z = 4; x + y + b*z = 4; end M;",
                              1.0);
    ASSERT_VALUE(t, "x", 3.0);
    ASSERT_VALUE(t, "y", 1.0);
    ASSERT_VALUE(t, "z", 1.0);
    assert_string_equal(warning_of(t), "");
    trial_end(t);
    t = trial_run_text("model M final parameter Real A[3, 3] = [0, 1, 0; 1, 0, 0; 0, 0, 2]; "
                       "Real w[3]; equation A*w = {1, 2, 3}; end M;",
                       1.0);
    ASSERT_VALUE(t, "w[1]", 2.0);
    ASSERT_VALUE(t, "w[2]", 1.0);
    ASSERT_VALUE(t, "w[3]", 1.5);
    trial_end(t);
}

// Two resistances of zero, in parallel, between a source and a load: the currents add up to 4 A,
// and nothing says how they share it. The shortest solution is 2 and 2.
static void what_is_open(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M parameter Real r1 = 0, r2 = 0, R = 3; Real i1, i2, v; "
                              "equation 12 - v = r1*i1; 12 - v = r2*i2; v = R*(i1 + i2); end M;",
                              1.0);
    ASSERT_VALUE(t, "v", 12.0);
    ASSERT_VALUE(t, "i1", 2.0);
    ASSERT_VALUE(t, "i2", 2.0);
    assert_non_null(strstr(warning_of(t), "i1, i2: singular equations, which agree"));
    trial_end(t);
    // two sources of 12 and 11 V: a contradiction of 1 V
    trial_expect_error("model M parameter Real r1 = 0, r2 = 0, R = 3; Real i1, i2, v; equation\n"
                       "12 - v = r1*i1; 11 - v = r2*i2; v = R*(i1 + i2); end M;",
                       1.0, "contradicting equations for");
}

// A coefficient that is zero for a while, and says nothing then: the temperature of what does not
// flow is not 0 / 0.
static void nothing_flows(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M Real q(start = 0, fixed = true), h; equation "
                              "der(q) = if time < 0.5 then 0 else 1; q*h = q*sin(time); end M;",
                              0.25);
    ASSERT_VALUE(t, "h", 0.0);
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    ASSERT_VALUE(t, "h", sin(1.0));
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pivots_that_are_zero),
        cmocka_unit_test(what_is_open),
        cmocka_unit_test(nothing_flows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
