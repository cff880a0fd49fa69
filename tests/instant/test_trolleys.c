// SPDX-License-Identifier: MIT
//
// Random rows of two to four trolleys on a rail between springs: buffers and couplings without
// restitution, dry friction on the rail or between neighbours that is pressed all the time or for
// some of it, forces that swing. Each kind is written in several ways. Friction does not depend on
// what buffers press, so that the speeds are the only ones. The reference is Moreau's time
// stepping: each short step ends with speeds that agree with all buffers, couplings and frictions,
// found by trying all combinations.

#include "instant/attempt.h"
#include "instant/chance.h"
#include "instant/matrix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef enum Way { FIRST, SECOND, THIRD, ANY, WAYS } Way;

// How many may be refused today, and in the end; none may be wrong.
static const Requirement requirements[] = {
    [FIRST] = {"trolleys, automata and sign", 12, 0, 0, {0}, {14, 92, 124, 133}},
    [SECOND] = {"trolleys, parametric and if", 12, 0, 0, {0}, {14, 124, 133}},
    [THIRD] = {"trolleys, min and parametric", 12, 0, 0, {0}, {133}},
    [ANY] = {"trolleys, mixture", 12, 0, 0, {0}, {0}},
};

enum { TROLLEYS = 4, LAWS = 4, SAMPLES = 14 };
static const double stop_time = 2.9, sample_interval = 0.2;

typedef enum Kind { NONE, BUFFER, COUPLING, FRICTION } Kind;

// Between trolleys a and b; b is -1: the rail. A buffer keeps x_b - x_a >= length, a coupling <=.
typedef struct Law {
    Kind kind;
    int a, b;
    double length, force, from, to;
    Way way;
} Law;

typedef struct Row {
    int trolleys, laws;
    double mass[TROLLEYS], spring[TROLLEYS], damping[TROLLEYS], at[TROLLEYS], x[TROLLEYS],
        v[TROLLEYS];
    double force[TROLLEYS], amplitude[TROLLEYS], w[TROLLEYS];
    Law law[LAWS];
} Row;

static Row make_row(int seed, Way way)
{
    Chance c = chance_from(11000u + (uint64_t)seed);
    Row n = {.trolleys = 2 + chance_below(&c, TROLLEYS - 1)};
    for (int i = 0; i < n.trolleys; i++) {
        n.mass[i] = chance_rounded(&c, 0.3, 3.0);
        n.spring[i] = chance_is(&c, 0.6) ? chance_rounded(&c, 1.0, 40.0) : 0.0;
        n.damping[i] = chance_is(&c, 0.5) ? chance_rounded(&c, 0.1, 1.0) : 0.0;
        n.at[i] = i + chance_rounded(&c, -0.8, 0.8);
        n.x[i] = i + chance_rounded(&c, -0.3, 0.3);
        n.v[i] = chance_rounded(&c, -3.0, 3.0);
        n.force[i] = chance_rounded(&c, -3.0, 3.0);
        n.amplitude[i] = chance_is(&c, 0.6) ? chance_rounded(&c, 1.0, 10.0) : 0.0;
        n.w[i] = chance_rounded(&c, 1.0, 10.0);
    }
    n.laws = 2 + chance_below(&c, LAWS - 1);
    bool is_taken[TROLLEYS][FRICTION + 1] = {{false}};
    for (int k = 0; k < n.laws; k++) {
        Law *l = &n.law[k];
        l->kind = BUFFER + (Kind)chance_below(&c, 3);
        l->a = chance_below(&c, n.trolleys);
        l->b = l->a + 1 < n.trolleys ? l->a + 1 : -1;
        if (l->kind == FRICTION && chance_is(&c, 0.6))
            l->b = -1;
        if (is_taken[l->a][l->kind]) {
            k--;
            if (chance_is(&c, 0.02))
                n.laws--;
            continue;
        }
        is_taken[l->a][l->kind] = true;
        // a buffer of the last is at the end of the rail
        const double gap = l->b < 0 ? 0.0 : n.x[l->b] - n.x[l->a];
        if (l->kind == BUFFER)
            l->length = l->b < 0 ? n.x[l->a] + chance_rounded(&c, 0.05, 0.5)
                                 : gap * chance_rounded(&c, 0.2, 0.9);
        if (l->kind == COUPLING)
            l->length = l->b < 0 ? n.x[l->a] - chance_rounded(&c, 0.05, 0.5)
                                 : gap * chance_rounded(&c, 1.1, 1.6);
        l->length = round(1e4 * l->length) / 1e4;
        l->force = chance_rounded(&c, 0.5, 8.0);
        l->from = -1.0;
        l->to = 100.0;
        if (chance_is(&c, 0.4)) {
            l->from = 0.1 * (1 + chance_below(&c, 15));
            l->to = l->from + 0.1 * (1 + chance_below(&c, 12));
        }
        l->way = way == ANY ? (Way)chance_below(&c, 3) : way;
    }
    return n;
}

