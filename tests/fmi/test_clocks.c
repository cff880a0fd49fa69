// SPDX-License-Identifier: MIT
//
// Samples and clocks of a model as output clocks of FMI 3.0, in co-simulation with early return and
// in model exchange: at each event those tick whose times it is.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unpacked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "model Ticks\n"
                           "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
                           "  Real x(start = 0, fixed = true);\n"
                           "  Clock c = Clock(0.3), when_high = Clock(x > 0.45);\n"
                           "  Real xs = sample(x, c), xh = sample(x, when_high);\n"
                           "  Integer j(start = 0), i(start = 0);\n"
                           "equation\n"
                           "  der(x) = 1;\n"
                           "  when sample(0.1, 0.25) then n = pre(n) + 1; end when;\n"
                           "  when {sample(0, 0.5), x > 0.33} then k = pre(k) + 1; end when;\n"
                           "  j = previous(j) + (if xs > 100 then 2 else 1);\n"
                           "  i = previous(i) + (if xh > 100 then 2 else 1);\n"
                           "end Ticks;\n";

enum { CLOCKS = 4 };

// In the order of the description: samples, then clocks. From when on, how often; 0: once.
static const struct {
    const char *name;
    double start, interval;
} clocks[CLOCKS] = {{"'sample(0.1, 0.25)'", 0.1, 0.25},
                    {"'sample(0.0, 0.5)'", 0.0, 0.5},
                    {"'clock 1'", 0.0, 0.3},
                    {"'clock 2'", 0.45, 0.0}};

static bool ticks_at(int clock, double t)
{
    const double since = t - clocks[clock].start;
    if (clocks[clock].interval == 0.0)
        return fabs(since) < 1e-9;
    const double count = since / clocks[clock].interval;
    return count > -0.5 && fabs(count - round(count)) < 1e-9;
}

static void write_text(char path[64])
{
    strcpy(path, "/tmp/saltus-ticks-XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, sizeof text - 1), (ssize_t)sizeof text - 1);
    close(descriptor);
}

static void open_ticks(Unpacked *u, Fmi3Reference references[CLOCKS], bool is_exchange)
{
    char path[64];
    write_text(path);
    unpacked_create(u, path, NULL, 3, is_exchange);
    remove(path);
    for (int k = 0; k < CLOCKS; k++)
        references[k] = unpacked_reference(u, clocks[k].name);
}

static int check_ticks(const Fmi3Table *f, Fmi3Instance i, const Fmi3Reference *references,
                       double t)
{
    bool values[CLOCKS];
    int count = 0;
    assert_int_equal(f->GetClock(i, references, CLOCKS, values), FMI3_OK);
    for (int k = 0; k < CLOCKS; k++) {
        if (values[k] != ticks_at(k, t))
            fail_msg("%s at t = %g: %d", clocks[k].name, t, values[k]);
        count += values[k];
    }
    return count;
}

static double update(const Fmi3Table *f, Fmi3Instance i, const Fmi3Reference *references)
{
    bool again, terminate, nominals, states, has_next, values[CLOCKS];
    double next;
    assert_int_equal(
        f->UpdateDiscreteStates(i, &again, &terminate, &nominals, &states, &has_next, &next),
        FMI3_OK);
    assert_int_equal(f->GetClock(i, references, CLOCKS, values), FMI3_OK);
    for (int k = 0; k < CLOCKS; k++)
        assert_false(values[k]); // the event is over
    return has_next ? next : INFINITY;
}

static void in_co_simulation(void **state)
{
    (void)state;
    Unpacked u;
    Fmi3Reference references[CLOCKS];
    open_ticks(&u, references, false);
    assert_non_null(strstr(u.description, "intervalVariability=\"triggered\""));
    const Fmi3Table *f = &u.binary.fmi3;
    Fmi3Instance i = f->InstantiateCoSimulation("ticks", u.token, u.resources, false, false, true,
                                                true, NULL, 0, NULL, NULL, NULL);
    assert_non_null(i);
    assert_int_equal(f->EnterInitializationMode(i, false, 0.0, 0.0, true, 1.0), FMI3_OK);
    assert_int_equal(f->ExitInitializationMode(i), FMI3_OK);
    int count = check_ticks(f, i, references, 0.0), events = 0;
    update(f, i, references);
    assert_int_equal(f->EnterStepMode(i), FMI3_OK);
    for (double t = 0.0; t < 0.95; events++) {
        bool needs_event, terminate, is_early;
        double last;
        assert_int_equal(
            f->DoStep(i, t, 0.95 - t, true, &needs_event, &terminate, &is_early, &last), FMI3_OK);
        t = last;
        if (!needs_event)
            break;
        assert_int_equal(f->EnterEventMode(i), FMI3_OK);
        count += check_ticks(f, i, references, t);
        update(f, i, references);
        assert_int_equal(f->EnterStepMode(i), FMI3_OK);
    }
    assert_int_equal(count, 4 + 2 + 4 + 1);
    assert_int_equal(events, 9); // 0.1 0.3 0.33 0.35 0.45 0.5 0.6 0.85 0.9
    // A clock that is an output is not set, and is no number.
    const bool yes = true;
    double value;
    assert_int_equal(f->SetClock(i, references, 1, &yes), FMI3_ERROR);
    assert_int_equal(f->GetFloat64(i, references, 1, &value, 1), FMI3_ERROR);
    f->FreeInstance(i);
    unpacked_end(&u);
}

// Time events alone: the importer goes from one to the next, and x follows.
static void in_model_exchange(void **state)
{
    (void)state;
    Unpacked u;
    Fmi3Reference references[CLOCKS];
    open_ticks(&u, references, true);
    const Fmi3Table *f = &u.binary.fmi3;
    Fmi3Instance i =
        f->InstantiateModelExchange("ticks", u.token, u.resources, false, false, NULL, NULL);
    assert_non_null(i);
    assert_int_equal(f->EnterInitializationMode(i, false, 0.0, 0.0, true, 1.0), FMI3_OK);
    assert_int_equal(f->ExitInitializationMode(i), FMI3_OK);
    int count = check_ticks(f, i, references, 0.0);
    double next = update(f, i, references);
    for (double t = 0.0; t < 0.31;) { // the next crossing is at 0.33
        bool needs_event, terminate;
        assert_int_equal(f->EnterContinuousTimeMode(i), FMI3_OK);
        t = next;
        if (t > 0.31)
            break;
        assert_int_equal(f->SetTime(i, t), FMI3_OK);
        assert_int_equal(f->SetContinuousStates(i, &t, 1), FMI3_OK);
        assert_int_equal(f->CompletedIntegratorStep(i, true, &needs_event, &terminate), FMI3_OK);
        assert_int_equal(f->EnterEventMode(i), FMI3_OK);
        count += check_ticks(f, i, references, t);
        next = update(f, i, references);
    }
    assert_int_equal(count, 2 + 1 + 1); // at 0, 0.1, 0.3
    f->FreeInstance(i);
    unpacked_end(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_co_simulation),
        cmocka_unit_test(in_model_exchange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
