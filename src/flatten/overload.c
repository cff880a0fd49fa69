// SPDX-License-Identifier: MIT

#include "flatten/overload.h"

#include "flatten/evaluate.h"
#include "flatten/function.h"
#include "flatten/lookup.h"
#include "flatten/unfold.h"

enum { OVERLOAD_LARGEST = 1000 * 1000 }; // nodes of an expression

// ---------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------

Class *overload_class(Flattener *f, Class *c)
{
    while (c && c->definition && c->definition->form == FORM_SHORT) {
        class_expand(f, c);
        c = c->base_count ? c->bases[0].class_ : NULL;
    }
    if (!c || !c->definition || c->definition->kind != CLASS_OPERATOR_RECORD)
        return NULL;
    // The class may be one with redeclared members. Its operators are those of the text as it
    // stands: nobody may extend what an operator record is in.
    Class *same = map_find(&f->calls.operator_records, c->definition);
    if (same)
        return same;
    same = c->enclosing && c->name ? lookup_class_in(f, c->enclosing, c->name) : NULL;
    same = same && same->definition == c->definition ? same : c;
    map_set(f->arena, &f->calls.operator_records, c->definition, same);
    return same;
}

// The functions of an operator: `operator function '+'`, or those in `operator '+'`.
static void overload_functions(Flattener *f, Class *record, const char *name, List *out)
{
    Class *c = record ? lookup_class_in(f, record, names_intern_text(f->names, name)) : NULL;
    if (c && class_kind(f, c) == CLASS_OPERATOR) {
        class_expand(f, c);
        for (uint32_t i = 0; i < c->member_count; i++) {
            Member *member = c->members[i];
            Class *function = member->is_component ? NULL : member_class(f, member);
            if (function && class_is_function(f, function))
                list_append(f->arena, out, function);
        }
    } else if (c && class_is_function(f, c)) {
        list_append(f->arena, out, c);
    }
}

static const char *overload_name(Flattener *f, Operation op)
{
    StringBuilder text = builder_create(f->arena);
    builder_append_format(&text, "'%s'", operation_info(op)->text);
    return builder_string(&text).text;
}

bool overload_has(Flattener *f, const FlatType *type, const char *name)
{
    List functions = {0};
    if (type->kind == FLAT_TYPE_RECORD)
        overload_functions(f, type->operators, name, &functions);
    return functions.count > 0;
}

// ---------------------------------------------------------------------------
// What operators may be declared (section 14.2 to 14.6)
// ---------------------------------------------------------------------------

typedef struct OverloadRule {
    const char *names; // of operators, each with a blank before and behind
    uint32_t least;    // inputs without default
    uint32_t most;
    bool is_of_record; // one of them is of the operator record
    char result;       // 'C': the operator record, 'S': a String, '?': anything
    const char *text;
} OverloadRule;

static const OverloadRule overload_rules[] = {
    {" 'constructor' ", 0, UINT32_MAX, false, 'C',
     "a function of 'constructor' must have one output, of the operator record (section 14.3)"},
    {" '0' ", 0, 0, false, 'C',
     "the function of '0' must have no inputs and one output, of the operator record (section "
     "14.6)"},
    {" 'String' ", 1, 1, true, 'S',
     "a function of 'String' must have the operator record as its first input, defaults for all "
     "others, and a String as its only output (section 14.4)"},
    {" 'not' ", 1, 1, true, '?',
     "a function of this operator must have the operator record as its first input, defaults for "
     "all others, and one output (section 14.5)"},
    {" '-' ", 1, 2, true, '?',
     "a function of '-' must have one or two inputs without defaults, one of the operator record, "
     "and one output (section 14.5)"},
    {" '+' '*' '/' '^' '==' '<>' '>' '<' '>=' '<=' 'and' 'or' ", 2, 2, true, '?',
     "a function of this operator must have two inputs without defaults, one of the operator "
     "record, and one output (section 14.5)"},
};

static const OverloadRule *overload_rule(Flattener *f, const char *operator_name)
{
    StringBuilder padded = builder_create(f->arena);
    builder_append_format(&padded, " %s ", operator_name);
    const char *name = builder_string(&padded).text;
    for (size_t i = 0; i < sizeof overload_rules / sizeof *overload_rules; i++)
        if (strstr(overload_rules[i].names, name))
            return &overload_rules[i];
    return NULL;
}