// gap g# >= 0 with force f# >= 0; friction f# with speed s#
static const char *const unilateral[] = {
    [FIRST] = ("  on# = if pre(on#) then f# > 0 else g# <= 0;\n  if on# then g# = 0; else f# = 0; "
               "end if;\n"),
    [SECOND] = "  off# = p# > 0;\n  if off# then g# = p#; f# = 0; else g# = 0; f# = -p#; end if;\n",
    [THIRD] = "  0 = min(g#, f#);\n",
};
static const char *const unilateral_variables[] = {
    [FIRST] = "  Boolean on#(start = false, fixed = true);\n",
    [SECOND] = "  Boolean off#(start = true); Real p#;\n",
    [THIRD] = "",
};
static const char *const friction[] = {
    [FIRST] = "  f# = -h#*sign(s#);\n",
    [SECOND] = "  f# = if s# > 0 then -h# else h#;\n",
    [THIRD] = ("  s# = if q# > 1 then q# - 1 elseif q# < -1 then q# + 1 else 0;\n"
               "  f# = -h#*(if q# > 1 then 1 elseif q# < -1 then -1 else q#);\n"),
};

static void write_numbered(Writing *w, const char *text, int k)
{
    for (const char *c = text; *c; c++)
        if (*c == '#')
            writing_add(w, "%d", k);
        else
            writing_add(w, "%c", *c);
}

static void write_law(Writing *w, const Law *l, int k)
{
    if (l->kind == FRICTION) {
        writing_add(w, "  s%d = v%d", k, l->a);
        if (l->b >= 0)
            writing_add(w, " - v%d", l->b);
        writing_add(w, ";\n  h%d = if time > %.1f and time < %.1f then %.2f else 0;\n", k, l->from,
                    l->to, l->force);
        write_numbered(w, friction[l->way], k);
        return;
    }
    const char *sign = l->kind == BUFFER ? "" : "-";
    if (l->b < 0)
        writing_add(w, "  g%d = %s(%.4f - x%d);\n", k, sign, l->length, l->a);
    else
        writing_add(w, "  g%d = %s(x%d - x%d - (%.4f));\n", k, sign, l->b, l->a, l->length);
    write_numbered(w, unilateral[l->way], k);
}

// The derivative of a gap or of the speed of friction by the speed of a trolley.
static double direction(const Law *l, int i)
{
    const double one = l->kind == COUPLING || l->kind == FRICTION ? 1.0 : -1.0;
    return i == l->a ? one : i == l->b ? -one : 0.0;
}

