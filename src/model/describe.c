// SPDX-License-Identifier: MIT

#include "model/describe.h"

#include "model/model_parts.h"

uint32_t describe_mode_count(const Model *m)
{
    (void)m;
    return 1;
}

ModeDescription describe_mode(const Model *m, uint32_t number)
{
    (void)number;
    return (ModeDescription){"default", m->analysis.structure};
}
