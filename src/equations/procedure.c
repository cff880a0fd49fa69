// SPDX-License-Identifier: MIT
//
// Procedures, and their derivatives by source-to-source transformation in forward mode: every
// assignment x := e becomes (x, dx) := (e, de); control flow stays, conditions and subscripts are
// not differentiated.

#include "equations/procedure.h"

#include "base/text.h"
#include "equations/derive.h"
#include "external/external.h"

Procedure *procedure_create(Dag *dag, uint32_t inputs, uint32_t outputs, uint32_t locals)
{
    Procedure *p = ARENA_NEW(dag->arena, Procedure);
    p->input_count = inputs;
    p->output_count = outputs;
    p->local_count = locals;
    p->inputs = ARENA_ARRAY(dag->arena, inputs, uint32_t);
    p->outputs = ARENA_ARRAY(dag->arena, outputs, uint32_t);
    p->locals = ARENA_ARRAY(dag->arena, locals, uint32_t);
    return p;
}

ProcedureStatement *procedure_add(Dag *dag, Block *block, ProcedureKind kind, Span span)
{
    ARENA_ROOM(dag->arena, block->items, block->count, block->room);
    ProcedureStatement *s = &block->items[block->count++];
    s->kind = kind;
    s->span = span;
    return s;
}

static ProcedureStatement *procedure_add_assignment(Dag *dag, Block *block, uint32_t count,
                                                    Span span)
{
    ProcedureStatement *s = procedure_add(dag, block, PROCEDURE_ASSIGN, span);
    s->assign.count = count;
    s->assign.targets = ARENA_ARRAY(dag->arena, count, Node);
    s->assign.values = ARENA_ARRAY(dag->arena, count, Node);
    return s;
}

void procedure_assign(Dag *dag, Block *block, Node target, Node value, Span span)
{
    ProcedureStatement *s = procedure_add_assignment(dag, block, 1, span);
    s->assign.targets[0] = target;
    s->assign.values[0] = value;
}

static uint32_t scalars_of(const Dag *dag, uint32_t local)
{
    return dag->variables[local].size ? dag->variables[local].size : 1;
}

// The number of scalars of a list of locals.
static uint32_t procedure_scalars(const Dag *dag, const uint32_t *locals, uint32_t count)
{
    uint32_t scalars = 0;
    for (uint32_t i = 0; i < count; i++)
        scalars += scalars_of(dag, locals[i]);
    return scalars;
}

static const DagType *scalar_types(Dag *dag, const uint32_t *locals, uint32_t count)
{
    DagType *types = ARENA_ARRAY(dag->arena, procedure_scalars(dag, locals, count), DagType);
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < scalars_of(dag, locals[i]); k++)
            types[next++] = dag->variables[locals[i]].type;
    return types;
}

uint32_t procedure_function(Dag *dag, const char *name, Procedure *p)
{
    const DagFunction function = {.name = arena_copy_text(dag->arena, name, strlen(name)),
                                  .input_count = procedure_scalars(dag, p->inputs, p->input_count),
                                  .output_count =
                                      procedure_scalars(dag, p->outputs, p->output_count),
                                  .input_types = scalar_types(dag, p->inputs, p->input_count),
                                  .output_types = scalar_types(dag, p->outputs, p->output_count),
                                  .procedure = p};
    return dag_add_function(dag, &function);
}

// ---------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------

// The derivation of all statements of a procedure. Its seeds: local -> the local that is its
// derivative (as a node, if it is a scalar). Its reason stays once there is one.

static bool is_real_local(const Dag *dag, uint32_t local)
{
    return dag->variables[local].type == DAG_REAL;
}

// The derivative of a local is a local of its own.
static uint32_t add_derivative_local(Derivation *f, uint32_t local)
{
    Dag *dag = f->dag;
    StringBuilder b = builder_create(dag->arena);
    builder_append_format(&b, "d_%s", dag->variables[local].name);
    const uint32_t size = dag->variables[local].size;
    const uint32_t derivative = dag_add_local(dag, builder_string(&b).text, DAG_REAL, size);
    memo_set(f->seeds, local, size ? derivative : dag_reference(dag, derivative));
    return derivative;
}

