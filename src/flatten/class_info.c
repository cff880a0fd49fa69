// SPDX-License-Identifier: MIT
//
// Questions about classes: kind, name, annotations, the type of their values.
//
// What a class is does not stand in its own text alone. A short class (`type Voltage = Real`) is of
// the kind of what it stands for, a partial class stays partial under another name
// (both section 4.5.1), and a class that has a predefined type among its bases is simple: its
// values are numbers, and its modifications are attributes (section 4.9). So every question here
// may expand the class, which reads its bases; `busy.is_visiting` ends questions that come back to
// the class they began with. Answers that cost more are kept in the Class: type, full name,
// sections.

#include "flatten/class.h"
#include "flatten/elaborate.h"
#include "flatten/evaluate.h"
#include "flatten/modification.h"
#include "flatten/overload.h"

ClassKind class_kind(Flattener *f, Class *c)
{
    class_expand(f, c);
    if (!c->definition)
        return c->predefined ? CLASS_TYPE : CLASS_PACKAGE;
    const ClassKind kind = c->definition->kind;
    const bool follows = kind == CLASS_CLASS || kind == CLASS_TYPE;
    if (follows && c->definition->form == FORM_SHORT && c->base_count && !c->busy.is_visiting) {
        c->busy.is_visiting = true;
        const ClassKind of_base = class_kind(f, c->bases[0].class_);
        c->busy.is_visiting = false;
        return of_base;
    }
    return kind;
}

bool class_is_simple(Flattener *f, Class *c)
{
    class_expand(f, c);
    return c->simple != PREDEFINED_NONE;
}

bool class_is_partial(const Class *c)
{
    // A short definition of a partial class is partial, too (section 4.5.1).
    while (c->definition && !c->definition->is_partial && c->definition->form == FORM_SHORT &&
           c->state == CLASS_EXPANDED && c->base_count)
        c = c->bases[0].class_;
    return c->definition && c->definition->is_partial;
}

bool class_is_connector(Flattener *f, Class *c)
{
    const ClassKind kind = class_kind(f, c);
    return kind == CLASS_CONNECTOR || kind == CLASS_EXPANDABLE_CONNECTOR ||
           (c->definition && c->definition->kind == CLASS_CONNECTOR);
}

bool class_is_record(Flattener *f, Class *c)
{
    const ClassKind kind = class_kind(f, c);
    return kind == CLASS_RECORD || kind == CLASS_OPERATOR_RECORD;
}

bool class_is_function(Flattener *f, Class *c)
{
    const ClassKind kind = class_kind(f, c);
    return kind == CLASS_FUNCTION || kind == CLASS_OPERATOR_FUNCTION;
}

bool class_is_package(Flattener *f, Class *c)
{
    return class_kind(f, c) == CLASS_PACKAGE;
}

bool class_is_model(Flattener *f, Class *c)
{
    const ClassKind kind = class_kind(f, c);
    return !class_is_simple(f, c) &&
           (kind == CLASS_MODEL || kind == CLASS_BLOCK || kind == CLASS_CLASS);
}

bool class_inherits(Flattener *f, Class *c, const Class *base)
{
    if (c == base)
        return true;
    class_expand(f, c);
    for (uint32_t i = 0; i < c->base_count; i++)
        if (class_inherits(f, c->bases[i].class_, base))
            return true;
    return false;
}

const Component *member_declaration(const Member *member, const Element *redeclaration,
                                    uint32_t index)
{
    if (redeclaration && redeclaration != member->element && index-- == 0)
        return redeclaration->component;
    for (; member && member->element && member->is_component; member = member->replaced)
        if (index-- == 0)
            return member->element->component;
    return NULL;
}

Direction member_direction(const Member *member, const Element *redeclaration)
{
    const Component *c;
    for (uint32_t k = 0; (c = member_declaration(member, redeclaration, k)) != NULL; k++)
        if (c->clause->direction != DIRECTION_NONE)
            return c->clause->direction;
    return DIRECTION_NONE;
}

