// SPDX-License-Identifier: MIT
//
// Small circuits with diodes that start, or switch, where everything is zero: from rest, at a zero
// of the source, in parallel to a closing switch, several at once. Closed forms.

#include "instant/example.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Switches beside diodes, 1 and 3 at the upper rail, 2 and 4 at the ground.
#define H_BRIDGE(parameters, diode)                                                                \
    "model M " parameters                                                                          \
    " Real j(start = 0, fixed = true), a, b, u[4], i[4], s[4], w[4], k[4];\n"                      \
    "Boolean off[4], on[4];\n"                                                                     \
    "equation 0.1*der(j) + j = a - b; u = {a - 10, -a, b - 10, -b};\n"                             \
    "on = {mod(time, 0.2) < 0.08, mod(time, 0.2) >= 0.1 and mod(time, 0.2) < 0.18, on[2], "        \
    "on[1]};\n"                                                                                    \
    "for k in 1:4 loop off[k] = s[k] < 0; " diode " end for;\n"                                    \
    "for n in 1:4 loop u[n] = if on[n] then 0 else w[n]; k[n] = if on[n] then w[n] else 0; end "   \
    "for;\n"                                                                                       \
    "i[2] + k[2] = j + i[1] + k[1]; i[4] + k[4] + j = i[3] + k[3]; end M;\n"

// Four ideal diodes and a resistor behind a sine of any frequency: everything is zero at the start
// and twice in each period.
#define FULL_WAVE(frequency)                                                                       \
    {                                                                                              \
        .name = "full wave at " #frequency " Hz",                                                  \
        .text = "model M constant Real f = " #frequency ", pi = 3.141592653589793;\n"              \
                " Real phase(start = 0, fixed = true), a, r, i[4], u[4], s[4]; Boolean off[4];\n"  \
                "equation der(phase) = f;\n"                                                       \
                "u = {5*sin(2*pi*f*time) + a - r, a - r, -5*sin(2*pi*f*time) - a, -a};\n"          \
                "for k in 1:4 loop off[k] = s[k] < 0; u[k] = if off[k] then s[k] else 0;\n"        \
                "i[k] = if off[k] then 0 else s[k]; end for;\n"                                    \
                "i[1] + i[2] = i[3] + i[4]; r = 10*(i[1] + i[2]); end "                            \
                "M;\n",                                                                            \
        .stop_time = 2.3 / (frequency), .values = {                                                \
            {"phase", 2.3},                                                                        \
            {"r", 4.755282581475767}                                                               \
        }                                                                                          \
    }

static const Example full_waves[] = {
    FULL_WAVE(1e-6), FULL_WAVE(1.0),   FULL_WAVE(1e6),
    FULL_WAVE(1e9),  FULL_WAVE(3.7e9), FULL_WAVE(1e12),
};

