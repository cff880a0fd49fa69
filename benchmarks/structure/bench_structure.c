// SPDX-License-Identifier: MIT
//
// Time and memory of the structural analysis for 1e3, 1e4 and 1e5 equations, of systems of four
// kinds: the best of several runs, per equation. Near-linear cost is a flat column.

#include "structure/structure.h"
#include "support/measure.h"

#include <math.h>
#include <stdio.h>

enum { RUNS = 3 };

static uint32_t variable(SignatureBuilder *b, const char *name)
{
    return signature_variable(b, &(SignatureVariable){.name = name});
}

static void equation(SignatureBuilder *b, const char *text)
{
    signature_equation(b, &(SignatureEquation){.text = text});
}

// Resistors and capacitors in turn; three equations for each cell. An ODE, all assignments.
static const Signature *ladder(Arena *arena, uint32_t size)
{
    SignatureBuilder *b = signature_begin(arena);
    uint32_t cells = size / 3, before = GRAPH_NONE;
    uint32_t *i = ARENA_ARRAY(arena, cells + 1u, uint32_t);
    for (uint32_t k = 0; k < cells; k++)
        i[k] = variable(b, "i");
    for (uint32_t k = 0; k < cells; k++) {
        uint32_t u = variable(b, "u"), ic = variable(b, "ic");
        equation(b, "resistor");
        if (before != GRAPH_NONE)
            signature_number(b, before, 0, 1.0);
        signature_number(b, u, 0, -1.0);
        signature_entry(b, i[k], 0, SIGNATURE_PARAMETER, false);
        equation(b, "capacitor");
        signature_entry(b, u, 1, SIGNATURE_PARAMETER, false);
        signature_number(b, ic, 0, -1.0);
        equation(b, "node");
        signature_number(b, i[k], 0, 1.0);
        signature_number(b, ic, 0, -1.0);
        if (k + 1 < cells)
            signature_number(b, i[k + 1], 0, -1.0);
        before = u;
    }
    return signature_finish(b);
}

// Capacitors between neighbours too: index 2, one group of all nodes to select states in.
static const Signature *mesh(Arena *arena, uint32_t size)
{
    SignatureBuilder *b = signature_begin(arena);
    uint32_t nodes = size / 4;
    uint32_t *u = ARENA_ARRAY(arena, nodes, uint32_t), *i = ARENA_ARRAY(arena, nodes, uint32_t);
    for (uint32_t k = 0; k < nodes; k++) {
        u[k] = variable(b, "u");
        i[k] = variable(b, "i");
    }
    for (uint32_t k = 0; k < nodes; k++) {
        uint32_t w = variable(b, "w"), ig = variable(b, "ig");
        equation(b, "branch");
        signature_number(b, w, 0, 1.0);
        signature_number(b, u[k], 0, -1.0);
        signature_number(b, u[(k + 1) % nodes], 0, 1.0);
        equation(b, "coupling");
        signature_entry(b, w, 1, SIGNATURE_PARAMETER, false);
        signature_number(b, i[k], 0, -1.0);
        equation(b, "capacitor");
        signature_entry(b, u[k], 1, SIGNATURE_PARAMETER, false);
        signature_number(b, ig, 0, -1.0);
        equation(b, "node");
        signature_number(b, ig, 0, 1.0);
        signature_number(b, i[k], 0, 1.0);
        signature_number(b, i[(k + nodes - 1) % nodes], 0, -1.0);
    }
    return signature_finish(b);
}

// A chain of bars with Cartesian coordinates: index 3, one large linear block for the forces.
static const Signature *chain(Arena *arena, uint32_t size)
{
    SignatureBuilder *b = signature_begin(arena);
    uint32_t links = size / 5;
    uint32_t(*v)[5] = arena_array(arena, links + 1u, sizeof *v);
    static const char *const names[] = {"x", "y", "vx", "vy", "f"};
    for (uint32_t k = 0; k < links; k++) {
        for (int n = 0; n < 5; n++)
            v[k][n] = variable(b, names[n]);
    }
    for (uint32_t k = 0; k < links; k++) {
        for (int n = 0; n < 2; n++) {
            equation(b, "velocity");
            signature_number(b, v[k][n], 1, 1.0);
            signature_number(b, v[k][2 + n], 0, -1.0);
            equation(b, "force");
            signature_entry(b, v[k][2 + n], 1, SIGNATURE_PARAMETER, false);
            for (uint32_t l = k > 0 ? k - 1 : 0; l <= k + 1 && l < links; l++)
                signature_entry(b, v[l][n], 0, SIGNATURE_LINEAR, false);
            signature_entry(b, v[k][4], 0, SIGNATURE_LINEAR, false);
            if (k + 1 < links)
                signature_entry(b, v[k + 1][4], 0, SIGNATURE_LINEAR, false);
        }
        equation(b, "length");
        for (uint32_t l = k > 0 ? k - 1 : 0; l <= k; l++) {
            signature_entry(b, v[l][0], 0, SIGNATURE_NONLINEAR, false);
            signature_entry(b, v[l][1], 0, SIGNATURE_NONLINEAR, false);
        }
    }
    return signature_finish(b);
}

// Node equations of a grid of nonlinear resistors: one block, one matching.
static const Signature *grid(Arena *arena, uint32_t size)
{
    SignatureBuilder *b = signature_begin(arena);
    uint32_t m = (uint32_t)sqrt((double)size);
    for (uint32_t k = 0; k < m * m; k++)
        variable(b, "u");
    for (uint32_t k = 0; k < m * m; k++) {
        uint32_t x = k % m, y = k / m;
        equation(b, "node");
        signature_entry(b, k, 0, SIGNATURE_NONLINEAR, false);
        if (x > 0)
            signature_number(b, k - 1, 0, 1.0);
        if (x + 1 < m)
            signature_number(b, k + 1, 0, 1.0);
        if (y > 0)
            signature_number(b, k - m, 0, 1.0);
        if (y + 1 < m)
            signature_number(b, k + m, 0, 1.0);
    }
    return signature_finish(b);
}

typedef const Signature *(*Maker)(Arena *arena, uint32_t size);

static void measure(const char *name, Maker make, uint32_t size)
{
    double best = INFINITY;
    size_t memory = 0;
    uint32_t equations = 0, states = 0, index = 0, blocks = 0;
    for (int run = 0; run < RUNS; run++) {
        Arena *arena = arena_create(NULL);
        const Signature *signature = make(arena, size);
        double begin = measure_wall();
        const Structure *s = structure_create(arena, signature, NULL);
        best = fmin(best, measure_wall() - begin);
        memory = arena->taken;
        equations = signature->equation_count;
        if (s) {
            states = s->state_count;
            index = s->offsets->index;
            blocks = s->block_count;
        }
        arena_destroy(arena);
    }
    printf("%-8s %8u %8u %6u %8u %10.3f %10.0f %10.0f\n", name, equations, states, index, blocks,
           1e3 * best, 1e9 * best / equations, (double)memory / equations);
}

int main(void)
{
    static const struct {
        const char *name;
        Maker make;
    } systems[] = {{"ladder", ladder}, {"mesh", mesh}, {"chain", chain}, {"grid", grid}};
    printf("%-8s %8s %8s %6s %8s %10s %10s %10s\n", "system", "n", "states", "index", "blocks",
           "ms", "ns / n", "bytes / n");
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        for (uint32_t size = 1000; size <= 100000; size *= 10)
            measure(systems[k].name, systems[k].make, size);
    }
    return 0;
}
