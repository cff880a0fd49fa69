// SPDX-License-Identifier: MIT
//
// Independent parts that are run by themselves against the same model run as a whole: rows, events
// in words, counts, ends and messages are the same, values up to the tolerance. Balls against the
// closed form.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "open/apart_parts.h"
#include "open/warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a run did.
typedef struct Account {
    Arena *arena;
    const Loaded *loaded;
    bool is_apart;
    uint32_t parts, models; // models that parts share
    SaltusStatus status;
    SaltusStatistics statistics;
    double *rows; // t, kind, outputs
    long row_count, row_room, width;
    long most_rows; // the row after so many interrupts the run; 0: none
    double end;
    const char *mode; // that it ended in
    StringBuilder log, messages;
} Account;

static int keep_row(void *user, const SaltusRow *row)
{
    Account *a = user;
    if (a->row_count == a->row_room) {
        const long room = a->row_room ? 2 * a->row_room : 64;
        a->rows = realloc(a->rows, (size_t)(room * a->width) * sizeof *a->rows);
        assert_non_null(a->rows);
        a->row_room = room;
    }
    double *to = a->rows + a->row_count++ * a->width;
    to[0] = row->t;
    to[1] = row->kind;
    memcpy(to + 2, row->y, (size_t)row->y_count * sizeof *to);
    return a->most_rows && a->row_count >= a->most_rows;
}

// What an event consists of.
enum { LONGEST_ITEM = 1400 };
typedef struct Items {
    char texts[64][LONGEST_ITEM];
    int count;
} Items;

static void keep_condition(void *user, const char *text, int direction)
{
    Items *items = user;
    assert_true(items->count < 64);
    assert_true(snprintf(items->texts[items->count++], LONGEST_ITEM, "%s (%d)", text, direction) <
                LONGEST_ITEM);
}

static int compare_items(const void *x, const void *y)
{
    return strcmp(x, y);
}

// Times are not in it, for they are located up to the tolerance; nor is the order of what happens
// at once.
static void keep_log(Account *a, const SaltusSystem *system, const SaltusRun *run)
{
    const LogSource source = {.system = system, .run = run};
    for (long i = 0; i < saltus_run_event_count(run); i++) {
        const SaltusLogEntry entry = saltus_run_event(run, i);
        Items items = {.count = 0};
        log_conditions(&source, &entry, keep_condition, &items);
        for (int k = 0; k < entry.change_count; k++)
            keep_condition(&items, entry.changes[k].name, 0);
        qsort(items.texts, (size_t)items.count, sizeof *items.texts, compare_items);
        builder_append_format(&a->log, "%ld: classes %u, occasion %u", i, entry.classes,
                              entry.occasion);
        for (int k = 0; k < items.count; k++)
            builder_append_format(&a->log, ", %s", items.texts[k]);
        builder_append_text(&a->log, "\n");
    }
}

static void keep_warnings(Account *a, const Apart *apart, const SaltusRun *run)
{
    uint32_t index = 0;
    double t;
    const char *message;
    while (apart ? apart_next_warning(apart, &index, &t, a->arena, &message)
                 : warnings_next(a->loaded->model, run, &index, &t, a->arena, &message))
        builder_append_format(&a->messages, "warning: %s\n", message);
}

typedef struct Task {
    const char *text;
    double stop;
    double interval; // 0: rows at events only
    long max_events, most_rows;
    SaltusSolver solver;
    const char *wanted; // the only variable that rows at events must have; NULL: all
} Task;

