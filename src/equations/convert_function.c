// SPDX-License-Identifier: MIT
//
// Functions of the flat model to procedures: one instance for each list of sizes of the arguments.
//
// An instance is known to the graph, with its inputs and outputs, before its algorithm is
// converted: so functions may call themselves. Algorithms wait in a list until the expression that
// needed them is finished.

#include "equations/convert_parts.h"
#include "equations/derive.h"
#include "flatten/walk.h"

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
Local *convert_local_new(Convert *c, const FlatLocal *flat, uint32_t rank, const uint32_t *dims)
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

void convert_local_keep(ConvertScope *b, const FlatLocal *flat, Local *local)
{
    map_set(b->c->arena, b->locals, flat, local);
}

// The sizes of a local that is declared with them; false: they come from its value.
static bool convert_function_declared_sizes(ConvertScope *b, const FlatLocal *flat, uint32_t *dims)
{
    for (uint32_t k = 0; k < flat->reference.rank; k++) {
        if (!flat->sizes || !flat->sizes[k])
            return false;
        const Bundle size = convert_bundle(b, flat->sizes[k]);
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
bool convert_local_is_open(const FlatLocal *flat)
{
    bool is_open = false;
    for (uint32_t k = 0; k < flat->reference.rank; k++)
        is_open |= !flat->sizes || !flat->sizes[k];
    return is_open && !flat->value;
}

// An output or protected variable. One that is never assigned and has a known value is that value.
static Local *convert_function_declare(ConvertScope *b, const FlatLocal *flat, Bundle *value)
{
    uint32_t dims[UINT8_MAX];
    *value = (Bundle){0};
    if (flat->value) {
        *value = convert_bundle(b, flat->value);
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
        return convert_local_new(b->c, flat, flat->reference.rank, dims);
    if (b->c->diagnostics->error_count > errors)
        return NULL;
    return convert_local_new(b->c, flat, value->rank, value->dims);
}

// A local that is sized later, with the sizes of what is assigned to it; those that are declared
// have to be the same.
Local *convert_local_size(ConvertScope *b, const FlatLocal *flat, uint32_t rank,
                          const uint32_t *dims)
{
    bool fits_declared = rank == flat->reference.rank;
    for (uint32_t k = 0; k < rank && fits_declared; k++) {
        if (!flat->sizes || !flat->sizes[k])
            continue;
        const Bundle size = convert_bundle(b, flat->sizes[k]);
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
    Local *local = convert_local_new(b->c, flat, rank, dims);
    if (local)
        convert_local_keep(b, flat, local);
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

static bool is_in_range(const FlatExpression *e, const FlatLocal *iterator, bool in_range)
{
    if (in_range && e->kind == FLAT_LOCAL && e->local == iterator)
        return true;
    in_range = in_range || (e->kind == FLAT_OPERATION && e->operation == OPERATION_RANGE);
    for (uint32_t i = 0; i < e->count; i++)
        if (e->operands[i] && is_in_range(e->operands[i], iterator, in_range))
            return true;
    return false;
}

static bool has_slice(const void *iterator, const FlatExpression *e)
{
    return is_in_range(e, iterator, false);
}

// As in `A[i, i:n]`.
bool convert_is_slicing(const FlatStatement *loop)
{
    return flat_any_in_statements(loop->loop.count, loop->loop.body, has_slice,
                                  loop->loop.iterator);
}

// Whether an input says how often such a loop is run.
static bool is_in_loop(const FlatFunction *f, const FlatLocal *input, uint32_t count,
                       FlatStatement *const *statements)
{
    bool is_found = false;
    for (uint32_t i = 0; i < count && !is_found; i++) {
        const FlatStatement *st = statements[i];
        if (st->kind == FLAT_FOR || st->kind == FLAT_WHILE)
            is_found = (st->kind == FLAT_FOR && convert_is_slicing(st) &&
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
static bool declare_interface(ConvertScope *b, Procedure *p)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = 0; i < f->input_count; i++) {
        const Bundle *shape = &b->instance->inputs[i];
        Local *local = convert_local_new(b->c, f->locals[i], shape->rank, shape->dims);
        if (!local)
            return false;
        p->inputs[i] = local->variable;
        if (shape->items) { // its value is part of the instance
            local->items = shape->items;
            local->is_constant = true;
        }
        convert_local_keep(b, f->locals[i], local);
    }
    return true;
}

// Outputs that get their sizes from what is assigned to them: these have to be known before the
// algorithm is built, since calls of the function are made before.
static bool declare_open_outputs(ConvertScope *b, Procedure *p)
{
    const FlatFunction *f = b->instance->function;
    enum { MOST_NESTED = 20 }; // a function whose size is that of its own result
    bool is_fine = true;
    b->c->sizing++;
    for (uint32_t i = 0; i < f->output_count && is_fine; i++) {
        const FlatLocal *flat = f->locals[f->input_count + i];
        if (!convert_local_is_open(flat))
            continue;
        const FlatExpression *value = first_assigned(flat, f->count, f->statements);
        const bool is_known = value && b->c->sizing <= MOST_NESTED;
        const Bundle shape = is_known ? convert_bundle(b, value) : (Bundle){0};
        const Local *local =
            bundle_is_fine(&shape) ? convert_local_size(b, flat, shape.rank, shape.dims) : NULL;
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

// Outputs and protected variables, in their order, with their initial values: by local, NULL: none.
static bool declare_others(ConvertScope *b, Procedure *p, const Bundle **initials)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = f->input_count; i < f->local_count; i++) {
        const FlatLocal *flat = f->locals[i];
        if (flat->role == FLAT_ROLE_ITERATOR || convert_local_is_open(flat))
            continue;
        Bundle *initial = ARENA_NEW(b->c->arena, Bundle);
        Local *local = convert_function_declare(b, flat, initial);
        if (!local)
            return false;
        convert_local_keep(b, flat, local);
        if (flat->role == FLAT_ROLE_OUTPUT) {
            const uint32_t output = i - f->input_count;
            p->outputs[output] = local->variable;
            b->instance->outputs[output] = *local;
        } else if (!local->is_constant) {
            list_append(b->c->arena, &b->made, (void *)(uintptr_t)(local->variable + 1));
        }
        if (!local->is_constant && bundle_is_fine(initial))
            initials[i] = initial;
    }
    return declare_open_outputs(b, p);
}

// The outputs of a partial derivative: as those of the function.
static bool declare_derivatives(ConvertScope *b, Procedure *p)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = 0; i < f->output_count; i++) {
        const Local *of = &b->instance->of->outputs[i];
        Local *local = convert_local_new(b->c, f->locals[f->input_count + i], of->rank, of->dims);
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
// Building
// ---------------------------------------------------------------------------

static void convert_function_build(Convert *c, ConvertScope *b)
{
    const FlatFunction *f = b->instance->function;
    convert_annotations(c, b->instance);
    bool is_fine = true;
    for (uint32_t i = 0; i < f->local_count && is_fine; i++)
        if (b->initials[i])
            is_fine = convert_build_assignment(b, &f->locals[i]->reference, b->initials[i],
                                               f->locals[i]->span, &b->procedure->body);
    if (is_fine && f->external)
        convert_build_external(b, f->external, &b->procedure->body);
    else if (is_fine)
        convert_build_statements(b, f->count, f->statements, &b->procedure->body);
    b->procedure->local_count = b->made.count;
    b->procedure->locals = ARENA_ARRAY(c->arena, b->made.count, uint32_t);
    for (uint32_t i = 0; i < b->made.count; i++)
        b->procedure->locals[i] = (uint32_t)(uintptr_t)b->made.items[i] - 1;
}

// ---------------------------------------------------------------------------
// Partial derivatives
// ---------------------------------------------------------------------------

// f(inputs), with the inputs of the derivative
static Node differentiated_call(ConvertScope *b)
{
    const FlatFunction *f = b->instance->function;
    DagMemo *arguments = memo_take(b->c->dag);
    for (uint32_t i = 0; i < f->input_count; i++) {
        const Local *local = map_find(b->locals, f->locals[i]);
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
static Node differentiated_result(ConvertScope *b, Node result)
{
    const FlatFunction *f = b->instance->function;
    for (uint32_t i = 0; i < f->by_count && result != NODE_NONE; i++) {
        const FlatLocal *by = f->locals[f->by[i]];
        const Local *local = map_find(b->locals, by);
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
static void build_derivative(Convert *c, ConvertScope *b)
{
    const Node call = differentiated_call(b);
    for (uint32_t i = 0; i < b->instance->function->output_count; i++) {
        const Local *output = &b->instance->outputs[i];
        for (uint32_t k = 0; k < output->count; k++) {
            const Node value = differentiated_result(
                b, dag_result(c->dag, call, b->instance->output_starts[i] + k));
            if (value == NODE_NONE)
                return;
            procedure_assign(c->dag, &b->procedure->body, output->items[k], value,
                             b->instance->function->span);
        }
    }
    c->dag->functions[b->instance->number].is_open = false;
}

// The derivative that is needed first.
static ConvertScope *next_waiting(Convert *c)
{
    uint32_t next = 0;
    for (uint32_t i = 1; i < c->waiting.count; i++) {
        const ConvertScope *a = c->waiting.items[i], *b = c->waiting.items[next];
        if (a->instance->function->sequence < b->instance->function->sequence)
            next = i;
    }
    ConvertScope *first = c->waiting.items[next];
    c->waiting.items[next] = c->waiting.items[--c->waiting.count];
    return first;
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
    ConvertScope *b = ARENA_NEW(c->arena, ConvertScope);
    ConvertInstance *instance = ARENA_NEW(c->arena, ConvertInstance);
    instance->function = f;
    instance->inputs = shapes_of(c, f, arguments);
    instance->outputs = ARENA_ARRAY(c->arena, f->output_count, Local);
    instance->output_starts = ARENA_ARRAY(c->arena, f->output_count, uint32_t);
    *b = (ConvertScope){.c = c,
                        .locals = ARENA_NEW(c->arena, Map),
                        .has_tables = true,
                        .instance = instance,
                        .procedure = procedure_create(c->dag, f->input_count, f->output_count, 0),
                        .initials = ARENA_ARRAY(c->arena, f->local_count, const Bundle *)};
    if (f->derivative_of) {
        instance->of = convert_instance(c, f->derivative_of, arguments, f->span);
        if (!instance->of)
            return NULL;
    }
    if (!declare_interface(b, b->procedure) ||
        !(instance->of ? declare_derivatives(b, b->procedure)
                       : declare_others(b, b->procedure, b->initials)))
        return NULL;
    number_outputs(instance);
    instance->number = procedure_function(c->dag, f->name, b->procedure);
    c->dag->functions[instance->number].is_impure = f->is_impure;
    c->dag->functions[instance->number].is_inline = f->is_inline;
    c->dag->functions[instance->number].is_open = instance->of != NULL;
    list_append(c->arena, instance->of ? &c->waiting : &c->pending, b);
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
