// SPDX-License-Identifier: MIT
//
// Circuits with two ideal diodes that switch at the same instant. An ideal diode: conducting,
// v = 0 while i > 0; blocking, i = 0 while v < 0. Which diodes conduct follows from the solution
// of the circuit, which depends on which conduct: the client searches for a combination that
// agrees with itself.

#include "slice/slice.h"
#include "support/hybrid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { D1, D2 };

#define DIODE(label, current, voltage)                                                             \
    {                                                                                              \
        .name = label, .stay = VAR(current), .begin = VAR(voltage), .stay_text = label ".i > 0",   \
        .begin_text = label ".v > 0"                                                               \
    }
// Its two equations.
#define DIODE_EQUATIONS(flag, current, voltage)                                                    \
    {1u << (flag), 0, VAR(voltage), "v = 0"},                                                      \
    {                                                                                              \
        0, 1u << (flag), VAR(current), "i = 0"                                                     \
    }

// ---------------------------------------------------------------------------
// A rectifier: source, diode D1, load R, L; the freewheeling diode D2 across the load
// ---------------------------------------------------------------------------

enum { I1, V1, I2, V2, I, VL };
enum { R, L, OMEGA, AC, DC };

static const Variable rectifier_variables[] = {{"i1", 0}, {"v1", 0}, {"i2", 0},
                                               {"v2", 0}, {"i", 0},  {"vl", 0}};
static const Equation rectifier_equations[] = {
    {0, 0, SUB(ADD(PAR(DC), MUL(PAR(AC), SIN(MUL(PAR(OMEGA), TIME)))), ADD(VAR(V1), VAR(VL))),
     "u = v1 + vl"},
    {0, 0, ADD(VAR(V2), VAR(VL)), "v2 + vl = 0"},
    {0, 0, SUB(ADD(VAR(I1), VAR(I2)), VAR(I)), "i1 + i2 = i"},
    {0, 0, SUB(ADD(MUL(PAR(L), DER(VAR(I))), MUL(PAR(R), VAR(I))), VAR(VL)), "L der(i) + R i = vl"},
    DIODE_EQUATIONS(D1, I1, V1),
    DIODE_EQUATIONS(D2, I2, V2),
};

#define RECTIFIER                                                                                  \
    .variables = rectifier_variables, .variable_count = 6, .equations = rectifier_equations,       \
    .equation_count = 8, .flag_count = 2, .parameter_count = 5

static const double ac[] = {[R] = 2.0, [L] = 0.5, [OMEGA] = 2.0 * M_PI, [AC] = 10.0, [DC] = 0.0};
static const Flag diodes[] = {[D1] = DIODE("D1", I1, V1), [D2] = DIODE("D2", I2, V2)};
static const Model rectifier = {RECTIFIER, .name = "rectifier", .flags = diodes, .parameters = ac};

// i from (t0, i0) on, driven by the source: L i' + R i = A sin(omega t).
static double driven(double t0, double i0, double t)
{
    double x = ac[OMEGA] * ac[L], size = ac[AC] / (ac[R] * ac[R] + x * x);
    double then = size * (ac[R] * sin(ac[OMEGA] * t0) - x * cos(ac[OMEGA] * t0));
    double now = size * (ac[R] * sin(ac[OMEGA] * t) - x * cos(ac[OMEGA] * t));
    return now + (i0 - then) * exp(-(t - t0) * ac[R] / ac[L]);
}

static double rectifier_current(double t)
{
    double i = 0.0, t0 = 0.0;
    for (bool on = true;; on = !on, t0 += 0.5) {
        double end = fmin(t, t0 + 0.5);
        i = on ? driven(t0, i, end) : i * exp(-(end - t0) * ac[R] / ac[L]);
        if (end == t)
            return i;
    }
}

