// SPDX-License-Identifier: MIT

#include "instant/point.h"

#include <math.h>
#include <stdlib.h>

const double point_accuracy = 1e-10;

double point_accuracy_of_states(const SaltusEvent *event)
{
    const SaltusMethod *method = event->method;
    const double tolerance = fmax(method->relative_tolerance, method->absolute_tolerance);
    return fmin(fmax(point_accuracy, 10.0 * tolerance), 1e-5);
}

double point_accuracy_at(const SaltusEvent *event, const ModelMemory *memory)
{
    enum { MOST_ARMINGS = 3, MOST_ITERATIONS = 20 };
    const bool is_usual = *memory->armings < MOST_ARMINGS && event->iteration < MOST_ITERATIONS;
    return is_usual ? point_accuracy : point_accuracy_of_states(event);
}

bool point_explain(Point *p)
{
    system_explain(p->mode->model, p->program, p->scratch, &p->message);
    return false;
}

bool point_solve(Point *p)
{
    if (p->solve)
        return p->solve(p);
    return program_solve(p->program, p->scratch, &p->inputs, PROGRAM_ALL, p->guesses, NULL) ==
               PROGRAM_FINE ||
           point_explain(p);
}

bool point_evaluate(Point *p, ModelEntry entry, double *values)
{
    return program_evaluate(p->program, p->scratch, &p->inputs, (uint32_t)entry, values) ==
               PROGRAM_FINE ||
           point_explain(p);
}

bool point_open(Point *p, const Mode *mode, const ModelMemory *memory, double t, const double *x,
                double *z, const double *parameters)
{
    ModelScratch *scratch = mode_take_scratch(mode);
    *p = (Point){.mode = mode,
                 .program = mode->flow,
                 .memory = *memory,
                 .guesses = z,
                 .accuracy = point_accuracy};
    if (!scratch)
        return false;
    p->own = scratch;
    p->scratch = scratch->program;
    p->values = scratch->values;
    p->more = scratch->more;
    p->inputs = frozen_inputs(memory, t, x, parameters);
    return true;
}

void point_close(Point *p)
{
    if (p->own)
        mode_give_scratch(p->mode, p->own);
    p->own = NULL;
    free(p->message);
    p->message = NULL;
}

char *point_take_message(Point *p)
{
    char *message = p->message;
    p->message = NULL;
    return message;
}

void point_give_message(Point *p, char *message)
{
    free(p->message);
    p->message = message;
}

void point_keep_guesses(const Point *p, double *z)
{
    for (uint32_t i = 0; i < p->program->guesses.count; i++)
        z[i] = p->scratch->w[p->program->guesses.places[i]];
}
