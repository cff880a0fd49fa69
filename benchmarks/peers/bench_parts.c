// SPDX-License-Identifier: MIT
//
//   J6    n balls in one model, each with its own floor, for 2 s: about 2.3 n events
//
// By hand: dopri5 as loops over arrays of all heights and velocities; at each event, the first zero
// on the dense output, all states are put there, one ball bounces, and the next step begins. That
// is n times as much for an event of n balls. Saltus runs each ball by itself (open/apart.h).
//
// Both in turn in one process; the shortest of several repetitions counts, in processor time. The
// error is that of the heights at the end, against the closed form.
//
// `bench-parts all` measures 10,000 balls, too, which takes the loop some 10 s.

#include "open/apart.h"
#include "support/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81, restitution = 0.8, stop = 2.0, relative = 1e-6, absolute = 1e-9;

static const char balls_text[] =
    "model Ball parameter Real h0 = 1, e = 0.8; Real h(start = h0, fixed = true), v(start = 0, "
    "fixed = true); equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -e * pre(v)); "
    "end when; end Ball;"
    "model J6 parameter Integer n = 10; Ball ball[n](h0 = {1 + i / n for i in 1:n}); end J6;";

static double balls_start(int n, int i)
{
    return 1.0 + (i + 1.0) / n;
}

// The height at the end: bounce after bounce.
static double balls_exact(double height)
{
    double t = sqrt(2.0 * height / g), v = g * t;
    if (stop < t)
        return height - 0.5 * g * stop * stop;
    for (v *= restitution; t + 2.0 * v / g < stop; v *= restitution)
        t += 2.0 * v / g;
    return v * (stop - t) - 0.5 * g * (stop - t) * (stop - t);
}

// ---------------------------------------------------------------------------
// By hand
// ---------------------------------------------------------------------------

// Stages of dopri5: E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary Differential Equations I,
// section II.5. x: heights, then velocities.
typedef struct Balls {
    int n;
    double *x, *y, *k[7], *r[4];
    long events;
} Balls;

static void balls_f(const Balls *b, const double *x, double *dx)
{
    memcpy(dx, x + b->n, (size_t)b->n * sizeof *dx);
    for (int i = 0; i < b->n; i++)
        dx[b->n + i] = -g;
}

#define FOR_ALL for (int i = 0; i < m; i++)

// The step's end in y, and the norm of the estimate of its error.
static double balls_step(Balls *b, double h)
{
    const int m = 2 * b->n;
    const double *x = b->x;
    double *y = b->y, *k0 = b->k[0], *k1 = b->k[1], *k2 = b->k[2], *k3 = b->k[3], *k4 = b->k[4],
           *k5 = b->k[5], *k6 = b->k[6];
    FOR_ALL y[i] = x[i] + h * (0.2 * k0[i]);
    balls_f(b, y, k1);
    FOR_ALL y[i] = x[i] + h * (3.0 / 40 * k0[i] + 9.0 / 40 * k1[i]);
    balls_f(b, y, k2);
    FOR_ALL y[i] = x[i] + h * (44.0 / 45 * k0[i] - 56.0 / 15 * k1[i] + 32.0 / 9 * k2[i]);
    balls_f(b, y, k3);
    FOR_ALL y[i] = x[i] + h * (19372.0 / 6561 * k0[i] - 25360.0 / 2187 * k1[i] +
                               64448.0 / 6561 * k2[i] - 212.0 / 729 * k3[i]);
    balls_f(b, y, k4);
    FOR_ALL y[i] = x[i] + h * (9017.0 / 3168 * k0[i] - 355.0 / 33 * k1[i] + 46732.0 / 5247 * k2[i] +
                               49.0 / 176 * k3[i] - 5103.0 / 18656 * k4[i]);
    balls_f(b, y, k5);
    FOR_ALL y[i] = x[i] + h * (35.0 / 384 * k0[i] + 500.0 / 1113 * k2[i] + 125.0 / 192 * k3[i] -
                               2187.0 / 6784 * k4[i] + 11.0 / 84 * k5[i]);
    balls_f(b, y, k6);
    double sum = 0.0;
    FOR_ALL
    {
        const double e = h * (71.0 / 57600 * k0[i] - 71.0 / 16695 * k2[i] + 71.0 / 1920 * k3[i] -
                              17253.0 / 339200 * k4[i] + 22.0 / 525 * k5[i] - 1.0 / 40 * k6[i]);
        const double part = e / (absolute + relative * fmax(fabs(x[i]), fabs(y[i])));
        sum += part * part;
    }
    return sqrt(sum / m);
}

