// SPDX-License-Identifier: MIT
//
// C21, bouncing ball with dynamic contact: tasks B5 to B9.
//
// A contact that begins at x = 0 with speed u, gravity neglected: with delta = d/2 and
// omega = sqrt(k - delta^2), the force k x + d v vanishes again after t_c = 2
// atan(omega/delta)/omega, and the ball leaves with the speed u exp(-delta t_c). (Overdamped: omega
// becomes imaginary.)

#include "report/c21.h"

#include <math.h>
#include <stdio.h>

enum { MOST_CONTACTS = 400 };

static const char *const approaches[] = {"Ball.SwitchingParts", "Ball.Decomposed",
                                         "Ball.MaximalStateSpace"};

static double contact_time(double k, double d)
{
    const double delta = 0.5 * d, square = k - delta * delta;
    if (square > 0.0)
        return 2.0 * atan(sqrt(square) / delta) / sqrt(square);
    return 2.0 * atanh(sqrt(-square) / delta) / sqrt(-square);
}

static double restitution(double k, double d)
{
    return exp(-0.5 * d * contact_time(k, d));
}

static SaltusMethod fine(void)
{
    return lab_method(SALTUS_SOLVER_RODAS, 1e-12, 0.0);
}

// The events C and F of a run, by the variable `contact`, or the states of the machine.
typedef struct Contacts {
    size_t count, releases;
    const LabEvent *begin[MOST_CONTACTS], *end[MOST_CONTACTS];
} Contacts;

static Contacts find_contacts(const LabRun *run)
{
    Contacts c;
    c.count = lab_changes(run, "contact", 1.0, c.begin, MOST_CONTACTS);
    c.releases = lab_changes(run, "contact", 0.0, c.end, MOST_CONTACTS);
    if (!c.count) {
        c.count = lab_entries(run, "touching", c.begin, MOST_CONTACTS);
        c.releases = lab_entries(run, "flying", c.end, MOST_CONTACTS);
    }
    if (c.count > MOST_CONTACTS || c.releases > MOST_CONTACTS)
        c.count = c.releases = 0;
    return c;
}

// ---------------------------------------------------------------------------
// B5
// ---------------------------------------------------------------------------

void c21_b5(Benchmark *b)
{
    Document *d = b->document;
    document_text(
        d, DOCUMENT_BOTH,
        "*Switching parts*: a Boolean chooses terms of the "
        "right-hand side; the events are changes of that parameter (SE-P). *Hybrid decomposition*: "
        "a state machine with the states `flying`, of three states, and `touching`, of two, "
        "because the deformation is $-x$ there; the number of states changes (SE-S). *Maximal "
        "state "
        "space*: five states, those of the other phase frozen and set at the change (SE-X). Flight "
        "begins tangentially: $y$ and its first derivative are zero at each lift-off. A condition "
        "that is zero when a phase begins is armed with the sign it takes just after, so event C "
        "neither fires at once nor is lost if the next contact follows soon.");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "Deformable", "What all three share");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "SwitchingParts", "Switching parts");
    benchmark_listing(b, DOCUMENT_BOTH, "Ball.mo", "Decomposed",
                      "Hybrid decomposition: the machine");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "Flying", "Its state `flying`");
    benchmark_listing(b, DOCUMENT_BOTH, "Ball.mo", "Touching", "Its state `touching`");
    benchmark_listing(b, DOCUMENT_PAGE, "Ball.mo", "MaximalStateSpace", "Maximal state space");
    static const char *const ids[] = {"B5.events.parts", "B5.events.machine", "B5.events.maximal"};
    double first[COUNT(approaches)][4];
    for (size_t i = 0; i < COUNT(approaches); i++) {
        LabRun *run = benchmark_lab(b, &(LabSetup){.file = "Ball.mo",
                                                   .model = approaches[i],
                                                   .stop_time = 3.0,
                                                   .is_silent = true,
                                                   .method = fine()});
        if (i == 1)
            benchmark_chart(b, DOCUMENT_BOTH, run, "B5.chart",
                            "B5: the state machine `Ball.Decomposed`, with the numbers of its "
                            "transitions within 3 s");
        benchmark_events(b, i == 1 ? DOCUMENT_BOTH : DOCUMENT_PAGE, run, 8, ids[i],
                         document_format(d, "B5: events of `%s`", approaches[i]));
        const Contacts c = find_contacts(run);
        for (size_t k = 0; k < 2; k++) {
            first[i][2 * k] = k < c.count ? c.begin[k]->t : NAN;
            first[i][2 * k + 1] = k < c.releases ? c.end[k]->t : NAN;
        }
    }
    // At a relative tolerance of 1e-12 events agree to a few times that.
    for (size_t i = 1; i < COUNT(approaches); i++)
        for (size_t k = 0; k < 4; k++)
            findings_check(&b->findings, first[i][k], "s", first[0][k], 1e-10,
                           "Ball.SwitchingParts", "B5.%s.t[%zu]", approaches[i] + 5, k + 1);
}

