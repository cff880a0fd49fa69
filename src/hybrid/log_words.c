// SPDX-License-Identifier: MIT

#include "hybrid/log_words.h"

#include "hybrid/system.h"

#include <string.h>

// Texts of events are shared by all modes of a system: they stay when the mode is left.
static const char *condition_of(const LogSource *source, const SaltusFired *fired)
{
    const SaltusModeDef *mode = saltus_system_use_mode(source->system, fired->mode);
    if (!mode)
        return "?";
    const SaltusEventDef *event = &mode->events[fired->event];
    const char *text = event->condition ? event->condition : event->name;
    saltus_system_leave_mode(source->system, fired->mode);
    return text;
}

void log_conditions(const LogSource *source, const SaltusLogEntry *entry, LogTake *take, void *user)
{
    for (int i = 0; i < entry->fired_count; i++) {
        const char *condition = condition_of(source, &entry->fired[i]);
        bool is_repeated = false;
        for (int k = 0; k < i && !is_repeated; k++)
            is_repeated = strcmp(condition_of(source, &entry->fired[k]), condition) == 0;
        if (!is_repeated)
            take(user, condition, entry->fired[i].direction > 0 ? 1 : -1);
    }
    for (int i = 0; i < entry->time_count; i++)
        take(user, system_time_name(source->system, entry->time_ids[i]), 0);
}
