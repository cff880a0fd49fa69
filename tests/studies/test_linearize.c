// SPDX-License-Identifier: MIT
//
// Linearizations against closed forms: the damped oscillator in the three forms of a mode, a
// nonlinear pendulum at an angle, the electrical circuit of the C21 forerunner with its published
// eigenvalues.

#include "studies/linearize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// Differences of smooth functions by Ridders' method are good to some 1e-12 of the largest
// element; the bounds below leave a factor of 100.
static void assert_near(double actual, double expected, double size)
{
    if (!(fabs(actual - expected) <= 1e-10 * size))
        fail_msg("%.17g instead of %.17g", actual, expected);
}

static SaltusLinearization *linearize_mode(const SaltusModeDef *mode, const double *parameters,
                                           int parameter_count, const SaltusLinearizeDef *def)
{
    static const double inputs[1] = {0.5};
    SaltusSystemDef d = saltus_default_system();
    d.mode_count = 1;
    d.modes = mode;
    d.parameters = parameters;
    d.parameter_count = parameter_count;
    d.input_count = 1;
    d.inputs = inputs;
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
    assert_int_equal(saltus_system_create(&d, &system, &error), SALTUS_OK);
    SaltusOptions options = saltus_default_options();
    assert_int_equal(saltus_run_create(system, &options, &run, &error), SALTUS_OK);
    SaltusLinearization *l;
    if (saltus_linearize(run, def, &l, &error) != SALTUS_OK)
        fail_msg("%s", error.message);
    // What does not exist is refused.
    SaltusLinearization *none;
    const int wrong = 99;
    const SaltusLinearInput absent = {.name = "u", .index = 7};
    assert_int_equal(saltus_linearize(run, &(SaltusLinearizeDef){0, NULL, 1, &wrong}, &none, NULL),
                     SALTUS_ERROR_ARGUMENT);
    assert_int_equal(saltus_linearize(run, &(SaltusLinearizeDef){1, &absent, 0, NULL}, &none, NULL),
                     SALTUS_ERROR_ARGUMENT);
    assert_null(none);
    assert_int_equal(saltus_linearize(NULL, NULL, &none, NULL), SALTUS_ERROR_ARGUMENT);
    // The run is where it was.
    assert_true(saltus_run_time(run) == 0.0);
    assert_true(saltus_run_inputs(run)[0] == 0.5);
    assert_true(saltus_run_states(run)[0] == mode->start[0]);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return l;
}

// ---------------------------------------------------------------------------
// x'' = u - k x - d x' in three forms, with k and d as parameters; y = (x'', x^2)
// ---------------------------------------------------------------------------

static int oscillator_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                          double *dx)
{
    (void)t, (void)z;
    dx[0] = x[1];
    dx[1] = c->u[0] - c->p[0] * x[0] - c->p[1] * x[1];
    return 0;
}

static int oscillator_outputs(const SaltusContext *c, double t, const double *x, const double *z,
                              double *y)
{
    (void)t, (void)z;
    y[0] = c->u[0] - c->p[0] * x[0] - c->p[1] * x[1];
    y[1] = x[0] * x[0];
    return 0;
}

// The same with the acceleration as algebraic variable.
static int semi_rhs(const SaltusContext *c, double t, const double *x, const double *z, double *dx)
{
    (void)t, (void)c;
    dx[0] = x[1];
    dx[1] = z[0];
    return 0;
}

static int semi_algebraic(const SaltusContext *c, double t, const double *x, const double *z,
                          double *g)
{
    (void)t;
    g[0] = 2.0 * (z[0] - c->u[0] + c->p[0] * x[0] + c->p[1] * x[1]);
    return 0;
}

static int semi_outputs(const SaltusContext *c, double t, const double *x, const double *z,
                        double *y)
{
    (void)t, (void)c;
    y[0] = z[0];
    y[1] = x[0] * x[0];
    return 0;
}

static int oscillator_residual(const SaltusContext *c, double t, const double *x, const double *z,
                               const double *dx, double *residual)
{
    (void)t, (void)z;
    residual[0] = 3.0 * (dx[0] - x[1]);
    residual[1] = c->u[0] - c->p[0] * x[0] - c->p[1] * x[1] - dx[1] + 0.1 * (dx[0] - x[1]);
    return 0;
}

static const double oscillator_start[] = {2.0, 0.0, 0.0};