// ---------------------------------------------------------------------------
// B6
// ---------------------------------------------------------------------------

// Contacts and releases, in the order of time.
static size_t contact_events(const LabRun *run, double *times, size_t most)
{
    const Contacts c = find_contacts(run);
    size_t count = 0;
    for (size_t i = 0; i < c.count && count + 1 < most; i++) {
        times[count++] = c.begin[i]->t;
        if (i < c.releases)
            times[count++] = c.end[i]->t;
    }
    return count;
}

void c21_b6(Benchmark *b)
{
    const size_t right = c21_compare_methods(
        b, &(C21Study){.id = "B6.methods",
                       .caption = "B6: dependence of the dynamic contact on solver, locator and "
                                  "tolerance, until the ball lies still (4.5 s)",
                       .place = DOCUMENT_BOTH,
                       .setup = {.file = "Ball.mo",
                                 .model = "Ball.SwitchingParts",
                                 .stop_time = 4.5,
                                 .method = fine()},
                       .events = contact_events,
                       .compared = 6,
                       .located = SALTUS_SOLVER_RODAS,
                       .sensible = 1e-5});
    document_text(b->document, DOCUMENT_BOTH,
                  "A contact takes 2.7 ms, a flight a second, and the deformation of the flying "
                  "ball decays with $k/d = 2000$ 1/s: explicit methods are held to steps "
                  "of one or two milliseconds in flight, implicit ones are not. Deviations are the "
                  "largest of the first six events from `rodas` at 1e-12; a combination is called "
                  "sensible if it finds all %zu events and these to 10 µs.",
                  right);
}

// ---------------------------------------------------------------------------
// B7
// ---------------------------------------------------------------------------

static LabRun *run_dynamic(Benchmark *b, SaltusSolver solver, double drag_in_contact,
                           bool is_silent)
{
    return benchmark_lab(b, &(LabSetup){.file = "Ball.mo",
                                        .model = "Ball.SwitchingParts",
                                        LAB_VALUES({"dragInContact", drag_in_contact}),
                                        .stop_time = 30.0,
                                        .is_silent = is_silent,
                                        .method = lab_method(solver, 1e-12, 0.0)});
}

// The heights and deformations that events noted.
static size_t extremes(const LabRun *run, const char *name, double *values, size_t most)
{
    const LabEvent *events[MOST_CONTACTS];
    size_t count = lab_changes(run, name, NAN, events, MOST_CONTACTS);
    for (size_t i = 0; i < count && i < most; i++)
        values[i] = lab_after(run, events[i], name);
    return count < most ? count : most;
}

