// SPDX-License-Identifier: MIT

#include "modes/analyse.h"

#include "equations/print.h"
#include "flatten/place.h"
#include "modes/redundant.h"
#include "modes/zeros.h"
#include "structure/conversion.h"
#include "structure/diagnosis.h"
#include "structure/nonzero.h"
#include <math.h>

static const FlatVariable *analyse_flat_of(const Assembly *a, GraphVariable variable)
{
    const uint32_t origin = a->dag->variables[variable].origin;
    return origin == DAG_NONE ? NULL : a->flat->variables[origin];
}

double analyse_nominal(const Assembly *a, const FlatVariable *v)
{
    const FlatExpression *e = v->attributes->nominal;
    if (!e)
        return 0.0;
    const Node node = translate(a->translation, e);
    if (dag_is_number(a->dag, node))
        return dag_get(a->dag, node)->value;
    if (!a->known.values)
        return 0.0;
    Nonzero *formula = nonzero_create(a->dag, true);
    double least, most;
    const bool is_known =
        nonzero_size(formula, node, a->known.values, a->known.count, &least, &most);
    nonzero_end(formula);
    return is_known && isfinite(most) ? most : 0.0;
}

void analyse_attributes(const Assembly *a)
{
    for (uint32_t i = 0; i < a->flat->variable_count; i++)
        analyse_nominal(a, a->flat->variables[i]);
}

// ---------------------------------------------------------------------------
// The system
// ---------------------------------------------------------------------------

static const char *component_name(Arena *arena, const FlatComponent *component)
{
    StringBuilder name = builder_create(arena);
    if (component)
        flat_component_name(&name, component);
    return name.length ? builder_string(&name).text : NULL;
}

// As long as it is: a builder has more room.
static const char *analyse_equation_text(Arena *arena, const Dag *dag, const AssembledEquation *e)
{
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    StringBuilder text = builder_create(scratch);
    print_equation(dag, e->left, e->right, &text);
    const char *copy = arena_copy_text(arena, text.text, text.length);
    arena_release(scratch, mark);
    return copy;
}

static SignatureEquation about_equation(Arena *arena, const Assembly *a, const AssembledEquation *e,
                                        uint32_t number)
{
    const FlatComponent *component = e->open ? e->open->component : e->component;
    return (SignatureEquation){.text = analyse_equation_text(arena, a->dag, e),
                               .span =
                                   place_of(a->diagnostics->sources, a->flat, e->span, component),
                               .origin = number,
                               .component = component_name(arena, e->component),
                               .open = e->open ? component_name(arena, component->parent) : NULL};
}

static const SystemEquation *list_equations(Arena *arena, Assembly *a,
                                            const AssembledEquations *list, bool has_text)
{
    SystemEquation *equations = ARENA_ARRAY(arena, list->count, SystemEquation);
    for (uint32_t i = 0; i < list->count; i++) {
        const AssembledEquation *e = &list->items[i];
        equations[i] =
            (SystemEquation){e->left, e->right,
                             has_text ? about_equation(arena, a, e, i)
                                      : (SignatureEquation){.span = e->span, .origin = i}};
    }
    return equations;
}

// The initial state of a machine is entered by a reset: its start values bind, fixed or not.
static bool is_bound(const FlatVariable *v)
{
    return v->attributes->is_fixed || (v->guard && v->is_differentiated && v->attributes->start);
}

