// SPDX-License-Identifier: MIT
//
// Converters of ideal parts, with diodes by min, max and abs. Closed forms.

#include "instant/example.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PARTS                                                                                      \
    "connector Pin Real v; flow Real i; end Pin;\n"                                                \
    "partial model One Pin p, n; Real u, i; equation u = p.v - n.v; i = p.i; p.i + n.i = 0; end "  \
    "One;\n"                                                                                       \
    "model G Pin p; equation p.v = 0; end G;\n"                                                    \
    "model V extends One; input Real e; equation u = e; end V;\n"                                  \
    "model R extends One; parameter Real R; equation u = R*i; end R;\n"                            \
    "model L extends One(i(start = 0, fixed = true)); parameter Real L; equation u = L*der(i); "   \
    "end L;\n"                                                                                     \
    "model Sw extends One; input Boolean on; equation if on then u = 0; else i = 0; end if; end "  \
    "Sw;\n"                                                                                        \
    "model Dmin extends One; equation 0 = min(i, -u); end Dmin;\n"                                 \
    "model Dmax extends One; equation i = max(0, i + u); end Dmax;\n"                              \
    "model Dabs extends One; equation abs(i + u) = i - u; end Dabs;\n"

// A coil's current that has to go on through another one: both have 10/4 A then; 4 i' = 10 - 2 i.
#define COILS                                                                                      \
    PARTS "model M V v(e = 10); L a(L = 1), b(L = 3); R r(R = 2); Sw s(on = time < 1); G g;\n"     \
          "equation connect(v.p, a.p); connect(a.n, s.p); connect(s.n, g.p); connect(a.n, r.p);\n" \
          "connect(r.n, b.p); connect(b.n, g.p); connect(v.n, g.p); end M;\n"

// The windings of an ideal transformer: the reset winding clamps at 20 V before the secondary's
// 100 V / 2 are reached, so that the current falls as it rose: 6 - 20*0.2 A.
#define FLYBACK                                                                                    \
    "model M Real im(start = 0, fixed = true), u, i1, i2, i3, sw; Boolean on = mod(time, 1) < "    \
    "0.3;\n"                                                                                       \
    "equation u = der(im); im = i1 + 2*i2 + i3; 20 = u + sw;\n"                                    \
    "if on then sw = 0; else i1 = 0; end if;\n"                                                    \
    "0 = min(i2, 100 + 2*u); 0 = max(-i3, -u - 20); end M;\n"

// The sum of the currents: i' = 12 - 4 i, whichever way the source points.
#define DOUBLER                                                                                    \
    PARTS "model M V s(e = if mod(time, 2) < 1 then 12 else -12); L a(L = 1), b(L = 1);\n"         \
          "Dmax d1, d2; R r(R = 2); G g;\n"                                                        \
          "equation connect(s.p, a.p); connect(s.n, b.p); connect(a.n, r.p); connect(b.n, r.p);\n" \
          "connect(r.n, g.p); connect(d1.p, g.p); connect(d1.n, s.p); connect(d2.p, g.p);\n"       \
          "connect(d2.n, s.n); end M;\n"

// i' = 100 sin(t - 2 k) - 2 i, with k = 0, 1, 2, 0, ... from second to second.
#define MATRIX                                                                                     \
    PARTS                                                                                          \
    "model M V s[3](e = {100*sin(time - 2*(k - 1)) for k in 1:3}); R r(R = 2); L l(L = 1); G g;\n" \
    "Sw w[3](on = {mod(time, 3) < 1, mod(time, 3) >= 1 and mod(time, 3) < 2, mod(time, 3) >= "     \
    "2});\n"                                                                                       \
    "equation for k in 1:3 loop connect(s[k].n, g.p); connect(s[k].p, w[k].p);\n"                  \
    "connect(w[k].n, r.p); end for; connect(r.n, l.p); connect(l.n, g.p); end M;\n"

// A leg of a Vienna rectifier: i' = 40 sin t - 5 i - v, v being 0 while the switch is closed, then
// 30 or -30 by the current's sign until it is zero, and then 40 sin t as long as that is less.
#define VIENNA(diode)                                                                              \
    PARTS "model M V s(e = 40*sin(time)), a(e = 30), b(e = 30); L l(L = 1); R r(R = 5);\n" diode   \
          " up, lo; Sw w(on = mod(time, 0.5) < 0.2); G g;\n"                                       \
          "equation connect(s.p, r.p); connect(r.n, l.p); connect(s.n, g.p); connect(l.n, w.p);\n" \
          "connect(w.n, g.p); connect(l.n, up.p); connect(up.n, a.p); connect(a.n, g.p);\n"        \
          "connect(lo.n, l.n); connect(lo.p, b.n); connect(b.p, g.p); end M;\n"

static const Example converters[] = {
    {.name = "coils that a switch puts in series",
     .text = COILS,
     .stop_time = 2.0,
     .values = {{"a.i", 3.4836733507184164}, {"b.i", 3.4836733507184164}}},
    {.name = "flyback with a reset winding",
     .text = FLYBACK,
     .stop_time = 3.5,
     .values = {{"im", 2.0}, {"i3", 2.0}, {"i2", 0.0}}},
    {.name = "current doubler",
     .text = DOUBLER,
     .stop_time = 3.5,
     .values = {{"r.i", 2.999997505413842}}},
    {.name = "matrix converter",
     .text = MATRIX,
     .stop_time = 7.5,
     .values = {{"l.i", -18.385979955404174}}},
    {.name = "Vienna rectifier by abs",
     .text = VIENNA("Dabs"),
     .stop_time = 5.15,
     .values = {{"l.i", -5.221696788624552}}},
    {.name = "Vienna rectifier by min",
     .text = VIENNA("Dmin"),
     .stop_time = 4.9,
     .values = {{"l.i", -3.367790868147517}}},
};

static void test_converters(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(converters);
}

// Nothing depends on the unit of time.
static void test_scales(void **state)
{
    static const double scales[] = {1e-9, 1e6};
    (void)state;
    for (int i = 0; i < 2; i++)
        EXAMPLE_CHECK_SCALED(converters, scales[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_converters),
        cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