// is_contact: from event C to event F, otherwise from F to C.
static void plot_phase(Benchmark *b, const LabRun *run, const char *id, const char *what,
                       double from, double to, bool is_contact)
{
    static const char *const names[] = {"x", "w", "y", "v", "f"};
    const double margin = 0.1 * (to - from);
    PlotCurve curves[COUNT(names)];
    for (size_t i = 0; i < COUNT(names); i++)
        curves[i] = benchmark_curve(b, run, names[i], names[i]);
    const double *f = curves[4].y;
    double *force = ARENA_ARRAY(b->arena, run->row_count, double);
    const double *contact = benchmark_column(b, run, "contact");
    for (size_t i = 0; i < run->row_count; i++)
        force[i] = contact[i] > 0.5 ? f[i] : NAN;
    curves[4].y = force;
    const PlotMark marks[] = {{from, is_contact ? "C" : "F"}, {to, is_contact ? "F" : "C"}};
    const PlotAxis axis = {
        .label = "time", .unit = "s", .is_limited = true, .from = from - margin, .to = to + margin};
    const PlotPanel panels[] = {
        {.x = axis,
         .y = {.label = "position", .unit = "m"},
         .curves = curves,
         .curve_count = 3,
         .marks = marks,
         .mark_count = 2,
         .is_time = true},
        {.x = axis,
         .y = {.label = "v", .unit = "m/s"},
         .curves = curves + 3,
         .curve_count = 1,
         .is_time = true},
        {.x = axis,
         // Without a unit that would get a prefix: the figures are to be compared.
         .y = {.label = "f_{c} (m/s^{2})"},
         .curves = curves + 4,
         .curve_count = 1,
         .is_time = true}};
    document_figure(
        b->document, DOCUMENT_BOTH, id, what,
        &(PlotFigure){
            .panels = panels, .panel_count = COUNT(panels), .columns = 3, .height = 62.0});
}

static void check_contact_events(Benchmark *b, const LabRun *run, const LabRun *second)
{
    const Contacts c = find_contacts(run), other = find_contacts(second);
    // Two solvers of different families at 1e-12: they agree to 1e-9 relative.
    for (size_t i = 0; i < c.count; i++)
        findings_check(&b->findings, c.begin[i]->t, "s", i < other.count ? other.begin[i]->t : NAN,
                       1e-9 * c.begin[i]->t, "dop853", "B7.t_C[%zu]", i + 1);
    for (size_t i = 0; i < c.releases; i++)
        findings_check(&b->findings, c.end[i]->t, "s", i < other.releases ? other.end[i]->t : NAN,
                       1e-9 * c.end[i]->t, "dop853", "B7.t_F[%zu]", i + 1);
    if (c.count)
        findings_check(&b->findings, c.begin[c.count - 1]->t, "s",
                       other.count == c.count ? other.begin[c.count - 1]->t : NAN,
                       1e-9 * c.begin[c.count - 1]->t, "dop853", "B7.t_last_contact");
}

static void check_extremes(Benchmark *b, const LabRun *run, const LabRun *second, bool is_standard)
{
    static const double heights[] = {2.494758649}, deformations[] = {9.87399975e-3, 4.97196356e-3};
    double h[12], w[12], h2[12], w2[12];
    const size_t heights_found = extremes(run, "height", h, 12),
                 deformations_found = extremes(run, "deformation", w, 12);
    const size_t heights_second = extremes(second, "height", h2, 12),
                 deformations_second = extremes(second, "deformation", w2, 12);
    const Contacts c = find_contacts(run);
    // Published with ten and nine digits. The others: two solvers.
    for (size_t i = 0; i < heights_found && i + 1 < c.count; i++) {
        const bool is_published = is_standard && i < COUNT(heights);
        const double other = i < heights_second ? h2[i] : NAN;
        findings_check(&b->findings, h[i], "m", is_published ? heights[i] : other,
                       is_published ? 1e-9 : 1e-9 * h[i] + 1e-12,
                       is_published ? "published solution" : "dop853", "B7.h_max[%zu]", i + 1);
    }
    for (size_t i = 0; i < deformations_found && i < c.count; i++) {
        const bool is_published = is_standard && i < COUNT(deformations);
        const double other = i < deformations_second ? w2[i] : NAN;
        findings_check(&b->findings, w[i], "m", is_published ? deformations[i] : other,
                       is_published ? 1e-11 : 1e-9 * w[i] + 1e-12,
                       is_published ? "published solution" : "dop853", "B7.w_max[%zu]", i + 1);
    }
}