// Each half period one diode takes over from the other. Only the voltage of the one that begins
// crosses zero; with it alone turned over both conduct and short the source, which has no
// solution. The search finds the only combination that has one.
static void test_commutation(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-10);
    Simulation s = simulation_run(&rectifier, &method, 2.9);
    assert_int_equal(s.status, SALTUS_OK);
    // The run starts on the switching surface with nothing conducting: arming turns D1 on.
    assert_int_equal(saltus_run_event_count(s.run), 1 + 5);
    assert_true(saltus_run_event(s.run, 0).t == 0.0);
    assert_int_equal(saltus_run_event(s.run, 0).occasion, SALTUS_AT_START);
    for (int k = 0; k < 5; k++) {
        SaltusLogEntry e = saltus_run_event(s.run, 1 + k);
        assert_close(e.t, 0.5 * (k + 1), 4e-15); // the resolution of time
        assert_int_equal(e.fired_count, 1);
        assert_int_equal(e.fired[0].event, 2 * (k % 2 == 0 ? D2 : D1) + 1);
        // One tick, one to see that nothing follows, one to be told by arming the sign of the
        // voltage that is zero there.
        assert_int_equal(e.iterations, 3);
    }
    // Each commutation turns down one candidate, of which nothing is seen: no mode besides those
    // two, the first one and the one before the start is ever made.
    const SliceMemory *memory = saltus_run_memory(s.run);
    assert_int_equal(memory->rejected, 5);
    assert_int_equal(memory->ticks, 2 + 5);
    assert_int_equal(saltus_run_statistics(s.run).modes_entered, 4);
    for (long k = 0; k < saltus_run_row_count(s.run); k++) {
        SaltusRow row = saltus_run_row(s.run, k);
        assert_close(row.y[I], rectifier_current(row.t), 1e-8); // 70 steps at 1e-10
        // Right limits agree with the diodes, up to the resolution of the event times.
        assert_true(row.y[I1] > -1e-12 && row.y[I2] > -1e-12);
        assert_true(row.y[V1] < 1e-12 && row.y[V2] < 1e-12);
    }
    simulation_end(&s);
}

// ---------------------------------------------------------------------------
// The same with a direct voltage and a switch in place of D1
// ---------------------------------------------------------------------------

static const double dc[] = {[R] = 2.0, [L] = 0.5, [OMEGA] = 0.0, [AC] = 0.0, [DC] = 10.0};
static const double switching[] = {1.0, 1.5};
static const Flag switched[] = {
    [D1] = {.name = "S", .times = switching, .time_count = 2, .set = true},
    [D2] = DIODE("D2", I2, V2)};
static const Model chopper = {RECTIFIER, .name = "chopper", .flags = switched, .parameters = dc};

// The switch opens: if D2 goes on blocking, the current must stop at once, and the voltage of D2
// is an impulse. Its sign says that D2 conducts instead, so that no impulse ever happens.
static void test_impulse_decides(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-10);
    Simulation s = simulation_run(&chopper, &method, 2.0);
    assert_int_equal(s.status, SALTUS_OK);
    assert_int_equal(saltus_run_event_count(s.run), 2);
    double tau = dc[L] / dc[R], full = dc[DC] / dc[R];
    double at_1 = full * (1.0 - exp(-1.0 / tau)), at_15 = at_1 * exp(-0.5 / tau);
    for (long k = 0; k < saltus_run_row_count(s.run); k++) {
        SaltusRow row = saltus_run_row(s.run, k);
        double i = row.t <= 1.0   ? full * (1.0 - exp(-row.t / tau))
                   : row.t <= 1.5 ? at_1 * exp(-(row.t - 1.0) / tau)
                                  : full + (at_15 - full) * exp(-(row.t - 1.5) / tau);
        assert_close(row.y[I], i, 1e-8);
    }
    assert_int_equal(saltus_run_event(s.run, 0).change_count, 0); // i goes on
    simulation_end(&s);
}

// ---------------------------------------------------------------------------
// RLDC2 (Benveniste, Caillaud, Malandain 2020): four branches in parallel, two of a resistor and
// a capacitor (u, v, current i), two of a diode and an inductor (x, w, current j)
// ---------------------------------------------------------------------------