static SaltusModeDef oscillator(int form)
{
    static const char *const names[] = {"x", "v"};
    SaltusModeDef m = saltus_default_mode();
    m.name = "swinging";
    m.state_count = 2;
    m.state_names = names;
    m.start = oscillator_start;
    m.output_count = 2;
    m.outputs = form == 1 ? semi_outputs : oscillator_outputs;
    m.rhs = form == 0 ? oscillator_rhs : form == 1 ? semi_rhs : NULL;
    m.algebraic = form == 1 ? semi_algebraic : NULL;
    m.algebraic_count = form == 1;
    m.residual = form == 2 ? oscillator_residual : NULL;
    return m;
}

static void oscillator_test(void **state)
{
    (void)state;
    const double k = 4.0, d = 0.4, p[] = {k, d}, direction[] = {1.0, 0.0};
    const SaltusLinearInput inputs[] = {{.name = "u", .index = 0},
                                        {.name = "k", .direction = direction, .value = k}};
    const int outputs[] = {1, 0};
    const SaltusLinearizeDef def = {2, inputs, 2, outputs};
    for (int form = 0; form < 3; form++) {
        const SaltusModeDef mode = oscillator(form);
        SaltusLinearization *l = linearize_mode(&mode, p, 2, &def);
        assert_int_equal(l->state_count, 2);
        assert_string_equal(l->mode_name, "swinging");
        assert_string_equal(l->state_names[1], "v");
        assert_string_equal(l->output_names[0], "y1");
        const double a[] = {0, 1, -k, -d}, b[] = {0, 0, 1, -2.0}, c[] = {4, 0, -k, -d};
        const double feed[] = {0, 0, 1, -2.0};
        for (int i = 0; i < 4; i++) {
            assert_near(l->a[i], a[i], k);
            assert_near(l->b[i], b[i], 2.0);
            assert_near(l->c[i], c[i], k);
            assert_near(l->d[i], feed[i], 2.0);
        }
        assert_near(l->dx[1], 0.5 - k * 2.0, 8.0);
        assert_near(l->y[0], 4.0, 4.0);
        assert_near(l->y[1], 0.5 - k * 2.0, 8.0);
        // lambda = -d/2 +- i sqrt(k - d^2/4)
        assert_near(l->eigenvalues[0].real, -d / 2.0, k);
        assert_near(l->eigenvalues[0].imaginary, sqrt(k - d * d / 4.0), k);
        assert_near(l->eigenvalues[1].imaginary, -sqrt(k - d * d / 4.0), k);
        assert_near(l->eigenvalues[0].frequency, sqrt(k) / (2.0 * pi), k);
        assert_near(l->eigenvalues[0].damping, d / (2.0 * sqrt(k)), 1.0);
        assert_true(l->error < 1e-8);
        saltus_linearization_destroy(l);
    }
}

// ---------------------------------------------------------------------------
// Nonlinear: phi'' = -sin(phi) + exp(100 phi'), which overflows for large steps; sqrt(phi), which
// has no values for negative ones
// ---------------------------------------------------------------------------

static int curved_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                      double *dx)
{
    (void)c, (void)t, (void)z;
    dx[0] = x[1] + sqrt(x[0]);
    dx[1] = -sin(1e3 * x[0]) + exp(1e5 * x[1]);
    return x[0] < 0.0 ? 1 : 0;
}

static void curved_test(void **state)
{
    (void)state;
    static const double start[] = {1e-3, 0.0};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "curved";
    mode.state_count = 2;
    mode.start = start;
    mode.rhs = curved_rhs;
    SaltusLinearization *l = linearize_mode(&mode, NULL, 0, NULL);
    // The nominal sizes of the states, 1, are far from what they are: some digits are lost.
    assert_true(fabs(l->a[0] / (0.5 / sqrt(1e-3)) - 1.0) < 1e-8);
    assert_near(l->a[1], 1.0, 1.0);
    assert_true(fabs(l->a[2] / (-1e3 * cos(1.0)) - 1.0) < 1e-8);
    assert_true(fabs(l->a[3] / 1e5 - 1.0) < 1e-8);
    saltus_linearization_destroy(l);
}

// ---------------------------------------------------------------------------
// The forerunner's circuit: R1, L in series with (R2, C), parallel to which a resistance R
// ---------------------------------------------------------------------------