static Account account(const Task *task, const Loaded *l, bool is_whole)
{
    Arena *arena = arena_create(NULL);
    assert_non_null(arena);
    Account a = {.arena = arena,
                 .loaded = l,
                 .width = 2 + model_output_count(l->model),
                 .most_rows = task->most_rows,
                 .log = builder_create(arena),
                 .messages = builder_create(arena)};
    double *p = calloc(model_list_parameters(l->model).count + 1u, sizeof *p);
    SaltusSystem *system;
    SaltusRun *run = NULL;
    SaltusError error = {0};
    SaltusOptions options = saltus_default_options();
    options.record = task->interval > 0.0 ? SALTUS_RECORD_INTERVALS : SALTUS_RECORD_EVENTS;
    options.output_interval = task->interval;
    options.max_events = task->max_events;
    options.method.solver = task->solver;
    options.method.relative_tolerance = 1e-9;
    options.method.absolute_tolerance = 1e-12;
    options.row = keep_row;
    options.user = &a;
    assert_non_null(p);
    assert_int_equal(loaded_parameters(l, NULL, 0, p, &error), SALTUS_OK);
    assert_int_equal(model_system(l->model, p, &system, &error), SALTUS_OK);
    bool *is_wanted = calloc(model_output_count(l->model) + 1u, sizeof *is_wanted);
    assert_non_null(is_wanted);
    for (uint32_t i = 0; i < model_output_count(l->model) && task->wanted; i++)
        is_wanted[i] = strcmp(model_output_names(l->model)[i], task->wanted) == 0;
    const ApartDef def = {.loaded = l,
                          .system = system,
                          .parameters = p,
                          .options = &options,
                          .is_wanted = task->wanted ? is_wanted : NULL,
                          .fewest = 2};
    Apart *apart = is_whole ? NULL : apart_create(&def);
    a.is_apart = apart;
    a.parts = apart ? apart->count : 1;
    a.models = apart ? apart->model_count : 1;
    a.status = apart ? apart_run(apart, task->stop, &run, &error)
                     : loaded_run(l, system, &options, task->stop, &run, &error);
    builder_append_text(&a.messages, error.message);
    saltus_error_clear(&error);
    if (run) {
        a.statistics = saltus_run_statistics(run);
        a.end = saltus_run_time(run);
        const char *mode = apart ? apart_mode(apart, apart_now(apart))
                                 : saltus_system_mode(system, saltus_run_mode(run))->name;
        a.mode = arena_copy_text(arena, mode, strlen(mode));
        keep_log(&a, system, run);
        keep_warnings(&a, apart, run);
        saltus_run_destroy(run);
    }
    apart_destroy(apart);
    saltus_system_destroy(system);
    free(is_wanted);
    free(p);
    return a;
}

static void account_end(Account *a)
{
    free(a->rows);
    arena_destroy(a->arena);
}

static Loaded *load(const char *text)
{
    Loaded *l = loaded_create(&(LoadedDef){.text = text});
    assert_non_null(l);
    if (!l->model)
        fail_msg("%s", loaded_first_error(l));
    return l;
}

static void compare_rows(const Task *task, const Loaded *l, const Account *a, const Account *b,
                         double tolerance)
{
    assert_int_equal(a->row_count, b->row_count);
    for (long r = 0; r < a->row_count; r++)
        for (long i = 0; i < a->width; i++) {
            const double x = a->rows[r * a->width + i], y = b->rows[r * b->width + i];
            const int kind = (int)b->rows[r * b->width + 1];
            if (i >= 2 && task->wanted &&
                (kind == SALTUS_ROW_BEFORE_EVENT || kind == SALTUS_ROW_AFTER_EVENT) &&
                strcmp(model_output_names(l->model)[i - 2], task->wanted) != 0)
                continue;
            if (!(fabs(x - y) <= tolerance * (1.0 + fabs(y))))
                fail_msg("row %ld at t = %.17g, %s: %.17g apart, %.17g as a whole", r,
                         b->rows[r * b->width],
                         i < 2 ? "time or kind" : model_output_names(l->model)[i - 2], x, y);
        }
}

// Both ways; the tolerance is that of the values: ten times that of the solver and more, for errors
// add up over the events before.
static void compare(const Task *task, uint32_t parts, double tolerance)
{
    Loaded *l = load(task->text);
    Account apart = account(task, l, false), whole = account(task, l, true);
    assert_true(apart.is_apart);
    assert_int_equal(apart.parts, parts);
    assert_int_equal(apart.status, whole.status);
    assert_string_equal(builder_string(&apart.log).text, builder_string(&whole.log).text);
    assert_int_equal(apart.statistics.events, whole.statistics.events);
    assert_int_equal(apart.statistics.time_events, whole.statistics.time_events);
    assert_true(fabs(apart.end - whole.end) <= tolerance);
    compare_rows(task, l, &apart, &whole, tolerance);
    account_end(&apart);
    account_end(&whole);
    loaded_destroy(l);
}

