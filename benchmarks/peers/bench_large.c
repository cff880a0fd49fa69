// SPDX-License-Identifier: MIT
//
// Large jobs beside their peers, at one tolerance: models in Modelica, compiled and interpreted,
// against C written by hand for the job.
//
//   J8    a chain of n masses: dopri5 as a loop over arrays
//   J9    an RC ladder of n sections: CVODE with KLU and the Jacobian by hand
//   J10   heat on a square of n x n points: the same
//
// All of them run in one process, in turn; the shortest of several repetitions counts, in processor
// time. The error is that of some of the unknowns at the end, against the sum over the modes of
// vibration or decay; one whose error is above that of the job has no time. J7, a ladder of n ideal
// diodes, has no peer: what it takes from the text to the end of the run is printed.
//
// `bench-large all` measures sizes that take minutes, too.

#include "flatten/flatten.h"
#include "modes/model.h"
#include "support/jobs.h"
#include "support/measure.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { REPETITIONS = 5, SAMPLES = 5 };
static const double pi = 3.14159265358979323846, relative = 1e-6, absolute = 1e-9;

typedef struct LargeJob {
    const char *name, *text; // of a model with a parameter n
    int size, states;
    double stop;
    SaltusSolver solver;
    bool is_implicit; // CVODE by hand, else dopri5
    int entries;      // of the Jacobian
    void (*f)(int n, const double *x, double *dx);
    void (*jacobian)(int n, sunindextype *start, sunindextype *rows, double *values);
    double (*exact)(int n, int state, double t);
    double error;         // that is allowed, see large_bound
    double most;          // of the ratio of compiled Saltus to the peer
    bool is_long;         // only on demand
    int samples[SAMPLES]; // states
} LargeJob;

// ---------------------------------------------------------------------------
// Jobs by hand
// ---------------------------------------------------------------------------

static void chain_f(int n, const double *x, double *dx)
{
    const double *s = x, *v = x + n;
    double *dv = dx + n;
    memcpy(dx, v, (size_t)n * sizeof *dx);
    dv[0] = s[1] - s[0];
    for (int i = 1; i < n - 1; i++)
        dv[i] = (s[i + 1] - s[i]) - (s[i] - s[i - 1]);
    dv[n - 1] = s[n - 2] - s[n - 1];
}

// Both ends are free, and the first mass was displaced by 1.
static double chain_exact(int n, int i, double t)
{
    double sum = 1.0;
    for (int k = 1; k < n; k++)
        sum += 2.0 * cos(pi * k * 0.5 / n) * cos(pi * k * (i + 0.5) / n) *
               cos(2.0 * sin(pi * k / (2.0 * n)) * t);
    return sum / n;
}

static void ladder_f(int n, const double *x, double *dx)
{
    dx[0] = 1.0 - 2.0 * x[0] + x[1];
    for (int i = 1; i < n - 1; i++)
        dx[i] = x[i - 1] - 2.0 * x[i] + x[i + 1];
    dx[n - 1] = x[n - 2] - x[n - 1];
}

static void ladder_jacobian(int n, sunindextype *start, sunindextype *rows, double *values)
{
    sunindextype k = 0;
    for (int j = 0; j < n; j++) {
        start[j] = k;
        if (j > 0)
            rows[k] = j - 1, values[k++] = 1.0;
        rows[k] = j, values[k++] = j < n - 1 ? -2.0 : -1.0;
        if (j < n - 1)
            rows[k] = j + 1, values[k++] = 1.0;
    }
    start[n] = k;
}

// One end is held at 1, the other is open.
static double ladder_exact(int n, int i, double t)
{
    double sum = 1.0;
    for (int k = 1; k <= n; k++) {
        const double angle = (2 * k - 1) * pi / (2 * n + 1), root = 2.0 * sin(0.5 * angle);
        sum -= 2.0 / (2 * n + 1) / tan(0.5 * angle) * sin(angle * (i + 1)) * exp(-root * root * t);
    }
    return sum;
}

