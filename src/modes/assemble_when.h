// SPDX-License-Identifier: MIT
//
// When clauses and algorithms as definitions and actions. Only assemble.c uses it.

#ifndef SALTUS_MODES_ASSEMBLE_WHEN_H
#define SALTUS_MODES_ASSEMBLE_WHEN_H

#include "modes/assemble.h"

void assemble_when(Assembly *a, const FlatWhen *when);
// An algorithm becomes one definition for each variable that it assigns, by executing it with
// expressions in place of values.
void assemble_algorithm(Assembly *a, const FlatAlgorithm *algorithm);
// Likewise an initial algorithm, as initial equations.
void assemble_initial_algorithm(Assembly *a, const FlatAlgorithm *algorithm);
// Initial equations (assemble_initial.c): one, those of an if-equation, and what a reinit of a when
// clause with this condition says if it is active at the initialization.
void assemble_initial(Assembly *a, Node left, Node right, Span span);
// Those of discrete variables, when all definitions are there.
void assemble_initial_discrete(Assembly *a);
bool assemble_is_in_initial_if(const FlatEquation *equation);
void assemble_initial_if(Assembly *a, const FlatIf *conditional);
void assemble_initial_reinit(Assembly *a, Node condition, GraphVariable variable, Node value,
                             Span span);
// Equations that may determine a discrete variable (assemble_discrete.c), and what becomes of all
// of them: definitions, or continuous equations.
bool assemble_is_undirected(Assembly *a, Node left, Node right);
void assemble_discrete(Assembly *a);
// Parameters that the initialization has to find, after everything else is collected.
void assemble_free_parameters(Assembly *a);
// The auxiliary variable of a condition, and whether it becomes true.
Node assemble_becomes_true(Assembly *a, Node condition);
// Whether a call is assigned to something.
bool assemble_is_used(const FlatStatement *s);
// A call for its effect, as a node that is false once it is made; values: of variables, NULL: they
// are what they are. NODE_NONE after an error.
Node assemble_effect(Assembly *a, const FlatStatement *s, DagMemo *values);

typedef void AssembleAdd(Assembly *a, const AssembledAction *action);

// The action with its message and, behind it, one for each number in that (shown_count); their
// conditions are the numbers, as they are at the end of an instant.
AssembledAction *assemble_message(Assembly *a, const AssembledAction *action,
                                  const FlatExpression *message);
// Adds them by assemble_action or assemble_assertion.
void assemble_message_add(Assembly *a, AssembledAction *message, AssembleAdd *add);

// Offered by assemble.c; with the guard a->guard.
void assemble_define(Assembly *a, GraphVariable variable, Node value);
// Whether two guards never hold both.
bool assemble_exclude(const FlatGuard *a, const FlatGuard *b);
void assemble_equation(Assembly *a, Node left, Node right, Span span);
// Another undirected equation that belongs where `like` does.
void assemble_undirected(Assembly *a, const AssembledEquation *like, Node left, Node right);
void assemble_initial_equation(Assembly *a, Node left, Node right, Span span);
void assemble_undirected_initial(Assembly *a, Node left, Node right, Span span);
void assemble_action(Assembly *a, const AssembledAction *action);
void assemble_assertion(Assembly *a, const AssembledAction *assertion);

#endif