static bool runs_apart(const char *text, SaltusSolver solver)
{
    Loaded *l = load(text);
    const Task task = {.text = text, .stop = 0.1, .solver = solver};
    Account a = account(&task, l, false);
    const bool is_apart = a.is_apart;
    account_end(&a);
    loaded_destroy(l);
    return is_apart;
}

#define BALL                                                                                       \
    "model Ball parameter Real h0 = 1, e = 0.8; Real h(start = h0, fixed = true), v(start = 0, "   \
    "fixed = true); Integer n(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; "     \
    "when h <= 0 then reinit(v, -e * pre(v)); n = pre(n) + 1; end when; end Ball;\n"

// ---------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------

// Heights after a second: bounce after bounce, each e times as fast as the last.
static double ball_height(double height, double e, double t)
{
    double at = sqrt(2.0 * height / 9.81), v = 9.81 * at;
    if (t < at)
        return height - 0.5 * 9.81 * t * t;
    for (v *= e; at + 2.0 * v / 9.81 < t; v *= e)
        at += 2.0 * v / 9.81;
    return v * (t - at) - 0.5 * 9.81 * (t - at) * (t - at);
}

static void balls(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    const Task task = {.text = BALL "model M Ball b[40](h0 = {0.5 + i / 40 for i in 1:40}, each e "
                                    "= 0.7); end M;",
                       .stop = 1.5,
                       .interval = 0.1};
    compare(&task, COUNT, 1e-8);
    Loaded *l = load(task.text);
    Account a = account(&task, l, false);
    for (long r = 0; r < a.row_count; r++) {
        const double *row = a.rows + r * a.width;
        for (uint32_t i = 0; i < model_output_count(l->model); i++) {
            int ball = 0, length = 0;
            sscanf(model_output_names(l->model)[i], "b[%d].h%n", &ball, &length);
            if (length > 0)
                assert_true(fabs(row[2 + i] - ball_height(0.5 + ball / 40.0, 0.7, row[0])) < 1e-8);
        }
    }
    assert_non_null(strstr(builder_string(&a.log).text, "b[17].h <= 0.0"));
    account_end(&a);
    loaded_destroy(l);
}

// The same as arrays, whose start values are expressions.
static void arrays(void **state)
{
    (void)state;
    const Task task = {
        .text = "model M parameter Integer n = 12; parameter Real top = 2; Real h[n](start = {top "
                "* (1 + i / n) for i in 1:n}, each fixed = true), v[n](each start = 0, each fixed "
                "= true), w(start = -1, fixed = true); equation for i in 1:n loop der(h[i]) = "
                "v[i]; der(v[i]) = -9.81; when h[i] <= 0 then reinit(v[i], -0.8 * pre(v[i])); end "
                "when; end for; der(w) = -w; end M;",
        .stop = 1.6,
        .interval = 0.2};
    compare(&task, 13, 1e-8);
}

// Balls that bounce at the same time: one event.
static void together(void **state)
{
    (void)state;
    const Task task = {
        .text = BALL "model M Ball a, b, c(h0 = 2); end M;", .stop = 1.5, .interval = 0.25};
    compare(&task, 3, 1e-8);
}

// Parts that differ in what shaped them, a Real, a whole number, a word, do not share a model.
static void shaped(void **state)
{
    (void)state;
    const Task task = {
        .text =
            "model P parameter Real rate = 1 annotation(Evaluate = true); parameter Integer n = "
            "1 annotation(Evaluate = true); parameter String word = \"a\" annotation(Evaluate = "
            "true); parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k * "
            "(rate + n + (if word == \"a\" then 0 else 5)) * x; end P;\n"
            "model M P a, b(rate = 2), c(n = 3), d(word = \"b\"), e(k = 2); end M;",
        .stop = 0.5,
        .interval = 0.25};
    compare(&task, 5, 1e-8);
}