void c21_b7(Benchmark *b)
{
    const LabSetup standard = {.file = "Ball.mo", .model = "Ball.SwitchingParts"};
    const double g = lab_parameter(b->lab, &standard, "g"),
                 k = lab_parameter(b->lab, &standard, "k");
    // The published values are those of the definition's parameters.
    const bool is_standard = g == 9.81 && k == 1e6 &&
                             lab_parameter(b->lab, &standard, "d") == 500.0 &&
                             lab_parameter(b->lab, &standard, "beta") == 0.002 &&
                             lab_parameter(b->lab, &standard, "x0") == 10.0;
    LabRun *run = run_dynamic(b, SALTUS_SOLVER_RODAS, 0.0, false);
    LabRun *second = run_dynamic(b, SALTUS_SOLVER_DOP853, 0.0, true);
    const Contacts c = find_contacts(run);
    check_contact_events(b, run, second);
    check_extremes(b, run, second, is_standard);
    // At rest k w = g.
    findings_check(&b->findings, lab_last(run, "w"), "m", g / k, 1e-9, "g/k", "B7.w_rest");
    if (is_standard) {
        double h[1] = {NAN}, w[1] = {NAN};
        LabRun *dragged = run_dynamic(b, SALTUS_SOLVER_RODAS, 1.0, true);
        extremes(dragged, "height", h, 1);
        extremes(dragged, "deformation", w, 1);
        findings_check(&b->findings, h[0], "m", 2.494661006, 1e-9, "published MapleSim table",
                       "B7.drag_in_contact.h_max[1]");
        findings_check(&b->findings, w[0], "m", 9.87387827e-3, 1e-11, "published MapleSim table",
                       "B7.drag_in_contact.w_max[1]");
    }
    document_text(b->document, DOCUMENT_BOTH,
                  "They are in [#B7.contact1], [#B7.flight2] and [#B7.contact2]. After %zu "
                  "contacts the ball stays down; its deformation "
                  "tends to g/k. Two published solutions differ in the sixth digit: one of them "
                  "keeps the air resistance in contact, which the definition does not. Both are "
                  "reproduced.",
                  c.count);
    if (c.count < 2 || c.releases < 2)
        return;
    benchmark_animation(b,
                        (BenchmarkAnimation){.id = "B7.animation",
                                             .file = "Ball.mo",
                                             .model = "Ball.SwitchingParts",
                                             .plot = "x,y",
                                             .stop_time = 5.0},
                        "B7: the ball with dynamic contact, until it lies still");
    plot_phase(b, run, "B7.contact1", "B7: the first contact", c.begin[0]->t, c.end[0]->t, true);
    plot_phase(b, run, "B7.flight2", "B7: the second flight", c.end[0]->t, c.begin[1]->t, false);
    plot_phase(b, run, "B7.contact2", "B7: the second contact", c.begin[1]->t, c.end[1]->t, true);
}

// ---------------------------------------------------------------------------
// B8
// ---------------------------------------------------------------------------

typedef struct Bounce {
    size_t contacts;
    double contact_time, restitution, rebound; // of the first contact
} Bounce;

static Bounce bounce_with(Benchmark *b, SaltusSolver solver, double k, double d, double weight,
                          double stop)
{
    const SaltusSetting values[] = {{"k", k}, {"d", d}, {"weightInContact", weight}};
    Bounce result = {0, NAN, NAN, NAN};
    LabRun *run =
        lab_run(b->lab, &(LabSetup){.file = "Ball.mo",
                                    .model = "Ball.SwitchingParts",
                                    .values = values,
                                    .value_count = COUNT(values),
                                    .stop_time = stop,
                                    .is_silent = true,
                                    .method = lab_method(solver, stop > 10.0 ? 1e-8 : 1e-12, 0.0)});
    if (!run || run->status < 0)
        benchmark_fail(b, "B8, k = %g, d = %g: %s", k, d, run ? run->message : "out of memory");
    if (!run)
        return result;
    const Contacts c = find_contacts(run);
    result.contacts = c.count;
    if (c.count && c.releases) {
        result.contact_time = c.end[0]->t - c.begin[0]->t;
        result.restitution = -lab_before(run, c.end[0], "v") / lab_before(run, c.begin[0], "v");
        extremes(run, "height", &result.rebound, 1);
    }
    lab_run_free(run);
    return result;
}

