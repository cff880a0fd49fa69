// SPDX-License-Identifier: MIT

#include "drawing/attribute.h"

#include "drawing/recording.h"
#include "flatten/elaborate.h"
#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>

enum {
    MOST_NUMBERS = 100 * 1000,      // of one attribute
    MOST_STEPS = 500 * 1000 * 1000, // of all, along a run
};

void attribute_warn(const DrawingStage *stage, Span span, const char *message)
{
    report_warning(stage->f, span, "in a graphical annotation: %s", message);
}

// ---------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------

static bool attribute_is_name(const Reference *r, const char *name)
{
    return r && r->count == 1 && r->parts[0].name && strcmp(r->parts[0].name->text, name) == 0;
}

static const Modification *find_modification(const Modification *m, const char *name)
{
    for (uint32_t i = 0; m && i < m->count; i++)
        if (m->arguments[i]->kind == ARGUMENT_MODIFICATION &&
            attribute_is_name(m->arguments[i]->name, name))
            return m->arguments[i]->modification;
    return NULL;
}

const Expression *fields_find(Fields fields, const char *name)
{
    const Modification *m = find_modification(fields.modification, name);
    if (m)
        return m->value;
    for (uint32_t i = 0; fields.call && i < fields.call->call.named_count; i++) {
        const NamedExpression *a = &fields.call->call.named[i];
        if (a->name && strcmp(a->name->text, name) == 0)
            return a->value;
    }
    return NULL;
}

static Fields fields_of_call(const Expression *e)
{
    return (Fields){.call = e && e->kind == EXPRESSION_CALL ? e : NULL};
}

// transformation(extent = ...) or transformation = transformation(extent = ...).
Fields fields_inside(Fields fields, const char *name)
{
    const Modification *m = find_modification(fields.modification, name);
    if (m && !m->value)
        return (Fields){.modification = m};
    if (m)
        return fields_of_call(m->value);
    for (uint32_t i = 0; fields.call && i < fields.call->call.count; i++) {
        const Expression *e = fields.call->call.arguments[i];
        if (e && e->kind == EXPRESSION_CALL && attribute_is_name(e->call.function, name))
            return fields_of_call(e);
    }
    return fields_of_call(fields_find(fields, name));
}

bool fields_are_given(Fields fields)
{
    return fields.modification || fields.call;
}

Fields fields_of_annotation(const Modification *annotation, const char *name)
{
    return fields_inside((Fields){.modification = annotation}, name);
}

Fields fields_of_class(const Class *c, const char *name)
{
    for (uint32_t i = 0; c->definition && i < c->definition->annotation_count; i++) {
        const Fields found = fields_of_annotation(c->definition->annotations[i], name);
        if (fields_are_given(found))
            return found;
    }
    return (Fields){0};
}

// ---------------------------------------------------------------------------
// DynamicSelect
// ---------------------------------------------------------------------------

static const Expression *attribute_select(Arena *arena, const Expression *e, bool is_dynamic);

static bool select_list(Arena *arena, Expression ***items, uint32_t count, bool is_dynamic)
{
    Expression **chosen = ARENA_ARRAY(arena, count + 1u, Expression *);
    bool has_changed = false;
    for (uint32_t i = 0; i < count; i++) {
        chosen[i] = (Expression *)attribute_select(arena, (*items)[i], is_dynamic);
        has_changed |= chosen[i] != (*items)[i];
    }
    if (has_changed)
        *items = chosen;
    return has_changed;
}

static bool select_pair(Arena *arena, Expression **a, Expression **b, bool is_dynamic)
{
    Expression *const before_a = *a, *const before_b = *b;
    *a = (Expression *)attribute_select(arena, before_a, is_dynamic);
    *b = (Expression *)attribute_select(arena, before_b, is_dynamic);
    return *a != before_a || *b != before_b;
}

