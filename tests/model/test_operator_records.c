// SPDX-License-Identifier: MIT
//
// Operator records in models that run (chapter 14 of the specification): what the operators of
// complex numbers give in parameters, equations, arrays, functions and connections. Expected
// values are those of C's complex arithmetic; the states are solutions of linear equations, whose
// error is that of the solver.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <complex.h>
#include <stdio.h>

static const double rounding = 1e-13;

#define FUNCTION(name, inputs, value)                                                              \
    "function " name " " inputs " output C r; algorithm r := " value "; end " name "; "
#define PAIR "input C a; input C b; "

#define COMPLEX                                                                                    \
    "operator record C Real re; Real im; "                                                         \
    "operator 'constructor' function fromReal input Real re; input Real im = 0; "                  \
    "output C r(re = re, im = im); algorithm end fromReal; end 'constructor'; "                    \
    "operator function '0' output C r; algorithm r := C(0); end '0'; "                             \
    "operator function '+' " PAIR "output C r; algorithm r := C(a.re + b.re, a.im + b.im); "       \
    "end '+'; "                                                                                    \
    "operator '-' " FUNCTION("negate", "input C a; ", "C(-a.re, -a.im)") FUNCTION(                 \
        "subtract", PAIR,                                                                          \
        "C(a.re - b.re, a.im - b.im)") "end '-'; "                                                 \
                                       "operator '*' " FUNCTION(                                   \
                                           "multiply", PAIR,                                       \
                                           "C(a.re*b.re - a.im*b.im, a.re*b.im + "                 \
                                           "a.im*b.re)") "end '*'; "                               \
                                                         "operator function '/' " PAIR             \
                                                         "output C r; protected Real d = "         \
                                                         "b.re^2 + b.im^2; algorithm "             \
                                                         "r.re := (a.re*b.re + "                   \
                                                         "a.im*b.im)/d; r.im := (a.im*b.re "       \
                                                         "- a.re*b.im)/d; end '/'; "               \
                                                         "operator function '==' " PAIR            \
                                                         "output Boolean r; algorithm "            \
                                                         "r := a.re == b.re and a.im == "          \
                                                         "b.im; end '=='; "                        \
                                                         "operator function 'String' input "       \
                                                         "C a; input String unit = \"j\"; "        \
                                                         "output String s; "                       \
                                                         "algorithm s := String(a.re) + \" "       \
                                                         "+ \" + String(a.im) + unit; end "        \
                                                         "'String'; "                              \
                                                         "end C; "                                 \
                                                         "constant C j = C(0, 1); "

static void assert_complex(const Trial *t, const char *name, double complex expected, double bound)
{
    char part[64];
    snprintf(part, sizeof part, "%s.re", name);
    trial_assert_value(t, part, creal(expected), bound);
    snprintf(part, sizeof part, "%s.im", name);
    trial_assert_value(t, part, cimag(expected), bound);
}

static void scalars(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " COMPLEX "parameter C a = C(1, 2); parameter C b = a*a - 1; "
                       "C b1 = b, x = time*a, y = 2 + x, z = x/y - j, w = -x*y, v = y - x*2.5, "
                       "u = if time > 0.5 then x else y; "
                       "C f = C(im = time, re = 3); Real n; "
                       "equation n = if C(1) == C(1, 0) then 1 else 0; "
                       "assert(a == a, String(b)); end M;",
                       1.5);
    const double complex a = 1.0 + 2.0 * I, x = 1.5 * a, y = 2 + x;
    assert_complex(t, "b1", a * a - 1, rounding);
    assert_complex(t, "y", y, rounding);
    assert_complex(t, "z", x / y - I, rounding);
    assert_complex(t, "w", -x * y, rounding);
    assert_complex(t, "v", y - x * 2.5, rounding);
    assert_complex(t, "u", x, rounding);
    assert_complex(t, "f", 3 + 1.5 * I, rounding);
    ASSERT_VALUE(t, "n", 1.0);
    trial_end(t);
}

// Section 10.6 with the operators of the elements.
static void arrays(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M " COMPLEX
                              "C z = C(time, 1), v[3] = {z, j*z, C(2)}, s = sum(v), d[3] = -v, "
                              "e[3] = v/z, f[3] = z*v, g[3] = v + {1, 2, 3}, h[3] = v.*v, "
                              "m[2, 2] = [z, j; C(1, 1), C(0, 2)], p[2] = m*{z, j}, q[2, 2] = m*m, "
                              "l = sum(i*z for i in 1:3), o = sum(fill(z, 0)); end M;",
                              1.5);
    const double complex z = 1.5 + I, v[] = {z, I * z, 2}, m[] = {z, I, 1 + I, 2 * I};
    assert_complex(t, "s", v[0] + v[1] + v[2], rounding);
    assert_complex(t, "d[2]", -v[1], rounding);
    assert_complex(t, "e[3]", v[2] / z, rounding);
    assert_complex(t, "f[2]", z * v[1], rounding);
    assert_complex(t, "g[3]", v[2] + 3, rounding);
    assert_complex(t, "h[2]", v[1] * v[1], rounding);
    assert_complex(t, "p[1]", m[0] * z + m[1] * I, rounding);
    assert_complex(t, "p[2]", m[2] * z + m[3] * I, rounding);
    assert_complex(t, "q[1,2]", m[0] * m[1] + m[1] * m[3], rounding);
    assert_complex(t, "q[2,1]", m[2] * m[0] + m[3] * m[2], rounding);
    assert_complex(t, "l", 6 * z, rounding);
    assert_complex(t, "o", 0, rounding);
    trial_end(t);
}