static const SignatureVariable *analyse_list_variables(Arena *arena, const Gathered *g)
{
    Assembly *a = g->assembly;
    SignatureVariable *variables = ARENA_ARRAY(arena, g->continuous_count, SignatureVariable);
    for (uint32_t j = 0; j < g->continuous_count; j++) {
        const uint32_t v = g->continuous[j];
        const FlatVariable *flat = analyse_flat_of(a, v);
        variables[j] = (SignatureVariable){.name = a->dag->variables[v].name, .origin = v};
        if (!flat)
            continue;
        const FlatAttributes *attributes = flat->attributes;
        variables[j].span =
            place_of(a->diagnostics->sources, a->flat, flat->reference.span, flat->component);
        variables[j].is_inside = variables[j].span.begin != flat->reference.span.begin;
        variables[j].select = (uint8_t)attributes->state_select;
        variables[j].has_start = attributes->start;
        variables[j].is_fixed =
            is_bound(flat) && !(a->free.has_start && a->free.has_start[flat->index]);
        variables[j].nominal = analyse_nominal(a, flat);
    }
    return variables;
}

// Parameters that the initialization has to find.
static const SignatureVariable *analyse_list_inputs(Assembly *a)
{
    SignatureVariable *inputs = ARENA_ARRAY(a->dag->arena, a->free.count, SignatureVariable);
    for (uint32_t i = 0; i < a->free.count; i++) {
        const uint32_t v = a->free.parameters[i];
        const FlatVariable *flat = analyse_flat_of(a, v); // NULL: of a delay
        inputs[i] = (SignatureVariable){
            .name = a->dag->variables[v].name, .origin = v, .has_start = true, .is_free = true};
        if (!flat)
            continue;
        inputs[i].span = flat->reference.span;
        inputs[i].has_start = flat->attributes->start || !flat->binding;
        inputs[i].nominal = analyse_nominal(a, flat);
    }
    return inputs;
}

static System analyse_make_system(Arena *arena, const Gathered *g, bool has_text)
{
    return (System){.dag = g->assembly->dag,
                    .equations = list_equations(arena, g->assembly, &g->equations, has_text),
                    .variables = analyse_list_variables(arena, g),
                    .inputs = analyse_list_inputs(g->assembly),
                    .input_count = g->assembly->free.count,
                    .values = g->assembly->known.values,
                    .value_count = g->assembly->known.count,
                    .equation_count = g->equations.count,
                    .variable_count = g->continuous_count};
}

const Signature *analyse_signature(const Gathered *g)
{
    Arena *arena = g->assembly->dag->arena;
    const System system = analyse_make_system(arena, g, false);
    return system_signature(arena, &system);
}

// The Integer variable that a side is, if nothing defines it; DAG_NONE: it is none.
static uint32_t undefined_integer(const Assembly *a, Node node)
{
    if (!dag_is_operation(a->dag, node, OPERATOR_TO_REAL))
        return DAG_NONE;
    const DagNode *side = dag_get(a->dag, dag_operand(a->dag, node, 0));
    if (side->kind != DAG_VARIABLE || side->variability != DAG_DISCRETE ||
        a->dag->variables[side->number].role != DAG_PLAIN)
        return DAG_NONE;
    for (uint32_t i = 0; i < a->defined.count; i++)
        if (a->defined.items[i].variable == side->number)
            return DAG_NONE;
    return side->number;
}

// v = 2.0 * x with an Integer v that nothing else defines: a Real is not converted to an Integer
// (section 10.6.13), so this is no equation for v.
static bool report_integer(const Analysis *n, const SystemEquation *e)
{
    const uint32_t left = undefined_integer(n->assembly, e->left);
    const uint32_t v = left != DAG_NONE ? left : undefined_integer(n->assembly, e->right);
    if (v == DAG_NONE)
        return false;
    diagnostics_error(n->diagnostics, e->about.span,
                      "%s is Integer and cannot get the Real value of the %s side; integer(...) "
                      "makes a whole number of it",
                      n->assembly->dag->variables[v].name, left != DAG_NONE ? "right" : "left");
    return true;
}

// The parts that are not explained by such equations.
static Diagnosis report_integers(const Analysis *n, const Diagnosis *all)
{
    DiagnosisPart *parts = ARENA_ARRAY(n->assembly->dag->arena, all->count, DiagnosisPart);
    Diagnosis rest = {.parts = parts};
    for (uint32_t k = 0; k < all->count; k++) {
        const DiagnosisPart *part = &all->parts[k];
        bool is_found = false;
        for (uint32_t i = 0; i < part->equation_count && part->is_over; i++)
            is_found = report_integer(n, &n->system.equations[part->equations[i]]) || is_found;
        if (!is_found)
            parts[rest.count++] = *part;
    }
    return rest;
}

