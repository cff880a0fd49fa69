// SPDX-License-Identifier: MIT
//
// Calls that are replaced by what the function computes.
//
// A function whose derivative leaves inputs out (noDerivative, section 12.7.1 of the specification)
// says that these are no independent variables: with x and v = der(x) among them, v is the
// derivative of x by the other equations, and the annotation is how a tool that only sees the call
// finds it. As a call it hides which of its arguments the result depends on: `y = f({x, v})` with
// the body `y := u[1]` would be matched to v. Its body shows that, and that the derivative of y is
// der(x) is what the annotation promises. So the body stands for the call wherever it is one
// assignment. Where it depends on nothing that the equations determine (an input of the model,
// whose derivative nobody knows but the annotation) the call stays.

#include "equations/convert_parts.h"

static bool leaves_inputs_out(const FlatFunction *f)
{
    for (uint32_t i = 0; i < f->derivative_count; i++)
        if (f->derivatives[i].no_derivative)
            return true;
    return false;
}

// output := expression of the inputs, and nothing else
static bool is_one_assignment(const FlatFunction *f)
{
    return !f->is_impure && !f->derivative_of && f->count == 1 && f->output_count == 1 &&
           f->local_count == f->input_count + 1 && !f->locals[f->input_count]->value &&
           f->statements[0]->kind == FLAT_ASSIGN && f->statements[0]->target->kind == FLAT_LOCAL &&
           f->statements[0]->target->local == f->locals[f->input_count];
}

static bool depends_on_given_alone(Convert *c, const Bundle *value)
{
    DagMemo *memo = memo_take(c->dag);
    walk_variables(memo, WALK_ALL, value->items, value->count);
    bool are_given = true;
    for (uint32_t i = 0; i < memo->count; i++) {
        const DagVariable *v = &c->dag->variables[memo->list[i]];
        if (v->role == DAG_PLAIN && v->variability == DAG_PARAMETER &&
            c->model->variables[v->origin]->direction == FLAT_INPUT) {
            are_given = true;
            break;
        }
        are_given = are_given && v->variability != DAG_CONTINUOUS;
    }
    memo_give(memo);
    return are_given;
}

bool convert_inlined(const ConvertScope *s, const FlatExpression *call, const Bundle *arguments,
                     Bundle *value)
{
    Convert *c = s->c;
    const FlatFunction *f = call->function;
    if (s->locals || !leaves_inputs_out(f) || !is_one_assignment(f))
        return false;
    Map locals = {0};
    for (uint32_t i = 0; i < f->input_count; i++) {
        const Bundle argument = arguments[i];
        Local *local = ARENA_NEW(c->arena, Local);
        *local = (Local){argument.type,
                         argument.rank,
                         argument.dims,
                         argument.count,
                         true,
                         DAG_NONE,
                         ARENA_ARRAY(c->arena, argument.count, Node)};
        for (uint32_t k = 0; k < argument.count; k++)
            local->items[k] = convert_converted(c, argument.items[k], f->locals[i]->reference.type);
        map_set(c->arena, &locals, f->locals[i], local);
    }
    *value = convert_bundle(&(ConvertScope){.c = c, .locals = &locals}, f->statements[0]->value);
    if (!bundle_is_fine(value))
        return false;
    const FlatType *type = f->locals[f->input_count]->reference.type;
    for (uint32_t k = 0; k < value->count; k++)
        value->items[k] = convert_converted(c, value->items[k], type);
    value->type = type;
    return !depends_on_given_alone(c, value);
}