// The voltage of the branch is w = R (i - j), with j through R2 and C: w = R2 j + u_C.
//   L i' = u - R1 i - w,  C u_C' = j,  j = (R i - u_C) / (R + R2)
static int circuit_rhs(const SaltusContext *c, double t, const double *x, const double *z,
                       double *dx)
{
    (void)t, (void)z;
    const double r1 = 1e3, r2 = 1e3, r = c->p[0], l = c->p[1], capacity = c->p[2];
    const double j = (r * x[0] - x[1]) / (r + r2);
    dx[0] = (c->u[0] - r1 * x[0] - r2 * j - x[1]) / l;
    dx[1] = j / capacity;
    return 0;
}

static void forerunner_test(void **state)
{
    (void)state;
    const double f = 1e6, q = 40.0, l = q * 2e3 / (2.0 * pi * f);
    const double capacity = 1.0 / (2.0 * pi * f * (2.0 * pi * f) * l);
    // Resistance of R_S1(t) at the first sample, 10 ns, of each ramp: from 1e8 to 1e-4 in 50 ns.
    const double falling = 1e8 + (1e-4 - 1e8) / 5.0, rising = 1e-4 + (1e8 - 1e-4) / 5.0;
    // S. Table 4 of the forerunner's paper: setting, resistance, eigenvalues in units.
    const struct Row {
        double resistance, unit, real[2], imaginary;
    } rows[] = {
        {1e15, 1e6, {-0.0785, -0.0785}, 6.2827},    {1e8, 1e6, {-0.0811, -0.0811}, 6.2827},
        {falling, 1e6, {-0.0817, -0.0817}, 6.2827}, {1e-4, 1e8, {-0.0008, -5.0265}, 0.0},
        {rising, 1e6, {-0.0911, -0.0911}, 6.2825},  {20.0, 1e8, {-0.0008, -4.9280}, 0.0},
    };
    static const double start[] = {0.0, 0.0};
    SaltusModeDef mode = saltus_default_mode();
    mode.name = "circuit";
    mode.state_count = 2;
    mode.start = start;
    mode.rhs = circuit_rhs;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double p[] = {rows[i].resistance, l, capacity};
        SaltusLinearization *z = linearize_mode(&mode, p, 3, NULL);
        for (int k = 0; k < 2; k++) {
            // Half a unit of the last printed digit.
            assert_true(fabs(z->eigenvalues[k].real / rows[i].unit - rows[i].real[k]) < 0.5001e-4);
            assert_true(fabs(fabs(z->eigenvalues[k].imaginary) / rows[i].unit - rows[i].imaginary) <
                        0.5001e-4);
        }
        // Trace and determinant in closed form: with s = R + R2,
        //   -(R1 + R R2/s)/L - 1/(s C)  and  (R1 + R)/(L C s).
        const double r = rows[i].resistance, s = r + 1e3;
        const double trace = -(1e3 + r * (1e3 / s)) / l - 1.0 / (s * capacity);
        const double determinant = (1e3 + r) / (s * l * capacity);
        const SaltusEigenvalue *e = z->eigenvalues;
        assert_near(e[0].real + e[1].real, trace, fabs(trace));
        assert_near(e[0].real * e[1].real - e[0].imaginary * e[1].imaginary, determinant,
                    fabs(determinant) + trace * trace);
        saltus_linearization_destroy(z);
    }
}

// ---------------------------------------------------------------------------
// Eigenvalues alone
// ---------------------------------------------------------------------------

// A chain of n coupled masses has the eigenvalues -2 + 2 cos(j pi / (n + 1)).
static void chain_test(void **state)
{
    (void)state;
    enum { N = 20 };
    double a[N * N] = {0};
    for (int i = 0; i < N; i++) {
        a[i * N + i] = -2.0;
        if (i > 0)
            a[i * N + i - 1] = a[(i - 1) * N + i] = 1.0;
    }
    SaltusEigenvalue e[N];
    assert_true(linearize_eigenvalues(N, a, e));
    for (int j = 0; j < N; j++) {
        assert_near(e[j].real, -2.0 + 2.0 * cos((j + 1) * pi / (N + 1)), 4.0);
        assert_true(e[j].imaginary == 0.0);
    }
    // A triangular matrix, which balancing takes apart as a whole.
    const double triangle[] = {-1, 5, 6, 0, -3, 7, 0, 0, -2};
    assert_true(linearize_eigenvalues(3, triangle, e));
    for (int j = 0; j < 3; j++)
        assert_near(e[j].real, -1.0 - j, 1.0);
    a[3] = NAN;
    // no damping at all, and no sign of zero
    const double oscillator[4] = {0.0, -1.0, 1.0, 0.0};
    assert_true(linearize_eigenvalues(2, oscillator, e));
    assert_true(e[0].damping == 0.0 && !signbit(e[0].damping) && !signbit(e[0].real));
    assert_false(linearize_eigenvalues(N, a, e));
    assert_true(linearize_eigenvalues(0, NULL, NULL));
}