static uint32_t count_reals(const Dag *dag, const uint32_t *locals, uint32_t count)
{
    uint32_t reals = 0;
    for (uint32_t i = 0; i < count; i++)
        reals += is_real_local(dag, locals[i]);
    return reals;
}

static uint32_t copy_locals(const uint32_t *from, uint32_t count, uint32_t *to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[i];
    return count;
}

static uint32_t append_derivatives(Derivation *f, const uint32_t *from, uint32_t count,
                                   uint32_t *to)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_real_local(f->dag, from[i]))
            to[made++] = add_derivative_local(f, from[i]);
    return made;
}

static Node derived(Derivation *f, Node e)
{
    const Node d = derive(f, e);
    return d == NODE_NONE ? f->dag->zero : d;
}

// The target that takes the derivative of what `target` takes.
static Node derived_target(Derivation *f, Node target)
{
    const DagNode n = *dag_get(f->dag, target);
    const uint32_t seed = memo_get(f->seeds, n.number);
    return n.kind == DAG_ELEMENT ? dag_element(f->dag, seed, n.operands[0]) : seed;
}

static void derive_assignment(Derivation *f, const ProcedureStatement *s, Block *to)
{
    uint32_t reals = 0;
    for (uint32_t i = 0; i < s->assign.count; i++)
        reals += dag_get(f->dag, s->assign.targets[i])->type == DAG_REAL;
    const uint32_t count = s->assign.count;
    ProcedureStatement *both = procedure_add_assignment(f->dag, to, count + reals, s->span);
    uint32_t next = count;
    for (uint32_t i = 0; i < count; i++) {
        both->assign.targets[i] = s->assign.targets[i];
        both->assign.values[i] = s->assign.values[i];
        if (dag_get(f->dag, s->assign.targets[i])->type != DAG_REAL)
            continue;
        both->assign.targets[next] = derived_target(f, s->assign.targets[i]);
        both->assign.values[next++] = derived(f, s->assign.values[i]);
    }
}

// The variable that is the derivative of a Real argument of an external function.
static uint32_t derivative_argument(Derivation *f, uint32_t variable)
{
    if (!is_real_local(f->dag, variable)) {
        f->reason = "an Integer stands for a Real";
        return variable;
    }
    const uint32_t seed = memo_get(f->seeds, variable);
    return f->dag->variables[variable].size ? seed : dag_get(f->dag, seed)->number;
}

// The call of an external function that has a derivative of its own (external_forward): with the
// arguments as the function has left them, their derivatives, and the derivative of the result.
static void derive_external(Derivation *f, const ProcedureStatement *s, Block *to)
{
    const ExternalSite *of = s->external.site;
    const ExternalInfo *info = external_forward(of->info);
    if (!info) {
        f->reason = "an external function without a derivative annotation has no derivative";
        return;
    }
    const uint32_t arguments = of->count - external_has_result(of->info->signature);
    ExternalSite site = {.info = info, .count = external_argument_count(info->signature)};
    site.arguments = ARENA_ARRAY(f->dag->arena, site.count, ExternalArgument);
    uint32_t *variables = ARENA_ARRAY(f->dag->arena, site.count, uint32_t);
    uint32_t next = arguments;
    for (uint32_t i = 0; i < of->count; i++) {
        bool is_written;
        const char letter = external_letter(of->info->signature, i, &is_written);
        const uint32_t variable = s->external.variables[i];
        if (i < arguments) {
            variables[i] = variable;
            site.arguments[i] = of->arguments[i];
        }
        if (letter != 'r' && letter != 'R')
            continue;
        variables[next] = derivative_argument(f, variable);
        site.arguments[next++] = of->arguments[i];
        if (f->reason)
            return;
    }
    ProcedureStatement *d = procedure_add(f->dag, to, PROCEDURE_EXTERNAL, s->span);
    d->external.site = store_site(of->store, &site);
    d->external.variables = variables;
    if (!d->external.site)
        arena_exhausted(f->dag->arena);
}

