// SPDX-License-Identifier: MIT
//
// C21: what the three systems are, before the tasks: sketch, equations, events.

#include "report/c21.h"
#include "report/c21_sketches.h"

#include <string.h>

static String sketch(const char *text)
{
    return (String){(char *)(uintptr_t)text, strlen(text)};
}

void c21_ball_event(Benchmark *b)
{
    Document *d = b->document;
    document_picture(d, DOCUMENT_BOTH, "ball",
                     "The ball in flight, with the height $x$ of its lowest point and the velocity "
                     "$v$, and in contact, where it is flattened by $w$",
                     sketch(c21_sketch_ball), false);
    document_text(d, DOCUMENT_BOTH,
                  "A ball falls from %s ([#ball]). In flight, with air resistance of the "
                  "coefficient $\\beta$,",
                  "$x_0 = 10$ m");
    document_equation(d, DOCUMENT_BOTH, "ball.flight",
                      "\\dot{x} = v, \\qquad \\dot{v} = -g - \\beta v |v| .");
    document_text(d, DOCUMENT_BOTH,
                  "The *event contact* takes no time: when $x$ falls through zero (event B), the "
                  "velocity is reversed and loses a part, $v := -\\mu v$. When $v$ falls through "
                  "zero (event M) the ball is at its highest point. The standard parameters are "
                  "$g = 9.81$ m/s², $\\mu = 0.9$ and $\\beta = 0$ or $0.002$ 1/m. Without air "
                  "resistance the bounces come at");
    document_equation(d, DOCUMENT_BOTH, "ball.times",
                      "\\begin{aligned} t_m &= \\sqrt{\\frac{2 x_0}{g}} \\left(2 \\frac{1 - "
                      "\\mu^m}{1 - \\mu} - 1\\right), \\\\ t_{\\infty} &= \\sqrt{\\frac{2 "
                      "x_0}{g}} \\frac{1 + \\mu}{1 - \\mu} , \\end{aligned}");
    document_text(d, DOCUMENT_BOTH,
                  "infinitely many of them in finite time. With resistance each rise and each fall "
                  "has a closed form, too: with $v_t = \\sqrt{g/\\beta}$ and $a = "
                  "\\sqrt{g \\beta}$ a rise that begins with the speed $u$ takes "
                  "$\\arctan(u/v_t)/a$ and reaches the height $\\ln(1 + u^2/v_t^2)/(2\\beta)$.");
}

void c21_ball_dynamic(Benchmark *b)
{
    Document *d = b->document;
    document_text(d, DOCUMENT_BOTH,
                  "The *dynamic contact* resolves what the event contact skips. The ball has a "
                  "deformation $w$, stiffness $k$ and damping $d$ (per unit of mass, $k = 10^6$ "
                  "1/s², $d = 500$ 1/s). In flight the deformation decays; in contact it follows "
                  "the ground, and the force $f_c$ acts on the ball:");
    document_equation(
        d, DOCUMENT_BOTH, "ball.dynamic",
        "\\begin{aligned} \\text{flight:} \\quad & \\dot{x} = v, \\quad \\dot{v} = -g "
        "- \\beta v |v|, \\quad \\dot{w} = -\\frac{k}{d} w , \\\\ \\text{contact:} "
        "\\quad & \\dot{x} = v, \\quad \\dot{v} = -g + f_c, \\quad \\dot{w} = -v, "
        "\\\\ & f_c = -k x - d v . \\end{aligned}");
    document_text(d, DOCUMENT_BOTH,
                  "Contact begins when $y = x + w$ falls through zero (event C) and ends when "
                  "$f_c$ does (event F). What makes it hard: in contact $y$ is zero all the time, "
                  "and a flight begins tangentially, with $y = \\dot{y} = 0$ at each lift-off; "
                  "contacts take milliseconds, flights seconds.");
}

