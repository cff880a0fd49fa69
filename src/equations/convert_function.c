// SPDX-License-Identifier: MIT
//
// Functions of the flat model to procedures: one instance for each list of sizes of the arguments.
//
// An instance is known to the graph, with its inputs and outputs, before its algorithm is
// converted: so functions may call themselves. Algorithms wait in a list until the expression that
// needed them is finished.

#include "equations/convert_parts.h"
#include "equations/derive.h"
#include "external/external.h"
#include "flatten/walk.h"

typedef struct ConvertFunctionBuilding {
    ConvertScope scope;
    Convert *c;
    ConvertInstance *instance;
    Map locals;
    List made; // variables of the graph that are neither inputs nor outputs
} ConvertFunctionBuilding;

// ---------------------------------------------------------------------------
// Locals
// ---------------------------------------------------------------------------

static bool has_real(const FlatType *type)
{
    if (type->kind != FLAT_TYPE_RECORD)
        return type->kind == FLAT_TYPE_REAL;
    for (uint32_t i = 0; i < type->count; i++)
        if (has_real(type->fields[i].type))
            return true;
    return false;
}

static DagType local_type(const FlatType *type)
{
    if (type->kind != FLAT_TYPE_RECORD)
        return convert_type(type);
    return has_real(type) ? DAG_REAL : DAG_INTEGER;
}

// A variable of the graph for a local of this shape: a scalar, or an array of its scalars.
static Local *make_local(Convert *c, const FlatLocal *flat, uint32_t rank, const uint32_t *dims)
{
    const FlatType *type = flat->reference.type;
    const Bundle shape = bundle_new(c, flat->span, type, rank, dims);
    if (!bundle_is_fine(&shape))
        return NULL;
    Local *local = ARENA_NEW(c->arena, Local);
    const bool is_scalar = rank == 0 && type->kind != FLAT_TYPE_RECORD;
    *local = (Local){type, rank, shape.dims, shape.count, false, DAG_NONE, shape.items};
    // An array without elements still is an array: the graph gives it one that nobody uses.
    local->variable = dag_add_local(c->dag, flat->name->text, local_type(type),
                                    is_scalar      ? 0
                                    : local->count ? local->count
                                                   : 1);
    for (uint32_t i = 0; i < local->count; i++)
        local->items[i] =
            is_scalar ? dag_reference(c->dag, local->variable)
                      : convert_field(c, type, i,
                                      dag_element(c->dag, local->variable, dag_integer(c->dag, i)));
    return local;
}

static void keep_local(ConvertFunctionBuilding *b, const FlatLocal *flat, Local *local)
{
    map_set(b->c->arena, &b->locals, flat, local);
}

// The sizes of a local that is declared with them; false: they come from its value.
static bool convert_function_declared_sizes(ConvertFunctionBuilding *b, const FlatLocal *flat,
                                            uint32_t *dims)
{
    for (uint32_t k = 0; k < flat->reference.rank; k++) {
        if (!flat->sizes || !flat->sizes[k])
            return false;
        const Bundle size = convert_bundle(&b->scope, flat->sizes[k]);
        int64_t value;
        if (!bundle_integer(b->c, &size, flat->span, "size of an array", &value))
            return false;
        if (value < 0 || value > CONVERT_MOST_SCALARS) {
            convert_fail(b->c, flat->span, "'%s' cannot have size %lld", flat->name->text,
                         (long long)value);
            return false;
        }
        dims[k] = (uint32_t)value;
    }
    return true;
}

bool bundle_are_numbers(const Convert *c, const Bundle *b)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (!dag_is_number(c->dag, b->items[i]))
            return false;
    return true;
}

// Whether an output or a protected array gets its sizes from what is assigned to it first
// (section 12.4.5).
static bool is_sized_later(const FlatLocal *flat)
{
    bool is_open = false;
    for (uint32_t k = 0; k < flat->reference.rank; k++)
        is_open |= !flat->sizes || !flat->sizes[k];
    return is_open && !flat->value;
}

// An output or protected variable. One that is never assigned and has a known value is that value.
static Local *convert_function_declare(ConvertFunctionBuilding *b, const FlatLocal *flat,
                                       Bundle *value)
{
    uint32_t dims[UINT8_MAX];
    *value = (Bundle){0};
    if (flat->value) {
        *value = convert_bundle(&b->scope, flat->value);
        if (!bundle_is_fine(value))
            return NULL;
        for (uint32_t i = 0; i < value->count; i++)
            value->items[i] = convert_converted(b->c, value->items[i], flat->reference.type);
    }
    if (flat->value && flat->role == FLAT_ROLE_PROTECTED && !flat->is_assigned &&
        bundle_are_numbers(b->c, value)) {
        Local *constant = ARENA_NEW(b->c->arena, Local);
        *constant = (Local){value->type, value->rank, value->dims, value->count,
                            true,        DAG_NONE,    value->items};
        return constant;
    }
    const size_t errors = b->c->diagnostics->error_count;
    if (convert_function_declared_sizes(b, flat, dims))
        return make_local(b->c, flat, flat->reference.rank, dims);
    if (b->c->diagnostics->error_count > errors)
        return NULL;
    return make_local(b->c, flat, value->rank, value->dims);
}

// A local that is sized later, with the sizes of what is assigned to it; those that are declared
// have to be the same.
static Local *size_local(ConvertFunctionBuilding *b, const FlatLocal *flat, uint32_t rank,
                         const uint32_t *dims)
{
    bool fits_declared = rank == flat->reference.rank;
    for (uint32_t k = 0; k < rank && fits_declared; k++) {
        if (!flat->sizes || !flat->sizes[k])
            continue;
        const Bundle size = convert_bundle(&b->scope, flat->sizes[k]);
        int64_t value;
        if (!bundle_integer(b->c, &size, flat->span, "size of an array", &value))
            return NULL;
        fits_declared = value == dims[k];
    }
    if (!fits_declared) {
        convert_fail(b->c, flat->span, "'%s' is assigned a value of another size",
                     flat->name->text);
        return NULL;
    }
    Local *local = make_local(b->c, flat, rank, dims);
    if (local)
        keep_local(b, flat, local);
    return local;
}

// What is assigned first to the whole of a local; NULL: nothing.
static const FlatExpression *first_assigned(const FlatLocal *flat, uint32_t count,
                                            FlatStatement *const *statements)
{
    const FlatExpression *found = NULL;
    for (uint32_t i = 0; i < count && !found; i++) {
        const FlatStatement *st = statements[i];
        if (st->kind == FLAT_ASSIGN && st->target->kind == FLAT_LOCAL && st->target->local == flat)
            found = st->value;
        for (uint32_t k = 0; st->kind == FLAT_CHOICE && k < st->branches.count && !found; k++)
            found =
                first_assigned(flat, st->branches.items[k].count, st->branches.items[k].statements);
    }
    return found;
}