// One component of the dense output at a part s of the step.
static double balls_dense(const Balls *b, double h, int i, double s)
{
    const double *const *k = (const double *const *)b->k;
    const double difference = b->y[i] - b->x[i], first = h * k[0][i] - difference;
    const double second = difference - h * k[6][i] - first;
    const double third =
        h * (-12715105075.0 / 11282082432.0 * k[0][i] + 87487479700.0 / 32700410799.0 * k[2][i] -
             10690763975.0 / 1880347072.0 * k[3][i] + 701980252875.0 / 199316789632.0 * k[4][i] -
             1453857185.0 / 822651844.0 * k[5][i] + 69997945.0 / 29380423.0 * k[6][i]);
    return b->x[i] + s * (difference + (1.0 - s) * (first + s * (second + (1.0 - s) * third)));
}

// Where the height of a ball is zero, as a part of the step: by the Illinois method.
static double balls_locate(const Balls *b, double h, int ball)
{
    double low = 0.0, high = 1.0, f_low = b->x[ball], f_high = b->y[ball], last = 2.0;
    int side = 0;
    if (f_low <= 0.0) // it has just bounced
        for (low = 0.5; low > 1e-12 && (f_low = balls_dense(b, h, ball, low)) <= 0.0;)
            low *= 0.5;
    for (int k = 0; k < 60; k++) {
        const double s = high - f_high * (high - low) / (f_high - f_low);
        const double f = balls_dense(b, h, ball, s);
        if (f * f_high > 0.0) {
            high = s, f_high = f;
            f_low *= side == 1 ? 0.5 : 1.0;
            side = 1;
        } else {
            low = s, f_low = f;
            f_high *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
        if (f == 0.0 || fabs(s - last) * h <= 1e-15)
            return s;
        last = s;
    }
    return last;
}

static void balls_by_hand(int n, double *heights, long *events)
{
    const int m = 2 * n;
    double *memory = malloc((size_t)m * 9 * sizeof *memory);
    Balls b = {.n = n, .x = memory, .y = memory + m};
    if (!memory)
        exit(EXIT_FAILURE);
    for (int j = 0; j < 7; j++)
        b.k[j] = memory + (ptrdiff_t)(2 + j) * m;
    for (int i = 0; i < n; i++) {
        b.x[i] = balls_start(n, i);
        b.x[n + i] = 0.0;
    }
    double t = 0.0, h = 1e-4 * stop, since = 0.0;
    balls_f(&b, b.x, b.k[0]);
    while (t < stop) {
        const bool is_last = t + 1.01 * h >= stop;
        const double step = is_last ? stop - t : h, error = balls_step(&b, step);
        const double next = step * fmin(5.0, fmax(0.2, 0.9 * pow(fmax(error, 1e-10), -0.2)));
        h = next;
        if (!(error <= 1.0))
            continue;
        int first = -1;
        double part = 2.0;
        for (int i = 0; i < n; i++)
            if (b.y[i] < 0.0) {
                const double s = balls_locate(&b, step, i);
                if (s < part)
                    part = s, first = i;
            }
        if (first < 0) {
            t = is_last ? stop : t + step;
            memcpy(b.x, b.y, (size_t)m * sizeof *b.x);
            double *swapped = b.k[0];
            b.k[0] = b.k[6];
            b.k[6] = swapped;
            continue;
        }
        FOR_ALL b.y[i] = balls_dense(&b, step, i, part);
        memcpy(b.x, b.y, (size_t)m * sizeof *b.x);
        t += part * step;
        b.x[first] = 0.0;
        b.x[n + first] *= -restitution;
        b.events++;
        h = fmin(next, 1.5 * (t - since));
        since = t;
        balls_f(&b, b.x, b.k[0]);
    }
    memcpy(heights, b.x, (size_t)n * sizeof *heights);
    *events = b.events;
    free(memory);
}

// ---------------------------------------------------------------------------
// Saltus
// ---------------------------------------------------------------------------

typedef struct BallsModel {
    Loaded *loaded;
    SaltusSystem *system;
    double *p;
    bool *is_wanted;   // nothing, at the events of others
    const int *places; // outputs that are heights
    double *heights;
    int n;
} BallsModel;

static BallsModel balls_model(int n)
{
    const NamedSetting setting = {.name = "n", .value = n};
    BallsModel b = {.n = n};
    SaltusError error;
    b.loaded =
        loaded_create(&(LoadedDef){.text = balls_text, .setting_count = 1, .settings = &setting});
    if (!b.loaded || !b.loaded->model)
        exit(EXIT_FAILURE);
    const uint32_t outputs = model_output_count(b.loaded->model);
    b.p = calloc(model_list_parameters(b.loaded->model).count + 1u, sizeof *b.p);
    b.is_wanted = calloc(outputs, sizeof *b.is_wanted);
    b.heights = calloc((size_t)n, sizeof *b.heights);
    int *places = calloc((size_t)n, sizeof *places), count = 0;
    if (!b.p || !b.is_wanted || !b.heights || !places)
        exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < outputs; i++) {
        const char *name = model_output_names(b.loaded->model)[i];
        if (count < n && strcmp(name + strlen(name) - 2, ".h") == 0)
            places[count++] = (int)i;
    }
    b.places = places;
    if (count != n || loaded_parameters(b.loaded, NULL, 0, b.p, &error) != SALTUS_OK ||
        model_system(b.loaded->model, b.p, &b.system, &error) != SALTUS_OK)
        exit(EXIT_FAILURE);
    return b;
}

