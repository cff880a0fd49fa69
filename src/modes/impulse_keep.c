// SPDX-License-Identifier: MIT
//
// What is kept of an Impulse when the analysis of its mode goes: numbers, the program, and the
// texts that messages show. Of the system only the equations and variables that the jump is about
// remain; rows and columns get their numbers among these.

#include "modes/impulse_parts.h"

#include <assert.h>

// A new member that points to something must be kept, too.
static_assert(sizeof(void *) != 8 || (sizeof(Impulse) == 136 && sizeof(ImpulsePart) == 48 &&
                                      sizeof(JumpPart) == 40 && sizeof(Jump) == 48),
              "impulse_keep must know all members");

// The rows of a part, whose equations become those from `first` on.
static JumpRow *keep_rows(const Keeper *k, const JumpPart *part, const System *from,
                          SystemEquation *equations, uint32_t first)
{
    JumpRow *rows = keep_array(k, part->rows, part->row_count, sizeof *rows);
    for (uint32_t i = 0; i < part->row_count; i++) {
        const SignatureEquation *about = &from->equations[rows[i].equation].about;
        rows[i].equation = first + i;
        equations[first + i].about =
            (SignatureEquation){.text = keep_text(k, about->text), .span = about->span};
    }
    return rows;
}

// Likewise its columns with their variables.
static JumpColumn *keep_columns(const Keeper *k, const JumpPart *part, const System *from,
                                SignatureVariable *variables, uint32_t first)
{
    JumpColumn *columns = keep_array(k, part->columns, part->column_count, sizeof *columns);
    for (uint32_t i = 0; i < part->column_count; i++) {
        const SignatureVariable *variable = &from->variables[columns[i].variable];
        columns[i].variable = first + i;
        variables[first + i] =
            (SignatureVariable){.name = keep_text(k, variable->name), .span = variable->span};
    }
    return columns;
}

// The jump, and what it is about as the system `to`.
static void keep_jump(const Keeper *k, const System *from, Jump *jump, System *to)
{
    uint32_t rows = 0, columns = 0;
    for (uint32_t p = 0; p < jump->part_count; p++) {
        rows += jump->parts[p].row_count;
        columns += jump->parts[p].column_count;
    }
    SystemEquation *equations = ARENA_ARRAY(k->to, rows, SystemEquation);
    SignatureVariable *variables = ARENA_ARRAY(k->to, columns, SignatureVariable);
    *to = (System){.dag = from->dag, .equations = equations, .variables = variables};
    JumpPart *parts = keep_array(k, jump->parts, jump->part_count, sizeof *parts);
    for (uint32_t p = 0; p < jump->part_count; p++) {
        parts[p].rows = keep_rows(k, &parts[p], from, equations, to->equation_count);
        parts[p].columns = keep_columns(k, &parts[p], from, variables, to->variable_count);
        to->equation_count += parts[p].row_count;
        to->variable_count += parts[p].column_count;
        KEEP(k, parts[p].entries, parts[p].entry_count);
    }
    KEEP(k, jump->terms, jump->event_start[jump->event_count]);
    KEEP(k, jump->event_start, jump->event_count + 1u);
    jump->parts = parts;
    jump->flow = jump->algebraic = NULL;
}

const Impulse *impulse_keep(const Impulse *from, const Keeper *k)
{
    if (!from || !arena_owns(k->from, from))
        return from;
    Impulse *impulse = keep_array(k, from, 1, sizeof *from);
    Jump *jump = keep_array(k, from->jump, 1, sizeof *jump);
    ImpulsePart *parts = keep_array(k, from->parts, jump->part_count, sizeof *parts);
    System *system = ARENA_NEW(k->to, System);
    keep_jump(k, from->system, jump, system);
    for (uint32_t p = 0; p < jump->part_count; p++) {
        parts[p].jump = &jump->parts[p];
        KEEP(k, parts[p].places, jump->parts[p].column_count);
    }
    impulse->jump = jump;
    impulse->parts = parts;
    impulse->system = system;
    impulse->program = program_keep(from->program, k, program_short_use(from->program));
    KEEP(k, impulse->variables, impulse->count);
    KEEP(k, impulse->guesses, impulse->guess_count);
    impulse->names = keep_texts(k, impulse->names, impulse->count);
    KEEP(k, impulse->spans, impulse->count);
    KEEP(k, impulse->nominals, impulse->count);
    KEEP(k, impulse->is_position, impulse->count);
    KEEP(k, impulse->is_velocity, impulse->count);
    return impulse;
}