static bool overload_keeps(const OverloadRule *rule, const FlatFunction *fn, const Class *record)
{
    uint32_t needed = 0;
    bool is_of_record = !rule->is_of_record;
    for (uint32_t i = 0; i < fn->input_count; i++) {
        const FlatLocal *input = fn->locals[i];
        const bool has_default = input->value || input->late;
        if (!has_default && needed < i)
            return false; // behind one that has a default
        needed += !has_default;
        is_of_record =
            is_of_record || (i < rule->most && input->reference.type->operators == record);
    }
    if (needed < rule->least || needed > rule->most || !is_of_record || fn->output_count != 1)
        return rule->result == 'C' && rule->most == UINT32_MAX && fn->output_count == 1 &&
               fn->locals[fn->input_count]->reference.type->operators == record;
    const FlatExpression *output = &fn->locals[fn->input_count]->reference;
    const bool is_record = !output->rank && output->type->operators == record;
    const bool is_text = !output->rank && output->type->kind == FLAT_TYPE_STRING;
    return rule->result == 'C' ? is_record : rule->result == 'S' ? is_text : true;
}

static bool overload_check_function(Flattener *f, Class *function, const OverloadRule *rule,
                                    const Class *record)
{
    FlatFunction *fn = function_signature(f, function, function->definition->name_span);
    if (!fn)
        return false;
    if (overload_keeps(rule, fn, record))
        return true;
    report_error(f, function->definition->name_span, "%s", rule->text);
    return false;
}

// An `operator` of a record: functions and nothing else (section 4.7).
static bool overload_check_operator(Flattener *f, Class *c, const OverloadRule *rule,
                                    const Class *record)
{
    class_expand(f, c);
    if (class_is_function(f, c))
        return overload_check_function(f, c, rule, record);
    bool is_fine = !c->is_broken;
    for (uint32_t i = 0; i < c->member_count; i++) {
        Member *member = c->members[i];
        Class *inner = member->is_component ? NULL : member_class(f, member);
        if (!member->is_component && !inner)
            return false;
        if (!inner || !class_is_function(f, inner)) {
            report_error(f, member->element->span,
                         "'%s' in %s: an operator contains functions only (section 4.7)",
                         member->name->text, c->name->text);
            is_fine = false;
        } else {
            is_fine = overload_check_function(f, inner, rule, record) && is_fine;
        }
    }
    return is_fine;
}

static bool overload_check_text(Flattener *f, const Class *record)
{
    const ClassDefinition *d = record->definition;
    if (d->form == FORM_LONG && d->body.section_count) {
        report_error(f, d->body.sections[0]->span,
                     "operator record '%s' cannot have equations or algorithms (section 4.7)",
                     record->name->text);
        return false;
    }
    for (uint32_t i = 0; i < record->component_count; i++)
        if (record->components[i]->is_protected) {
            report_error(f, record->components[i]->element->span,
                         "operator record '%s' cannot have protected members (section 4.7)",
                         record->name->text);
            return false;
        }
    return true;
}

