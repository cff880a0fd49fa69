// SPDX-License-Identifier: MIT
//
// C21, classes of events: task E1.

#include "report/c21.h"

#include <math.h>
#include <string.h>

typedef struct ClassCase {
    const char *model;
    unsigned wanted; // classes that its event must have
    double time;     // of the event, by a closed form
} ClassCase;

// The classes as the documents name them.
static void map_names(Benchmark *b)
{
    static const char *const columns[] = {"C21", "what changes", "paper on Hénon's method",
                                          "forerunner"};
    static const char *const cells[] = {
        "SE-P",   "parameters",
        "SE-P",   "type one, SE-P",
        "SE-I",   "inputs (a time event)",
        "SE-I",   "SE-I",
        "SE-X",   "values of states",
        "SE-S",   "(not named)",
        "SE-F",   "right-hand sides",
        "SE-D",   "(not named)",
        "SE-S",   "structure, number of states",
        "SE-M",   "type four, SE-D",
        "SE-O",   "an output is traced",
        "SE-O",   "(not named)",
        "SE-A",   "the algorithm",
        "(none)", "(none)",
    };
    document_table(
        b->document, DOCUMENT_PAGE,
        &(DocumentTable){.id = "E1.names",
                         .caption = "E1: names of the classes of events in the documents",
                         .columns = columns,
                         .column_count = COUNT(columns),
                         .cells = cells,
                         .row_count = COUNT(cells) / COUNT(columns)});
}

// Events of several classes at once, as the log has them.
static void show_combinations(Benchmark *b)
{
    static const struct {
        const char *what, *file, *model;
        size_t event;
    } rows[] = {
        {"event B: bounce, counted", "Ball.mo", "Ball.EventContact", 0},
        {"event C as switching part", "Ball.mo", "Ball.SwitchingParts", 1},
        {"event C in the machine", "Ball.mo", "Ball.Decomposed", 0},
        {"event C in the maximal state space", "Ball.mo", "Ball.MaximalStateSpace", 0},
        {"event F of the pendulum, Cartesian", "Pendulum.mo", "Pendulum.Cartesian", 0},
        {"event F of the pendulum, six states", "Pendulum.mo", "Pendulum.MaximalStateSpace", 0},
    };
    static const char *const columns[] = {"event", "model", "classes"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[COUNT(rows) * COLUMNS];
    for (size_t i = 0; i < COUNT(rows); i++) {
        LabRun *run = benchmark_lab(b, &(LabSetup){.file = rows[i].file,
                                                   .model = rows[i].model,
                                                   .stop_time = 2.5,
                                                   .is_silent = true});
        char classes[SALTUS_CLASSES_TEXT_SIZE] = "";
        if (rows[i].event < run->event_count)
            saltus_classes_text(run->events[rows[i].event].classes, classes);
        cells[COLUMNS * i] = rows[i].what;
        cells[COLUMNS * i + 1] = document_format(b->document, "`%s`", rows[i].model);
        cells[COLUMNS * i + 2] = document_format(b->document, "%s", classes);
    }
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "E1.combinations",
                                    .caption = "E1: what events of the case studies change, by the "
                                               "way they are modelled",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(rows),
                                    .is_wide = true});
}

void c21_e1(Benchmark *b)
{
    // v = exp(-t/2); the input; sqrt(2/g); x = exp(t)/10; v' = -2 v - 0.1; v = 5 - g t; x = exp(-t)
    const ClassCase cases[] = {
        {"EventClasses.SE_P", SALTUS_SE_P, 2.0 * log(2.0)},
        {"EventClasses.SE_I", SALTUS_SE_I, 1.0},
        {"EventClasses.SE_X", SALTUS_SE_X, sqrt(2.0 / 9.81)},
        {"EventClasses.SE_F", SALTUS_SE_F, log(10.0)},
        {"EventClasses.SE_S", SALTUS_SE_S, 0.5 * log(21.0)},
        {"EventClasses.SE_O", SALTUS_SE_O, 5.0 / 9.81},
        {"EventClasses.SE_A", SALTUS_SE_A, log(2.0)},
    };
    static const char *const columns[] = {"model", "event", "classes found", "time in s",
                                          "deviation in s"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[COUNT(cases) * COLUMNS];
    document_text(
        b->document, DOCUMENT_BOTH,
        "The class of an event is not declared: the event log says what its action really "
        "changed, as a set ([#E1.classes]). An algorithm (SE-A) belongs to the state of a machine, "
        "so that its change is one of the equations, too (SE-F), even if they read the same.");
    for (size_t i = 0; i < COUNT(cases); i++) {
        LabRun *run =
            benchmark_lab(b, &(LabSetup){.file = "EventClasses.mo",
                                         .model = cases[i].model,
                                         .is_silent = true,
                                         .method = lab_method(SALTUS_SOLVER_DOP853, 1e-11, 0.0)});
        const LabEvent *event = run->event_count ? &run->events[0] : NULL;
        char classes[SALTUS_CLASSES_TEXT_SIZE] = "";
        Document *d = b->document;
        if (event)
            saltus_classes_text(event->classes, classes);
        cells[COLUMNS * i] = document_format(d, "`%s`", cases[i].model);
        cells[COLUMNS * i + 1] = event ? document_format(d, "`%s`", event->condition) : "none";
        cells[COLUMNS * i + 2] = document_format(d, "%s", classes);
        cells[COLUMNS * i + 3] = event ? document_format(d, "%.10g", event->t) : NULL;
        cells[COLUMNS * i + 4] =
            event ? document_format(d, "%.1e", event->t - cases[i].time) : NULL;
        const char *name = strchr(cases[i].model, '.') + 1;
        findings_check(&b->findings, event ? event->t : NAN, "s", cases[i].time, 1e-9,
                       "closed form", "E1.%s.t", name);
        findings_check(&b->findings, event && event->classes & cases[i].wanted ? 1.0 : 0.0, "", 1.0,
                       0.0, "the log has the class", "E1.%s.class", name);
    }
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "E1.classes",
                                    .caption = "E1: one model for each class",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(cases),
                                    .is_wide = true});
    show_combinations(b);
    map_names(b);
}