void c21_circuit_system(Benchmark *b)
{
    Document *d = b->document;
    document_picture(d, DOCUMENT_BOTH, "circuit",
                     "The circuit: the diode is parallel to $R_2$ and $C$",
                     sketch(c21_sketch_circuit), false);
    document_text(d, DOCUMENT_BOTH,
                  "A source feeds $R_1$ and $L$ in series, then $R_2$ and $C$ with the diode "
                  "parallel to them ([#circuit]). With $s = -1$ for the orientation of the "
                  "published solutions (“up”) and $s = 1$ for the other (“down”),");
    document_equation(d, DOCUMENT_BOTH, "circuit.equations",
                      "\\begin{aligned} L \\dot{i} &= u_0 - R_1 i - s u_D , \\\\ C \\dot{u}_C &= i "
                      "- s i_D , \\\\ s u_D &= R_2 (i - s i_D) + u_C . \\end{aligned}");
    document_text(d, DOCUMENT_BOTH,
                  "The diode is a *shortcut* ($u_D = 0$ while it conducts, $i_D = 0$ while it "
                  "locks), or obeys *Shockley's law* or a chord of it with $N$ points:");
    document_equation(d, DOCUMENT_BOTH, "circuit.shockley",
                      "i_D = I_S \\left(e^{u_D/U_T} - 1\\right) .");
    document_text(d, DOCUMENT_BOTH,
                  "In the last case one nonlinear equation remains; differentiated, it is an "
                  "ordinary differential equation, which needs no iteration:");
    document_equation(d, DOCUMENT_BOTH, "circuit.explicit",
                      "\\dot{u}_D = s \\frac{\\dot{u}_C + R_2 \\dot{i}}{1 + \\frac{I_S R_2}{U_T} "
                      "e^{u_D/U_T}} \\quad \\text{with } C \\dot{u}_C = i - s i_D .");
    document_text(d, DOCUMENT_BOTH,
                  "$R_1 = 1$ kΩ, $R_2 = 20$ Ω, $L = 25.3$ µH, $C = 100$ nF, $I_S = 10^{-8}$ A, "
                  "$U_T = 26$ mV, $u_0 = -\\sin 2 \\pi f t$ V with $f = 0.15$ MHz (the printed "
                  "exponent is a slip); a second set has $R_1 = 10$ Ω.");
}

void c21_forerunner_system(Benchmark *b)
{
    document_text(b->document, DOCUMENT_BOTH,
                  "The forerunner's circuit [@bcp2] has the same topology with other parts: $R_1 = "
                  "R_2 = 1$ kΩ, a resonance at $f = 1$ MHz with the quality $q = 40$, a source of "
                  "15 V, and in the place of the diode a resistor that depends on time, an ideal "
                  "switch, a switch with threshold, or Shockley's law.");
}

void c21_pendulum_system(Benchmark *b)
{
    Document *d = b->document;
    document_picture(d, DOCUMENT_BOTH, "pendulum",
                     "The pendulum swinging and falling; the fall begins at F and ends at S",
                     sketch(c21_sketch_pendulum), false);
    document_text(d, DOCUMENT_BOTH,
                  "A mass on a rope rotates about a pivot, $\\varphi$ counted from the top "
                  "([#pendulum]). While the rope is taut there is one degree of freedom, while it "
                  "is slack there are two:");
    document_equation(
        d, DOCUMENT_BOTH, "pendulum.equations",
        "\\begin{aligned} \\text{swinging:} \\quad & \\ddot{\\varphi} = -\\frac{k}{m} "
        "\\dot{\\varphi} + \\frac{g}{l} \\sin \\varphi , \\\\ \\text{falling:} \\quad "
        "& m \\ddot{x} = -k \\dot{x}, \\quad m \\ddot{y} = -m g - k \\dot{y} . "
        "\\end{aligned}");
    document_text(d, DOCUMENT_BOTH,
                  "The rope becomes slack when its force $F = m l \\dot{\\varphi}^2 - m g \\cos "
                  "\\varphi$ falls through zero (event F), and taut again when $x^2 + y^2$ reaches "
                  "$l^2$ (event S); then the tangential velocity is kept and the radial one lost, "
                  "$\\dot{\\varphi} = (y \\dot{x} - x \\dot{y})/l^2$. As one system in Cartesian "
                  "coordinates it reads");
    document_equation(
        d, DOCUMENT_BOTH, "pendulum.cartesian",
        "\\begin{aligned} m \\ddot{x} &= -k \\dot{x} - \\lambda x , \\\\ m \\ddot{y} "
        "&= -m g - k \\dot{y} - \\lambda y , \\\\ 0 &= \\begin{cases} x^2 + y^2 - l^2 "
        "& \\text{taut} \\\\ \\lambda & \\text{slack} \\end{cases} \\end{aligned}");
    document_text(d, DOCUMENT_BOTH,
                  "with the differential index 3 in one phase and 1 in the other. $m = 1.5$ kg, $k "
                  "= 0.9$ kg/s, $l = 1$ m; it starts at $\\varphi = \\pi/4$ with "
                  "$\\dot{\\varphi} = 15$ rad/s.");
}
