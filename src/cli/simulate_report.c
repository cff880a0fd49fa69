// SPDX-License-Identifier: MIT
//
// What saltus simulate says at the end: one line, all counters, or JSON.

#include "cli/simulate.h"
#include "external/external.h"
#include "modes/drift.h"
#include "open/warnings.h"
#include "results/log_write.h"

#include "base/message.h"
#include <math.h>

const char *report_status(SaltusStatus status)
{
    return status < 0                     ? "error"
           : status == SALTUS_OK          ? "finished"
           : status == SALTUS_INTERRUPTED ? "interrupted"
           : status == SALTUS_ZENO        ? "zeno"
                                          : "terminated";
}

// ---------------------------------------------------------------------------
// For people
// ---------------------------------------------------------------------------

// What the model printed, on standard output unless that has the results; its warnings.
static void print_messages(const Simulation *s)
{
    ExternalMessage m;
    FILE *file = s->command->output && !s->command->json ? stdout : stderr;
    for (uint32_t i = 0; s->flat->externals && store_next_message(s->flat->externals, &i, &m);)
        if (!m.is_warning)
            fprintf(file, "%s\n", m.text);
        else if (!s->command->quiet)
            fprintf(stderr, "saltus: warning: %s\n", m.text);
}

static bool next_warning(const Simulation *s, uint32_t *index, double *t, Arena *arena,
                         const char **message)
{
    enum { LAST = INT32_MAX };
    if (*index < LAST && (s->apart ? apart_next_warning(s->apart, index, t, arena, message)
                                   : warnings_next(s->model, s->run, index, t, arena, message)))
        return true;
    *message = *index > LAST ? NULL : output_excess(s, arena, t);
    *index = LAST + 1u;
    return *message != NULL;
}

static void print_warnings(const Simulation *s)
{
    uint32_t index = 0;
    double t;
    const char *message;
    Arena *arena = arena_create(NULL);
    while (next_warning(s, &index, &t, arena, &message))
        if (isnan(t))
            fprintf(stderr, "saltus: warning: %s\n", message);
        else
            fprintf(stderr, "saltus: warning: from t = %.10g on: %s\n", t, message);
    arena_destroy(arena);
}

static void print_loss(const Simulation *s)
{
    double t;
    const char *loss = s->sensitivity ? sensitivity_loss(s->sensitivity, &t) : NULL;
    if (loss)
        fprintf(stderr, "saltus: warning: no sensitivities from t = %.10g on: %s\n", t, loss);
}

static bool is_compiled(const Simulation *s, const char **reason)
{
    return s->apart ? apart_is_compiled(s->apart, reason) : model_is_compiled(s->model, reason);
}

static const char *backend_of(const Simulation *s)
{
    const char *reason;
    const SaltusStatistics st = saltus_run_statistics(s->run);
    if (st.stretch_steps > 0)
        return st.stretch_steps == st.steps ? "compiled as a whole" : "compiled, partly as a whole";
    return is_compiled(s, &reason) ? "compiled" : "interpreted";
}

// Why what was asked for was not done.
static void print_backend(const Simulation *s)
{
    const char *reason;
    const bool is_native = is_compiled(s, &reason);
    model_print_backend(s->model, is_native, reason,
                        saltus_run_statistics(s->run).stretch_steps > 0);
}

// "exact", "dopri5", "exact in mode locked, else dopri5" or "exact in 3 of 5 modes, else dopri5".
static const char *solver_of(const Simulation *s, char *text, size_t size)
{
    enum { LONGEST_NAME = 40 };
    if (s->apart)
        return apart_solver(s->apart, text, size);
    const SaltusStatistics st = saltus_run_statistics(s->run);
    const int count = (int)model_combination_count(s->model);
    const char *exact = saltus_solver_name(SALTUS_SOLVER_EXACT), *other = NULL, *name = "";
    if (st.exact_steps == 0 || st.exact_steps == st.steps)
        return st.exact_steps ? exact : saltus_solver_name(saltus_run_solver(s->run));
    int entered = 0, found = 0;
    for (int i = 0; i < count; i++) {
        const SaltusModeDef *mode = saltus_system_mode(s->system, i);
        const bool was_exact = mode && saltus_run_was_exact(s->run, i);
        entered += mode != NULL;
        found += was_exact;
        name = was_exact ? mode->name : name;
    }
    if (saltus_run_solver(s->run) != SALTUS_SOLVER_EXACT)
        other = saltus_solver_name(saltus_run_solver(s->run));
    if (found == 1 && strlen(name) <= LONGEST_NAME)
        snprintf(text, size, "exact in mode %s%s%s", name, other ? ", else " : "",
                 other ? other : "");
    else
        snprintf(text, size, "exact in %d of %d modes%s%s", found, entered, other ? ", else " : "",
                 other ? other : "");
    return text;
}

// The solver exact was asked for, but no mode was for it.
static void print_inexact(const Simulation *s)
{
    const SaltusModeDef *mode = saltus_system_mode(s->system, saltus_run_mode(s->run));
    if (s->options.method.solver != SALTUS_SOLVER_EXACT ||
        saltus_run_statistics(s->run).exact_steps > 0 || !mode || mode->state_count == 0)
        return;
    fprintf(stderr, "saltus: warning: no mode was solved exactly; mode %s: %s\n", mode->name,
            mode->hints.nonlinear ? mode->hints.nonlinear : "cannot be solved for the derivatives");
}

