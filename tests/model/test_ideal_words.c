// SPDX-License-Identifier: MIT
//
// Ideal switches in other words are the same switches: one mode, whatever their conditions are
// written like, and no branch for equality, wherever their equations stand.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"
#include "modes/reword.h"
#include "support/flattened.h"

#include <math.h>
#include <stdio.h>

// u = min(0, y), i = max(0, y)/2 for u + 2 i = y = sin(5 time).
static Trial *run_diode(const char *condition)
{
    char text[400];
    snprintf(text, sizeof text,
             "model Diode Real s, u, i, w(start = 1, fixed = true); Boolean off; equation "
             "off = %s; if off then i = 0; u = s; else u = 0; i = s; end if; "
             "der(w) = -w; u + 2*i = sin(5*time); end Diode;",
             condition);
    return trial_run_text(text, 2.0);
}

static void test_conditions(void **state)
{
    (void)state;
    static const char *const conditions[] = {"s < 0",  "0 > s",   "-s > 0",    "0 < -s",
                                             "s <= 0", "-s >= 0", "not s >= 0"};
    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
        Trial *t = run_diode(conditions[k]);
        // The sign of sin changes three times until 5*time = 10.
        assert_int_equal(saltus_run_statistics(trial_get_run(t)).modes_entered, 1);
        trial_assert_value(t, "u", sin(10.0), 1e-15);
        trial_assert_value(t, "i", 0.0, 0.0);
        trial_end(t);
    }
    // Another unknown takes part: these are two modes.
    Trial *t = run_diode("s < 1e-9*w");
    assert_true(saltus_run_statistics(trial_get_run(t)).modes_entered > 1);
    trial_assert_value(t, "u", sin(10.0), 1e-15);
    trial_end(t);
}

// The branches of the first if-equation, and the equations, of what a text is reworded to.
static void count_reworded(const char *text, uint32_t *branches, uint32_t *equations)
{
    Flattened f = flattened_from_text(text);
    const FlatModel *reworded = reword_choices(f.arena, f.model);
    *branches = reworded->conditionals[0]->count;
    *equations = reworded->equation_count;
    flattened_end(&f);
}

static void test_equality(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t branches;
    } choices[] = {
        {"if s > 0 then u = 0; i = s; elseif s < 0 then u = s; i = 0; else u = 0; i = 0; end if;",
         2},
        {"if s > 0 then u = 0; i = s; elseif s < 0 then u = s; i = 0; else i = 0; u = 0; end if;",
         2},
        // what is equal is the first branch alone, or the second
        {"if s > 0 then u = 0; i = s; elseif s < 0 then u = s + 1; i = 0; else u = 0; i = 0; end "
         "if;",
         2},
        {"if s > 0 then u = 0; i = s + 1; elseif s < 0 then u = s; i = 0; else u = 0; i = 0; end "
         "if;",
         2},
        // it says something of its own
        {"if s > 0 then u = 0; i = s; elseif s < 0 then u = s; i = 0; else u = 1; i = 0; end if;",
         3},
        {"if s > 0 then u = 0; i = s; elseif s < 1 then u = s; i = 0; else u = 0; i = 0; end if;",
         3},
    };
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
        for (int is_last = 0; is_last < 2; is_last++) {
            static const char other[] = "u + i = time;";
            char text[400];
            uint32_t branches, equations;
            snprintf(text, sizeof text, "model M Real s, u, i; equation %s %s end M;",
                     is_last ? other : choices[k].text, is_last ? choices[k].text : other);
            count_reworded(text, &branches, &equations);
            assert_int_equal(branches, choices[k].branches);
            assert_int_equal(equations, 2 * choices[k].branches + 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_equality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