static void write_model(Writing *w, const Row *n)
{
    writing_clear(w);
    writing_add(w, "model Trolleys\n");
    for (int i = 0; i < n->trolleys; i++)
        writing_add(w, "  Real x%d(start = %.2f, fixed = true), v%d(start = %.2f, fixed = true);\n",
                    i, n->x[i], i, n->v[i]);
    for (int k = 0; k < n->laws; k++) {
        const Law *l = &n->law[k];
        writing_add(w, "  Real f%d, %c%d;\n", k, l->kind == FRICTION ? 's' : 'g', k);
        if (l->kind != FRICTION) {
            write_numbered(w, unilateral_variables[l->way], k);
            continue;
        }
        writing_add(w, "  Real h%d;\n", k);
        if (l->way == THIRD)
            writing_add(w, "  Real q%d;\n", k);
    }
    writing_add(w, "equation\n");
    for (int i = 0; i < n->trolleys; i++) {
        writing_add(w,
                    "  der(x%d) = v%d;\n  %.2f*der(v%d) = %.2f + %.2f*sin(%.2f*time) - %.2f*(x%d - "
                    "(%.2f)) - %.2f*v%d",
                    i, i, n->mass[i], i, n->force[i], n->amplitude[i], n->w[i], n->spring[i], i,
                    n->at[i], n->damping[i], i);
        for (int k = 0; k < n->laws; k++) {
            const double d = direction(&n->law[k], i);
            if (d != 0.0)
                writing_add(w, " %c f%d", d > 0.0 ? '+' : '-', k);
        }
        writing_add(w, ";\n");
    }
    for (int k = 0; k < n->laws; k++)
        write_law(w, &n->law[k], k);
    writing_add(w, "end Trolleys;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

typedef struct Motion {
    const Row *row;
    double t, x[TROLLEYS], v[TROLLEYS];
    int side[LAWS];
} Motion;

static double gap_of(const Motion *m, const Law *l)
{
    const double g = l->b < 0 ? l->length - m->x[l->a] : m->x[l->b] - m->x[l->a] - l->length;
    return l->kind == BUFFER ? g : -g;
}

static double pressed(const Law *l, double t)
{
    return t > l->from && t < l->to ? l->force : 0.0;
}

// Impulses of a combination; unilateral: side 1 acts; friction: -1, 0 sticks, 1.
static double contradiction(int laws, const Law *law, double w[LAWS][LAWS], const double *free_,
                            const double *most, const int *side, double *y)
{
    double a[LAWS * LAWS], b[LAWS];
    for (int i = 0; i < laws; i++) {
        const bool is_free = law[i].kind == FRICTION ? side[i] == 0 : side[i] != 0;
        b[i] = is_free ? -free_[i] : law[i].kind == FRICTION ? -side[i] * most[i] : 0.0;
        for (int j = 0; j < laws; j++)
            a[i * laws + j] = is_free ? w[i][j] : i == j;
    }
    if (!matrix_solve(laws, 1, a, b, 1e-12))
        return INFINITY;
    double worst = 0.0;
    for (int i = 0; i < laws; i++) {
        double s = free_[i];
        for (int j = 0; j < laws; j++)
            s += w[i][j] * b[j];
        y[i] = b[i];
        if (law[i].kind == FRICTION)
            worst = fmax(worst, side[i] ? -s * side[i] : (fabs(b[i]) - most[i]));
        else if (most[i] > 0.0)
            worst = fmax(worst, side[i] ? -b[i] : -s);
        else if (side[i])
            return INFINITY;
    }
    return worst;
}

static void motion_step(Motion *m, double h)
{
    const Row *n = m->row;
    double w[LAWS][LAWS], free_[LAWS], most[LAWS], y[LAWS] = {0};
    for (int i = 0; i < n->trolleys; i++)
        m->x[i] += 0.5 * h * m->v[i];
    const double t = m->t + 0.5 * h;
    for (int i = 0; i < n->trolleys; i++)
        m->v[i] += h *
                   (n->force[i] + n->amplitude[i] * sin(n->w[i] * t) -
                    n->spring[i] * (m->x[i] - n->at[i]) - n->damping[i] * m->v[i]) /
                   n->mass[i];
    int all = 1;
    for (int k = 0; k < n->laws; k++) {
        const Law *l = &n->law[k];
        free_[k] = 0.0;
        for (int i = 0; i < n->trolleys; i++)
            free_[k] += direction(l, i) * m->v[i];
        for (int j = 0; j < n->laws; j++) {
            w[k][j] = 0.0;
            for (int i = 0; i < n->trolleys; i++)
                w[k][j] += direction(l, i) * direction(&n->law[j], i) / n->mass[i];
        }
        most[k] = l->kind == FRICTION ? h * pressed(l, t) : gap_of(m, l) <= 0.0;
        all *= 3;
    }
    double least = contradiction(n->laws, n->law, w, free_, most, m->side, y);
    for (int number = 0; number < all && least > 1e-12; number++) {
        int side[LAWS], rest = number;
        double tried[LAWS];
        for (int k = 0; k < n->laws; k++, rest /= 3)
            side[k] = rest % 3 - 1;
        const double much = contradiction(n->laws, n->law, w, free_, most, side, tried);
        if (much < least) {
            least = much;
            memcpy(m->side, side, sizeof side);
            memcpy(y, tried, sizeof y);
        }
    }
    for (int k = 0; k < n->laws; k++)
        for (int i = 0; i < n->trolleys; i++)
            m->v[i] += direction(&n->law[k], i) * y[k] / n->mass[i];
    for (int i = 0; i < n->trolleys; i++)
        m->x[i] += 0.5 * h * m->v[i];
    m->t += h;
}

typedef struct Expected {
    double x[SAMPLES][TROLLEYS], v[SAMPLES][TROLLEYS], size;
} Expected;

static void expect(const Row *n, int steps, Expected *x)
{
    Motion m = {.row = n};
    memcpy(m.x, n->x, sizeof m.x);
    memcpy(m.v, n->v, sizeof m.v);
    x->size = 1.0;
    const double h = sample_interval / steps;
    for (int s = 0; s < SAMPLES; s++) {
        for (int k = 0; k < steps; k++) {
            m.t = s * sample_interval + k * h;
            motion_step(&m, h);
        }
        for (int i = 0; i < n->trolleys; i++) {
            x->x[s][i] = m.x[i];
            x->v[s][i] = m.v[i];
            x->size = fmax(x->size, fmax(fabs(m.x[i]), fabs(m.v[i])));
        }
    }
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

// Between samples. An impact or the end of a friction is found up to one step, in which speeds
// change by no more than some ten times what the forces make of it. But a contact that is nearly
// grazed is found much later by larger steps: who differs is compared with smaller ones.
enum { STEPS = 4000, MOST_STEPS = 400000 };
static const double steps_of_error = 40.0;

static Outcome compare(const Row *n, const Expected *x, double bound, const Attempt *a,
                       char *reason)
{
    int s = 0;
    for (long row = 0; row < attempt_rows(a); row++) {
        const double t = attempt_row(a, row).t;
        if (s == SAMPLES || fabs(t - ((s + 1) * sample_interval)) > 1e-9)
            continue;
        for (int i = 0; i < 2 * n->trolleys; i++) {
            char name[16];
            const int k = i / 2;
            snprintf(name, sizeof name, i % 2 ? "v%d" : "x%d", k);
            const double value = attempt_value(a, name, row),
                         right = i % 2 ? x->v[s][k] : x->x[s][k];
            if (fabs(value - right) <= bound)
                continue;
            snprintf(reason, REASON_SIZE, "%s = %.8g at %.6g, right is %.8g (bound %.2g)", name,
                     value, t, right, bound);
            return OUTCOME_WRONG;
        }
        s++;
    }
    if (s < SAMPLES)
        snprintf(reason, REASON_SIZE, "only %d samples", s);
    return s == SAMPLES ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

// Its error is of first order: what two step sizes differ by is that of the finer one.
static double refer(const Row *n, int steps, Expected *x)
{
    Expected coarse;
    expect(n, steps / 2, &coarse);
    expect(n, steps, x);
    double differ = 0.0;
    for (int s = 0; s < SAMPLES; s++)
        for (int i = 0; i < n->trolleys; i++)
            differ = fmax(
                differ, fmax(fabs(coarse.x[s][i] - x->x[s][i]), fabs(coarse.v[s][i] - x->v[s][i])));
    return 4.0 * differ + steps_of_error * sample_interval / steps * x->size;
}

static Outcome try_row(const void *data, const char *text, char reason[REASON_SIZE])
{
    const Row *n = data;
    Expected x;
    int steps = STEPS;
    double bound = refer(n, steps, &x);
    Attempt *a = attempt_begin(text);
    Outcome outcome = OUTCOME_RIGHT;
    for (int k = 0; k < ATTEMPT_SOLVERS && outcome == OUTCOME_RIGHT; k++) {
        const AttemptDef def = {attempt_solvers[k], stop_time, 1e-9, sample_interval, 0.0, 0.0};
        if (attempt_run(a, &def)) {
            outcome = compare(n, &x, bound, a, reason);
            while (outcome == OUTCOME_WRONG && steps < MOST_STEPS) {
                steps *= 10;
                bound = refer(n, steps, &x);
                outcome = compare(n, &x, bound, a, reason);
            }
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

static void try_way(Way way)
{
    Tally tally = tally_begin(&requirements[way]);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        const Row n = make_row(seed, way);
        write_model(&text, &n);
        tally_try(&tally, seed, try_row, &n, text.text);
    }
    tally_end(&tally);
}

static void test_first(void **state)
{
    (void)state;
    try_way(FIRST);
}

static void test_second(void **state)
{
    (void)state;
    try_way(SECOND);
}

static void test_third(void **state)
{
    (void)state;
    try_way(THIRD);
}

static void test_any(void **state)
{
    (void)state;
    try_way(ANY);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first),
        cmocka_unit_test(test_second),
        cmocka_unit_test(test_third),
        cmocka_unit_test(test_any),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
