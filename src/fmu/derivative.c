// SPDX-License-Identifier: MIT

#include "fmu/derivative.h"

#include "fmu/exchange.h"
#include "hybrid/exchange.h"
#include "hybrid/run.h"
#include "modes/tangent.h"
#include "studies/ridders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is moved: a state of the active mode, or the parameter that has the value of an input.
typedef struct DerivativeKnown {
    int state, parameter; // -1: it is the other
    double from, by;      // where it is, and how far it moves
} DerivativeKnown;

typedef struct DerivativePoint {
    Fmu *fmu;
    const SaltusModeDef *mode;
    const DerivativeDef *def;
    double time;
    int moved_count;
    DerivativeKnown *moved;
    double *x, *dx, *h, *y; // x: as it is moved
    double *slopes;         // of variables that are no states, as time goes on; NULL: not asked for
} DerivativePoint;

// ---------------------------------------------------------------------------
// Along the flow
// ---------------------------------------------------------------------------

// A line through a point.
typedef struct DerivativeLine {
    const Fmu *fmu;
    double t;
    const double *x, *dx;
    double *moved; // room
    int state_count;
} DerivativeLine;

static int derivative_on_line(void *user, double from, double by, double *values, double *step)
{
    const DerivativeLine *d = user;
    *step = by;
    for (int i = 0; i < d->state_count; i++)
        d->moved[i] = d->x[i] + (from + by) * d->dx[i];
    return exchange_evaluate(d->fmu->state.run, d->t + from + by, d->moved, NULL, NULL, values);
}

bool derivative_along(const Fmu *fmu, double t, const double *x, const double *dx, double *slopes)
{
    SaltusRun *run = fmu->state.run;
    const SaltusModeDef *mode = run->active->mode;
    const size_t nx = (size_t)mode->state_count, nh = (size_t)mode->event_count;
    double *room = calloc(2 * nx + nh + 1, sizeof *room), error;
    const ModeTangent tangent = {.t = 1.0,
                                 .x = dx,
                                 .dx = room,
                                 .h = room ? room + nx : NULL,
                                 .y = slopes,
                                 .output_count = mode->output_count};
    bool is_fine = room && tangent_of_mode(&run->active->context, t, x, run->z, &tangent);
    if (room && !is_fine) {
        DerivativeLine line = {fmu, t, x, dx, room, mode->state_count};
        Ridders *ridders = ridders_create(mode->output_count);
        is_fine = ridders &&
                  ridders_derive(ridders, derivative_on_line, &line, 0.0, 1e-3, slopes, &error);
        ridders_destroy(ridders);
    }
    free(room);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Evaluation
// ---------------------------------------------------------------------------

// Of a state of the active mode by its name; -1: it has none such.
static int derivative_place(const DerivativePoint *d, const char *name)
{
    for (int i = 0; i < d->mode->state_count; i++)
        if (strcmp(d->mode->state_names[i], name) == 0)
            return i;
    return -1;
}

// The derivative of what is no state of the active mode.
static bool derivative_is_foreign(const DerivativePoint *d, uint32_t reference)
{
    const Item *item = &d->fmu->manifest.items[reference];
    return item->kind == ITEM_DERIVATIVE && derivative_place(d, item->text) < 0;
}

static double derivative_unknown(const DerivativePoint *d, uint32_t reference)
{
    const Item *item = &d->fmu->manifest.items[reference];
    if (item->kind == ITEM_INDICATOR)
        return item->value < d->mode->event_count ? d->h[(int)item->value] : 1.0;
    const bool is_of_state = item->kind == ITEM_DERIVATIVE || item->kind == ITEM_STATE;
    const int i = is_of_state ? derivative_place(d, item->text) : -1;
    if (i >= 0)
        return item->kind == ITEM_STATE ? d->x[i] : d->dx[i];
    const int variable = is_of_state ? exchange_variable(d->fmu, item) : d->fmu->index[reference];
    return !is_of_state ? d->y[variable] : d->slopes && variable >= 0 ? d->slopes[variable] : 0.0;
}

static void derivative_move(const DerivativePoint *d, double along)
{
    for (int i = 0; i < d->moved_count; i++) {
        const DerivativeKnown *k = &d->moved[i];
        const double value = k->from + along * k->by;
        if (k->state >= 0)
            d->x[k->state] = value;
        else
            exchange_set_parameter(d->fmu->state.run, k->parameter, value);
    }
}

static int derivative_at(void *user, double from, double by, double *values, double *step)
{
    const DerivativePoint *d = user;
    *step = by;
    derivative_move(d, from + by);
    int code = exchange_evaluate(d->fmu->state.run, d->time, d->x, d->dx, d->h, d->y);
    if (code == 0 && d->slopes && !derivative_along(d->fmu, d->time, d->x, d->dx, d->slopes))
        code = 1;
    for (size_t i = 0; i < d->def->unknown_count && code == 0; i++)
        values[i] = derivative_unknown(d, d->def->unknowns[i]);
    derivative_move(d, 0.0);
    return code;
}

// ---------------------------------------------------------------------------
// What is asked for
// ---------------------------------------------------------------------------

// The name of the state that a value reference is; NULL: none. A state may have another name in the
// description, if an equation says that they are the same.
static const char *derivative_state_name(const Fmu *fmu, uint32_t reference)
{
    const FmuManifest *m = &fmu->manifest;
    const ItemKind kind = m->items[reference].kind;
    for (int i = 0; i < m->item_count; i++)
        if (m->items[i].kind == ITEM_DERIVATIVE && m->items[i].value == reference)
            return m->items[i].text;
    return kind == ITEM_VARIABLE || kind == ITEM_START || kind == ITEM_STATE
               ? m->items[reference].text
               : NULL;
}

static bool derivative_is_state(const Fmu *fmu, uint32_t reference)
{
    const FmuManifest *m = &fmu->manifest;
    for (int i = 0; i < m->item_count; i++)
        if (m->items[i].kind == ITEM_DERIVATIVE && m->items[i].value == reference)
            return true;
    return false;
}

// False: it is nothing that derivatives are taken by.
static bool derivative_find_known(DerivativePoint *d, uint32_t reference, double by)
{
    Fmu *fmu = d->fmu;
    if (reference >= (uint32_t)fmu->manifest.item_count)
        return false;
    const Item *item = &fmu->manifest.items[reference];
    DerivativeKnown *k = &d->moved[d->moved_count];
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): derivative_begin has made room or failed
    *k = (DerivativeKnown){.state = -1, .parameter = -1, .by = by};
    if (item->kind == ITEM_INPUT) {
        k->parameter = exchange_find_value(fmu, item->text);
        if (k->parameter >= 0)
            k->from = saltus_run_parameters(fmu->state.run)[k->parameter];
    } else {
        const char *name = derivative_state_name(fmu, reference);
        k->state = name ? derivative_place(d, name) : -1;
        if (k->state >= 0)
            k->from = d->x[k->state];
        else if (derivative_is_state(fmu, reference))
            return true; // of another mode: nothing depends on it
    }
    d->moved_count++;
    return k->state >= 0 || k->parameter >= 0;
}