static int balls_row(void *user, const SaltusRow *row)
{
    BallsModel *b = user;
    for (int i = 0; row->kind == SALTUS_ROW_END && i < b->n; i++)
        b->heights[i] = row->y[b->places[i]];
    return 0;
}

static int balls_logged(void *user, const SaltusLogEntry *entry)
{
    (void)user, (void)entry;
    return 0;
}

// The processor time of the run alone.
static double balls_by_saltus(BallsModel *b, BackendChoice backend, long *events)
{
    SaltusOptions options = saltus_default_options();
    options.record = SALTUS_RECORD_EVENTS;
    options.row = balls_row;
    options.logged = balls_logged;
    options.user = b;
    options.method.relative_tolerance = relative;
    options.method.absolute_tolerance = absolute;
    Apart *apart = apart_create(&(ApartDef){.loaded = b->loaded,
                                            .system = b->system,
                                            .parameters = b->p,
                                            .options = &options,
                                            .backend = backend,
                                            .is_wanted = b->is_wanted});
    SaltusRun *run = NULL;
    SaltusError error = {0};
    const double begin = measure_cpu();
    if (!apart || apart_run(apart, stop, &run, &error) != SALTUS_OK) {
        printf("%s\n", error.message);
        exit(EXIT_FAILURE);
    }
    const double time = measure_cpu() - begin;
    *events = saltus_run_statistics(run).events;
    saltus_run_destroy(run);
    apart_destroy(apart);
    return time;
}

// ---------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------

static double balls_error(int n, const double *heights)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(heights[i] - balls_exact(balls_start(n, i))));
    return largest;
}

static bool measure_balls(int n, double most)
{
    enum { BY_HAND, COMPILED, INTERPRETED, CONTESTANTS };
    static const char *const names[] = {"by hand", "Saltus, compiled", "Saltus, interpreted"};
    static const double bound = 1e-6; // of the heights: the tolerance
    const double begin = measure_cpu();
    BallsModel b = balls_model(n);
    const double made = measure_cpu() - begin;
    double times[CONTESTANTS] = {INFINITY, INFINITY, INFINITY}, errors[CONTESTANTS];
    long events[CONTESTANTS];
    const int repetitions = n < 1000 ? 20 : n < 10000 ? 3 : 2;
    for (int k = 0; k < repetitions; k++)
        for (int who = 0; who < CONTESTANTS; who++) {
            const double start = measure_cpu();
            double time = 0.0;
            if (who == BY_HAND)
                balls_by_hand(n, b.heights, &events[who]);
            else
                time = balls_by_saltus(&b, who == COMPILED ? BACKEND_C : BACKEND_INTERPRET,
                                       &events[who]);
            time = who == BY_HAND ? measure_cpu() - start : time;
            times[who] = fmin(times[who], time);
            errors[who] = balls_error(n, b.heights);
        }
    bool is_fine = times[COMPILED] <= most * times[BY_HAND];
    for (int who = 0; who < CONTESTANTS; who++) {
        const bool is_right = errors[who] <= bound && events[who] == events[BY_HAND];
        printf("J6 %6d  %-20s %10.2f ms %8.4f of the loop, %6.2f us/event, error %.1e%s\n", n,
               names[who], 1e3 * times[who], times[who] / times[BY_HAND],
               1e6 * times[who] / (double)events[who], errors[who], is_right ? "" : "  wrong");
        is_fine = is_fine && is_right;
    }
    printf("           compiled at most %.2f%s; from text to model %.2f s\n\n", most,
           is_fine ? "" : ": missed", made);
    fflush(stdout);
    saltus_system_destroy(b.system);
    loaded_destroy(b.loaded);
    free(b.p);
    free(b.is_wanted);
    free(b.heights);
    free((void *)(uintptr_t)b.places);
    return is_fine;
}

int main(int count, char **arguments)
{
    const bool all = count > 1 && strcmp(arguments[1], "all") == 0;
    if (count > 1 && !all) // so many balls, and nothing else
        return measure_balls(atoi(arguments[1]), INFINITY) ? EXIT_SUCCESS : EXIT_FAILURE;
    bool is_fine = measure_balls(10, INFINITY); // most of it is the start
    is_fine &= measure_balls(100, INFINITY);
    is_fine &= measure_balls(1000, 1.0);
    if (all)
        is_fine &= measure_balls(10000, 0.05);
    return is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