// Looks at all operators of a record, once.
static bool overload_check(Flattener *f, Class *record)
{
    const void *known = map_find(&f->calls.overloaded, record);
    if (known)
        return known == record;
    map_set(f->arena, &f->calls.overloaded, record, record);
    class_expand(f, record);
    bool is_fine = !record->is_broken && overload_check_text(f, record);
    for (uint32_t i = 0; i < record->member_count; i++) {
        Member *member = record->members[i];
        Class *c = member->is_component ? NULL : member_class(f, member);
        const ClassKind kind = c ? class_kind(f, c) : CLASS_RECORD;
        if (kind != CLASS_OPERATOR && kind != CLASS_OPERATOR_FUNCTION)
            continue;
        const OverloadRule *rule = overload_rule(f, member->name->text);
        if (rule) {
            is_fine = overload_check_operator(f, c, rule, record) && is_fine;
        } else {
            report_error(f, c->definition->name_span,
                         "%s is not an operator that can be overloaded (chapter 14)",
                         member->name->text);
            is_fine = false;
        }
    }
    if (!is_fine)
        map_set(f->arena, &f->calls.overloaded, record, f);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Candidates
// ---------------------------------------------------------------------------

// Whether a value can be given to an input: the same number of dimensions, the type itself or
// Integer for Real.
static bool overload_fits(Flattener *f, const FlatFunction *fn, uint32_t input,
                          FlatExpression **values)
{
    const FlatLocal *local = fn->locals[input];
    FlatExpression *value = values[input];
    if (!value)
        return local->value != NULL;
    if (value->rank != local->reference.rank)
        return false;
    for (uint32_t k = 0; k < value->rank; k++) {
        int64_t size;
        if (local->sizes && local->sizes[k] && value->dims[k] != FLAT_UNKNOWN_SIZE &&
            evaluate_size(f, fn, values, local->sizes[k], &size) && size != value->dims[k])
            return false;
    }
    return build_convert(f, value, local->reference.type) != NULL;
}

// The arguments of a call, with names or without.
typedef struct OverloadCall {
    uint32_t count; // of arguments without names, and of all
    uint32_t all;
    FlatExpression **values;
    const Name **names; // of those behind `count`
    Span span;
} OverloadCall;

// The values of the inputs of `fn`; NULL: the call is not a valid match.
static FlatExpression **overload_match(Flattener *f, const FlatFunction *fn, const OverloadCall *c)
{
    FlatExpression **values = ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *);
    if (c->all > fn->input_count)
        return NULL;
    for (uint32_t i = 0; i < c->count; i++)
        values[i] = c->values[i];
    for (uint32_t i = c->count; i < c->all; i++) {
        const FlatLocal *input = c->names[i] ? function_input(fn, c->names[i]) : NULL;
        if (!input || values[input->index])
            return NULL;
        values[input->index] = c->values[i];
    }
    for (uint32_t i = 0; i < fn->input_count; i++)
        if (!overload_fits(f, fn, i, values))
            return NULL;
    return values;
}

// What an operator may mean: a function, and what its arguments are converted by.
typedef struct Overload {
    uint32_t count;     // of matches
    Class *function;    // the first one
    Class *second;      // another one, for a message
    Class *constructor; // of the first one; NULL: no conversion
    uint32_t converted; // which argument it converts
    FlatExpression **values;
} Overload;

static void overload_add(Flattener *f, Overload *o, Class *function, const OverloadCall *call)
{
    const FlatFunction *fn = function_signature(f, function, call->span);
    FlatExpression **values = fn ? overload_match(f, fn, call) : NULL;
    if (!values)
        return;
    if (!o->count) {
        o->function = function;
        o->values = values;
    } else {
        o->second = function;
    }
    o->count++;
}

static FlatExpression *overload_apply(Flattener *f, Scope *s, Class *function,
                                      FlatExpression **values, Span span)
{
    FlatFunction *fn = function_of(f, function, span);
    FlatExpression *value = fn ? call_given(f, s, fn, values, span) : build_none(f, span);
    // Each member of a product contains both members of its factors: it grows by powers of two.
    if (unfold_weight(value, OVERLOAD_LARGEST) < OVERLOAD_LARGEST)
        return value;
    report_error(f, span, "this expression is too large: a variable can stand for a part of it");
    return build_none(f, span);
}

// The only match; NULL: there is none. More than one: an error.
static FlatExpression *overload_result(Flattener *f, Scope *s, const Overload *o, const char *name,
                                       Span span)
{
    if (!o->count)
        return NULL;
    if (o->count > 1) {
        report_error(f, span,
                     o->function == o->second
                         ? "%s is ambiguous here: '%s' fits in several ways (section 14.5)"
                         : "%s is ambiguous here: '%s' and '%s' fit (section 14.5)",
                     name, class_name(f, o->function), class_name(f, o->second));
        return build_none(f, span);
    }
    if (o->constructor) {
        FlatFunction *fn = function_of(f, o->constructor, span);
        FlatExpression **values =
            fn ? ARENA_ARRAY(f->arena, fn->input_count + 1, FlatExpression *) : NULL;
        if (!values)
            return build_none(f, span);
        values[0] = o->values[o->converted];
        o->values[o->converted] = call_given(f, s, fn, values, span);
    }
    return overload_apply(f, s, o->function, o->values, span);
}

// ---------------------------------------------------------------------------
// A op b
// ---------------------------------------------------------------------------

