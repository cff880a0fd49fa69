// SPDX-License-Identifier: MIT
//
// ARGESIM comparison C5, "Two State Model".
//
// y2 relaxes towards c4 in closed form; y1 follows y2 + c2 with the rate c1:
//   y2 = c4 + b e^(-c3 s),   y1 = c2 + c4 + c1 b/(c1 - c3) e^(-c3 s) + k e^(-c1 s)
// so that each switching time is the zero of a known function.

#include "numerics/root.h"
#include "report/benchmark.h"

#include <math.h>

typedef struct Regime {
    double c1, c3, c2, c4, y1, y2, threshold;
} Regime;

static double y1_after(const Regime *r, double s)
{
    const double beta = r->y2 - r->c4, slow = r->c1 * beta / (r->c1 - r->c3);
    const double kappa = r->y1 - r->c2 - r->c4 - slow;
    return r->c2 + r->c4 + slow * exp(-r->c3 * s) + kappa * exp(-r->c1 * s);
}

static double miss_threshold(void *user, double s)
{
    const Regime *r = user;
    return y1_after(r, s) - r->threshold;
}

// The first switching times by the closed form.
static void closed_form(double c1, double c3, double *times, size_t count)
{
    double t = 0.0, y1 = 4.2, y2 = 0.3;
    for (size_t i = 0; i < count; i++) {
        Regime r = {c1, c3, i % 2 ? -0.3 : 0.4, i % 2 ? 2.73 : 5.5, y1, y2, i % 2 ? 2.5 : 5.8};
        // The fast part is over after 1e-4 s; beyond, y1 is monotonic.
        const double s = root_find(miss_threshold, &r, 1e-4, 3.0, 0.0);
        y2 = r.c4 + (y2 - r.c4) * exp(-c3 * s);
        y1 = r.threshold;
        t += s;
        times[i] = t;
    }
}

static void task(Benchmark *b)
{
    enum { SWITCHINGS = 5 };
    LabSetup setup = {.file = "TwoState.mo",
                      .model = "TwoState",
                      .interval = 0.005,
                      .method = lab_method(SALTUS_SOLVER_RODAS, 1e-12, 0.0)};
    const LabEvent *events[16];
    double times[SWITCHINGS];
    LabRun *run = benchmark_lab(b, &setup);
    const size_t count = lab_changes(run, "c2", NAN, events, 16);
    closed_form(lab_parameter(b->lab, &setup, "c1"), lab_parameter(b->lab, &setup, "c3"), times,
                SWITCHINGS);
    benchmark_listing(b, DOCUMENT_BOTH, "TwoState.mo", "TwoState", "The model");
    for (size_t i = 0; i < SWITCHINGS; i++)
        findings_check(&b->findings, i < count ? events[i]->t : NAN, "s", times[i], 1e-9,
                       "closed form", "S.t[%zu]", i + 1);
    findings_check(&b->findings, count >= SWITCHINGS ? events[4]->t : NAN, "s", 4.99999965, 5.1e-9,
                   "published value", "S.published.t[5]");
    findings_check(&b->findings, (double)count, "", 5.0, 0.0, "five events", "S.events");
    const PlotCurve curves[] = {benchmark_curve(b, run, "y1", "y_{1}"),
                                benchmark_curve(b, run, "y2", "y_{2}")};
    const PlotPanel panel = benchmark_panel("state", NULL, curves, 2);
    document_figure(b->document, DOCUMENT_BOTH, "S.run", "Both states",
                    &(PlotFigure){.panels = &panel, .panel_count = 1});
    benchmark_events(b, DOCUMENT_BOTH, run, 16, "S.log", "Events");
}

static const BenchmarkTask c5_tasks[] = {{"S", "Switching times", 1, task, NULL}};

const BenchmarkDef benchmark_c5 = {
    .name = "c5",
    .title = "Two State Model: ARGESIM Comparison C5 with Saltus",
    .subtitle = "A very stiff system with five events, the last one just before the end",
    .abstract = "Two states with time constants of 0.3 s and 0.4 µs switch each other. All five "
                "events are found; their times agree with the closed form.",
    .tasks = c5_tasks,
    .task_count = COUNT(c5_tasks),
};