// Restitutions of all pairs over d/sqrt(k), and the closed form without gravity, which depends on
// nothing else.
static void plot_ratio(Benchmark *b, const double *k, const double *d, const double *ratios, int n)
{
    const size_t count = (size_t)n * (size_t)n;
    double *x = ARENA_ARRAY(b->arena, count, double), *curve_x = ARENA_ARRAY(b->arena, 200, double),
           *curve_y = ARENA_ARRAY(b->arena, 200, double);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i * n + j] = d[i] / sqrt(k[j]);
    for (int i = 0; i < 200; i++) {
        curve_x[i] = 5e-3 * pow(1e4, i / 199.0);
        curve_y[i] = restitution(1.0, curve_x[i]);
    }
    const PlotCurve curves[] = {
        {.label = "computed, with gravity",
         .x = x,
         .y = ratios,
         .count = count,
         .style = PLOT_POINTS},
        {.label = "closed form without gravity", .x = curve_x, .y = curve_y, .count = 200}};
    const PlotPanel panel = {.x = {.label = "d/√k", .scale = PLOT_LOGARITHMIC},
                             .y = {.label = "first restitution"},
                             .curves = curves,
                             .curve_count = 2};
    document_figure(b->document, DOCUMENT_BOTH, "B8.curve",
                    "B8: restitution of the first contact over d/√k, for all pairs of the map",
                    &(PlotFigure){.panels = &panel, .panel_count = 1, .width = PLOT_COLUMN_WIDTH});
}

static void study_grid(Benchmark *b)
{
    enum { POINTS = 24 };
    double *k = ARENA_ARRAY(b->arena, POINTS, double), *d = ARENA_ARRAY(b->arena, POINTS, double);
    double *contacts = ARENA_ARRAY(b->arena, POINTS * POINTS, double);
    double *ratios = ARENA_ARRAY(b->arena, POINTS * POINTS, double);
    for (int i = 0; i < POINTS; i++) {
        k[i] = 1e4 * pow(1e4, i / (POINTS - 1.0));
        d[i] = 50.0 * pow(100.0, i / (POINTS - 1.0));
    }
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            const Bounce bounce = bounce_with(b, SALTUS_SOLVER_RODAS, k[j], d[i], 1.0, 30.0);
            contacts[i * POINTS + j] = (double)bounce.contacts;
            ratios[i * POINTS + j] = bounce.restitution;
        }
    const PlotAxis horizontal = {.label = "k", .unit = "1/s2", .scale = PLOT_LOGARITHMIC},
                   vertical = {.label = "d", .unit = "1/s", .scale = PLOT_LOGARITHMIC};
    const PlotMap maps[] = {{.x = k,
                             .y = d,
                             .z = contacts,
                             .x_count = POINTS,
                             .y_count = POINTS,
                             .colour = {.label = "contacts in 30 s"}},
                            {.x = k,
                             .y = d,
                             .z = ratios,
                             .x_count = POINTS,
                             .y_count = POINTS,
                             .colour = {.label = "first restitution"}}};
    const PlotPanel panels[] = {{.x = horizontal, .y = vertical, .map = &maps[0]},
                                {.x = horizontal, .y = vertical, .map = &maps[1]}};
    plot_ratio(b, k, d, ratios, POINTS);
    document_figure(b->document, DOCUMENT_BOTH, "B8.map",
                    "B8: number of contacts in 30 s and restitution of the first, over stiffness "
                    "and damping",
                    &(PlotFigure){.panels = panels, .panel_count = 2, .columns = 2});
}