// The if-equations whose branches have equations where there are too many or too few: one of them
// has to take another branch.
static const bool *find_suspects(const Analysis *n, const Gathered *g, const Diagnosis *diagnosis)
{
    const uint32_t machines = n->assembly->flat->machine_count;
    bool *is_suspect = ARENA_ARRAY(n->assembly->dag->arena, g->choice_count + 1u, bool);
    for (uint32_t k = 0; k < diagnosis->count; k++)
        for (uint32_t i = 0; i < diagnosis->parts[k].equation_count; i++) {
            const SystemEquation *e = &n->system.equations[diagnosis->parts[k].equations[i]];
            const FlatGuard *guard = e->about.origin < g->equations.count
                                         ? g->equations.items[e->about.origin].guard
                                         : NULL;
            for (; guard; guard = guard->outer)
                if (!guard->state)
                    is_suspect[machines + guard->conditional->index] = true;
        }
    return is_suspect;
}

// Each variable has an equation, but not once the constraints are differentiated: an equation
// follows from others, or a branch has one too few.
static void report_singular(const Analysis *n)
{
    enum { SHOWN = 5 };
    StringBuilder names = builder_create(n->assembly->dag->arena);
    for (uint32_t j = 0; j < n->signature->variable_count && j <= SHOWN; j++)
        builder_append_format(&names, "%s%s", j ? ", " : "",
                              j == SHOWN ? "..." : n->signature->variables[j].name);
    diagnostics_error(n->diagnostics, n->assembly->flat->span,
                      "the equations for %s are singular: one of them follows from others",
                      builder_string(&names).text);
}

static bool find_structure(const Gathered *g, Analysis *n)
{
    Assembly *a = n->assembly;
    Arena *arena = n->arena;
    const size_t errors = n->diagnostics->error_count;
    const SystemEquation *before = n->system.equations;
    n->system = *conversion_apply(arena, &n->system, &n->signature);
    a->is_without_zeros = g->choice_count == 0 && g->part == PARTS_ALL && !g->slides &&
                          a->known.values && n->system.equations == before &&
                          zeros_are_none(g, n->signature);
    if (n->signature->equation_count == n->signature->variable_count)
        n->structure = structure_create(arena, n->signature, NULL);
    // Modes may have more constraints than they need; who writes such a model means something else.
    if (!n->structure && a->has_modes) {
        const System *closed = redundant_replace(arena, &n->system, &n->signature, n->diagnostics);
        if (closed == &n->system)
            closed = redundant_convert(arena, &n->system, &n->signature, n->diagnostics);
        n->system = *closed;
        if (n->signature->equation_count == n->signature->variable_count)
            n->structure = structure_create(arena, n->signature, NULL);
    }
    if (n->structure)
        return true;
    Diagnosis diagnosis = diagnosis_find(arena, n->signature);
    n->is_suspect = find_suspects(n, g, &diagnosis);
    for (uint32_t k = 0; k < diagnosis.count; k++)
        n->surplus += diagnosis.parts[k].surplus;
    diagnosis = report_integers(n, &diagnosis);
    diagnosis_report(n->signature, &diagnosis, n->diagnostics);
    if (n->diagnostics->error_count == errors)
        report_singular(n);
    return false;
}