// ---------------------------------------------------------------------------
// Instances
// ---------------------------------------------------------------------------

// Whether a local's value counts for the size of another: through sizes, and values of constants.
static bool counts_for_size(const FlatFunction *f, const FlatExpression *e, const FlatLocal *local,
                            uint32_t depth)
{
    if (!e || depth > f->local_count)
        return false;
    if (e->kind == FLAT_LOCAL) {
        if (e->local == local)
            return true;
        return e->local->role == FLAT_ROLE_PROTECTED && !e->local->is_assigned &&
               counts_for_size(f, e->local->value, local, depth + 1);
    }
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_SIZE)
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (counts_for_size(f, e->operands[i], local, depth))
            return true;
    return false;
}

typedef struct TextSearch {
    const FlatFunction *function;
    const FlatLocal *input;
    bool is_found;
} TextSearch;

// Texts that are handed on have to be known.
static void find_text(void *data, FlatExpression *e, const FlatComponent *component)
{
    TextSearch *s = data;
    for (uint32_t i = 0; i < e->count && !s->is_found; i++) {
        const FlatExpression *operand = e->operands[i];
        if (!operand)
            continue;
        s->is_found = e->kind == FLAT_CALL && operand->type->kind == FLAT_TYPE_STRING &&
                      counts_for_size(s->function, operand, s->input, 0);
        if (!s->is_found)
            find_text(data, e->operands[i], component);
    }
}

static bool is_in_text(const FlatFunction *f, const FlatLocal *input)
{
    TextSearch search = {f, input, false};
    for (uint32_t i = 0; f->external && i < f->external->count && !search.is_found; i++) {
        const FlatExpression *argument = f->external->arguments[i];
        search.is_found =
            argument->type->kind == FLAT_TYPE_STRING && counts_for_size(f, argument, input, 0);
    }
    if (!search.is_found)
        flat_walk_function(f, find_text, &search);
    return search.is_found;
}

typedef struct RangeSearch {
    const FlatLocal *iterator;
    uint32_t ranges; // around what is looked at
    bool is_found;
} RangeSearch;

static void find_slice(void *data, FlatExpression *e, const FlatComponent *component)
{
    RangeSearch *s = data;
    const bool is_range = e->kind == FLAT_OPERATION && e->operation == OPERATION_RANGE;
    s->is_found = s->is_found || (s->ranges && e->kind == FLAT_LOCAL && e->local == s->iterator);
    s->ranges += is_range;
    for (uint32_t i = 0; i < e->count && !s->is_found; i++)
        if (e->operands[i])
            find_slice(data, e->operands[i], component);
    s->ranges -= is_range;
}

// Whether the iterator of a loop says how large slices are, as in `A[i, i:n]`.
static bool is_slicing(const FlatStatement *loop)
{
    RangeSearch search = {.iterator = loop->loop.iterator};
    flat_walk_statements(loop->loop.count, loop->loop.body, find_slice, &search, NULL);
    return search.is_found;
}

// Whether an input says how often such a loop is run.
static bool is_in_loop(const FlatFunction *f, const FlatLocal *input, uint32_t count,
                       FlatStatement *const *statements)
{
    bool is_found = false;
    for (uint32_t i = 0; i < count && !is_found; i++) {
        const FlatStatement *st = statements[i];
        if (st->kind == FLAT_FOR || st->kind == FLAT_WHILE)
            is_found = (st->kind == FLAT_FOR && is_slicing(st) &&
                        counts_for_size(f, st->loop.range, input, 0)) ||
                       is_in_loop(f, input, st->loop.count, st->loop.body);
        for (uint32_t k = 0; st->kind == FLAT_CHOICE && k < st->branches.count && !is_found; k++)
            is_found =
                is_in_loop(f, input, st->branches.items[k].count, st->branches.items[k].statements);
    }
    return is_found;
}

// Whether the value of an input shapes the instance: sizes and texts do.
static bool is_sizing(const FlatFunction *f, const FlatLocal *input)
{
    const FlatTypeKind kind = input->reference.type->kind;
    if (kind == FLAT_TYPE_STRING)
        return true;
    if (kind != FLAT_TYPE_INTEGER && kind != FLAT_TYPE_BOOLEAN && kind != FLAT_TYPE_ENUMERATION)
        return false;
    if (is_in_text(f, input) || is_in_loop(f, input, f->count, f->statements))
        return true;
    for (uint32_t i = 0; i < f->local_count; i++)
        for (uint32_t k = 0; k < f->locals[i]->reference.rank; k++)
            if (f->locals[i]->sizes && counts_for_size(f, f->locals[i]->sizes[k], input, 0))
                return true;
    return false;
}

static bool convert_function_fits(const ConvertInstance *instance, const Bundle *arguments)
{
    for (uint32_t i = 0; i < instance->function->input_count; i++) {
        const Bundle *a = &instance->inputs[i], *b = &arguments[i];
        if (a->rank != b->rank || a->count != b->count)
            return false;
        for (uint32_t k = 0; k < a->rank; k++)
            if (a->dims[k] != b->dims[k])
                return false;
        for (uint32_t k = 0; a->items && k < a->count; k++)
            if (!b->items || a->items[k] != b->items[k])
                return false;
    }
    return true;
}

// The shapes of the arguments; the values only where they count and are known.
static Bundle *shapes_of(Convert *c, const FlatFunction *f, const Bundle *arguments)
{
    while (f->derivative_of) // has the same inputs and sizes
        f = f->derivative_of;
    Bundle *shapes = ARENA_ARRAY(c->arena, f->input_count, Bundle);
    for (uint32_t i = 0; i < f->input_count; i++) {
        shapes[i] = arguments[i];
        if (!is_sizing(f, f->locals[i]) || !shapes[i].items ||
            !bundle_are_numbers(c, &arguments[i]))
            shapes[i].items = NULL;
    }
    return shapes;
}

// Adds the inputs and outputs to the procedure; false after an error.
static bool declare_interface(ConvertFunctionBuilding *b, Procedure *p)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = 0; i < f->input_count; i++) {
        const Bundle *shape = &b->instance->inputs[i];
        Local *local = make_local(b->c, f->locals[i], shape->rank, shape->dims);
        if (!local)
            return false;
        p->inputs[i] = local->variable;
        if (shape->items) { // its value is part of the instance
            local->items = shape->items;
            local->is_constant = true;
        }
        keep_local(b, f->locals[i], local);
    }
    return true;
}