// All functions of the operator of both sides, each once.
static List overload_union(Flattener *f, const char *name, const FlatExpression *a,
                           const FlatExpression *b)
{
    List functions = {0};
    overload_functions(f, a->type->operators, name, &functions);
    if (b->type->operators != a->type->operators)
        overload_functions(f, b->type->operators, name, &functions);
    return functions;
}

// The matches of f(a, C.'constructor'.g(b)), or with a converted, for a function of the other
// side's operator (step 3 of section 14.5).
static void overload_add_converted(Flattener *f, Overload *o, Class *function, uint32_t converted,
                                   FlatExpression *const *pair, Span span)
{
    const FlatFunction *fn = function_signature(f, function, span);
    if (!fn || fn->input_count < 2)
        return;
    const FlatExpression *wanted = &fn->locals[converted]->reference;
    FlatExpression *given = pair[converted];
    List constructors = {0};
    if (wanted->rank || !wanted->type->operators ||
        wanted->type->operators == given->type->operators)
        return;
    overload_functions(f, wanted->type->operators, "'constructor'", &constructors);
    for (uint32_t i = 0; i < constructors.count; i++) {
        const FlatFunction *g = function_signature(f, constructors.items[i], span);
        const OverloadCall one = {.count = 1, .all = 1, .values = &given, .span = span};
        if (!g || !overload_match(f, g, &one))
            continue;
        // Whatever the constructor gives is a value of the input's type.
        FlatExpression *both[] = {pair[0], pair[1]};
        both[converted] = &g->locals[g->input_count]->reference;
        const OverloadCall call = {.count = 2, .all = 2, .values = both, .span = span};
        const uint32_t before = o->count;
        overload_add(f, o, function, &call);
        if (o->count == 1 && before == 0) {
            o->constructor = constructors.items[i];
            o->converted = converted;
            o->values[converted] = given;
        }
    }
}

static FlatExpression *overload_scalars(Flattener *f, Scope *s, const char *name, FlatExpression *a,
                                        FlatExpression *b, Span span)
{
    FlatExpression *pair[] = {a, b};
    const OverloadCall call = {.count = 2, .all = 2, .values = pair, .span = span};
    const List functions = overload_union(f, name, a, b);
    Overload direct = {0};
    for (uint32_t i = 0; i < functions.count; i++)
        overload_add(f, &direct, functions.items[i], &call);
    if (direct.count)
        return overload_result(f, s, &direct, name, span);
    Overload converted = {0};
    for (uint32_t side = 0; side < 2; side++) {
        List own = {0};
        overload_functions(f, pair[side]->type->operators, name, &own);
        for (uint32_t i = 0; i < own.count; i++)
            overload_add_converted(f, &converted, own.items[i], 1 - side, pair, span);
    }
    return overload_result(f, s, &converted, name, span);
}

static FlatExpression *overload_refuse(Flattener *f, Operation op, const FlatExpression *a,
                                       const FlatExpression *b, const char *why, Span span)
{
    report_error(f, span, "'%s' cannot be applied to %s and %s%s", operation_info(op)->text,
                 expression_type_text(f, a), expression_type_text(f, b), why);
    return build_none(f, span);
}

// ---------------------------------------------------------------------------
// Arrays: section 10.6 with the operators of the elements
// ---------------------------------------------------------------------------

static bool overload_is_sized(const FlatExpression *e)
{
    return expression_is_explicit(e) || expression_size(e) <= LIMIT_SCALARS;
}

static FlatExpression *overload_element(Flattener *f, FlatExpression *e, uint32_t place)
{
    if (expression_is_explicit(e))
        return expression_element(e, place);
    FlatExpression *subscripts[UINT8_MAX];
    for (uint32_t k = e->rank; k-- > 0;) {
        subscripts[k] = build_integer(f, place % e->dims[k] + 1, e->span);
        place /= e->dims[k];
    }
    return build_subscripted(f, e, e->rank, subscripts, e->span);
}

static FlatExpression *overload_array(Flattener *f, FlatExpression **items, const FlatType *type,
                                      uint32_t rank, const uint32_t *dims, uint32_t count,
                                      Span span)
{
    for (uint32_t i = 0; i < count; i++)
        if (expression_is_none(items[i]))
            return build_none(f, span);
    return build_elements(f, count ? items[0]->type : type, rank, dims, items, span);
}

