// SPDX-License-Identifier: MIT
//
// Saltus beside its peers on the same jobs: models in Modelica, compiled as a whole, compiled and
// interpreted, with the default solver, against C written by hand for the job (hand.h), CVODE and
// IDA with their root finding.
//
// The jobs are those of support/jobs.h.
//
// All of them run in one process, in turn, some times in a row, so that nobody begins with caches
// that are full of what another one has left; the shortest of many repetitions counts, in processor
// time. The error is the largest of the event times, against a closed form (J1) or a solution with
// another method and the tightest tolerance, on which hand-written code agrees (others). Times are
// compared at equal accuracy: every contestant runs with the loosest tolerance of a series with
// which its error is below that of the job. One that misses an event, or whose error stays above
// it, has no time.
//
// What is compared is not the same work in one respect: Saltus logs conditions, classes and names
// of what changes at each event, and has a log that can be read in any order, hand-written C notes
// time and states before and after; and the time of Saltus is from creating the run to destroying
// it.
//
//   bench-peers [NOTES [JOB]]    NOTES: a file for others.py, which measures SciPy, Octave and
//                                ngspice; JOB: this one only

#include "peers/hand.h"

#include "support/jobs.h"
#include "support/measure.h"

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { REPETITIONS = 40, IN_A_ROW = 5, LEAST_EXPONENT = 4, MOST_EXPONENT = 13 };

// ---------------------------------------------------------------------------
// Jobs by hand
// ---------------------------------------------------------------------------

static const double gravity = 9.81, restitution = 0.9, height = 10.0;

HAND_INLINE void ball_f(int mode, double t, const double *x, double *dx)
{
    (void)mode, (void)t;
    dx[0] = x[1];
    dx[1] = -gravity;
}

HAND_INLINE double ball_h(int mode, double t, const double *x)
{
    (void)mode, (void)t;
    return x[0];
}

HAND_INLINE int ball_sign(int mode)
{
    (void)mode;
    return 1;
}

HAND_INLINE void ball_action(int *mode, double t, double *x)
{
    (void)mode, (void)t;
    x[0] = 0.0;
    x[1] = -restitution * x[1];
}

static const double r2 = 20.0, inductance = 25.3e-6, capacitance = 100e-9;
static const double omega = 2.0 * 3.14159265358979323846 * 0.15e6;

// Mode 0: the diode locks; 1: it conducts. It points up: h = -(R2 i + u).
HAND_INLINE void rlc_f(double r1, int mode, double t, const double *x, double *dx)
{
    const double u0 = -sin(omega * t);
    if (mode == 0) {
        dx[0] = (u0 - (r1 + r2) * x[0] - x[1]) * (1.0 / inductance);
        dx[1] = x[0] * (1.0 / capacitance);
    } else {
        dx[0] = (u0 - r1 * x[0]) * (1.0 / inductance);
        dx[1] = -x[1] * (1.0 / (r2 * capacitance));
    }
}

HAND_INLINE void rlc_a_f(int mode, double t, const double *x, double *dx)
{
    rlc_f(1000.0, mode, t, x, dx);
}

HAND_INLINE void rlc_b_f(int mode, double t, const double *x, double *dx)
{
    rlc_f(10.0, mode, t, x, dx);
}

HAND_INLINE double rlc_h(int mode, double t, const double *x)
{
    (void)mode, (void)t;
    return -(r2 * x[0] + x[1]);
}

HAND_INLINE int rlc_sign(int mode)
{
    return mode == 0 ? -1 : 1;
}

HAND_INLINE void rlc_action(int *mode, double t, double *x)
{
    (void)t, (void)x;
    *mode = 1 - *mode;
}

// Mode 0: it flies; 1: it is in contact, until the force ends.
static const double stiffness = 1e6, damping = 500.0, drag = 0.002;

