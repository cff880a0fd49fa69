// SPDX-License-Identifier: MIT
//
// Stream connectors (chapter 15): mixtures against those computed by hand, with flows that turn
// round, through zero, with connectors that never bring anything, over several levels; and in
// equations that index reduction differentiates.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

// Everything is explicit: sums and products of a few numbers.
static const double rounding = 1e-12;

// Sources of given flow and value, and a sink that holds the pressure.
#define PARTS                                                                                      \
    "connector P Real p; flow Real m; stream Real h; end P; "                                      \
    "model Source P c; parameter Real h = 1; input Real q; "                                       \
    "  Real into = inStream(c.h); Real actual = actualStream(c.h); "                               \
    "  equation c.h = h; c.m = -q; end Source; "                                                   \
    "model Sink P c; parameter Real h = 5; Real into = inStream(c.h); "                            \
    "  Real actual = actualStream(c.h); Real power = c.m * actualStream(c.h); "                    \
    "  equation c.h = h; c.p = 1; end Sink; "

// h = sum of what comes in, by its flow: towards each connector without its own.
static void mixes_by_flow(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " PARTS "Source a(h = 1, q = 2 + time), b(h = 2, q = 3), c(h = 7, q = -1); "
        "Sink s; equation connect(a.c, s.c); connect(b.c, s.c); connect(c.c, s.c); end M;",
        1.0);
    ASSERT_VALUE(t, "s.into", (3.0 * 1.0 + 3.0 * 2.0) / 6.0);
    ASSERT_VALUE(t, "s.actual", 1.5);
    ASSERT_VALUE(t, "s.power", 5.0 * 1.5);
    ASSERT_VALUE(t, "a.into", 2.0); // only b brings something else
    ASSERT_VALUE(t, "a.actual", 1.0);
    ASSERT_VALUE(t, "c.into", 1.5);
    ASSERT_VALUE(t, "c.actual", 1.5);
    trial_end(t);
}

// The flow of the sink turns round at t = 1: an event for the stream, none for the power, which is
// continuous there.
static void turns_round(void **state)
{
    (void)state;
    const char *text = "model M " PARTS "Source a(h = 2, q = 1 - time); Sink s; "
                       "Real e(start = 0, fixed = true); "
                       "equation connect(a.c, s.c); der(e) = s.power; end M;";
    Trial *t = trial_run_text(text, 2.0);
    // 2 (t - t^2/2) until t = 1, then 5 of the negative flow; steps end where it turns round.
    trial_assert_value(t, "e", 1.0 - 2.5, 1e-9);
    ASSERT_VALUE(t, "s.actual", 5.0);
    ASSERT_VALUE(t, "a.actual", 5.0);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).events, 1);
    trial_end(t);
}

// The product alone is watched by nobody.
static void products_trigger_no_event(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M connector P Real p; flow Real m; stream Real h; end P; "
        "model Source P c; equation c.h = 2; c.m = time - 1; end Source; "
        "model Sink P c; Real power = actualStream(c.h) * c.m; equation c.h = 5; c.p = 1; "
        "end Sink; Source a; Sink s; equation connect(a.c, s.c); end M;",
        2.0);
    ASSERT_VALUE(t, "s.power", -5.0);
    assert_int_equal(saltus_run_statistics(trial_get_run(t)).events, 0);
    trial_end(t);
}

// Where nothing flows the mixture is the mean; above a millionth of the nominal flow it is exact.
static void has_a_limit_at_rest(void **state)
{
    (void)state;
    static const struct {
        double q, expected;
    } rows[] = {
        // p_j = a max(w_j, 0) + (1 - a) eps with s = q, a = (s/eps)^2 (3 - 2 s/eps), eps = 1e-6
        {0.0, 1.5},
        {0.5e-6, (0.75e-6 * 1 + 0.5e-6 * 2) / 1.25e-6}, // a = 1/2: 0.25 + 0.5 and 0.5 of eps
        {1e-6, 1.0},
        {2e-6, 1.0},
        {1.0, 1.0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Trial *t = trial_text("model M " PARTS "parameter Real q = 0; Source a(h = 1, q = q), "
                              "b(h = 2, q = 0); Sink s; "
                              "equation connect(a.c, s.c); connect(b.c, s.c); end M;");
        trial_parameter(t, "q", rows[k].q);
        assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
        ASSERT_VALUE(t, "s.into", rows[k].expected);
        trial_end(t);
    }
}

// The small flow is one of the nominal value.
static void small_is_relative(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M connector P Real p; flow Real m(nominal = 1e-3); stream Real h; end P; "
        "model Source P c; parameter Real h = 1; input Real q; equation c.h = h; c.m = -q; "
        "end Source; "
        "model Sink P c; Real into = inStream(c.h); equation c.h = 5; c.p = 1; end Sink; "
        "Source a(h = 1, q = 0.5e-9), b(h = 2, q = 0); Sink s; "
        "equation connect(a.c, s.c); connect(b.c, s.c); end M;",
        1.0);
    ASSERT_VALUE(t, "s.into", (0.75 * 1 + 0.5 * 2) / 1.25);
    trial_end(t);
}

