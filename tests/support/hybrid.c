// SPDX-License-Identifier: MIT

#include "hybrid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

SaltusModeDef hybrid_mode(const char *name, int states, const double *start, SaltusRhs rhs,
                          int events, const SaltusEventDef *defs, SaltusEventFunctions functions)
{
    SaltusModeDef mode = saltus_default_mode();
    mode.name = name;
    mode.state_count = states;
    mode.start = start;
    mode.rhs = rhs;
    mode.event_count = events;
    mode.events = defs;
    mode.event_functions = functions;
    return mode;
}

SaltusSystemDef hybrid_system(int count, const SaltusModeDef *modes)
{
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = count;
    def.modes = modes;
    return def;
}

Hybrid hybrid_begin(const SaltusSystemDef *def, const SaltusOptions *options)
{
    Hybrid hybrid = {0};
    SaltusOptions standard = saltus_default_options();
    SaltusStatus status = saltus_system_create(def, &hybrid.system, &hybrid.error);
    if (status == SALTUS_OK)
        status = saltus_run_create(hybrid.system, options ? options : &standard, &hybrid.run,
                                   &hybrid.error);
    if (status < 0)
        fail_msg("%s: %s", saltus_status_text(status), hybrid.error.message);
    return hybrid;
}

Hybrid hybrid_begin_mode(const SaltusModeDef *mode, const SaltusOptions *options)
{
    const SaltusSystemDef def = hybrid_system(1, mode);
    return hybrid_begin(&def, options);
}

void hybrid_end(Hybrid *hybrid)
{
    saltus_run_destroy(hybrid->run);
    saltus_system_destroy(hybrid->system);
    saltus_error_clear(&hybrid->error);
    *hybrid = (Hybrid){0};
}

void hybrid_assert_refused(const SaltusSystemDef *def, SaltusStatus status, const char *expected)
{
    Hybrid hybrid = {0};
    const SaltusOptions options = saltus_default_options();
    assert_int_equal(saltus_system_create(def, &hybrid.system, NULL), SALTUS_OK);
    assert_int_equal(saltus_run_create(hybrid.system, &options, &hybrid.run, &hybrid.error),
                     status);
    assert_null(hybrid.run);
    assert_contains(hybrid.error.message, expected);
    hybrid_end(&hybrid);
}

void hybrid_assert_ends(SaltusRun *run, double stop_time, SaltusStatus status, const char *expected)
{
    assert_int_equal(saltus_run_advance(run, stop_time), status);
    assert_contains(saltus_run_error(run)->message, expected);
}

int hybrid_times(const SaltusRun *run, int event, double *times, int most)
{
    int count = 0;
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        for (int k = 0; k < entry.fired_count; k++) {
            if (entry.fired[k].event == event && count < most)
                times[count++] = entry.t;
        }
    }
    return count;
}

void assert_close(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g is not %.17g: differs by %.3g, allowed %.3g", value, expected,
                 value - expected, bound);
}

void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" does not contain \"%s\"", text, part);
}