HAND_INLINE void contact_f(int mode, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = x[1];
    if (mode == 0) {
        dx[1] = -gravity - drag * x[1] * fabs(x[1]);
        dx[2] = -(stiffness / damping) * x[2];
    } else {
        dx[1] = -stiffness * x[0] - damping * x[1] - gravity;
        dx[2] = -x[1];
    }
}

HAND_INLINE void contact_jacobian(int mode, const double *x, double j[HAND_MOST][HAND_MOST])
{
    memset(j, 0, HAND_MOST * sizeof *j);
    j[0][1] = 1.0;
    j[1][0] = mode == 0 ? 0.0 : -stiffness;
    j[1][1] = mode == 0 ? -2.0 * drag * fabs(x[1]) : -damping;
    j[2][1] = mode == 0 ? 0.0 : -1.0;
    j[2][2] = mode == 0 ? -stiffness / damping : 0.0;
}

HAND_INLINE double contact_h(int mode, double t, const double *x)
{
    (void)t;
    return mode == 0 ? x[0] + x[2] : -stiffness * x[0] - damping * x[1];
}

// Mode 0: it swings (phi, omega); 1: it flies (x, y, vx, vy).
static const double mass = 1.5, friction = 0.9, rope = 1.0;

HAND_INLINE void pendulum_f(int mode, double t, const double *x, double *dx)
{
    (void)t;
    if (mode == 0) {
        dx[0] = x[1];
        dx[1] = -friction / mass * x[1] + gravity / rope * sin(x[0]);
        dx[2] = dx[3] = 0.0;
    } else {
        dx[0] = x[2];
        dx[1] = x[3];
        dx[2] = -friction / mass * x[2];
        dx[3] = -gravity - friction / mass * x[3];
    }
}

HAND_INLINE double pendulum_h(int mode, double t, const double *x)
{
    (void)t;
    return mode == 0 ? mass * (rope * x[1] * x[1] - gravity * cos(x[0]))
                     : x[0] * x[0] + x[1] * x[1] - rope * rope;
}

HAND_INLINE int pendulum_sign(int mode)
{
    return mode == 0 ? 1 : -1;
}

HAND_INLINE void pendulum_action(int *mode, double t, double *x)
{
    (void)t;
    const double a = x[0], b = x[1];
    if (*mode == 0) {
        x[0] = rope * sin(a);
        x[1] = rope * cos(a);
        x[2] = x[1] * b;
        x[3] = -x[0] * b;
    } else {
        x[0] = atan2(a, b);
        x[1] = (b * x[2] - a * x[3]) / (rope * rope);
        x[2] = x[3] = 0.0;
    }
    *mode = 1 - *mode;
}

static const HandJob ball = {.n = 2,
                             .start = {10.0, 0.0},
                             .stop = 100.0,
                             .most_events = 100,
                             .absolute = 1e-4,
                             .f = ball_f,
                             .h = ball_h,
                             .sign = ball_sign,
                             .action = ball_action};
static const HandJob contact = {.n = 3,
                                .start = {10.0, 0.0, 0.0},
                                .stop = 30.0,
                                .absolute = 1e-2,
                                .variable = "contact",
                                .f = contact_f,
                                .jacobian = contact_jacobian,
                                .h = contact_h,
                                .sign = ball_sign,
                                .action = rlc_action};
static const HandJob pendulum = {.n = 4,
                                 .start = {0.78539816339744831, 15.0, 0.0, 0.0},
                                 .stop = 10.0,
                                 .absolute = 1e-2,
                                 .is_by_mode = true,
                                 .f = pendulum_f,
                                 .h = pendulum_h,
                                 .sign = pendulum_sign,
                                 .action = pendulum_action};
static const HandJob rlc_a = {.n = 2,
                              .mode = 1,
                              .stop = 500e-6,
                              .absolute = 1e-4,
                              .f = rlc_a_f,
                              .h = rlc_h,
                              .sign = rlc_sign,
                              .action = rlc_action};