// Of many constraints those that are violated most, beside the size of what they are the sums of.
enum { MOST_CONSTRAINTS = 8 };

static void print_constraints(const Output *o)
{
    size_t count = 0;
    const Drift *drifts = o->watch && !o->is_unwatched ? drift_end(o->watch, &count) : NULL;
    for (size_t i = 0; i < count && i < MOST_CONSTRAINTS; i++) {
        fprintf(stderr, "%10.3g  drift of the constraint %s", drifts[i].value, drifts[i].text);
        if (drifts[i].value > 0.0)
            fprintf(stderr, ", at t = %.10g", drifts[i].time);
        fputc('\n', stderr);
    }
    if (count > MOST_CONSTRAINTS)
        fprintf(stderr, "%10s  and less of %zu more\n", "", count - MOST_CONSTRAINTS);
}

static void print_counters(const Simulation *s)
{
    const SaltusStatistics st = saltus_run_statistics(s->run);
#define PRINT(name, what) fprintf(stderr, "%10ld  %s\n", st.name, what);
    SALTUS_STATISTICS_LIST(PRINT)
#undef PRINT
    for (uint32_t i = 0; i < model_mode_count(s->model); i++) {
        const ModelMode mode = model_mode_summary(s->model, i, s->compilation->arena);
        fprintf(stderr, "%7.3g ms  to analyse mode %s\n", 1e3 * mode.seconds, mode.name);
    }
    const Output *o = &s->output;
    for (size_t i = 0; i < o->invariant_count; i++) {
        fprintf(stderr, "%10.3g  drift of the invariant %s (%.10g), at t = %.10g\n",
                o->invariants[i].drift, model_output_names(s->model)[o->invariants[i].place],
                o->invariants[i].begin, o->invariants[i].time);
    }
    print_constraints(o);
}

// ---------------------------------------------------------------------------
// The text
// ---------------------------------------------------------------------------

// "0.21 ms", "4.03 s", "3 min 20 s".
static void simulate_report_time(double seconds, char text[40])
{
    if (seconds < 1.0)
        snprintf(text, 40, "%.3g ms", 1e3 * seconds);
    else if (seconds < 100.0)
        snprintf(text, 40, "%.3g s", seconds);
    else
        snprintf(text, 40, "%.0f min %.0f s", floor(seconds / 60.0), fmod(seconds, 60.0));
}

void report_text(const Simulation *s)
{
    if ((s->message || s->status < 0) && (s->status < 0 || !s->command->quiet)) {
        const char *how = s->status < 0              ? "error"
                          : s->status == SALTUS_ZENO ? "warning: stopped"
                                                     : "stopped";
        if (s->status == SALTUS_INTERRUPTED && s->run)
            fprintf(stderr, "saltus: interrupted at t = %.10g\n", saltus_run_time(s->run));
        else
            fprintf(stderr, "saltus: %s: %s\n", how,
                    message_text(s->message)); // the message says where
        blame_print(s);
        if (s->status == SALTUS_ZENO)
            fputs(
                "saltus: note: the run ends here, before its stop time; --zeno=continue goes on "
                "event by event, --zeno=error makes this an error, and a mode of the model for the "
                "time after it (at rest, or sliding) leads beyond it\n",
                stderr);
    }
    print_messages(s);
    if (!s->run)
        return;
    if (!s->command->quiet) {
        const SaltusStatistics st = saltus_run_statistics(s->run);
        char time[40], solver[200];
        simulate_report_time(s->seconds, time);
        print_warnings(s);
        print_loss(s);
        print_inexact(s);
        if (s->command->backend != 0) // auto may do what it can
            print_backend(s);
        fprintf(stderr,
                "%s: t = %.10g, %ld steps, %ld evaluations, %ld state and %ld time events, %s, "
                "%s, %s\n",
                s->flat->name, saltus_run_time(s->run), st.steps, st.f_evaluations, st.events,
                st.time_events, solver_of(s, solver, sizeof solver), backend_of(s), time);
        if (s->command->pace)
            fprintf(stderr, "pace: %ld steps, %ld overruns, the worst %.3g ms late\n",
                    s->pace.steps, s->pace.overruns, 1e3 * s->pace.worst);
    }
    if (s->command->stats)
        print_counters(s);
}

// ---------------------------------------------------------------------------
// For programs
// ---------------------------------------------------------------------------

static void simulate_report_json_text(const char *name, const char *text)
{
    printf(",\n\"%s\":", name);
    if (text)
        writer_json_string(stdout, text);
    else
        fputs("null", stdout);
}

static void json_number(const char *name, double value)
{
    printf(",\n\"%s\":", name);
    writer_json_number(stdout, value);
}