// Parts that are alike but for names and numbers are one model; what they prefer as states, what is
// fixed or bounded, and what they are the sum of tells them apart.
static void shared_models(void **state)
{
    (void)state;
    static const struct {
        const char *parts;
        uint32_t models;
    } cases[] = {
        {"Q a, b(k = 2), c(x(start = 3)), d", 1},
        {"Q a, b, c(x(stateSelect = StateSelect.prefer)), d", 2},
        {"Q a, b(x(stateSelect = StateSelect.avoid)), c(x(stateSelect = StateSelect.prefer)), d",
         3},
        {"Q a, b, c(x(min = 0)), d", 2},
        {"Q a, b, c(redeclare function h = g), d", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "function f input Real x; output Real y; algorithm y := x * x; end f;\n"
                 "function g input Real x; output Real y; algorithm y := x * x + x; end g;\n"
                 "model Q replaceable function h = f; parameter Real k = 1; "
                 "Real x(start = 1, fixed = true); Real y; "
                 "equation der(x) = -k * x; y = h(x); end Q;\n"
                 "model M %s; end M;",
                 cases[i].parts);
        const Task task = {.text = text, .stop = 0.1};
        Loaded *l = load(text);
        Account a = account(&task, l, false);
        assert_int_equal(a.parts, 4);
        if (a.models != cases[i].models)
            fail_msg("%s: %u models", cases[i].parts, (unsigned)a.models);
        account_end(&a);
        loaded_destroy(l);
    }
}

// Names of any length, also in the log.
static void long_names(void **state)
{
    (void)state;
    enum { LENGTH = 1200 };
    char name[LENGTH + 1], text[2 * LENGTH + 600];
    memset(name, 'n', LENGTH);
    name[LENGTH] = '\0';
    snprintf(text, sizeof text, "%s model M Ball %sa(h0 = 0.5), %sb; end M;", BALL, name, name);
    const Task task = {.text = text, .stop = 1.0, .interval = 0.25};
    compare(&task, 2, 1e-8);
}

// Discrete variables, samples, delays, algorithms, functions, relations in expressions; what has
// no states is one part.
static void kinds(void **state)
{
    (void)state;
    const Task task = {
        .text = BALL
        "function square input Real x; output Real y; algorithm y := x * x; end square;\n"
        "model Sampled parameter Real period = 0.1; discrete Real u(start = 0, fixed = true); Real "
        "x(start = 1, fixed = true); equation der(x) = -x + u; when sample(0, period) then u = "
        "0.5 * pre(u) + square(x); end when; end Sampled;\n"
        "model Delayed parameter Real d = 0.2; Real x(start = 1, fixed = true); equation der(x) = "
        "-delay(x, d); end Delayed;\n"
        "model Relay Real x(start = 0, fixed = true); Boolean on(start = true, fixed = true); "
        "equation der(x) = (if on then 1 else 0) - x; when x > 0.6 then on = false; elsewhen x < "
        "0.4 then on = true; end when; end Relay;\n"
        "model Count Integer k(start = 0, fixed = true); algorithm when sample(0.05, 0.3) then for "
        "i in 1:3 loop k := pre(k) + i; end for; end when; end Count;\n"
        "model M Ball b[3](h0 = {1, 2, 3}); Sampled s[2](period = {0.1, 0.15}); Delayed d[2](d = "
        "{0.21, "
        "0.32}); Count c; Real y = sin(time), z = y + cos(time); Real w; initial equation w = 1; "
        "equation der(w) = -w * w; end M;",
        .stop = 0.9, // later, delays may have events for jumps of high derivatives, by the steps
        .interval = 0.13};
    compare(&task, 10, 1e-7);
}

// Initial equations that connect parts make them one.
static void connected(void **state)
{
    (void)state;
    const Task task = {.text = "model M parameter Real k = -1; Real x, y, z(start = 1, fixed = "
                               "true), w(start = 2, fixed = true); initial equation x + y = 3; x - "
                               "y = 1; equation der(x) = -x; der(y) = k * y; der(z) = -z; when z < "
                               "0.5 then reinit(z, 1); end when; der(w) = k * w; end M;",
                       .stop = 2.0,
                       .interval = 0.5};
    compare(&task, 3, 1e-8);
}