static FlatExpression *overload_elementwise(Flattener *f, Scope *s, Operation op, FlatExpression *a,
                                            FlatExpression *b, Span span)
{
    const FlatExpression *shape = a->rank ? a : b;
    const uint32_t count = (uint32_t)expression_size(shape);
    FlatExpression **items = ARENA_ARRAY(f->arena, count + 1u, FlatExpression *);
    for (uint32_t i = 0; i < count; i++)
        items[i] =
            overload_binary(f, s, op, overload_element(f, a, i), overload_element(f, b, i), span);
    return overload_array(f, items, overload_concerns(a) ? a->type : b->type, shape->rank,
                          shape->dims, count, span);
}

static FlatExpression *overload_zero(Flattener *f, Scope *s, const FlatType *type, Span span)
{
    List functions = {0};
    overload_functions(f, type->operators, "'0'", &functions);
    if (!functions.count) {
        report_error(f, span, "'%s' has no operator '0', which a sum without terms needs",
                     type->name);
        return build_none(f, span);
    }
    FlatExpression *none[1] = {NULL};
    return overload_apply(f, s, functions.items[0], none, span);
}

// A matrix by a matrix or a vector: rows of a by columns of b.
static FlatExpression *overload_product(Flattener *f, Scope *s, FlatExpression *a,
                                        FlatExpression *b, Span span)
{
    const uint32_t rows = a->dims[0], inner = a->dims[1], columns = b->rank == 1 ? 1 : b->dims[1];
    const FlatType *type = overload_concerns(a) ? a->type : b->type;
    if ((uint64_t)rows * columns * (inner + 1) > LIMIT_SCALARS) {
        report_error(f, span, "the product has too many terms");
        return build_none(f, span);
    }
    FlatExpression **items = ARENA_ARRAY(f->arena, rows * columns + 1u, FlatExpression *);
    for (uint32_t i = 0; i < rows * columns; i++) {
        const uint32_t row = i / columns, column = i % columns;
        items[i] = inner ? NULL : overload_zero(f, s, type, span);
        for (uint32_t k = 0; k < inner; k++) {
            FlatExpression *term =
                overload_binary(f, s, OPERATION_MULTIPLY, overload_element(f, a, row * inner + k),
                                overload_element(f, b, k * columns + column), span);
            items[i] = k ? overload_binary(f, s, OPERATION_ADD, items[i], term, span) : term;
        }
    }
    const uint32_t dims[] = {rows, columns};
    return overload_array(f, items, type, b->rank, dims, rows * columns, span);
}

static FlatExpression *overload_arrays(Flattener *f, Scope *s, Operation op, Operation plain,
                                       FlatExpression *a, FlatExpression *b, Span span)
{
    const bool is_elementwise = op != plain;
    if (!overload_is_sized(a) || !overload_is_sized(b))
        return overload_refuse(f, op, a, b,
                               ": in a function the sizes of operator records must be known; a "
                               "loop over the elements can take its place",
                               span);
    const bool same_shape = a->rank && b->rank && expression_same_shape(a, b);
    if (is_elementwise && (same_shape || !a->rank || !b->rank))
        return overload_elementwise(f, s, plain, a, b, span);
    if (plain == OPERATION_ADD || plain == OPERATION_SUBTRACT || plain == OPERATION_AND ||
        plain == OPERATION_OR)
        return same_shape ? overload_elementwise(f, s, plain, a, b, span)
                          : overload_refuse(f, op, a, b, "", span);
    if (plain == OPERATION_MULTIPLY && (!a->rank || !b->rank))
        return overload_elementwise(f, s, plain, a, b, span);
    if (plain == OPERATION_DIVIDE && !b->rank)
        return overload_elementwise(f, s, plain, a, b, span);
    if (plain == OPERATION_MULTIPLY && a->rank == 1)
        return overload_refuse(f, op, a, b,
                               ": a product with a vector on the left is not defined for operator "
                               "records (section 14.5)",
                               span);
    if (plain == OPERATION_MULTIPLY && a->rank == 2 && b->rank <= 2 && a->dims[1] == b->dims[0])
        return overload_product(f, s, a, b, span);
    return overload_refuse(f, op, a, b, "", span);
}

