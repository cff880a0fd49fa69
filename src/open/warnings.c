// SPDX-License-Identifier: MIT
//
// The model's own warnings have the numbers from 0 on (model_next_warning); then come those about
// the run as a whole, in the order of the enumeration. Each of these has a function that writes a
// sentence if there is something to say, and judges by what the run has counted: nothing is
// evaluated.

#include "open/warnings.h"

#include "base/real.h"
#include "base/text.h"
#include "external/external.h"
#include "hybrid/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Numbers behind those of the model.
enum {
    WARNING_STIFF = INT32_MAX - 8,
    WARNING_UNFOLLOWED,
    WARNING_JUMPS,
    WARNING_ABRUPT,
    WARNING_SMALL,
    WARNING_PARAMETERS,
    WARNING_LIMITS,
    WARNING_NOMINAL,
    WARNING_END
};

static void warn_of_stiffness(const Model *model, const SaltusRun *run, long steps,
                              StringBuilder *b)
{
    (void)model;
    const long stiff = run->trouble.stiff_steps;
    if (stiff > 100 && 2 * stiff > steps)
        builder_append_format(b,
                              "the model is stiff: stability limits %ld of %ld steps of %s; rodas, "
                              "cvode or auto take longer ones",
                              stiff, steps, saltus_solver_name(saltus_run_solver(run)));
}

// (A state that was read back knows only how many there were.)
static void warn_of_unfollowed(const Model *model, const SaltusRun *run, long steps,
                               StringBuilder *b)
{
    (void)model;
    (void)steps;
    const long count = run->trouble.unfollowed_steps;
    if (count == 0)
        return;
    if (run->trouble.unfollowed)
        builder_append_format(b, "t = %.10g: the condition '%s' ", run->trouble.unfollowed_time,
                              run->trouble.unfollowed);
    else
        builder_append_text(b, "a condition ");
    builder_append_format(b,
                          "swings too often within a step to be followed through it (%ld such "
                          "step%s, perhaps of other conditions, too): events may be missing; limit "
                          "the step (--maximum-step) to some hundred of its periods",
                          count, count > 1 ? "s" : "");
}

// The jumps are in the event log, but that may not have been asked for. (A state that was read back
// knows only that there were some.)
static void warn_of_jumps(const Model *model, const SaltusRun *run, long steps, StringBuilder *b)
{
    (void)model;
    (void)steps;
    const long jumps = run->trouble.branch_changes;
    if (jumps == 0)
        return;
    if (run->trouble.jumped)
        builder_append_format(
            b, "t = %.10g: %s jumps from %.6g to %.6g without an event%s: ", run->trouble.jump_time,
            run->trouble.jumped, run->trouble.jump_before, run->trouble.jump_after,
            jumps > 1 ? ", the first of several such jumps" : "");
    else
        builder_append_text(b, "variables jumped without an event: ");
    builder_append_text(
        b, "the solution of algebraic equations that the run followed ends there (or an if in a "
           "function or in noEvent, or external data, jumps), and it goes on with another "
           "one that was found; conditions with events, or a derivative, would say what happens");
}

// Jumps and kinks that no event announces, where they cost every second step and more. Solvers with
// a memory of several steps begin at each of them with tiny steps of order 1, which are accepted.
static void warn_of_abrupt(const Model *model, const SaltusRun *run, long steps, StringBuilder *b)
{
    (void)model;
    enum { LEAST = 20 };
    const long abrupt = run->trouble.abrupt_steps;
    const bool is_one_step = solver_kind(saltus_run_solver(run))->closing_step;
    const long share = is_one_step ? 2 : 6;
    if (abrupt < LEAST || share * saltus_run_statistics(run).rejected_steps < steps)
        return;
    if (run->trouble.abrupt)
        builder_append_format(b, "t = %.6g: %s changes abruptly: ", run->trouble.abrupt_time,
                              run->trouble.abrupt);
    builder_append_format(b,
                          "%ld steps%s were tried again and again: something jumps or has a kink "
                          "that no event announces (an if in noEvent or in a function, external "
                          "data)",
                          abrupt, run->trouble.abrupt ? ", this one first," : "");
}

// A state is small if it never was so many times its absolute tolerance, and none that rounding
// makes of others' zeros.
static const double warnings_small = 100.0, nothing = 1e-6;

