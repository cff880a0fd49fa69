// SPDX-License-Identifier: MIT
//
// A sampled controller: a continuous plant whose input is set by a digital PI controller every
// 0.1 s. Time events that schedule themselves again, an input, and controller memory that belongs
// to the run. Every sample is compared with the exact solution of the plant between two samples.
//
// Then the same run is copied at t = 5 and goes on with other gains: a scan from a checkpoint.

#include "check.h"

// ---------------------------------------------------------------------------
// The system: x' = -a x + b u; at t = k T: e = r - x, s := s + ki T e, u := kp e + s
// ---------------------------------------------------------------------------

enum { A, B, SETPOINT, KP, KI, PERIOD, PARAMETERS };

static const double parameters[PARAMETERS] = {
    [A] = 1.3, [B] = 2.0, [SETPOINT] = 1.0, [KP] = 0.8, [KI] = 1.5, [PERIOD] = 0.1};

// What the controller remembers. Copies of the run have copies of it.
typedef struct Controller {
    double sum;
    long samples;
} Controller;

enum { SAMPLE }; // the id of the time event

static int plant(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)z;
    dx[0] = -c->p[A] * x[0] + c->p[B] * c->u[0];
    return 0;
}

static void control(SaltusEvent *event)
{
    Controller *controller = event->memory;
    const double *p = event->p;
    double error = p[SETPOINT] - event->x[0];
    controller->sum += p[KI] * p[PERIOD] * error;
    event->u[0] = p[KP] * error + controller->sum;
    // Not event->t + T: its rounding errors would add up.
    controller->samples++;
    saltus_schedule(event, SAMPLE, (double)controller->samples * p[PERIOD]);
}

static void start(SaltusEvent *event)
{
    saltus_schedule(event, SAMPLE, 0.0);
}

static SaltusSystem *create_loop(void)
{
    static const double zero[1] = {0.0};
    static const char *const state_names[] = {"x"}, *const input_names[] = {"u"};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "plant";
    mode.state_count = 1;
    mode.state_names = state_names;
    mode.start = zero;
    mode.rhs = plant;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    def.parameter_count = PARAMETERS;
    def.parameters = parameters;
    def.input_count = 1;
    def.input_names = input_names;
    def.inputs = zero;
    def.memory.size = sizeof(Controller);
    def.start = start;
    def.time_action = control;
    SaltusSystem *system = NULL;
    SaltusError error;
    stop_if(saltus_system_create(&def, &system, &error), &error);
    return system;
}

// ---------------------------------------------------------------------------
// Against the discrete closed form: x(t + T) = q x + (1 - q) b/a u with q = exp(-a T)
// ---------------------------------------------------------------------------

typedef struct Loop {
    double x, sum, u;
} Loop;

static void exact_sample(Loop *loop, const double *p)
{
    loop->sum += p[KI] * p[PERIOD] * (p[SETPOINT] - loop->x);
    loop->u = p[KP] * (p[SETPOINT] - loop->x) + loop->sum;
}

static void exact_period(Loop *loop, const double *p)
{
    double q = exp(-p[A] * p[PERIOD]);
    loop->x = q * loop->x + (1.0 - q) * p[B] / p[A] * loop->u;
}

// The largest deviation of u over the samples of the log.
static double deviation(const SaltusRun *run)
{
    Loop loop = {0};
    double most = 0.0;
    for (long k = 0; k < saltus_run_event_count(run); k++) {
        SaltusLogEntry sample = saltus_run_event(run, k);
        exact_sample(&loop, parameters);
        most = fmax(most, fabs(sample.changes[0].after - loop.u));
        if (sample.t != (double)k * parameters[PERIOD])
            most = INFINITY; // exactly then
        exact_period(&loop, parameters);
    }
    return most;
}

static void compare(const SaltusSystem *system, SaltusSolver solver, double allowed)
{
    SaltusOptions options = options_for(solver, SALTUS_LOCATE_BRENT, 1e-9);
    SaltusRun *run = run_until(system, &options, 10.0);
    printf("%s\n", saltus_solver_name(solver));
    check_that(saltus_run_event_count(run) == 101, "101 samples, at 0 and at 10 too");
    check("largest error of u", deviation(run), 0.0, allowed);
    saltus_run_destroy(run);
}

// ---------------------------------------------------------------------------
// From a checkpoint
// ---------------------------------------------------------------------------

static void raise_setpoint(SaltusEvent *event)
{
    event->p[SETPOINT] = 2.0;
}

static void double_ki(SaltusEvent *event)
{
    event->p[KI] *= 2.0;
}

// x at t = 8 if the parameters change to p after the sample at t = 5.
static double exact_end(const double *p)
{
    Loop loop = {0};
    for (int k = 0; k < 80; k++) {
        exact_sample(&loop, k <= 50 ? parameters : p);
        exact_period(&loop, p);
    }
    return loop.x;
}

static double largest_x(const SaltusRun *run)
{
    double most = 0.0;
    for (long i = 0; i < saltus_run_row_count(run); i++)
        most = fmax(most, saltus_run_row(run, i).x[0]);
    return most;
}

static void scan(const SaltusSystem *system)
{
    SaltusOptions options = options_for(SALTUS_SOLVER_DOPRI5, SALTUS_LOCATE_BRENT, 1e-9);
    SaltusRun *run = run_until(system, &options, 5.0);
    for (int i = 0; i < 4; i++) {
        SaltusRun *copy = NULL;
        SaltusError error;
        stop_if(saltus_run_copy(run, &copy, &error), &error);
        stop_if(saltus_run_apply(copy, raise_setpoint), saltus_run_error(copy));
        for (int k = 0; k < i; k++)
            stop_if(saltus_run_apply(copy, double_ki), saltus_run_error(copy));
        stop_if(saltus_run_advance(copy, 8.0), saltus_run_error(copy));
        const double *p = saltus_run_parameters(copy);
        printf("ki = %g, set point 2 from t = 5 on: overshoot %.4f\n", p[KI],
               largest_x(copy) - 2.0);
        check("x at t = 8", saltus_run_states(copy)[0], exact_end(p), 1e-7);
        saltus_run_destroy(copy);
    }
    check_that(saltus_run_parameters(run)[KI] == parameters[KI], "the run itself is as it was");
    check_that(saltus_run_time(run) == 5.0, "where it was");
    saltus_run_destroy(run);
}

int main(void)
{
    SaltusSystem *system = create_loop();
    // The closed loop is stable: errors do not grow, a step adds about its tolerance.
    compare(system, SALTUS_SOLVER_DOPRI5, 1e-8);
    compare(system, SALTUS_SOLVER_DOP853, 1e-8);
    compare(system, SALTUS_SOLVER_RODAS, 1e-8);
    compare(system, SALTUS_SOLVER_CVODE, 1e-6); // begins with order 1 after each sample
    scan(system);
    saltus_system_destroy(system);
    return checks_done();
}
