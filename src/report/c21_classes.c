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
    bool is_pure;    // it must have no others
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

// x' = -x in C, whose event changes the algorithm and nothing else: in a Modelica model the
// algorithm belongs to the state of a machine, and the equations change with it.
static int classes_decay(const SaltusContext *c, double t, const double *x, const double *z,
                         double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = -x[0];
    return 0;
}

static int classes_half(const SaltusContext *c, double t, const double *x, const double *z,
                        double *h)
{
    (void)c, (void)t, (void)z;
    h[0] = x[0] - 0.5;
    return 0;
}

static void classes_change_algorithm(SaltusEvent *event)
{
    event->method->solver = SALTUS_SOLVER_RODAS;
    event->method->relative_tolerance = 1e-8;
}

static bool classes_run_in_c(LabEvent *found)
{
    const SaltusEventDef event = {
        .name = "x < 0.5", .direction = SALTUS_FALLING, .action = classes_change_algorithm};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "default";
    mode.state_count = 1;
    mode.start = (const double[]){1.0};
    mode.rhs = classes_decay;
    mode.event_count = 1;
    mode.events = &event;
    mode.event_functions = classes_half;
    SaltusSystemDef def = saltus_default_system();
    def.name = "decay";
    def.mode_count = 1;
    def.modes = &mode;
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusOptions options = saltus_default_options();
    options.method = lab_method(SALTUS_SOLVER_DOP853, 1e-11, 0.0);
    const bool is_fine = saltus_system_create(&def, &system, NULL) == SALTUS_OK &&
                         saltus_run_create(system, &options, &run, NULL) == SALTUS_OK &&
                         saltus_run_advance(run, 3.0) >= 0 && saltus_run_event_count(run) == 1;
    if (is_fine)
        *found = (LabEvent){.t = saltus_run_event(run, 0).t,
                            .classes = saltus_run_event(run, 0).classes,
                            .condition = "x < 0.5"};
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return is_fine;
}

static void show_case(Benchmark *b, const ClassCase *c, const LabEvent *event, const char **cells)
{
    Document *d = b->document;
    char classes[SALTUS_CLASSES_TEXT_SIZE] = "";
    if (event)
        saltus_classes_text(event->classes, classes);
    const char *name = strchr(c->model, '.');
    cells[0] = name ? document_format(d, "`%s`", c->model) : c->model;
    cells[1] = event ? document_format(d, "`%s`", event->condition) : "none";
    cells[2] = document_format(d, "%s", classes);
    cells[3] = event ? document_format(d, "%.10g", event->t) : NULL;
    cells[4] = event ? document_format(d, "%.1e", event->t - c->time) : NULL;
    name = name ? name + 1 : "C";
    findings_check(&b->findings, event ? event->t : NAN, "s", c->time, 1e-9, "closed form",
                   "E1.%s.t", name);
    const bool is_found =
        event && (c->is_pure ? event->classes == c->wanted : (event->classes & c->wanted) != 0);
    findings_check(&b->findings, is_found ? 1.0 : 0.0, "", 1.0, 0.0, "the log has the class",
                   "E1.%s.class", name);
}

void c21_e1(Benchmark *b)
{
    // v = exp(-t/2); the input; sqrt(2/g); x = exp(t)/10; v' = -2 v - 0.1; v = 5 - g t; x = exp(-t)
    const ClassCase cases[] = {
        {"EventClasses.SE_P", SALTUS_SE_P, 2.0 * log(2.0), true},
        {"EventClasses.SE_I", SALTUS_SE_I, 1.0, true},
        {"EventClasses.SE_X", SALTUS_SE_X, sqrt(2.0 / 9.81), true},
        {"EventClasses.SE_F", SALTUS_SE_F, log(10.0), true},
        {"EventClasses.SE_S", SALTUS_SE_S, 0.5 * log(21.0), true},
        {"EventClasses.SE_O", SALTUS_SE_O, 5.0 / 9.81, true},
        {"EventClasses.SE_A", SALTUS_SE_A, log(2.0), false},
        {"system in C", SALTUS_SE_A, log(2.0), true},
    };
    static const char *const columns[] = {"model", "event", "classes found", "time in s",
                                          "deviation in s"};
    enum { COLUMNS = COUNT(columns) };
    const char *cells[COUNT(cases) * COLUMNS];
    document_text(
        b->document, DOCUMENT_BOTH,
        "The class of an event is not declared: the event log says what its action really "
        "changed, as a set ([#E1.classes]). In a Modelica model an algorithm (SE-A) belongs to the "
        "state of a machine, so that its change is one of the equations, too (SE-F), even if they "
        "read the same; through the C interface the action of an event can change the algorithm "
        "alone. [#E1.combinations] shows that one event is of several classes, by the way it is "
        "modelled.");
    for (size_t i = 0; i < COUNT(cases); i++) {
        LabEvent in_c = {0};
        const LabEvent *event = NULL;
        if (strchr(cases[i].model, '.')) {
            LabRun *run = benchmark_lab(
                b, &(LabSetup){.file = "EventClasses.mo",
                               .model = cases[i].model,
                               .is_silent = true,
                               .method = lab_method(SALTUS_SOLVER_DOP853, 1e-11, 0.0)});
            event = run->event_count ? &run->events[0] : NULL;
        } else if (classes_run_in_c(&in_c)) {
            event = &in_c;
        }
        show_case(b, &cases[i], event, cells + COLUMNS * i);
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
