// SPDX-License-Identifier: MIT

#include "model/describe.h"

uint32_t describe_mode_count(const Model *m)
{
    return model_mode_count(m);
}

ModeDescription describe_mode(const Model *m, uint32_t number)
{
    const ModelMode mode = model_mode_info(m, number);
    return (ModeDescription){mode.name, mode.structure};
}