// Outputs that get their sizes from what is assigned to them: these have to be known before the
// algorithm is built, since calls of the function are made before.
static bool declare_open_outputs(ConvertFunctionBuilding *b, Procedure *p)
{
    const FlatFunction *f = b->instance->function;
    enum { MOST_NESTED = 20 }; // a function whose size is that of its own result
    bool is_fine = true;
    b->c->sizing++;
    for (uint32_t i = 0; i < f->output_count && is_fine; i++) {
        const FlatLocal *flat = f->locals[f->input_count + i];
        if (!is_sized_later(flat))
            continue;
        const FlatExpression *value = first_assigned(flat, f->count, f->statements);
        const bool is_known = value && b->c->sizing <= MOST_NESTED;
        const Bundle shape = is_known ? convert_bundle(&b->scope, value) : (Bundle){0};
        const Local *local =
            bundle_is_fine(&shape) ? size_local(b, flat, shape.rank, shape.dims) : NULL;
        is_fine = local != NULL;
        if (!is_known)
            convert_fail(b->c, flat->span, "the size of '%s' must be known before the run",
                         flat->name->text);
        if (!is_fine)
            break;
        p->outputs[i] = local->variable;
        b->instance->outputs[i] = *local;
    }
    b->c->sizing--;
    return is_fine;
}

typedef struct ConvertFunctionInitial { // value of a local when the function begins
    const FlatLocal *flat;
    Bundle value;
} ConvertFunctionInitial;

// Outputs and protected variables, in their order, with their initial values.
static bool declare_others(ConvertFunctionBuilding *b, Procedure *p, List *initials)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = f->input_count; i < f->local_count; i++) {
        const FlatLocal *flat = f->locals[i];
        if (flat->role == FLAT_ROLE_ITERATOR || is_sized_later(flat))
            continue;
        ConvertFunctionInitial *initial = ARENA_NEW(b->c->arena, ConvertFunctionInitial);
        Local *local = convert_function_declare(b, flat, &initial->value);
        if (!local)
            return false;
        keep_local(b, flat, local);
        if (flat->role == FLAT_ROLE_OUTPUT) {
            const uint32_t output = i - f->input_count;
            p->outputs[output] = local->variable;
            b->instance->outputs[output] = *local;
        } else if (!local->is_constant) {
            list_append(b->c->arena, &b->made, (void *)(uintptr_t)(local->variable + 1));
        }
        if (!local->is_constant && bundle_is_fine(&initial->value)) {
            initial->flat = flat;
            list_append(b->c->arena, initials, initial);
        }
    }
    return declare_open_outputs(b, p);
}

// The outputs of a partial derivative: as those of the function.
static bool declare_derivatives(ConvertFunctionBuilding *b, Procedure *p)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = 0; i < f->output_count; i++) {
        const Local *of = &b->instance->of->outputs[i];
        Local *local = make_local(b->c, f->locals[f->input_count + i], of->rank, of->dims);
        if (!local)
            return false;
        p->outputs[i] = local->variable;
        b->instance->outputs[i] = *local;
    }
    return true;
}

static void number_outputs(ConvertInstance *instance)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < instance->function->output_count; i++) {
        instance->output_starts[i] = start;
        start += instance->outputs[i].count ? instance->outputs[i].count : 1;
    }
}

// ---------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------

static bool build_statements(ConvertFunctionBuilding *b, uint32_t count,
                             FlatStatement *const *statements, Block *to);

// Whether a target is part of a local whose size is known, or of the model. A whole array that has
// no size yet gets that of the value. Another size later is refused where it is assigned.
static bool is_assignable(ConvertFunctionBuilding *b, const FlatExpression *target, uint32_t rank,
                          const uint32_t *dims)
{
    if (target->kind == FLAT_LOCAL && !map_find(&b->locals, target->local) &&
        is_sized_later(target->local)) {
        const Local *local = size_local(b, target->local, rank, dims);
        if (local)
            list_append(b->c->arena, &b->made, (void *)(uintptr_t)(local->variable + 1));
    }
    while (target->kind == FLAT_SELECT || target->kind == FLAT_MEMBER)
        target = target->operands[0];
    return target->kind != FLAT_LOCAL || map_find(&b->locals, target->local);
}

// An element of an array of the model by a subscript that changes: of all elements, the one that is
// meant gets the value.
static bool build_element(ConvertFunctionBuilding *b, const FlatExpression *target, Node value,
                          Span span, Block *to)
{
    Dag *d = b->c->dag;
    ConvertTarget places;
    if (!convert_target_in(&b->scope, target, &places))
        return false;
    ProcedureStatement *check = procedure_add(d, to, PROCEDURE_CHECK, span);
    check->condition = places.is_inside;
    check->message = "a subscript is out of bounds";
    ProcedureStatement *s = procedure_add(d, to, PROCEDURE_ASSIGN, span);
    s->assign.count = places.count;
    s->assign.targets = ARENA_ARRAY(b->c->arena, places.count, Node);
    s->assign.values = ARENA_ARRAY(b->c->arena, places.count, Node);
    for (uint32_t i = 0; i < places.count; i++) {
        s->assign.targets[i] = dag_reference(d, places.variables[i]);
        s->assign.values[i] = dag_if(d, places.conditions[i], value, s->assign.targets[i]);
    }
    return true;
}

// targets := values, all at once
static bool convert_function_build_assignment(ConvertFunctionBuilding *b,
                                              const FlatExpression *target, const Bundle *value,
                                              Span span, Block *to)
{
    if (!bundle_is_fine(value))
        return false;
    if (!is_assignable(b, target, value->rank, value->dims)) {
        convert_fail(b->c, span, "the size of what is assigned must be known before the run");
        return false;
    }
    const Bundle places = convert_bundle(&b->scope, target);
    if (!bundle_is_fine(&places))
        return false;
    bool is_same = places.count == value->count;
    for (uint32_t k = 0; places.rank == value->rank && k < places.rank; k++)
        is_same &= places.dims[k] == value->dims[k];
    if (!is_same) {
        convert_fail(b->c, span, "the value has another size than its target");
        return false;
    }
    if (places.count == 0)
        return true;
    if (target->kind == FLAT_SELECT && target->operands[0]->kind == FLAT_ARRAY && value->count == 1)
        return build_element(b, target, convert_converted(b->c, value->items[0], target->type),
                             span, to);
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_ASSIGN, span);
    s->assign.count = places.count;
    s->assign.targets = places.items;
    s->assign.values = ARENA_ARRAY(b->c->arena, places.count, Node);
    for (uint32_t i = 0; i < places.count; i++) {
        const DagNode *n = dag_get(b->c->dag, places.items[i]);
        if (n->kind != DAG_VARIABLE && n->kind != DAG_ELEMENT) {
            convert_fail(b->c, span, "a subscript here must be known before the run");
            return false;
        }
        s->assign.values[i] = convert_converted(b->c, value->items[i], target->type);
    }
    return true;
}