static bool select_branches(Arena *arena, Expression *copy, bool is_dynamic)
{
    const uint32_t count = copy->conditional.count;
    IfBranch *branches = ARENA_ARRAY(arena, count + 1u, IfBranch);
    bool has_changed = false;
    for (uint32_t i = 0; i < count; i++) {
        branches[i] = copy->conditional.branches[i];
        has_changed |= select_pair(arena, &branches[i].condition, &branches[i].value, is_dynamic);
    }
    copy->conditional.branches = branches;
    Expression *none = NULL;
    return select_pair(arena, &copy->conditional.otherwise, &none, is_dynamic) || has_changed;
}

// The expression with each DynamicSelect(static, dynamic) replaced by one of its arguments (section
// 18.6); itself if there is none.
static const Expression *attribute_select(Arena *arena, const Expression *e, bool is_dynamic)
{
    if (!e)
        return NULL;
    Expression copy = *e, *none = NULL;
    bool has_changed = false;
    switch (e->kind) {
    case EXPRESSION_CALL:
        if (attribute_is_name(e->call.function, "DynamicSelect") && e->call.count == 2)
            return attribute_select(arena, e->call.arguments[is_dynamic], is_dynamic);
        has_changed = select_list(arena, &copy.call.arguments, e->call.count, is_dynamic);
        break;
    case EXPRESSION_ARRAY:
        has_changed = select_list(arena, &copy.array.items, e->array.count, is_dynamic);
        break;
    case EXPRESSION_UNARY:
        has_changed = select_pair(arena, &copy.unary.operand, &none, is_dynamic);
        break;
    case EXPRESSION_BINARY:
        has_changed = select_pair(arena, &copy.binary.left, &copy.binary.right, is_dynamic);
        break;
    case EXPRESSION_IF:
        has_changed = select_branches(arena, &copy, is_dynamic);
        break;
    default:
        break;
    }
    if (!has_changed)
        return e;
    Expression *kept = ARENA_NEW(arena, Expression);
    *kept = copy;
    return kept;
}

Attribute attribute_create(const DrawingStage *stage, Scope scope, const Expression *e)
{
    Attribute a = {.scope = scope};
    if (!e || e->kind == EXPRESSION_ERROR)
        return a;
    a.before = attribute_select(stage->arena, e, false);
    a.source = stage->table ? attribute_select(stage->arena, e, true) : a.before;
    a.moves = a.source != a.before;
    return a;
}

Attribute attribute_of_numbers(const DrawingStage *stage, const double *numbers, size_t count)
{
    Attribute a = {.is_kept = true, .count = count};
    a.numbers = ARENA_ARRAY(stage->arena, count + 1, double);
    copy_items(a.numbers, numbers, count * sizeof *numbers);
    return a;
}

// ---------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------

DrawingStage stage_create(Flattener *f, const Table *table)
{
    DrawingStage s = {.f = f, .arena = f->arena, .table = table};
    for (size_t i = 0; table && i < table->column_count; i++)
        if (table->columns[i].heading.kind == TABLE_NUMBERS)
            map_set(s.arena, &s.names, names_intern_text(f->names, table->columns[i].heading.name),
                    &table->columns[i]);
    for (size_t i = 0; table && i < table->constant_count; i++)
        map_set(s.arena, &s.constants,
                names_intern_text(f->names, table->constants[i].heading.name),
                &table->constants[i]);
    s.mode = table ? table_column(table, "mode") : NULL;
    // What annotations compute is bounded: a few seconds for a film.
    f->limits.step_count = 0;
    if (table)
        f->limits.step_maximum = MOST_STEPS;
    return s;
}

static const Name *attribute_variable_key(const DrawingStage *s, const FlatVariable *v)
{
    StringBuilder name = builder_create(s->arena);
    flat_variable_name(&name, v);
    return names_intern_text(s->f->names, builder_string(&name).text);
}