// initialState and transition can only be equations, of any depth.
static bool has_machine_call(const Flattener *f, uint32_t count, Equation *const *equations)
{
    for (uint32_t i = 0; i < count; i++) {
        const Equation *e = equations[i];
        if (e->kind == EQUATION_CALL && e->call->kind == EXPRESSION_CALL) {
            const Reference *r = e->call->call.function;
            const OperationInfo *info = r->count == 1 && r->parts[0].name
                                            ? map_find(&f->operations, r->parts[0].name)
                                            : NULL;
            if (info == operation_info(OPERATION_INITIAL_STATE) ||
                info == operation_info(OPERATION_TRANSITION))
                return true;
        } else if (e->kind == EQUATION_FOR) {
            if (has_machine_call(f, e->loop.count, e->loop.equations))
                return true;
        } else if (e->kind == EQUATION_IF) {
            for (uint32_t k = 0; k < e->branches.count; k++)
                if (has_machine_call(f, e->branches.items[k].count, e->branches.items[k].equations))
                    return true;
        }
    }
    return false;
}

static void add_texts(Flattener *f, Class *c, Class *of)
{
    const ClassDefinition *d = c->definition;
    for (uint32_t i = 0; i < of->sections.texts.count; i++)
        if (((const Class *)of->sections.texts.items[i])->definition == d)
            return;
    for (uint32_t i = 0; i < c->base_count; i++)
        add_texts(f, c->bases[i].class_, of);
    if (!d || (d->form != FORM_LONG && d->form != FORM_EXTENDING) || !d->body.section_count)
        return;
    list_append(f->arena, &of->sections.texts, c);
    for (uint32_t i = 0; i < d->body.section_count; i++) {
        const Section *section = d->body.sections[i];
        if (!section->is_algorithm && has_machine_call(f, section->count, section->equations))
            of->sections.has_machines = true;
    }
}

const List *class_texts(Flattener *f, Class *c)
{
    class_expand(f, c);
    if (!c->sections.is_made)
        add_texts(f, c, c);
    c->sections.is_made = true;
    return &c->sections.texts;
}

static bool is_connect(Flattener *f, const Equation *e, const Reference *from, const Reference *to)
{
    const char *a = reference_text(f, e->connect.from), *b = reference_text(f, e->connect.to);
    const char *x = reference_text(f, from), *y = reference_text(f, to);
    return (strcmp(a, x) == 0 && strcmp(b, y) == 0) || (strcmp(a, y) == 0 && strcmp(b, x) == 0);
}

static bool class_reaches(const Class *c, const ClassDefinition *text)
{
    bool reaches = c->definition == text;
    for (uint32_t i = 0; i < c->base_count && !reaches; i++)
        reaches = class_reaches(c->bases[i].class_, text);
    return reaches;
}

bool class_leaves_out(Flattener *f, const Class *c, const Class *text, const Equation *connect)
{
    for (uint32_t i = 0; i < c->base_count && c->definition != text->definition; i++) {
        const Base *base = &c->bases[i];
        if (!class_reaches(base->class_, text->definition))
            continue;
        const Modification *m = base->element ? base->element->extends.modification : NULL;
        for (uint32_t k = 0; m && k < m->count; k++)
            if (m->arguments[k]->kind == ARGUMENT_BREAK_CONNECT &&
                is_connect(f, connect, m->arguments[k]->from, m->arguments[k]->to))
                return true;
        return class_leaves_out(f, base->class_, text, connect);
    }
    return false;
}

static bool has_connect(Flattener *f, uint32_t count, Equation *const *equations,
                        const Reference *from, const Reference *to)
{
    for (uint32_t i = 0; i < count; i++) {
        const Equation *e = equations[i];
        const bool is_branched = e->kind == EQUATION_IF;
        if (e->kind == EQUATION_CONNECT && is_connect(f, e, from, to))
            return true;
        if (e->kind == EQUATION_FOR && has_connect(f, e->loop.count, e->loop.equations, from, to))
            return true;
        for (uint32_t k = 0; is_branched && k < e->branches.count; k++)
            if (has_connect(f, e->branches.items[k].count, e->branches.items[k].equations, from,
                            to))
                return true;
    }
    return false;
}