static void procedure_derive_block(Derivation *f, const Block *from, Block *to);

static void derive_statement(Derivation *f, const ProcedureStatement *s, Block *to)
{
    if (s->kind == PROCEDURE_ASSIGN) {
        derive_assignment(f, s, to);
        return;
    }
    ProcedureStatement copy = *s;
    if (s->kind == PROCEDURE_EXTERNAL) {
        *procedure_add(f->dag, to, s->kind, s->span) = copy;
        derive_external(f, s, to);
        return;
    }
    if (s->kind == PROCEDURE_FOR) {
        copy.loop.body = (Block){0};
        if (is_real_local(f->dag, s->loop.iterator)) {
            // It runs over numbers that do not depend on what is differentiated by.
            const uint32_t zero = memo_get(f->seeds, s->loop.iterator);
            procedure_assign(f->dag, &copy.loop.body, zero, f->dag->zero, s->span);
        }
        procedure_derive_block(f, &s->loop.body, &copy.loop.body);
    } else {
        copy.body = copy.otherwise = (Block){0};
        procedure_derive_block(f, &s->body, &copy.body);
        procedure_derive_block(f, &s->otherwise, &copy.otherwise);
    }
    *procedure_add(f->dag, to, s->kind, s->span) = copy;
}

static void procedure_derive_block(Derivation *f, const Block *from, Block *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        derive_statement(f, &from->items[i], to);
}

static Procedure *derive_procedure(Derivation *f, const Procedure *p)
{
    Dag *dag = f->dag;
    const uint32_t inputs = count_reals(dag, p->inputs, p->input_count);
    const uint32_t outputs = count_reals(dag, p->outputs, p->output_count);
    const uint32_t locals = count_reals(dag, p->locals, p->local_count);
    Procedure *d = procedure_create(dag, p->input_count + inputs, outputs,
                                    p->output_count + p->local_count + locals);
    uint32_t used = copy_locals(p->inputs, p->input_count, d->inputs);
    append_derivatives(f, p->inputs, p->input_count, d->inputs + used);
    append_derivatives(f, p->outputs, p->output_count, d->outputs);
    used = copy_locals(p->outputs, p->output_count, d->locals);
    used += copy_locals(p->locals, p->local_count, d->locals + used);
    append_derivatives(f, p->locals, p->local_count, d->locals + used);
    return d;
}

uint32_t procedure_derivative(Dag *dag, uint32_t function, const char **reason)
{
    const DagFunction *of = &dag->functions[function];
    if (of->differentiated != DAG_NONE)
        return of->differentiated;
    if (of->is_impure || of->is_open || !of->procedure) {
        *reason = of->is_impure ? "an impure function has no derivative"
                  : of->is_open ? "it depends on its own derivative"
                                : "a function without an algorithm has no derivative";
        return DAG_NONE;
    }
    DagMemo *seeds = memo_take(dag);
    Derivation f = derive_along(dag, seeds);
    const Procedure *p = of->procedure;
    Procedure *d = derive_procedure(&f, p);
    StringBuilder b = builder_create(dag->arena);
    builder_append_format(&b, "der_%s", of->name);
    // Known before its body is made: a recursive function's derivative calls itself.
    const uint32_t derivative = procedure_function(dag, builder_string(&b).text, d);
    dag->functions[function].differentiated = derivative;
    procedure_derive_block(&f, &p->body, &d->body);
    derive_end(&f);
    memo_give(seeds);
    if (f.reason) {
        *reason = f.reason;
        dag->functions[function].differentiated = DAG_NONE;
        return DAG_NONE;
    }
    return derivative;
}