static bool build_said(ConvertFunctionBuilding *b, const FlatStatement *st, Block *to);

static bool build_multiple(ConvertFunctionBuilding *b, const FlatStatement *st, Block *to)
{
    const FlatExternal *x = st->value->function->external;
    if (x && external_prints(x->info) && !st->value->function->output_count)
        return build_said(b, st, to);
    ConvertInstance *instance;
    const Bundle *arguments = convert_arguments(&b->scope, st->value);
    const Node call =
        arguments ? convert_call(&b->scope, st->value, arguments, &instance) : NODE_NONE;
    if (call == NODE_NONE)
        return false;
    bool is_used = false;
    for (uint32_t i = 0; i < st->target_count; i++)
        is_used = is_used || st->targets[i];
    if (!is_used) { // for what it does besides
        procedure_add(b->c->dag, to, PROCEDURE_CALL, st->span)->condition = call;
        return true;
    }
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_ASSIGN, st->span);
    const uint32_t outputs = b->c->dag->functions[instance->number].output_count;
    s->assign.targets = ARENA_ARRAY(b->c->arena, outputs, Node);
    s->assign.values = ARENA_ARRAY(b->c->arena, outputs, Node);
    for (uint32_t i = 0; i < st->target_count; i++) {
        if (!st->targets[i])
            continue;
        const Local *output = &instance->outputs[i];
        if (!is_assignable(b, st->targets[i], output->rank, output->dims)) {
            convert_fail(b->c, st->span,
                         "the size of what is assigned must be known before the run");
            return false;
        }
        const Bundle places = convert_bundle(&b->scope, st->targets[i]);
        if (!bundle_is_fine(&places))
            return false;
        if (places.count != instance->outputs[i].count) {
            convert_fail(b->c, st->span, "the value has another size than its target");
            return false;
        }
        for (uint32_t k = 0; k < places.count; k++, s->assign.count++) {
            const Node value =
                convert_field(b->c, instance->outputs[i].type, k,
                              dag_result(b->c->dag, call, instance->output_starts[i] + k));
            s->assign.targets[s->assign.count] = places.items[k];
            s->assign.values[s->assign.count] =
                convert_converted(b->c, value, st->targets[i]->type);
        }
    }
    return true;
}

static bool build_condition(ConvertFunctionBuilding *b, const FlatExpression *e, Node *condition)
{
    const Bundle value = convert_bundle(&b->scope, e);
    *condition = bundle_is_fine(&value) ? value.items[0] : NODE_NONE;
    return *condition != NODE_NONE;
}

// Branches from `index` on. Those that are decided before the run are not converted: they may be
// for other sizes.
static bool build_choice(ConvertFunctionBuilding *b, const FlatStatement *st, uint32_t index,
                         Block *to)
{
    if (index == st->branches.count)
        return true;
    const FlatBranch *branch = &st->branches.items[index];
    Node condition = b->c->dag->truth;
    if (branch->condition && !build_condition(b, branch->condition, &condition))
        return false;
    if (dag_is_number(b->c->dag, condition))
        return dag_is_zero(b->c->dag, condition)
                   ? build_choice(b, st, index + 1, to)
                   : build_statements(b, branch->count, branch->statements, to);
    Block body = {0}, otherwise = {0};
    if (!build_statements(b, branch->count, branch->statements, &body) ||
        !build_choice(b, st, index + 1, &otherwise))
        return false;
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_IF, branch->span);
    s->condition = condition;
    s->body = body;
    s->otherwise = otherwise;
    return true;
}

static Local *convert_function_hidden_local(ConvertFunctionBuilding *b, const char *name,
                                            const FlatType *type, uint32_t size)
{
    Local *local = ARENA_NEW(b->c->arena, Local);
    *local = (Local){.type = type, .count = size ? size : 1};
    local->variable = dag_add_local(b->c->dag, name, convert_type(type), size);
    list_append(b->c->arena, &b->made, (void *)(uintptr_t)(local->variable + 1));
    return local;
}

// The loop over k = 0 .. last in steps of one; the iterator gets its value in the body.
static bool build_counted(ConvertFunctionBuilding *b, const FlatStatement *st, Node last,
                          Local *iterator,
                          Node (*value)(ConvertFunctionBuilding *, Node, const void *),
                          const void *data, Block *to)
{
    Dag *d = b->c->dag;
    const Local *k = convert_function_hidden_local(b, "k", &flat_type_integer, 0);
    Block body = {0};
    procedure_assign(d, &body, dag_reference(d, iterator->variable),
                     value(b, dag_reference(d, k->variable), data), st->span);
    if (!build_statements(b, st->loop.count, st->loop.body, &body))
        return false;
    ProcedureStatement *s = procedure_add(d, to, PROCEDURE_FOR, st->span);
    s->loop.iterator = k->variable;
    s->loop.from = dag_integer(d, 0);
    s->loop.step = dag_integer(d, 1);
    s->loop.to = last;
    s->loop.body = body;
    return true;
}

static Node value_in_range(ConvertFunctionBuilding *b, Node k, const void *data)
{
    Dag *d = b->c->dag;
    const Node *x = data;
    return dag_add(d, x[0], dag_multiply(d, dag_unary(d, OPERATOR_TO_REAL, k), x[1]));
}

static Node value_in_array(ConvertFunctionBuilding *b, Node k, const void *data)
{
    return dag_element(b->c->dag, *(const uint32_t *)data, k);
}

// A range of Reals: so many steps as fit, with the tolerance that ranges have at compile time.
static bool build_real_range(ConvertFunctionBuilding *b, const FlatStatement *st, const Node x[3],
                             Local *iterator, Block *to)
{
    Dag *d = b->c->dag;
    const Local *from = convert_function_hidden_local(b, "from", &flat_type_real, 0);
    const Local *step = convert_function_hidden_local(b, "step", &flat_type_real, 0);
    const Node values[] = {dag_reference(d, from->variable), dag_reference(d, step->variable)};
    procedure_assign(d, to, values[0], x[0], st->span);
    procedure_assign(d, to, values[1], x[1], st->span);
    const Node exact = dag_divide(d, dag_subtract(d, x[2], values[0]), values[1]);
    const Node wide =
        dag_add(d, dag_multiply(d, exact, dag_real(d, 1.0 + 4e-16)), dag_real(d, 1e-12));
    return build_counted(b, st, dag_unary(d, OPERATOR_FLOOR, wide), iterator, value_in_range,
                         values, to);
}

