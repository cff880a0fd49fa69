// SPDX-License-Identifier: MIT
//
// Whole runs of models written in Modelica, interpreted and compiled, against hand-written C for
// the same method, dopri5: as ratios of the shortest of several repetitions in one process. And the
// time of the whole process `saltus simulate`, from its start to its end.
//
//   pendulum   2 states, one sine
//   rlc        3 states, RLC circuit with a Shockley diode and a sinusoidal source
//   chain      400 states, 200 pendulums with springs between neighbours and damping
//
// "by hand" is the right-hand side in C behind a pointer, integrated by a loop that does nothing
// but dopri5 steps with the usual step size control; "engine" is the same right-hand side
// integrated by the engine. Ratios are to the faster of the two.

#include "flatten/flatten.h"
#include "modes/model.h"
#include "support/by_hand.h"
#include "support/measure.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { REPETITIONS = 15, PENDULUMS = BY_HAND_PENDULUMS, MOST = 2 * PENDULUMS };

// ---------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------

typedef struct Case {
    const char *name, *text;
    SaltusRhs by_hand;
    int states, parameters;
    double p[8];
    double stop, tolerance;
    double most_compiled, most_interpreted; // ratios that are allowed
} Case;

static const Case cases[] = {
    {.name = "pendulum",
     .text = "model Pendulum parameter Real g = 9.81; Real x(start = 0.9, fixed = true), "
             "v(start = 0.5, fixed = true); equation der(x) = v; der(v) = -g * sin(x); "
             "end Pendulum;",
     .by_hand = by_hand_pendulum,
     .states = 2,
     .parameters = 1,
     .p = {9.81},
     .stop = 2500.0,
     .tolerance = 1e-9,
     .most_compiled = 1.2,
     .most_interpreted = 1.6},
    {.name = "rlc",
     .text = "model RLC parameter Real L = 0.1, R = 1, C = 1e-2, C2 = 2e-2, Is = 1e-9, Vt = 0.05, "
             "A = 5, w = 10; Real i(start = 0.9, fixed = true), u(start = 0.5, fixed = true), "
             "v(start = 0.1, fixed = true), diode; equation diode = Is * (exp((u - v) / Vt) - 1); "
             "L * der(i) = A * sin(w * time) - R * i - u; C * der(u) = i - diode; "
             "C2 * der(v) = diode - 0.1 * v; end RLC;",
     .by_hand = by_hand_rlc,
     .states = 3,
     .parameters = 8,
     .p = {0.1, 1.0, 1e-2, 2e-2, 1e-9, 0.05, 5.0, 10.0},
     .stop = 400.0,
     .tolerance = 1e-8,
     .most_compiled = 1.2,
     .most_interpreted = 1.6},
    {.name = "chain",
     .text = "model Chain parameter Integer n = 200; parameter Real k = 4, d = 0.01; "
             "Real x[n](start = {0.1 * mod(i * 7 + 2, 11) for i in 1:n}, each fixed = true); "
             "Real v[n](each start = 0, each fixed = true); equation der(x) = v; "
             "der(v[1]) = k * (-2 * x[1] + x[2]) - sin(x[1]) - d * v[1]; for i in 2:n - 1 loop "
             "der(v[i]) = k * (x[i - 1] - 2 * x[i] + x[i + 1]) - sin(x[i]) - d * v[i]; end for; "
             "der(v[n]) = k * (x[n - 1] - 2 * x[n]) - sin(x[n]) - d * v[n]; end Chain;",
     .by_hand = by_hand_chain,
     .states = MOST,
     .parameters = 2,
     .p = {4.0, 0.01},
     .stop = 100.0,
     .tolerance = 1e-6,
     .most_compiled = 1.2,
     .most_interpreted = 3.0},
};

static void set_start(const Case *c, double *x)
{
    static const double first[] = {0.9, 0.5, 0.1};
    for (int i = 0; i < c->states; i++)
        x[i] = c->states <= 3 ? first[i] : i < PENDULUMS ? 0.1 * ((i * 7 + 9) % 11) : 0.0;
}

// ---------------------------------------------------------------------------
// By hand
// ---------------------------------------------------------------------------

typedef struct Hand {
    SaltusRhs f;
    SaltusContext context;
    int n;
    double tolerance, t, step, error_before;
    double x[MOST], x_new[MOST], w[MOST], k[7][MOST];
} Hand;