static double heat_rate(int n)
{
    return 0.01 * (n + 1) * (n + 1);
}

static void heat_f(int n, const double *x, double *dx)
{
    const double rate = heat_rate(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double *u = x + (ptrdiff_t)i * n + j;
            const double up = i > 0 ? u[-n] : 1.0, down = i < n - 1 ? u[n] : 0.0;
            const double left = j > 0 ? u[-1] : 0.0, right = j < n - 1 ? u[1] : 0.0;
            dx[(ptrdiff_t)i * n + j] = rate * (up + down + left + right - 4.0 * *u);
        }
}

static void heat_jacobian(int n, sunindextype *start, sunindextype *rows, double *values)
{
    const double rate = heat_rate(n);
    sunindextype k = 0;
    for (int c = 0; c < n * n; c++) {
        start[c] = k;
        if (c >= n)
            rows[k] = c - n, values[k++] = rate;
        if (c % n > 0)
            rows[k] = c - 1, values[k++] = rate;
        rows[k] = c, values[k++] = -4.0 * rate;
        if (c % n < n - 1)
            rows[k] = c + 1, values[k++] = rate;
        if (c < n * n - n)
            rows[k] = c + n, values[k++] = rate;
    }
    start[n * n] = k;
}

// One edge is held at 1, the others at 0.
static double heat_exact(int n, int state, double t)
{
    const int i = state / n + 1, j = state % n + 1;
    double sum = 0.0;
    for (int l = 1; l <= n; l += 2) { // the others cancel
        const double angle = pi * l / (n + 1), width = 1.0 / tan(0.5 * angle);
        for (int k = 1; k <= n; k++) {
            const double a = pi * k / (n + 1), x = 2.0 * sin(0.5 * a), y = 2.0 * sin(0.5 * angle);
            const double decay = x * x + y * y;
            sum += sin(a) * width / decay * -expm1(-decay * heat_rate(n) * t) * sin(a * i) *
                   sin(angle * j);
        }
    }
    return sum * 4.0 / ((n + 1.0) * (n + 1.0));
}

// ---------------------------------------------------------------------------
// dopri5
// ---------------------------------------------------------------------------