#define PAIRS                                                                                      \
    "function pair input Real x; output Real y[2]; algorithm for i in 1:2 loop y[i] := i * x; "    \
    "end for; end pair;\n"                                                                         \
    "model P parameter Real k = 1; Real x(start = 1, fixed = true), y[2] = pair(x), z(start = 0, " \
    "fixed = true); equation der(x) = -k * x; der(z) = y[2]; end P;\n"

// One call that two equations have results of connects them, however many others there are.
static void calls(void **state)
{
    (void)state;
    compare(&(Task){.text = PAIRS "model M P p[3](k = {1, 2, 3}); end M;",
                    .stop = 1.0,
                    .interval = 0.25},
            3, 1e-8);
    compare(&(Task){.text = PAIRS "model M P p[60](k = {1 + i / 30 for i in 1:60}); end M;",
                    .stop = 0.5,
                    .interval = 0.25},
            60, 1e-8);
}

// Sums over parts, and what depends on them, belong to none; what observes one part belongs to it.
static void observers(void **state)
{
    (void)state;
    Task task = {.text = BALL
                 "model M parameter Real g = 9.81; parameter Integer n = 3; Ball b[n](h0 = {1, 2, "
                 "3}); Real total = sum(b.h), energy = g * total + 0.5 * (b[1].v ^ 2 + b[2].v ^ 2 "
                 "+ b[3].v ^ 2), mean = total / n + sin(time), own = 2 * b[2].h + time; end M;",
                 .stop = 1.5,
                 .interval = 0.1};
    compare(&task, 3, 1e-8);
    task.wanted = "energy";
    compare(&task, 3, 1e-8);
    task.wanted = "b[2].v";
    compare(&task, 3, 1e-8);
    // A loop of observers is to be solved.
    assert_false(runs_apart(BALL "model M Ball a, b; Real x = 0.5 * y + a.h, y = 0.5 * x + b.h; "
                                 "end M;",
                            SALTUS_SOLVER_AUTO));
}

static void ends(void **state)
{
    (void)state;
    const Task terminated = {
        .text = BALL "model M Ball b[3](h0 = {1, 2, 3}); Real x(start = 0, fixed = true); equation "
                     "der(x) = 1; when x > 0.7 then terminate(\"enough\"); end when; end M;",
        .stop = 2.0,
        .interval = 0.2};
    compare(&terminated, 4, 1e-8);
    const Task failed = {.text = BALL
                         "model Guarded extends Ball; equation assert(v < 3, \"too fast\"); end "
                         "Guarded; model M Guarded b[3](h0 = {0.1, 1, 2}); end M;",
                         .stop = 2.0};
    Loaded *l = load(failed.text);
    Account a = account(&failed, l, false), w = account(&failed, l, true);
    assert_true(a.is_apart);
    assert_true(a.status < 0);
    assert_int_equal(a.status, w.status);
    assert_true(fabs(a.end - w.end) < 1e-9);
    assert_non_null(strstr(builder_string(&a.messages).text, "too fast"));
    account_end(&a);
    account_end(&w);
    loaded_destroy(l);
    const Task limited = {
        .text = BALL "model M Ball b[3](h0 = {1, 2, 3}); end M;", .stop = 9.0, .max_events = 5};
    compare(&limited, 3, 1e-8);
    const Task interrupted = {.text = BALL "model M Ball b[3](h0 = {1, 2, 3}); end M;",
                              .stop = 9.0,
                              .interval = 0.1,
                              .most_rows = 7};
    compare(&interrupted, 3, 1e-8);
}

// Messages are about the part that they come from, though its model was made for another one.
static void messages(void **state)
{
    (void)state;
    const char *text =
        "model Watched parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = k "
        "* x; assert(x < 2, \"large\", AssertionLevel.warning); end Watched;\n"
        "model Root parameter Real k = 1; Real x(start = 1, fixed = true), y; equation der(x) = -k;"
        " y = sqrt(x); end Root;\n"
        "model M Watched w[3](k = {0.1, 0.1, 1}); Root r[3](k = {0.1, 2, 0.2}); end M;";
    Loaded *l = load(text);
    const Task task = {.text = text, .stop = 0.8};
    Account a = account(&task, l, false), w = account(&task, l, true);
    assert_true(a.is_apart);
    assert_string_equal(builder_string(&a.messages).text, builder_string(&w.messages).text);
    account_end(&a);
    account_end(&w);
    loaded_destroy(l);
}

