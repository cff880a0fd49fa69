// SPDX-License-Identifier: MIT
//
// Random circuits of resistors, coils, capacitors, ideal diodes and ideal switches, in many ways
// to write an ideal diode, and with diodes and switches that leak, as libraries have them. Ideal
// elements make structures that change and currents and voltages that jump. The reference always
// leaks: `leak` ohm when something conducts, 1/`leak` ohm when it does not. That one is always an
// ordinary differential equation, linear between events, and its fast transients are cascades that
// the ideal circuit passes in one instant; it is followed with matrix exponentials, whose steps
// shrink to 1e-10 s wherever a current changes its sign.

#include "instant/attempt.h"
#include "instant/chance.h"
#include "instant/matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef enum Form {
    PARAMETRIC,
    AUTOMATON,
    TEXTBOOK,
    LEAKING,
    EITHER,
    MIXED,
    SMALLER,
    HALVES,
    PROJECTED,
    MAGNITUDE,
    APART,
    BESIDE,
    TWICE,
    THREE,
    FACTOR,
    GATED,
    EITHER_EXPRESSION,
    FORMS
} Form;

typedef struct Family {
    Requirement requirement; // how many may be refused today, and in the end; none may be wrong
    Form form;
    bool has_common_zeros; // the source's zeros are where the switches act
} Family;

static const Family parametric = {
    {"circuits, parametric diode", 60, 0, 0, {0}, {149, 279}}, PARAMETRIC, false};
static const Family automaton = {
    {"circuits, automaton diode", 60, 0, 0, {0}, {149, 244, 266, 279, 288, 297}}, AUTOMATON, false};
static const Family textbook = {
    {"circuits, textbook diode", 60, 0, 0, {0}, {149, 279}}, TEXTBOOK, false};
static const Family parametric_at_zeros = {
    {"circuits at zeros, parametric diode", 40, 0, 0, {0}, {50, 81, 149, 157}}, PARAMETRIC, true};
static const Family automaton_at_zeros = {
    {"circuits at zeros, automaton diode", 40, 0, 0, {0}, {221, 244, 266, 282, 297}},
    AUTOMATON,
    true};
static const Family leaking = {
    {"circuits at zeros, leaking diode", 60, 0, 0, {0}, {0}}, LEAKING, true};

static const Family either = {
    {"circuits, diode by either relation", 20, 0, 0, {0}, {31, 171, 211}}, EITHER, false};
static const Family either_at_zeros = {
    {"circuits at zeros, diode by either relation", 20, 0, 0, {0}, {267, 293}}, EITHER, true};
static const Family mixed = {
    {"circuits, diode with relations mixed", 20, 0, 0, {0}, {0}}, MIXED, false};
static const Family smaller = {{"circuits, diode by min", 20, 0, 0, {0}, {0}}, SMALLER, false};
static const Family halves = {{"circuits, diode by halves", 20, 0, 0, {0}, {0}}, HALVES, false};
static const Family projected = {
    {"circuits, diode by projection", 20, 0, 0, {0}, {0}}, PROJECTED, false};
static const Family magnitude = {{"circuits, diode by abs", 20, 0, 0, {0}, {0}}, MAGNITUDE, false};

static const Family apart = {
    {"circuits, diode in two if-equations", 20, 0, 0, {0}, {0}}, APART, false};

static const Family beside = {
    {"circuits, diode by an if-equation and an expression", 20, 0, 0, {0}, {93, 102, 153, 226}},
    BESIDE,
    false};
static const Family twice = {
    {"circuits, diode in two if-equations of one condition", 20, 0, 0, {0}, {0}}, TWICE, false};
static const Family three = {
    {"circuits, diode with three branches", 20, 0, 0, {0}, {0}}, THREE, false};
static const Family factor = {{"circuits, diode by a factor", 20, 0, 0, {0}, {0}}, FACTOR, false};
static const Family gated = {
    {"circuits, diode by an Integer factor", 20, 0, 0, {0}, {0}}, GATED, false};
static const Family either_expression = {
    {"circuits, diode by either relation in an expression", 20, 0, 0, {0}, {171, 211}},
    EITHER_EXPRESSION,
    false};