static bool build_array_loop(ConvertFunctionBuilding *b, const FlatStatement *st, Local *iterator,
                             Block *to)
{
    Dag *d = b->c->dag;
    const Bundle values = convert_bundle(&b->scope, st->loop.range);
    if (!bundle_is_fine(&values))
        return false;
    if (values.type->kind == FLAT_TYPE_RECORD) {
        convert_fail(b->c, st->loop.range->span,
                     "a loop over records that change cannot run: loop over their indices");
        return false;
    }
    if (values.count == 0)
        return true;
    const Local *array = convert_function_hidden_local(b, "values", values.type, values.count);
    for (uint32_t i = 0; i < values.count; i++)
        procedure_assign(d, to, dag_element(d, array->variable, dag_integer(d, i)), values.items[i],
                         st->span);
    return build_counted(b, st, dag_integer(d, (int64_t)values.count - 1), iterator, value_in_array,
                         &array->variable, to);
}

// Whether a loop is left before its end.
static bool has_exit(uint32_t count, FlatStatement *const *statements)
{
    bool is_found = false;
    for (uint32_t i = 0; i < count && !is_found; i++) {
        const FlatStatement *st = statements[i];
        is_found = st->kind == FLAT_BREAK || st->kind == FLAT_RETURN ||
                   ((st->kind == FLAT_FOR || st->kind == FLAT_WHILE) &&
                    has_exit(st->loop.count, st->loop.body));
        for (uint32_t k = 0; st->kind == FLAT_CHOICE && k < st->branches.count && !is_found; k++)
            is_found = has_exit(st->branches.items[k].count, st->branches.items[k].statements);
    }
    return is_found;
}

// A loop whose iterator says how large slices are is written out: sizes are known before a function
// runs.
static bool is_written_out(const ConvertFunctionBuilding *b, const FlatStatement *st,
                           const Node x[3])
{
    enum { MOST_ROUNDS = 1000 };
    for (uint32_t i = 0; i < 3; i++)
        if (!dag_is_number(b->c->dag, x[i]))
            return false;
    const double step = dag_get(b->c->dag, x[1])->value;
    const double rounds =
        (dag_get(b->c->dag, x[2])->value - dag_get(b->c->dag, x[0])->value) / step + 1.0;
    return is_slicing(st) && step != 0.0 && rounds <= MOST_ROUNDS &&
           !has_exit(st->loop.count, st->loop.body);
}

static bool write_rounds(ConvertFunctionBuilding *b, const FlatStatement *st, const Node x[3],
                         Block *to)
{
    Dag *d = b->c->dag;
    const int64_t from = (int64_t)dag_get(d, x[0])->value, step = (int64_t)dag_get(d, x[1])->value;
    const int64_t end = (int64_t)dag_get(d, x[2])->value;
    for (int64_t i = from; step > 0 ? i <= end : i >= end; i += step) {
        Local *value = ARENA_NEW(b->c->arena, Local);
        *value =
            (Local){.type = st->loop.iterator->reference.type, .count = 1, .is_constant = true};
        value->variable = DAG_NONE;
        value->items = ARENA_ARRAY(b->c->arena, 1, Node);
        value->items[0] = dag_integer(d, i);
        keep_local(b, st->loop.iterator, value);
        if (!build_statements(b, st->loop.count, st->loop.body, to))
            return false;
    }
    return true;
}

static bool convert_function_build_for(ConvertFunctionBuilding *b, const FlatStatement *st,
                                       Block *to)
{
    Dag *d = b->c->dag;
    const FlatExpression *range = st->loop.range;
    Local *iterator = make_local(b->c, st->loop.iterator, 0, NULL);
    if (!iterator)
        return false;
    list_append(b->c->arena, &b->made, (void *)(uintptr_t)(iterator->variable + 1));
    keep_local(b, st->loop.iterator, iterator);
    if (range->kind != FLAT_OPERATION || range->operation != OPERATION_RANGE)
        return build_array_loop(b, st, iterator, to);
    Node x[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!build_condition(b, range->operands[i], &x[i]))
            return false;
    if (range->type->kind == FLAT_TYPE_REAL)
        return build_real_range(b, st, x, iterator, to);
    if (is_written_out(b, st, x))
        return write_rounds(b, st, x, to);
    Block body = {0};
    if (!build_statements(b, st->loop.count, st->loop.body, &body))
        return false;
    ProcedureStatement *s = procedure_add(d, to, PROCEDURE_FOR, st->span);
    s->loop.iterator = iterator->variable;
    s->loop.from = x[0];
    s->loop.step = x[1];
    s->loop.to = x[2];
    s->loop.body = body;
    return true;
}

static bool convert_function_build_while(ConvertFunctionBuilding *b, const FlatStatement *st,
                                         Block *to)
{
    Node condition;
    Block body = {0};
    if (!build_condition(b, st->loop.range, &condition) ||
        !build_statements(b, st->loop.count, st->loop.body, &body))
        return false;
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_WHILE, st->span);
    s->condition = condition;
    s->body = body;
    return true;
}

static bool build_assert(ConvertFunctionBuilding *b, const FlatStatement *st, Block *to)
{
    Node condition;
    if (st->check.level == FLAT_LEVEL_WARNING)
        return true;
    if (!build_condition(b, st->check.condition, &condition))
        return false;
    ProcedureStatement *s = procedure_add(b->c->dag, to, PROCEDURE_CHECK, st->span);
    s->condition = condition;
    s->message = convert_message_in(&b->scope, st->check.message);
    return true;
}

static bool convert_function_build_statement(ConvertFunctionBuilding *b, const FlatStatement *st,
                                             Block *to)
{
    switch (st->kind) {
    case FLAT_ASSIGN: {
        const Bundle value = convert_bundle(&b->scope, st->value);
        return convert_function_build_assignment(b, st->target, &value, st->span, to);
    }
    case FLAT_MULTIPLE:
        return build_multiple(b, st, to);
    case FLAT_CHOICE:
        return build_choice(b, st, 0, to);
    case FLAT_FOR:
        return convert_function_build_for(b, st, to);
    case FLAT_WHILE:
        return convert_function_build_while(b, st, to);
    case FLAT_ASSERT:
        return build_assert(b, st, to);
    case FLAT_BREAK:
        procedure_add(b->c->dag, to, PROCEDURE_BREAK, st->span);
        return true;
    case FLAT_RETURN:
        procedure_add(b->c->dag, to, PROCEDURE_RETURN, st->span);
        return true;
    default:
        convert_fail(b->c, st->span, "this statement cannot be used in a function that runs");
        return false;
    }
}

