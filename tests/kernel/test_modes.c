// SPDX-License-Identifier: MIT
//
// Kernels of several modes: the same numbers of events as the ordinary run at all points, values
// within the tolerance, and what they leave to it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/cuda.h"
#include "studies/sweep.h"
#include "studies/sweep_kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// A study of a file's model, or of a text, and its sweep over one axis.
typedef struct ModesFixture {
    Study *study;
    Axis axis;
    SweepDef def;
    Sweep *sweep;
} ModesFixture;

typedef struct ModesCase {
    const char *file, *model; // file NULL: the model is the text
    const char *axis;
    const char *watch[3]; // the first one is a count
    double stop_time;
    double bound;   // of differences of the others
    unsigned modes; // that the kernel has; 0: any number
    size_t aside;   // points that it may leave
} ModesCase;

static void begin_by(ModesFixture *f, const ModesCase *c, SweepDevice device, SaltusSolver solver)
{
    char *message = NULL, *about = NULL;
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.method.relative_tolerance = 1e-8;
    options.method.absolute_tolerance = 1e-11;
    options.method.max_step = c->stop_time / 50.0;
    const StudyDef def = {.load = {.file_count = c->file != NULL,
                                   .files = &c->file,
                                   .model = c->file ? c->model : NULL,
                                   .text = c->file ? NULL : c->model,
                                   .is_whole = device != SWEEP_RUNS},
                          .observation_count = 3,
                          .observations = c->watch,
                          .options = options,
                          .stop_time = c->stop_time};
    *f = (ModesFixture){.study = study_create(&def)};
    assert_non_null(f->study);
    assert_non_null(study_observations(f->study));
    assert_true(axis_read(f->study, c->axis, &f->axis, &about));
    f->def = (SweepDef){
        .study = f->study, .axes = &f->axis, .axis_count = 1, .device = device, .jobs = 2};
    f->sweep = sweep_create(&f->def, &message);
    assert_non_null(f->sweep);
    assert_int_equal(sweep_run(f->sweep, &message), SWEEP_FINISHED);
}

static void begin(ModesFixture *f, const ModesCase *c, SweepDevice device)
{
    begin_by(f, c, device, SALTUS_SOLVER_RODAS);
}

static void end(ModesFixture *f)
{
    sweep_destroy(f->sweep);
    axis_free(&f->axis);
    study_destroy(f->study);
}

static void expect_by(const ModesCase *c, SaltusSolver solver)
{
    ModesFixture usual, kernel;
    begin_by(&usual, c, SWEEP_RUNS, solver);
    begin_by(&kernel, c, SWEEP_CPU, solver);
    const SweepKernelReport r = sweep_kernel_report(kernel.sweep);
    assert_string_equal(r.reason, "");
    assert_false(r.is_distrusted);
    assert_true(r.aside <= c->aside);
    if (c->modes)
        assert_int_equal(r.modes, c->modes);
    double events = 0.0;
    for (size_t i = 0; i < sweep_count(usual.sweep); i++) {
        const double *a = sweep_point(usual.sweep, i).values;
        const double *b = sweep_point(kernel.sweep, i).values;
        assert_true(a[0] == b[0]);
        events += a[0];
        for (int k = 1; k < 3; k++)
            assert_true(isnan(a[k]) ? isnan(b[k]) : fabs(a[k] - b[k]) <= c->bound);
    }
    assert_true(events >= 0.5 * (double)sweep_count(usual.sweep)); // there is something to compare
    end(&usual);
    end(&kernel);
}

static void expect(const ModesCase *c)
{
    expect_by(c, SALTUS_SOLVER_RODAS);
}

#define C21(name) SALTUS_SOURCE_DIR "/benchmarks/c21/" name
#define MODES(name) SALTUS_SOURCE_DIR "/models/modes/" name

// A rope that becomes loose and taut again, as two structures. Bounds: a hundred times the
// tolerance, for its errors grow where the rope becomes taut, and near the top.
static void test_pendulum(void **state)
{
    (void)state;
    const ModesCase c = {C21("Pendulum.mo"),
                         "Pendulum.Decomposed",
                         "omega0=5:12:9",
                         {"count(transition())", "x", "maximum(y)"},
                         4.0,
                         1e-6,
                         2,
                         0};
    expect_by(&c, SALTUS_SOLVER_RODAS);
    expect_by(&c, SALTUS_SOLVER_DOP853);
}

static void test_machine(void **state)
{
    (void)state;
    expect(&(ModesCase){
        MODES("PendulumMachine.mo"),
        "PendulumMachine.TwoStates",
        "l=0.8:1.2:9",
        {"count(transition(\"swing\", \"fall\"))", "energy", "time_of(transition(), 2)"},
        2.0,
        1e-6,
        2,
        0});
}