bool class_has_connect(Flattener *f, const Class *c, const Reference *from, const Reference *to)
{
    const ClassDefinition *d = c->definition;
    const bool is_long = d && (d->form == FORM_LONG || d->form == FORM_EXTENDING);
    for (uint32_t i = 0; is_long && i < d->body.section_count; i++) {
        const Section *section = d->body.sections[i];
        if (!section->is_algorithm && has_connect(f, section->count, section->equations, from, to))
            return true;
    }
    for (uint32_t i = 0; i < c->base_count; i++)
        if (class_has_connect(f, c->bases[i].class_, from, to))
            return true;
    return false;
}

static void append_name(StringBuilder *out, const Class *c)
{
    if (c->enclosing && c->enclosing->name) {
        append_name(out, c->enclosing);
        builder_append_character(out, '.');
    }
    if (c->name)
        builder_append(out, c->name->text, c->name->length);
}

const char *class_name(Flattener *f, Class *c)
{
    if (!c->full_name) {
        StringBuilder out = builder_create(f->arena);
        append_name(&out, c);
        c->full_name = builder_string(&out).text;
    }
    return c->full_name;
}

const Argument *class_annotation(Flattener *f, const Class *c, const Name *name)
{
    const ClassDefinition *d = c->definition;
    for (uint32_t i = 0; d && i < d->annotation_count; i++) {
        const Modification *m = d->annotations[i];
        for (uint32_t k = 0; m && k < m->count; k++) {
            const Argument *a = m->arguments[k];
            if (a->kind == ARGUMENT_MODIFICATION && a->name->count == 1 &&
                a->name->parts[0].name == name)
                return a;
        }
    }
    for (uint32_t i = 0; c->state == CLASS_EXPANDED && i < c->base_count; i++) {
        const Argument *a = class_annotation(f, c->bases[i].class_, name);
        if (a)
            return a;
    }
    return NULL;
}

// ---------------------------------------------------------------------------
// Types
// ---------------------------------------------------------------------------

static const FlatType *enumeration_type(Flattener *f, Class *c)
{
    const ClassDefinition *d = c->definition;
    FlatType *type = ARENA_NEW(f->arena, FlatType);
    const Name **literals = ARENA_ARRAY(f->arena, d->enumeration.count + 1, const Name *);
    for (uint32_t i = 0; i < d->enumeration.count; i++)
        literals[i] = d->enumeration.literals[i].name;
    *type = (FlatType){.kind = FLAT_TYPE_ENUMERATION,
                       .name = class_name(f, c),
                       .count = d->enumeration.count,
                       .literals = literals};
    return type;
}

static const FlatType *simple_type(Flattener *f, Class *c)
{
    switch (c->simple) {
    case PREDEFINED_REAL:
        return &flat_type_real;
    case PREDEFINED_INTEGER:
        return &flat_type_integer;
    case PREDEFINED_BOOLEAN:
        return &flat_type_boolean;
    case PREDEFINED_STRING:
        return &flat_type_string;
    case PREDEFINED_CLOCK:
        return &flat_type_clock;
    case PREDEFINED_ENUMERATION:
        return c == c->simple_type ? enumeration_type(f, c) : class_type(f, c->simple_type);
    case PREDEFINED_EXTERNAL_OBJECT: {
        FlatType *type = ARENA_NEW(f->arena, FlatType);
        *type = (FlatType){.kind = FLAT_TYPE_OBJECT, .name = class_name(f, c)};
        return c->definition ? type : &flat_type_none;
    }
    default:
        return &flat_type_none;
    }
}