static const Family either_expression_at_zeros = {
    {"circuits at zeros, diode by either relation in an expression", 20, 0, 0, {0}, {31, 267, 293}},
    EITHER_EXPRESSION,
    true};

static const double stop_time = 2.9;
static const double sample_interval = 0.1437; // never where a switch acts
enum { NODES = 4, BRANCHES = 6, PHASES = 3, LEVELS = 26, SIZE = 2 * BRANCHES + 3 };

typedef enum Has { R = 1, L = 2, C = 4, D = 8, S = 16 } Has;

// From node a to node b, in series.
typedef struct Branch {
    int a, b;
    unsigned has;
    double r, l, c, i_start, u_start;
    int phases; // of the switch
    double closes[PHASES], opens[PHASES];
} Branch;

// Node 0 is the ground; node 1 is fed by base + amplitude sin(w t + phase) through `source`.
typedef struct Circuit {
    int branches;
    Branch branch[BRANCHES];
    double source, base, amplitude, w, phase;
    double leak; // ohm of what conducts, siemens of what does not
    Form form;
    double shunt[NODES]; // ohm from the node to ground, 0: none
} Circuit;

// ---------------------------------------------------------------------------
// Random circuits
// ---------------------------------------------------------------------------

// Without a resistor a capacitor needs a diode or switch, and everything at rest at the start.
static const unsigned kinds_at_rest[] = {R,     R | D,     D, L,     L | R, L | D, L | R | S, C | R,
                                         C | D, C | R | D, S, R | S, C | S, D,     L | D | R};
static const unsigned kinds_charged[] = {R,     R | D,     D,     L,     L | R, L | D, L | R | S,
                                         C | R, C | R | D, R | S, L | S, S,     D,     R | L | C};

static int root_of(const int *parent, int node)
{
    while (parent[node] != node)
        node = parent[node];
    return node;
}

static void make_phases(Chance *c, Branch *b)
{
    int t = 1 + chance_below(c, 8);
    while (b->phases < PHASES && t < 28) {
        const int end = t + 2 + chance_below(c, 8);
        b->closes[b->phases] = t / 10.0;
        b->opens[b->phases++] = end / 10.0;
        t = end + 2 + chance_below(c, 8);
    }
}

static void make_branch(Chance *c, Branch *b, bool at_rest, int *parent)
{
    for (;;) {
        *b = (Branch){.a = chance_below(c, NODES), .b = chance_below(c, NODES)};
        b->has = at_rest ? kinds_at_rest[chance_below(c, 15)] : kinds_charged[chance_below(c, 14)];
        if (b->a == b->b || b->a + b->b == 1)
            continue;
        if (b->has != D && b->has != S)
            break;
        // no loop of ideal elements alone: its current would not be determined
        const int one = root_of(parent, b->a), other = root_of(parent, b->b);
        if (one == other)
            continue;
        parent[one] = other;
        break;
    }
    b->r = b->has & R ? chance_rounded(c, 0.5, 5.0) : 0.0;
    b->l = chance_rounded(c, 0.1, 1.0);
    b->c = chance_rounded(c, 0.05, 0.5);
    if (!at_rest && b->has & C)
        b->u_start = chance_rounded(c, -3.0, 3.0);
    if (!at_rest && b->has & L && !(b->has & (D | S)))
        b->i_start = chance_rounded(c, -2.0, 2.0);
    if (b->has & S)
        make_phases(c, b);
}

// Node by node: a shunt, unless something that never blocks determines the potential and no two
// coils' currents depend on each other.
static void make_shunts(Chance *c, Circuit *n)
{
    for (int k = 2; k < NODES; k++) {
        int coils = 0, open = 0;
        for (int j = 0; j < n->branches; j++) {
            const Branch *b = &n->branch[j];
            if (b->a != k && b->b != k)
                continue;
            coils += (b->has & L) != 0;
            open += !(b->has & (D | S)) && b->i_start == 0.0;
        }
        if (coils > 1 || open == 0 || chance_is(c, 0.5))
            n->shunt[k] = chance_rounded(c, 2.0, 20.0);
    }
}

