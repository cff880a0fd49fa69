// SPDX-License-Identifier: MIT
//
// Corners of what happens at events, one model of a few lines each (fresh/Corners.mo): impulses
// through several gears and clutches at once, sliding on surfaces that move, conditions that are
// zero at the start, crossings on the grid of fixed steps, events at the start and at the end,
// chains of pre, edge and change, samples that meet, whole numbers beyond 32 bits, reinit that
// causes further events, loops with conditions, machines. The numbers are closed forms, or computed
// event by event without Saltus. Seven solvers.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORNERS_VALUES = 5 };

// clang-format off
static const struct {
    const char *model;
    double stop_time, bound; // a thousand times the tolerance, and more where events accumulate
    struct { const char *name; double value; } expected[CORNERS_VALUES];
} corners[] = {
    {"TwoGears", 2, 1e-06, {{"w1", 2.5}, {"w3", 2.5}}},
    {"TwoSlides", 6, 1e-06, {{"x", 0}, {"y", 0}}},
    {"TwoSlides3", 3, 1e-06, {{"x", 0}, {"y", 0.4}}},
    {"Track", 5, 1e-06, {{"x", -0.958924274663138}}},
    {"SlideReinit", 4, 1e-06, {{"x", 0}, {"q", 0.5}}},
    {"SlideSample", 3.1, 1e-06, {{"x", 0}, {"n", 12}}},
    {"SlideLeave2", 4, 1e-06, {{"x", 1}}},
    {"SlideThird", 3, 1e-06, {{"x", -0.024893534183932}}},
    {"StartZero2", 1, 1e-06, {{"a", 1}, {"b", 0}, {"c", 0}, {"d", 1}}},
    {"StartZeroRest", 1, 1e-06, {{"a", 1}, {"b", 1}, {"x", 0.5}}},
    {"StartZeroWhen", 1, 1e-06, {{"n", 1}, {"k", 0}}},
    {"GridCount", 0.995, 1e-06, {{"n", 99}, {"c", 99}}},
    {"GridBoth", 1.05, 1e-06, {{"c", 6}}},
    {"Quartic", 2, 1e-06, {{"n", 2}, {"b", 0}}},
    {"Close2", 2, 1e-06, {{"n", 2}, {"b", 0}}},
    {"CloseTime", 2, 1e-06, {{"n", 2}, {"b", 0}}},
    {"AtStop", 1, 1e-06, {{"n", 1}, {"k", 0}}},
    {"StopSample", 1, 1e-06, {{"n", 5}}},
    {"EdgeChain", 2, 1e-06, {{"n", 1}, {"k", 1}, {"j", 1}, {"c", 1}}},
    {"VectorWhen", 5, 1e-06, {{"n", 3}}},
    {"Lcg", 9.95, 1e-06, {{"k", 1447624116}}},
    {"BigInt", 1.05, 1e-12, {{"k", 1991332812}, {"j", 5973998392}}},
    {"Samples", 2.01, 1e-06, {{"n", 5}, {"k", 25}}},
    {"Samples3", 1.85, 1e-09, {{"a", 6}, {"b", 51}, {"c", 63}}},
    {"Cradle", 2, 1e-06, {{"x[1]", 0.5}, {"x[2]", 1.5}, {"x[3]", 3}, {"v[3]", 1}}},
    {"ReinitChain", 1.5, 1e-06, {{"x", 5.5}, {"y", 7}, {"n", 1}}},
    {"ReinitBack", 3.5, 1e-06, {{"x", 0.5}, {"n", 3}}},
    {"ReinitTo", 2.5, 1e-06, {{"n", 1}, {"x", 2.5}}},
    {"ExclusiveReinit", 7, 1e-06, {{"x", 0}, {"v", 0.5}}},
    {"SampleReinit", 2.5, 1e-06, {{"x", 0.911745818484962}}},
    {"Opposite", 2, 1e-06, {{"bad", 0}, {"n", 1}}},
    {"AlgebraicIf", 2, 1e-06, {{"y", 3}}},
    {"Relax", 10, 1e-06, {{"x", -0.10639318248501}, {"n", 9}}},
    {"Many", 2, 1e-06, {{"s", 820}}},
    {"DelayRel", 2, 1e-06, {{"b", 1}, {"at", 0.8}}},
    {"TimedNext", 4.65, 1e-09, {{"n", 10}}},
    {"Ball", 2.5, 1e-05, {{"h", 0}, {"v", 0}}},
    {"NoEventInt", 7, 1e-05, {{"q", 2.2460977456567}}},
    {"AbsKink", 5, 1e-06, {{"q", 3.25322930428627}}},
    {"Cascade3", 2, 1e-06, {{"z", 2}}},
    {"PreReal", 2, 1e-06, {{"x", 4}}},
    {"MaxSwitch", 2, 1e-06, {{"w", 4.66666666666667}}},
    {"Hyst3", 6, 1e-06, {{"q", 0.0305050520375074}}},
    {"StringSlack", 3, 1e-06, {{"v", 0.333333333333333}, {"w", 0.333333333333333}, {"x", 1.66666666666667}, {"y", 0.666666666666667}}},
    {"LoopEvent", 8, 1e-06, {{"n", 2}}},
    {"LoopJumpOk", 1, 1e-06, {{"x", 2}}},
    {"EntryEvent", 1, 1e-06, {{"x", 1.74264068711928}, {"v", 0.242640687119285}}},
    {"AlgoWhen", 1.05, 1e-09, {{"k", 12}, {"s", 2}}},
    {"Machine", 3.2, 1e-06, {{"a.x", 0.2}, {"b.y", 1}}},
    {"MachineNoReset", 2.9, 1e-06, {{"n", 2}}},
    {"Guard2", 3, 1e-06, {{"h", 0}}},
    {"GuardLog", 2, 1e-06, {{"x", 0}, {"y", 0}}},
    {"TwoTanks", 3, 1e-05, {{"h1", 0}, {"h2", 1}}},
    {"SawTooth", 5, 1e-06, {{"x", 0.74}, {"q", 1.6}}},
    {"Div", 6.9, 1e-06, {{"n", 13}, {"d", 6}}},
    {"CountBoth", 6, 1e-06, {{"n", 2}}},
    {"PreWhen", 1.6, 1e-06, {{"a", 1.5}, {"b", 1}}},
    {"ZeroImpulse", 2, 1e-06, {{"v1", 1}, {"v2", 1}, {"F", 0}}},
    {"ThreeClutch", 3.5, 1e-06, {{"w[1]", 3}, {"w[4]", 3}}},
    {"ThreeClutchRev", 1.5, 1e-06, {{"w[1]", 3}, {"w[4]", 3}}},
    {"Unclutch", 3, 1e-06, {{"w1", 4}, {"w2", 3}}},
    {"CapShort", 2, 1e-06, {{"u1", 2}, {"u2", 2}}},
    {"SlopeReverse", 5, 1e-06, {{"v", -1.83333333333333}, {"x", -2.02777777777778}}},
    {"SlopeStick", 5, 1e-06, {{"v", 0}, {"x", 0.8}}},
    {"BoolLoop", 3, 1e-06, {{"a", 0}, {"b", 1}, {"n", 2}}},
    {"IntegerState", 4, 1e-06, {{"s", 2}, {"x", 1.5}}},
    {"WhenInit", 1, 1e-06, {{"n", 6}}},
    {"Spring", 14.43716694115407, 1e-06, {{"x", 0.825335614909678}, {"n", 3}}},
    {"Tangent", 2, 1e-06, {{"n", 2}}},
    {"TwoZeno", 6, 0.0001, {{"h1", 0}, {"v1", 0}, {"h2", 0}, {"v2", 0}, {"c", 0.960170286650366}}},
    {"TurnFloor", 4, 1e-06, {{"x", -24.591788729446115}, {"y", 27}, {"n", -25}}},
    {"TurnCeil", 4, 1e-06, {{"x", -86.50535790856912}, {"y", 88}, {"n", -86}}},
    {"TurnDiv", 4, 1e-06, {{"x", -19.63921886566162}, {"y", 21}, {"n", -19}}},
    {"SawCeil", 5.5, 1e-06, {{"x", -1.5}, {"k", 7}}},
    {"Touch", 4.5, 1e-06, {{"x", -0.5}, {"y", 1.5}}},
    {"SlideFloor", 10, 1e-06, {{"x", 2.225}}},
    {"SlideCeil", 10, 1e-06, {{"x", -2.225}}},
    {"SlideDiv", 10, 1e-06, {{"x", 2.225}, {"y", -2.225}}},
    {"SlideInteger", 10, 1e-06, {{"x", 2.225}, {"n", 2}}},
    {"SlideSquare", 20, 1e-06, {{"x", 2.225}}},
    {"SlideMod", 3, 1e-06, {{"x", 1}}},
    {"SlideWholes", 3, 1e-06, {{"x", 1}, {"y", 1}, {"z", 0.65}}},
    {"SlideTwice", 10, 1e-06, {{"x", 1}}},
    {"SlideMachine", 5, 1e-06, {{"x", 1}, {"c", 5}}},
    // 2 to x = 1, then 1, 2, 3 from artanh(1/4), artanh(2/4), artanh(3/4) behind it
    {"JumpInteger", 2, 1e-06, {{"z", 3.222325969255293}, {"n", 3}}},
    {"JumpRelation", 3, 1e-06, {{"z", 2.5}, {"b", 1}}},
    // i = 102 (1 - e^(-t/10.2)) to i = 3.06, then i' = 10 - 5 i
    {"Fuse", 2, 1e-06, {{"i", 2.00022751110441}, {"iF", 0}, {"blown", 1}}},
    {"FuseWhen", 2, 1e-06, {{"i", 2.00022751110441}, {"iF", 0}, {"blown", 1}}},
    // u = t/(1 + 1/3 + 1/10) to u = 1, then 10 t
    {"TwoFuses", 3, 1e-06, {{"q", 35.4444444444444}, {"b1", 1}, {"b2", 1}}},
    // v = 10 (1 - e^(-t/10)) to v = 2, then t
    {"Reclose", 5, 1e-06, {{"v", 4.7685644868579}, {"trips", 6}, {"open", 1}}},
    {"TripReinit", 1, 1e-06, {{"x", 5.5}, {"y", 0}, {"off", 1}}},
    {"MetAndMoved", 2.5, 1e-06, {{"n", 0}, {"b", 0}}},
    {"SlideWholeReinit", 4, 1e-06, {{"x", 1.8733333333333333}}},
};
// clang-format on

