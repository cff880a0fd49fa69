// SPDX-License-Identifier: MIT

#include "modes/redundant.h"

#include "equations/alias.h"
#include "structure/diagnosis.h"

enum { MOST_REPLACED = 64 };

// ---------------------------------------------------------------------------
// What follows from others
// ---------------------------------------------------------------------------

// Of the equations of an over-determined part, those that say again what others say of aliases.
static void mark_aliases(Arena *arena, const System *system, const DiagnosisPart *part,
                         bool *is_redundant)
{
    Dag *dag = system->dag;
    int *ranks = ARENA_ARRAY(arena, dag->variable_count, int);
    for (uint32_t v = 0; v < dag->variable_count; v++)
        ranks[v] = -1;
    for (uint32_t j = 0; j < system->variable_count; j++)
        ranks[system->variables[j].origin] = 0;
    AliasEquation *equations = ARENA_ARRAY(arena, part->equation_count, AliasEquation);
    for (uint32_t i = 0; i < part->equation_count; i++) {
        const SystemEquation *e = &system->equations[part->equations[i]];
        equations[i] = (AliasEquation){e->left, e->right};
    }
    const AliasTable table = alias_find(dag, part->equation_count, equations, ranks);
    for (uint32_t i = 0; i < part->equation_count; i++)
        is_redundant[part->equations[i]] |= table.uses[i] == ALIAS_REDUNDANT;
}

// How many there are.
static uint32_t redundant_find_redundant(Arena *arena, const System *system,
                                         const Signature *signature, bool *is_redundant)
{
    const Diagnosis diagnosis = diagnosis_find(arena, signature);
    uint32_t count = 0;
    for (uint32_t k = 0; k < diagnosis.count; k++)
        if (diagnosis.parts[k].is_over)
            mark_aliases(arena, system, &diagnosis.parts[k], is_redundant);
    for (uint32_t i = 0; i < system->equation_count; i++) {
        const SystemEquation *e = &system->equations[i];
        is_redundant[i] |= dag_is_zero(system->dag, dag_subtract(system->dag, e->left, e->right));
        count += is_redundant[i];
    }
    return count;
}

// ---------------------------------------------------------------------------
// What is open
// ---------------------------------------------------------------------------

// Variables without equations, in all parts.
static uint32_t open_count(const Diagnosis *diagnosis)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < diagnosis->count; k++)
        count += diagnosis->parts[k].is_over ? 0 : diagnosis->parts[k].surplus;
    return count;
}

// A sum of the part's equations, with weights that hardly cancel anything: so all that is open
// stands in one block, whose shortest solution is that of the whole.
static SystemEquation sum_of(const System *system, const DiagnosisPart *part)
{
    Dag *dag = system->dag;
    SystemEquation sum = system->equations[part->equations[0]];
    for (uint32_t i = 1; i < part->equation_count; i++) {
        const SystemEquation *e = &system->equations[part->equations[i]];
        const Node weight = dag_real(dag, 1.0 + 0.5 * i);
        sum.left = dag_add(dag, sum.left, dag_multiply(dag, weight, e->left));
        sum.right = dag_add(dag, sum.right, dag_multiply(dag, weight, e->right));
    }
    return sum;
}

// Adds an equation that says nothing new, so that less is open. False: none does that.
static bool repeat_equation(Arena *arena, System *system, SystemEquation *equations,
                            const Diagnosis *before, const DiagnosisPart *part)
{
    const uint32_t at = system->equation_count++;
    for (uint32_t i = 0; i <= part->equation_count && part->equation_count > 0; i++) {
        equations[at] = i == 0 ? sum_of(system, part) : equations[part->equations[i - 1]];
        const Diagnosis after = diagnosis_find(arena, system_signature(arena, system));
        if (open_count(&after) < open_count(before))
            return true;
    }
    system->equation_count--;
    return false;
}

// A variable that occurs nowhere is zero.
static void set_to_zero(System *system, SystemEquation *equations, const DiagnosisPart *part,
                        Diagnostics *diagnostics)
{
    const SignatureVariable *v = &system->variables[part->variables[0]];
    equations[system->equation_count++] =
        (SystemEquation){.left = dag_reference(system->dag, v->origin),
                         .right = system->dag->zero,
                         .about = {.text = "what nothing determines is zero", .span = v->span}};
    diagnostics_warning(diagnostics, v->span, "nothing determines %s: it is zero", v->name);
}

// Whether a variable of the part is differentiated anywhere: then motion is open, which matters.
static bool has_motion(const Signature *s, const DiagnosisPart *part)
{
    bool is_found = false;
    for (uint32_t e = 0; e < s->start[s->equation_count]; e++)
        for (uint32_t k = 0; s->entries[e].order > 0 && k < part->variable_count; k++)
            is_found = is_found || part->variables[k] == s->entries[e].variable;
    return is_found;
}

static bool close_part(Arena *arena, System *system, SystemEquation *equations,
                       Diagnostics *diagnostics)
{
    const Signature *signature = system_signature(arena, system);
    const Diagnosis diagnosis = diagnosis_find(arena, signature);
    for (uint32_t k = 0; k < diagnosis.count; k++) {
        const DiagnosisPart *part = &diagnosis.parts[k];
        if (part->is_over)
            continue;
        if (has_motion(signature, part))
            return false;
        if (repeat_equation(arena, system, equations, &diagnosis, part))
            return true;
        if (part->equation_count > 0)
            return false;
        set_to_zero(system, equations, part, diagnostics);
        return true;
    }
    return false;
}

const System *redundant_replace(Arena *arena, const System *system, const Signature **signature,
                                Diagnostics *diagnostics)
{
    bool *is_redundant = ARENA_ARRAY(arena, system->equation_count, bool);
    const uint32_t count = redundant_find_redundant(arena, system, *signature, is_redundant);
    if (count == 0 || count > MOST_REPLACED)
        return system;
    SystemEquation *equations =
        ARENA_ARRAY(arena, (size_t)system->equation_count + count, SystemEquation);
    System *closed = ARENA_NEW(arena, System);
    *closed = *system;
    closed->equations = equations;
    closed->equation_count = 0;
    for (uint32_t i = 0; i < system->equation_count; i++)
        if (!is_redundant[i])
            equations[closed->equation_count++] = system->equations[i];
    for (uint32_t k = 0; k < count; k++)
        if (!close_part(arena, closed, equations, diagnostics))
            return system;
    const Signature *of_closed = system_signature(arena, closed);
    if (diagnosis_find(arena, of_closed).count > 0)
        return system;
    *signature = of_closed;
    return closed;
}
