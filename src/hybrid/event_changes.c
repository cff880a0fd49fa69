// SPDX-License-Identifier: MIT
//
// What an event changed: the classes of a state event, and the log's list of changes.

#include "hybrid/event_parts.h"
#include <math.h>
#include <string.h>

static unsigned log_values(SaltusRun *run, const char *const *names, const double *before,
                           const double *after, int count, unsigned class)
{
    unsigned found = 0;
    for (int i = 0; i < count; i++) {
        if (memcmp(&before[i], &after[i], sizeof *before) == 0)
            continue;
        log_change(&run->log, names[i], before[i], after[i]);
        found = class;
    }
    return found;
}

static unsigned log_parameters(SaltusRun *run)
{
    const SaltusSystemDef *def = run->def;
    if (!def->parameter_classes)
        return log_values(run, def->parameter_names, run->data.p_left, run->data.p,
                          def->parameter_count, SALTUS_SE_P);
    unsigned found = 0;
    for (int i = 0; i < def->parameter_count; i++) {
        const unsigned class = def->parameter_classes[i] & ~(unsigned)SALTUS_UNLOGGED;
        if (memcmp(&run->data.p_left[i], &run->data.p[i], sizeof *run->data.p) == 0)
            continue;
        if (class == def->parameter_classes[i])
            log_change(&run->log, def->parameter_names[i], run->data.p_left[i], run->data.p[i]);
        found |= class;
    }
    return found;
}

// A client that delivers the variable in both modes says itself what became of it. (Names of a
// system's modes are equal if their addresses are.)
static bool event_changes_is_output(const SaltusModeDef *mode, const char *name)
{
    for (int i = 0; i < mode->output_count; i++)
        if (mode->output_names[i] == name)
            return true;
    return false;
}

static bool is_known_to_client(const SaltusRun *run, const RunInstance *from, const char *name)
{
    return run->def->event_update && event_changes_is_output(from->mode, name) &&
           event_changes_is_output(run->active->mode, name);
}

// More than what a projection onto the constraints of the new mode rounds.
static bool event_changes_is_jump(const SaltusRun *run, double before, double after, double nominal)
{
    const double size = fmax(fabs(before), fabs(after));
    return fabs(after - before) >
           run->method.relative_tolerance * size + run->method.absolute_tolerance * nominal;
}

// States over a change of the mode: those that appear, change or disappear.
static unsigned log_structure(SaltusRun *run, RunInstance *from, const NameMap *map)
{
    const RunInstance *to = run->active;
    int nx = to->mode->state_count, nx_from = from->mode->state_count;
    unsigned classes = map->has_same_variables ? SALTUS_SE_F : SALTUS_SE_S;
    for (int i = 0; i < nx; i++) {
        const int source = name_map_source(map, i);
        const double before = source < 0         ? NAN
                              : source < nx_from ? from->left.x[source]
                                                 : from->left.z[source - nx_from];
        const bool was_state = source >= 0 && source < nx_from;
        if (before == to->x[i] ||
            (!was_state && is_known_to_client(run, from, to->mode->state_names[i])))
            continue;
        log_change(&run->log, to->mode->state_names[i], before, to->x[i]);
        const double nominal = to->mode->nominal ? to->mode->nominal[i] : 1.0;
        if (map->has_same_variables ||
            (was_state && event_changes_is_jump(run, before, to->x[i], nominal)))
            classes |= SALTUS_SE_X;
    }
    for (int j = 0; j < nx_from && !map->has_same_variables; j++) {
        const int now = name_map_target(map, j);
        if (now >= 0 && now < nx)
            continue; // still a state
        const double after = now >= 0 ? to->z[now - nx] : NAN;
        if (from->left.x[j] != after && !is_known_to_client(run, from, from->mode->state_names[j]))
            log_change(&run->log, from->mode->state_names[j], from->left.x[j], after);
    }
    return classes;
}

// What the client has said of the event.
static unsigned classes_of_answers(const SaltusRun *run)
{
    return ((run->now.answers & SALTUS_RHS_CHANGED) ? SALTUS_SE_F : 0u) |
           ((run->now.answers & SALTUS_INPUTS_CHANGED) ? SALTUS_SE_I : 0u) |
           run->now.client_classes;
}

// What the event changed, as a set of classes; logs every change.
SaltusStatus event_classify(SaltusRun *run, RunInstance *from, const SaltusMethod *method_left,
                            long records_before, unsigned *classes)
{
    const SaltusSystemDef *def = run->def;
    unsigned found = log_parameters(run);
    found |= log_values(run, def->input_names, run->data.u_left, run->data.u, def->input_count,
                        SALTUS_SE_I);
    if (run->active == from) {
        found |= log_values(run, from->mode->state_names, from->left.x, from->x,
                            from->mode->state_count, SALTUS_SE_X);
    } else {
        const NameMap *map = instance_map(run, run->active, from);
        if (!map)
            return run_fail(run, SALTUS_ERROR_MEMORY, "out of memory");
        found |= log_structure(run, from, map);
    }
    bool has_memory_changed =
        def->memory.size > 0 && !def->event_update &&
        memcmp(run->data.memory, run->data.memory_left, def->memory.size) != 0;
    if (has_memory_changed)
        found |= SALTUS_SE_F;
    if (!method_equal(&run->method, method_left))
        found |= SALTUS_SE_A;
    if (run->log.record_count > records_before)
        found |= SALTUS_SE_O;
    *classes = found | classes_of_answers(run);
    return SALTUS_OK;
}
