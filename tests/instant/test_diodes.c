// SPDX-License-Identifier: MIT
//
// Ideal diodes straight between the nodes of a network, in loops and in parallel, so that most
// combinations of them cannot be solved: in the parametric form of the Modelica library, without
// and with resistance, leakage and knee voltage, or one of these alone, with zeros in the text, and
// in the branches of if-equations, in several orders and words, with max and min, with a branch for
// zero, with a breakdown, and all words mixed. Random networks of
// nodes with a conductance and a source each, all of which change at one instant. Without
// resistance and leakage the potentials are those of least
//     sum G_i (v_i - e_i)^2  with  v_a <= v_b  for a diode from a to b
// (Millar's content of the resistors), found here by Hildreth's method; with them, of least content
// of all, found by Newton's method, whose steps are cut until the content falls.

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

#include <cmocka.h>

enum { NODES = 20, DIODES = 48 };

typedef enum Form {
    LIBRARY,
    LEAKING,
    KNEE,
    SHORTING,
    OPENING,
    TEXTBOOK,
    BRANCHES,
    BEHIND,
    ORDER,
    WORDS,
    NUMBERS,
    HALVES,
    BESIDE,
    TWICE,
    GATES,
    THREE,
    SMALLER,
    ZENER,
    CHAIN,
    MIXTURE,
    FORMS
} Form;

typedef struct Diode {
    double on, off, knee; // ohm, siemens, volt
    double breakdown;     // volt; 0: none
} Diode;

typedef struct Network {
    int nodes, diodes;
    double conductance[NODES], before[NODES], after[NODES];
    int from[DIODES], to[DIODES];
    Form form;
    Diode diode;
} Network;

static const Diode diodes_of[FORMS] = {
    [LEAKING] = {1e-5, 1e-5, 0.0, 0.0}, [KNEE] = {1e-4, 1e-6, 0.25, 0.0},
    [SHORTING] = {0.0, 1e-5, 0.0, 0.0}, [OPENING] = {1e-5, 0.0, 0.0, 0.0},
    [NUMBERS] = {0.0, 1e-5, 0.0, 0.0},  [ZENER] = {0.0, 0.0, 0.0, 3.0},
    [CHAIN] = {0.0, 0.0, 0.0, 3.0},
};

static Network make_network(int seed, int diodes, Form form)
{
    Chance c = chance_from(77000u + 100u * (uint64_t)diodes + (uint64_t)seed);
    Network n = {.nodes = 3 + diodes / 3, .diodes = diodes};
    for (int i = 0; i < n.nodes; i++) {
        n.conductance[i] = chance_rounded(&c, 0.1, 2.0);
        n.before[i] = chance_rounded(&c, -5.0, 5.0);
        n.after[i] = chance_rounded(&c, -5.0, 5.0);
    }
    for (int k = 0; k < diodes; k++) {
        n.from[k] = chance_below(&c, n.nodes);
        do
            n.to[k] = chance_below(&c, n.nodes);
        while (n.to[k] == n.from[k]);
    }
    n.form = form;
    n.diode = diodes_of[form];
    return n;
}

#define TEXTBOOK_TEXT                                                                              \
    "    v[from[k]] - v[to[k]] = if off[k] then s[k] else 0;\n"                                    \
    "    i[k] = if off[k] then 0 else s[k];\n"