// A machine in a state of another one, which goes on where it was left, and one whose state is left
// when the inner one has come to its end.
static void test_nested(void **state)
{
    (void)state;
    expect(&(ModesCase){NULL,
                        "model Chart\n"
                        "  parameter Real a = 0.5, b = 0.3;\n"
                        "  model Counting\n"
                        "    Real age(start = 0);\n"
                        "  equation\n"
                        "    der(age) = 1;\n"
                        "  end Counting;\n"
                        "  model Working\n"
                        "    parameter Real a = 1, b = 2;\n"
                        "    Counting fast, slow;\n"
                        "    Boolean isFast = activeState(fast);\n"
                        "  equation\n"
                        "    initialState(fast);\n"
                        "    transition(fast, slow, fast.age > a);\n"
                        "    transition(slow, fast, slow.age > b);\n"
                        "  end Working;\n"
                        "  model Once\n"
                        "    Counting first, last;\n"
                        "  equation\n"
                        "    initialState(first);\n"
                        "    transition(first, last, first.age > 0.21);\n"
                        "  end Once;\n"
                        "  Working working(a = a, b = b);\n"
                        "  Once pausing;\n"
                        "  Real level(start = 0, fixed = true);\n"
                        "  Boolean isWorking = activeState(working);\n"
                        "  Integer n(start = 0, fixed = true);\n"
                        "equation\n"
                        "  der(level) = if isWorking then 1 else -1;\n"
                        "  initialState(working);\n"
                        "  transition(working, pausing, level > 2.3456);\n"
                        "  transition(pausing, working, level < 2.3, reset = false,\n"
                        "             synchronize = true);\n"
                        "  when working.isFast then n = pre(n) + 1; end when;\n"
                        "end Chart;\n",
                        "a=0.311:0.877:9",
                        {"count(transition())", "level", "working.slow.age + 100 * n"},
                        9.0,
                        1e-9,
                        4,
                        0});
}

// Two machines and a ball, which have nothing to do with each other: ordinary runs have modes of
// each, the kernel has those of all together.
static void test_parallel(void **state)
{
    (void)state;
    const ModesCase c = {
        NULL,
        "model Par\n"
        "  parameter Real a = 1, b = 1.7;\n"
        "  model Flow\n"
        "    parameter Real r = 1;\n"
        "    outer output Real T;\n"
        "  equation\n"
        "    der(T) = r;\n"
        "  end Flow;\n"
        "  model Tank\n"
        "    parameter Real b = 1.7, up = 1;\n"
        "    inner Real T(start = 0.3, fixed = true);\n"
        "    Flow heat(r = up), cool(r = -0.5);\n"
        "  equation\n"
        "    initialState(heat);\n"
        "    transition(heat, cool, T > b);\n"
        "    transition(cool, heat, T < 0.1);\n"
        "  end Tank;\n"
        "  Tank one(b = b), two(b = 1.1, up = a);\n"
        "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
        "equation\n"
        "  der(h) = v;\n"
        "  der(v) = -9.81;\n"
        "  when h <= 0 then reinit(v, -0.9 * pre(v)); end when;\n"
        "end Par;\n",
        "a=0.713:1.377:9",
        {"count(event())", "one.T + 10 * two.T", "if mode(\"*two.heat*\") then h + 10 else h"},
        3.0,
        1e-8,
        4,
        0};
    ModesFixture f;
    expect(&c);
    begin(&f, &c, SWEEP_CPU);
    for (size_t i = 0; i < 9; i++) {
        // The first tank is full at 1.4 s and not empty before the end; the second one goes up with
        // a to 1.1, down to 0.1 in 2 s, and up again.
        const double a = sweep_value(f.sweep, i, 0), one = 1.7 - 0.5 * 1.6;
        const double full = 0.8 / a, empty = full + 2.0;
        const double two = empty < 3.0 ? 0.1 + a * (3.0 - empty) : 1.1 - 0.5 * (3.0 - full);
        assert_true(fabs(sweep_point(f.sweep, i).values[1] - one - 10.0 * two) < 1e-8);
        assert_true((sweep_point(f.sweep, i).values[2] > 5.0) == (empty < 3.0));
    }
    end(&f);
}

// The same with a constraint of index 3, which comes and goes: the states change, too.
static void test_constraint(void **state)
{
    (void)state;
    expect(&(ModesCase){C21("Pendulum.mo"),
                        "Pendulum.Cartesian",
                        "k=0.5:1:5",
                        {"count(transition())", "x", "y"},
                        4.0,
                        1e-6,
                        3,
                        0});
}

// What is radial in the velocity is lost when the rope becomes taut: an impulse.
static void test_cup_and_ball(void **state)
{
    (void)state;
    expect(&(ModesCase){MODES("CupAndBall.mo"),
                        "CupAndBall.Inelastic",
                        "g=6:12:9",
                        {"count(event())", "x", "energy"},
                        4.0,
                        1e-6,
                        3,
                        2}); // where the rope is hardly taut, the ordinary run decides
}