// A sensor (min = 0, no flow) between two: they see each other, exactly, and it sees the mixture.
static void leaves_out_what_never_flows(void **state)
{
    (void)state;
    const char *text = "model M " PARTS "model Sensor parameter Boolean isOpen = false; "
                       "P c(m(min = if isOpen then -1 else 0)); Real h = inStream(c.h); "
                       "equation c.m = 0; c.h = 0; end Sensor; "
                       "Source a(h = 2, q = 0.3 - time); Sink s; Sensor x; "
                       "equation connect(a.c, s.c); connect(x.c, s.c); end M;";
    Trial *t = trial_run_text(text, 0.3 - 1e-9); // nearly no flow: only one can bring something
    ASSERT_VALUE(t, "s.into", 2.0);
    ASSERT_VALUE(t, "a.into", 5.0);
    trial_end(t);
    t = trial_run_text(text, 0.1);
    ASSERT_VALUE(t, "x.h", 2.0);
    trial_end(t);
    t = trial_run_text(text, 1.0);
    ASSERT_VALUE(t, "x.h", 5.0);
    trial_end(t);
}

// A tee in a component: its outside connectors take part in the set with what comes from outside.
static void mixes_over_levels(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " PARTS "model Tee P x, y, z; equation connect(x, y); connect(y, z); end Tee; "
        "model Box P x, y; Source s(h = 11, q = 2); Tee t; "
        "equation connect(x, t.x); connect(t.y, y); connect(s.c, t.z); end Box; "
        "Source a(h = 1, q = 1); Box b; Sink s; "
        "equation connect(a.c, b.x); connect(b.y, s.c); end M;",
        1.0);
    ASSERT_VALUE(t, "s.into", (1.0 * 1.0 + 2.0 * 11.0) / 3.0);
    ASSERT_VALUE(t, "b.y.h", (1.0 * 1.0 + 2.0 * 11.0) / 3.0);
    ASSERT_VALUE(t, "a.into", 11.0); // the sink takes: only the box's source could come back
    ASSERT_VALUE(t, "b.s.into", 1.0);
    trial_end(t);
}

// Arrays and records of stream variables.
static void arrays_and_records(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M record R Real u; Real v; end R; "
        "connector P Real p; flow Real m; stream Real x[2]; stream R r; end P; "
        "model Source P c; input Real q; parameter Real k; "
        "equation c.m = -q; c.x = {k, 2 * k}; c.r = R(3 * k, 4 * k); end Source; "
        "model Sink P c[2]; Real x[2, 2] = inStream(c.x); R r = inStream(c[1].r); "
        "Real y[2] = actualStream(c[2].x); "
        "equation c.p = {1, 1}; c.x = fill(9, 2, 2); for i in 1:2 loop c[i].r = R(8, 8); "
        "end for; end Sink; "
        "Source a(q = 1, k = 1), b(q = 3, k = 2), d(q = -1, k = 3); Sink s; "
        "equation connect(a.c, s.c[1]); connect(b.c, s.c[1]); connect(d.c, s.c[2]); end M;",
        1.0);
    ASSERT_VALUE(t, "s.x[1,1]", (1.0 + 3.0 * 2.0) / 4.0);
    ASSERT_VALUE(t, "s.x[1,2]", (2.0 + 3.0 * 4.0) / 4.0);
    ASSERT_VALUE(t, "s.x[2,1]", 3.0);
    ASSERT_VALUE(t, "s.r.u", (3.0 + 3.0 * 6.0) / 4.0);
    ASSERT_VALUE(t, "s.r.v", (4.0 + 3.0 * 8.0) / 4.0);
    ASSERT_VALUE(t, "s.y[1]", 9.0);
    trial_end(t);
}

// The mixture of states is held: the flow that keeps it so follows from its derivative.
static void is_differentiated(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " PARTS "Real x(start = 1, fixed = true), y(start = 3), u; "
        "model Bound P c; input Real h; input Real q; equation c.h = h; c.m = -q; end Bound; "
        "Bound a(h = x, q = 1), b(h = y, q = 3); Sink s; "
        "equation connect(a.c, s.c); connect(b.c, s.c); der(x) = -x; der(y) = u; "
        "s.into = 2; end M;",
        1.0);
    // (x + 3 y)/4 = 2: y = (8 - x)/3, u = y' = x/3
    trial_assert_value(t, "x", exp(-1.0), 1e-5);
    trial_assert_value(t, "y", (8.0 - exp(-1.0)) / 3.0, 1e-5);
    trial_assert_value(t, "u", exp(-1.0) / 3.0, 1e-5);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_by_flow),
        cmocka_unit_test(turns_round),
        cmocka_unit_test(products_trigger_no_event),
        cmocka_unit_test(has_a_limit_at_rest),
        cmocka_unit_test(small_is_relative),
        cmocka_unit_test(leaves_out_what_never_flows),
        cmocka_unit_test(mixes_over_levels),
        cmocka_unit_test(arrays_and_records),
        cmocka_unit_test(is_differentiated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