static const char *const diode_texts[FORMS] = {
#define LIBRARY_TEXT                                                                               \
    "    v[from[k]] - v[to[k]] = (s[k]*U)*(if off[k] then 1 else Ron) + Vknee;\n"                  \
    "    i[k] = (s[k]*I)*(if off[k] then Goff else 1) + Goff*Vknee;\n"
    [LIBRARY] = LIBRARY_TEXT,
    [LEAKING] = LIBRARY_TEXT,
    [KNEE] = LIBRARY_TEXT,
    [SHORTING] = LIBRARY_TEXT,
    [OPENING] = LIBRARY_TEXT,
    [TEXTBOOK] = TEXTBOOK_TEXT,
    [BEHIND] = TEXTBOOK_TEXT, // other linear equations, which determine a = 1
    [BRANCHES] = "    if off[k] then v[from[k]] - v[to[k]] = s[k]; i[k] = 0;\n"
                 "    else v[from[k]] - v[to[k]] = 0; i[k] = s[k]; end if;\n",
    [ORDER] = "    if s[k] >= 0 then v[from[k]] - v[to[k]] = 0; s[k] = i[k];\n"
              "    else 0 = i[k]; v[from[k]] - v[to[k]] = s[k]; end if;\n",
    [WORDS] = "    v[from[k]] - v[to[k]] = if s[k] >= 0 then 0 else s[k];\n"
              "    i[k] = if not (s[k] < 0) then s[k] else 0;\n",
    [NUMBERS] = "    v[from[k]] - v[to[k]] = if off[k] then s[k] else 0;\n"
                "    i[k] = if off[k] then 1e-5*s[k] else s[k];\n",
    [HALVES] = "    i[k] = max(0, s[k]);\n    v[from[k]] - v[to[k]] = s[k] - max(0, s[k]);\n",
    [SMALLER] = "    0 = min(i[k], v[to[k]] - v[from[k]]);\n    s[k] = i[k];\n",
    [BESIDE] = "    0 = if off[k] then i[k] else v[from[k]] - v[to[k]];\n"
               "    if off[k] then s[k] = v[from[k]] - v[to[k]]; else s[k] = i[k]; end if;\n",
    [TWICE] = "    if off[k] then i[k] = 0; else v[from[k]] - v[to[k]] = 0; end if;\n"
              "    if off[k] then s[k] = v[from[k]] - v[to[k]]; else s[k] = i[k]; end if;\n",
    [THREE] = "    if s[k] > 0 then v[from[k]] - v[to[k]] = 0; i[k] = s[k];\n"
              "    elseif s[k] < 0 then v[from[k]] - v[to[k]] = s[k]; i[k] = 0;\n"
              "    else v[from[k]] - v[to[k]] = 0; i[k] = 0; end if;\n",
    [ZENER] = "    if s[k] > 0 then v[from[k]] - v[to[k]] = 0; i[k] = s[k];\n"
              "    elseif s[k] < -Vz then v[from[k]] - v[to[k]] = -Vz; i[k] = s[k] + Vz;\n"
              "    else v[from[k]] - v[to[k]] = s[k]; i[k] = 0; end if;\n",
    [CHAIN] = "    v[from[k]] - v[to[k]] = if s[k] < -Vz then -Vz elseif off[k] then s[k] else 0;\n"
              "    i[k] = if s[k] < -Vz then s[k] + Vz elseif off[k] then 0 else s[k];\n",
    [GATES] = "    g[k] = if s[k] > 0 then 1 else 0;\n"
              "    v[from[k]] - v[to[k]] = s[k]*(1 - g[k]); i[k] = s[k]*g[k];\n",
};

static void write_list(Writing *w, const char *name, const int *nodes, int count)
{
    writing_add(w, "  constant Integer %s[%d] = {", name, count);
    for (int k = 0; k < count; k++)
        writing_add(w, "%s%d", k ? ", " : "", nodes[k] + 1);
    writing_add(w, "};\n");
}

// Of a mixture, each diode in other words.
static void write_diodes(Writing *w, const Network *n)
{
    static const Form mixed[] = {TEXTBOOK, BRANCHES, SMALLER, GATES,  THREE,
                                 HALVES,   ORDER,    WORDS,   BESIDE, TWICE};
    enum { MIXED = sizeof mixed / sizeof *mixed };
    const int loops = n->form == MIXTURE ? n->diodes : 1;
    for (int k = 0; k < loops; k++) {
        const Form form = n->form == MIXTURE ? mixed[(k + n->from[k]) % MIXED] : n->form;
        writing_add(w, "  for k in %d:%d loop\n    off[k] = s[k] < 0;\n%s", k + 1,
                    n->form == MIXTURE ? k + 1 : n->diodes, diode_texts[form]);
        writing_add(w, "%s  end for;\n",
                    n->form == MIXTURE && form != GATES ? "    g[k] = 0;\n" : "");
    }
}