static void plot_stiffness(Benchmark *b)
{
    static const double k[] = {1e4, 1e6, 1e8}, d[] = {50.0, 500.0, 5000.0};
    static const char *const k_labels[] = {"k = 10^{4}", "k = 10^{6}", "k = 10^{8}"};
    static const char *const d_labels[] = {"d = 50", "d = 500", "d = 5000"};
    PlotCurve by_k[3], by_d[3];
    for (size_t i = 0; i < 3; i++) {
        LabSetup setup = {.file = "Ball.mo",
                          .model = "Ball.SwitchingParts",
                          .stop_time = 12.0,
                          .interval = 0.01,
                          .method = lab_method(SALTUS_SOLVER_RODAS, 1e-8, 0.0)};
        setup.values = (const SaltusSetting[]){{"k", k[i]}, {"d", 500.0}};
        setup.value_count = 2;
        by_k[i] = benchmark_curve(b, benchmark_lab(b, &setup), "x", k_labels[i]);
        setup.values = (const SaltusSetting[]){{"k", 1e6}, {"d", d[i]}};
        by_d[i] = benchmark_curve(b, benchmark_lab(b, &setup), "x", d_labels[i]);
    }
    const PlotPanel panels[] = {benchmark_panel("x", "m", by_k, 3),
                                benchmark_panel("x", "m", by_d, 3)};
    document_figure(b->document, DOCUMENT_PAGE, "B8.height",
                    "B8: height for several k (d = 500 1/s) and d (k = 10^{6} 1/s²)",
                    &(PlotFigure){.panels = panels, .panel_count = 2});
}

void c21_b8(Benchmark *b)
{
    static const double cases[][2] = {{1e4, 500}, {1e5, 500}, {1e6, 500}, {1e7, 500},
                                      {1e8, 500}, {1e6, 50},  {1e6, 5000}};
    document_text(
        b->document, DOCUMENT_BOTH,
        "If gravity is neglected during contact, contact time and restitution have closed "
        "forms: $t_c = 2 \\arctan(\\omega/\\delta)/\\omega$ with $\\delta = d/2$ and $\\omega^2 = "
        "k - \\delta^2$, and the ball leaves with $e^{-\\delta t_c}$ of its speed. With gravity "
        "the restitution differs by the work of "
        "the weight. Stiffness alone makes the ball bounce for longer, damping alone for less "
        "long: what counts is $d/\\sqrt{k}$, over which all restitutions lie on one curve "
        "([#B8.curve]). The "
        "number of contacts within 30 s ([#B8.map]) has a ridge: a ball that bounces well is still "
        "high in the air at 30 s and had few contacts, one that bounces badly soon lies still. "
        "With $k = 10^4$ 1/s² and $d = 500$ 1/s the weight keeps the ball down after its first "
        "contact.");
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double k = cases[i][0], d = cases[i][1];
        char name[64];
        snprintf(name, sizeof name, "[k=1e%.0f,d=%g]", log10(k), d);
        const SaltusSolver rodas = SALTUS_SOLVER_RODAS;
        const Bounce all = bounce_with(b, rodas, k, d, 1.0, 30.0),
                     first = bounce_with(b, rodas, k, d, 1.0, 4.0),
                     free = bounce_with(b, rodas, k, d, 0.0, 4.0);
        // The second method is multistep and implicit; explicit ones would be held to k/d.
        const Bounce other = bounce_with(b, SALTUS_SOLVER_CVODE, k, d, 1.0, 30.0),
                     again = bounce_with(b, SALTUS_SOLVER_CVODE, k, d, 1.0, 4.0);
        findings_check(&b->findings, (double)all.contacts, "", (double)other.contacts, 0.0, "cvode",
                       "B8.bounces%s", name);
        // A ball that the weight keeps down (k = 1e4) rebounds to 0, and its contact has no end.
        const bool is_kept = isnan(first.rebound) && isnan(again.rebound);
        if (!is_kept)
            findings_check(&b->findings, first.contact_time, "s", again.contact_time,
                           1e-6 * first.contact_time, "cvode", "B8.contact_time%s", name);
        findings_check(&b->findings, is_kept ? 0.0 : first.rebound, "m",
                       is_kept ? 0.0 : again.rebound, is_kept ? 0.0 : 1e-6 * first.rebound, "cvode",
                       "B8.rebound%s", name);
        findings_check(&b->findings, is_kept ? 0.0 : first.restitution, "",
                       is_kept ? 0.0 : again.restitution, is_kept ? 0.0 : 1e-7, "cvode",
                       "B8.restitution%s", name);
        findings_check(&b->findings, free.contact_time, "s", contact_time(k, d),
                       1e-9 * contact_time(k, d) + 1e-13, "closed form",
                       "B8.contact_time.weightless%s", name);
        findings_check(&b->findings, free.restitution, "", restitution(k, d), 1e-9, "closed form",
                       "B8.restitution.weightless%s", name);
    }
    plot_stiffness(b);
    study_grid(b);
}