// E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary Differential Equations I, section II.5.
static const double tableau[7][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
static const double errors[7] = {71.0 / 57600,      0.0,          -71.0 / 16695, 71.0 / 1920,
                                 -17253.0 / 339200, 22.0 / 525.0, -1.0 / 40};

static void stage(int m, int s, double h, const double *x, double *const *k, double *y)
{
    const double *a = tableau[s];
    const double *k0 = k[0], *k1 = k[1], *k2 = k[2], *k3 = k[3], *k4 = k[4], *k5 = k[5];
    switch (s) { // each a loop of its own over all that it needs
    case 1:
        for (int i = 0; i < m; i++)
            y[i] = x[i] + h * (a[0] * k0[i]);
        break;
    case 2:
        for (int i = 0; i < m; i++)
            y[i] = x[i] + h * (a[0] * k0[i] + a[1] * k1[i]);
        break;
    case 3:
        for (int i = 0; i < m; i++)
            y[i] = x[i] + h * (a[0] * k0[i] + a[1] * k1[i] + a[2] * k2[i]);
        break;
    case 4:
        for (int i = 0; i < m; i++)
            y[i] = x[i] + h * (a[0] * k0[i] + a[1] * k1[i] + a[2] * k2[i] + a[3] * k3[i]);
        break;
    case 5:
        for (int i = 0; i < m; i++)
            y[i] = x[i] +
                   h * (a[0] * k0[i] + a[1] * k1[i] + a[2] * k2[i] + a[3] * k3[i] + a[4] * k4[i]);
        break;
    default:
        for (int i = 0; i < m; i++)
            y[i] = x[i] +
                   h * (a[0] * k0[i] + a[2] * k2[i] + a[3] * k3[i] + a[4] * k4[i] + a[5] * k5[i]);
    }
}

static void by_dopri5(const LargeJob *job, double *x)
{
    const int m = job->states;
    double *memory = malloc((size_t)m * 8 * sizeof *memory), *k[7], *y = memory + 7L * m;
    if (!memory)
        exit(EXIT_FAILURE);
    for (int s = 0; s < 7; s++)
        k[s] = memory + (ptrdiff_t)s * m;
    memset(x, 0, (size_t)m * sizeof *x);
    x[0] = 1.0;
    double t = 0.0, h = 1e-3;
    job->f(job->size, x, k[0]);
    while (t < job->stop) {
        h = fmin(h, job->stop - t);
        for (int s = 1; s < 7; s++) {
            stage(m, s, h, x, k, y);
            job->f(job->size, y, k[s]);
        }
        double sum = 0.0;
        for (int i = 0; i < m; i++) {
            const double e = errors[0] * k[0][i] + errors[2] * k[2][i] + errors[3] * k[3][i] +
                             errors[4] * k[4][i] + errors[5] * k[5][i] + errors[6] * k[6][i];
            const double part = h * e / (absolute + relative * fmax(fabs(x[i]), fabs(y[i])));
            sum += part * part;
        }
        const double error = sqrt(sum / m);
        if (error <= 1.0) {
            t += h;
            memcpy(x, y, (size_t)m * sizeof *x);
            double *last = k[6];
            k[6] = k[0];
            k[0] = last;
        }
        h *= fmin(5.0, fmax(0.2, 0.9 * pow(fmax(error, 1e-10), -0.2)));
    }
    free(memory);
}

// ---------------------------------------------------------------------------
// CVODE
// ---------------------------------------------------------------------------

static int large_f(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)t;
    const LargeJob *job = user;
    job->f(job->size, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static int large_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix j, void *user, N_Vector a,
                          N_Vector b, N_Vector c)
{
    (void)t, (void)y, (void)f, (void)a, (void)b, (void)c;
    const LargeJob *job = user;
    job->jacobian(job->size, SUNSparseMatrix_IndexPointers(j), SUNSparseMatrix_IndexValues(j),
                  SUNSparseMatrix_Data(j));
    return 0;
}

static void by_cvode(const LargeJob *job, double *x)
{
    SUNContext context;
    if (SUNContext_Create(NULL, &context) != 0)
        exit(EXIT_FAILURE);
    N_Vector y = N_VNew_Serial(job->states, context);
    SUNMatrix matrix = SUNSparseMatrix(job->states, job->states, job->entries, CSC_MAT, context);
    SUNLinearSolver solver = SUNLinSol_KLU(y, matrix, context);
    N_VConst(0.0, y);
    void *cvode = CVodeCreate(CV_BDF, context);
    CVodeInit(cvode, large_f, 0.0, y);
    CVodeSStolerances(cvode, relative, absolute);
    CVodeSetLinearSolver(cvode, solver, matrix);
    CVodeSetJacFn(cvode, large_jacobian);
    CVodeSetUserData(cvode, (void *)(uintptr_t)job);
    CVodeSetMaxNumSteps(cvode, 1000000);
    CVodeSetStopTime(cvode, job->stop);
    double t = 0.0;
    if (CVode(cvode, job->stop, y, &t, CV_NORMAL) < 0)
        exit(EXIT_FAILURE);
    memcpy(x, N_VGetArrayPointer(y), (size_t)job->states * sizeof *x);
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    SUNContext_Free(&context);
}

// ---------------------------------------------------------------------------
// Saltus
// ---------------------------------------------------------------------------

static JobModel large_model(const char *text, int size, BackendChoice backend)
{
    char modification[32];
    snprintf(modification, sizeof modification, "(n = %d)", size);
    return job_model(text, modification, backend);
}

// x: the states at the end, or NULL.
static void by_saltus(const JobModel *m, SaltusSolver solver, double stop, int states, double *x)
{
    SaltusRun *run = job_run(m, stop, solver, relative, absolute);
    if (x)
        memcpy(x, saltus_run_states(run), (size_t)states * sizeof *x);
    saltus_run_destroy(run);
}

// ---------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------

static const char chain_text[] =
    "model J8 parameter Integer n = 10; Real s[n](start = {if i == 1 then 1 else 0 for i in 1:n}, "
    "each fixed = true), v[n](each start = 0, each fixed = true); equation for i in 1:n loop "
    "der(s[i]) = v[i]; end for; der(v[1]) = s[2] - s[1]; for i in 2:n - 1 loop der(v[i]) = (s[i + "
    "1] - s[i]) - (s[i] - s[i - 1]); end for; der(v[n]) = s[n - 1] - s[n]; end J8;";

static const char ladder_text[] =
    "connector Pin Real v; flow Real i; end Pin;"
    "model Resistor parameter Real R = 1; Pin p, n; equation p.v - n.v = R * p.i; p.i + n.i = 0; "
    "end Resistor; model Capacitor parameter Real C = 1; Pin p, n; Real v(start = 0, fixed = true);"
    " equation v = p.v - n.v; C * der(v) = p.i; p.i + n.i = 0; end Capacitor;"
    "model Source Pin p, n; equation p.v - n.v = 1; p.i + n.i = 0; end Source;"
    "model Ground Pin p; equation p.v = 0; end Ground;"
    "model J9 parameter Integer n = 10; Resistor r[n]; Capacitor c[n]; Source s; Ground g; equation"
    " connect(s.p, r[1].p); connect(s.n, g.p); for i in 1:n loop connect(r[i].n, c[i].p); "
    "connect(c[i].n, g.p); end for; for i in 1:n - 1 loop connect(r[i].n, r[i + 1].p); end for; "
    "end J9;";

static const char heat_text[] =
    "model J10 parameter Integer n = 10; parameter Real k = 0.01 * (n + 1) ^ 2; Real u[n, n](each "
    "start = 0, each fixed = true), w[n + 2, n + 2]; equation w[2:n + 1, 2:n + 1] = u; w[1, :] = "
    "ones(n + 2); w[n + 2, :] = zeros(n + 2); w[2:n + 1, 1] = zeros(n); w[2:n + 1, n + 2] = "
    "zeros(n); for i in 1:n loop for j in 1:n loop der(u[i, j]) = k * (w[i, j + 1] + w[i + 2, j + "
    "1] + w[i + 1, j] + w[i + 1, j + 2] - 4 * u[i, j]); end for; end for; end J10;";

#define CHAIN(n, is_long)                                                                          \
    {                                                                                              \
        "J8", chain_text, n, 2 * (n), 20.0, SALTUS_SOLVER_DOPRI5, false, 0, chain_f, NULL,         \
            chain_exact, 1e-6, 1.0, is_long,                                                       \
        {                                                                                          \
            0, 3, 10, 30, 100                                                                      \
        }                                                                                          \
    }
#define LADDER(n, is_long)                                                                         \
    {                                                                                              \
        "J9", ladder_text, n, n, 100.0, SALTUS_SOLVER_CVODE, true, 3 * (n)-2, ladder_f,            \
            ladder_jacobian, ladder_exact, 1e-4, 1.1, is_long,                                     \
        {                                                                                          \
            0, 3, 10, 30, 100                                                                      \
        }                                                                                          \
    }
#define HEAT(n, is_long)                                                                           \
    {                                                                                              \
        "J10", heat_text, n, (n) * (n), 10.0, SALTUS_SOLVER_CVODE, true, 5 * (n) * (n)-4 * (n),    \
            heat_f, heat_jacobian, heat_exact, 1e-4, 1.1, is_long,                                 \
        {                                                                                          \
            0, (n) / 2, (n) * ((n) / 4) + (n) / 2, (n) * ((n) / 2) + (n) / 2, (n) * (n)-1          \
        }                                                                                          \
    }

static const LargeJob jobs[] = {
    CHAIN(1000, false),  CHAIN(10000, false),  CHAIN(100000, true),
    LADDER(1000, false), LADDER(10000, false), LADDER(100000, true),
    HEAT(50, false),     HEAT(100, true),      HEAT(200, true),
};

typedef enum LargeContestant { BY_PEER, COMPILED, INTERPRETED, CONTESTANTS } LargeContestant;

static const char *const contestant_names[] = {"by hand", "Saltus, compiled",
                                               "Saltus, interpreted"};

static void large_run(const LargeJob *job, LargeContestant who, const JobModel *models, double *x)
{
    if (who != BY_PEER)
        by_saltus(&models[who - COMPILED], job->solver, job->stop, job->states, x);
    else if (job->is_implicit)
        by_cvode(job, x);
    else
        by_dopri5(job, x);
}

static double large_error(const LargeJob *job, const double *x)
{
    double largest = 0.0;
    for (int k = 0; k < SAMPLES; k++)
        largest = fmax(
            largest, fabs(x[job->samples[k]] - job->exact(job->size, job->samples[k], job->stop)));
    return largest;
}

// The tolerance is that of the root of the mean square. Of the chain only those masses move that
// the wave has reached: all of the error is theirs.
static double large_bound(const LargeJob *job)
{
    return job->is_implicit ? job->error : job->error * sqrt(job->states);
}

static bool measure_large(const LargeJob *job)
{
    const double begin = measure_cpu();
    JobModel models[] = {large_model(job->text, job->size, BACKEND_C), {0}};
    const double made = measure_cpu() - begin;
    models[1] = large_model(job->text, job->size, BACKEND_INTERPRET);
    double times[CONTESTANTS] = {INFINITY, INFINITY, INFINITY}, found[CONTESTANTS];
    double *x = calloc((size_t)job->states, sizeof *x);
    for (int k = 0; x && k < REPETITIONS; k++)
        for (LargeContestant who = BY_PEER; who < CONTESTANTS; who++) {
            const double start = measure_cpu();
            large_run(job, who, models, x);
            times[who] = fmin(times[who], measure_cpu() - start);
            if (k == 0)
                found[who] = large_error(job, x);
        }
    bool is_fine = x && times[COMPILED] <= job->most * times[BY_PEER];
    for (LargeContestant who = BY_PEER; x && who < CONTESTANTS; who++) {
        const bool is_right = found[who] <= large_bound(job);
        printf("%-4s %7d  %-20s %10.2f %8.2f %9.1e%s\n", job->name, job->size,
               contestant_names[who], 1e3 * times[who], times[who] / times[BY_PEER], found[who],
               is_right ? "" : "  wrong");
        is_fine = is_fine && is_right;
    }
    printf("              compiled at most %.1f%s; from text to model %.2f s\n\n", job->most,
           is_fine ? "" : ": missed", made);
    fflush(stdout);
    free(x);
    job_model_destroy(&models[0]);
    job_model_destroy(&models[1]);
    return is_fine;
}

static void measure_diodes(int size)
{
    const double begin = measure_cpu();
    JobModel m = {.compilation = compilation_create(NULL)};
    const char *path = SALTUS_SOURCE_DIR "/models/modes/Circuits.mo";
    char modification[32];
    snprintf(modification, sizeof modification, "(n = %d)", size);
    FlattenOptions options = flatten_default_options();
    options.modification = modification;
    if (!m.compilation)
        exit(EXIT_FAILURE);
    job_model_make(&m, flatten_files(m.compilation, 1, &path, "Circuits.Ladder", &options),
                   BACKEND_INTERPRET);
    by_saltus(&m, SALTUS_SOLVER_AUTO, 5.0, 0, NULL);
    printf("J7   %7d  %.2f s from the text to the end\n", size, measure_cpu() - begin);
    job_model_destroy(&m);
}

int main(int count, char **arguments)
{
    const bool all = count > 1 && strcmp(arguments[1], "all") == 0;
    bool is_fine = true;
    printf("job     size  contestant               ms/run    ratio     error\n");
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (all || !jobs[i].is_long)
            is_fine &= measure_large(&jobs[i]);
    for (int size = 10; size <= (all ? 1000 : 100); size *= 10)
        measure_diodes(size);
    return is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