// The value of a variable in the present row. False: the run does not know it.
static bool stage_value(const DrawingStage *stage, const FlatVariable *v, double *value)
{
    DrawingStage *s = (DrawingStage *)stage; // whose maps are filled as variables are asked for
    const TableColumn *column = map_find(&s->columns, v);
    const TableConstant *constant = column ? NULL : map_find(&s->known, v);
    if (!column && !constant && !map_find(&s->unknown, v)) {
        const Name *key = attribute_variable_key(s, v);
        column = map_find(&s->names, key);
        constant = column ? NULL : map_find(&s->constants, key);
        map_set(s->arena,
                column     ? &s->columns
                : constant ? &s->known
                           : &s->unknown,
                v,
                column     ? (void *)column
                : constant ? (void *)constant
                           : (void *)v);
    }
    if (column)
        *value = column->values[s->row];
    else if (constant)
        *value = constant->value;
    return column || constant;
}

// The derivative of a variable in the present row, by the difference of the rows around it, or on
// one side of it at events and ends: results have no derivatives.
static bool stage_derivative(const DrawingStage *stage, const FlatVariable *v, double *value)
{
    DrawingStage *s = (DrawingStage *)stage; // whose row is put back
    const double *t = s->table->columns[0].values;
    const size_t row = s->row;
    const bool has_next = row + 1 < s->table->row_count && t[row + 1] > t[row];
    const bool has_last = row > 0 && t[row - 1] < t[row];
    size_t first = row - has_last, last = row + has_next;
    while (first == last && last + 1 < s->table->row_count) { // just after an event
        first = t[last + 1] > t[row] ? first : first + 1;
        last++;
    }
    double before, after;
    s->row = first;
    bool is_known = stage_value(s, v, &before);
    s->row = last;
    is_known = is_known && stage_value(s, v, &after);
    s->row = row;
    if (is_known)
        *value = first < last ? (after - before) / (t[last] - t[first]) : 0.0;
    return is_known;
}

// pre(x) is x: no row lies within an event.
static bool stage_observed(const void *run, const FlatExpression *e, Value *result)
{
    const DrawingStage *s = run;
    double value;
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_TIME) {
        *result =
            value_scalar(&flat_type_real, (Scalar){.real = s->table->columns[0].values[s->row]});
        return true;
    }
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_PRE)
        return stage_observed(run, e->operands[0], result);
    if (e->kind == FLAT_OPERATION && e->operation == OPERATION_DER) {
        if (e->operands[0]->kind != FLAT_VARIABLE ||
            !stage_derivative(s, e->operands[0]->variable, &value))
            return false;
        *result = value_scalar(&flat_type_real, (Scalar){.real = value});
        return true;
    }
    if (e->kind == FLAT_ACTIVE) {
        *result = value_scalar(
            &flat_type_boolean,
            (Scalar){.integer = s->mode &&
                                recording_is_active(table_word(s->mode, s->row), e->state->name)});
        return true;
    }
    if (e->kind != FLAT_VARIABLE || !stage_value(s, e->variable, &value))
        return false;
    Scalar scalar = {0};
    if (FLAT_TYPE(e->variable)->kind == FLAT_TYPE_REAL)
        scalar.real = value;
    else
        scalar.integer = isfinite(value) ? (int64_t)value : 0;
    *result = value_scalar(FLAT_TYPE(e->variable), scalar);
    return true;
}

// ---------------------------------------------------------------------------
// Evaluation
// ---------------------------------------------------------------------------