// In functions: loops whose assignments read what they assign, arrays of unknown size, calls that
// are too large to be written out.
static void functions(void **state)
{
    (void)state;
    Trial *t =
        trial_run_text("model M " COMPLEX
                       "function turned input C a; input Integer n; output C r; algorithm r := a; "
                       "for i in 1:n loop r := r*j; r := C(r.im, r.re); end for; end turned; "
                       "function squares input C a[:]; output C r; algorithm r := C(0); "
                       "for i in 1:size(a, 1) loop r := r + a[i]*a[i]; end for; end squares; "
                       "function half input C a; output Real r; algorithm r := a.re/2; end half; "
                       "function halves input C a[:]; output Real r[size(a, 1)]; algorithm "
                       "r := half({2*a[i] for i in 1:size(a, 1)}); end halves; "
                       "C z = C(time, 1), x = turned(z, 3), y = squares({z, j*z, C(2)}), "
                       "p = z*z*z*z*z*z*z*z*z*z*z*z; Real h[2] = halves({z, -z}); "
                       "constant C k = turned(C(1, 2), 2); Real q = k.im; end M;",
                       1.5);
    const double complex z = 1.5 + I;
    double complex x = z, p = 1;
    for (int i = 0; i < 3; i++) {
        x *= I;
        x = cimag(x) + creal(x) * I;
    }
    for (int i = 0; i < 12; i++)
        p *= z;
    assert_complex(t, "x", x, rounding);
    assert_complex(t, "y", 4, rounding);
    assert_complex(t, "p", p, 1e-12);
    ASSERT_VALUE(t, "h[1]", 1.5);
    ASSERT_VALUE(t, "h[2]", -1.5);
    ASSERT_VALUE(t, "q", 2.0); // 1 + 2j: -2 + 1j, 1 - 2j; 2 + 1j, 1 + 2j
    trial_end(t);
}

// z' = j z; an unknown inside a product; a root of a quadratic equation as a parameter.
static void equations(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " COMPLEX "C z(re(start = 1, fixed = true), im(start = 0, fixed = true)), v, r; "
        "parameter C root(re(fixed = false, start = 1), "
        "im(fixed = false, start = 2)); "
        "initial equation root*root = C(-3, 4); "
        "equation C(der(z.re), der(z.im)) = j*z; r = root; v*C(3, 2) = z; end M;",
        1.0);
    assert_complex(t, "z", cexp(I), 1e-5);
    assert_complex(t, "v", cexp(I) / (3.0 + 2.0 * I), 1e-5);
    assert_complex(t, "r", 1 + 2 * I, 1e-10);
    trial_end(t);
}

// Kirchhoff's laws with complex voltages and currents: an impedance of 3 + 4j beside one of 5 at a
// source of 10.
static void connections(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " COMPLEX "operator record Voltage = C(re(unit = \"V\"), im(unit = \"V\")); "
        "connector Pin Voltage v; flow C i; end Pin; "
        "model Impedance Pin p, n; parameter C z; equation p.v - n.v = z*p.i; "
        "p.i + n.i = C(0); end Impedance; "
        "model Source Pin p, n; equation p.v - n.v = C(10); p.i + n.i = C(0); end Source; "
        "model Ground Pin p; equation p.v = C(0); end Ground; "
        "Impedance a(z = C(3, 4)), b(z = C(5)); Source s; Ground g; "
        "equation connect(s.p, a.p); connect(s.p, b.p); connect(a.n, s.n); connect(b.n, s.n); "
        "connect(s.n, g.p); end M;",
        1.0);
    assert_complex(t, "a.p.i", 10.0 / (3.0 + 4.0 * I), rounding);
    assert_complex(t, "s.p.i", -(10.0 / (3.0 + 4.0 * I) + 2.0), rounding);
    assert_complex(t, "g.p.i", 0, rounding);
    trial_end(t);
}

// A function for vectors goes before the rules of section 10.6; where only a conversion fits, an
// Integer is a Real.
static void choices(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M operator record P Real x; "
        "operator '*' function single input P a; input P b; output P r; algorithm "
        "r := P(a.x*b.x); end single; "
        "function whole input P a[:]; input P b[size(a, 1)]; output P r; algorithm "
        "r := P(100); end whole; "
        "function scaled input P a; input Integer n; output P r; algorithm "
        "r := P(1000*n); end scaled; end '*'; "
        "operator 'constructor' function one input Real x; output P r(x = x); algorithm end one; "
        "function two input Real x; input Real y; output P r(x = x + y); algorithm end two; "
        "end 'constructor'; end P; "
        "P a = P(time), b = P(time, 1), v[2] = {a, b}, w = v*v, n = a*2, r = a*2.0, s = 3*b; "
        "end M;",
        1.5);
    ASSERT_VALUE(t, "b.x", 2.5);
    ASSERT_VALUE(t, "w.x", 100.0);
    ASSERT_VALUE(t, "n.x", 2000.0);
    ASSERT_VALUE(t, "r.x", 3.0);
    ASSERT_VALUE(t, "s.x", 7.5);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars),   cmocka_unit_test(arrays),      cmocka_unit_test(functions),
        cmocka_unit_test(equations), cmocka_unit_test(connections), cmocka_unit_test(choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