static bool build_statements(ConvertFunctionBuilding *b, uint32_t count,
                             FlatStatement *const *statements, Block *to)
{
    for (uint32_t i = 0; i < count; i++)
        if (!convert_function_build_statement(b, statements[i], to))
            return false;
    return true;
}

bool convert_statements(Convert *c, uint32_t count, FlatStatement *const *statements, Block *to,
                        List *made)
{
    ConvertFunctionBuilding b = {.c = c};
    b.scope = (ConvertScope){c, &b.locals, true};
    const bool is_fine = build_statements(&b, count, statements, to);
    *made = b.made;
    return is_fine;
}

// ---------------------------------------------------------------------------
// External functions
// ---------------------------------------------------------------------------

// The texts of an argument that is known before the run; NULL after a message.
static const char **external_texts(ConvertFunctionBuilding *b, const FlatExpression *e,
                                   const Bundle *value)
{
    const char **texts = ARENA_ARRAY(b->c->arena, value->count + 1, const char *);
    for (uint32_t i = 0; i < value->count; i++) {
        texts[i] = convert_text_of(b->c, value->items[i]);
        if (texts[i])
            continue;
        convert_fail(b->c, e->span, "a String that is given to '%s' must be known before the run",
                     b->instance->function->name);
        return NULL;
    }
    return texts;
}

// The variable that has the value of an argument: the local that it is, or a new one.
static uint32_t external_variable(ConvertFunctionBuilding *b, const FlatExpression *e,
                                  const Bundle *value, Block *to)
{
    Dag *d = b->c->dag;
    const Local *own = e->kind == FLAT_LOCAL ? map_find(&b->locals, e->local) : NULL;
    if (own && !own->is_constant)
        return own->variable;
    const Local *made = convert_function_hidden_local(
        b, "argument", value->type, value->rank ? value->count ? value->count : 1 : 0);
    for (uint32_t i = 0; i < value->count; i++)
        procedure_assign(d, to,
                         value->rank ? dag_element(d, made->variable, dag_integer(d, i))
                                     : dag_reference(d, made->variable),
                         value->items[i], e->span);
    return made->variable;
}

// Members of records are written to variables of their own, and go from there to the records.
static bool external_write_members(ConvertFunctionBuilding *b, const FlatExternal *x,
                                   const uint32_t *variables, Block *to)
{
    bool is_fine = true;
    for (uint32_t i = 0; i < x->count && is_fine; i++) {
        const FlatExpression *e = x->arguments[i];
        bool is_written;
        external_letter(x->info->signature, i, &is_written);
        if (!is_written || e->kind != FLAT_MEMBER)
            continue;
        Node value = dag_reference(b->c->dag, variables[i]);
        const Bundle bundle = {.type = e->type, .count = 1, .items = &value};
        is_fine = convert_function_build_assignment(b, e, &bundle, e->span, to);
    }
    return is_fine;
}

static bool convert_function_build_external(ConvertFunctionBuilding *b, const FlatExternal *x,
                                            Block *to)
{
    Convert *c = b->c;
    ExternalArgument *arguments = ARENA_ARRAY(c->arena, x->count + 1, ExternalArgument);
    uint32_t *variables = ARENA_ARRAY(c->arena, x->count + 1, uint32_t);
    for (uint32_t i = 0; i < x->count; i++) {
        const FlatExpression *e = x->arguments[i];
        const Bundle value = convert_bundle(&b->scope, e);
        if (!bundle_is_fine(&value))
            return false;
        arguments[i] =
            (ExternalArgument){.rank = value.rank, .dims = value.dims, .count = value.count};
        if (e->type->kind == FLAT_TYPE_STRING) {
            variables[i] = DAG_NONE;
            arguments[i].texts = external_texts(b, e, &value);
            if (!arguments[i].texts)
                return false;
        } else {
            variables[i] = external_variable(b, e, &value, to);
        }
    }
    const ExternalSite site = {.info = x->info, .arguments = arguments, .count = x->count};
    ProcedureStatement *s =
        procedure_add(c->dag, to, PROCEDURE_EXTERNAL, b->instance->function->span);
    s->external.site = store_site(c->model->externals, &site);
    s->external.variables = variables;
    if (!s->external.site)
        arena_exhausted(c->arena);
    return s->external.site && external_write_members(b, x, variables, to);
}

// The format of a number in a text, as external_template_text takes it; NULL: it has none.
static const char *said_format(const ConvertFunctionBuilding *b, const FlatExpression *e)
{
    if (e->kind != FLAT_OPERATION || e->operation != OPERATION_STRING)
        return NULL;
    const FlatTypeKind kind = e->operands[0]->type->kind;
    const FlatExpression *digits = e->operands[1], *width = e->operands[2], *left = e->operands[3];
    const bool is_plain = digits->kind == FLAT_INTEGER && width->kind == FLAT_INTEGER &&
                          left->kind == FLAT_BOOLEAN && e->operands[4]->kind == FLAT_STRING &&
                          !*e->operands[4]->string && width->integer >= 0 && width->integer < 100;
    if (!is_plain)
        return NULL;
    StringBuilder out = builder_create(b->c->arena);
    const char *sign = left->boolean ? "-" : "";
    const int size = (int)width->integer;
    if (kind == FLAT_TYPE_REAL)
        builder_append_format(&out, "r%%%s%d.%dg", sign, size,
                              digits->integer < 1    ? 1
                              : digits->integer > 17 ? 17
                                                     : (int)digits->integer);
    else if (kind == FLAT_TYPE_INTEGER || kind == FLAT_TYPE_BOOLEAN)
        builder_append_format(&out, kind == FLAT_TYPE_INTEGER ? "i%%%s%dlld" : "b%%%s%ds", sign,
                              size);
    else
        return NULL;
    return builder_string(&out).text;
}

// What a function makes of a String that is known, as the full name of a file; else the call as it
// is written. NULL after a message.
static const char *said_call(ConvertFunctionBuilding *b, const FlatExpression *e)
{
    Convert *c = b->c;
    const FlatExternal *x = e->function->external;
    if (x && strcmp(x->info->signature, "s>s") == 0) {
        const Bundle value = convert_bundle(&b->scope, e->operands[0]);
        if (!bundle_is_fine(&value))
            return NULL;
        const char *texts[] = {convert_text_of(c, value.items[0]), NULL};
        ExternalArgument arguments[] = {{.count = 1, .texts = &texts[0]},
                                        {.count = 1, .texts = &texts[1]}};
        ExternalCall call = {
            .store = c->model->externals, .arguments = arguments, .count = 2, .arena = c->arena};
        if (texts[0] && x->info->function(&call))
            return texts[1];
    }
    return convert_message_in(&b->scope, e);
}