// An error of the text becomes a warning.
static FlatExpression *attribute_elaborate(DrawingStage *s, Attribute *a, const Expression *e)
{
    FlatExpression *known = map_find(&a->flat, e);
    if (known)
        return known;
    Diagnostics *d = s->f->diagnostics;
    const DiagnosticsMark mark = diagnostics_mark(d);
    FlatExpression *flat = elaborate(s->f, &a->scope, e);
    const Diagnostic *first = mark.last ? mark.last->next : d->first;
    while (first && first->severity != SEVERITY_ERROR)
        first = first->next;
    const bool is_wrong = d->error_count > mark.error_count;
    const char *message = is_wrong && first ? first->message : NULL;
    const Span span = message ? first->span : e->span;
    diagnostics_rewind(d, mark);
    if (message)
        attribute_warn(s, span_is_known(span) ? span : e->span, message);
    map_set(s->arena, &a->flat, e, flat);
    return flat;
}

static bool attribute_evaluate(DrawingStage *s, Attribute *a, const Expression *e, Value *value)
{
    FlatExpression *flat = attribute_elaborate(s, a, e);
    if (!flat || flat->type == &flat_type_none)
        return false;
    Evaluation ev = {.f = s->f, .scratch = s->f->scratch};
    if (s->table) {
        ev.observed = stage_observed;
        ev.run = s;
    }
    if (evaluate_expression(&ev, flat, value) && value->type)
        return true;
    if (ev.reason)
        attribute_warn(s, e->span, ev.reason);
    return false;
}

// Numbers that are written as such, without the way through the compiler.
static bool literal_numbers(const Expression *e, double *numbers, size_t room, size_t *count)
{
    if (*count >= room || !e)
        return false;
    switch (e->kind) {
    case EXPRESSION_REAL:
        numbers[(*count)++] = e->real;
        return true;
    case EXPRESSION_INTEGER:
        numbers[(*count)++] = (double)e->integer;
        return true;
    case EXPRESSION_BOOLEAN:
        numbers[(*count)++] = e->boolean;
        return true;
    case EXPRESSION_UNARY: {
        const size_t before = *count;
        if (e->unary.op != SYNTAX_SUBTRACT ||
            !literal_numbers(e->unary.operand, numbers, room, count))
            return false;
        for (size_t i = before; i < *count; i++)
            numbers[i] = -numbers[i];
        return true;
    }
    case EXPRESSION_ARRAY:
        for (uint32_t i = 0; i < e->array.count; i++)
            if (!literal_numbers(e->array.items[i], numbers, room, count))
                return false;
        return true;
    default:
        return false;
    }
}

static size_t literal_count(const Expression *e)
{
    if (!e || e->kind != EXPRESSION_ARRAY)
        return 1;
    size_t count = 0;
    for (uint32_t i = 0; i < e->array.count && count < MOST_NUMBERS; i++)
        count += literal_count(e->array.items[i]);
    return count;
}

static bool value_numbers(DrawingStage *s, Value *v, Span span, const double **numbers,
                          size_t *count)
{
    const FlatTypeKind kind = v->type->kind;
    const uint64_t n = value_count(v);
    if (kind != FLAT_TYPE_REAL && kind != FLAT_TYPE_INTEGER && kind != FLAT_TYPE_BOOLEAN) {
        attribute_warn(s, span, "numbers are expected here");
        return false;
    }
    if (n > MOST_NUMBERS) {
        attribute_warn(s, span, "these are too many numbers");
        return false;
    }
    double *out = ARENA_ARRAY(s->f->scratch, n + 1, double);
    for (uint64_t i = 0; i < n; i++) {
        const Scalar item = value_items(v)[i];
        out[i] = kind == FLAT_TYPE_REAL ? item.real : (double)item.integer;
    }
    *numbers = out;
    *count = n;
    return true;
}

static bool source_numbers(DrawingStage *s, Attribute *a, const Expression *e,
                           const double **numbers, size_t *count)
{
    const size_t room = literal_count(e);
    double *literal = ARENA_ARRAY(s->f->scratch, room + 1, double);
    *count = 0;
    *numbers = literal;
    if (room <= MOST_NUMBERS && literal_numbers(e, literal, room, count))
        return true;
    Value v = {0};
    return attribute_evaluate(s, a, e, &v) && value_numbers(s, &v, e->span, numbers, count);
}

