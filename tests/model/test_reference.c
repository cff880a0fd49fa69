// SPDX-License-Identifier: MIT
//
// Initial value problems with published or closed-form values, models/reference/, at relative
// tolerance 1e-10, with every solver that suits.
//
// Values: Test Set for IVP Solvers (F. Mazzia, C. Magherini, release 2.4); W. H. Enright, J. D.
// Pryce: Two FORTRAN packages for assessing initial value methods, 1987 (DETEST); closed forms for
// the pendulum and the ball; F. Bornemann and others: The SIAM 100-Digit Challenge, 2004.
//
// Bounds: one-step methods keep the local errors below the tolerance; the global error is the sum
// of what is left of them, as for the examples at most 100 tolerances of the size of the solution.
// Multistep methods take many more and shorter steps, whose errors have one sign: 1000 tolerances.
// Where the problem itself enlarges small deviations on its way, `growth` says how much; it was
// measured with deviations of 1e-7 of the initial values.

#include "model/example.h"

#include <stdio.h>

static const double tolerance = 1e-10;

enum { MOST_VALUES = 4 };

typedef struct Value {
    const char *name;
    double value;
    double size; // of the component on its way, for the bound; 0: as large as the value
} Value;

typedef struct Problem {
    const char *file;
    double stop_time, absolute_tolerance, growth;
    Value values[MOST_VALUES];
} Problem;

static const Problem robertson = {
    .file = "Robertson",
    .stop_time = 1e11,
    .absolute_tolerance = 1e-18, // y2 is 1e-13 in the end
    .growth = 1.0,
    .values = {{"y1", 0.2083340149701255e-7, 0.0},
               {"y2", 0.8333360770334713e-13, 0.0},
               {"y3", 0.9999999791665050, 0.0}},
};
static const Problem van_der_pol = {
    .file = "VanDerPol1000",
    .stop_time = 2000.0,
    .absolute_tolerance = 1e-13,
    .growth = 1.0,
    .values = {{"y1", 1.706167732170469, 0.0}, {"y2", -0.8928097010248e-3, 0.0}},
};
static const Problem hires = {
    .file = "HIRES",
    .stop_time = 321.8122,
    .absolute_tolerance = 1e-16,
    .growth = 1.0,
    .values = {{"y[1]", 0.7371312573325668e-3, 0.0}, {"y[2]", 0.1442485726316185e-3, 0.0}},
};
static const Problem oregonator = {
    .file = "Oregonator",
    .stop_time = 360.0,
    .absolute_tolerance = 1e-13,
    .growth = 1.0,
    .values = {{"y1", 1.000814870318523, 0.0},
               {"y2", 1228.178521549917, 0.0},
               {"y3", 132.0554942846706, 0.0}},
};
static const Problem pleiades = {
    .file = "Pleiades",
    .stop_time = 3.0,
    .absolute_tolerance = 1e-13,
    .growth = 100.0, // close encounters
    .values = {{"x[1]", 0.3706139143970502, 3.0}, {"x[2]", 3.237284092057233, 0.0}},
};
static const Problem transistor_amplifier = {
    .file = "TransistorAmplifier",
    .stop_time = 0.2,
    .absolute_tolerance = 1e-13,
    .growth = 1.0,
    .values = {{"y[1]", -0.5562145012262709e-2, 0.1},
               {"y[2]", 3.006522471903042, 0.0},
               {"y[3]", 2.849958788608128, 0.0}},
};
static const Problem car_axis = {
    .file = "CarAxis",
    .stop_time = 3.0,
    .absolute_tolerance = 1e-13,
    .growth = 1.0,
    .values = {{"xl", 0.0493455784275403, 1.0},
               {"yl", 0.496989460230171, 0.0},
               {"xr", 1.04174252488542, 0.0}},
};
// It passes the place with 4.3 m/s: what it is late or early counts so many times. The states
// change between x and y on the way, several times in each period.
static const Problem pendulum = {
    .file = "PendulumIndex3",
    .stop_time = 10.0,
    .absolute_tolerance = 1e-13,
    .growth = 4.3,
    .values = {{"x", 0.27508746257611686, 1.0}, {"y", -0.96141920509912506, 1.0}},
};
// The homogeneous solution grows as exp(0.1 t).
static const Problem detest_f1 = {
    .file = "DetestF1",
    .stop_time = 20.0,
    .absolute_tolerance = 1e-13,
    .growth = 7.4,
    .values = {{"y1", -12.94460621213470, 0.0}},
};
static const Problem detest_f3 = {
    .file = "DetestF3",
    .stop_time = 20.0,
    .absolute_tolerance = 1e-13,
    .growth = 1.0,
    .values = {{"y1", -0.3726957553088175, 1.0}},
};

static Trial *solve(const char *name, double stop_time, double absolute, SaltusSolver solver)
{
    char file[128];
    snprintf(file, sizeof file, "../reference/%s.mo", name);
    Trial *t = trial_example(file, NULL);
    SaltusMethod *method = &trial_options(t)->method;
    method->solver = solver;
    method->relative_tolerance = tolerance;
    method->absolute_tolerance = absolute;
    if (trial_run(t, stop_time) != SALTUS_OK)
        fail_msg("%s, %s: %s", name, saltus_solver_name(solver), trial_error(t));
    return t;
}

static bool is_multistep(SaltusSolver solver)
{
    return solver == SALTUS_SOLVER_CVODE || solver == SALTUS_SOLVER_ADAMS ||
           solver == SALTUS_SOLVER_IDA;
}