// An ideal diode by an if-equation, and by a state machine.
static void test_diode(void **state)
{
    (void)state;
    ModesCase c = {C21("Circuit.mo"),
                   "Circuit.Shortcut",
                   "R1=10:1000:log:4",
                   {"count(event())", "u_C", "i"},
                   100e-6,
                   1e-7,
                   2,
                   0};
    expect(&c);
    c.model = "Circuit.ShortcutDecomposed";
    expect(&c);
}

// Inertias that are joined for a while by an impulse, whose closed form is known; and a clutch that
// slips and sticks.
static void test_clutch(void **state)
{
    (void)state;
    const ModesCase c = {MODES("IdealClutch.mo"),
                         NULL,
                         "J1=1:3:5",
                         {"count(transition())", "w1", "w2"},
                         3.0,
                         1e-10,
                         2,
                         0};
    ModesFixture f;
    expect(&c);
    begin(&f, &c, SWEEP_CPU);
    for (size_t i = 0; i < 5; i++) {
        const double j = sweep_value(f.sweep, i, 0);
        assert_true(fabs(sweep_point(f.sweep, i).values[1] - (j + 15.0) / (j + 3.0)) < 1e-10);
    }
    end(&f);
    expect(&(ModesCase){SALTUS_SOURCE_DIR "/models/examples/ClutchEngagement.mo",
                        NULL,
                        "drive.tau=10:30:5",
                        {"count(event())", "engine.w", "load.w"},
                        3.0,
                        1e-6,
                        3,
                        0});
}

// A machine with states that are reset, a delayed transition, time in a state, and what a state
// keeps: all of them in one.
static void test_machines(void **state)
{
    (void)state;
    expect(&(ModesCase){
        NULL,
        "model M\n"
        "  parameter Real p = 1;\n"
        "  model Up output Real y(start = 0); equation der(y) = 1; end Up;\n"
        "  model Down output Real z(start = 3); Integer n(start = 0); equation der(z) = -2 - z;\n"
        "    when z < 2 then n = pre(n) + 1; end when; end Down;\n"
        "  Up up; Down down;\n"
        "  Integer all(start = 0, fixed = true);\n"
        "equation\n"
        "  initialState(up);\n"
        "  transition(up, down, up.y > p, immediate = false);\n"
        "  transition(down, up, timeInState() > 0.4 * p, reset = false);\n"
        "  when activeState(down) then all = pre(all) + 1; end when;\n"
        "end M;\n",
        "p=0.7:1.3:7",
        {"all", "up.y", "down.z"},
        6.0,
        1e-7,
        2,
        0});
}

// A mode that no run of the sample meets: the trajectories that do are set aside, it is compiled,
// and they are run again. What then differs from the others is right, too.
static void test_new_mode(void **state)
{
    (void)state;
    ModesFixture f;
    const ModesCase c = {
        NULL,
        "model M\n"
        "  parameter Real p = 0;\n"
        "  Real x(start = 0, fixed = true), y, z;\n"
        "equation\n"
        "  der(x) = 1;\n"
        "  if x > 1 and p > 99.5 then y = 2; der(z) = y; elseif x > 0.5 then y = 1 + x; z = 3;\n"
        "  else y = 0; z = 1; end if;\n"
        "end M;\n",
        "p=0:100:201",
        {"count(transition())", "y", "z"},
        2.0,
        1e-8,
        0,
        20};
    expect(&c);
    begin(&f, &c, SWEEP_CPU);
    assert_int_equal(sweep_kernel_report(f.sweep).modes, 3);
    end(&f);
}

// The text of several modes is CUDA, too.
static void test_cuda(void **state)
{
    (void)state;
    ModesFixture f;
    if (!cuda_is_there())
        skip();
    begin(&f,
          &(ModesCase){C21("Pendulum.mo"),
                       "Pendulum.Decomposed",
                       "omega0=5:12:2",
                       {"count(transition())", "x", "maximum(y)"},
                       4.0,
                       0.0,
                       0,
                       0},
          SWEEP_RUNS);
    const int status = cuda_compile(sweep_kernel_create(f.study, &f.axis, 1, KERNEL_GPU));
    end(&f);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),   cmocka_unit_test(test_nested),
        cmocka_unit_test(test_parallel),   cmocka_unit_test(test_machine),
        cmocka_unit_test(test_constraint), cmocka_unit_test(test_cup_and_ball),
        cmocka_unit_test(test_diode),      cmocka_unit_test(test_clutch),
        cmocka_unit_test(test_machines),   cmocka_unit_test(test_new_mode),
        cmocka_unit_test(test_cuda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