bool attribute_numbers(DrawingStage *s, Attribute *a, size_t least, const double **numbers,
                       size_t *count)
{
    if (!a->source && !a->is_kept)
        return false;
    if (!a->is_kept) {
        bool is_known = source_numbers(s, a, a->source, numbers, count) ||
                        (a->moves && source_numbers(s, a, a->before, numbers, count));
        if (is_known && *count < least) {
            attribute_warn(s, a->source->span, "there are fewer numbers than needed");
            is_known = false;
        }
        if (a->moves)
            return is_known;
        a->is_kept = true;
        a->count = is_known ? *count : 0;
        a->numbers = ARENA_ARRAY(s->arena, a->count + 1, double);
        copy_items(a->numbers, *numbers, a->count * sizeof **numbers);
    }
    *numbers = a->numbers;
    *count = a->count;
    return a->count >= least && a->count > 0;
}

double attribute_number(DrawingStage *s, Attribute *a, double otherwise)
{
    const double *numbers;
    size_t count;
    return attribute_numbers(s, a, 1, &numbers, &count) ? numbers[0] : otherwise;
}

bool attribute_boolean(DrawingStage *s, Attribute *a, bool otherwise)
{
    return attribute_number(s, a, otherwise) != 0.0;
}

// The literal is read off the text: annotations name the enumerations of chapter 18, which no class
// defines.
static const char *source_word(DrawingStage *s, Attribute *a, const Expression *e, size_t index)
{
    if (!e)
        return NULL;
    if (e->kind == EXPRESSION_ARRAY)
        return index < e->array.count ? source_word(s, a, e->array.items[index], 0) : NULL;
    if (e->kind == EXPRESSION_REFERENCE) {
        const Name *last = e->reference->parts[e->reference->count - 1].name;
        return last ? last->text : NULL;
    }
    if (e->kind != EXPRESSION_IF)
        return NULL;
    for (uint32_t i = 0; i < e->conditional.count; i++) {
        Value condition = {0};
        if (!attribute_evaluate(s, a, e->conditional.branches[i].condition, &condition))
            return NULL;
        if (condition.scalar.integer)
            return source_word(s, a, e->conditional.branches[i].value, index);
    }
    return source_word(s, a, e->conditional.otherwise, index);
}

const char *attribute_word(DrawingStage *s, Attribute *a, size_t index, const char *otherwise)
{
    const char *word = source_word(s, a, a->source, index);
    if (!word && a->moves)
        word = source_word(s, a, a->before, index);
    return word ? word : otherwise;
}

static const char *source_text(DrawingStage *s, Attribute *a, const Expression *e)
{
    if (e->kind == EXPRESSION_STRING)
        return e->string.text ? arena_copy_text(s->f->scratch, e->string.text, e->string.length)
                              : "";
    Value v = {0};
    if (!attribute_evaluate(s, a, e, &v))
        return NULL;
    if (v.rank || v.type->kind != FLAT_TYPE_STRING) {
        attribute_warn(s, e->span, "a String is expected here");
        return NULL;
    }
    return v.scalar.string;
}

const char *attribute_text(DrawingStage *s, Attribute *a)
{
    const char *text = a->source ? source_text(s, a, a->source) : NULL;
    return !text && a->moves ? source_text(s, a, a->before) : text;
}

// ---------------------------------------------------------------------------
// Components as text
// ---------------------------------------------------------------------------

// "kg.m2" as people write it.
static void attribute_unit(StringBuilder *out, const char *unit)
{
    static const char *const marks[][2] = {
        {"Ohm", "\xCE\xA9"}, {".", "\xC2\xB7"}, {"2", "\xC2\xB2"}, {"3", "\xC2\xB3"}};
    while (*unit) {
        size_t i = 0, length = 1;
        while (i < 4 && strncmp(unit, marks[i][0], strlen(marks[i][0])) != 0)
            i++;
        if (i < 4) {
            length = strlen(marks[i][0]);
            builder_append_text(out, marks[i][1]);
        } else {
            builder_append_character(out, *unit);
        }
        unit += length;
    }
}

