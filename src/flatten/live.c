// SPDX-License-Identifier: MIT

#include "flatten/live.h"

#include "flatten/build.h"
#include "flatten/setting.h"

#include <string.h>

const char *const live_suffixes[LIVE_COUNT] = {".value", ".rate", ".rate2", ".rate3", ".since"};

// A parameter that belongs to the input v, before the input is anything else.
static FlatExpression *live_parameter(Flattener *f, const FlatVariable *v, int part)
{
    StringBuilder name = builder_create(f->arena);
    FlatVariable *p = ARENA_NEW(f->arena, FlatVariable);
    FlatAttributes *attributes = ARENA_NEW(f->arena, FlatAttributes);
    const bool is_value = part == LIVE_VALUE;
    builder_append_format(&name, "%s%s", v->name, live_suffixes[part]);
    *attributes = (FlatAttributes){.is_fixed = true, .state_select = FLAT_SELECT_DEFAULT};
    if (is_value) {
        *attributes = *v->attributes;
        attributes->is_fixed = true;
    }
    const FlatType *type = is_value ? FLAT_TYPE(v) : &flat_type_real;
    *p = (FlatVariable){.name = builder_string(&name).text,
                        .element = v->element,
                        .component = v->component,
                        .attributes = attributes,
                        .kind = FLAT_PARAMETER,
                        .live = v};
    p->reference = (FlatExpression){.kind = FLAT_VARIABLE,
                                    .variability = FLAT_PARAMETER,
                                    .type = type,
                                    .span = v->reference.span,
                                    .variable = p};
    p->binding = is_value && v->attributes->start ? v->attributes->start
                                                  : settings_type_default(f->arena, p);
    settings_add_variable(f->arena, f->model, p);
    return &p->reference;
}

// value + s (rate + s (rate2 / 2 + s rate3 / 6))
static FlatExpression *live_polynomial(Flattener *f, const FlatVariable *v, FlatExpression *value)
{
    const Span span = v->reference.span;
    static const double divisors[] = {1.0, 2.0, 6.0};
    FlatExpression *rates[3];
    for (int i = 0; i < 3; i++)
        rates[i] = live_parameter(f, v, LIVE_RATE + i);
    FlatExpression *time = build_call(f, OPERATION_TIME, 0, NULL, span);
    FlatExpression *s =
        build_binary(f, OPERATION_SUBTRACT, time, live_parameter(f, v, LIVE_SINCE), span);
    FlatExpression *sum = NULL;
    for (int i = 2; i >= 0; i--) {
        FlatExpression *term = i == 0 ? rates[i]
                                      : build_binary(f, OPERATION_DIVIDE, rates[i],
                                                     build_real(f, divisors[i], span), span);
        sum = sum ? build_binary(f, OPERATION_ADD, term, sum, span) : term;
        sum = build_binary(f, OPERATION_MULTIPLY, s, sum, span);
    }
    return build_binary(f, OPERATION_ADD, value, sum, span);
}

static void live_append_equation(Flattener *f, FlatVariable *v, FlatExpression *right)
{
    FlatModel *m = f->model;
    FlatEquation **equations = ARENA_ARRAY(f->arena, m->equation_count + 1u, FlatEquation *);
    FlatEquation *e = ARENA_NEW(f->arena, FlatEquation);
    *e = (FlatEquation){
        .kind = FLAT_EQUATION_BINDING,
        .origin = {.span = v->reference.span, .component = v->component, .element = v->element},
        .left = &v->reference,
        .right = right,
        .scalar_count = 1};
    for (uint32_t i = 0; i < m->equation_count; i++)
        equations[i] = m->equations[i];
    equations[m->equation_count++] = e;
    m->equations = equations;
}

void live_inputs(Flattener *f)
{
    const uint32_t count = f->model->variable_count;
    for (uint32_t i = 0; i < count; i++) {
        FlatVariable *v = f->model->variables[i];
        if (v->direction != FLAT_INPUT || FLAT_TYPE(v)->kind == FLAT_TYPE_STRING)
            continue;
        const bool is_continuous =
            FLAT_TYPE(v)->kind == FLAT_TYPE_REAL && v->kind == FLAT_CONTINUOUS;
        FlatExpression *value = live_parameter(f, v, LIVE_VALUE);
        live_append_equation(f, v, is_continuous ? live_polynomial(f, v, value) : value);
        v->direction = FLAT_LOCAL_VARIABLE;
    }
}

int live_part(const FlatVariable *p, size_t *length)
{
    if (!p->live)
        return LIVE_COUNT;
    *length = strlen(p->live->name);
    int part = 0;
    while (part < LIVE_COUNT && strcmp(p->name + *length, live_suffixes[part]) != 0)
        part++;
    return part;
}