static void json_statistics(const Simulation *s)
{
    const SaltusStatistics st = saltus_run_statistics(s->run);
    const char *comma = "";
    fputs(",\n\"statistics\":{", stdout);
#define PRINT(name, what) printf("%s\"%s\":%ld", comma, #name, st.name), comma = ",";
    SALTUS_STATISTICS_LIST(PRINT)
#undef PRINT
    if (s->command->pace)
        printf(",\"pacedSteps\":%ld,\"overruns\":%ld,\"worstOverrun\":%.17g", s->pace.steps,
               s->pace.overruns, s->pace.worst);
    putchar('}');
}

static void json_modes(const Simulation *s)
{
    fputs(",\n\"modes\":[", stdout);
    for (uint32_t i = 0; i < model_mode_count(s->model); i++) {
        const ModelMode mode = model_mode_summary(s->model, i, s->compilation->arena);
        fputs(i ? ",{\"name\":" : "{\"name\":", stdout);
        writer_json_string(stdout, mode.name);
        fputs(",\"seconds\":", stdout);
        writer_json_number(stdout, mode.seconds);
        putchar('}');
    }
    putchar(']');
}

static void json_invariants(const Simulation *s)
{
    const Output *o = &s->output;
    if (o->invariant_count == 0)
        return;
    fputs(",\n\"drift\":{", stdout);
    for (size_t i = 0; i < o->invariant_count; i++) {
        fputs(i ? "," : "", stdout);
        writer_json_string(stdout, model_output_names(s->model)[o->invariants[i].place]);
        putchar(':');
        writer_json_number(stdout, o->invariants[i].drift);
    }
    putchar('}');
}

static void json_constraints(const Output *o)
{
    size_t count = 0;
    if (!o->watch || o->is_unwatched)
        return;
    const Drift *drifts = drift_end(o->watch, &count);
    fputs(",\n\"constraints\":[", stdout);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ",{\"equation\":" : "{\"equation\":", stdout);
        writer_json_string(stdout, drifts[i].text);
        fputs(",\"drift\":", stdout);
        writer_json_number(stdout, drifts[i].value);
        fputs(",\"time\":", stdout);
        writer_json_number(stdout, drifts[i].time);
        putchar('}');
    }
    putchar(']');
}

static void json_end(const Simulation *s)
{
    const Output *o = &s->output;
    fputs(",\n\"end\":{", stdout);
    for (size_t i = 0; i < o->count; i++) {
        fputs(i ? "," : "", stdout);
        writer_json_string(stdout, o->headings[i + 1].name);
        putchar(':');
        writer_json_number(stdout, o->values[i + 1]);
    }
    putchar('}');
}

static void json_warnings(const Simulation *s)
{
    uint32_t index = 0;
    double t;
    const char *message, *comma = "";
    Arena *arena = arena_create(NULL);
    fputs(",\n\"warnings\":[", stdout);
    while (next_warning(s, &index, &t, arena, &message)) {
        printf("%s{\"time\":", comma);
        writer_json_number(stdout, t);
        fputs(",\"message\":", stdout);
        writer_json_string(stdout, message);
        putchar('}');
        comma = ",";
    }
    arena_destroy(arena);
    putchar(']');
}

static void json_messages(const Simulation *s)
{
    ExternalMessage m;
    const char *comma = "";
    fputs(",\n\"messages\":[", stdout);
    for (uint32_t i = 0; s->flat->externals && store_next_message(s->flat->externals, &i, &m);) {
        printf("%s{\"time\":", comma);
        writer_json_number(stdout, m.time); // null: before the run
        printf(",\"warning\":%s,\"message\":", m.is_warning ? "true" : "false");
        writer_json_string(stdout, m.text);
        putchar('}');
        comma = ",";
    }
    putchar(']');
}

void report_json(const Simulation *s)
{
    fputs("{\"schema\":\"saltus-run\",\"version\":1", stdout);
    simulate_report_json_text("model", s->flat->name);
    simulate_report_json_text("status", report_status(s->status));
    simulate_report_json_text("message", s->message);
    json_number("seconds", s->seconds);
    simulate_report_json_text("output", s->command->output);
    if (s->run) {
        const SaltusModeDef *mode = saltus_system_mode(s->system, saltus_run_mode(s->run));
        const LogSource source = simulate_log(s);
        json_number("time", saltus_run_time(s->run));
        simulate_report_json_text("mode", s->apart ? apart_mode(s->apart, apart_now(s->apart))
                                          : mode   ? mode->name
                                                   : NULL);
        simulate_report_json_text("solver", saltus_solver_name(saltus_run_solver(s->run)));
        simulate_report_json_text("backend", backend_of(s));
        json_statistics(s);
        json_invariants(s);
        json_constraints(&s->output);
        json_modes(s);
        json_end(s);
        json_warnings(s);
        json_messages(s);
        fputs(",\n\"events\":", stdout);
        log_write_json(stdout, &source);
    }
    fputs("}\n", stdout);
}

void report_errors(const Compilation *compilation)
{
    StringBuilder out = builder_create(compilation->arena);
    diagnostics_render_json(compilation->diagnostics, &out);
    printf("{\"schema\":\"saltus-run\",\"version\":1,\"status\":\"model\",\"diagnostics\":%s}\n",
           builder_string(&out).text);
}
