// SPDX-License-Identifier: MIT
//
// The signature of a system of equations: which derivatives of which variables occur in which
// equation, and how. It is all that the structural analysis knows of a model.
//
// J. D. Pryce: A simple structural analysis method for DAEs, BIT 41 (2001): the signature matrix
// has the entry sigma_ij = the highest order of a derivative of variable j in equation i, or none.
//
// What always holds in it: it lives in an arena and does not change once it is made. An equation
// has at most one entry of a variable; its entries ascend by variable. Everything is known about
// the coefficient of the highest derivative (the partial derivative of the equation by it), little
// about those of lower ones. Inputs are given functions of time: they are no variables.

#ifndef SALTUS_STRUCTURE_SIGNATURE_H
#define SALTUS_STRUCTURE_SIGNATURE_H

#include "base/arena.h"
#include "base/source.h"
#include "structure/graph.h"

#include <stdbool.h>
#include <stdint.h>

// How an equation depends on a derivative, simplest first.
typedef enum SignatureKind {
    SIGNATURE_NUMBER,    // linear, and the coefficient is a number that is not zero
    SIGNATURE_PARAMETER, // linear, and the coefficient does not change during a run
    SIGNATURE_LINEAR,    // linear: the coefficient may depend on anything else
    SIGNATURE_NONLINEAR,
} SignatureKind;

enum { SIGNATURE_HIGHEST_ORDER = 15 };

typedef struct SignatureEntry {
    uint32_t variable;
    uint8_t order;      // highest derivative of the variable in the equation: sigma_ij
    uint8_t kind;       // SignatureKind of that
    uint8_t lower_kind; // the worst of the lower derivatives
    bool is_nonzero;    // the coefficient of the highest derivative is zero nowhere
    bool has_inverse;   // nonlinear, but the equation can be solved for the highest derivative
    bool is_partial;    // of a switched equation: some branches lack the highest derivative
    bool is_vanishing;  // the coefficient of the highest derivative is a parameter that is zero
    uint16_t lower;     // bit o: the o-th derivative occurs too, o < order
    float least, most;  // size of another coefficient, from branch to branch; 0: not known
    double value;       // SIGNATURE_NUMBER: the coefficient
} SignatureEntry;

// As in Modelica.
typedef enum SignatureSelect {
    SIGNATURE_NEVER = 1,
    SIGNATURE_AVOID,
    SIGNATURE_DEFAULT,
    SIGNATURE_PREFER,
    SIGNATURE_ALWAYS,
} SignatureSelect;

typedef struct SignatureVariable {
    const char *name;
    Span span;
    uint32_t origin; // a number of the client's own
    uint8_t select;  // SignatureSelect; 0 counts as the default
    bool has_start;  // the start attribute is given
    bool is_fixed;   // and holds
    bool is_free;    // of an input: a parameter that initialization has to find
    bool is_inside;  // the span is that of a component around it
    double nominal;  // 0 counts as 1
} SignatureVariable;

typedef struct SignatureEquation {
    const char *text; // as people know it; NULL: none
    Span span;
    uint32_t origin;       // a number of the client's own
    const char *open;      // the connector to which nothing is connected, so that its flow is zero
    bool is_sum;           // of others, which the text names
    bool is_repeated;      // says nothing that others do not say: these leave open what it is for
    bool is_zeroed;        // makes a variable zero that nothing determines
    const char *component; // whose equation it is, "a.b"; NULL: the model's own
} SignatureEquation;

// v_j^(order), or a derivative of an input.
typedef struct SignatureSymbol {
    uint32_t number; // of the variable or input; GRAPH_NONE: of none
    uint32_t order;
    bool is_input;
} SignatureSymbol;

typedef struct Signature {
    uint32_t equation_count, variable_count, input_count;
    const SignatureEquation *equations;
    const SignatureVariable *variables;
    const SignatureVariable *inputs;

    const uint32_t *start; // equation_count + 1: entries of equation i
    const SignatureEntry *entries;
    // The coefficient of entry e contains the highest derivatives of these entries (numbers of
    // entries, of the same equation): factors[factor_start[e]] ... Only those that are
    // SIGNATURE_LINEAR themselves need be known.
    const uint32_t *factor_start;
    const uint32_t *factors;

    const uint32_t *input_start; // equation_count + 1: the same for inputs
    const SignatureEntry *input_entries;
} Signature;

// ---------------------------------------------------------------------------
// Making one
// ---------------------------------------------------------------------------

typedef struct SignatureBuilder SignatureBuilder;

SignatureBuilder *signature_begin(Arena *arena);
// Each returns the number of what it added.
uint32_t signature_variable(SignatureBuilder *b, const SignatureVariable *variable);
uint32_t signature_input(SignatureBuilder *b, const SignatureVariable *input);
uint32_t signature_equation(SignatureBuilder *b, const SignatureEquation *equation);
// All variables at once, which live as long as the signature: they are not copied.
void signature_variables(SignatureBuilder *b, const SignatureVariable *variables, uint32_t count);
// A derivative in the equation added last. Several of one variable become one entry; numbers of
// one derivative are added, and where they cancel it does not occur.
void signature_number(SignatureBuilder *b, uint32_t variable, uint32_t order, double value);
void signature_entry(SignatureBuilder *b, uint32_t variable, uint32_t order, SignatureKind kind,
                     bool is_nonzero);
// The same of an entry that is taken from another signature, with its lower derivatives.
void signature_copy_entry(SignatureBuilder *b, uint32_t variable, const SignatureEntry *entry);
// An input's derivative in it.
void signature_input_entry(SignatureBuilder *b, uint32_t input, uint32_t order);
// In it, the coefficient of the variable's highest derivative contains that of the factor.
void signature_factor(SignatureBuilder *b, uint32_t variable, uint32_t factor);
Signature *signature_finish(SignatureBuilder *b);
// In its place, the equations for which `chosen` is not GRAPH_NONE; they have no inputs.
const Signature *signature_choose(Signature *s, const uint32_t *chosen);

// ---------------------------------------------------------------------------
// Reading one
// ---------------------------------------------------------------------------

// Equations as rows, variables as columns; edge e is entry e.
Graph signature_graph(Arena *arena, const Signature *s);

static inline uint32_t signature_entry_count(const Signature *s)
{
    return s->start[s->equation_count];
}

static inline SignatureSelect signature_select(const Signature *s, uint32_t variable)
{
    uint8_t select = s->variables[variable].select;
    return select ? (SignatureSelect)select : SIGNATURE_DEFAULT;
}

static inline double signature_nominal(const Signature *s, uint32_t variable)
{
    double nominal = s->variables[variable].nominal;
    return nominal > 0.0 ? nominal : 1.0;
}

// The least and the largest size of the coefficient of the highest derivative; false: not known.
bool signature_size(const SignatureEntry *entry, double size[2]);

// Whether the derivative of that order is in the `times`-th derivative of the equation. An entry
// whose coefficient can change leaves the lower ones in: (a x)' = a' x + a x'.
bool signature_has_order(const SignatureEntry *entry, uint32_t times, uint32_t order);

#endif