// Something slides in two parts, and others go on: against the closed form.
static void sliding(void **state)
{
    (void)state;
    static const double x0[] = {0.5, 0.8}, h0[] = {1.0, 2.0};
    const Task task = {
        .text = "model Slide parameter Real x0 = 1; Real x(start = x0, fixed = true); Boolean up = "
                "x < 0; equation der(x) = (if up then 1 else 0) - (if up then 0 else 1); end "
                "Slide; " BALL "model M Slide s[2](x0 = {0.5, 0.8}); Ball b[2](h0 = {1, 2}); end "
                "M;",
        .stop = 1.5,
        .interval = 0.1};
    Loaded *l = load(task.text);
    Account a = account(&task, l, false);
    assert_true(a.is_apart);
    assert_int_equal(a.status, SALTUS_OK);
    assert_int_equal(a.statistics.mode_changes, 2);
    for (long r = 0; r < a.row_count; r++) {
        const double *row = a.rows + r * a.width, t = row[0];
        for (uint32_t i = 0; i < model_output_count(l->model); i++) {
            const char *name = model_output_names(l->model)[i];
            int number = 0, length = 0;
            sscanf(name, "%*c[%d].%*[xh]%n", &number, &length);
            if (length == 0 || name[length])
                continue;
            const double expected = name[0] == 's' ? fmax(x0[number - 1] - t, 0.0)
                                                   : ball_height(h0[number - 1], 0.8, t);
            assert_true(fabs(row[2 + i] - expected) < 1e-8);
        }
    }
    account_end(&a);
    loaded_destroy(l);
}

// Two slide until they are drawn away again: the mode is called by what slides, and as at the
// beginning when nothing does.
static void drawn_away(void **state)
{
    (void)state;
    static const char *const modes[] = {"default", "sliding on s[1].x < 0.0",
                                        "sliding on s[1].x < 0.0 and s[2].x < 0.0", "default"};
    static const double stops[] = {0.4, 0.7, 1.4, 2.0};
    for (int k = 0; k < 4; k++) {
        const Task task = {
            .text = "model Slide parameter Real x0 = 1; Real x(start = x0, fixed = true); Boolean "
                    "up = x < 0; equation der(x) = (if up then 1 else -1) + (if time < 1.5 then 0 "
                    "else 3); end Slide; " BALL
                    "model M Slide s[2](x0 = {0.5, 0.8}); Ball b[2](h0 = {1, 2}); end M;",
            .stop = stops[k],
            .interval = 0.1};
        Loaded *l = load(task.text);
        Account a = account(&task, l, false), whole = account(&task, l, true);
        assert_true(a.is_apart);
        assert_string_equal(a.mode, whole.mode);
        assert_string_equal(a.mode, modes[k]);
        const double *row = a.rows + (a.row_count - 1) * a.width;
        for (uint32_t i = 0; i < model_output_count(l->model); i++)
            if (strcmp(model_output_names(l->model)[i], "s[1].x") == 0)
                assert_true(fabs(row[2 + i] - (k == 3 ? 1.0 : fmax(0.5 - stops[k], 0.0))) < 1e-8);
        account_end(&a);
        account_end(&whole);
        loaded_destroy(l);
    }
}

static void refusals(void **state)
{
    (void)state;
    const char *plain = BALL "model M Ball a, b(h0 = 2); end M;";
    assert_true(runs_apart(plain, SALTUS_SOLVER_AUTO));
    assert_false(runs_apart(plain, SALTUS_SOLVER_RK4));
    const char *const wholes[] = {
        BALL "model M Ball a; end M;",
        BALL "model M Ball a, b; Real x(start = 0, fixed = true); equation der(x) = a.h + b.h; "
             "end M;",
        BALL "model M Ball a, b; Boolean end_(start = false, fixed = true); equation when "
             "terminal() then end_ = true; end when; end M;",
        BALL "model M Ball a, b; Boolean x = a.h > b.h; end M;",
        BALL "model M Ball a, b; parameter Real p(fixed = false), q = p; Real x(start = 1, fixed = "
             "true); initial equation der(x) = -2; equation der(x) = -q * x; end M;",
    };
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        assert_false(runs_apart(wholes[i], SALTUS_SOLVER_AUTO));
}