// The size of a field where it is constant.
static uint32_t field_size(Flattener *f, Class *scope, const Expression *e)
{
    if (e->kind == EXPRESSION_COLON)
        return FLAT_UNKNOWN_SIZE;
    Scope s = scope_of_class(scope);
    int64_t size;
    FlatExpression *value = elaborate_size(f, &s, e, true);
    if (!value || !evaluate_integer(f, value, NULL, &size) || size < 0 || size >= LIMIT_SCALARS)
        return FLAT_UNKNOWN_SIZE;
    return (uint32_t)size;
}

static FlatField record_field(Flattener *f, Member *member)
{
    const Component *component = member->element->component;
    Class *type = member_class(f, member);
    FlatField field = {.name = member->name, .type = type ? class_type(f, type) : &flat_type_none};
    List subscripts = {0};
    List scopes = {0};
    for (uint32_t i = 0; i < component->subscript_count; i++) {
        list_append(f->arena, &subscripts, component->subscripts[i]);
        list_append(f->arena, &scopes, member->scope);
    }
    for (uint32_t i = 0; i < component->clause->subscript_count; i++) {
        list_append(f->arena, &subscripts, component->clause->subscripts[i]);
        list_append(f->arena, &scopes, member->scope);
    }
    class_sizes(f, type, &subscripts, &scopes);
    uint32_t *dims = ARENA_ARRAY(f->arena, subscripts.count + 1, uint32_t);
    for (uint32_t i = 0; i < subscripts.count; i++)
        dims[i] = field_size(f, scopes.items[i], subscripts.items[i]);
    field.rank = subscripts.count;
    field.dims = dims;
    return field;
}

void class_sizes(Flattener *f, Class *type, List *subscripts, List *scopes)
{
    // Type V = Real[3]: the sizes of the definition come after those of the component.
    // A long definition that extends such a type has them, too.
    while (type && type->definition &&
           (type->definition->form == FORM_SHORT || class_is_simple(f, type))) {
        const bool is_short = type->definition->form == FORM_SHORT;
        for (uint32_t i = 0; is_short && i < type->definition->alias.subscript_count; i++) {
            list_append(f->arena, subscripts, type->definition->alias.subscripts[i]);
            list_append(f->arena, scopes, type->enclosing);
        }
        class_expand(f, type);
        type = type->base_count ? type->bases[0].class_ : NULL;
    }
}

Direction class_direction(Flattener *f, Class *c)
{
    while (c && c->definition && c->definition->form == FORM_SHORT) {
        if (c->definition->alias.direction != DIRECTION_NONE)
            return c->definition->alias.direction;
        class_expand(f, c);
        c = c->base_count ? c->bases[0].class_ : NULL;
    }
    return DIRECTION_NONE;
}

static const FlatType *record_type(Flattener *f, Class *c)
{
    if (c->busy.is_visiting) {
        report_error(f, c->definition->name_span, "record '%s' contains itself", c->name->text);
        return &flat_type_none;
    }
    c->busy.is_visiting = true;
    FlatType *type = ARENA_NEW(f->arena, FlatType);
    FlatField *fields = ARENA_ARRAY(f->arena, c->component_count + 1, FlatField);
    for (uint32_t i = 0; i < c->component_count; i++)
        fields[i] = record_field(f, c->components[i]);
    *type = (FlatType){.kind = FLAT_TYPE_RECORD,
                       .name = class_name(f, c),
                       .count = c->component_count,
                       .fields = fields,
                       .operators = overload_class(f, c)};
    c->busy.is_visiting = false;
    return type;
}

const FlatType *class_type(Flattener *f, Class *c)
{
    if (c->type)
        return c->type;
    class_expand(f, c);
    const FlatType *type = &flat_type_none;
    if (c->simple != PREDEFINED_NONE)
        type = simple_type(f, c);
    else if (class_is_record(f, c) || class_is_connector(f, c))
        type = record_type(f, c);
    return c->type = type;
}