static const char *scalar_text(const DrawingStage *s, const FlatType *type, Scalar value,
                               const char *unit)
{
    StringBuilder out = builder_create(s->f->scratch);
    const char *prefix = "";
    switch (type->kind) {
    case FLAT_TYPE_REAL:
        prefix = ticks_prefix(&value.real, unit);
        builder_append_format(&out, "%.5g", value.real);
        break;
    case FLAT_TYPE_BOOLEAN:
        builder_append_text(&out, value.integer ? "true" : "false");
        break;
    case FLAT_TYPE_STRING:
        builder_append_text(&out, value.string ? value.string : "");
        break;
    case FLAT_TYPE_ENUMERATION:
        if (value.integer >= 1 && value.integer <= type->count)
            builder_append_text(&out, type->literals[value.integer - 1]->text);
        break;
    default:
        builder_append_format(&out, "%lld", (long long)value.integer);
    }
    if (unit && *unit && strcmp(unit, "1") != 0) {
        builder_append_format(&out, " %s", prefix);
        attribute_unit(&out, unit);
    }
    return builder_string(&out).text;
}

// What is written as the value of a component, where that is not known.
static const char *written_text(const DrawingStage *s, const Instance *i)
{
    const Layer *layer = layers_value(i->layers);
    const Expression *e = layer ? layer_value(layer) : NULL;
    const String text = e ? sources_text(s->f->compilation->sources, e->span) : (String){0};
    enum { MOST = 30 };
    if (!text.text || text.length > MOST)
        return "";
    return arena_copy_text(s->f->scratch, text.text, text.length);
}

static const char *simple_text(DrawingStage *s, Instance *i, bool *moves)
{
    instance_open(s->f, i);
    if (i->kind != INSTANCE_SIMPLE || i->count != 1)
        return written_text(s, i);
    FlatVariable *v = &i->variables[0];
    if (v->kind > FLAT_PARAMETER) {
        *moves = s->table != NULL;
        if (!s->table)
            return i->flat->name ? i->flat->name->text : "";
    }
    Evaluation ev = {.f = s->f, .scratch = s->f->scratch};
    if (s->table) {
        ev.observed = stage_observed;
        ev.run = s;
    }
    Value value = {0};
    if (!evaluate_expression(&ev, &v->reference, &value) || !value.type || value.rank)
        return written_text(s, i);
    instance_attributes(s->f, i);
    return scalar_text(s, value.type, value.scalar, v->attributes ? v->attributes->unit : NULL);
}

// "a.b.c"; a last part that is an attribute, "x.start", as it is written.
const char *attribute_component_text(DrawingStage *s, Instance *in, const char *name, size_t length,
                                     bool *moves)
{
    const DiagnosticsMark mark = diagnostics_mark(s->f->diagnostics);
    Instance *i = in;
    const char *text = NULL;
    for (size_t begin = 0; i && begin < length;) {
        size_t end = begin;
        while (end < length && name[end] != '.')
            end++;
        const Name *part = names_intern(s->f->names, name + begin, end - begin);
        Instance *child = i->kind == INSTANCE_COMPLEX ? instance_child(s->f, i, part) : NULL;
        if (!child && i != in && end == length) {
            Layer found;
            if (layers_find_value(i->layers, part, &found) && layer_value(&found)) {
                const String written =
                    sources_text(s->f->compilation->sources, layer_value(&found)->span);
                text = arena_copy_text(s->f->scratch, written.text, written.length);
            }
            break;
        }
        i = child;
        if (i && end == length)
            text = simple_text(s, i, moves);
        begin = end + 1;
    }
    diagnostics_rewind(s->f->diagnostics, mark);
    return text;
}