// Whether the model gives a state a start value of its own, which is not the number zero: then it
// is no rounding of zero, however small.
static bool is_started(const Model *model, const char *name)
{
    const char *const *names = model_output_names(model);
    const uint32_t count = model_output_count(model);
    uint32_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    const FlatAttributes *a = i < count ? model_output_variables(model)[i]->attributes : NULL;
    const FlatExpression *start = a && a->is_fixed ? a->start : NULL;
    return start && !(start->kind == FLAT_REAL && start->real == 0.0) &&
           !(start->kind == FLAT_INTEGER && start->integer == 0);
}

// Whether its errors are open although it is there. *looks: at so many that are nearly nothing.
static bool is_small(const Model *model, const SaltusRun *run, int state, int *looks)
{
    const RunInstance *active = run->active;
    const double absolute = active->problem->absolute[state], here = active->size.stay[state];
    return here > 0.0 && here < warnings_small * absolute &&
           instances_largest(run, state) < warnings_small * absolute &&
           (here > nothing * absolute ||
            ((*looks)-- > 0 && is_started(model, active->mode->state_names[state])));
}

// Whether the tolerances leave the errors of a small state open: those of exact and of fixed steps
// do not depend on them.
static void warn_of_small(const Model *model, const SaltusRun *run, long steps, StringBuilder *b)
{
    const RunInstance *active = run->active;
    const SaltusSolver solver = saltus_run_solver(run);
    if (steps == 0 || solver == SALTUS_SOLVER_EXACT ||
        (solver_kind(solver)->traits & SOLVER_FIXED_STEP))
        return;
    int count = 0, first = -1, looks = 100;
    for (int i = 0; i < active->mode->state_count; i++)
        if (is_small(model, run, i, &looks))
            first = count++ == 0 ? i : first;
    if (count == 0)
        return;
    const double largest = instances_largest(run, first);
    builder_append_format(
        b,
        "the errors of %s%s are not controlled: it is never larger than %.2g, and "
        "its absolute tolerance is %.2g; declare it with nominal = %.0e, or give "
        "a smaller absolute tolerance",
        active->mode->state_names[first], count > 1 ? " (and other states)" : "", largest,
        active->problem->absolute[first], largest);
}

// Results list parameters, too.
static void warn_of_parameters(const Model *model, const SaltusRun *run, long steps,
                               StringBuilder *b)
{
    (void)model;
    const SaltusSystemDef *def = run->def;
    int count = 0, first = -1;
    (void)steps;
    for (int i = 0; i < def->parameter_count; i++) {
        const bool is_own =
            !def->parameter_classes || !(def->parameter_classes[i] & SALTUS_UNLOGGED);
        if (is_own && !isfinite(run->data.p[i]))
            first = count++ == 0 ? i : first;
    }
    if (count > 0)
        builder_append_format(b, "the parameter %s%s is not finite: %g",
                              def->parameter_names[first], count > 1 ? " (and others)" : "",
                              isnan(run->data.p[first]) ? NAN : run->data.p[first]); // no "-nan"
}

// A parameter beyond its attributes `min` and `max`, where these are numbers.
static void warn_of_limits(const Model *model, const SaltusRun *run, long steps, StringBuilder *b)
{
    const Parameters parameters = model_list_parameters(model);
    int count = 0, first = -1;
    double least = NAN, most = NAN;
    (void)steps;
    for (int i = 0; i < run->def->parameter_count && (uint32_t)i < parameters.count; i++) {
        const FlatAttributes *a = parameters.flat[i]->attributes;
        const double low = a ? flat_literal(a->minimum) : NAN;
        const double high = a ? flat_literal(a->maximum) : NAN;
        if (!(run->data.p[i] < low || run->data.p[i] > high) || count++ > 0)
            continue;
        first = i;
        least = low;
        most = high;
    }
    if (count > 0)
        builder_append_format(b, "the parameter %s = %.6g is %s than its '%s', %.6g%s",
                              run->def->parameter_names[first], run->data.p[first],
                              run->data.p[first] < least ? "less" : "more",
                              run->data.p[first] < least ? "min" : "max",
                              run->data.p[first] < least ? least : most,
                              count > 1 ? " (and others are beyond their limits)" : "");
}