static const HandJob rlc_b = {.n = 2,
                              .mode = 1,
                              .stop = 500e-6,
                              .absolute = 1e-4,
                              .f = rlc_b_f,
                              .h = rlc_h,
                              .sign = rlc_sign,
                              .action = rlc_action};

static void ball_by_hand(double relative, HandResult *result)
{
    hand_dopri5(&ball, relative, result);
}

static void contact_by_hand(double relative, HandResult *result)
{
    hand_rodas(&contact, relative, result);
}

static void pendulum_by_hand(double relative, HandResult *result)
{
    hand_dopri5(&pendulum, relative, result);
}

static void rlc_a_by_hand(double relative, HandResult *result)
{
    hand_dopri5(&rlc_a, relative, result);
}

static void rlc_b_by_hand(double relative, HandResult *result)
{
    hand_dopri5(&rlc_b, relative, result);
}

// ---------------------------------------------------------------------------
// CVODE and IDA
// ---------------------------------------------------------------------------

typedef struct PeerSundials {
    const HandJob *job;
    int mode;
    SUNContext context;
    N_Vector y, dy;
    SUNMatrix matrix;
    SUNLinearSolver solver;
} PeerSundials;

static void sundials_begin(PeerSundials *s, const HandJob *job)
{
    *s = (PeerSundials){.job = job, .mode = job->mode};
    if (SUNContext_Create(NULL, &s->context) != 0)
        exit(EXIT_FAILURE);
    s->y = N_VNew_Serial(job->n, s->context);
    s->dy = N_VClone(s->y);
    s->matrix = SUNDenseMatrix(job->n, job->n, s->context);
    s->solver = SUNLinSol_Dense(s->y, s->matrix, s->context);
    memcpy(N_VGetArrayPointer(s->y), job->start, (size_t)job->n * sizeof(double));
}