static Circuit make_circuit(int seed, const Family *family)
{
    Chance c = chance_from(2000u + (uint64_t)seed);
    int parent[NODES] = {0, 1, 2, 3};
    const bool at_rest = chance_is(&c, 0.5);
    Circuit n = {.branches = 4 + chance_below(&c, BRANCHES - 3)};
    for (int k = 0; k < n.branches; k++)
        make_branch(&c, &n.branch[k], at_rest, parent);
    make_shunts(&c, &n);
    n.source = chance_rounded(&c, 0.1, 1.0);
    n.amplitude = chance_rounded(&c, 2.0, 10.0);
    n.w = chance_rounded(&c, 2.0, 8.0);
    if (!at_rest) {
        n.phase = chance_rounded(&c, 0.1, 6.0);
        n.base = chance_rounded(&c, -5.0, 5.0);
    }
    if (family->has_common_zeros && at_rest)
        n.w = 5.0 * acos(-1.0);
    n.form = family->form;
    n.leak = family->form == LEAKING ? 1e-3 : 1e-7;
    return n;
}

// ---------------------------------------------------------------------------
// As a Modelica model
// ---------------------------------------------------------------------------

// What a diode has besides its current i# and its voltage d#, and its equations; #: the branch.
#define WITH_PARAMETER "Real s#; Boolean off#;"
static const char *const diodes[FORMS][2] = {
    [PARAMETRIC] = {WITH_PARAMETER,
                    "off# = s# < 0; if off# then d# = s#; i# = 0; else d# = 0; i# = s#; end if;"},
    [AUTOMATON] = {"Boolean on#(start = false, fixed = true);",
                   "on# = if pre(on#) then i# > 0 else d# > 0; if on# then d# = 0; else i# = 0; "
                   "end if;"},
    [TEXTBOOK] = {WITH_PARAMETER,
                  "off# = s# < 0; d# = if off# then s# else 0; i# = if off# then 0 else s#;"},
    [LEAKING] = {WITH_PARAMETER, "off# = s# < 0; d# = s#*(if off# then 1 else leak); i# = s#*(if "
                                 "off# then leak else 1);"},
    [EITHER] = {"Boolean on#;", "on# = i# > 0 or d# > 0; if on# then d# = 0; else i# = 0; end if;"},
    [MIXED] = {WITH_PARAMETER,
               "off# = s# < 0; i# = if s# > 0 then s# else 0; d# = if off# then s# else 0;"},
    [SMALLER] = {"", "0 = min(i#, -d#);"},
    [HALVES] = {"Real s#;", "i# = max(0, s#); d# = min(0, s#);"},
    [PROJECTED] = {"", "i# = max(0, i# + d#);"},
    [APART] = {WITH_PARAMETER, "off# = s# < 0; if off# then i# = 0; else d# = 0; end if; if s# < 0 "
                               "then s# = d#; else s# = i#; end if;"},
    [BESIDE] = {WITH_PARAMETER, "off# = s# < 0; 0 = if off# then i# else d#; if off# then s# = d#; "
                                "else s# = i#; end if;"},
    [TWICE] = {WITH_PARAMETER, "off# = s# < 0; if off# then i# = 0; else d# = 0; end if; if off# "
                               "then s# = d#; else s# = i#; end if;"},
    [THREE] = {"Real s#;", "if s# > 0 then d# = 0; i# = s#; elseif s# < 0 then d# = s#; i# = 0; "
                           "else d# = 0; i# = 0; end if;"},
    [FACTOR] = {"Real s#, g#;", "g# = if s# > 0 then 1 else 0; d# = s#*(1 - g#); i# = s#*g#;"},
    [GATED] = {"Real s#; Integer g#;",
               "g# = if s# > 0 then 1 else 0; d# = s#*(1 - g#); i# = s#*g#;"},
    [EITHER_EXPRESSION] = {"Boolean on#;", "on# = i# > 0 or d# > 0; 0 = if on# then d# else i#;"},
    [MAGNITUDE] = {"", "abs(i# + d#) = i# - d#;"},
};