// The value of a parameter that an attribute is; NaN: it is something else. *hint: where to look
// first, for parts of a model are declared in the order of their parameters.
static double warnings_parameter(const FlatExpression *e, Parameters parameters,
                                 const SaltusRun *run, uint32_t *hint)
{
    for (uint32_t k = 0; e && e->kind == FLAT_VARIABLE && k < parameters.count; k++) {
        const uint32_t i = (*hint + k) % parameters.count;
        if (parameters.flat[i] == e->variable) {
            *hint = i;
            return run->data.p[i];
        }
    }
    return NAN;
}

// A parameter as the size of a variable, which is none. (Numbers are judged where they stand.)
static void warn_of_nominal(const Model *model, const SaltusRun *run, long steps, StringBuilder *b)
{
    const Parameters parameters = model_list_parameters(model);
    const uint32_t count = model_output_count(model);
    uint32_t hint = 0;
    (void)steps;
    for (uint32_t i = 0; i < count; i++) {
        const FlatAttributes *a = model_output_variables(model)[i]->attributes;
        const double nominal = warnings_parameter(a ? a->nominal : NULL, parameters, run, &hint);
        if (!(nominal <= 0.0))
            continue;
        builder_append_format(b, "'nominal' of %s is its size, more than 0; %s = %.6g counts as 1",
                              model_output_names(model)[i], a->nominal->variable->name, nominal);
        return;
    }
}

bool warnings_next(const Model *model, const SaltusRun *run, uint32_t *index, double *time,
                   Arena *arena, const char **message)
{
    if (*index < WARNING_STIFF) {
        if (model_next_warning(model, run, index, time, arena, message))
            return true;
        *index = WARNING_STIFF;
    }
    const long steps = saltus_run_statistics(run).steps;
    StringBuilder b = builder_create(arena);
    for (; *index < WARNING_END && builder_string(&b).length == 0; ++*index)
        (*index == WARNING_STIFF        ? warn_of_stiffness
         : *index == WARNING_UNFOLLOWED ? warn_of_unfollowed
         : *index == WARNING_JUMPS      ? warn_of_jumps
         : *index == WARNING_ABRUPT     ? warn_of_abrupt
         : *index == WARNING_SMALL      ? warn_of_small
         : *index == WARNING_PARAMETERS ? warn_of_parameters
         : *index == WARNING_LIMITS     ? warn_of_limits
                                        : warn_of_nominal)(model, run, steps, &b);
    *time = NAN;
    *message = builder_string(&b).text;
    return builder_string(&b).length > 0;
}

// ---------------------------------------------------------------------------
// See saltus.h
// ---------------------------------------------------------------------------

// The first output in the rows of the trajectory that is not finite; NULL: none. (The command looks
// at rows itself, for it ends with another status then.)
static const char *warn_first_wild(const Model *model, const SaltusRun *run, double *time)
{
    const long count = saltus_run_row_count(run);
    for (long i = 0; i < count; i++) {
        const SaltusRow row = saltus_run_row(run, i);
        *time = row.t;
        for (int k = 0; k < row.y_count; k++)
            if (!isfinite(row.y[k]))
                return model_output_names(model)[k];
    }
    return NULL;
}

size_t saltus_model_warning(const SaltusModel *m, const SaltusRun *run, int index, double *time,
                            char *text, size_t size)
{
    (void)m;
    const Model *model = model_of_run(run);
    Arena *arena = model ? arena_create(NULL) : NULL;
    const char *message = NULL;
    uint32_t next = 0;
    bool is_there = arena;
    int i = 0;
    for (; i <= index && is_there; i++)
        is_there = warnings_next(model, run, &next, time, arena, &message);
    const char *wild =
        arena && !is_there && i == index + 1 ? warn_first_wild(model, run, time) : NULL;
    const size_t length = is_there ? (size_t)snprintf(text, size, "%s", message)
                          : wild   ? (size_t)snprintf(text, size, "%s is not finite", wild)
                                   : 0;
    arena_destroy(arena);
    return length;
}

const char *saltus_model_printed(const SaltusModel *m, const SaltusRun *run, double *time,
                                 bool *is_warning)
{
    (void)m;
    const Model *model = model_of_run(run);
    ExternalStore *store = model ? model_externals(model) : NULL;
    ExternalMessage message;
    if (!store || !store_take_message(store, &message))
        return NULL;
    *time = message.time;
    *is_warning = message.is_warning;
    return message.text;
}
