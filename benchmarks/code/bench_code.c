// SPDX-License-Identifier: MIT
//
// The speed of the code: right-hand sides written by hand, emitted as C and interpreted, alone and
// inside whole runs of dopri5, as ratios of the shortest of several repetitions.
//
//   pendulum   2 states, one sine
//   rlc        3 states, RLC circuit with a Shockley diode and a sinusoidal source
//   chain      400 states, 200 pendulums with springs between neighbours and damping
//
// "alone" feeds each result into the next argument, as an integrator does.

#include "code/emit.h"
#include "code/interpret.h"
#include "code/native.h"
#include "support/by_hand.h"
#include "support/measure.h"

#include <math.h>
#include <saltus/saltus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 15, PENDULUMS = BY_HAND_PENDULUMS, MOST = 2 * PENDULUMS };

// ---------------------------------------------------------------------------
// The same as by hand, as equations
// ---------------------------------------------------------------------------

typedef struct Model {
    const char *name;
    SaltusRhs by_hand;
    void (*equations)(Dag *dag, const Node *x, const Node *p, Node *dx);
    int states, parameters;
    double p[8];
    double stop, tolerance;
} Model;

static void pendulum(Dag *d, const Node *x, const Node *p, Node *dx)
{
    dx[0] = x[1];
    dx[1] = dag_negate(d, dag_multiply(d, p[0], dag_unary(d, OPERATOR_SIN, x[0])));
}

static void rlc(Dag *d, const Node *x, const Node *p, Node *dx)
{
    const Node exponential =
        dag_unary(d, OPERATOR_EXP, dag_divide(d, dag_subtract(d, x[1], x[2]), p[5]));
    const Node diode = dag_multiply(d, p[4], dag_subtract(d, exponential, d->one));
    const Node source =
        dag_multiply(d, p[6], dag_unary(d, OPERATOR_SIN, dag_multiply(d, p[7], dag_time(d))));
    dx[0] = dag_divide(
        d, dag_subtract(d, dag_subtract(d, source, dag_multiply(d, p[1], x[0])), x[1]), p[0]);
    dx[1] = dag_divide(d, dag_subtract(d, x[0], diode), p[2]);
    dx[2] = dag_divide(d, dag_subtract(d, diode, dag_multiply(d, dag_real(d, 0.1), x[2])), p[3]);
}

static void chain(Dag *d, const Node *x, const Node *p, Node *dx)
{
    for (int i = 0; i < PENDULUMS; i++) {
        const Node left = i > 0 ? x[i - 1] : d->zero;
        const Node right = i < PENDULUMS - 1 ? x[i + 1] : d->zero;
        const Node bend = dag_add(d, dag_subtract(d, left, dag_multiply(d, d->two, x[i])), right);
        dx[i] = x[PENDULUMS + i];
        dx[PENDULUMS + i] = dag_subtract(
            d, dag_subtract(d, dag_multiply(d, p[0], bend), dag_unary(d, OPERATOR_SIN, x[i])),
            dag_multiply(d, p[1], x[PENDULUMS + i]));
    }
}

static const Model models[] = {
    {"pendulum", by_hand_pendulum, pendulum, 2, 1, {9.81}, 2500.0, 1e-9},
    {"rlc", by_hand_rlc, rlc, 3, 8, {0.1, 1.0, 1e-2, 2e-2, 1e-9, 0.05, 5.0, 10.0}, 400.0, 1e-8},
    {"chain", by_hand_chain, chain, MOST, 2, {4.0, 0.01}, 100.0, 1e-6},
};

// ---------------------------------------------------------------------------
// Ways to evaluate
// ---------------------------------------------------------------------------

typedef struct Code {
    const CodeModule *module;
    CodeFunction native;
    CodeRun *run;
} Code;

static int by_interpreter(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)z;
    const Code *code = c->user;
    const double *const in[] = {&t, x, c->p};
    double *const out[] = {dx};
    return interpret(code->module, 0, in, out, code->run);
}

static int by_emitted_c(const SaltusContext *c, double t, const double *x, const double *z,
                        double *dx)
{
    (void)z;
    const Code *code = c->user;
    const double *const in[] = {&t, x, c->p};
    double *const out[] = {dx};
    return code->native(in, out, code->run);
}

