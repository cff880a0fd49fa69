// SPDX-License-Identifier: MIT
//
// What modes cost: a ladder of ideal diodes, whose mode is the vector of what conducts, as its
// length grows. The first run of a model analyses every mode it meets; a second one finds them
// there. The table shows both, and in the second run the time per step and per event.
//
// Then switches that have nothing to do with each other: what is analysed grows with their number,
// not with that of the combinations that a run meets.

#include "flatten/flatten.h"
#include "modes/model.h"
#include "support/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const int sizes[] = {10, 25, 50, 100}, switches[] = {5, 10, 20, 40};

static const Model *compile(Compilation *c, const char *path, const char *name, int size)
{
    char modification[32];
    snprintf(modification, sizeof modification, "(n = %d)", size);
    FlattenOptions options = flatten_default_options();
    options.modification = modification;
    const FlatModel *flat = flatten_files(c, 1, &path, name, &options);
    return flat ? model_create(c->arena, flat, c->diagnostics) : NULL;
}

// What happened between two calls of progress belongs to an event if there was one, else to a step.
typedef struct Watch {
    const SaltusRun *run; // NULL while it is being made
    double last;
    long last_events, events, steps;
    double event_time, step_time;
} Watch;

static int progress(void *user, double t, double stop_time)
{
    (void)t, (void)stop_time;
    Watch *w = user;
    if (!w->run)
        return 0;
    const SaltusStatistics s = saltus_run_statistics(w->run);
    const long events = s.events + s.time_events;
    const double now = measure_cpu();
    if (events > w->last_events) {
        w->event_time += now - w->last;
        w->events += events - w->last_events;
    } else {
        w->step_time += now - w->last;
        w->steps++;
    }
    w->last_events = events;
    w->last = measure_cpu();
    return 0;
}

// Seconds of a whole run.
static double run(const SaltusSystem *system, double stop_time, Watch *w,
                  SaltusStatistics *statistics)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    options.method.max_step = 0.1;
    options.progress = progress;
    options.user = w;
    SaltusRun *r = NULL;
    const double begin = measure_cpu();
    if (saltus_run_create(system, &options, &r, NULL) != SALTUS_OK)
        return NAN;
    w->run = r;
    w->last = measure_cpu();
    const bool is_fine = saltus_run_advance(r, stop_time) == SALTUS_OK;
    const double time = measure_cpu() - begin;
    *statistics = saltus_run_statistics(r);
    if (!is_fine)
        printf("%s\n", saltus_run_error(r)->message);
    saltus_run_destroy(r);
    return is_fine ? time : NAN;
}

// A model compiled, and run twice.
typedef struct Case {
    const Model *model;
    Arena *arena;
    int size;
    double compiled, cold, warm; // seconds of the compilation and of the runs
    Watch second;                // of the second run
    SaltusStatistics statistics;
} Case;

static void print_ladder(const Case *c)
{
    const SaltusStatistics *s = &c->statistics;
    const Watch *w = &c->second;
    printf("%6d %9.1f %6ld %9.2f %6ld %9.1f %7ld %9.1f %9.1f %9.1f\n", c->size, 1e3 * c->compiled,
           s->modes_entered, 1e3 * (c->cold - c->warm) / (double)s->modes_entered, w->steps,
           1e6 * w->step_time / (double)w->steps, w->events,
           1e6 * w->event_time / (double)w->events, 1e3 * c->cold, 1e3 * c->warm);
}

static void print_switches(const Case *c)
{
    const SaltusStatistics *s = &c->statistics;
    double analysis = 0.0;
    for (uint32_t i = 0; i < model_mode_count(c->model); i++)
        analysis += model_mode_summary(c->model, i, c->arena).seconds;
    printf("%8d %9u %9.1f %12ld %7ld %9.1f %9.1f %9.1f\n", c->size, model_mode_count(c->model),
           1e3 * analysis, s->modes_entered, s->events,
           1e6 * c->second.event_time / (double)s->events, 1e3 * c->cold, 1e3 * c->warm);
}

static bool measure(const char *path, const char *name, int size, double stop_time,
                    void (*print)(const Case *c))
{
    Compilation *compilation = compilation_create(NULL);
    const double begin = measure_cpu();
    Case c = {.model = compilation ? compile(compilation, path, name, size) : NULL, .size = size};
    c.arena = compilation ? compilation->arena : NULL;
    c.compiled = measure_cpu() - begin;
    SaltusSystem *system = NULL;
    double *p = c.model ? calloc(model_list_parameters(c.model).count + 1u, sizeof *p) : NULL;
    if (!p || !model_parameters(c.model, NULL, 0, p) ||
        model_system(c.model, p, &system, NULL) != SALTUS_OK)
        return false;
    Watch first = {0};
    c.cold = run(system, stop_time, &first, &c.statistics);
    c.warm = run(system, stop_time, &c.second, &c.statistics);
    print(&c);
    saltus_system_destroy(system);
    model_release(c.model);
    compilation_destroy(compilation);
    free(p);
    return isfinite(c.cold) && isfinite(c.warm);
}

int main(void)
{
    printf(
        "diodes  compile  modes  analysis  steps  per step  events per event  1st run  2nd run\n"
        "             ms            ms each              us                us       ms       ms\n");
    bool is_fine = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        is_fine &= measure(SALTUS_SOURCE_DIR "/benchmarks/modes/Ladder.mo", NULL, sizes[i], 5.0,
                           print_ladder);
    printf("\nswitches  analysed  analysis  combinations  events per event  1st run  2nd run\n"
           "                      ms, all                          us       ms       ms\n");
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        is_fine &= measure(SALTUS_SOURCE_DIR "/models/modes/Switches.mo", NULL, switches[i], 100.0,
                           print_switches);
    return is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