static void sundials_end(PeerSundials *s, HandResult *result)
{
    memcpy(result->x, N_VGetArrayPointer(s->y), (size_t)s->job->n * sizeof(double));
    SUNLinSolFree(s->solver);
    SUNMatDestroy(s->matrix);
    N_VDestroy(s->dy);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

// Notes an event and acts on it. False: it was the last one.
static bool sundials_event(PeerSundials *s, double t, HandResult *result)
{
    if (result->events < HAND_EVENTS)
        result->times[result->events++] = t;
    if (result->events == s->job->most_events)
        return false;
    s->job->action(&s->mode, t, N_VGetArrayPointer(s->y));
    return true;
}

static int cvode_f(realtype t, N_Vector y, N_Vector dy, void *user)
{
    const PeerSundials *s = user;
    s->job->f(s->mode, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static int cvode_h(realtype t, N_Vector y, realtype *h, void *user)
{
    const PeerSundials *s = user;
    *h = s->job->h(s->mode, t, N_VGetArrayPointer(y));
    return 0;
}

// diagonal I + factor df/dy
static void sundials_fill(const PeerSundials *s, N_Vector y, double diagonal, double factor,
                          SUNMatrix matrix)
{
    double j[HAND_MOST][HAND_MOST];
    s->job->jacobian(s->mode, N_VGetArrayPointer(y), j);
    for (int row = 0; row < s->job->n; row++)
        for (int column = 0; column < s->job->n; column++)
            SM_ELEMENT_D(matrix, row, column) =
                factor * j[row][column] + (row == column ? diagonal : 0.0);
}

static int cvode_jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix matrix, void *user,
                          N_Vector a, N_Vector b, N_Vector c)
{
    (void)t, (void)dy, (void)a, (void)b, (void)c;
    sundials_fill(user, y, 0.0, 1.0, matrix);
    return 0;
}

// The run, with everything made before it that does not depend on the tolerance.
static void by_cvode(const HandJob *job, int method, double relative, HandResult *result)
{
    PeerSundials s;
    sundials_begin(&s, job);
    void *cvode = CVodeCreate(method, s.context);
    CVodeInit(cvode, cvode_f, 0.0, s.y);
    CVodeSStolerances(cvode, relative, relative * job->absolute);
    CVodeSetLinearSolver(cvode, s.solver, s.matrix);
    if (job->jacobian)
        CVodeSetJacFn(cvode, cvode_jacobian);
    CVodeSetUserData(cvode, &s);
    CVodeRootInit(cvode, 1, cvode_h);
    CVodeSetMaxNumSteps(cvode, 1000000);
    CVodeSetNoInactiveRootWarn(cvode);
    result->events = 0;
    double t = 0.0;
    while (t < job->stop) {
        int direction = -job->sign(s.mode);
        CVodeSetRootDirection(cvode, &direction);
        CVodeSetStopTime(cvode, job->stop);
        const int code = CVode(cvode, job->stop, s.y, &t, CV_NORMAL);
        if (code < 0 || (code == CV_ROOT_RETURN && !sundials_event(&s, t, result)))
            break;
        if (code == CV_ROOT_RETURN)
            CVodeReInit(cvode, t, s.y);
    }
    CVodeFree(&cvode);
    sundials_end(&s, result);
}

static int ida_residual(realtype t, N_Vector y, N_Vector dy, N_Vector residual, void *user)
{
    const PeerSundials *s = user;
    double f[HAND_MOST], *r = N_VGetArrayPointer(residual);
    const double *slope = N_VGetArrayPointer(dy);
    s->job->f(s->mode, t, N_VGetArrayPointer(y), f);
    for (int i = 0; i < s->job->n; i++)
        r[i] = slope[i] - f[i];
    return 0;
}

static int ida_h(realtype t, N_Vector y, N_Vector dy, realtype *h, void *user)
{
    (void)dy;
    return cvode_h(t, y, h, user);
}

static int ida_jacobian(realtype t, realtype factor, N_Vector y, N_Vector dy, N_Vector residual,
                        SUNMatrix matrix, void *user, N_Vector a, N_Vector b, N_Vector c)
{
    (void)t, (void)dy, (void)residual, (void)a, (void)b, (void)c;
    sundials_fill(user, y, factor, -1.0, matrix);
    return 0;
}

// The same as 0 = y' - f(t, y): the derivatives after an event are known, so that no consistent
// values have to be looked for.
static void by_ida(const HandJob *job, double relative, HandResult *result)
{
    PeerSundials s;
    sundials_begin(&s, job);
    void *ida = IDACreate(s.context);
    cvode_f(0.0, s.y, s.dy, &s);
    IDAInit(ida, ida_residual, 0.0, s.y, s.dy);
    IDASStolerances(ida, relative, relative * job->absolute);
    IDASetLinearSolver(ida, s.solver, s.matrix);
    if (job->jacobian)
        IDASetJacFn(ida, ida_jacobian);
    IDASetUserData(ida, &s);
    IDARootInit(ida, 1, ida_h);
    IDASetMaxNumSteps(ida, 1000000);
    IDASetMaxErrTestFails(ida, 100); // its first step is a part of the run
    IDASetErrFile(ida, NULL);
    IDASetNoInactiveRootWarn(ida);
    result->events = 0;
    double t = 0.0;
    while (t < job->stop) {
        int direction = -job->sign(s.mode);
        IDASetRootDirection(ida, &direction);
        IDASetStopTime(ida, job->stop);
        const int code = IDASolve(ida, job->stop, &t, s.y, s.dy, IDA_NORMAL);
        if (code < 0 || (code == IDA_ROOT_RETURN && !sundials_event(&s, t, result)))
            break;
        if (code != IDA_ROOT_RETURN)
            continue;
        cvode_f(t, s.y, s.dy, &s);
        IDAReInit(ida, t, s.y, s.dy);
    }
    IDAFree(&ida);
    sundials_end(&s, result);
}

// ---------------------------------------------------------------------------
// Saltus
// ---------------------------------------------------------------------------

// Whether an event is one that peers count: a change of a variable, or of the mode; all crossings.
static bool counts(const HandJob *job, const SaltusLogEntry *entry)
{
    if (job->is_by_mode)
        return entry->from != entry->to;
    bool is_changed = !job->variable;
    for (int i = 0; i < entry->change_count && !is_changed; i++)
        is_changed = strcmp(entry->changes[i].name, job->variable) == 0;
    return entry->occasion & SALTUS_AT_CROSSING && is_changed;
}

static void by_saltus(const JobModel *m, const HandJob *job, SaltusSolver solver, double relative,
                      HandResult *result, SaltusSolver *chosen)
{
    SaltusRun *run = job_run(m, job->stop, solver, relative, relative * job->absolute);
    result->events = 0;
    for (long i = 0; i < saltus_run_event_count(run) && result->events < HAND_EVENTS; i++) {
        const SaltusLogEntry entry = saltus_run_event(run, i);
        if (counts(job, &entry))
            result->times[result->events++] = entry.t;
    }
    *chosen = saltus_run_solver(run);
    saltus_run_destroy(run);
}

// ---------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------

typedef struct PeerJob {
    const char *name, *text;
    const HandJob *hand;
    void (*by_hand)(double relative, HandResult *result);
    double error; // that is asked for
    double most;  // of the ratio of Saltus, compiled as a whole, to hand-written C
} PeerJob;

static const PeerJob jobs[] = {
    {"J1", JOB_BALL, &ball, ball_by_hand, 5e-12, 0.2},
    {"J2", JOB_CONTACT("J2", "", ""), &contact, contact_by_hand, 3e-8, 0.9},
    {"J3a", JOB_RLC("J3a", "1000"), &rlc_a, rlc_a_by_hand, 1e-14, 0.2},
    {"J3b", JOB_RLC("J3b", "10"), &rlc_b, rlc_b_by_hand, 1e-14, 0.2},
    {"J4", JOB_PENDULUM, &pendulum, pendulum_by_hand, 1e-8, 0.9},
};

// The times of the events, as they should be.
static void find_reference(const PeerJob *job, const JobModel *m, HandResult *reference)
{
    SaltusSolver solver;
    if (job->hand != &ball) {
        const bool is_stiff = job->hand->jacobian != NULL;
        by_saltus(m, job->hand, is_stiff ? SALTUS_SOLVER_DOPRI5 : SALTUS_SOLVER_DOP853,
                  is_stiff ? 1e-13 : 1e-14, reference, &solver);
        return;
    }
    double t = sqrt(2.0 * height / gravity), flight = 2.0 * t;
    for (reference->events = 0; reference->events < 100; reference->events++) {
        reference->times[reference->events] = t;
        flight *= restitution;
        t += flight;
    }
}

static double error_of(const HandResult *result, const HandResult *reference)
{
    if (result->events != reference->events)
        return INFINITY;
    double largest = 0.0;
    for (int i = 0; i < result->events; i++)
        largest = fmax(largest, fabs(result->times[i] - reference->times[i]));
    return largest;
}

typedef enum Contestant {
    BY_HAND,
    BY_ADAMS,
    BY_BDF,
    BY_IDA,
    WHOLE,
    COMPILED,
    INTERPRETED,
    CONTESTANTS
} Contestant;

static const char *const contestant_names[] = {
    "hand-written C", "CVODE, Adams",     "CVODE, BDF",         "IDA",
    "Saltus, whole",  "Saltus, compiled", "Saltus, interpreted"};

typedef struct PeerRow {
    double time, error, relative;
    SaltusSolver solver;
} PeerRow;

static void peer_run(const PeerJob *job, Contestant who, const JobModel *models, double relative,
                     HandResult *result, SaltusSolver *solver)
{
    if (who == BY_HAND)
        job->by_hand(relative, result);
    else if (who == BY_ADAMS || who == BY_BDF)
        by_cvode(job->hand, who == BY_ADAMS ? CV_ADAMS : CV_BDF, relative, result);
    else if (who == BY_IDA)
        by_ida(job->hand, relative, result);
    else
        by_saltus(&models[who - WHOLE], job->hand, SALTUS_SOLVER_AUTO, relative, result, solver);
}

// The loosest tolerance with which the error is small enough.
static void find_tolerance(const PeerJob *job, Contestant who, const JobModel *models,
                           const HandResult *reference, PeerRow *row)
{
    *row = (PeerRow){.time = INFINITY, .error = INFINITY};
    for (int k = LEAST_EXPONENT; k <= MOST_EXPONENT; k++) {
        HandResult result = {0};
        const double relative = pow(10.0, -k);
        peer_run(job, who, models, relative, &result, &row->solver);
        const double error = error_of(&result, reference);
        if (error < row->error)
            row->error = error, row->relative = relative;
        if (error <= job->error)
            return;
    }
    row->time = NAN;
}

// For programs in other languages (others.py): the name, Saltus' time, the error that is allowed,
// the times of the events.
static void note_job(FILE *notes, const PeerJob *job, double time, const HandResult *reference)
{
    fprintf(notes, "%s %.17g %g", job->name, time, job->error);
    for (int i = 0; i < reference->events; i++)
        fprintf(notes, " %.17g", reference->times[i]);
    fputc('\n', notes);
}

static bool measure_job(const PeerJob *job, FILE *notes)
{
    JobModel models[] = {job_model(job->text, NULL, BACKEND_WHOLE),
                         job_model(job->text, NULL, BACKEND_C),
                         job_model(job->text, NULL, BACKEND_INTERPRET)};
    HandResult reference = {0}, result = {0};
    PeerRow rows[CONTESTANTS];
    find_reference(job, &models[COMPILED - WHOLE], &reference);
    for (Contestant who = BY_HAND; who < CONTESTANTS; who++)
        find_tolerance(job, who, models, &reference, &rows[who]);
    for (int k = 0; k < REPETITIONS; k++)
        for (Contestant who = BY_HAND; who < CONTESTANTS; who++) {
            for (int i = 0; i < IN_A_ROW && !isnan(rows[who].time); i++) {
                const double begin = measure_cpu();
                peer_run(job, who, models, rows[who].relative, &result, &rows[who].solver);
                rows[who].time = fmin(rows[who].time, measure_cpu() - begin);
            }
        }
    const double baseline = rows[BY_HAND].time;
    for (Contestant who = BY_HAND; who < CONTESTANTS; who++) {
        const PeerRow *r = &rows[who];
        printf("%-4s %-24s", job->name, contestant_names[who]);
        if (isnan(r->time))
            printf("%10s %8s %10.1e  not accurate enough\n", "-", "-", r->error);
        else
            printf("%10.1f %8.3f %10.1e  tolerance %g%s%s\n", 1e6 * r->time, r->time / baseline,
                   r->error, r->relative, who >= WHOLE ? ", " : "",
                   who >= WHOLE ? saltus_solver_name(r->solver) : "");
    }
    const bool is_fine = rows[WHOLE].time <= job->most * baseline;
    printf("     %d events, error asked for %.0e; whole at most %.1f%s\n\n", reference.events,
           job->error, job->most, is_fine ? "" : ": too slow");
    if (notes)
        note_job(notes, job, rows[WHOLE].time, &reference);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        job_model_destroy(&models[i]);
    return is_fine;
}

int main(int count, char **arguments)
{
    bool is_fine = true;
    FILE *notes = count > 1 ? fopen(arguments[1], "w") : NULL;
    if (count > 1 && !notes) {
        fprintf(stderr, "bench-peers: cannot write %s\n", arguments[1]);
        return EXIT_FAILURE;
    }
    printf("job  contestant                    us/run    ratio      error\n");
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (count < 3 || strcmp(arguments[2], jobs[i].name) == 0)
            is_fine &= measure_job(&jobs[i], notes);
    if (notes && fclose(notes) != 0)
        is_fine = false;
    return is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