enum { RI1, RI2, J1, J2, X1, X2, W1, W2, U1, U2, C1, C2 };
enum { R1, R2, L1, L2, CAP1, CAP2 };

static const double rldc[] = {
    [R1] = 0.1, [R2] = 0.15, [L1] = 0.35, [L2] = 0.77, [CAP1] = 5.0, [CAP2] = 1.0};
static const Variable rldc_variables[] = {{"i1", 0}, {"i2", 0}, {"j1", 0},   {"j2", 0},
                                          {"x1", 0}, {"x2", 0}, {"w1", 0},   {"w2", 0},
                                          {"u1", 0}, {"u2", 0}, {"v1", 1.0}, {"v2", -2.5}};
static const Equation rldc_equations[] = {
    {0, 0, ADD(ADD(VAR(RI1), VAR(RI2)), ADD(VAR(J1), VAR(J2))), "i1 + i2 + j1 + j2 = 0"},
    {0, 0, SUB(ADD(VAR(X1), VAR(W1)), ADD(VAR(U1), VAR(C1))), "x1 + w1 = u1 + v1"},
    {0, 0, SUB(ADD(VAR(U1), VAR(C1)), ADD(VAR(U2), VAR(C2))), "u1 + v1 = u2 + v2"},
    {0, 0, SUB(ADD(VAR(U2), VAR(C2)), ADD(VAR(X2), VAR(W2))), "u2 + v2 = x2 + w2"},
    {0, 0, SUB(MUL(PAR(L1), DER(VAR(J1))), VAR(W1)), "w1 = L1 der(j1)"},
    {0, 0, SUB(MUL(PAR(L2), DER(VAR(J2))), VAR(W2)), "w2 = L2 der(j2)"},
    {0, 0, SUB(MUL(PAR(CAP1), DER(VAR(C1))), VAR(RI1)), "i1 = C1 der(v1)"},
    {0, 0, SUB(MUL(PAR(CAP2), DER(VAR(C2))), VAR(RI2)), "i2 = C2 der(v2)"},
    {0, 0, SUB(MUL(PAR(R1), VAR(RI1)), VAR(U1)), "u1 = R1 i1"},
    {0, 0, SUB(MUL(PAR(R2), VAR(RI2)), VAR(U2)), "u2 = R2 i2"},
    DIODE_EQUATIONS(D1, J1, X1),
    DIODE_EQUATIONS(D2, J2, X2),
};
static const Flag rldc_flags[] = {[D1] = DIODE("D1", J1, X1), [D2] = DIODE("D2", J2, X2)};
static const Model rldc2 = {.name = "RLDC2",
                            .variables = rldc_variables,
                            .variable_count = 12,
                            .equations = rldc_equations,
                            .equation_count = 14,
                            .flags = rldc_flags,
                            .flag_count = 2,
                            .parameters = rldc,
                            .parameter_count = 6};

// By hand: states v1, v2, j1, j2, of which the last two do not exist while the diodes block. The
// voltage over all branches follows from the sum of the currents.
static double common_voltage(const double *x, bool conducts)
{
    double j = conducts ? x[2] + x[3] : 0.0;
    return (x[0] / rldc[R1] + x[1] / rldc[R2] - j) / (1.0 / rldc[R1] + 1.0 / rldc[R2]);
}

static void reduced(const double *x, bool conducts, double *dx)
{
    double u = common_voltage(x, conducts);
    dx[0] = (u - x[0]) / (rldc[R1] * rldc[CAP1]);
    dx[1] = (u - x[1]) / (rldc[R2] * rldc[CAP2]);
    if (conducts)
        dx[2] = u / rldc[L1], dx[3] = u / rldc[L2];
}

static int blocking(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    UNUSED_ARGUMENTS;
    reduced(x, false, dx);
    return 0;
}

static int conducting(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    UNUSED_ARGUMENTS;
    reduced(x, true, dx);
    return 0;
}