FlatExpression *overload_binary(Flattener *f, Scope *s, Operation op, FlatExpression *a,
                                FlatExpression *b, Span span)
{
    if (expression_is_none(a) || expression_is_none(b))
        return build_none(f, span);
    const FlatType *types[] = {a->type, b->type};
    for (uint32_t i = 0; i < 2; i++)
        if (types[i]->operators && !overload_check(f, types[i]->operators))
            return build_none(f, span);
    const bool is_elementwise =
        op >= OPERATION_ELEMENTWISE_ADD && op <= OPERATION_ELEMENTWISE_POWER;
    const Operation plain =
        is_elementwise ? (Operation)(OPERATION_ADD + (op - OPERATION_ELEMENTWISE_ADD)) : op;
    const bool has_arrays = a->rank || b->rank;
    FlatExpression *value = is_elementwise && has_arrays
                                ? NULL
                                : overload_scalars(f, s, overload_name(f, plain), a, b, span);
    if (value)
        return value;
    return has_arrays ? overload_arrays(f, s, op, plain, a, b, span)
                      : overload_refuse(f, op, a, b, "", span);
}

// ---------------------------------------------------------------------------
// Op a, sum(a)
// ---------------------------------------------------------------------------

FlatExpression *overload_unary(Flattener *f, Scope *s, Operation op, FlatExpression *a, Span span)
{
    if (!overload_check(f, a->type->operators))
        return build_none(f, span);
    List functions = {0};
    Overload direct = {0};
    const char *name = overload_name(f, op);
    const OverloadCall call = {.count = 1, .all = 1, .values = &a, .span = span};
    if (op != OPERATION_ADD) // there is no unary '+' of operator records
        overload_functions(f, a->type->operators, name, &functions);
    for (uint32_t i = 0; i < functions.count; i++)
        overload_add(f, &direct, functions.items[i], &call);
    FlatExpression *value = overload_result(f, s, &direct, name, span);
    if (value)
        return value;
    if (!a->rank || !functions.count || !overload_is_sized(a)) {
        report_error(f, span, "%s cannot be applied to %s", name, expression_type_text(f, a));
        return build_none(f, span);
    }
    const uint32_t count = (uint32_t)expression_size(a);
    FlatExpression **items = ARENA_ARRAY(f->arena, count + 1u, FlatExpression *);
    for (uint32_t i = 0; i < count; i++)
        items[i] = overload_unary(f, s, op, overload_element(f, a, i), span);
    return overload_array(f, items, a->type, a->rank, a->dims, count, span);
}

FlatExpression *overload_sum(Flattener *f, Scope *s, FlatExpression *a, Span span)
{
    if (!overload_is_sized(a)) {
        report_error(f, span,
                     "'sum' of %s: in a function the sizes of operator records must be "
                     "known; a loop over the elements can take its place",
                     expression_type_text(f, a));
        return build_none(f, span);
    }
    const uint32_t count = (uint32_t)expression_size(a);
    FlatExpression *sum = count ? overload_element(f, a, 0) : overload_zero(f, s, a->type, span);
    for (uint32_t i = 1; i < count; i++)
        sum = overload_binary(f, s, OPERATION_ADD, sum, overload_element(f, a, i), span);
    return sum;
}

// ---------------------------------------------------------------------------
// C(...), String(...)
// ---------------------------------------------------------------------------

static bool overload_arguments(Flattener *f, Scope *s, const Expression *e, OverloadCall *call)
{
    const uint32_t all = e->call.count + e->call.named_count;
    *call = (OverloadCall){.count = e->call.count, .all = all, .span = e->span};
    call->values = ARENA_ARRAY(f->arena, all + 1, FlatExpression *);
    call->names = ARENA_ARRAY(f->arena, all + 1, const Name *);
    for (uint32_t i = 0; i < all; i++) {
        const NamedExpression *named = i < e->call.count ? NULL : &e->call.named[i - e->call.count];
        call->names[i] = named ? named->name : NULL;
        call->values[i] = elaborate(f, s, named ? named->value : e->call.arguments[i]);
        if (expression_is_none(call->values[i]))
            return false;
    }
    return true;
}

