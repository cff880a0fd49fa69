// SPDX-License-Identifier: MIT

#include "modes/switched.h"

#include "modes/program_stage.h"

#include <string.h>

// Rates of unknowns decide about nothing.
static bool is_asked_for(const Stage *stage)
{
    return !stage->is_rate;
}

bool switched_count(const Program *p, uint32_t *count)
{
    bool is_linear = true;
    for (uint32_t k = 0; k < p->joined.count && p->joined.parts; k++)
        is_linear = is_linear && switched_count(p->joined.parts[k].program, count);
    for (uint32_t k = 0; k < p->stage_count && !p->joined.parts; k++) {
        const Stage *stage = &p->stages[k];
        if (!is_asked_for(stage) || stage->kind == STAGE_EXPLICIT)
            continue;
        is_linear = is_linear && stage->kind == STAGE_LINEAR;
        *count += stage->size;
    }
    return is_linear;
}

static bool switched_evaluate_one(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                                  EntryNumber entry, const double **u, double **residuals,
                                  double *values)
{
    program_bind(s, inputs->vectors);
    s->inputs[PROGRAM_TIME] = &inputs->time;
    for (uint32_t k = 0; k < p->stage_count; k++) {
        const Stage *stage = &p->stages[k];
        if (!is_asked_for(stage))
            continue;
        const bool is_linear = stage->kind == STAGE_LINEAR;
        if (is_linear)
            memcpy(s->w + stage->first, *u, stage->size * sizeof **u);
        if (stage_run(p, s, stage->entry) != 0)
            return false;
        if (is_linear) {
            memcpy(*residuals, s->values, stage->size * sizeof **u);
            *u += stage->size;
            *residuals += stage->size;
        }
    }
    return program_evaluate(p, s, inputs, entry, values) == PROGRAM_FINE;
}

bool switched_evaluate(const Program *p, ProgramScratch *s, const ProgramInputs *inputs,
                       EntryNumber entry, const double *u, double *residuals, double *values)
{
    if (!p->joined.parts)
        return switched_evaluate_one(p, s, inputs, entry, &u, &residuals, values);
    for (uint32_t k = 0; k < p->joined.count; k++) {
        const Program *part = p->joined.parts[k].program;
        ProgramInputs own = *inputs;
        if (own.vectors[PROGRAM_STATES])
            own.vectors[PROGRAM_STATES] += p->joined.parts[k].state;
        if (!switched_evaluate_one(part, s->parts[k], &own, entry, &u, &residuals, values))
            return false;
        values += part->counts[entry];
    }
    return true;
}
