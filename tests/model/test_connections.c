// SPDX-License-Identifier: MIT
//
// Overconstrained connections and expandable connectors, from text to values of closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>

// Newton's method ends at residuals of this size.
static const double rounding = 1e-9;

// An orientation in the plane has two coordinates and one degree of freedom. The hinge is a torsion
// spring with rest angle `rest`.
#define PLANE                                                                                      \
    "record O Real c, s; function equalityConstraint input O a; input O b; "                       \
    "output Real residue[1]; algorithm residue := {a.s * b.c - a.c * b.s}; "                       \
    "end equalityConstraint; end O; "                                                              \
    "connector Frame O R; flow Real t; end Frame; "                                                \
    "model Ground Frame p; equation Connections.root(p.R); p.R.c = 1; p.R.s = 0; end Ground; "     \
    "model Hinge parameter Real rest = 0; Frame p, q; Real phi(start = 0.1); equation "            \
    "Connections.branch(p.R, q.R); p.t + q.t = 0; q.t = 3 * (phi - rest); "                        \
    "if Connections.rooted(p.R) then "                                                             \
    "q.R.c = p.R.c * cos(phi) - p.R.s * sin(phi); q.R.s = p.R.c * sin(phi) + p.R.s * cos(phi); "   \
    "else p.R.c = q.R.c * cos(phi) + q.R.s * sin(phi); "                                           \
    "p.R.s = q.R.s * cos(phi) - q.R.c * sin(phi); end if; end Hinge; "

// Four springs in a ring, every other one reversed: a - b + c - d = 0 for the angles, and the same
// torque T in all: phi = rest +- T / 3, so 4 T / 3 = -(a - b + c - d) of the rest angles.
static void ring_of_springs_closes(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " PLANE "Ground g; Hinge a(rest = 0.3), b(rest = -0.2), c(rest = 0.1), d; "
        "equation connect(g.p, a.p); connect(a.q, b.q); connect(b.p, c.p); connect(c.q, d.q); "
        "connect(d.p, a.p); end M;",
        0.1);
    const double torque = -3.0 * (0.3 + 0.2 + 0.1) / 4.0;
    ASSERT_VALUE(t, "a.q.t", torque);
    ASSERT_VALUE(t, "a.phi", 0.3 + torque / 3.0);
    ASSERT_VALUE(t, "b.phi", -0.2 - torque / 3.0);
    ASSERT_VALUE(t, "c.phi", 0.1 + torque / 3.0);
    ASSERT_VALUE(t, "d.phi", -torque / 3.0);
    ASSERT_VALUE(t, "g.p.t", 0.0);
    trial_end(t);
}

// The same two ends connected in a triangle, and once more: one cut, as if they were connected
// once.
static void connections_said_twice_count_once(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M " PLANE "Ground g; Hinge a(rest = 0.3), b(rest = -0.2), c(rest = 0.1); "
        "equation connect(g.p, a.p); connect(a.p, b.p); connect(g.p, b.p); connect(b.p, c.p); "
        "connect(a.q, b.q); connect(b.q, c.q); connect(c.q, a.q); connect(b.q, a.q); end M;",
        0.1);
    // Three springs in parallel: the angle is the mean of the rest angles.
    ASSERT_VALUE(t, "a.phi", 0.2 / 3.0);
    ASSERT_VALUE(t, "b.phi", 0.2 / 3.0);
    ASSERT_VALUE(t, "c.phi", 0.2 / 3.0);
    trial_end(t);
}

// Over a bus in a bus, through a level between, and back.
static void signals_go_over_buses(void **state)
{
    (void)state;
    Trial *t = trial_run_text(
        "model M expandable connector Bus end Bus; "
        "connector In = input Real; connector Out = output Real; "
        "block S Out y = sin(time); end S; block G In u; Out y = 2 * u; end G; "
        "block N In u[2]; Real x = u[1] + 10 * u[2]; end N; "
        "model Inner Bus bus; S s; N n; equation connect(s.y, bus.sub.a); "
        "connect(n.u, bus.all); end Inner; "
        "model Outer Bus bus; Inner i; equation connect(i.bus, bus); end Outer; "
        "Outer o; Bus bus; G g; S s; equation connect(bus, o.bus); connect(bus.sub.a, g.u); "
        "connect(g.y, bus.all[2]); connect(bus.all[1], s.y); end M;",
        1.0);
    ASSERT_VALUE(t, "o.i.n.x", 21.0 * sin(1.0));
    ASSERT_VALUE(t, "o.bus.sub.a", sin(1.0));
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_of_springs_closes),
        cmocka_unit_test(connections_said_twice_count_once),
        cmocka_unit_test(signals_go_over_buses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
