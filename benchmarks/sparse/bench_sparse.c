// SPDX-License-Identifier: MIT
//
// How the cost of large stiff models grows with their size: an RC ladder of components joined by
// `connect`, and the heat equation on a square by the method of lines, from text to the end of the
// run. Each size has a process of its own, so that its memory can be told.
//
// The table shows the time per step, the memory, and with which power of the number of states each
// grew since the size before. The ladder's matrices are tridiagonal: both should grow linearly. On
// a square the factors of the matrix alone have n log n entries and take n^1.5 operations (A.
// George: Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10, 1973).

#include "flatten/flatten.h"
#include "modes/model.h"
#include "support/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ladder[] =
    "connector Pin Real v; flow Real i; end Pin;\n"
    "partial model OnePort Real v, i; Pin p, n;\n"
    "equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end OnePort;\n"
    "model Resistor extends OnePort; parameter Real R = 1; equation v = R * i; end Resistor;\n"
    "model Capacitor extends OnePort(v(start = 0, fixed = true)); parameter Real C = 1;\n"
    "equation i = C * der(v); end Capacitor;\n"
    "model Source extends OnePort; equation v = 10; end Source;\n"
    "model Ground Pin p; equation p.v = 0; end Ground;\n"
    "model Ladder parameter Integer n = %d; Resistor r[n](each R = 0.1); Capacitor c[n];\n"
    "  Source s; Ground g;\n"
    "equation connect(s.p, r[1].p); connect(s.n, g.p);\n"
    "  for i in 1:n loop connect(r[i].n, c[i].p); connect(c[i].n, g.p); end for;\n"
    "  for i in 1:n - 1 loop connect(r[i].n, r[i + 1].p); end for;\n"
    "end Ladder;\n";

static const char heat[] =
    "model Heat parameter Integer n = %d; parameter Real k = 0.01 * (n + 1) ^ 2;\n"
    "  Real u[n, n](each start = 0, each fixed = true), w[n + 2, n + 2];\n"
    "equation w[2:n + 1, 2:n + 1] = u; w[1, :] = ones(n + 2); w[n + 2, :] = zeros(n + 2);\n"
    "  w[2:n + 1, 1] = zeros(n); w[2:n + 1, n + 2] = zeros(n);\n"
    "  for i in 1:n loop for j in 1:n loop der(u[i, j]) = k * (w[i, j + 1] + w[i + 2, j + 1]\n"
    "    + w[i + 1, j] + w[i + 1, j + 2] - 4 * u[i, j]); end for; end for;\n"
    "end Heat;\n";

typedef struct Case {
    const char *name, *text;
    bool is_square;
    int sizes[5]; // ends with 0
    double end;
    double most_time, most_memory; // powers of the number of states that are allowed at most
} Case;

static const Case cases[] = {
    {"ladder", ladder, false, {1250, 2500, 5000, 10000}, 100.0, 1.15, 1.15},
    {"heat", heat, true, {25, 50, 75, 100}, 10.0, 1.5, 1.5},
};

static const SaltusSolver solvers[] = {SALTUS_SOLVER_CVODE, SALTUS_SOLVER_RODAS};

typedef struct Figures {
    double compilation, run; // seconds
    double memory;           // MB
    long steps, evaluations, jacobians, factorizations;
} Figures;

static const Model *compile(Compilation *c, const Case *which, int size)
{
    StringBuilder text = builder_create(c->arena);
    builder_append_format(&text, which->text, size);
    FlattenOptions options = flatten_default_options();
    options.text = builder_string(&text).text;
    options.packs_equations = true;
    const FlatModel *flat = flatten_files(c, 0, NULL, NULL, &options);
    return flat ? model_create(c->arena, flat, c->diagnostics) : NULL;
}

static bool run(const Model *model, SaltusSolver solver, double end, SaltusStatistics *statistics)
{
    double *p = calloc(model_list_parameters(model).count + 1u, sizeof *p);
    SaltusSystem *system = NULL;
    SaltusRun *r = NULL;
    SaltusOptions options = saltus_default_options();
    options.method.solver = solver;
    options.record = SALTUS_RECORD_EVENTS;
    const bool is_fine = p && model_parameters(model, NULL, 0, p) &&
                         model_system(model, p, &system, NULL) == SALTUS_OK &&
                         saltus_run_create(system, &options, &r, NULL) == SALTUS_OK &&
                         saltus_run_advance(r, end) == SALTUS_OK;
    if (is_fine)
        *statistics = saltus_run_statistics(r);
    if (r)
        saltus_run_destroy(r);
    if (system)
        saltus_system_destroy(system);
    free(p);
    return is_fine;
}