static void write_numbered(Writing *w, const char *text, int k)
{
    for (const char *c = text; *c; c++)
        if (*c == '#')
            writing_add(w, "%d", k);
        else
            writing_add(w, "%c", *c);
}

static void write_variables(Writing *w, const Branch *b, Form form, int k)
{
    writing_add(w, "  Real i%d", k);
    if (b->has & L)
        writing_add(w, "(start = %.2f, fixed = true)", b->i_start);
    if (b->has & C)
        writing_add(w, ", u%d(start = %.2f, fixed = true)", k, b->u_start);
    if (b->has & S)
        writing_add(w, ", x%d", k);
    if (b->has & D)
        writing_add(w, ", d%d", k);
    writing_add(w, "; ");
    if (b->has & D)
        write_numbered(w, diodes[form][0], k);
    writing_add(w, "\n");
}

static void write_branch(Writing *w, const Circuit *n, int k)
{
    const Branch *b = &n->branch[k];
    writing_add(w, "  v%d - v%d = 0", b->a, b->b);
    if (b->has & R)
        writing_add(w, " + %.2f*i%d", b->r, k);
    if (b->has & L)
        writing_add(w, " + %.2f*der(i%d)", b->l, k);
    if (b->has & C)
        writing_add(w, " + u%d", k);
    if (b->has & D)
        writing_add(w, " + d%d", k);
    if (b->has & S)
        writing_add(w, " + x%d", k);
    writing_add(w, ";\n");
    if (b->has & C)
        writing_add(w, "  %.2f*der(u%d) = i%d;\n", b->c, k, k);
    if (b->has & D)
        write_numbered(w, diodes[n->form][1], k);
    if (!(b->has & S)) {
        writing_add(w, "\n");
        return;
    }
    writing_add(w, "  if ");
    for (int j = 0; j < b->phases; j++)
        writing_add(w, "%stime > %.1f and time < %.1f", j ? " or " : "", b->closes[j], b->opens[j]);
    if (n->form == LEAKING)
        writing_add(w, " then x%d = %g*i%d; else i%d = %g*x%d; end if;\n", k, n->leak, k, k,
                    n->leak, k);
    else
        writing_add(w, " then x%d = 0; else i%d = 0; end if;\n", k, k);
}

static void write_model(Writing *w, const Circuit *n)
{
    writing_clear(w);
    writing_add(w,
                "model Circuit\n  parameter Real leak = %g;\n  Real v0 = 0, v1, v2, v3, source;\n",
                n->leak);
    for (int k = 0; k < n->branches; k++)
        write_variables(w, &n->branch[k], n->form, k);
    writing_add(w, "equation\n  %.2f + %.2f*sin(%.17g*time + %.2f) = %.2f*source + v1;\n", n->base,
                n->amplitude, n->w, n->phase, n->source);
    for (int k = 0; k < n->branches; k++)
        write_branch(w, n, k);
    for (int node = 1; node < NODES; node++) {
        writing_add(w, node == 1 ? "  source = 0" : "  0 = 0");
        for (int k = 0; k < n->branches; k++)
            if (n->branch[k].a == node || n->branch[k].b == node)
                writing_add(w, " %c i%d", n->branch[k].a == node ? '+' : '-', k);
        if (n->shunt[node] > 0.0)
            writing_add(w, " + v%d/%.2f", node, n->shunt[node]);
        writing_add(w, ";\n");
    }
    writing_add(w, "end Circuit;\n");
}

// ---------------------------------------------------------------------------
// The reference: the circuit that leaks
// ---------------------------------------------------------------------------

// z = (i or 0, u or 0 of each branch, sin, cos, 1); a set bit of `on`: the diode or switch of that
// branch conducts
typedef struct Leaky {
    const Circuit *circuit;
    int size;
    double *steps[1 << BRANCHES]; // of each set: exp(A h) - I for h = shortest 2^level
    unsigned on, diodes;
    double t, z[SIZE];
    double tolerated; // by which a diode may contradict its state
} Leaky;

static const double shortest = 1e-10;

static double resistance(const Circuit *n, int k, unsigned on)
{
    const Branch *b = &n->branch[k];
    const double ideal = on >> k & 1u ? n->leak : 1.0 / n->leak;
    return b->r + ((b->has & (D | S)) != 0 ? ideal : 0.0);
}

