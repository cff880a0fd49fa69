// SPDX-License-Identifier: MIT
//
// What always holds: modes are numbered as they are met, so the bytes say of each what makes it:
// its choices, which relations slide in it, and which states its parts have, where these can
// change.

#include "fmu/snapshot.h"

#include "fmu/exchange.h"
#include "hybrid/carry.h"
#include "modes/model_parts.h"
#include "open/embed.h"

#include <stdlib.h>

bool snapshot_is_possible(const FmuState *s)
{
    return s->phase != PHASE_FAILED && (!s->run || carry_is_possible(s->run));
}

// ---------------------------------------------------------------------------
// Modes
// ---------------------------------------------------------------------------

static uint32_t snapshot_order_count(const Mode *part)
{
    return part->jump.pivot_count && part->structure ? part->structure->signature->variable_count
                                                     : 0;
}

static void snapshot_write_mode(const Model *m, const Mode *mode, Carrier *c)
{
    carry(c, (void *)(uintptr_t)mode->switches.choices,
          m->sizes.choices * sizeof *mode->switches.choices);
    for (uint32_t i = 0; i < m->sizes.held; i++) {
        bool slides = false;
        for (uint32_t k = 0; k < mode->parts.count; k++)
            slides = slides || (mode->parts.modes[k]->switches.slides &&
                                mode->parts.modes[k]->switches.slides[i]);
        CARRY(c, slides);
    }
    for (uint32_t k = 0; k < mode->parts.count; k++) {
        const Mode *part = mode->parts.modes[k];
        uint32_t count = snapshot_order_count(part);
        CARRY(c, count);
        if (count)
            carry(c, (void *)(uintptr_t)part->structure->state_orders,
                  count * sizeof *part->structure->state_orders);
    }
}

// The mode with these choices, in which these relations slide; NULL: there is none.
static const Mode *snapshot_find(const Model *m, Carrier *c)
{
    uint32_t *choices = calloc(m->sizes.choices + 1u, sizeof *choices);
    bool *slides = calloc(m->sizes.held + 1u, sizeof *slides), is_sliding = false;
    const Mode *mode = NULL;
    if (choices && slides) {
        carry(c, choices, m->sizes.choices * sizeof *choices);
        carry(c, slides, m->sizes.held * sizeof *slides);
        for (uint32_t i = 0; i < m->sizes.held; i++)
            is_sliding = is_sliding || slides[i];
        bool is_fine = !c->has_failed;
        for (uint32_t i = 0; i < m->sizes.choices && is_fine; i++) {
            choices[i] = choices[i] == GATHER_ANY ? 0 : choices[i];
            is_fine = choices[i] < model_branch_count(m, i);
        }
        mode = is_fine ? model_mode(m, choices, false) : NULL;
    }
    if (mode && is_sliding && !mode->is_broken)
        mode = model_sliding(mode, slides);
    free(choices);
    free(slides);
    return mode && !mode->is_broken ? mode : NULL;
}

// The part with the states that the bytes say; NULL: there is none.
static const Mode *snapshot_part(const Mode *part, Carrier *c)
{
    uint32_t count = 0;
    CARRY(c, count);
    if (c->has_failed || count != snapshot_order_count(part))
        return NULL;
    if (count == 0)
        return part;
    uint32_t *orders = calloc(count, sizeof *orders);
    if (orders)
        carry(c, orders, count * sizeof *orders);
    const Mode *found = NULL;
    if (orders && !c->has_failed) {
        const bool is_same =
            memcmp(orders, part->structure->state_orders, count * sizeof *orders) == 0;
        found = is_same ? part : model_variant(part, orders);
    }
    free(orders);
    return found && !found->is_broken ? found : NULL;
}

static const Mode *snapshot_read_mode(const Model *m, Carrier *c)
{
    const Mode *mode = snapshot_find(m, c);
    const Mode **parts = mode ? calloc(mode->parts.count + 1u, sizeof *parts) : NULL;
    bool is_fine = parts, is_same = true;
    for (uint32_t k = 0; is_fine && k < mode->parts.count; k++) {
        parts[k] = snapshot_part(mode->parts.modes[k], c);
        is_fine = parts[k];
        is_same = is_same && parts[k] == mode->parts.modes[k];
    }
    if (is_fine && !is_same)
        mode = mode->parts.count == 1 ? parts[0] : model_join(m, parts);
    free(parts);
    return is_fine && mode && !mode->is_broken ? mode : NULL;
}

static int snapshot_mode(void *user, Carrier *c, const void *data)
{
    const Model *m = embed_model(((const Fmu *)user)->model);
    if (!c->is_reading) {
        snapshot_write_mode(m, data, c);
        return 0;
    }
    const Mode *mode = snapshot_read_mode(m, c);
    return mode ? (int)mode->number : -1;
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// What is not in the run.
static void snapshot_carry(const Fmu *fmu, FmuState *s, Carrier *c)
{
    CARRY(c, s->phase);
    CARRY(c, s->start_time);
    CARRY(c, s->stop_time);
    CARRY(c, s->tolerance);
    CARRY(c, s->has_pending);
    CARRY(c, s->time);
    carry(c, s->given, (size_t)fmu->manifest.item_count * sizeof *s->given);
    carry_reals(c, s->x, fmu->state_count);
}

void snapshot_write(const Fmu *fmu, const FmuState *s, Carrier *c)
{
    bool has_run = s->run;
    snapshot_carry(fmu, (FmuState *)(uintptr_t)s, c); // nothing is written to it
    CARRY(c, has_run);
    if (has_run)
        carry_write(s->run, c, snapshot_mode, (void *)(uintptr_t)fmu);
}

FmuStatus snapshot_read(Fmu *fmu, Carrier *c)
{
    const Model *m = embed_model(fmu->model);
    FmuState *s = &fmu->state;
    bool has_run = false;
    ModelInstant instant;
    snapshot_carry(fmu, s, c);
    CARRY(c, has_run);
    if (c->has_failed || s->phase >= PHASE_FAILED)
        return FMU_ERROR;
    if (!has_run)
        return FMU_OK;
    if (fmu_open_system(fmu) != FMU_OK)
        return FMU_ERROR;
    const SaltusOptions options = fmu_options(fmu);
    model_begin_instant(m, &instant);
    s->run = carry_read(s->system->system, &options, c, snapshot_mode, fmu);
    model_end_instant(m, &instant);
    if (!s->run)
        return FMU_ERROR;
    return fmu->is_exchange && s->phase == PHASE_RUNNING ? exchange_begin(fmu, false) : FMU_OK;
}