static double hand_step(Hand *s, double h)
{
    const int n = s->n;
    const double t = s->t, *x = s->x, *k1 = s->k[0], *k2 = s->k[1], *k3 = s->k[2], *k4 = s->k[3],
                 *k5 = s->k[4], *k6 = s->k[5], *k7 = s->k[6];
    double *w = s->w;
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (1.0 / 5 * k1[i]);
    s->f(&s->context, t + h / 5, w, NULL, s->k[1]);
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
    s->f(&s->context, t + 0.3 * h, w, NULL, s->k[2]);
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
    s->f(&s->context, t + 0.8 * h, w, NULL, s->k[3]);
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] +
                           64448.0 / 6561 * k3[i] - 212.0 / 729 * k4[i]);
    s->f(&s->context, t + 8.0 / 9 * h, w, NULL, s->k[4]);
    for (int i = 0; i < n; i++)
        w[i] = x[i] + h * (9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] +
                           49.0 / 176 * k4[i] - 5103.0 / 18656 * k5[i]);
    s->f(&s->context, t + h, w, NULL, s->k[5]);
    for (int i = 0; i < n; i++)
        s->x_new[i] = x[i] + h * (35.0 / 384 * k1[i] + 500.0 / 1113 * k3[i] + 125.0 / 192 * k4[i] -
                                  2187.0 / 6784 * k5[i] + 11.0 / 84 * k6[i]);
    s->f(&s->context, t + h, s->x_new, NULL, s->k[6]);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double e = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] -
                              17253.0 / 339200 * k5[i] + 22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
        const double scale = s->tolerance + s->tolerance * fmax(fabs(x[i]), fabs(s->x_new[i]));
        sum += (e / scale) * (e / scale);
    }
    return sqrt(sum / n);
}

static void hand_advance(Hand *s, double stop)
{
    bool is_rejected = false;
    const size_t size = (size_t)s->n * sizeof(double);
    s->f(&s->context, s->t, s->x, NULL, s->k[0]);
    while (s->t < stop) {
        const bool is_last = s->t + 1.01 * s->step >= stop;
        const double h = is_last ? stop - s->t : s->step;
        const double error = hand_step(s, h), power = pow(error, 0.2 - 0.04 * 0.75);
        const double factor = fmin(fmax(power / pow(s->error_before, 0.04) / 0.9, 0.1), 5.0);
        if (!(error <= 1.0)) { // NaN, too
            s->step = h / fmin(5.0, power / 0.9);
            is_rejected = true;
            continue;
        }
        s->error_before = fmax(error, 1e-4);
        s->step = is_rejected ? fmin(h, h / factor) : h / factor;
        is_rejected = false;
        s->t = is_last ? stop : s->t + h;
        memcpy(s->x, s->x_new, size);
        memcpy(s->k[0], s->k[6], size);
    }
}

// ---------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------

typedef struct Result {
    double time; // seconds
    double sum;  // of the final states
    long steps;
} Result;

static Result run_by_hand(const Case *c)
{
    static Hand s;
    s = (Hand){.f = c->by_hand,
               .context = {.p = c->p},
               .n = c->states,
               .tolerance = c->tolerance,
               .step = 0.01,
               .error_before = 1e-4};
    set_start(c, s.x);
    const double begin = measure_cpu();
    hand_advance(&s, c->stop);
    Result r = {.time = measure_cpu() - begin};
    for (int i = 0; i < c->states; i++)
        r.sum += s.x[i];
    return r;
}

static Result run_system(const Case *c, const SaltusSystem *system)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_NOTHING;
    options.method.solver = SALTUS_SOLVER_DOPRI5;
    options.method.relative_tolerance = options.method.absolute_tolerance = c->tolerance;
    options.method.step = 0.01;
    SaltusRun *run = NULL;
    const double begin = measure_cpu();
    if (saltus_run_create(system, &options, &run, NULL) != SALTUS_OK ||
        saltus_run_advance(run, c->stop) != SALTUS_OK)
        exit(EXIT_FAILURE);
    Result r = {.time = measure_cpu() - begin, .steps = saltus_run_statistics(run).steps};
    for (int i = 0; i < c->states; i++)
        r.sum += saltus_run_states(run)[i];
    saltus_run_destroy(run);
    return r;
}

static SaltusSystem *system_by_hand(const Case *c)
{
    double start[MOST];
    set_start(c, start);
    SaltusModeDef mode = saltus_default_mode();
    mode.name = c->name;
    mode.state_count = c->states;
    mode.start = start;
    mode.rhs = c->by_hand;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = c->parameters;
    def.parameters = c->p;
    SaltusSystem *system = NULL;
    if (saltus_system_create(&def, &system, NULL) != SALTUS_OK)
        exit(EXIT_FAILURE);
    return system;
}