static CodeModule *make_module(Arena *arena, const Model *m)
{
    static const char *const inputs[] = {"t", "x", "p"}, *const outputs[] = {"dx"};
    Dag *dag = dag_create(arena);
    Node x[MOST], p[8], dx[MOST];
    CodePlace *places = ARENA_ARRAY(arena, 1 + m->states + m->parameters, CodePlace);
    char name[32];
    places[DAG_TIME_VARIABLE] = (CodePlace){0, 0};
    for (uint32_t i = 0; i < (uint32_t)m->states; i++) {
        snprintf(name, sizeof name, "x[%u]", i + 1);
        const uint32_t v = dag_add_variable(dag, name, DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
        x[i] = dag_reference(dag, v);
        places[v] = (CodePlace){1, i};
    }
    for (uint32_t i = 0; i < (uint32_t)m->parameters; i++) {
        snprintf(name, sizeof name, "p[%u]", i + 1);
        const uint32_t v = dag_add_variable(dag, name, DAG_PLAIN, DAG_REAL, DAG_PARAMETER);
        p[i] = dag_reference(dag, v);
        places[v] = (CodePlace){2, i};
    }
    m->equations(dag, x, p, dx);
    const CodeLayout layout = {.input_count = 3,
                               .output_count = 1,
                               .input_names = inputs,
                               .output_names = outputs,
                               .held = CODE_NONE,
                               .slow = 1 << 2,
                               .places = places,
                               .place_count = dag->variable_count};
    CodeModule *module = code_create(dag, &layout);
    CodeOutput *list = ARENA_ARRAY(arena, m->states, CodeOutput);
    for (uint32_t i = 0; i < (uint32_t)m->states; i++)
        list[i] = (CodeOutput){0, i, dx[i]};
    const char *reason;
    const CodeEntryDef def = {.name = "rhs", .outputs = list, .output_count = (uint32_t)m->states};
    if (code_add_entry(module, &def, &reason) == CODE_NONE) {
        fprintf(stderr, "%s\n", reason);
        exit(1);
    }
    code_finish(module);
    return module;
}

// ---------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------

// Nanoseconds per evaluation.
static double time_alone(const Model *m, SaltusRhs rhs, void *user)
{
    const SaltusContext c = {.p = m->p, .user = user};
    double x[MOST], dx[MOST], best = 1e300;
    const long count = m->states > 10 ? 4000 : 400000;
    for (int k = 0; k < REPETITIONS; k++) {
        for (int i = 0; i < m->states; i++)
            x[i] = 0.1 * ((i * 7) % 11);
        const double begin = measure_cpu();
        for (long i = 0; i < count; i++) {
            rhs(&c, 0.0, x, NULL, dx);
            for (int s = 0; s < m->states; s++)
                x[s] += 1e-9 * dx[s];
        }
        best = fmin(best, measure_cpu() - begin);
    }
    return 1e9 * best / (double)count;
}

// Milliseconds of a run; *sum of the final states.
static double time_run(const Model *m, SaltusRhs rhs, void *user, double *sum, long *evaluations)
{
    double start[MOST], best = 1e300;
    for (int i = 0; i < m->states; i++)
        start[i] = i < m->states / 2 || m->states < 10 ? 0.1 * ((i * 7 + 9) % 11) : 0.0;
    SaltusModeDef mode = saltus_default_mode();
    mode.name = m->name;
    mode.state_count = m->states;
    mode.start = start;
    mode.rhs = rhs;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = m->parameters;
    def.parameters = m->p;
    def.user = user;
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    options.method.solver = SALTUS_SOLVER_DOPRI5;
    options.method.relative_tolerance = options.method.absolute_tolerance = m->tolerance;
    SaltusSystem *system;
    if (saltus_system_create(&def, &system, NULL) != SALTUS_OK)
        exit(1);
    for (int k = 0; k < REPETITIONS; k++) {
        SaltusRun *run;
        const double begin = measure_cpu();
        if (saltus_run_create(system, &options, &run, NULL) != SALTUS_OK ||
            saltus_run_advance(run, m->stop) != SALTUS_OK)
            exit(1);
        best = fmin(best, measure_cpu() - begin);
        *sum = 0.0;
        for (int i = 0; i < m->states; i++)
            *sum += saltus_run_states(run)[i];
        *evaluations = saltus_run_statistics(run).f_evaluations;
        saltus_run_destroy(run);
    }
    saltus_system_destroy(system);
    return 1e3 * best;
}

typedef struct Row {
    const char *way;
    double alone, run, sum;
    long evaluations;
} Row;

static Row measure(const Model *m, const char *way, SaltusRhs rhs, void *user)
{
    Row r = {.way = way, .alone = time_alone(m, rhs, user)};
    r.run = time_run(m, rhs, user, &r.sum, &r.evaluations);
    return r;
}

static void print_row(const Model *m, const Row *r, const Row *by_hand)
{
    printf("%-9s %-12s %9.1f %6.2f %10.2f %6.2f %9ld  %.17g\n", m->name, r->way, r->alone,
           r->alone / by_hand->alone, r->run, r->run / by_hand->run, r->evaluations, r->sum);
}

static void measure_model(const Model *m)
{
    Arena *arena = arena_create(NULL);
    const double begin = measure_cpu();
    CodeModule *module = make_module(arena, m);
    const double built = measure_cpu();
    CodeRun run = {.frame = calloc(module->frame_size + 1, sizeof(double))};
    const double *const in[] = {NULL, NULL, m->p};
    code_init_frame(module, in, run.frame);
    Native *native = native_start(module, m->name, NULL);
    native_poll(native, true);
    Code code = {module, native_entry(native, 0), &run};
    const Row by_hand = measure(m, "by hand", m->by_hand, NULL);
    print_row(m, &by_hand, &by_hand);
    if (code.native) {
        const Row emitted = measure(m, "emitted C", by_emitted_c, &code);
        print_row(m, &emitted, &by_hand);
    } else {
        printf("%-9s emitted C: %s\n", m->name, native_reason(native));
    }
    const Row interpreted = measure(m, "interpreted", by_interpreter, &code);
    print_row(m, &interpreted, &by_hand);
    printf("%-9s %u instructions in %u words, built in %.2f ms\n\n", m->name,
           module->entries[0]->instruction_count, module->entries[0]->lowered.word_count,
           1e3 * (built - begin));
    native_destroy(native);
    free(run.frame);
    arena_destroy(arena);
}

int main(void)
{
    printf("model     way             ns/rhs  ratio     ms/run  ratio     calls  sum of states\n");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        measure_model(&models[i]);
    return 0;
}
