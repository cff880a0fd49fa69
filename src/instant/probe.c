// SPDX-License-Identifier: MIT

#include "instant/probe.h"

#include <math.h>
#include <stdlib.h>

// Times grow by this factor, from the resolution of the fastest state on, until a state has moved
// by the largest part of its size.
static const double probe_growth = 8.0, least_part = 1e-15, largest_part = 1e-3;
// A state that takes longer than this to move by its size rests: its derivative is rounding.
static const double longest_scale = 1e12;

typedef struct Probing {
    const Mode *mode;
    ProgramScratch *scratch;
    ProgramInputs inputs;
    const double *guesses;
    const double *x; // where it begins
    double t;
    double *k[4], *point, *h, *sizes;
    double accuracy;
    bool *rests; // event functions that stay zero; once they are known
} Probing;

static bool probe_derive(Probing *p, double t, const double *x, double *dx)
{
    p->inputs.time = t;
    p->inputs.vectors[PROGRAM_STATES] = x;
    if (program_solve(p->mode->flow, p->scratch, &p->inputs, PROGRAM_FLOW, p->guesses, NULL) !=
        PROGRAM_FINE)
        return false;
    program_read_derivatives(p->mode->flow, p->scratch, x, dx);
    return true;
}

static const double *probe_move(Probing *p, double step, const double *dx)
{
    for (uint32_t i = 0; i < p->mode->states.count; i++)
        p->point[i] = p->x[i] + step * dx[i];
    return p->point;
}

// The largest difference of two derivatives (NULL: none), each as a part of the size of its state.
static double probe_distance(const Probing *p, const double *one, const double *other)
{
    double most = 0.0;
    for (uint32_t i = 0; i < p->mode->states.count; i++)
        most = fmax(most, fabs(one[i] - (other ? other[i] : 0.0)) /
                              (fabs(p->x[i]) + p->mode->states.nominals[i]));
    return most;
}

// Whether a step is longer than the fastest motion takes to die down, however little there is of
// it: then the method would make it grow. (k2 - k1 is about J (k1 - k0) step / 2.)
static bool probe_is_stiff(const Probing *p)
{
    static const double rounding = 1e-6;
    double *const *k = p->k;
    const double moved = probe_distance(p, k[2], k[1]), all = probe_distance(p, k[1], k[0]);
    return moved > 0.5 * all && moved > rounding * (all + probe_distance(p, k[0], NULL));
}

// One step of the classical method of order 4: exact enough for triple roots. k[0] is there.
static bool probe_follow(Probing *p, double step)
{
    double *const *k = p->k;
    if (!probe_derive(p, p->t + 0.5 * step, probe_move(p, 0.5 * step, k[0]), k[1]) ||
        !probe_derive(p, p->t + 0.5 * step, probe_move(p, 0.5 * step, k[1]), k[2]) ||
        probe_is_stiff(p) || !probe_derive(p, p->t + step, probe_move(p, step, k[2]), k[3]))
        return false;
    for (uint32_t i = 0; i < p->mode->states.count; i++)
        k[1][i] = (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]) / 6.0;
    p->inputs.time = p->t + step;
    p->inputs.vectors[PROGRAM_STATES] = probe_move(p, step, k[1]);
    return program_solve(p->mode->flow, p->scratch, &p->inputs, PROGRAM_EVENTS, p->guesses, NULL) ==
               PROGRAM_FINE &&
           program_evaluate(p->mode->flow, p->scratch, &p->inputs, MODEL_EVENTS, p->h) ==
               PROGRAM_FINE &&
           program_evaluate(p->mode->flow, p->scratch, &p->inputs, MODEL_SIZES, p->sizes) ==
               PROGRAM_FINE;
}

// The time in which the fastest state moves by all of its size; leaves the derivatives in k[0].
static double time_scale(Probing *p)
{
    double fastest = 0.0;
    if (!probe_derive(p, p->t, p->x, p->k[0]))
        return NAN;
    for (uint32_t i = 0; i < p->mode->states.count; i++)
        fastest = fmax(fastest, fabs(p->k[0][i]) / (fabs(p->x[i]) + p->mode->states.nominals[i]));
    return fastest * longest_scale > 1.0 ? 1.0 / fastest : 1.0;
}

// What leaves zero mostly does so in that many steps.
enum { PROBE_FEW = 6 };

static bool probe_is_zero(const Probing *p, uint32_t i)
{
    return fabs(p->h[i]) <= p->accuracy * p->sizes[i];
}

// What is zero after a few steps and at the longest time as well rests: the times between need not
// be looked at for it. (In a ladder of diodes that begins without a current, most are.)
static void probe_find_resting(Probing *p, double longest, const signed char *signs)
{
    const bool is_known = probe_follow(p, longest);
    for (uint32_t i = 0; i < p->mode->conditions.event_count; i++)
        p->rests[i] = is_known && signs[i] == 0 && probe_is_zero(p, i);
}

static bool probe_is_open(const Probing *p, const signed char *signs)
{
    for (uint32_t i = 0; i < p->mode->conditions.event_count; i++)
        if (signs[i] == 0 && !p->rests[i])
            return true;
    return false;
}

static void decide(Probing *p, signed char *signs)
{
    const double scale = time_scale(p);
    const double resolution = 4.0 * 2.3e-16 * fabs(p->t);
    if (!isfinite(scale) || !(least_part * scale > 0.0)) // a state that moves at once
        return;
    int steps = 0;
    // What depends on time alone may be faster than all states.
    for (double step = least_part * fmin(scale, 1.0);
         step <= largest_part * scale && probe_is_open(p, signs); step *= probe_growth) {
        if (step < resolution)
            continue;
        if (!probe_follow(p, step))
            return;
        for (uint32_t i = 0; i < p->mode->conditions.event_count; i++)
            if (signs[i] == 0 && !probe_is_zero(p, i))
                signs[i] = p->h[i] > 0.0 ? 1 : -1;
        if (++steps == PROBE_FEW && probe_is_open(p, signs))
            probe_find_resting(p, largest_part * scale, signs);
    }
}

bool probe_signs(const Mode *m, ProgramScratch *scratch, const ProgramInputs *inputs,
                 const double *guesses, double accuracy, signed char *signs)
{
    const size_t n = m->states.count, events = m->conditions.event_count;
    double *block = calloc(5 * n + 3 * events + 1, sizeof *block);
    if (!block)
        return false;
    Probing p = {.mode = m,
                 .scratch = scratch,
                 .inputs = *inputs,
                 .guesses = guesses,
                 .x = inputs->vectors[PROGRAM_STATES],
                 .t = inputs->time,
                 .accuracy = accuracy,
                 .k = {block, block + n, block + 2 * n, block + 3 * n},
                 .point = block + 4 * n,
                 .h = block + 5 * n,
                 .sizes = block + 5 * n + events,
                 .rests = (bool *)(void *)(block + 5 * n + 2 * events)};
    decide(&p, signs);
    free(block);
    program_solve(m->flow, scratch, inputs, PROGRAM_ALL, guesses, NULL);
    return true;
}