// Eigenvalues of matrices that are known to be hard: each has a closed form.
static void hard_eigenvalues_test(void **state)
{
    (void)state;
    SaltusEigenvalue e[40];
    // A cycle of 7: the seventh roots of unity. It is orthogonal, and its own next iterate without
    // other shifts; a normal matrix has eigenvalues as good as its elements.
    double cycle[49] = {0.0};
    for (int i = 0; i < 7; i++)
        cycle[i * 7 + (i + 1) % 7] = 1.0;
    assert_true(linearize_eigenvalues(7, cycle, e));
    for (int i = 0; i < 7; i++) {
        const int k = (i + 1) / 2; // sorted by falling real parts, the positive imaginary one first
        assert_near(e[i].real, cos(2.0 * pi * k / 7.0), 1e-4); // 1e-14
        assert_near(e[i].imaginary, (i % 2 ? 1.0 : -1.0) * sin(2.0 * pi * k / 7.0), 1e-4);
    }
    // A lower triangle of very different sizes has its diagonal, to the last bit.
    const double triangle[] = {1e-9, 0,    0,   0, 1e8, -2.0, 0,   0,
                               3.0,  1e12, 7e5, 0, 1.0, 1.0,  4.0, 3e-4};
    assert_true(linearize_eigenvalues(4, triangle, e));
    assert_true(e[0].real == 7e5 && e[1].real == 3e-4 && e[2].real == 1e-9 && e[3].real == -2.0);
    // Sizes that overflow when squared: 1e300 (1 +- 2i), and their reciprocals; next to a third.
    for (double size = 1e-300; size < 1e301; size *= 1e300) {
        const double rotation[] = {size,       -2.0 * size, 0.1 * size, 2.0 * size, size,
                                   0.2 * size, 0.0,         0.0,        0.5 * size};
        assert_true(linearize_eigenvalues(3, rotation, e));
        assert_near(e[0].real, size, 1e-4 * size);
        assert_near(e[0].imaginary, 2.0 * size, 1e-4 * size);
        assert_near(e[2].real, 0.5 * size, 1e-4 * size);
    }
    // Scaled badly: balancing finds the similarity D A D^-1 with powers of 1e6 in D.
    double graded[36];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) // the second difference: 2 - 2 cos(k pi/7)
            graded[i * 6 + j] = (i == j            ? 2.0
                                 : abs(i - j) == 1 ? -1.0
                                                   : 0.0) *
                                pow(1e6, (double)(i - j));
    assert_true(linearize_eigenvalues(6, graded, e));
    for (int i = 0; i < 6; i++) {
        assert_near(e[i].real, 2.0 - 2.0 * cos((6.0 - i) * pi / 7.0), 1e-3); // 1e-13
        assert_true(e[i].imaginary == 0.0);
    }
}

// Random matrices: the sums of the eigenvalues and of their squares are the traces of A and A^2.
static void random_eigenvalues_test(void **state)
{
    (void)state;
    enum { MOST = 40 };
    static double a[MOST * MOST];
    SaltusEigenvalue e[MOST];
    unsigned long long seed = 12345;
    for (int n = 1; n <= MOST; n++) {
        for (int i = 0; i < n * n; i++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            a[i] = (double)(seed >> 40) / (double)(1 << 23) - 1.0;
        }
        double trace = 0.0, square = 0.0, sum = 0.0, squares = 0.0, rest = 0.0;
        for (int i = 0; i < n; i++)
            trace += a[i * n + i];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                square += a[i * n + j] * a[j * n + i];
        assert_true(linearize_eigenvalues(n, a, e));
        for (int i = 0; i < n; i++) {
            sum += e[i].real;
            rest += e[i].imaginary;
            squares += e[i].real * e[i].real - e[i].imaginary * e[i].imaginary;
        }
        // Rounding: n times epsilon times the norm (at most n), squared for the second.
        assert_near(sum, trace, 1e-5 * n * n);
        assert_near(squares, square, 1e-5 * n * n * n);
        assert_true(rest == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_test),       cmocka_unit_test(curved_test),
        cmocka_unit_test(forerunner_test),       cmocka_unit_test(chain_test),
        cmocka_unit_test(hard_eigenvalues_test), cmocka_unit_test(random_eigenvalues_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