static double source_at(const Circuit *n, const double *z)
{
    const double *s = z + 2 * n->branches;
    return n->base * s[2] + n->amplitude * (s[0] * cos(n->phase) + s[1] * sin(n->phase));
}

// Potentials by Kirchhoff's first law, then the current of each branch.
static void currents(const Circuit *n, unsigned on, const double *z, double *v, double *i)
{
    double g[(NODES - 1) * (NODES - 1)] = {0}, in[NODES] = {0};
    for (int k = 0; k < n->branches; k++) {
        const Branch *b = &n->branch[k];
        const int end[2] = {b->a, b->b};
        for (int e = 0; e < 2; e++) {
            const int m = end[e] - 1;
            const double sign = e ? -1.0 : 1.0;
            if (m < 0)
                continue;
            if (b->has & L) {
                in[m] -= sign * z[2 * k];
                continue;
            }
            const double y = 1.0 / resistance(n, k, on);
            g[m * (NODES - 1) + m] += y;
            if (end[1 - e] > 0)
                g[m * (NODES - 1) + end[1 - e] - 1] -= y;
            in[m] += sign * y * z[2 * k + 1];
        }
    }
    for (int m = 1; m < NODES; m++)
        if (n->shunt[m] > 0.0)
            g[(m - 1) * NODES] += 1.0 / n->shunt[m];
    g[0] += 1.0 / n->source;
    in[0] += source_at(n, z) / n->source;
    // a node that only coils and blocking elements reach still has some conductance to solve with
    for (int m = 0; m < NODES - 1; m++)
        g[m * NODES] += n->leak * 1e-3;
    assert_true(matrix_solve(NODES - 1, 1, g, in, 0.0));
    v[0] = 0.0;
    for (int m = 1; m < NODES; m++)
        v[m] = in[m - 1];
    for (int k = 0; k < n->branches; k++) {
        const Branch *b = &n->branch[k];
        i[k] = b->has & L ? z[2 * k] : (v[b->a] - v[b->b] - z[2 * k + 1]) / resistance(n, k, on);
    }
}

static void derivative(const Circuit *n, unsigned on, const double *z, double *dz)
{
    double v[NODES], i[BRANCHES];
    currents(n, on, z, v, i);
    for (int k = 0; k < n->branches; k++) {
        const Branch *b = &n->branch[k];
        const double drop = resistance(n, k, on) * i[k] + z[2 * k + 1];
        dz[2 * k] = b->has & L ? (v[b->a] - v[b->b] - drop) / b->l : 0.0;
        dz[2 * k + 1] = b->has & C ? i[k] / b->c : 0.0;
    }
    const double *s = z + 2 * n->branches;
    double *ds = dz + 2 * n->branches;
    ds[0] = n->w * s[1];
    ds[1] = -n->w * s[0];
    ds[2] = 0.0;
}

static const double *steps_of(Leaky *q, unsigned on)
{
    if (q->steps[on])
        return q->steps[on];
    const int n = q->size;
    double *e = q->steps[on] = calloc((size_t)(LEVELS * n * n), sizeof *e);
    assert_non_null(e);
    double a[SIZE * SIZE];
    for (int j = 0; j < n; j++) {
        double unit[SIZE] = {0}, column[SIZE];
        unit[j] = 1.0;
        derivative(q->circuit, on, unit, column);
        for (int i = 0; i < n; i++)
            a[i * n + j] = column[i];
    }
    matrix_exponential(n, a, shortest, e);
    for (int k = 1; k < LEVELS; k++) {
        const double *last = e + (k - 1) * n * n;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 2.0 * last[i * n + j];
                for (int m = 0; m < n; m++)
                    sum += last[i * n + m] * last[m * n + j];
                e[k * n * n + i * n + j] = sum;
            }
    }
    return e;
}

