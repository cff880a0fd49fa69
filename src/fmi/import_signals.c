// SPDX-License-Identifier: MIT
//
// Inputs of an FMU that follow signals, as those of models do (saltus_model_advance): polynomials,
// one after the other. Where one ends, there is an event.

#include "base/message.h"
#include "fmi/import_parts.h"
#include "open/embed.h"

#include <math.h>

int import_set_signals(const ImportedFmu *import, double t, bool is_event)
{
    ImportParts *p = import->parts;
    int status = FMI2_OK;
    if (is_event)
        p->since = t;
    for (int i = 0; i < p->def.signal_count && status <= FMI2_WARNING; i++) {
        const SaltusSignal *s = &p->def.signals[i];
        const FmuVariable *v = &import->description->variables[s->input];
        const double value = signals_value(s, signals_after(s, p->since) - 1, t);
        if (is_event || v->variability == FMU_CONTINUOUS)
            status = import_set_numbers(import, v, &value);
        if (status > FMI2_WARNING && !p->said)
            message_set(&p->said, "%s = %.17g", v->name, value);
    }
    return status;
}

double import_next_signal(const ImportedFmu *import, double t)
{
    const ImportDef *def = &import->parts->def;
    double next = INFINITY;
    for (int i = 0; i < def->signal_count; i++) {
        const SaltusSignal *s = &def->signals[i];
        const long piece = signals_after(s, t);
        if (piece < s->count)
            next = fmin(next, s->times[piece]);
    }
    return next;
}