static void write_model(Writing *w, const Network *n)
{
    writing_clear(w);
    writing_add(w,
                "model M\n  parameter Real Ron = %g, Goff = %g, Vknee = %g, Vz = %g;\n"
                "  constant Real U = 1, I = 1;\n"
                "  Real v[%d], s[%d], i[%d];\n  Boolean off[%d];\n",
                n->diode.on, n->diode.off, n->diode.knee, n->diode.breakdown, n->nodes, n->diodes,
                n->diodes, n->diodes);
    if (n->form == GATES || n->form == MIXTURE)
        writing_add(w, "  Real g[%d];\n", n->diodes);
    if (n->form == BEHIND)
        writing_add(w, "  parameter Real p = 2, q = 3;\n  Real a, b, c;\n");
    write_list(w, "from", n->from, n->diodes);
    write_list(w, "to", n->to, n->diodes);
    writing_add(w, "equation\n");
    write_diodes(w, n);
    if (n->form == BEHIND)
        writing_add(w, "  p*a + b + c = p + 2 + time; a + q*b - c = q*(1 + time);\n"
                       "  a - b + p*q*c = p*q - time;\n");
    for (int a = 0; a < n->nodes; a++) {
        writing_add(w, "  %.17g*(%s(if time < 1 then %.17g else %.17g) - v[%d])", n->conductance[a],
                    n->form == BEHIND ? "a*" : "", n->before[a], n->after[a], a + 1);
        for (int k = 0; k < n->diodes; k++)
            if (n->from[k] == a || n->to[k] == a)
                writing_add(w, " %c i[%d]", n->from[k] == a ? '-' : '+', k + 1);
        writing_add(w, " = 0;\n");
    }
    writing_add(w, "end M;\n");
}

// C. Hildreth: A quadratic programming procedure, Naval Research Logistics Quarterly 4, 1957.
static void find_ideal(const Network *n, const double *e, double *v)
{
    double current[DIODES] = {0};
    for (int i = 0; i < n->nodes; i++)
        v[i] = e[i];
    for (int sweep = 0; sweep < 200000; sweep++) {
        double most = 0.0;
        for (int k = 0; k < n->diodes; k++) {
            const int a = n->from[k], b = n->to[k];
            const double r = 1.0 / n->conductance[a] + 1.0 / n->conductance[b];
            const double open = v[a] - v[b] + r * current[k]; // the voltage without it
            const double beyond = open + n->diode.breakdown;
            const double now = open >= 0.0 ? open / r
                               : n->diode.breakdown > 0.0 && beyond < 0.0
                                   ? beyond / r
                                   : open / (1.0 / n->diode.off + r);
            v[a] -= (now - current[k]) / n->conductance[a];
            v[b] += (now - current[k]) / n->conductance[b];
            most = fmax(most, fabs(now - current[k]));
            current[k] = now;
        }
        if (most < 1e-14)
            break;
    }
}

// The content, its gradient and its second derivatives; these may be NULL.
static double content_of(const Network *n, const double *e, const double *v, double *gradient,
                         double *second)
{
    const Diode *d = &n->diode;
    double sum = 0.0;
    for (int i = 0; i < n->nodes; i++) {
        const double u = v[i] - e[i];
        sum += 0.5 * n->conductance[i] * u * u;
        if (gradient)
            gradient[i] = n->conductance[i] * u;
        if (second)
            second[i * n->nodes + i] = n->conductance[i];
    }
    for (int k = 0; k < n->diodes; k++) {
        const int a = n->from[k], b = n->to[k];
        const double u = v[a] - v[b] - d->knee, slope = u < 0.0 ? d->off : 1.0 / d->on;
        const double current = slope * u + d->off * d->knee;
        sum += u * (0.5 * slope * u + d->off * d->knee);
        if (!gradient)
            continue;
        gradient[a] += current;
        gradient[b] -= current;
        second[a * n->nodes + a] += slope;
        second[b * n->nodes + b] += slope;
        second[a * n->nodes + b] -= slope;
        second[b * n->nodes + a] -= slope;
    }
    return sum;
}

