// SPDX-License-Identifier: MIT
//
// A photon between mirrors: problem 2 of the SIAM 100-digit challenge (L. N. Trefethen, 2002).
// Circular mirrors of radius 1/3 stand at all points with integer coordinates; a photon starts at
// (1/2, 1/10) to the east with speed 1. How far from the origin is it at t = 10?
//
// Many event functions, one action for all of them: event->event says which mirror it is. Every
// reflection enlarges errors about sixfold, so the example also shows what exact location is worth:
// after 14 reflections five digits of sixteen are left, whatever the solver.

#include "check.h"

// ---------------------------------------------------------------------------
// The system: position (x, y), direction (u, v); x' = u, y' = v, u' = v' = 0
// ---------------------------------------------------------------------------

enum { X, Y, U, V, STATES };

// Mirrors at (-2, -2), (-2, -1), ... (2, 2); the photon does not come further.
enum { REACH = 2, SIDE = 2 * REACH + 1, MIRRORS = SIDE * SIDE };

static const double radius = 1.0 / 3.0;

static double mirror_x(int mirror)
{
    int column = mirror / SIDE;
    return column - REACH;
}

static double mirror_y(int mirror)
{
    return mirror % SIDE - REACH;
}

static int fly(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)c, (void)t, (void)z;
    dx[X] = x[U];
    dx[Y] = x[V];
    dx[U] = 0.0;
    dx[V] = 0.0;
    return 0;
}

// h = distance^2 - radius^2 for each mirror
static int distances(const SaltusContext *c, double t, const double *x, const double *z, double *h)
{
    (void)c, (void)t, (void)z;
    for (int i = 0; i < MIRRORS; i++) {
        double dx = x[X] - mirror_x(i), dy = x[Y] - mirror_y(i);
        h[i] = dx * dx + dy * dy - radius * radius;
    }
    return 0;
}

// The direction is reflected: d := d - 2 (d n) n, with the mirror's normal n.
static void reflect(SaltusEvent *event)
{
    double *x = event->x;
    double nx = x[X] - mirror_x(event->event), ny = x[Y] - mirror_y(event->event);
    double twice = 2.0 * (x[U] * nx + x[V] * ny) / (nx * nx + ny * ny);
    x[U] -= twice * nx;
    x[V] -= twice * ny;
}

static SaltusSystem *create_billiard(void)
{
    SaltusEventDef mirrors[MIRRORS];
    for (int i = 0; i < MIRRORS; i++)
        mirrors[i] =
            (SaltusEventDef){.name = "reflection", .direction = SALTUS_FALLING, .action = reflect};
    static const double start[STATES] = {0.5, 0.1, 1.0, 0.0};
    static const char *const names[STATES] = {"x", "y", "u", "v"};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "flight";
    mode.state_count = STATES;
    mode.state_names = names;
    mode.start = start;
    mode.rhs = fly;
    mode.event_count = MIRRORS;
    mode.events = mirrors;
    mode.event_functions = distances;
    SaltusSystemDef def = saltus_default_system();
    def.mode_count = 1;
    def.modes = &mode;
    SaltusSystem *system = NULL;
    SaltusError error;
    stop_if(saltus_system_create(&def, &system, &error), &error);
    return system;
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

// Traced with 50 digits, ray by ray.
enum { REFLECTIONS = 14 };
static const double times[REFLECTIONS] = {
    0.18202026619435145, 1.8302153698276966, 2.6767017325720097, 3.0692041900639050,
    3.8520623589263400,  5.4890168249791318, 5.9111941552680661, 6.6917861245435295,
    7.2225799742608345,  7.7053624110021077, 8.5404234966952313, 9.0550968068794978,
    9.4972158415920077,  9.8905030033437893};
static const double distance = 0.995262919443354160890311809427; // published

static void compare(const SaltusSystem *system, SaltusSolver solver, SaltusLocate locate)
{
    SaltusOptions options = options_for(solver, locate, 1e-10);
    options.method.step = solver == SALTUS_SOLVER_RK4 ? 0.25 : 0.0;
    SaltusRun *run = run_until(system, &options, 10.0);
    printf("%s, %s\n", saltus_solver_name(solver), saltus_locate_name(locate));
    check_that(saltus_run_event_count(run) == REFLECTIONS, "14 reflections");
    double error = 1e-14; // a reflection rounds in the last places of x, y, u, v and t
    for (int i = 0; i < REFLECTIONS; i++, error *= 6.0) {
        if (i % 3 == 0)
            check("reflection at t", saltus_run_event(run, i).t, times[i], error);
    }
    const double *x = saltus_run_states(run);
    check("distance at t = 10", hypot(x[X], x[Y]), distance, error);
    saltus_run_destroy(run);
}

int main(void)
{
    SaltusSystem *system = create_billiard();
    compare(system, SALTUS_SOLVER_DOPRI5, SALTUS_LOCATE_BRENT);
    compare(system, SALTUS_SOLVER_DOP853, SALTUS_LOCATE_HENON);
    compare(system, SALTUS_SOLVER_RODAS, SALTUS_LOCATE_SECANT);
    compare(system, SALTUS_SOLVER_RK4, SALTUS_LOCATE_BRENT);
    compare(system, SALTUS_SOLVER_CVODE, SALTUS_LOCATE_BRENT);
    saltus_system_destroy(system);
    return checks_done();
}