FlatExpression *overload_call(Flattener *f, Scope *s, const FlatType *type, const char *name,
                              const Expression *e)
{
    List functions = {0};
    if (!overload_check(f, type->operators))
        return build_none(f, e->span);
    overload_functions(f, type->operators, name, &functions);
    if (functions.count == 1)
        return call_class(f, s, functions.items[0], e);
    OverloadCall call;
    Overload direct = {0};
    if (!overload_arguments(f, s, e, &call))
        return build_none(f, e->span);
    for (uint32_t i = 0; i < functions.count; i++)
        overload_add(f, &direct, functions.items[i], &call);
    FlatExpression *value = overload_result(f, s, &direct, name, e->span);
    if (!value)
        report_error(f, e->span, "none of the functions of %s in '%s' takes these arguments", name,
                     type->name);
    return value ? value : build_none(f, e->span);
}

// ---------------------------------------------------------------------------
// Declarations
// ---------------------------------------------------------------------------

static bool overload_is_member(const FlatExpression *e, const FlatExpression *record, uint32_t k)
{
    return e->kind == FLAT_MEMBER && e->operands[0] == record && e->field == k;
}

// Whether '+' adds, unary '-' negates and '0' is zero member by member: connections add and negate
// the members of flow variables (section 9.2).
static bool overload_is_linear(Flattener *f, Class *record)
{
    const FlatType *type = class_type(f, record);
    const Span span = record->definition->name_span;
    Scope s = scope_of_class(record);
    FlatExpression *a =
        &function_variable(f, f->known.start, FLAT_ROLE_INPUT, type, span)->reference;
    FlatExpression *b =
        &function_variable(f, f->known.fixed, FLAT_ROLE_INPUT, type, span)->reference;
    const FlatExpression *sum = overload_binary(f, &s, OPERATION_ADD, a, b, span);
    const FlatExpression *minus = overload_unary(f, &s, OPERATION_NEGATE, a, span);
    const FlatExpression *zero = overload_zero(f, &s, type, span);
    if (sum->kind != FLAT_RECORD || minus->kind != FLAT_RECORD || zero->kind != FLAT_RECORD)
        return false;
    for (uint32_t k = 0; k < type->count; k++) {
        const FlatExpression *x = sum->operands[k], *y = minus->operands[k];
        const FlatExpression *z = zero->operands[k];
        const bool is_zero = (z->kind == FLAT_REAL && z->real == 0.0) ||
                             (z->kind == FLAT_INTEGER && z->integer == 0);
        const bool is_sum = x->kind == FLAT_OPERATION && x->operation == OPERATION_ADD &&
                            x->count == 2 && overload_is_member(x->operands[0], a, k) &&
                            overload_is_member(x->operands[1], b, k);
        const bool is_minus = y->kind == FLAT_OPERATION && y->operation == OPERATION_NEGATE &&
                              overload_is_member(y->operands[0], a, k);
        if (!is_zero || !is_sum || !is_minus)
            return false;
    }
    return true;
}

static bool overload_allows_flow(Flattener *f, Class *record, Span use)
{
    const FlatType *type = class_type(f, record);
    static const char *const needed[] = {"'+'", "'-'", "'0'"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!overload_has(f, type, needed[i])) {
            report_error(f, use,
                         "'%s' cannot be a flow variable: connections need its operators '+', '-' "
                         "and '0', and it has no %s (section 9.2)",
                         class_name(f, record), needed[i]);
            return false;
        }
    if (overload_is_linear(f, record))
        return true;
    report_error(f, use,
                 "'%s' cannot be a flow variable: its operators '+', '-' and '0' do not work "
                 "member by member, as connections do",
                 class_name(f, record));
    return false;
}

// Only a short class definition may extend an operator record (section 4.7).
static bool overload_is_extended(Flattener *f, Class *c)
{
    for (uint32_t i = 0; i < c->base_count; i++)
        if (overload_class(f, c->bases[i].class_)) {
            report_error(f, c->definition->name_span,
                         "'%s' extends an operator record, which only a short class definition "
                         "can do (section 4.7)",
                         c->name->text);
            return true;
        }
    return false;
}

bool overload_allows(Flattener *f, Class *c, uint8_t role, Span use)
{
    Class *record = overload_class(f, c);
    if (overload_is_extended(f, record ? record : c))
        return false;
    return !record || (overload_check(f, record) &&
                       (role != ROLE_FLOW || overload_allows_flow(f, record, use)));
}