// The content is convex and quadratic in pieces: a full step inside the last piece is the end.
static void find_leaking(const Network *n, const double *e, double *v)
{
    double step[NODES], second[NODES * NODES], next[NODES];
    for (int i = 0; i < n->nodes; i++)
        v[i] = e[i];
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < n->nodes * n->nodes; i++)
            second[i] = 0.0;
        const double content = content_of(n, e, v, step, second);
        assert_true(matrix_solve(n->nodes, 1, second, step, 0.0));
        double most = 0.0, part = 1.0;
        for (int cut = 0; cut < 60; cut++, part *= 0.5) {
            for (int i = 0; i < n->nodes; i++)
                next[i] = v[i] - part * step[i];
            if (content_of(n, e, next, NULL, NULL) <= content)
                break;
        }
        for (int i = 0; i < n->nodes; i++) {
            most = fmax(most, fabs(next[i] - v[i]));
            v[i] = next[i];
        }
        if (most < 1e-12)
            return;
    }
    fail_msg("the reference does not end");
}

static void find_potentials(const Network *n, const double *e, double *v)
{
    if (n->diode.on > 0.0)
        find_leaking(n, e, v);
    else
        find_ideal(n, e, v);
}

// Both methods end within 1e-9; the run has rounding only.
static Outcome check_potentials(const Attempt *a, const Network *n, char *reason)
{
    double first[NODES], last[NODES];
    find_potentials(n, n->before, first);
    find_potentials(n, n->after, last);
    for (int i = 0; i < n->nodes; i++) {
        char name[16];
        snprintf(name, sizeof name, "v[%d]", i + 1);
        const double before = attempt_value(a, name, 0), after = attempt_last(a, name);
        if (fabs(before - first[i]) <= 1e-7 && fabs(after - last[i]) <= 1e-7)
            continue;
        snprintf(reason, REASON_SIZE, "%s = %g, %g, not %g, %g", name, before, after, first[i],
                 last[i]);
        return OUTCOME_WRONG;
    }
    return OUTCOME_RIGHT;
}

static Outcome try_network(const void *data, const char *text, char reason[REASON_SIZE])
{
    Attempt *a = attempt_begin(text);
    const AttemptDef def = {SALTUS_SOLVER_DOPRI5, 2.0, 1e-6, 0.0, 0.0, 0.0};
    Outcome outcome = OUTCOME_REFUSED;
    if (attempt_run(a, &def))
        outcome = check_potentials(a, data, reason);
    else
        attempt_explain(a, reason, REASON_SIZE);
    attempt_end(a);
    return outcome;
}

static const char *const form_names[FORMS] = {
    "library", "leaking", "knee",    "shorting", "opening", "textbook", "branches",
    "behind",  "order",   "words",   "numbers",  "halves",  "beside",   "twice",
    "gates",   "three",   "smaller", "zener",    "chain",   "mixture"};

// Of nets of many diodes that break down, some are refused. Some mixtures hung once while they were
// opened: parts of the net had found that a diode needs no mode of its own, and all parts together
// that it does.
static bool is_tried(int diodes, Form form)
{
    return diodes <= (form == ZENER || form == CHAIN ? 6 : DIODES);
}

static void try_networks(int diodes, int cases)
{
    static Writing w;
    for (Form form = LIBRARY; form < FORMS; form++) {
        char name[40];
        int seed;
        if (!is_tried(diodes, form))
            continue;
        snprintf(name, sizeof name, "%d diodes, %s", diodes, form_names[form]);
        const Requirement requirement = {name, cases, 0,
                                         0,    {0},   {form == MIXTURE ? 7 : 0, 22, 39, 48, 56}};
        Tally tally = tally_begin(&requirement);
        while (tally_next(&tally, &seed)) {
            const Network n = make_network(seed, diodes, form);
            write_model(&w, &n);
            tally_try(&tally, seed, try_network, &n, w.text);
        }
        tally_end(&tally);
    }
}

static void three_diodes(void **state)
{
    (void)state;
    try_networks(3, 20);
}

static void six_diodes(void **state)
{
    (void)state;
    try_networks(6, 20);
}

static void twelve_diodes(void **state)
{
    (void)state;
    try_networks(12, 10);
}

static void forty_diodes(void **state)
{
    (void)state;
    try_networks(40, 5);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_diodes),
        cmocka_unit_test(six_diodes),
        cmocka_unit_test(twelve_diodes),
        cmocka_unit_test(forty_diodes),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