// ---------------------------------------------------------------------------
// B9
// ---------------------------------------------------------------------------

static LabRun *run_planet(Benchmark *b, const char *model, double g, double beta)
{
    const bool is_dynamic = model[5] == 'S';
    const SaltusSetting values[] = {{"g", g}, {"beta", beta}};
    return benchmark_lab(
        b, &(LabSetup){.file = "Ball.mo",
                       .model = model,
                       .values = values,
                       .value_count = COUNT(values),
                       .stop_time = 30.0,
                       .interval = 0.01,
                       .method = is_dynamic ? lab_method(SALTUS_SOLVER_RODAS, 1e-12, 0.0)
                                            : lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)});
}

static void plot_planets(Benchmark *b, const char *id, const char *caption, DocumentPlace place,
                         LabRun *const runs[2])
{
    static const char *const planets[] = {"Earth", "Mars"};
    PlotCurve heights[2], velocities[2];
    for (size_t i = 0; i < 2; i++) {
        heights[i] = benchmark_curve(b, runs[i], "x", planets[i]);
        velocities[i] = benchmark_curve(b, runs[i], "v", NULL);
    }
    const PlotPanel panels[] = {benchmark_panel("x", "m", heights, 2),
                                benchmark_panel("v", "m/s", velocities, 2)};
    document_figure(b->document, place, id, caption,
                    &(PlotFigure){.panels = panels, .panel_count = 2, .height = 75.0});
}

// The ball with dynamic contact on Mars by a method of another family.
static LabRun *second_on_mars(Benchmark *b)
{
    return benchmark_lab(b, &(LabSetup){.file = "Ball.mo",
                                        .model = "Ball.SwitchingParts",
                                        LAB_VALUES({"g", 3.69}, {"beta", 2.3e-4}),
                                        .stop_time = 30.0,
                                        .is_silent = true,
                                        .method = lab_method(SALTUS_SOLVER_DOP853, 1e-12, 0.0)});
}

void c21_b9(Benchmark *b)
{
    static const struct {
        const char *id, *caption, *model;
        double earth_g, earth_beta, mars_g, mars_beta;
        DocumentPlace place;
    } cases[] = {
        {"B9.event", "B9: Earth and Mars, event contact", "Ball.EventContact", 9.81, 0.002, 3.69,
         2.3e-4, DOCUMENT_BOTH},
        {"B9.dynamic", "B9: Earth and Mars, dynamic contact", "Ball.SwitchingParts", 9.81, 0.002,
         3.69, 2.3e-4, DOCUMENT_BOTH},
        {"B9.forerunner", "B9: with the forerunner's values, g = 3.693 and β = 0.02 on Earth",
         "Ball.EventContact", 9.81, 0.02, 3.693, 2.3e-4, DOCUMENT_PAGE},
        {"B9.still", "B9: dynamic contact without air resistance", "Ball.SwitchingParts", 9.81, 0.0,
         3.69, 0.0, DOCUMENT_PAGE},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        LabRun *runs[2] = {run_planet(b, cases[i].model, cases[i].earth_g, cases[i].earth_beta),
                           run_planet(b, cases[i].model, cases[i].mars_g, cases[i].mars_beta)};
        plot_planets(b, cases[i].id, cases[i].caption, cases[i].place, runs);
        if (i == 1) {
            const Contacts c = find_contacts(runs[1]);
            const Contacts other = find_contacts(second_on_mars(b));
            for (size_t k = 0; k < c.count; k++)
                findings_check(&b->findings, c.begin[k]->t, "s",
                               k < other.count ? other.begin[k]->t : NAN, 1e-9 * c.begin[k]->t,
                               "dop853", "B9.mars.t_C[%zu]", k + 1);
        }
    }
    document_text(b->document, DOCUMENT_BOTH,
                  "On Mars the ball falls slower and its air hardly brakes: flights take "
                  "$\\sqrt{g/g_M}$ times as long, speeds are smaller, and after equal numbers of "
                  "bounces the ball rises higher.");
    c21_mars_limit(b);
}