// All of it, in this process.
static bool measure(const Case *which, SaltusSolver solver, int size, Figures *f)
{
    Compilation *c = compilation_create(NULL);
    const double begin = measure_cpu();
    const Model *model = c ? compile(c, which, size) : NULL;
    const double compiled = measure_cpu();
    SaltusStatistics s = {0};
    if (!model || !run(model, solver, which->end, &s))
        return false;
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    *f = (Figures){.compilation = compiled - begin,
                   .run = measure_cpu() - compiled,
                   .memory = (double)usage.ru_maxrss / 1024.0,
                   .steps = s.steps,
                   .evaluations = s.f_evaluations,
                   .jacobians = s.jacobians,
                   .factorizations = s.factorizations};
    model_release(model);
    compilation_destroy(c);
    return true;
}

// In a process of its own, which sends the figures through a pipe.
static bool measure_apart(const Case *which, SaltusSolver solver, int size, Figures *f)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        const bool is_fine =
            measure(which, solver, size, f) && write(ends[1], f, sizeof *f) == (ssize_t)sizeof *f;
        _exit(is_fine ? 0 : 1);
    }
    close(ends[1]);
    const bool is_read = child > 0 && read(ends[0], f, sizeof *f) == (ssize_t)sizeof *f;
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    return is_read && status == 0;
}

static double power(double before, double now, double ratio)
{
    return before > 0.0 ? log(now / before) / log(ratio) : NAN;
}

static void print_power(double value)
{
    if (isnan(value))
        printf("      ");
    else
        printf(" %5.2f", value);
}

// Returns whether all sizes worked, and how the costs grew between the first and the last.
static bool measure_case(const Case *which, SaltusSolver solver)
{
    Figures first = {0}, before = {0}, now = {0};
    double first_states = 0.0, states_before = 0.0;
    for (int i = 0; which->sizes[i]; i++) {
        const int size = which->sizes[i];
        const double states = which->is_square ? (double)size * size : size;
        if (!measure_apart(which, solver, size, &now)) {
            printf("%-7s %6.0f failed\n", which->name, states);
            return false;
        }
        const double step = 1e3 * now.run / (double)now.steps;
        printf("%-7s %-6s %6.0f %8.3f", which->name, saltus_solver_name(solver), states,
               now.compilation);
        print_power(i ? power(before.compilation, now.compilation, states / states_before) : NAN);
        printf(" %6ld %9.3f", now.steps, step);
        print_power(i ? power(1e3 * before.run / (double)before.steps, step, states / states_before)
                      : NAN);
        printf(" %8.1f", now.memory);
        print_power(i ? power(before.memory, now.memory, states / states_before) : NAN);
        printf(" %7ld %5ld %5ld\n", now.evaluations, now.jacobians, now.factorizations);
        fflush(stdout);
        if (i == 0) {
            first = now;
            first_states = states;
        }
        before = now;
        states_before = states;
    }
    const double ratio = states_before / first_states;
    const double time = power(first.run / (double)first.steps, now.run / (double)now.steps, ratio);
    const double memory = power(first.memory, now.memory, ratio);
    const bool is_fine = time <= which->most_time && memory <= which->most_memory;
    printf("%-7s %-6s overall: time per step n^%.2f (at most %.2f), memory n^%.2f (at most %.2f), "
           "%.1f kB per state%s\n\n",
           which->name, saltus_solver_name(solver), time, which->most_time, memory,
           which->most_memory,
           1024.0 * (now.memory - first.memory) / (states_before - first_states),
           is_fine ? "" : ": too much");
    return is_fine;
}

int main(void)
{
    bool is_fine = true;
    printf("model   solver states  compile power  steps   ms/step power  memory power   calls  "
           "Jac.  fact.\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
            is_fine &= measure_case(&cases[i], solvers[k]);
    return is_fine ? 0 : 1;
}