static const Model *compile(Compilation *compilation, const Case *c)
{
    FlattenOptions options = flatten_default_options();
    options.text = c->text;
    const FlatModel *flat = flatten_files(compilation, 0, NULL, NULL, &options);
    return flat ? model_create(compilation->arena, flat, compilation->diagnostics) : NULL;
}

// A model with its system, run in one of the two ways.
typedef struct Compiled {
    Compilation *compilation;
    const Model *model;
    SaltusSystem *system;
} Compiled;

static Compiled make(const Case *c, BackendChoice backend)
{
    Compiled m = {.compilation = compilation_create(NULL)};
    double p[16];
    m.model = m.compilation ? compile(m.compilation, c) : NULL;
    if (!m.model || model_list_parameters(m.model).count > 16 ||
        !model_parameters(m.model, NULL, 0, p))
        exit(EXIT_FAILURE);
    model_set_backend(m.model, backend, NULL);
    if (model_system(m.model, p, &m.system, NULL) != SALTUS_OK)
        exit(EXIT_FAILURE);
    return m;
}

static void destroy(Compiled *m)
{
    saltus_system_destroy(m->system);
    model_release(m->model);
    compilation_destroy(m->compilation);
}

static void keep_best(Result *best, Result r)
{
    if (r.time < best->time)
        *best = r;
}

static bool print_row(const Case *c, const char *way, const Result *r, double baseline, double most)
{
    const double ratio = r->time / baseline;
    printf("%-9s %-12s %8ld %10.3f %6.2f", c->name, way, r->steps, 1e3 * r->time, ratio);
    if (most > 0.0)
        printf("  at most %.1f%s", most, ratio > most ? ": too slow" : "");
    printf("\n");
    return most == 0.0 || ratio <= most;
}

// The ways take turns, so that all of them see the same weather.
static bool measure(const Case *c)
{
    SaltusSystem *system = system_by_hand(c);
    Compiled compiled = make(c, BACKEND_C), interpreted = make(c, BACKEND_INTERPRET);
    Result hand = {.time = INFINITY}, engine = hand, fast = hand, slow = hand;
    for (int k = 0; k < REPETITIONS; k++) {
        keep_best(&hand, run_by_hand(c));
        keep_best(&engine, run_system(c, system));
        keep_best(&fast, run_system(c, compiled.system));
        keep_best(&slow, run_system(c, interpreted.system));
    }
    const double baseline = fmin(hand.time, engine.time);
    bool is_fine = fabs(fast.sum - engine.sum) <= 1e-3 && slow.sum == fast.sum;
    if (!is_fine)
        printf("%-9s different results: %.17g by hand, %.17g compiled, %.17g interpreted\n",
               c->name, engine.sum, fast.sum, slow.sum);
    const char *reason;
    print_row(c, "by hand", &hand, baseline, 0.0);
    print_row(c, "engine", &engine, baseline, 0.0);
    if (model_is_compiled(compiled.model, &reason))
        is_fine &= print_row(c, "compiled", &fast, baseline, c->most_compiled);
    else
        printf("%-9s not compiled: %s\n", c->name, reason);
    is_fine &= print_row(c, "interpreted", &slow, baseline, c->most_interpreted);
    printf("\n");
    destroy(&compiled);
    destroy(&interpreted);
    saltus_system_destroy(system);
    return is_fine;
}

// ---------------------------------------------------------------------------
// The process
// ---------------------------------------------------------------------------

// Seconds on the wall from its start to its end; NAN: it failed.
static double time_process(char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = 1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const double begin = measure_wall();
    if (posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ) != 0)
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return NAN;
    return measure_wall() - begin;
}

static bool measure_process(const char *program)
{
    static const double most = 0.02;
    char command[4096], file[] = SALTUS_SOURCE_DIR "/models/examples/BouncingBall.mo";
    const char *slash = strrchr(program, '/');
    snprintf(command, sizeof command, "%.*s/../saltus", slash ? (int)(slash - program) : 1,
             slash ? program : ".");
    char *const arguments[] = {command, "simulate", "--backend", "interpret", file, NULL};
    double best = NAN;
    for (int k = 0; k < REPETITIONS; k++)
        best = fmin(best, time_process(arguments));
    if (isnan(best)) {
        printf("%s cannot be run\n", command);
        return false;
    }
    printf("saltus simulate BouncingBall.mo: %.1f ms  at most %.0f ms%s\n", 1e3 * best, 1e3 * most,
           best > most ? ": too slow" : "");
    return best <= most;
}

int main(int argc, char **argv)
{
    (void)argc;
    bool is_fine = true;
    printf("model     way             steps     ms/run  ratio\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_fine &= measure(&cases[i]);
    is_fine &= measure_process(argv[0]);
    return is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
