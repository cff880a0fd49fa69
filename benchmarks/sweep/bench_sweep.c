// SPDX-License-Identifier: MIT
//
// Sweeps by kernels against loops that were written by hand, on one core of the processor: the same
// method (Rodas5P), the same tolerance, the same numbers of events. The mark: the dynamic contact
// in at most a third of the time of its loop.

#include "../support/measure.h"
#include "loops.h"
#include "studies/sweep_kernel.h"

#include <stdio.h>
#include <stdlib.h>

enum { GRID = 30, REPEATS = 7 };

typedef struct Case {
    const char *file, *model;
    const char *axes[2];
    const char *observations[2];
    double stop_time;
    void (*loop)(const double *p, double tolerance, double longest, double *first, double *second);
} Case;

static const Case cases[] = {
    {"sweep/Sweeps.mo",
     "Sweeps.Contact",
     {"k=1e4:1e8:log:30", "d=50:5000:log:30"},
     {"contacts", "rebound"},
     10.0,
     hand_contact},
    {"sweep/Sweeps.mo",
     "Sweeps.Bounces",
     {"mu=0.9:0.95:30", "g=5:9.8:30"},
     {"bounces", "x"},
     26.8,
     hand_bounces},
    {"c21/Pendulum.mo",
     "Pendulum.MaximalStateSpace",
     {"omega0=4:12:30", "k=0.05:0.4:30"},
     {"count(event(\"F*\"))", "phi"},
     10.0,
     hand_pendulum},
    {"c21/Pendulum.mo",
     "Pendulum.Decomposed",
     {"omega0=4:12:30", "k=0.05:0.4:30"},
     {"count(transition(\"swinging\", \"falling\"))", "swinging.phi"},
     10.0,
     hand_pendulum},
    {"c21/Circuit.mo",
     "Circuit.ShortcutMatrix",
     {"R1=5:1000:log:30", "R2=10:40:30"},
     {"count(event(\"h > 0*\"))", "u_C"},
     500e-6,
     hand_circuit},
    {"c21/Circuit.mo",
     "Circuit.Shortcut",
     {"R1=5:1000:log:30", "R2=10:40:30"},
     {"count(event(\"h > 0*\"))", "u_C"},
     500e-6,
     hand_circuit},
};

typedef struct Bench {
    const Case *c;
    Axis axes[2];
    double values[GRID * GRID][2], by_hand[GRID * GRID][2], observed[GRID * GRID][2];
    double *results;
    int status[GRID * GRID];
} Bench;

static double run_by_hand(Bench *b)
{
    double best = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        const double begin = measure_cpu();
        for (int i = 0; i < GRID * GRID; i++)
            b->c->loop(b->values[i], 1e-8, b->c->stop_time / 50.0, &b->by_hand[i][0],
                       &b->by_hand[i][1]);
        best = fmin(best, measure_cpu() - begin);
    }
    return best;
}

static double run_by_kernel(Bench *b, SweepKernel *kernel)
{
    double best = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        const double begin = measure_cpu();
        sweep_kernel_run(kernel, &b->values[0][0], GRID * GRID, b->results, b->status);
        best = fmin(best, measure_cpu() - begin);
    }
    return best;
}

// How many points were set aside, and how many have other counts than the loop.
static void compare(Bench *b, SweepKernel *kernel, int *aside, int *different, double *most)
{
    const size_t results = sweep_kernel_result_count(kernel);
    *aside = *different = 0;
    *most = 0.0;
    for (size_t i = 0; i < GRID * GRID; i++) {
        const char *message;
        *aside += b->status[i] != 0;
        if (b->status[i] != 0 || !sweep_kernel_read(kernel, b->values[i], b->results + i * results,
                                                    b->observed[i], &message))
            continue;
        *different += b->observed[i][0] != b->by_hand[i][0];
        *most = fmax(*most, fabs(b->observed[i][1] - b->by_hand[i][1]) /
                                fmax(1e-3, fabs(b->by_hand[i][1])));
    }
}

static int run_case(Bench *b)
{
    const Case *c = b->c;
    char path[1000];
    const char *const file = path;
    snprintf(path, sizeof path, "%s/benchmarks/%s", SALTUS_SOURCE_DIR, c->file);
    const StudyDef def = {.load = {.file_count = 1, .files = &file, .model = c->model},
                          .observation_count = 2,
                          .observations = c->observations,
                          .options = saltus_default_options(),
                          .stop_time = c->stop_time};
    Study *study = study_create(&def);
    char *message = NULL;
    bool is_fine = study && study_observations(study);
    for (int i = 0; i < 2 && is_fine; i++)
        is_fine = axis_read(study, c->axes[i], &b->axes[i], &message);
    if (!is_fine) {
        fprintf(stderr, "%s: %s\n", c->model, message ? message : "");
        free(message);
        study_destroy(study);
        return 1;
    }
    SaltusOptions options = saltus_default_options();
    options.method.solver = SALTUS_SOLVER_RODAS;
    options.method.relative_tolerance = 1e-8;
    options.method.absolute_tolerance = 1e-11;
    options.method.max_step = c->stop_time / 50.0;
    study_set_options(study, &options, c->stop_time);
    for (size_t i = 0; i < GRID * GRID; i++) {
        b->values[i][0] = axis_value(&b->axes[0], i / GRID);
        b->values[i][1] = axis_value(&b->axes[1], i % GRID);
    }
    const double begin = measure_wall();
    SweepKernel *kernel = sweep_kernel_create(study, b->axes, 2, KERNEL_CPU);
    const double compiled = measure_wall() - begin;
    int failed = 1;
    if (kernel && !sweep_kernel_reason(kernel)[0]) {
        b->results = calloc(GRID * GRID * sweep_kernel_result_count(kernel), sizeof(double));
        const double hand = run_by_hand(b), ours = run_by_kernel(b, kernel);
        int aside, different;
        double most;
        compare(b, kernel, &aside, &different, &most);
        printf("%-27s %8.2f %8.2f %7.3f %6u %6d %6d %9.1e %8.2f\n", c->model, 1e3 * hand,
               1e3 * ours, ours / hand, kernel_lanes(sweep_kernel_code(kernel)), aside, different,
               most, compiled);
        failed = 0;
        free(b->results);
    } else {
        fprintf(stderr, "%s: %s\n", c->model, kernel ? sweep_kernel_reason(kernel) : "no memory");
    }
    sweep_kernel_destroy(kernel);
    axis_free(&b->axes[0]);
    axis_free(&b->axes[1]);
    study_destroy(study);
    return failed;
}

int main(void)
{
    static Bench b;
    int failed = 0;
    printf("%d x %d trajectories on one core, milliseconds of processor time\n", GRID, GRID);
    printf("%-27s %8s %8s %7s %6s %6s %6s %9s %8s\n", "", "by hand", "kernel", "ratio", "lanes",
           "aside", "other", "differ", "made, s");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b.c = &cases[i];
        failed |= run_case(&b);
    }
    return failed;
}
