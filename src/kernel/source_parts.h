// SPDX-License-Identifier: MIT
//
// What the text of a kernel is written with: for source*.c only.

#ifndef SALTUS_KERNEL_SOURCE_PARTS_H
#define SALTUS_KERNEL_SOURCE_PARTS_H

#include "code/body.h"
#include "kernel/source.h"
#include "modes/model_parts.h"
#include "solvers/tableau.h"

// Torn unknowns of a block, and rows of a restart's equations.
enum { SOURCE_MOST_TORN = 8 };

typedef struct Source {
    const KernelDef *def;
    const Model *model;
    const Mode *const *modes;
    uint32_t mode_count;
    const Mode *m;   // the one that is written
    uint32_t number; // of it
    StringBuilder *out;
    bool *is_moved; // by parameter: trajectories differ in it
} Source;

void source_number(StringBuilder *out, double number);
void source_define(StringBuilder *out, const char *name, double value);
// TABLE int name[] = {...}; never empty.
void source_begin_table(StringBuilder *out, const char *type, const char *name);
void source_end_table(StringBuilder *out);

#define SOURCE_TABLE(s, name, count, expression)                                                   \
    do {                                                                                           \
        source_begin_table((s)->out, "int", name);                                                 \
        for (uint32_t i = 0; i < (count); i++)                                                     \
            builder_append_format((s)->out, "%d, ", (int)(expression));                            \
        source_end_table((s)->out);                                                                \
    } while (0)

// Why a program cannot be written, or NULL.
const char *source_program_obstacle(const Program *p);
const char *source_start_obstacle(const Mode *m);

// source_step.c: the equations of the mode, and a step of the solver.
void source_equations(const Source *s);
// Of an explicit method; NULL: Rodas5P.
const Tableau *source_tableau(const Source *s);

// source_leap.c: the degree of the polynomials of time that the states are between events; 0: they
// are none, or of too high a degree.
uint32_t source_leap(const Source *s);
// Of a linear mode, whether equations and event functions, or these alone, depend on states, time
// and parameters only.
bool source_leap_is_fixed(const Source *s, bool only_events);
// source_series.c: whether they are power series of time; the text that computes their terms.
enum { SERIES_TERMS = 24, SERIES_ROOM = 28 }; // the last order; whole vectors
bool source_series(const Source *s);
void source_series_text(const Source *s);
// Whether such modes are asked for.
static inline bool source_is_leap(const Source *s)
{
    return s->def->is_whole && s->def->method.solver == SALTUS_SOLVER_EXACT;
}

// source_point.c: FN int NAME(Point *q, double *values): an entry with its vectors.
void source_call(const Source *s, const Program *p, uint32_t entry, const char *prefix,
                 const char *name);
// FN int NAME(Point *q): all stages.
void source_solver(const Source *s, const Program *p, const char *prefix, const char *name);
void source_event_parts(const Source *s);
// What cannot be written, or NULL.
const char *source_parameters(const Source *s);
void source_frozen(const Source *s);
void source_start(const Source *s);

// source_change.c: of a model of several modes, what all of them share, and what each has.
const char *source_change_obstacle(const Source *s);
void source_change_sizes(const Source *s);
void source_change_tables(const Source *s);
void source_start_mode(const Source *s);
void source_mode_sizes(const Source *s, bool is_defined);
void source_mode_parts(const Source *s);

#endif