static int voltage(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = common_voltage(x, false);
    return 0;
}

static int current(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    UNUSED_ARGUMENTS;
    h[0] = x[2];
    return 0;
}

static void close_both(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, 1), SALTUS_OK);
    event->x[2] = event->x[3] = 0.0;
}

static void open_both(SaltusEvent *event)
{
    assert_int_equal(saltus_switch_mode(event, 0), SALTUS_OK);
}

// L1 j1 and L2 j2 are the same integral of the common voltage: both diodes begin and end together.
static void test_rldc2(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-11);
    SaltusEventDef begin = {.name = "u", .direction = SALTUS_RISING, .action = close_both};
    SaltusEventDef end = {.name = "j", .direction = SALTUS_FALLING, .action = open_both};
    SaltusModeDef modes[] = {
        hybrid_mode("blocking", 2, (double[]){1.0, -2.5}, blocking, 1, &begin, voltage),
        hybrid_mode("conducting", 4, NULL, conducting, 1, &end, current)};
    SaltusSystemDef def = hybrid_system(2, modes);
    SaltusOptions options = saltus_default_options();
    options.method = method;
    Hybrid hand = hybrid_begin(&def, &options);
    assert_int_equal(saltus_run_advance(hand.run, 12.0), SALTUS_OK);

    Simulation s = simulation_run(&rldc2, &method, 12.0);
    assert_int_equal(s.status, SALTUS_OK);
    long count = saltus_run_event_count(s.run);
    assert_int_equal(count, saltus_run_event_count(hand.run));
    assert_true(count >= 2);
    for (long k = 0; k < count; k++) {
        SaltusLogEntry e = saltus_run_event(s.run, k);
        assert_close(e.t, saltus_run_event(hand.run, k).t, 1e-9); // both at 1e-11
        assert_int_equal(e.fired_count, 2);                       // in one event
        int states = slice_structure(s.slice, e.to)->state_count;
        assert_int_equal(states, k % 2 == 0 ? 4 : 2);
    }
    const double *y = saltus_run_row(s.run, saltus_run_row_count(s.run) - 1).y;
    const double *x = saltus_run_states(hand.run);
    assert_close(y[C1], x[0], 1e-9);
    assert_close(y[C2], x[1], 1e-9);
    hybrid_end(&hand);
    simulation_end(&s);
}

// ---------------------------------------------------------------------------
// A contradiction
// ---------------------------------------------------------------------------

static const Variable forced_variables[] = {{"i", 0}, {"v", 0}};
static const Equation forced_equations[] = {
    {0, 0, SUB(VAR(0), ADD(NUM(0.5), SIN(MUL(NUM(M_PI), TIME)))), "i = 0.5 + sin(pi time)"},
    DIODE_EQUATIONS(D1, 0, 1),
};
static const Flag forced_flags[] = {DIODE("D", 0, 1)};
static const Model forced = {.name = "forced",
                             .variables = forced_variables,
                             .variable_count = 2,
                             .equations = forced_equations,
                             .equation_count = 3,
                             .flags = forced_flags,
                             .flag_count = 1};

// A current source in series with a diode: when its current turns, neither state of the diode is
// possible. The message says what contradicts what; the results up to there are kept.
static void test_contradiction(void **state)
{
    (void)state;
    SaltusMethod method = simulation_method(1e-8);
    Simulation s = simulation_run(&forced, &method, 2.0);
    assert_int_equal(s.status, SALTUS_ERROR_ACTION);
    assert_close(s.error.time, 7.0 / 6.0, 1e-14);
    assert_contains(s.error.message, "no combination of D is consistent");
    assert_contains(s.error.message, "structurally singular: no variable is left for i = 0");
    assert_close(saltus_run_time(s.run), 7.0 / 6.0, 1e-14);
    simulation_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commutation),
        cmocka_unit_test(test_impulse_decides),
        cmocka_unit_test(test_rldc2),
        cmocka_unit_test(test_contradiction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
