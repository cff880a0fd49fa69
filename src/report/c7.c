// SPDX-License-Identifier: MIT
//
// ARGESIM comparison C7, "Constrained Pendulum".

#include "report/benchmark.h"

#include <math.h>

static void c7_check_events(Benchmark *b, const char *id, const SaltusSetting *values, size_t count,
                            const double *published, size_t published_count)
{
    LabSetup setup = {.file = "ConstrainedPendulum.mo",
                      .model = "ConstrainedPendulum.Synchronised",
                      .values = values,
                      .value_count = count,
                      .interval = 0.01,
                      .method = lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)};
    const LabEvent *events[16], *others[16];
    LabRun *run = benchmark_lab(b, &setup);
    const size_t found = lab_changes(run, "short", NAN, events, 16);
    setup.model = "ConstrainedPendulum.Tangential";
    const size_t other = lab_changes(benchmark_lab(b, &setup), "short", NAN, others, 16);
    for (size_t i = 0; i < found && i < 16; i++) {
        findings_check(&b->findings, events[i]->t, "s", i < other ? others[i]->t : NAN, 1e-10,
                       "in the tangential velocity", "%s.t[%zu]", id, i + 1);
        if (i < published_count) // six digits behind the point
            findings_check(&b->findings, events[i]->t, "s", published[i], 5.1e-7,
                           "published solution", "%s.published.t[%zu]", id, i + 1);
    }
    const PlotCurve curves[] = {benchmark_curve(b, run, "phi", NULL),
                                benchmark_curve(b, run, "omega", NULL)};
    const PlotPanel panels[] = {benchmark_panel("φ", "rad", curves, 1),
                                benchmark_panel("φ'", "rad/s", curves + 1, 1)};
    document_figure(b->document, DOCUMENT_BOTH, document_format(b->document, "%s.run", id),
                    "Angle and angular velocity",
                    &(PlotFigure){.panels = panels, .panel_count = 2});
    benchmark_events(b, DOCUMENT_BOTH, run, 16, document_format(b->document, "%s.events", id),
                     "Events");
}

static void model(Benchmark *b)
{
    benchmark_listing(b, DOCUMENT_BOTH, "ConstrainedPendulum.mo", "Synchronised",
                      "The pendulum with an event");
    benchmark_listing(b, DOCUMENT_BOTH, "ConstrainedPendulum.mo", "Tangential",
                      "The same in the tangential velocity");
}

static void task_a(Benchmark *b)
{
    static const double published[] = {0.703459, 1.151780, 2.590418, 2.990529,
                                       4.542741, 4.867488, 6.648707, 6.720384};
    c7_check_events(b, "A", NULL, 0, published, COUNT(published));
}

static void task_b(Benchmark *b)
{
    static const SaltusSetting values[] = {{"d", 0.1}, {"phi0", -0.52359877559829887308}};
    static const double published[] = {0.187378};
    c7_check_events(b, "B", values, COUNT(values), published, COUNT(published));
}

static const BenchmarkTask c7_tasks[] = {
    {"M", "The model", 1, model, NULL},
    {"A", "d = 0.2, from π/6", 1, task_a, NULL},
    {"B", "d = 0.1, from −π/6", 1, task_b, NULL},
};

const BenchmarkDef benchmark_c7 = {
    .name = "c7",
    .title = "Constrained Pendulum: ARGESIM Comparison C7 with Saltus",
    .subtitle = "Events, and what they are checked against",
    .abstract =
        "A pendulum whose rope meets a pin and becomes shorter: the angular velocity jumps, "
        "the tangential velocity does not. Two formulations agree with each other and with "
        "published event times.",
    .tasks = c7_tasks,
    .task_count = COUNT(c7_tasks),
};
