// SPDX-License-Identifier: MIT
//
// Expressions as constant trees, and their total time derivatives of any small order.
//
// A tree is static data, built by the macros below at file scope. It is evaluated over jets,
// (e, e', e'', ...), whose components are dual numbers: so the derivatives that index
// reduction asks for and the partial derivatives for Newton's method are exact.

#ifndef SALTUS_TESTS_SLICE_EXPRESSION_H
#define SALTUS_TESTS_SLICE_EXPRESSION_H

enum {
    VARIABLES = 12, // most variables of a model
    ORDERS = 4,     // derivatives 0 to 3 are kept
    ABSENT = -1000, // the variable does not occur
};

typedef enum Op {
    OP_NUMBER,
    OP_PARAMETER,
    OP_TIME,
    OP_VARIABLE,
    OP_DER,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_SIN,
    OP_IF, // flag `index`: a, else b; the flag is frozen between events
} Op;

typedef struct Expr {
    Op op;
    double number;
    int index;
    const struct Expr *a, *b;
} Expr;

#define NUM(x) (&(const Expr){.op = OP_NUMBER, .number = (x)})
#define PAR(i) (&(const Expr){.op = OP_PARAMETER, .index = (i)})
#define TIME (&(const Expr){.op = OP_TIME})
#define VAR(i) (&(const Expr){.op = OP_VARIABLE, .index = (i)})
#define DER(e) (&(const Expr){.op = OP_DER, .a = (e)})
#define ADD(l, r) (&(const Expr){.op = OP_ADD, .a = (l), .b = (r)})
#define SUB(l, r) (&(const Expr){.op = OP_SUB, .a = (l), .b = (r)})
#define MUL(l, r) (&(const Expr){.op = OP_MUL, .a = (l), .b = (r)})
#define SIN(e) (&(const Expr){.op = OP_SIN, .a = (e)})
#define IF(flag, then, otherwise)                                                                  \
    (&(const Expr){.op = OP_IF, .index = (flag), .a = (then), .b = (otherwise)})

// Where expressions are evaluated.
typedef struct Point {
    double t;
    const double *p;
    unsigned flags;              // frozen, bit i is flag i
    double v[VARIABLES][ORDERS]; // v[j][o]: the o-th time derivative of variable j
} Point;

// The `order`-th time derivative of e.
double expression_value(const Expr *e, const Point *point, int order);

// The partial derivative of e itself with respect to v[variable][at].
double expression_partial(const Expr *e, const Point *point, int variable, int at);

// Raises highest[j] to the highest derivative of variable j in e; starts from ABSENT.
void expression_signature(const Expr *e, int highest[VARIABLES]);

#endif