static const Example circuits[] = {
    // i = 5 (1 - exp(-2 t))
    {.name = "coil from rest, parametric",
     .text = "model M Real i(start = 0, fixed = true), u; Real s; Boolean off;\n"
             "equation 10 = u + der(i) + 2*i; off = s < 0; if off then u = s; i = 0; else u = 0; i "
             "= s; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"i", 4.908421805556329}}},
    {.name = "coil from rest, automaton",
     .text =
         "model M Real i(start = 0, fixed = true), u; Boolean on(start = false, fixed = true);\n"
         "equation 10 = u + der(i) + 2*i; on = if pre(on) then i > 0 else u > 0; if on then u = 0; "
         "else i = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"i", 4.908421805556329}}},
    {.name = "coil from rest, textbook",
     .text = "model M Real i(start = 0, fixed = true), u; Real s; Boolean off;\n"
             "equation 10 = u + der(i) + 2*i; off = s < 0; u = if off then s else 0; i = if off "
             "then 0 else s; end M;\n",
     .stop_time = 2.0,
     .values = {{"i", 4.908421805556329}}},
    // i = 5 (1 - exp(-2 (t - 1)))
    {.name = "switch closes onto diode and coil, parametric",
     .text = "model M Real i(start = 0, fixed = true), u, v, k; Real s; Boolean off;\n"
             "equation v = u + der(i) + 2*i; k + i + v/1000 = 0; off = s < 0; if off then u = s; i "
             "= 0; else u = 0; i = s; end if;\n"
             "if time > 1 then v = 10; else k = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"i", 4.323323583816936}}},
    {.name = "switch closes onto diode and coil, automaton",
     .text = "model M Real i(start = 0, fixed = true), u, v, k; Boolean on(start = false, fixed = "
             "true);\n"
             "equation v = u + der(i) + 2*i; k + i + v/1000 = 0; on = if pre(on) then i > 0 else u "
             "> 0; if on then u = 0; else i = 0; end if;\n"
             "if time > 1 then v = 10; else k = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"i", 4.323323583816936}}},
    {.name = "switch closes onto diode and coil, textbook",
     .text = "model M Real i(start = 0, fixed = true), u, v, k; Real s; Boolean off;\n"
             "equation v = u + der(i) + 2*i; k + i + v/1000 = 0; off = s < 0; u = if off then s "
             "else 0; i = if off then 0 else s;\n"
             "if time > 1 then v = 10; else k = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"i", 4.323323583816936}}},
    // i = sin 2t - 2 cos 2t + 2 exp(-t) from 0 and again from pi on
    {.name = "half wave with coil, parametric",
     .text = "model M Real i(start = 0, fixed = true), u; Real s; Boolean off;\n"
             "equation 5*sin(2*time) = u + der(i) + i; off = s < 0; if off then u = s; i = 0; else "
             "u = 0; i = s; end if; end M;\n",
     .stop_time = 4.141592653589793,
     .values = {{"i", 2.4773499822628513}}},
    {.name = "half wave with coil, automaton",
     .text =
         "model M Real i(start = 0, fixed = true), u; Boolean on(start = false, fixed = true);\n"
         "equation 5*sin(2*time) = u + der(i) + i; on = if pre(on) then i > 0 else u > 0; if on "
         "then u = 0; else i = 0; end if; end M;\n",
     .stop_time = 4.141592653589793,
     .values = {{"i", 2.4773499822628513}}},
    {.name = "half wave with coil, textbook",
     .text = "model M Real i(start = 0, fixed = true), u; Real s; Boolean off;\n"
             "equation 5*sin(2*time) = u + der(i) + i; off = s < 0; u = if off then s else 0; i = "
             "if off then 0 else s; end M;\n",
     .stop_time = 4.141592653589793,
     .values = {{"i", 2.4773499822628513}}},
    // blocks where i = 0: tan 2t = -12; then exp(-t/6)
    {.name = "peak rectifier, parametric",
     .text = "model M Real c(start = 0, fixed = true), i, u; Real s; Boolean off;\n"
             "equation 5*sin(2*time) = u + c; 2*der(c) = i - c/3; off = s < 0; if off then u = s; "
             "i = 0; else u = 0; i = s; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"c", 4.0978911493535675}}},
    {.name = "peak rectifier, automaton",
     .text =
         "model M Real c(start = 0, fixed = true), i, u; Boolean on(start = false, fixed = true);\n"
         "equation 5*sin(2*time) = u + c; 2*der(c) = i - c/3; on = if pre(on) then i > 0 else u > "
         "0; if on then u = 0; else i = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"c", 4.0978911493535675}}},
    {.name = "peak rectifier, textbook",
     .text = "model M Real c(start = 0, fixed = true), i, u; Real s; Boolean off;\n"
             "equation 5*sin(2*time) = u + c; 2*der(c) = i - c/3; off = s < 0; u = if off then s "
             "else 0; i = if off then 0 else s; end M;\n",
     .stop_time = 2.0,
     .values = {{"c", 4.0978911493535675}}},
    // nothing determines how the current is split; v does not depend on it
    {.name = "switch beside a diode that conducts, parametric",
     .text = "model M Real i, u, j, v; Real s; Boolean off(start = false);\n"
             "equation i + j = 1; v = 2*(i + j); off = s < 0; if off then u = s; i = 0; else u = "
             "0; i = s; end if;\n"
             "if time > 1 then u = 0; else j = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"v", 2.0}, {"u", 0.0}}},
    {.name = "switch beside a diode that conducts, automaton",
     .text = "model M Real i, u, j, v; Boolean on(start = true, fixed = true);\n"
             "equation i + j = 1; v = 2*(i + j); on = if pre(on) then i > 0 else u > 0; if on then "
             "u = 0; else i = 0; end if;\n"
             "if time > 1 then u = 0; else j = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"v", 2.0}, {"u", 0.0}}},
    {.name = "switch beside a diode that conducts, textbook",
     .text = "model M Real i, u, j, v; Real s; Boolean off(start = false);\n"
             "equation i + j = 1; v = 2*(i + j); off = s < 0; u = if off then s else 0; i = if off "
             "then 0 else s;\n"
             "if time > 1 then u = 0; else j = 0; end if; end M;\n",
     .stop_time = 2.0,
     .values = {{"v", 2.0}, {"u", 0.0}}},
    // triangles of 7.2 A, 0.3 s up and 0.3 s down, in ten periods; at 9.9 the coil is empty
    {.name = "buck converter, parametric",
     .text = "model M Real l(start = 0, fixed = true), q(start = 0, fixed = true), i, u, k, v; "
             "Real s; Boolean off;\n"
             "equation v = 0.5*der(l) + 12; l = i + k; u = -v; der(q) = l; off = s < 0; if off "
             "then u = s; i = 0; else u = 0; i = s; end if;\n"
             "if mod(time, 1) < 0.3 then v = 24; else k = 0; end if; end M;\n",
     .stop_time = 9.9,
     .values = {{"q", 21.6}, {"l", 0.0}}},
    {.name = "buck converter, automaton",
     .text = "model M Real l(start = 0, fixed = true), q(start = 0, fixed = true), i, u, k, v; "
             "Boolean on(start = false, fixed = true);\n"
             "equation v = 0.5*der(l) + 12; l = i + k; u = -v; der(q) = l; on = if pre(on) then i "
             "> 0 else u > 0; if on then u = 0; else i = 0; end if;\n"
             "if mod(time, 1) < 0.3 then v = 24; else k = 0; end if; end M;\n",
     .stop_time = 9.9,
     .values = {{"q", 21.6}, {"l", 0.0}}},
    {.name = "buck converter, textbook",
     .text = "model M Real l(start = 0, fixed = true), q(start = 0, fixed = true), i, u, k, v; "
             "Real s; Boolean off;\n"
             "equation v = 0.5*der(l) + 12; l = i + k; u = -v; der(q) = l; off = s < 0; u = if off "
             "then s else 0; i = if off then 0 else s;\n"
             "if mod(time, 1) < 0.3 then v = 24; else k = 0; end if; end M;\n",
     .stop_time = 9.9,
     .values = {{"q", 21.6}, {"l", 0.0}}},
    {.name = "buck converter, factors",
     .text = "model M Real l(start = 0, fixed = true), q(start = 0, fixed = true), i, u, k, v;\n"
             "Real s; Boolean off = s < 0;\n"
             "equation v = 0.5*der(l) + 12; l = i + k; u = -v; der(q) = l;\n"
             "u = (if off then 1 else 0)*s; i = s*(if off then 0 else 1);\n"
             "if mod(time, 1) < 0.3 then v = 24; else k = 0; end if; end M;\n",
     .stop_time = 9.9,
     .values = {{"q", 21.6}, {"l", 0.0}}},
    {.name = "coil from rest, factors",
     .text = "model M Real i(start = 0, fixed = true), u; Real s;\n"
             "Boolean off = s < 0; equation 10 = u + der(i) + 2*i;\n"
             "u = (if off then 1 else 0)*s; i = s*(if off then 0 else 1);\n"
             "end M;\n",
     .values = {{"i", 4.3233235838169365}}},
    {.name = "buck converter, factors that are parameters",
     .text = "model M Real l(start = 0, fixed = true), q(start = 0, fixed = true), i, u, k, v;\n"
             "parameter Real Ron = 0, Goff = 0, Vknee = 0; Real s; Boolean off = s < 0;\n"
             "equation v = 0.5*der(l) + 12; l = i + k; u = -v; der(q) = l;\n"
             "u = (s*1.0)*(if off then 1 else Ron) + Vknee; i = (s*1.0)*(if off then Goff else 1) "
             "+ Goff*Vknee;\n"
             "if mod(time, 1) < 0.3 then v = 24; else k = 0; end if; end M;\n",
     .stop_time = 9.9,
     .values = {{"q", 21.6}, {"l", 0.0}}},
    {.name = "coil from rest, factors that are parameters",
     .text = "model M Real i(start = 0, fixed = true), u; parameter Real Ron = 0, Goff = 0, Vknee "
             "= 0; Real s;\n"
             "Boolean off = s < 0; equation 10 = u + der(i) + 2*i;\n"
             "u = (s*1.0)*(if off then 1 else Ron) + Vknee; i = (s*1.0)*(if off then Goff else 1) "
             "+ Goff*Vknee;\n"
             "end M;\n",
     .values = {{"i", 4.3233235838169365}}},
    {.name = "buck converter, products that are parameters",
     .text = "model M Real l(start = 0, fixed = true), q(start = 0, fixed = true), i, u, k, v;\n"
             "parameter Real Ron = 0, Goff = 0; Real s; Boolean off = s < 0;\n"
             "equation v = 0.5*der(l) + 12; l = i + k; u = -v; der(q) = l;\n"
             "u = if off then s else Ron*s; i = if off then Goff*s else s;\n"
             "if mod(time, 1) < 0.3 then v = 24; else k = 0; end if; end M;\n",
     .stop_time = 9.9,
     .values = {{"q", 21.6}, {"l", 0.0}}},
    {.name = "coil from rest, products that are parameters",
     .text =
         "model M Real i(start = 0, fixed = true), u; parameter Real Ron = 0, Goff = 0; Real s;\n"
         "Boolean off = s < 0; equation 10 = u + der(i) + 2*i;\n"
         "u = if off then s else Ron*s; i = if off then Goff*s else s;\n"
         "end M;\n",
     .values = {{"i", 4.3233235838169365}}},
    // Switched on for 0.04 of each 0.1. Heun's method with steps of 1e-7, i = 0 where the diode
    // would
    // have to carry less, is 1e-7 from that.
    {.name = "boost converter, parameters that are zero",
     .text = "model M parameter Real Ron = 0, Goff = 0; Boolean off, on = mod(time, 0.1) < 0.04;\n"
             "Real l(start = 0, fixed = true), c(start = 0, fixed = true), a, u, d, s, w, k;\n"
             "equation 0.1*der(l) = 10 - a; u = a - c; off = s < 0; l = d + k;\n"
             "u = s*(if off then 1 else Ron); d = s*(if off then Goff else 1);\n"
             "a = if on then 0 else w; k = if on then w else 0; 0.1*der(c) = d - c/10; end M;\n",
     .stop_time = 2.03,
     .values = {{"c", 16.313518}, {"l", 4.302833}}},
    // All switches of the bridge are open from 0.08 to 0.1 and so on: the potentials of both ends
    // of
    // the coil are not determined then unless diodes conduct, and its current goes on through two
    // of
    // them. So u = 10 until 0.08, then -10 and 10 for 0.1 each.
    {.name = "H bridge, parameters that are zero",
     .text = H_BRIDGE("parameter Real Ron = 0, Goff = 0;",
                      "u[k] = s[k]*(if off[k] then 1 else Ron); i[k] = s[k]*(if off[k] then Goff "
                      "else 1);"),
     .stop_time = 2.03,
     .values = {{"j", 1.1318111633085586}}},
    {.name = "H bridge, order of equations",
     .text = H_BRIDGE("", "if off[k] then i[k] = 0; u[k] = s[k]; else u[k] = 0; i[k] = s[k]; end "
                          "if;"),
     .stop_time = 2.03,
     .values = {{"j", 1.1318111633085586}}},
    // 25 A/s up while the upper switch is closed, else down: 16.25 at 0.7, 7.5 at 1.05
    {.name = "half bridge, parametric",
     .text = "model M Real l(start = 0, fixed = true), v, i1, u1, i2, u2, k1, k2, p = mod(time, "
             "1); Real s1; Boolean off1; Real s2; Boolean off2;\n"
             "equation v = 2*der(l); l = k1 - i1 + k2 + i2; u1 = v - 50; u2 = -50 - v; off1 = s1 < "
             "0; if off1 then u1 = s1; i1 = 0; else u1 = 0; i1 = s1; end if;\n"
             "off2 = s2 < 0; if off2 then u2 = s2; i2 = 0; else u2 = 0; i2 = s2; end if;\n"
             "if p > 0.05 and p < 0.7 then v = 50; else k1 = 0; end if;\n"
             "if p > 0.75 then v = -50; else k2 = 0; end if; end M;\n",
     .stop_time = 1.5,
     .values = {{"l", 18.75}}},
    {.name = "half bridge, automaton",
     .text =
         "model M Real l(start = 0, fixed = true), v, i1, u1, i2, u2, k1, k2, p = mod(time, 1); "
         "Boolean on1(start = false, fixed = true); Boolean on2(start = false, fixed = true);\n"
         "equation v = 2*der(l); l = k1 - i1 + k2 + i2; u1 = v - 50; u2 = -50 - v; on1 = if "
         "pre(on1) then i1 > 0 else u1 > 0; if on1 then u1 = 0; else i1 = 0; end if;\n"
         "on2 = if pre(on2) then i2 > 0 else u2 > 0; if on2 then u2 = 0; else i2 = 0; end if;\n"
         "if p > 0.05 and p < 0.7 then v = 50; else k1 = 0; end if;\n"
         "if p > 0.75 then v = -50; else k2 = 0; end if; end M;\n",
     .stop_time = 1.5,
     .values = {{"l", 18.75}}},
    {.name = "half bridge, textbook",
     .text = "model M Real l(start = 0, fixed = true), v, i1, u1, i2, u2, k1, k2, p = mod(time, "
             "1); Real s1; Boolean off1; Real s2; Boolean off2;\n"
             "equation v = 2*der(l); l = k1 - i1 + k2 + i2; u1 = v - 50; u2 = -50 - v; off1 = s1 < "
             "0; u1 = if off1 then s1 else 0; i1 = if off1 then 0 else s1;\n"
             "off2 = s2 < 0; u2 = if off2 then s2 else 0; i2 = if off2 then 0 else s2;\n"
             "if p > 0.05 and p < 0.7 then v = 50; else k1 = 0; end if;\n"
             "if p > 0.75 then v = -50; else k2 = 0; end if; end M;\n",
     .stop_time = 1.5,
     .values = {{"l", 18.75}}},
    // n is the largest of the three: its mean is 3/pi sin(pi/3)
    {.name = "three phases feed a current, parametric",
     .text = "model M Real n, x(start = 0, fixed = true), u1, u2, u3, i1, i2, i3; Real s1; Boolean "
             "off1;\n"
             "Real s2; Boolean off2;\n"
             "Real s3; Boolean off3;\n"
             "constant Real w = 6.283185307179586;\n"
             "equation u1 = sin(w*time + 0.2) - n; u2 = sin(w*time + 0.2 - w/3) - n; u3 = "
             "sin(w*time + 0.2 + w/3) - n;\n"
             "i1 + i2 + i3 = 1; der(x) = n;\n"
             "off1 = s1 < 0; if off1 then u1 = s1; i1 = 0; else u1 = 0; i1 = s1; end if;\n"
             "off2 = s2 < 0; if off2 then u2 = s2; i2 = 0; else u2 = 0; i2 = s2; end if;\n"
             "off3 = s3 < 0; if off3 then u3 = s3; i3 = 0; else u3 = 0; i3 = s3; end if; end M;\n",
     .stop_time = 1.0,
     .values = {{"x", 0.826993343132688}}},
    // There is no right answer: with pre(on) = false a diode that is on must have u > 0, while
    // u = 0 if it is on. So all are off at first, where no current can flow and n is any number.
    {.name = "three phases feed a current, automaton",
     .text = "model M Real n, x(start = 0, fixed = true), u1, u2, u3, i1, i2, i3; Boolean "
             "on1(start = false, fixed = true);\n"
             "Boolean on2(start = false, fixed = true);\n"
             "Boolean on3(start = false, fixed = true);\n"
             "constant Real w = 6.283185307179586;\n"
             "equation u1 = sin(w*time + 0.2) - n; u2 = sin(w*time + 0.2 - w/3) - n; u3 = "
             "sin(w*time + 0.2 + w/3) - n;\n"
             "i1 + i2 + i3 = 1; der(x) = n;\n"
             "on1 = if pre(on1) then i1 > 0 else u1 > 0; if on1 then u1 = 0; else i1 = 0; end if;\n"
             "on2 = if pre(on2) then i2 > 0 else u2 > 0; if on2 then u2 = 0; else i2 = 0; end if;\n"
             "on3 = if pre(on3) then i3 > 0 else u3 > 0; if on3 then u3 = 0; else i3 = 0; end if; "
             "end M;\n",
     .stop_time = 1.0,
     .refusal = "too few equations"},
    {.name = "three phases feed a current, textbook",
     .text = "model M Real n, x(start = 0, fixed = true), u1, u2, u3, i1, i2, i3; Real s1; Boolean "
             "off1;\n"
             "Real s2; Boolean off2;\n"
             "Real s3; Boolean off3;\n"
             "constant Real w = 6.283185307179586;\n"
             "equation u1 = sin(w*time + 0.2) - n; u2 = sin(w*time + 0.2 - w/3) - n; u3 = "
             "sin(w*time + 0.2 + w/3) - n;\n"
             "i1 + i2 + i3 = 1; der(x) = n;\n"
             "off1 = s1 < 0; u1 = if off1 then s1 else 0; i1 = if off1 then 0 else s1;\n"
             "off2 = s2 < 0; u2 = if off2 then s2 else 0; i2 = if off2 then 0 else s2;\n"
             "off3 = s3 < 0; u3 = if off3 then s3 else 0; i3 = if off3 then 0 else s3; end M;\n",
     .stop_time = 1.0,
     .values = {{"x", 0.826993343132688}}},
    // the currents are not determined, their sum is
    {.name = "two diodes in parallel, parametric",
     .text = "model M Real u1, u2, i1, i2, v; Real s1; Boolean off1; Real s2; Boolean off2;\n"
             "equation u1 = u2; 5*sin(time) = u1 + v; v = 2*(i1 + i2);\n"
             "off1 = s1 < 0; if off1 then u1 = s1; i1 = 0; else u1 = 0; i1 = s1; end if;\n"
             "off2 = s2 < 0; if off2 then u2 = s2; i2 = 0; else u2 = 0; i2 = s2; end if; end M;\n",
     .stop_time = 1.0,
     .values = {{"v", 4.207354924039483}}},
    {.name = "two diodes in parallel, automaton",
     .text = "model M Real u1, u2, i1, i2, v; Boolean on1(start = false, fixed = true); Boolean "
             "on2(start = false, fixed = true);\n"
             "equation u1 = u2; 5*sin(time) = u1 + v; v = 2*(i1 + i2);\n"
             "on1 = if pre(on1) then i1 > 0 else u1 > 0; if on1 then u1 = 0; else i1 = 0; end if;\n"
             "on2 = if pre(on2) then i2 > 0 else u2 > 0; if on2 then u2 = 0; else i2 = 0; end if; "
             "end M;\n",
     .stop_time = 1.0,
     .values = {{"v", 4.207354924039483}}},
    {.name = "two diodes in parallel, textbook",
     .text = "model M Real u1, u2, i1, i2, v; Real s1; Boolean off1; Real s2; Boolean off2;\n"
             "equation u1 = u2; 5*sin(time) = u1 + v; v = 2*(i1 + i2);\n"
             "off1 = s1 < 0; u1 = if off1 then s1 else 0; i1 = if off1 then 0 else s1;\n"
             "off2 = s2 < 0; u2 = if off2 then s2 else 0; i2 = if off2 then 0 else s2; end M;\n",
     .stop_time = 1.0,
     .values = {{"v", 4.207354924039483}}},
    // |5 sin 2t| while it conducts, which it does again before 2.2; in between nothing determines
    // the potential of the load
    {.name = "bridge whose valves all close, parametric",
     .text = "model M Real u1, u2, u3, u4, i1, i2, i3, i4, hi, lo, c(start = 0, fixed = true), e = "
             "5*sin(2*time);\n"
             "Real s1; Boolean off1; Real s2; Boolean off2; Real s3; Boolean off3; Real s4; "
             "Boolean off4;\n"
             "equation c = hi - lo; u1 = e - hi; u2 = -hi; u3 = lo - e; u4 = lo;\n"
             "2*der(c) = i1 + i2 - c/3; i1 + i2 = i3 + i4;\n"
             "off1 = s1 < 0; if off1 then u1 = s1; i1 = 0; else u1 = 0; i1 = s1; end if;\n"
             "off2 = s2 < 0; if off2 then u2 = s2; i2 = 0; else u2 = 0; i2 = s2; end if;\n"
             "off3 = s3 < 0; if off3 then u3 = s3; i3 = 0; else u3 = 0; i3 = s3; end if;\n"
             "off4 = s4 < 0; if off4 then u4 = s4; i4 = 0; else u4 = 0; i4 = s4; end if; end M;\n",
     .stop_time = 2.2,
     .values = {{"c", 4.75801036944758}}},
    {.name = "bridge whose valves all close, automaton",
     .text = "model M Real u1, u2, u3, u4, i1, i2, i3, i4, hi, lo, c(start = 0, fixed = true), e = "
             "5*sin(2*time);\n"
             "Boolean on1(start = false, fixed = true); Boolean on2(start = false, fixed = true); "
             "Boolean on3(start = false, fixed = true); Boolean on4(start = false, fixed = true);\n"
             "equation c = hi - lo; u1 = e - hi; u2 = -hi; u3 = lo - e; u4 = lo;\n"
             "2*der(c) = i1 + i2 - c/3; i1 + i2 = i3 + i4;\n"
             "on1 = if pre(on1) then i1 > 0 else u1 > 0; if on1 then u1 = 0; else i1 = 0; end if;\n"
             "on2 = if pre(on2) then i2 > 0 else u2 > 0; if on2 then u2 = 0; else i2 = 0; end if;\n"
             "on3 = if pre(on3) then i3 > 0 else u3 > 0; if on3 then u3 = 0; else i3 = 0; end if;\n"
             "on4 = if pre(on4) then i4 > 0 else u4 > 0; if on4 then u4 = 0; else i4 = 0; end if; "
             "end M;\n",
     .stop_time = 2.2,
     .values = {{"c", 4.75801036944758}}},
    {.name = "bridge whose valves all close, textbook",
     .text = "model M Real u1, u2, u3, u4, i1, i2, i3, i4, hi, lo, c(start = 0, fixed = true), e = "
             "5*sin(2*time);\n"
             "Real s1; Boolean off1; Real s2; Boolean off2; Real s3; Boolean off3; Real s4; "
             "Boolean off4;\n"
             "equation c = hi - lo; u1 = e - hi; u2 = -hi; u3 = lo - e; u4 = lo;\n"
             "2*der(c) = i1 + i2 - c/3; i1 + i2 = i3 + i4;\n"
             "off1 = s1 < 0; u1 = if off1 then s1 else 0; i1 = if off1 then 0 else s1;\n"
             "off2 = s2 < 0; u2 = if off2 then s2 else 0; i2 = if off2 then 0 else s2;\n"
             "off3 = s3 < 0; u3 = if off3 then s3 else 0; i3 = if off3 then 0 else s3;\n"
             "off4 = s4 < 0; u4 = if off4 then s4 else 0; i4 = if off4 then 0 else s4; end M;\n",
     .stop_time = 2.2,
     .values = {{"c", 4.75801036944758}}},
};

static const Example leaking[] = {
    // 12 sin(120 pi 0.0041) but for two diodes of 1e-5 ohm at 1.3 A
    {.name = "bridge switched on at a zero",
     .text = "model M\n"
             "model D Real s, i, v; Boolean off;\n"
             "equation off = s < 0; v = s*(if off then 1 else 1e-5); i = s*(if off then 1e-5 else "
             "1); end D;\n"
             "D a, b, c, d; Real u = 12*sin(2*3.14159265358979323846*60*time), p, hi, lo, is, "
             "vc(start = 0, fixed = true);\n"
             "equation 0 = if time >= 0.25 then u - p else is; is = b.i - a.i; vc = hi - lo;\n"
             "a.v = lo - p; b.v = p - hi; c.v = lo; d.v = -hi;\n"
             "0.01*der(vc) = b.i + d.i - vc/100; b.i + d.i = a.i + c.i; end M;\n",
     .stop_time = 0.2541,
     .values = {{"vc", 11.9962102713996}},
     .bound = 1e-5},
    {.name = "half wave switched on at a zero",
     .text = "model M\n"
             "model D Real s, i, v; Boolean off;\n"
             "equation off = s < 0; v = s*(if off then 1 else 1e-5); i = s*(if off then 1e-5 else "
             "1); end D;\n"
             "D a; Real u = if time >= 0.25 then 12*sin(2*3.14159265358979323846*60*time) else 0, "
             "vc(start = 0, fixed = true);\n"
             "equation u = a.v + vc; 0.01*der(vc) = a.i - vc/100; end M;\n",
     .stop_time = 0.2541,
     .values = {{"vc", 11.9962102713996}},
     .bound = 1e-5},
    // a quarter of a period since the last sample: 155.56 / 20 / (100 pi)
    {.name = "bridge with samples at zeros",
     .text =
         "model M\n"
         "model D Real s, i, v; Boolean off;\n"
         "equation off = s < 0; v = s*(if off then 1 else 1e-5); i = s*(if off then 1e-5 else 1); "
         "end D;\n"
         "D a, b, c, d; Real u = 155.56*sin(2*3.14159265358979323846*50*time), hi, lo, j, x(start "
         "= 0, fixed = true);\n"
         "equation a.v = u - hi; b.v = -hi; c.v = lo - u; d.v = lo; a.i + b.i = j; c.i + d.i = j;\n"
         "hi - lo = 20*j; der(x) = j; when sample(0.01, 0.01) then reinit(x, 0); end when; end "
         "M;\n",
     .stop_time = 0.095,
     .values = {{"x", 0.02475814294737524}},
     .bound = 1e-6},
    // e falls through zero at 0.2; then s = e / 8
    {.name = "relation in a loop and a time event at one instant",
     .text = "model M Real s; Boolean off = s < 0, c = time > 0.2; Real e = "
             "sin(15.707963267948966*time);\n"
             "equation e = s*(if off then 2 else 1)*(if c then 4 else 5); end M;\n",
     .stop_time = 0.35,
     .values = {{"s", -0.08838834764831846}, {"off", 1.0}}},
    {.name = "relation in a loop alone",
     .text = "model M Real s; Boolean off = s < 0; Real e = sin(15.707963267948966*time);\n"
             "equation e = s*(if off then 2 else 1)*4; end M;\n",
     .stop_time = 0.35,
     .values = {{"s", -0.08838834764831846}, {"off", 1.0}}},
    // v = e / (1 + 0.1 (1/1003 + 1/1004))
    {.name = "two diodes at a zero with a time event",
     .text = "model M\n"
             "model D Real s, i, v; Boolean off;\n"
             "equation off = s < 0; v = s*(if off then 1 else 0.001); i = s*(if off then 0.001 "
             "else 1); end D;\n"
             "D a, b; Real e = sin(15.707963267948966*time), v; Boolean c = time > 0.2;\n"
             "equation e = 0.1*(a.i + b.i) + v; v = a.v + 3*a.i; v = b.v + (if c then 4 else "
             "5)*b.i; end M;\n",
     .stop_time = 0.35,
     .values = {{"a.i", -0.0007048513271440025}, {"b.i", -0.0007041492839894765}},
     .bound = 1e-9},
};

// ---------------------------------------------------------------------------
// Bridges and single diodes in many forms
// ---------------------------------------------------------------------------

// Ways to write diode k.
#define TEXTBOOK                                                                                   \
    "off[k] = s[k] < 0; u[k] = if off[k] then s[k] else 0; i[k] = if off[k] then 0 else s[k];"
#define BRANCHES                                                                                   \
    "off[k] = s[k] < 0; if off[k] then u[k] = s[k]; i[k] = 0; else u[k] = 0; i[k] = s[k]; end if;"
#define MIXED                                                                                      \
    "off[k] = s[k] < 0; u[k] = if s[k] < 0 then s[k] else 0; i[k] = if off[k] then 0 else s[k];"
#define APART                                                                                      \
    "off[k] = s[k] < 0; if off[k] then u[k] = s[k]; else u[k] = 0; end if; if s[k] < 0 then i[k] " \
    "= 0; else i[k] = s[k]; end if;"
#define TWICE                                                                                      \
    "off[k] = s[k] < 0; if off[k] then i[k] = 0; else u[k] = 0; end if; if off[k] then s[k] = "    \
    "u[k]; else s[k] = i[k]; end if;"
#define BESIDE                                                                                     \
    "off[k] = s[k] < 0; 0 = if off[k] then i[k] else u[k]; if off[k] then s[k] = u[k]; else s[k] " \
    "= i[k]; end if;"
#define CROSSED "off[k] = s[k] < 0; s[k] = i[k] + u[k]; (if s[k] < 0 then i[k] else u[k]) = 0;"
#define FACTORS                                                                                    \
    "off[k] = s[k] < 0; u[k] = s[k]*(if off[k] then 1 else Ron); i[k] = s[k]*(if off[k] then "     \
    "Goff else 1);"

#define LEAKING                                                                                    \
    "off[k] = s[k] < 0; u[k] = s[k]*(if off[k] then 1 else Ron); i[k] = s[k]*(if off[k] then "     \
    "1e-5 else 1);"

#define DIODES(n, parameters, diode, variables, equations)                                         \
    "model M parameter Real Ron = 0, Goff = 0;" parameters "Real u[" n "], i[" n "], s[" n "]; "   \
    "Boolean off[" n "];\n" variables "\nequation for k in 1:" n " loop " diode                    \
    " end for;\n" equations " end M;\n"

// A star of three sources, six diodes, a coil and a resistance.
#define THREE_PHASES(diode)                                                                        \
    DIODES("6", "", diode, "Real a, b, c, p, n, j(start = 0, fixed = true);",                      \
           "a = 100*sin(314*time); b = 100*sin(314*time - 2.0943951023931953);\n"                  \
           "c = 100*sin(314*time + 2.0943951023931953);\n"                                         \
           "u = {a - p, b - p, c - p, n - a, n - b, n - c};\n"                                     \
           "i[1] + i[2] + i[3] = j; i[4] + i[5] + i[6] = j; 0.01*der(j) = p - n - 10*j;")

// One source, four diodes, a load between p and n.
#define ONE_PHASE(diode, variables, load)                                                          \
    DIODES(                                                                                        \
        "4", "", diode, "Real e, p, n, " variables ";",                                            \
        "e = 5*sin(2*time); u = {e - p, -p, n - e, n}; i[1] + i[2] = j; i[3] + i[4] = j; " load)
#define WITH_COIL "j(start = 0, fixed = true)", "der(j) + j = p - n;"
#define WITH_RESISTANCE "j", "3*j = p - n;"
#define PEAK "Real c(start = 0, fixed = true);", "5*sin(2*time) = u[1] + c; 2*der(c) = i[1] - c/3;"
#define HALF_WAVE "Real j(start = 0, fixed = true);", "5*sin(2*time) = u[1] + der(j) + j; j = i[1];"

// (For macros with commas in their arguments.)
#define EXPANDED(macro, ...) macro(__VA_ARGS__)

// Three phases: the integral of exp(-1000 (0.04 - t)) 100 (max(a, b, c) - min(a, b, c)) over the
// time, by Gauss and Kronrod's rule between its kinks, every sixth of pi. Two events in each period
// for each line, the start at one of them.
#define THREE_PHASES_EXAMPLE(title, diode)                                                         \
    {                                                                                              \
        .name = "three-phase bridge with coil, " title, .text = THREE_PHASES(diode),               \
        .stop_time = 0.04, .values = {{"j", 16.722783289751955}}, .events = 12                     \
    }
// The same with exp(-(4 - t)) |5 sin 2t|.
#define COIL_EXAMPLE(title, diode)                                                                 \
    {                                                                                              \
        .name = "bridge with coil, " title, .text = EXPANDED(ONE_PHASE, diode, WITH_COIL),         \
        .stop_time = 4.0, .values = {{"j", 3.3647637379755233}}, .events = 2                       \
    }
// |5 sin 8| / 3
#define RESISTANCE_EXAMPLE(title, diode)                                                           \
    {                                                                                              \
        .name = "bridge from the zero of its source, " title,                                      \
        .text = EXPANDED(ONE_PHASE, diode, WITH_RESISTANCE), .stop_time = 4.0,                     \
        .values = {{"j", 1.6489304110389698}}, .events = 2                                         \
    }

static const Example bridges[] = {
    THREE_PHASES_EXAMPLE("textbook", TEXTBOOK),
    THREE_PHASES_EXAMPLE("branches", BRANCHES),
    THREE_PHASES_EXAMPLE("condition and Boolean mixed", MIXED),
    THREE_PHASES_EXAMPLE("if-equations apart", APART),
    THREE_PHASES_EXAMPLE("two if-equations of one condition", TWICE),
    THREE_PHASES_EXAMPLE("an if-equation and an expression", BESIDE),
    THREE_PHASES_EXAMPLE("one equation", CROSSED),
    THREE_PHASES_EXAMPLE("parameters that are zero", FACTORS),
    THREE_PHASES_EXAMPLE("no resistance, but leakage", LEAKING),
    COIL_EXAMPLE("textbook", TEXTBOOK),
    COIL_EXAMPLE("branches", BRANCHES),
    COIL_EXAMPLE("condition and Boolean mixed", MIXED),
    COIL_EXAMPLE("if-equations apart", APART),
    COIL_EXAMPLE("two if-equations of one condition", TWICE),
    COIL_EXAMPLE("an if-equation and an expression", BESIDE),
    COIL_EXAMPLE("one equation", CROSSED),
    COIL_EXAMPLE("parameters that are zero", FACTORS),
    COIL_EXAMPLE("no resistance, but leakage", LEAKING),
    RESISTANCE_EXAMPLE("textbook", TEXTBOOK),
    RESISTANCE_EXAMPLE("branches", BRANCHES),
    RESISTANCE_EXAMPLE("condition and Boolean mixed", MIXED),
    RESISTANCE_EXAMPLE("if-equations apart", APART),
    RESISTANCE_EXAMPLE("two if-equations of one condition", TWICE),
    RESISTANCE_EXAMPLE("an if-equation and an expression", BESIDE),
    RESISTANCE_EXAMPLE("one equation", CROSSED),
    RESISTANCE_EXAMPLE("parameters that are zero", FACTORS),
    RESISTANCE_EXAMPLE("no resistance, but leakage", LEAKING),
    // Conducts until tan 2t = -12; then 2 c' = 0.1 (5 sin 2t - c) - c/3.
    {.name = "peak rectifier that leaks",
     .text = EXPANDED(DIODES, "1", "parameter Real G = 0.1;",
                      "off[k] = s[k] < 0; u[k] = s[k]*(if off[k] then 1 else Ron); i[k] = "
                      "s[k]*(if off[k] then G else 1);",
                      PEAK),
     .stop_time = 2.0,
     .values = {{"c", 3.9167818172692854}}},
    // 5 / 6.25 (1.5 sin 2t - 2 cos 2t + 2 exp(-1.5 t)) from 0 and again from pi on
    {.name = "half wave with coil, resistance, no leakage",
     .text = EXPANDED(DIODES, "1", "parameter Real R = 0.5;",
                      "off[k] = s[k] < 0; u[k] = s[k]*(if off[k] then 1 else R); i[k] = "
                      "s[k]*(if off[k] then Goff else 1);",
                      HALF_WAVE),
     .stop_time = 4.141592653589793,
     .values = {{"j", 2.1140001069037337}}},
};

static void test_circuits(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(circuits);
}

static void test_leaking(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(leaking);
}

static void test_bridges(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(bridges);
}

static void test_full_waves(void **state)
{
    (void)state;
    EXAMPLE_CHECK_ALL(full_waves);
}

// Nothing depends on the unit of time.
static void test_scales(void **state)
{
    static const double scales[] = {1e-9, 1e6};
    (void)state;
    for (int i = 0; i < 2; i++) {
        EXAMPLE_CHECK_SCALED(circuits, scales[i]);
        EXAMPLE_CHECK_SCALED(leaking, scales[i]);
        EXAMPLE_CHECK_SCALED(bridges, scales[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circuits), cmocka_unit_test(test_leaking),
        cmocka_unit_test(test_bridges),  cmocka_unit_test(test_full_waves),
        cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