// ---------------------------------------------------------------------------
// Parts that are put together at random
// ---------------------------------------------------------------------------

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static double random_number(uint32_t *seed, double low, double high)
{
    return low + (high - low) * (next_random(seed) % 1000) / 1000.0;
}

static void append_part(StringBuilder *b, uint32_t *seed, int i)
{
    const double a = random_number(seed, 0.5, 2.0), c = random_number(seed, 0.3, 0.9);
    switch (next_random(seed) % 6) {
    case 0:
        builder_append_format(b, "  Ball p%d(h0 = %g, e = %g);\n", i, a, c);
        break;
    case 1:
        builder_append_format(b, "  Oscillator p%d(w = %g, k = %g);\n", i, 3.0 * a, c);
        break;
    case 2:
        builder_append_format(b, "  Ticks p%d(period = %g);\n", i, 0.1 * a);
        break;
    case 3:
        builder_append_format(b, "  Stiff p%d(k = %g);\n", i, 300.0 * a);
        break;
    case 4:
        builder_append_format(b, "  Spring p%d(w = %g);\n", i, 2.0 * a);
        break;
    default:
        builder_append_format(b, "  Hysteresis p%d(low = %g, high = %g);\n", i, 0.1 * c, 0.5 + c);
        break;
    }
}

static void glued(void **state)
{
    (void)state;
    static const char classes[] = BALL
        "model Oscillator parameter Real w = 1, k = 0.5; Real x(start = 1, fixed = true), v(start "
        "= 0, fixed = true); Integer n(start = 0, fixed = true); equation der(x) = v; der(v) = "
        "-w ^ 2 * x - 0.1 * v; when x > k then n = pre(n) + 1; end when; end Oscillator;\n"
        "model Ticks parameter Real period = 0.1; Real x(start = 0, fixed = true); discrete Real "
        "u(start = 1, fixed = true); equation der(x) = u - x ^ 3; when sample(0.03, period) then u "
        "= 1 - 0.5 * pre(u) + 0.1 * x; end when; end Ticks;\n"
        "model Stiff parameter Real k = 100; Real x(start = 0, fixed = true); equation der(x) = -k "
        "* (x - sin(time)); end Stiff;\n"
        "model Spring parameter Real w = 2; Real x(start = 1, fixed = true), v(start = 0, fixed = "
        "true), energy = 0.5 * (v ^ 2 + w ^ 2 * x ^ 2); equation der(x) = v; der(v) = -w ^ 2 * x; "
        "end Spring;\n"
        "model Hysteresis parameter Real low = 0, high = 1; Real x(start = 0.2, fixed = true); "
        "discrete Real d(start = 1, fixed = true); equation der(x) = d; when {x > high, x < low} "
        "then d = -pre(d); end when; end Hysteresis;\n";
    enum { SEEDS = 25 };
    for (uint32_t k = 1; k <= SEEDS; k++) {
        Arena *arena = arena_create(NULL);
        StringBuilder text = builder_create(arena);
        uint32_t seed = k;
        const int count = 2 + (int)(next_random(&seed) % 9);
        builder_append_text(&text, classes);
        builder_append_text(&text, "model M\n");
        for (int i = 0; i < count; i++)
            append_part(&text, &seed, i);
        builder_append_text(&text, "end M;\n");
        const Task task = {.text = builder_string(&text).text, .stop = 1.7, .interval = 0.17};
        compare(&task, (uint32_t)count, 1e-6);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls),         cmocka_unit_test(arrays),     cmocka_unit_test(together),
        cmocka_unit_test(shared_models), cmocka_unit_test(long_names), cmocka_unit_test(shaped),
        cmocka_unit_test(kinds),         cmocka_unit_test(connected),  cmocka_unit_test(calls),
        cmocka_unit_test(observers),     cmocka_unit_test(ends),       cmocka_unit_test(messages),
        cmocka_unit_test(sliding),       cmocka_unit_test(drawn_away), cmocka_unit_test(refusals),
        cmocka_unit_test(glued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