// A part of a text that is no number; NULL after a message.
static const char *said_text(ConvertFunctionBuilding *b, const FlatExpression *e)
{
    if (e->kind == FLAT_CALL)
        return said_call(b, e);
    const Bundle value = convert_bundle(&b->scope, e);
    if (!bundle_is_fine(&value))
        return NULL;
    const char *text = convert_text_of(b->c, value.items[0]);
    return text ? text : convert_message_in(&b->scope, e);
}

// The parts of a text: those that are joined, each as text or number.
static bool said_parts(ConvertFunctionBuilding *b, const FlatExpression *e, List *texts,
                       List *numbers)
{
    Convert *c = b->c;
    const char *format = said_format(b, e);
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_ADD) {
        for (uint32_t i = 0; i < e->count; i++)
            if (!said_parts(b, e->operands[i], texts, numbers))
                return false;
        return true;
    }
    Node *number = ARENA_NEW(c->arena, Node);
    *number = c->dag->zero;
    if (format) {
        const Bundle value = convert_bundle(&b->scope, e->operands[0]);
        if (!bundle_is_fine(&value))
            return false;
        *number = value.items[0];
    } else {
        const char *text = said_text(b, e);
        if (!text)
            return false;
        StringBuilder out = builder_create(c->arena);
        builder_append_text(&out, "=");
        builder_append_text(&out, text);
        format = builder_string(&out).text;
    }
    list_append(c->arena, texts, (void *)(uintptr_t)format);
    list_append(c->arena, numbers, number);
    return true;
}

// A String argument that may be put together in the run.
static bool said_argument(ConvertFunctionBuilding *b, const FlatExpression *e,
                          ExternalArgument *argument, uint32_t *variable, Block *to)
{
    Dag *d = b->c->dag;
    List texts = {0}, numbers = {0};
    if (!said_parts(b, e, &texts, &numbers))
        return false;
    const Local *made = convert_function_hidden_local(b, "argument", &flat_type_real, texts.count);
    for (uint32_t i = 0; i < texts.count; i++)
        procedure_assign(d, to, dag_element(d, made->variable, dag_integer(d, i)),
                         convert_converted(b->c, *(const Node *)numbers.items[i], &flat_type_real),
                         e->span);
    *argument =
        (ExternalArgument){.count = texts.count, .texts = (const char **)(void *)texts.items};
    *variable = made->variable;
    return true;
}

// print(string, file): made where it stands, so that the values in its first text are there.
static bool build_said(ConvertFunctionBuilding *b, const FlatStatement *st, Block *to)
{
    Convert *c = b->c;
    const FlatExpression *call = st->value;
    const FlatExternal *x = call->function->external;
    ExternalArgument *arguments = ARENA_ARRAY(c->arena, x->count + 1, ExternalArgument);
    uint32_t *variables = ARENA_ARRAY(c->arena, x->count + 1, uint32_t);
    for (uint32_t i = 0; i < x->count; i++) {
        const FlatExpression *e = x->arguments[i];
        if (e->kind == FLAT_LOCAL && e->local->role == FLAT_ROLE_INPUT)
            e = call->operands[e->local->index];
        variables[i] = DAG_NONE;
        if (i == 0) {
            if (!said_argument(b, e, &arguments[i], &variables[i], to))
                return false;
            continue;
        }
        const Bundle value = convert_bundle(&b->scope, e);
        if (!bundle_is_fine(&value))
            return false;
        arguments[i] =
            (ExternalArgument){.count = 1, .texts = ARENA_ARRAY(c->arena, 1, const char *)};
        arguments[i].texts[0] = convert_text_of(c, value.items[0]);
        if (!arguments[i].texts[0]) {
            convert_fail(c, e->span, "the name of a file must be known before the run");
            return false;
        }
    }
    const ExternalSite site = {.info = x->info, .arguments = arguments, .count = x->count};
    ProcedureStatement *s = procedure_add(c->dag, to, PROCEDURE_EXTERNAL, st->span);
    s->external.site = store_site(c->model->externals, &site);
    s->external.variables = variables;
    if (!s->external.site)
        arena_exhausted(c->arena);
    return s->external.site != NULL;
}

// ---------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------

// What is known of an instance until its algorithm is built.
typedef struct Pending {
    ConvertFunctionBuilding building;
    Procedure *procedure;
    List initials;
} Pending;

static void convert_function_build(Convert *c, Pending *p)
{
    ConvertFunctionBuilding *b = &p->building;
    const FlatFunction *f = b->instance->function;
    convert_annotations(c, b->instance);
    bool is_fine = true;
    for (uint32_t i = 0; i < p->initials.count && is_fine; i++) {
        const ConvertFunctionInitial *initial = p->initials.items[i];
        is_fine = convert_function_build_assignment(b, &initial->flat->reference, &initial->value,
                                                    initial->flat->span, &p->procedure->body);
    }
    if (is_fine && f->external)
        convert_function_build_external(b, f->external, &p->procedure->body);
    else if (is_fine)
        build_statements(b, f->count, f->statements, &p->procedure->body);
    p->procedure->local_count = b->made.count;
    p->procedure->locals = ARENA_ARRAY(c->arena, b->made.count, uint32_t);
    for (uint32_t i = 0; i < b->made.count; i++)
        p->procedure->locals[i] = (uint32_t)(uintptr_t)b->made.items[i] - 1;
}

// ---------------------------------------------------------------------------
// Partial derivatives
// ---------------------------------------------------------------------------

// f(inputs), with the inputs of the derivative
static Node differentiated_call(ConvertFunctionBuilding *b)
{
    const FlatFunction *f = b->instance->function;
    DagMemo *arguments = memo_take(b->c->dag);
    for (uint32_t i = 0; i < f->input_count; i++) {
        const Local *local = map_find(&b->locals, f->locals[i]);
        for (uint32_t k = 0; k < local->count; k++)
            memo_push(arguments, local->items[k]);
        if (local->count == 0)
            memo_push(arguments, b->c->dag->zero);
    }
    const Node call =
        dag_call(b->c->dag, b->instance->of->number, arguments->count, arguments->list);
    memo_give(arguments);
    return call;
}

