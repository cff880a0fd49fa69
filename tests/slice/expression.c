// SPDX-License-Identifier: MIT

#include "slice/expression.h"

#include <math.h>

typedef struct Dual {
    double value, slope;
} Dual;

typedef struct Jet {
    Dual o[ORDERS];
} Jet;

typedef struct Evaluation {
    const Point *point;
    int variable, at; // the slope is taken with respect to v[variable][at]
} Evaluation;

static const double binomial[ORDERS][ORDERS] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};

// sum += factor a b
static void dual_add_product(Dual *sum, double factor, Dual a, Dual b)
{
    sum->value += factor * a.value * b.value;
    sum->slope += factor * (a.value * b.slope + a.slope * b.value);
}

static Jet jet_variable(const Evaluation *how, int variable)
{
    Jet jet;
    for (int o = 0; o < ORDERS; o++)
        jet.o[o] = (Dual){how->point->v[variable][o], how->variable == variable && how->at == o};
    return jet;
}

static Jet jet_sum(Jet a, double sign, Jet b)
{
    for (int o = 0; o < ORDERS; o++) {
        a.o[o].value += sign * b.o[o].value;
        a.o[o].slope += sign * b.o[o].slope;
    }
    return a;
}

// Leibniz: (a b)^(n) = sum over k of binomial(n, k) a^(k) b^(n-k)
static Jet jet_product(const Jet *a, const Jet *b)
{
    Jet jet = {0};
    for (int n = 0; n < ORDERS; n++) {
        for (int k = 0; k <= n; k++)
            dual_add_product(&jet.o[n], binomial[n][k], a->o[k], b->o[n - k]);
    }
    return jet;
}

// s = sin u, c = cos u: s' = c u', c' = -s u', and Leibniz for the higher ones.
static Jet jet_sine(const Jet *u)
{
    double sine = sin(u->o[0].value), cosine = cos(u->o[0].value);
    Jet s = {{{sine, cosine * u->o[0].slope}}}, c = {{{cosine, -sine * u->o[0].slope}}};
    for (int n = 1; n < ORDERS; n++) {
        for (int k = 0; k < n; k++) {
            dual_add_product(&s.o[n], binomial[n - 1][k], c.o[k], u->o[n - k]);
            dual_add_product(&c.o[n], -binomial[n - 1][k], s.o[k], u->o[n - k]);
        }
    }
    return s;
}

// The highest component of der(e) is unknown, and nobody may ask for it.
static Jet jet_derivative(Jet a)
{
    for (int o = 0; o + 1 < ORDERS; o++)
        a.o[o] = a.o[o + 1];
    a.o[ORDERS - 1] = (Dual){NAN, NAN};
    return a;
}

static Jet jet_of(const Expr *e, const Evaluation *how)
{
    const Point *point = how->point;
    Jet a, b;
    switch (e->op) {
    case OP_NUMBER:
        return (Jet){{{e->number, 0.0}}};
    case OP_PARAMETER:
        return (Jet){{{point->p[e->index], 0.0}}};
    case OP_TIME:
        return (Jet){{{point->t, 0.0}, {1.0, 0.0}}};
    case OP_VARIABLE:
        return jet_variable(how, e->index);
    case OP_IF:
        return jet_of(point->flags >> e->index & 1u ? e->a : e->b, how);
    case OP_DER:
        return jet_derivative(jet_of(e->a, how));
    case OP_SIN:
        a = jet_of(e->a, how);
        return jet_sine(&a);
    case OP_ADD:
    case OP_SUB:
        a = jet_of(e->a, how);
        return jet_sum(a, e->op == OP_ADD ? 1.0 : -1.0, jet_of(e->b, how));
    case OP_MUL:
        break;
    }
    a = jet_of(e->a, how);
    b = jet_of(e->b, how);
    return jet_product(&a, &b);
}

double expression_value(const Expr *e, const Point *point, int order)
{
    Evaluation how = {.point = point, .variable = -1};
    return jet_of(e, &how).o[order].value;
}

double expression_partial(const Expr *e, const Point *point, int variable, int at)
{
    Evaluation how = {.point = point, .variable = variable, .at = at};
    return jet_of(e, &how).o[0].slope;
}

static void signature(const Expr *e, int shift, int highest[VARIABLES])
{
    if (e->op == OP_VARIABLE && shift > highest[e->index])
        highest[e->index] = shift;
    if (e->a)
        signature(e->a, shift + (e->op == OP_DER), highest);
    if (e->b)
        signature(e->b, shift, highest);
}

void expression_signature(const Expr *e, int highest[VARIABLES])
{
    signature(e, 0, highest);
}