// How much the diodes contradict their state, and which do.
static double contradiction(const Leaky *q, unsigned on, const double *z, unsigned *wrong)
{
    double v[NODES], i[BRANCHES], sum = 0.0;
    currents(q->circuit, on, z, v, i);
    *wrong = 0;
    for (int k = 0; k < q->circuit->branches; k++) {
        const bool is_on = on >> k & 1u;
        const double much = is_on ? -i[k] : i[k] / q->circuit->leak;
        if (!(q->diodes >> k & 1u) || much <= q->tolerated)
            continue;
        *wrong |= 1u << k;
        sum += much;
    }
    return sum;
}

// Diodes whose current is a coil's are turned where they contradict; all others follow at once:
// that set of them which contradicts least.
static void turn(Leaky *q)
{
    unsigned wrong, coils = 0;
    contradiction(q, q->on, q->z, &wrong);
    for (int k = 0; k < q->circuit->branches; k++)
        if (q->circuit->branch[k].has & L)
            coils |= 1u << k;
    q->on ^= wrong & coils;
    const unsigned free_ = q->diodes & ~coils, held = q->on & ~free_;
    double least = INFINITY;
    for (unsigned set = free_;; set = (set - 1u) & free_) {
        unsigned ignored;
        const double much = contradiction(q, held | set, q->z, &ignored);
        if (much < least) {
            least = much;
            q->on = held | set;
        }
        if (set == 0)
            break;
    }
}

// Where no set of diodes agrees with rounding, each turn comes to nothing, and the shortest steps
// would never end: a thousand of them make the tolerance ten times larger. It stays far below the
// bound of the comparison.
static const double wearier = 1.0023, most_tolerated = 1e-6;

// To a time; steps grow while every diode agrees.
static void follow(Leaky *q, double to)
{
    const int n = q->size;
    int level = 0;
    while (q->t + shortest <= to) {
        while (level > 0 && q->t + ldexp(shortest, level) > to)
            level--;
        double z[SIZE];
        unsigned wrong;
        matrix_apply(n, steps_of(q, q->on) + level * n * n, q->z, q->z, z);
        const bool agrees = contradiction(q, q->on, z, &wrong) == 0.0;
        if (!agrees && level > 0) {
            level--;
            continue;
        }
        q->t += ldexp(shortest, level);
        memcpy(q->z, z, sizeof z);
        if (!agrees) {
            turn(q);
            q->tolerated = fmin(q->tolerated * wearier, most_tolerated);
        }
        level = agrees && level < LEVELS - 1 ? level + 1 : level;
    }
    q->t = to;
}

static void set_switches(Leaky *q)
{
    for (int k = 0; k < q->circuit->branches; k++) {
        const Branch *b = &q->circuit->branch[k];
        if (!(b->has & S))
            continue;
        q->on &= ~(1u << k);
        for (int j = 0; j < b->phases; j++)
            if (q->t > b->closes[j] - 1e-9 && q->t < b->opens[j] - 1e-9)
                q->on |= 1u << k;
    }
    turn(q);
}

static void leaky_begin(Leaky *q, const Circuit *n)
{
    memset(q, 0, sizeof *q);
    q->circuit = n;
    q->tolerated = 1e-9;
    q->size = 2 * n->branches + 3;
    for (int k = 0; k < n->branches; k++) {
        q->z[2 * k] = n->branch[k].i_start;
        q->z[2 * k + 1] = n->branch[k].u_start;
        q->diodes |= n->branch[k].has & D ? 1u << k : 0u;
    }
    q->z[2 * n->branches + 1] = 1.0;
    q->z[2 * n->branches + 2] = 1.0;
    set_switches(q);
}

// Goes on to a sample, with the switches on the way (they act at tenths of a second).
static void follow_to_sample(Leaky *q, double to)
{
    for (int tenth = (int)floor(q->t * 10.0 + 1e-6) + 1; tenth / 10.0 < to; tenth++) {
        follow(q, tenth / 10.0);
        set_switches(q);
    }
    follow(q, to);
}