static bool derivative_is_unknown(const Fmu *fmu, uint32_t reference)
{
    if (reference >= (uint32_t)fmu->manifest.item_count)
        return false;
    const ItemKind kind = fmu->manifest.items[reference].kind;
    return kind == ITEM_VARIABLE || kind == ITEM_START || kind == ITEM_STATE ||
           kind == ITEM_DERIVATIVE || kind == ITEM_INDICATOR;
}

static FmuStatus derivative_begin(DerivativePoint *d)
{
    const DerivativeDef *def = d->def;
    Fmu *fmu = d->fmu;
    if (fmu->state.phase >= PHASE_TERMINATED)
        return fmu_refuse(fmu, "get derivatives", "the simulation has ended");
    if (!fmu->exchange || !fmu->state.run) {
        const FmuStatus status = fmu_settle(fmu);
        if (status != FMU_OK)
            return status;
    }
    for (size_t i = 0; i < def->unknown_count; i++)
        if (!derivative_is_unknown(fmu, def->unknowns[i]))
            return fmu_refuse(fmu, "get derivatives",
                              "derivatives are of derivatives, event functions and variables");
    SaltusRun *run = fmu->state.run;
    d->mode = saltus_system_mode(fmu->state.system->system, saltus_run_mode(run));
    const size_t nx = (size_t)d->mode->state_count;
    bool has_foreign = false;
    for (size_t i = 0; i < def->unknown_count; i++)
        has_foreign = has_foreign || derivative_is_foreign(d, def->unknowns[i]);
    d->moved = calloc(def->known_count + 1, sizeof *d->moved);
    const size_t ny = (size_t)d->mode->output_count;
    d->x = calloc(2 * nx + (size_t)d->mode->event_count + 2 * ny + 1, sizeof *d->x);
    if (!d->moved || !d->x)
        return fmu_refuse(fmu, "get derivatives", "out of memory");
    d->dx = d->x + nx;
    d->h = d->dx + nx;
    d->y = d->h + d->mode->event_count;
    d->slopes = has_foreign ? d->y + ny : NULL;
    if (nx)
        memcpy(d->x, exchange_point(fmu, &d->time), nx * sizeof *d->x);
    else
        exchange_point(fmu, &d->time);
    return FMU_OK;
}

// The first step: a twentieth of what moves, or of its nominal value.
static double derivative_step(const DerivativePoint *d)
{
    double step = INFINITY;
    for (int i = 0; i < d->moved_count; i++) {
        const DerivativeKnown *k = &d->moved[i];
        const double nominal = k->state >= 0 && d->mode->nominal ? d->mode->nominal[k->state] : 1.0;
        step = fmin(step, 0.05 * fmax(fabs(k->from), nominal) / fabs(k->by));
    }
    return step;
}