// StateSelect.always for what has no derivative, and never for what must be a state, since no
// constraint leaves a choice, cannot be had (section 4.8.8.1). Where modes follow each other, what
// is a state in one of them need not be one in another.
static bool check_selection(const Analysis *n)
{
    const Structure *s = n->structure;
    const size_t errors = n->diagnostics->error_count;
    bool is_constrained = n->assembly->has_modes;
    for (uint32_t i = 0; i < s->signature->equation_count && !is_constrained; i++)
        is_constrained = s->offsets->c[i] > 0;
    for (uint32_t j = 0; j < s->signature->variable_count && !n->assembly->has_modes; j++) {
        const SignatureVariable *v = &s->signature->variables[j];
        if (v->select == SIGNATURE_ALWAYS && s->offsets->d[j] == 0)
            diagnostics_error(n->diagnostics, v->span,
                              "%s has stateSelect = StateSelect.always, but no derivative of it "
                              "is needed: it cannot be a state",
                              v->name);
        if (v->select == SIGNATURE_NEVER && s->state_orders[j] > 0 && !is_constrained)
            diagnostics_error(
                n->diagnostics, v->span,
                "%s has stateSelect = StateSelect.never, but must be a state: der(%s) "
                "determines it",
                v->name, v->name);
    }
    return n->diagnostics->error_count == errors;
}

static bool analyse_find_initial(Analysis *n, Arena *arena)
{
    const size_t errors = n->diagnostics->error_count;
    n->initial = initial_create(
        arena, n->structure,
        n->system.initial_count ? system_initial_signature(arena, &n->system) : NULL);
    initial_report(n->initial, n->diagnostics);
    return n->initial->structure && n->diagnostics->error_count == errors;
}

// ---------------------------------------------------------------------------
// Formulas
// ---------------------------------------------------------------------------

Node analyse_initial_row(const Analysis *n, const InitialRow *row)
{
    Assembly *a = n->assembly;
    if (row->kind == INITIAL_EQUATION) {
        const SystemEquation *e = &n->system.initial[row->number];
        return dag_subtract(a->dag, e->left, e->right);
    }
    const GraphVariable variable = row->kind == INITIAL_PARAMETER
                                       ? n->system.inputs[row->number].origin
                                       : system_derivative(&n->system, row->number, row->order);
    return dag_subtract(a->dag, dag_reference(a->dag, variable), analyse_start_value(a, variable));
}

static bool analyse_report(const Analysis *n, const SolutionFailure *failure,
                           const SystemEquation *equations)
{
    const SignatureEquation *e = &equations[failure->equation].about;
    diagnostics_error(n->diagnostics, e->span,
                      "the equation %s must be differentiated, but cannot: %s", e->text,
                      failure->reason ? failure->reason : "a function has no derivative");
    return false;
}

static bool solve_start(Analysis *n)
{
    Assembly *a = n->assembly;
    Arena *arena = a->dag->arena;
    SolutionFailure failure = {0};
    Node *starts = ARENA_ARRAY(arena, n->initial->unknown_count, Node);
    for (uint32_t i = 0; i < n->initial->unknown_count; i++) {
        const SignatureSymbol *unknown = &n->initial->unknowns[i];
        const GraphVariable variable =
            unknown->is_input ? n->system.inputs[unknown->number].origin
                              : system_derivative(&n->system, unknown->number, unknown->order);
        starts[i] = analyse_start_value(a, variable);
    }
    n->start = solution_initial(arena, &n->system, n->initial, starts, &failure);
    if (!n->start) {
        diagnostics_error(n->diagnostics, a->flat->span,
                          "the initial equations cannot be solved: %s",
                          failure.reason ? failure.reason : "a function has no derivative");
        return false;
    }
    return true;
}

bool analyse_are_asked_for(const Analysis *n, const uint32_t *states, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const FlatVariable *flat = analyse_flat_of(n->assembly, states[i]);
        if (!flat || flat->attributes->state_select < FLAT_SELECT_PREFER)
            return false;
    }
    return true;
}