static void leaky_end(Leaky *q)
{
    for (int k = 0; k < 1 << BRANCHES; k++)
        free(q->steps[k]);
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

enum { SAMPLES = 20 };

typedef struct Expected {
    double i[SAMPLES][BRANCHES], u[SAMPLES][BRANCHES];
    double size; // of the largest
} Expected;

static void expect(const Circuit *n, Expected *x)
{
    Leaky q;
    leaky_begin(&q, n);
    x->size = 1.0;
    for (int s = 0; s < SAMPLES; s++) {
        double v[NODES];
        follow_to_sample(&q, (s + 1) * sample_interval);
        currents(n, q.on, q.z, v, x->i[s]);
        for (int k = 0; k < n->branches; k++) {
            x->u[s][k] = q.z[2 * k + 1];
            x->size = fmax(x->size, fmax(fabs(x->u[s][k]), fabs(x->i[s][k])));
        }
    }
    leaky_end(&q);
}

// What leaks changes the values by about leak times 20 ohm, relatively, and by that of what has
// piled up before: 1e-5; a diode or switch in the wrong state changes them by their size.
static const double bound = 2e-4;

static bool is_near(double value, double right, const Expected *x, char *reason, const char *name,
                    double t)
{
    if (fabs(value - right) <= bound * x->size)
        return true;
    snprintf(reason, REASON_SIZE, "%s = %.8g at %.6g, right is %.8g", name, value, t, right);
    return false;
}

static Outcome compare(const Circuit *n, const Expected *x, const Attempt *a, char *reason)
{
    int s = 0;
    for (long row = 0; row < attempt_rows(a); row++) {
        const double t = attempt_row(a, row).t;
        if (s == SAMPLES || fabs(t - ((s + 1) * sample_interval)) > 1e-9)
            continue;
        for (int k = 0; k < n->branches; k++) {
            char name[16];
            snprintf(name, sizeof name, "i%d", k);
            if (!is_near(attempt_value(a, name, row), x->i[s][k], x, reason, name, t))
                return OUTCOME_WRONG;
            snprintf(name, sizeof name, "u%d", k);
            if (n->branch[k].has & C &&
                !is_near(attempt_value(a, name, row), x->u[s][k], x, reason, name, t))
                return OUTCOME_WRONG;
        }
        s++;
    }
    if (s < SAMPLES)
        snprintf(reason, REASON_SIZE, "only %d samples", s);
    return s == SAMPLES ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

// What is fixed at the start may be impossible: a coil's current that only blocked ways lead on.
// The reference ends it at once, in the time that a leak takes; a model must not begin with it.
static bool is_impossible(const Circuit *n)
{
    static const double at_once = 1e-4;
    Leaky q;
    leaky_begin(&q, n);
    follow(&q, at_once);
    double most = 0.0;
    for (int k = 0; k < n->branches; k++)
        if (n->branch[k].has & L)
            most = fmax(most, fabs(q.z[2 * k] - n->branch[k].i_start));
    leaky_end(&q);
    return most > 0.1;
}

// Refused at the start, by whichever solver.
static Outcome try_impossible(Attempt *a, char *reason)
{
    const AttemptDef def = {SALTUS_SOLVER_DOPRI5, stop_time, 1e-8, sample_interval, 0.0, 0.0};
    if (!attempt_run(a, &def) && strstr(attempt_message(a), "t = 0:"))
        return OUTCOME_RIGHT;
    snprintf(reason, REASON_SIZE, "begins with a current that cannot be");
    return OUTCOME_WRONG;
}

static Outcome try_circuit(const void *data, const char *text, char reason[REASON_SIZE])
{
    const Circuit *n = data;
    Expected x;
    expect(n, &x);
    Attempt *a = attempt_begin(text);
    const bool has_start = n->form == LEAKING || !is_impossible(n);
    Outcome outcome = has_start ? OUTCOME_RIGHT : try_impossible(a, reason);
    for (int k = 0; k < ATTEMPT_SOLVERS && outcome == OUTCOME_RIGHT && has_start; k++) {
        // what leaks is stiff
        if (n->form == LEAKING && attempt_solvers[k] != SALTUS_SOLVER_RODAS &&
            attempt_solvers[k] != SALTUS_SOLVER_CVODE && attempt_solvers[k] != SALTUS_SOLVER_IDA)
            continue;
        const AttemptDef def = {attempt_solvers[k], stop_time, 1e-8, sample_interval, 0.0, 0.0};
        if (attempt_run(a, &def)) {
            outcome = compare(n, &x, a, reason);
            if (outcome != OUTCOME_RIGHT)
                attempt_blame(a, reason, REASON_SIZE);
        } else {
            attempt_explain(a, reason, REASON_SIZE);
            outcome = OUTCOME_REFUSED;
        }
    }
    attempt_end(a);
    return outcome;
}

static void try_family(const Family *family)
{
    Tally tally = tally_begin(&family->requirement);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        const Circuit n = make_circuit(seed, family);
        write_model(&text, &n);
        tally_try(&tally, seed, try_circuit, &n, text.text);
    }
    tally_end(&tally);
}

static void test_parametric(void **state)
{
    (void)state;
    try_family(&parametric);
}

static void test_automaton(void **state)
{
    (void)state;
    try_family(&automaton);
}

static void test_textbook(void **state)
{
    (void)state;
    try_family(&textbook);
}

static void test_parametric_at_zeros(void **state)
{
    (void)state;
    try_family(&parametric_at_zeros);
}

static void test_automaton_at_zeros(void **state)
{
    (void)state;
    try_family(&automaton_at_zeros);
}

static void test_leaking(void **state)
{
    (void)state;
    try_family(&leaking);
}

static void test_either(void **state)
{
    (void)state;
    try_family(&either);
}

static void test_either_at_zeros(void **state)
{
    (void)state;
    try_family(&either_at_zeros);
}

static void test_mixed(void **state)
{
    (void)state;
    try_family(&mixed);
}

static void test_smaller(void **state)
{
    (void)state;
    try_family(&smaller);
}

static void test_halves(void **state)
{
    (void)state;
    try_family(&halves);
}

static void test_projected(void **state)
{
    (void)state;
    try_family(&projected);
}

static void test_apart(void **state)
{
    (void)state;
    try_family(&apart);
}

static void test_magnitude(void **state)
{
    (void)state;
    try_family(&magnitude);
}

static void test_beside(void **state)
{
    (void)state;
    try_family(&beside);
}

static void test_twice(void **state)
{
    (void)state;
    try_family(&twice);
}

static void test_three(void **state)
{
    (void)state;
    try_family(&three);
}

static void test_factor(void **state)
{
    (void)state;
    try_family(&factor);
}

static void test_gated(void **state)
{
    (void)state;
    try_family(&gated);
}

static void test_either_expression(void **state)
{
    (void)state;
    try_family(&either_expression);
}

static void test_either_expression_at_zeros(void **state)
{
    (void)state;
    try_family(&either_expression_at_zeros);
}

// A coil's current that has decayed to rounding behind a diode that leaks makes no events: there
// are 14, and some by rounding where a switch acts; in the noise there were thousands.
static void test_decayed(void **state)
{
    (void)state;
    static Writing text;
    const Circuit n = make_circuit(44, &leaking);
    write_model(&text, &n);
    Attempt *a = attempt_begin(text.text);
    for (int k = 0; k < ATTEMPT_SOLVERS; k++) {
        if (attempt_solvers[k] != SALTUS_SOLVER_RODAS && attempt_solvers[k] != SALTUS_SOLVER_CVODE)
            continue;
        const AttemptDef def = {attempt_solvers[k], stop_time, 1e-8, sample_interval, 0.0, 0.0};
        assert_true(attempt_run(a, &def));
        assert_in_range(attempt_events(a), 14, 80);
    }
    attempt_end(a);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parametric),
        cmocka_unit_test(test_automaton),
        cmocka_unit_test(test_textbook),
        cmocka_unit_test(test_parametric_at_zeros),
        cmocka_unit_test(test_automaton_at_zeros),
        cmocka_unit_test(test_leaking),
        cmocka_unit_test(test_either),
        cmocka_unit_test(test_either_at_zeros),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_smaller),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_projected),
        cmocka_unit_test(test_magnitude),
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_three),
        cmocka_unit_test(test_factor),
        cmocka_unit_test(test_gated),
        cmocka_unit_test(test_either_expression),
        cmocka_unit_test(test_either_expression_at_zeros),
        cmocka_unit_test(test_decayed),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