// Forward through the equations of the mode. False: there is something that they cannot derive.
static bool derivative_exact(const DerivativePoint *d, double *sensitivity)
{
    const RunInstance *active = d->fmu->state.run->active;
    const size_t nx = (size_t)d->mode->state_count, nh = (size_t)d->mode->event_count;
    const size_t ny = (size_t)d->mode->output_count;
    const size_t np = (size_t)d->fmu->state.run->def->parameter_count;
    double *x = calloc(2 * nx + nh + ny + np + 1, sizeof *x);
    if (!x)
        return false;
    const ModeTangent t = {.x = x,
                           .p = x + nx,
                           .dx = x + nx + np,
                           .h = x + 2 * nx + np,
                           .y = x + 2 * nx + np + nh,
                           .output_count = (int)ny};
    for (int i = 0; i < d->moved_count; i++) {
        const DerivativeKnown *k = &d->moved[i];
        x[k->state >= 0 ? (size_t)k->state : nx + (size_t)k->parameter] += k->by;
    }
    DerivativePoint moved = *d; // what is read from it are derivatives
    moved.slopes = NULL;
    moved.x = x;
    moved.dx = t.dx;
    moved.h = t.h;
    moved.y = t.y;
    const bool is_fine = tangent_of_mode(&active->context, d->time, d->x, d->fmu->state.run->z, &t);
    for (size_t i = 0; i < nh && is_fine; i++)
        t.h[i] = d->mode->events[i].is_muted ? 0.0 : t.h[i];
    bool is_finite = is_fine;
    for (size_t i = 0; i < d->def->unknown_count && is_fine; i++) {
        const Item *item = &d->fmu->manifest.items[d->def->unknowns[i]];
        const bool is_missing = item->kind == ITEM_INDICATOR && item->value >= (double)nh;
        sensitivity[i] = is_missing ? 0.0 : derivative_unknown(&moved, d->def->unknowns[i]);
        is_finite = is_finite && isfinite(sensitivity[i]);
    }
    free(x);
    return is_finite;
}

// By differences: of the derivatives of what is no state these alone, if that is asked for.
static FmuStatus derivative_differences(DerivativePoint *d, bool only_foreign, double *sensitivity)
{
    const size_t count = d->def->unknown_count;
    double error, *found = calloc(count + 1, sizeof *found);
    Ridders *ridders = found ? ridders_create((int)count) : NULL;
    const bool is_fine = ridders && ridders_derive(ridders, derivative_at, d, 0.0,
                                                   derivative_step(d), found, &error);
    for (size_t i = 0; i < count && is_fine; i++)
        if (!only_foreign || derivative_is_foreign(d, d->def->unknowns[i]))
            sensitivity[i] = found[i];
    ridders_destroy(ridders);
    free(found);
    return is_fine ? FMU_OK
                   : fmu_refuse(d->fmu, "get derivatives", "the equations could not be evaluated");
}

static FmuStatus derivative_take(DerivativePoint *d, const double *seed, double *sensitivity)
{
    const DerivativeDef *def = d->def;
    d->moved_count = 0;
    memset(sensitivity, 0, def->unknown_count * sizeof *sensitivity);
    for (size_t i = 0; i < def->known_count; i++)
        if (seed[i] != 0.0 && !derivative_find_known(d, def->knowns[i], seed[i]))
            return fmu_refuse(d->fmu, "get derivatives",
                              "derivatives are by states and by continuous inputs");
    if (d->moved_count == 0 || def->unknown_count == 0)
        return FMU_OK;
    const bool is_exact = derivative_exact(d, sensitivity);
    return is_exact && !d->slopes ? FMU_OK : derivative_differences(d, is_exact, sensitivity);
}

static void derivative_end(DerivativePoint *d)
{
    free(d->moved);
    free(d->x);
}

// ---------------------------------------------------------------------------
// The two kinds
// ---------------------------------------------------------------------------

FmuStatus derivative_directional(Fmu *fmu, const DerivativeDef *def, const double *seed,
                                 double *sensitivity)
{
    DerivativePoint d = {.fmu = fmu, .def = def};
    FmuStatus status = derivative_begin(&d);
    if (status == FMU_OK)
        status = derivative_take(&d, seed, sensitivity);
    derivative_end(&d);
    return status;
}

// A column of J for each known.
FmuStatus derivative_adjoint(Fmu *fmu, const DerivativeDef *def, const double *seed,
                             double *sensitivity)
{
    DerivativePoint d = {.fmu = fmu, .def = def};
    double *unit = calloc(def->known_count + 1, sizeof *unit);
    double *column = calloc(def->unknown_count + 1, sizeof *column);
    FmuStatus status =
        unit && column ? derivative_begin(&d) : fmu_refuse(fmu, "get derivatives", "out of memory");
    for (size_t k = 0; unit && column && k < def->known_count && status == FMU_OK; k++) {
        unit[k] = 1.0;
        status = derivative_take(&d, unit, column);
        unit[k] = sensitivity[k] = 0.0;
        for (size_t i = 0; i < def->unknown_count; i++)
            sensitivity[k] += seed[i] * column[i];
    }
    derivative_end(&d);
    free(unit);
    free(column);
    return status;
}