// Of w = der(x), the entry of der(x), and w's in *other; NULL: another equation.
static const SignatureEntry *analyse_rate(const Signature *s, uint32_t equation,
                                          const SignatureEntry **other)
{
    const SignatureEntry *e = s->entries + s->start[equation];
    if (s->start[equation + 1] != s->start[equation] + 2)
        return NULL;
    const SignatureEntry *rate = e[0].order ? e : e + 1;
    *other = rate == e ? e + 1 : e;
    const bool is_rate = rate->order == 1 && (*other)->order == 0 && rate->lower == 0 &&
                         rate->kind == SIGNATURE_NUMBER && (*other)->kind == SIGNATURE_NUMBER &&
                         rate->value == -(*other)->value;
    return is_rate ? rate : NULL;
}

// A derivative has the nominal value of what it is the derivative of. A small one is no claim about
// a variable that has a name and attributes of its own: the velocity of a backlash of 1e-4 rad need
// not be known to a thousandth of that times the tolerance.
const double *analyse_nominals(const Analysis *n)
{
    const Dag *dag = n->assembly->dag;
    const Signature *s = n->signature;
    double *nominals = ARENA_ARRAY(dag->arena, dag->variable_count, double);
    for (uint32_t j = 0; j < n->system.variable_count; j++)
        for (uint32_t v = n->system.variables[j].origin; v != DAG_NONE;
             v = dag->variables[v].derivative)
            nominals[v] = n->system.variables[j].nominal;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        const SignatureEntry *w, *rate = analyse_rate(s, i, &w);
        if (!rate)
            continue;
        const double own = nominals[s->variables[w->variable].origin];
        const uint32_t of = s->variables[rate->variable].origin;
        for (uint32_t v = dag->variables[of].derivative; v != DAG_NONE && nominals[of] > 0.0;
             v = dag->variables[v].derivative)
            nominals[v] = fmax(nominals[v], own > 0.0 ? own : 1.0);
    }
    return nominals;
}

// An arena of its own, which goes with that of the graph, for what is large.
static Arena *analyse_arena(Arena *arena, const Gathered *g)
{
    enum { LARGE = 1000 };
    return g->equations.count < LARGE ? arena : arena_child(arena);
}

bool analyse(const Gathered *g, const uint32_t *state_orders, Analysis *n)
{
    Arena *arena = analyse_arena(g->assembly->dag->arena, g);
    *n = (Analysis){.assembly = g->assembly,
                    .diagnostics = g->diagnostics,
                    .arena = arena,
                    .formulas = analyse_arena(g->assembly->dag->arena, g),
                    .system = analyse_make_system(arena, g, true)};
    n->system.initial = list_equations(arena, g->assembly, &g->initial_equations, true);
    n->system.initial_count = g->initial_equations.count;
    if (!find_structure(g, n) || !check_selection(n))
        return false;
    if (state_orders)
        n->structure = structure_with_states(arena, n->structure, state_orders);
    SolutionFailure failure = {0};
    n->flow = solution_create(n->formulas, &n->system, n->structure, &failure);
    return n->flow || analyse_report(n, &failure, n->system.equations);
}

bool analyse_start(Analysis *n)
{
    Arena *arena = n->assembly->dag->arena;
    Arena *aside = n->arena == arena ? arena : arena_child(arena);
    const bool is_fine = analyse_find_initial(n, aside) && solve_start(n);
    if (aside == arena)
        return is_fine;
    n->initial = initial_keep(n->initial, &(Keeper){.to = arena, .from = aside});
    n->initial = initial_keep(n->initial, &(Keeper){.to = arena, .from = n->arena}); // texts
    arena_destroy(aside);
    return is_fine;
}

void analyse_end_flow(Analysis *n)
{
    if (n->formulas == n->assembly->dag->arena)
        return;
    arena_destroy(n->formulas);
    n->formulas = NULL;
    n->flow = NULL;
}

void analyse_end(Analysis *n)
{
    if (n->arena == n->assembly->dag->arena)
        return;
    analyse_end_flow(n);
    arena_destroy(n->arena);
    n->arena = NULL;
    n->system = (System){0};
    n->signature = NULL;
    n->structure = NULL;
}