// d/dx d/dy ... of one scalar of the results; NODE_NONE after an error.
static Node differentiated_result(ConvertFunctionBuilding *b, Node result)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = 0; i < f->by_count && result != NODE_NONE; i++) {
        const FlatLocal *by = f->locals[f->by[i]];
        const Local *local = map_find(&b->locals, by);
        Derivation d = derive_by(b->c->dag, local->variable);
        result = derive(&d, result);
        if (result == NODE_NONE)
            convert_fail(b->c, f->span, "'%s' cannot be differentiated by '%s': %s",
                         f->derivative_of->name, by->name->text, d.reason);
        derive_end(&d);
    }
    return result;
}

// All functions but such are built, and those of them that this one needs.
static void build_derivative(Convert *c, Pending *p)
{
    ConvertFunctionBuilding *b = &p->building;
    const Node call = differentiated_call(b);
    for (uint32_t i = 0; i < b->instance->function->output_count; i++) {
        const Local *output = &b->instance->outputs[i];
        for (uint32_t k = 0; k < output->count; k++) {
            const Node value = differentiated_result(
                b, dag_result(c->dag, call, b->instance->output_starts[i] + k));
            if (value == NODE_NONE)
                return;
            procedure_assign(c->dag, &p->procedure->body, output->items[k], value,
                             b->instance->function->span);
        }
    }
    c->dag->functions[b->instance->number].is_open = false;
}

// The derivative that is needed first.
static Pending *next_waiting(Convert *c)
{
    uint32_t next = 0;
    for (uint32_t i = 1; i < c->waiting.count; i++) {
        const Pending *a = c->waiting.items[i], *b = c->waiting.items[next];
        if (a->building.instance->function->sequence < b->building.instance->function->sequence)
            next = i;
    }
    Pending *p = c->waiting.items[next];
    c->waiting.items[next] = c->waiting.items[--c->waiting.count];
    return p;
}

void convert_build_pending(Convert *c)
{
    if (c->is_building)
        return;
    c->is_building = true;
    while (c->pending.count || c->waiting.count) {
        for (uint32_t i = 0; i < c->pending.count; i++) // building one may add others
            convert_function_build(c, c->pending.items[i]);
        c->pending.count = 0;
        if (c->waiting.count)
            build_derivative(c, next_waiting(c));
    }
    c->is_building = false;
}

static ConvertInstance *convert_function_make_instance(Convert *c, const FlatFunction *f,
                                                       const Bundle *arguments)
{
    Pending *p = ARENA_NEW(c->arena, Pending);
    ConvertInstance *instance = ARENA_NEW(c->arena, ConvertInstance);
    ConvertFunctionBuilding *b = &p->building;
    instance->function = f;
    instance->inputs = shapes_of(c, f, arguments);
    instance->outputs = ARENA_ARRAY(c->arena, f->output_count, Local);
    instance->output_starts = ARENA_ARRAY(c->arena, f->output_count, uint32_t);
    b->c = c;
    b->instance = instance;
    b->scope = (ConvertScope){c, &b->locals, true};
    p->procedure = procedure_create(c->dag, f->input_count, f->output_count, 0);
    if (f->derivative_of) {
        instance->of = convert_instance(c, f->derivative_of, arguments, f->span);
        if (!instance->of)
            return NULL;
    }
    if (!declare_interface(b, p->procedure) ||
        !(instance->of ? declare_derivatives(b, p->procedure)
                       : declare_others(b, p->procedure, &p->initials)))
        return NULL;
    number_outputs(instance);
    instance->number = procedure_function(c->dag, f->name, p->procedure);
    c->dag->functions[instance->number].is_impure = f->is_impure;
    c->dag->functions[instance->number].is_inline = f->is_inline;
    c->dag->functions[instance->number].is_open = instance->of != NULL;
    list_append(c->arena, instance->of ? &c->waiting : &c->pending, p);
    return instance;
}

ConvertInstance *convert_instance(Convert *c, const FlatFunction *f, const Bundle *arguments,
                                  Span span)
{
    ConvertInstance *first = map_find(&c->instances, f);
    uint32_t count = 0;
    for (ConvertInstance *i = first; i; i = i->next_of_function, count++)
        if (!f->is_impure && convert_function_fits(i, arguments))
            return i;
    // A recursive function whose arguments get other sizes with every call.
    enum { MOST_INSTANCES = 200 };
    if (count >= MOST_INSTANCES) {
        convert_fail(c, span, "'%s' is called with more than %d different sizes or Strings%s",
                     f->name, MOST_INSTANCES, f->is_impure ? ", or at so many places" : "");
        return NULL;
    }
    ConvertInstance *instance = convert_function_make_instance(c, f, arguments);
    if (!instance)
        return NULL;
    instance->next_of_function = map_find(&c->instances, f);
    map_set(c->arena, &c->instances, f, instance);
    return instance;
}

// The scalars of all arguments; an array without elements stands as one number.
static void push_scalars(Convert *c, DagMemo *list, const Bundle *argument, const FlatType *type)
{
    for (uint32_t k = 0; k < argument->count; k++)
        memo_push(list, convert_converted(c, argument->items[k], type));
    if (argument->count == 0)
        memo_push(list, c->dag->zero);
}

Bundle *convert_arguments(const ConvertScope *s, const FlatExpression *call)
{
    Bundle *arguments = ARENA_ARRAY(s->c->arena, call->function->input_count + 1u, Bundle);
    for (uint32_t i = 0; i < call->function->input_count; i++) {
        arguments[i] = convert_bundle(s, call->operands[i]);
        if (!bundle_is_fine(&arguments[i]))
            return NULL;
    }
    return arguments;
}

Node convert_call(const ConvertScope *s, const FlatExpression *e, const Bundle *arguments,
                  ConvertInstance **instance)
{
    Convert *c = s->c;
    const FlatFunction *f = e->function;
    ImpureCall *first = f->is_impure ? map_find(&c->calls, e) : NULL;
    // An impure call is one call, however many of its results are used.
    for (const ImpureCall *k = first; k; k = k->next)
        if (k->locals == s->locals) {
            *instance = k->instance;
            return k->node;
        }
    *instance = convert_instance(c, f, arguments, e->span);
    if (!*instance)
        return NODE_NONE;
    DagMemo *list = memo_take(c->dag);
    for (uint32_t i = 0; i < f->input_count; i++)
        push_scalars(c, list, &arguments[i], f->locals[i]->reference.type);
    const Node call = dag_call(c->dag, (*instance)->number, list->count, list->list);
    memo_give(list);
    if (f->is_impure) {
        ImpureCall *k = ARENA_NEW(c->arena, ImpureCall);
        *k = (ImpureCall){s->locals, call, *instance, first};
        map_set(c->arena, &c->calls, e, k);
    }
    return call;
}