static Trial *compare(const Problem *p, SaltusSolver solver)
{
    Trial *t = solve(p->file, p->stop_time, p->absolute_tolerance, solver);
    const double factor = (is_multistep(solver) ? 1000.0 : 100.0) * p->growth * tolerance;
    for (int i = 0; i < MOST_VALUES && p->values[i].name; i++) {
        const Value *v = &p->values[i];
        const double actual = trial_value(t, v->name);
        const double size = v->size > 0.0 ? v->size : fabs(v->value);
        if (!(fabs(actual - v->value) <= factor * size))
            fail_msg("%s, %s: %s = %.17g, not %.17g", p->file, saltus_solver_name(solver), v->name,
                     actual, v->value);
    }
    return t;
}

static void compare_all(const Problem *p, int count, const SaltusSolver *solvers)
{
    for (int i = 0; i < count; i++)
        trial_end(compare(p, solvers[i]));
}

#define COMPARE(problem, ...)                                                                      \
    compare_all(problem, (int)(sizeof(SaltusSolver[]){__VA_ARGS__} / sizeof(SaltusSolver)),        \
                (const SaltusSolver[]){__VA_ARGS__})

// ---------------------------------------------------------------------------
// Stiff problems
// ---------------------------------------------------------------------------

// The events on the way: y1 falls as 1/t near the second one, so its relative error is that of t.
static void robertson_with_events(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_AUTO, SALTUS_SOLVER_RODAS,
                                           SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA};
    for (int i = 0; i < 4; i++) {
        Trial *t = compare(&robertson, solvers[i]);
        const double factor = is_multistep(solvers[i]) ? 1000.0 : 100.0;
        ASSERT_LAST(t, "t3", 0.2640190781876, factor * tolerance * 0.264);
        ASSERT_LAST(t, "t1", 20795496.883, factor * tolerance * 2.08e7);
        assert_int_equal(saltus_run_event_count(trial_get_run(t)), 2);
        trial_end(t);
    }
}

static void stiff(void **state)
{
    (void)state;
    COMPARE(&van_der_pol, SALTUS_SOLVER_AUTO, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
            SALTUS_SOLVER_IDA);
    COMPARE(&oregonator, SALTUS_SOLVER_AUTO, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
            SALTUS_SOLVER_IDA);
    // so little stiff that explicit methods manage as well
    COMPARE(&hires, SALTUS_SOLVER_AUTO, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA,
            SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5);
}

// ---------------------------------------------------------------------------
// Smooth problems, and discontinuous ones
// ---------------------------------------------------------------------------

static void stars(void **state)
{
    (void)state;
    COMPARE(&pleiades, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
            SALTUS_SOLVER_ADAMS, SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA);
}

static void detest(void **state)
{
    (void)state;
    COMPARE(&detest_f1, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
            SALTUS_SOLVER_ADAMS, SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA);
    COMPARE(&detest_f3, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
            SALTUS_SOLVER_ADAMS, SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA);
}

// ---------------------------------------------------------------------------
// Differential-algebraic problems
// ---------------------------------------------------------------------------

static void index_1(void **state)
{
    (void)state;
    COMPARE(&transistor_amplifier, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
            SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA);
}

static void index_3(void **state)
{
    (void)state;
    COMPARE(&pendulum, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
            SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA);
    COMPARE(&car_axis, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
            SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA);
}

// ---------------------------------------------------------------------------
// Impacts
// ---------------------------------------------------------------------------

// One-step methods integrate parabolas exactly; what remains is rounding and the resolution of
// time. A multistep method builds its order up again after each impact.
static void ball(void **state)
{
    (void)state;
    static const double impacts[] = {0.45152364098573090, 1.083656738365754, 1.52614990653177};
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5,
                                           SALTUS_SOLVER_RODAS,  SALTUS_SOLVER_CVODE,
                                           SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
    for (int i = 0; i < 6; i++) {
        Trial *t = solve("Ball", 2.0, 1e-13, solvers[i]);
        const double error = is_multistep(solvers[i]) ? 1000.0 * tolerance : 1e-12;
        ASSERT_LAST(t, "h", 0.042433547802627731, error);
        assert_int_equal(saltus_run_event_count(trial_get_run(t)), 4);
        for (int k = 0; k < 3; k++)
            ASSERT_NEAR(saltus_run_event(trial_get_run(t), k).t, impacts[k], error);
        // Multistep methods lose the ball when its jumps are smaller than the absolute tolerance.
        if (!is_multistep(solvers[i])) {
            assert_int_equal(trial_run(t, 3.0), SALTUS_ZENO);
            ASSERT_NEAR(saltus_run_time(trial_get_run(t)), 2.55863396558580846, 2.0 * error);
        }
        trial_end(t);
    }
}

// Every reflection enlarges errors about sixfold: of sixteen digits five are left after 14.
static void photon(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOP853, SALTUS_SOLVER_DOPRI5,
                                           SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE};
    for (int i = 0; i < 4; i++) {
        Trial *t = solve("PhotonBilliard", 10.0, 1e-13, solvers[i]);
        ASSERT_LAST(t, "reflections", 14.0, 0.0);
        ASSERT_NEAR(example_change(t, "reflections", 0), 0.18202026619435145, 1e-14);
        ASSERT_NEAR(example_change(t, "reflections", 6), 5.9111941552680661, 1e-14 * pow(6.0, 6));
        ASSERT_LAST(t, "distance", 0.995262919443354160890311809427, 1e-14 * pow(6.0, 14));
        trial_end(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robertson_with_events),
        cmocka_unit_test(stiff),
        cmocka_unit_test(stars),
        cmocka_unit_test(detest),
        cmocka_unit_test(index_1),
        cmocka_unit_test(index_3),
        cmocka_unit_test(ball),

        cmocka_unit_test(photon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
