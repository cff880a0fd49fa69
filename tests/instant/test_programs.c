// SPDX-License-Identifier: MIT
//
// Random programs of when-equations over integers: samples and times that coincide (in eighths of a
// second, which are exact), conditions on values that other when-equations have just set or had
// before, vectors of conditions, elsewhen. The reference iterates as section 8.6 of the Modelica
// specification says: all equations in order, then pre takes the new values, until nothing changes;
// a when fires on an edge of a condition.

#include "instant/attempt.h"
#include "instant/chance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// How many may be refused today, and in the end; none may be wrong.
static const Requirement requirement = {"programs", 100, 0, 0, {0}, {0}};

enum { VARIABLES = 6, BRANCHES = 2, CONDITIONS = 2, INSTANTS = 30, ITERATIONS = 60 };

typedef enum Kind { SAMPLE, TIME, VALUE, PREVIOUS, REMAINDER } Kind;

// sample(first/8, period/8), time > first/8, v > limit, pre(v) > limit, mod(v, 3) == limit
typedef struct Condition {
    Kind kind;
    int first, period, variable, limit;
} Condition;

// mod(pre(own) + factor * (v or pre(v)) + add, 23)
typedef struct Branch {
    int conditions;
    Condition condition[CONDITIONS];
    int factor, variable, add;
    bool of_previous;
} Branch;

typedef struct When {
    int branches;
    Branch branch[BRANCHES];
} When;

typedef struct Program {
    int variables;
    When when[VARIABLES];
} Program;

// ---------------------------------------------------------------------------
// Random programs, and their models
// ---------------------------------------------------------------------------

// Current values only of variables before, so that there is an order.
static Condition make_condition(Chance *c, const Program *n, int k)
{
    Condition x = {.kind = (Kind)chance_below(c, k > 0 ? 5 : 2)};
    x.first = 1 + chance_below(c, 20);
    x.period = 1 + chance_below(c, 8);
    x.limit = x.kind == REMAINDER ? 1 + chance_below(c, 2) : chance_below(c, 15);
    x.variable = k == 0 ? 0 : chance_below(c, x.kind == PREVIOUS ? n->variables : k);
    return x;
}

static Program make_program(uint64_t seed)
{
    Chance c = chance_from(8000u + seed);
    Program n = {.variables = 2 + chance_below(&c, VARIABLES - 1)};
    for (int k = 0; k < n.variables; k++) {
        When *w = &n.when[k];
        w->branches = 1 + chance_is(&c, 0.5);
        for (int b = 0; b < w->branches; b++) {
            Branch *x = &w->branch[b];
            x->conditions = 1 + chance_is(&c, 0.4);
            for (int j = 0; j < x->conditions; j++)
                x->condition[j] = make_condition(&c, &n, k);
            x->of_previous = k == 0 || chance_is(&c, 0.5);
            x->variable = chance_below(&c, x->of_previous ? n.variables : k);
            x->factor = 1 + chance_below(&c, 4);
            x->add = 1 + chance_below(&c, 9);
        }
    }
    return n;
}

static void write_condition(Writing *w, const Condition *c)
{
    if (c->kind == SAMPLE)
        writing_add(w, "sample(%.3f, %.3f)", c->first / 8.0, c->period / 8.0);
    else if (c->kind == TIME)
        writing_add(w, "time > %.3f", c->first / 8.0);
    else if (c->kind == VALUE)
        writing_add(w, "v%d > %d", c->variable, c->limit);
    else if (c->kind == PREVIOUS)
        writing_add(w, "pre(v%d) > %d", c->variable, c->limit);
    else
        writing_add(w, "mod(v%d, 3) == %d", c->variable, c->limit);
}

static void write_branch(Writing *w, const Branch *b, int k, const char *word)
{
    writing_add(w, "  %s %s", word, b->conditions > 1 ? "{" : "");
    for (int j = 0; j < b->conditions; j++) {
        writing_add(w, "%s", j ? ", " : "");
        write_condition(w, &b->condition[j]);
    }
    writing_add(w, "%s then\n    v%d = mod(pre(v%d) + %d*%sv%d%s + %d, 23);\n",
                b->conditions > 1 ? "}" : "", k, k, b->factor, b->of_previous ? "pre(" : "",
                b->variable, b->of_previous ? ")" : "", b->add);
}