static const SaltusSolver solvers[] = {
    SALTUS_SOLVER_RK4,   SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
    SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};

static Trial *corners_trial(const char *model)
{
    static char text[65536];
    FILE *file = fopen(SALTUS_SOURCE_DIR "/tests/model/fresh/Corners.mo", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 100, file);
    fclose(file);
    snprintf(text + length, sizeof text - length, "model T extends Corners.%s; end T;\n", model);
    return trial_text(text);
}

// rk4 is as exact as its step allows: h^4 of the motions here, which take about 1.
static double corners_bound(SaltusSolver solver, double bound)
{
    return solver == SALTUS_SOLVER_RK4                                    ? fmax(bound, 1e-4)
           : solver >= SALTUS_SOLVER_CVODE && solver <= SALTUS_SOLVER_IDA ? fmax(bound, 2e-6)
                                                                          : bound;
}

static void test_corners(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
            Trial *t = corners_trial(corners[i].model);
            if (!trial_is_model(t))
                fail_msg("%s: %s", corners[i].model, trial_messages(t));
            SaltusMethod *method = &trial_options(t)->method;
            method->solver = solvers[k];
            method->step = solvers[k] == SALTUS_SOLVER_RK4 ? 0.01 : 0.0;
            method->relative_tolerance = 1e-9;
            method->absolute_tolerance = 1e-12;
            if (trial_run(t, corners[i].stop_time) != SALTUS_OK)
                fail_msg("%s, %s: %s", corners[i].model, saltus_solver_name(solvers[k]),
                         trial_error(t));
            for (int j = 0; j < CORNERS_VALUES && corners[i].expected[j].name; j++) {
                const double value = trial_value(t, corners[i].expected[j].name);
                const double expected = corners[i].expected[j].value;
                if (!(fabs(value - expected) <=
                      corners_bound(solvers[k], corners[i].bound) * (1.0 + fabs(expected))))
                    fail_msg("%s, %s: %s = %.17g, not %.17g", corners[i].model,
                             saltus_solver_name(solvers[k]), corners[i].expected[j].name, value,
                             expected);
            }
            trial_end(t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
