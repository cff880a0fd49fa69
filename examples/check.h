// SPDX-License-Identifier: MIT
//
// What the examples share: running a system, printing what happened, comparing with a reference.
// A comparison that fails is printed as WRONG and makes the program's exit status 1.

#ifndef EXAMPLES_CHECK_H
#define EXAMPLES_CHECK_H

#include <math.h>
#include <saltus/saltus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks_made, checks_failed;

static inline void check_that(bool holds, const char *what)
{
    checks_made++;
    checks_failed += !holds;
    printf("  %-52s %s\n", what, holds ? "ok" : "WRONG");
}

// |value - reference| <= allowed
static inline void check(const char *what, double value, double reference, double allowed)
{
    double deviation = fabs(value - reference);
    bool holds = deviation <= allowed;
    checks_made++;
    checks_failed += !holds;
    printf("  %-34s %18.11g  off by %.1e, allowed %.0e  %s\n", what, value, deviation, allowed,
           holds ? "ok" : "WRONG");
}

// The exit status of the example.
static inline int checks_done(void)
{
    printf("%d of %d comparisons hold\n", checks_made - checks_failed, checks_made);
    return checks_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static inline void stop_if(SaltusStatus status, const SaltusError *error)
{
    if (status >= 0)
        return;
    fprintf(stderr, "%s: %s\n", saltus_status_text(status), error->message);
    exit(EXIT_FAILURE);
}

// A run from the start to stop_time, or to where it ends by itself.
static inline SaltusRun *run_until(const SaltusSystem *system, const SaltusOptions *options,
                                   double stop_time)
{
    SaltusRun *run = NULL;
    SaltusError error;
    stop_if(saltus_run_create(system, options, &run, &error), &error);
    SaltusStatus status = saltus_run_advance(run, stop_time);
    stop_if(status, saltus_run_error(run));
    return run;
}

// The options of all examples: a solver, a locator, one tolerance, no rows except at events.
static inline SaltusOptions options_for(SaltusSolver solver, SaltusLocate locate, double tolerance)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_EVENTS;
    options.method.solver = solver;
    options.method.locate = locate;
    options.method.relative_tolerance = tolerance;
    options.method.absolute_tolerance = 1e-3 * tolerance;
    return options;
}

// The `number`-th (from 0) entry in which the event function of this name fired.
static inline SaltusLogEntry find_event(const SaltusSystem *system, const SaltusRun *run,
                                        const char *name, int number)
{
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        const SaltusModeDef *mode = saltus_system_mode(system, entry.from);
        for (int k = 0; k < entry.fired_count; k++) {
            bool same = strcmp(mode->events[entry.fired[k].event].name, name) == 0;
            if (same && number-- == 0)
                return entry;
        }
    }
    return (SaltusLogEntry){.t = NAN};
}

// How often it fired.
static inline int count_events(const SaltusSystem *system, const SaltusRun *run, const char *name)
{
    int count = 0;
    while (!isnan(find_event(system, run, name, count).t))
        count++;
    return count;
}

// The first `most` events: time, class, what fired, modes, what was recorded.
static inline void print_events(const SaltusSystem *system, const SaltusRun *run, long most)
{
    long count = saltus_run_event_count(run);
    printf("%18s  %-10s %-12s %s\n", "time", "class", "event", "mode, recorded");
    for (long i = 0; i < count && i < most; i++) {
        char classes[SALTUS_CLASSES_TEXT_SIZE];
        SaltusLogEntry entry = saltus_run_event(run, i);
        const SaltusModeDef *from = saltus_system_mode(system, entry.from);
        const SaltusModeDef *to = saltus_system_mode(system, entry.to);
        printf("%18.12g  %-10s %-12s %s", entry.t, saltus_classes_text(entry.classes, classes),
               entry.fired_count > 0 ? from->events[entry.fired[0].event].name : "start",
               from->name);
        if (entry.to != entry.from)
            printf(" -> %s", to->name);
        for (int k = 0; k < entry.record_count; k++)
            printf(", %s = %.10g", entry.records[k].name, entry.records[k].after);
        printf("\n");
    }
    if (count > most)
        printf("%18s  (%ld more)\n", "...", count - most);
}

#endif