static void write_model(Writing *w, const Program *n)
{
    writing_clear(w);
    writing_add(w, "model Program\n  Real x(start = 0, fixed = true);\n");
    for (int k = 0; k < n->variables; k++)
        writing_add(w, "  Integer v%d(start = 0, fixed = true);\n", k);
    writing_add(w, "equation\n  der(x) = v%d;\n", n->variables - 1);
    for (int k = 0; k < n->variables; k++) {
        for (int b = 0; b < n->when[k].branches; b++)
            write_branch(w, &n->when[k].branch[b], k, b ? "elsewhen" : "when");
        writing_add(w, "  end when;\n");
    }
    writing_add(w, "end Program;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

typedef struct Memory {
    int value[VARIABLES], previous[VARIABLES];
    bool held[VARIABLES][BRANCHES][CONDITIONS]; // pre of the conditions
} Memory;

// At the instant `eighth`; just after it a sample is false again.
static bool condition_holds(const Condition *c, const Memory *m, int eighth)
{
    switch (c->kind) {
    case SAMPLE:
        return eighth >= c->first && (eighth - c->first) % c->period == 0;
    case TIME:
        return eighth >= c->first;
    case VALUE:
        return m->value[c->variable] > c->limit;
    case PREVIOUS:
        return m->previous[c->variable] > c->limit;
    case REMAINDER:
        return m->value[c->variable] % 3 == c->limit;
    }
    return false;
}

// The first branch with an edge acts; the conditions of all are remembered.
static void pass_when(const Program *n, Memory *m, int k, int eighth)
{
    const Branch *fired = NULL;
    m->value[k] = m->previous[k];
    for (int b = 0; b < n->when[k].branches; b++) {
        const Branch *x = &n->when[k].branch[b];
        for (int j = 0; j < x->conditions; j++) {
            const bool now = condition_holds(&x->condition[j], m, eighth);
            if (now && !m->held[k][b][j] && !fired)
                fired = x;
            m->held[k][b][j] = now;
        }
    }
    if (!fired)
        return;
    const int other = (fired->of_previous ? m->previous : m->value)[fired->variable];
    m->value[k] = (m->previous[k] + fired->factor * other + fired->add) % 23;
}

// false: the iteration does not end.
static bool pass_instant(const Program *n, Memory *m, int eighth)
{
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (int k = 0; k < n->variables; k++)
            pass_when(n, m, k, eighth);
        if (memcmp(m->value, m->previous, sizeof m->value) == 0)
            break;
        memcpy(m->previous, m->value, sizeof m->value);
        if (iteration == ITERATIONS - 1)
            return false;
    }
    for (int k = 0; k < n->variables; k++)
        for (int b = 0; b < n->when[k].branches; b++)
            for (int j = 0; j < n->when[k].branch[b].conditions; j++)
                if (n->when[k].branch[b].condition[j].kind == SAMPLE)
                    m->held[k][b][j] = false;
    return true;
}

typedef struct Expected {
    const Program *of;
    int value[INSTANTS][VARIABLES]; // just after each eighth
    double x[INSTANTS];             // half an eighth later
} Expected;

static bool expect(const Program *n, Expected *e)
{
    Memory m = {0};
    double x = 0.0;
    for (int eighth = 0; eighth < INSTANTS; eighth++) {
        if (eighth > 0 && !pass_instant(n, &m, eighth))
            return false;
        memcpy(e->value[eighth], m.value, sizeof m.value);
        e->x[eighth] = x + m.value[n->variables - 1] / 16.0;
        x += m.value[n->variables - 1] / 8.0;
    }
    return true;
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

static Outcome compare(const void *expected, const Attempt *a, char *reason)
{
    const Expected *e = expected;
    const Program *n = e->of;
    int seen = 0;
    for (long row = 0; row < attempt_rows(a); row++) {
        const double eighths = attempt_row(a, row).t * 8.0;
        const int eighth = (int)floor(eighths);
        if (fabs(eighths - eighth - 0.5) > 1e-6 || eighth >= INSTANTS)
            continue;
        seen++;
        for (int k = 0; k < n->variables; k++) {
            const char name[] = {'v', (char)('0' + k), '\0'};
            const double value = attempt_value(a, name, row);
            if (value == e->value[eighth][k])
                continue;
            snprintf(reason, REASON_SIZE, "%s = %g after %.3f, right is %d", name, value,
                     eighth / 8.0, e->value[eighth][k]);
            return OUTCOME_WRONG;
        }
        if (fabs(attempt_value(a, "x", row) - e->x[eighth]) > 1e-9) {
            snprintf(reason, REASON_SIZE, "x after %.3f", eighth / 8.0);
            return OUTCOME_WRONG;
        }
    }
    if (seen < INSTANTS)
        snprintf(reason, REASON_SIZE, "only %d samples", seen);
    return seen == INSTANTS ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

static Outcome try_program(const void *data, const char *text, char reason[REASON_SIZE])
{
    static Expected e;
    assert_true(expect(data, &e));
    e.of = data;
    const AttemptDef def = {.stop_time = INSTANTS / 8.0, .tolerance = 1e-9, .interval = 0.0625};
    return attempt_by_all(text, def, compare, &e, reason);
}

// The first one of the seed whose iterations end.
static Program make_fair_program(int seed)
{
    Expected e = {0};
    Program n = make_program((uint64_t)seed);
    for (uint64_t k = 1; !expect(&n, &e); k++)
        n = make_program((uint64_t)seed + 100000u * k);
    return n;
}

static void test_programs(void **state)
{
    (void)state;
    Tally tally = tally_begin(&requirement);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        const Program n = make_fair_program(seed);
        write_model(&text, &n);
        tally_try(&tally, seed, try_program, &n, text.text);
    }
    tally_end(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
