// SPDX-License-Identifier: MIT
//
// References to components: a.b[2].c to variables. The walk goes part by part over a selection of
// instances; only what is selected is ever touched, so that x[i] in a loop costs no more for a
// larger x. A subscript whose value is not known at compile time leaves its dimension whole and is
// applied to the result.

#include "flatten/elaborate.h"
#include "flatten/evaluate.h"
#include "flatten/function.h"
#include "flatten/library.h"
#include "flatten/lookup.h"
#include "flatten/rules.h"

#include "modelica/printer.h"

const char *reference_text(Flattener *f, const Reference *r)
{
    StringBuilder out = builder_create(f->arena);
    printer_print_reference(&out, r);
    return builder_string(&out).text;
}

// ---------------------------------------------------------------------------
// Subscripts
// ---------------------------------------------------------------------------

FlatExpression **elaborate_subscripts(Flattener *f, Scope *s, uint32_t count,
                                      Expression *const *subscripts, uint32_t rank,
                                      FlatExpression *const *sizes)
{
    FlatExpression **result = ARENA_ARRAY(f->passing, count + 1, FlatExpression *);
    for (uint32_t k = 0; k < count; k++) {
        const Expression *e = subscripts[k];
        if (e->kind == EXPRESSION_COLON) {
            result[k] = build_node(f, FLAT_COLON, &flat_type_none, 0, e->span);
            continue;
        }
        FlatExpression *outer_end = s->end;
        s->end = k < rank ? sizes[k] : NULL;
        FlatExpression *value = elaborate(f, s, e);
        s->end = outer_end;
        // A parameter as a subscript is structural: it decides which variable is meant.
        const bool may_be_known = !expression_is_none(value) && !s->function &&
                                  value->variability <= FLAT_PARAMETER &&
                                  !expression_is_literal(value);
        FlatExpression *known = may_be_known ? evaluate(f, value, NULL) : NULL;
        result[k] = known ? known : value;
    }
    return result;
}

// What `end` is: of that, copies are made (see elaborate_end).
static FlatExpression *const *size_literals(Flattener *f, uint32_t rank, const uint32_t *dims,
                                            Span span)
{
    FlatExpression **sizes = ARENA_ARRAY(f->selecting, rank + 1, FlatExpression *);
    for (uint32_t k = 0; k < rank; k++) {
        sizes[k] = ARENA_NEW(f->selecting, FlatExpression);
        *sizes[k] = (FlatExpression){
            .kind = FLAT_INTEGER, .span = span, .type = &flat_type_integer, .integer = dims[k]};
    }
    return sizes;
}

// The places that one subscript selects.
typedef struct Places {
    uint32_t count;
    uint32_t *places;        // from 0; NULL: all
    bool is_scalar;          // the dimension disappears
    FlatExpression *pending; // not known yet: all, and this is applied later
} Places;

static bool reference_place_of(Flattener *f, const FlatExpression *e, uint32_t size,
                               uint32_t *place)
{
    int64_t value = e->kind == FLAT_BOOLEAN ? e->boolean + 1 : e->integer;
    if (value >= 1 && value <= (int64_t)size) {
        *place = (uint32_t)(value - 1);
        return true;
    }
    report_error(f, e->span, "subscript %lld is not between 1 and %u", (long long)value,
                 (unsigned)size);
    return false;
}

static bool read_places(Flattener *f, FlatExpression *e, uint32_t size, Places *p)
{
    *p = (Places){.count = size};
    if (!e || e->kind == FLAT_COLON)
        return true;
    if (expression_is_none(e))
        return false;
    if (e->rank > 1) {
        report_error(f, e->span, "a subscript must be a number or a vector, but this is %s",
                     expression_type_text(f, e));
        return false;
    }
    if (!expression_is_literal(e)) {
        p->pending = e;
        return true;
    }
    p->is_scalar = e->rank == 0;
    p->count = e->rank ? e->count : 1;
    p->places = ARENA_ARRAY(f->selecting, p->count + 1, uint32_t);
    for (uint32_t i = 0; i < p->count; i++)
        if (!reference_place_of(f, expression_element(e, i), size, &p->places[i]))
            return false;
    return true;
}

// ---------------------------------------------------------------------------
// The walk
// ---------------------------------------------------------------------------

// What the first part, and package names before components, are found to be; then the result of the
// parts so far.
typedef struct ReferenceWalk {
    Flattener *f;
    Scope *scope;
    const Reference *reference;
    Instance *component;   // NULL: something else
    uint32_t part;         // the part that the component, or the last class, was found for
    Class *class_;         // a class, if there is no component
    FlatExpression *value; // an enumeration literal
    Selection selection;
    bool is_conditional; // a component on the way has a condition
    Class *outer;        // what the last part was declared as, if it is outer; NULL: it is not
} ReferenceWalk;

static void add_dimension(ReferenceWalk *w, uint32_t size, FlatExpression *pending)
{
    Selection *s = &w->selection;
    uint32_t *dims = ARENA_ARRAY(w->f->passing, s->rank + 1, uint32_t);
    FlatExpression **all = ARENA_ARRAY(w->f->passing, s->rank + 1, FlatExpression *);
    for (uint32_t k = 0; k < s->rank; k++) {
        dims[k] = s->dims[k];
        all[k] = s->pending[k];
    }
    dims[s->rank] = size;
    all[s->rank] = pending;
    s->dims = dims;
    s->pending = all;
    s->rank++;
    s->is_dynamic = s->is_dynamic || pending;
}

// Element `index` of the selected places, as a place in the whole array.
static uint32_t place_in_array(const FlatComponent *array, const Places *places, uint32_t index)
{
    uint32_t place = 0;
    uint32_t stride = 1;
    for (uint32_t k = array->rank; k-- > 0;) {
        const uint32_t at = index % places[k].count;
        index /= places[k].count;
        place += stride * (places[k].places ? places[k].places[at] : at);
        stride *= array->dims[k];
    }
    return place;
}

static bool same_dims(const Instance *a, const Instance *b)
{
    return a->flat->rank == b->flat->rank &&
           (a->flat->rank == 0 ||
            memcmp(a->flat->dims, b->flat->dims, a->flat->rank * sizeof *a->flat->dims) == 0);
}

// Reads the subscripts of a part for components like `array`, adds the dimensions. Returns the
// number of elements selected of each, or -1 after a message.
static int64_t select_places(ReferenceWalk *w, const ReferencePart *part, const Instance *array,
                             Places **places)
{
    Flattener *f = w->f;
    const uint32_t rank = array->flat->rank;
    if (part->subscript_count > rank) {
        if (rank == 0)
            report_error(f, part->span, "'%s' is not an array and cannot have subscripts",
                         part->name->text);
        else
            report_error(f, part->span, "'%s' has %u dimension%s, but %u subscripts are given",
                         part->name->text, (unsigned)rank, rank == 1 ? "" : "s",
                         (unsigned)part->subscript_count);
        return -1;
    }
    FlatExpression **subscripts = NULL;
    if (part->subscript_count)
        subscripts =
            elaborate_subscripts(f, w->scope, part->subscript_count, part->subscripts, rank,
                                 size_literals(f, rank, array->flat->dims, part->span));
    *places = ARENA_ARRAY(f->selecting, rank + 1, Places);
    int64_t count = 1;
    for (uint32_t k = 0; k < rank; k++) {
        Places *p = &(*places)[k];
        if (k < part->subscript_count &&
            !rules_check_subscript(f, array->indices ? array->indices[k] : NULL, subscripts[k]))
            return -1;
        if (!read_places(f, k < part->subscript_count ? subscripts[k] : NULL, array->flat->dims[k],
                         p))
            return -1;
        count *= p->count;
        if (count > LIMIT_SCALARS) {
            report_error(f, part->span, "too many elements are selected");
            return -1;
        }
        if (!p->is_scalar)
            add_dimension(w, p->count, p->pending);
    }
    return count;
}

// Selects elements of arrays of components, or variables.
static bool apply_subscripts(ReferenceWalk *w, const ReferencePart *part)
{
    Flattener *f = w->f;
    Selection *s = &w->selection;
    if (s->count == 0)
        return true;
    const Instance *first = s->instances[0];
    for (uint32_t i = 1; i < s->count; i++) {
        if (!same_dims(first, s->instances[i])) {
            report_error(f, part->span, "'%s' has different sizes in the elements of an array",
                         part->name->text);
            return false;
        }
    }
    Places *places;
    const int64_t count = select_places(w, part, first, &places);
    if (count < 0)
        return false;
    const bool is_simple = first->kind == INSTANCE_SIMPLE;
    if (!is_simple && first->kind != INSTANCE_ARRAY)
        return true;
    const uint64_t total = (uint64_t)count * s->count;
    if (total > LIMIT_SCALARS) {
        report_error(f, part->span, "too many elements are selected");
        return false;
    }
    void **items = ARENA_ARRAY(f->selecting, total + 1, void *);
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        Instance *array = s->instances[i];
        instance_open(f, array);
        if (array->count == 0 && count > 0) // after an error
            return false;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t place = place_in_array(array->flat, places, k);
            items[at++] = is_simple ? (void *)&array->variables[place] : &array->children[place];
        }
    }
    s->count = (uint32_t)total;
    if (is_simple) {
        s->variables = (FlatVariable **)(void *)items;
        s->instances = NULL;
    } else {
        s->instances = (Instance **)(void *)items;
    }
    return true;
}

// "; it has p, n, i and 3 more", public ones.
static const char *reference_list_components(Flattener *f, Class *in)
{
    enum { SHOWN = 8 };
    StringBuilder text = builder_create(f->arena);
    uint32_t count = 0;
    class_expand(f, in);
    for (uint32_t i = 0; i < in->member_count; i++) {
        const Member *m = in->members[i];
        if (!m->is_component || m->is_protected || m->is_removed)
            continue;
        if (count++ < SHOWN)
            builder_append_format(&text, "%s%s", count == 1 ? "; it has " : ", ", m->name->text);
    }
    if (count > SHOWN)
        builder_append_format(&text, " and %u more", count - SHOWN);
    return builder_string(&text).text;
}

static void report_no_component(ReferenceWalk *w, Class *in, const ReferencePart *part)
{
    Flattener *f = w->f;
    const char *nearest = lookup_nearest_member(f, in, part->name);
    const char *type = class_name(f, in);
    const Member *member = class_member(f, in, part->name);
    if (member)
        report_error(f, part->span, "'%s' is a class of '%s', not a component", part->name->text,
                     type);
    else if (nearest)
        report_error(f, part->span, "'%s' has no component '%s'; did you mean '%s'?", type,
                     part->name->text, nearest);
    else
        report_error(f, part->span, "'%s' has no component '%s'%s", type, part->name->text,
                     reference_list_components(f, in));
}

// Goes from the selected instances to their components of that name.
static bool step_into(ReferenceWalk *w, const ReferencePart *part)
{
    Flattener *f = w->f;
    Selection *s = &w->selection;
    Class *outer = NULL;
    for (uint32_t i = 0; i < s->count; i++) {
        Instance *in = s->instances[i];
        if (in->is_broken || !in->class_)
            return false;
        if (in->kind == INSTANCE_SIMPLE) {
            report_error(f, part->span, "%s has no components, so there is no '%s'",
                         class_name(f, in->class_), part->name->text);
            return false;
        }
        Instance *child = instance_child(f, in, part->name);
        if (!child || (w->outer && !class_member(f, w->outer, part->name))) {
            if (!in->class_->is_broken)
                report_no_component(w, child ? w->outer : in->class_, part);
            return false;
        }
        if (child->member->is_protected && !child->is_static &&
            !(w->scope->instance && instance_parent(child) == w->scope->instance))
            report_error(f, part->span, "'%s' is protected in '%s'", part->name->text,
                         class_name(f, in->class_));
        outer = child->kind == INSTANCE_OUTER ? child->class_ : NULL;
        child = instance_target(f, child, part->span);
        if (!child)
            return false;
        s->instances[i] = child;
    }
    w->outer = outer;
    return true;
}

static bool check_selected(ReferenceWalk *w)
{
    Selection *s = &w->selection;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->instances[i]->is_broken)
            return false;
        if (s->instances[i]->is_absent)
            s->is_absent = true;
        if (s->instances[i]->is_conditional)
            w->is_conditional = true;
    }
    return !s->is_absent;
}

// From the component that was found, over the remaining parts.
static bool walk_parts(ReferenceWalk *w)
{
    Flattener *f = w->f;
    const Reference *r = w->reference;
    Selection *s = &w->selection;
    w->outer = w->component->kind == INSTANCE_OUTER ? w->component->class_ : NULL;
    Instance *first =
        instance_target_from(f, w->component, w->scope->instance, r->parts[w->part].span);
    if (!first)
        return false;
    s->instances = ARENA_ARRAY(f->selecting, 1, Instance *);
    s->instances[0] = first;
    s->count = 1;
    for (uint32_t k = w->part;; k++) {
        if (!check_selected(w))
            return s->is_absent;
        const Instance *any = s->count ? s->instances[0] : NULL;
        if (any && (any->kind == INSTANCE_SIMPLE || any->flat->rank || r->parts[k].subscript_count))
            if (!(any->kind == INSTANCE_SIMPLE && k + 1 < r->count) &&
                !apply_subscripts(w, &r->parts[k]))
                return false;
        if (k + 1 == r->count)
            return true;
        if (!step_into(w, &r->parts[k + 1]))
            return false;
    }
}

// ---------------------------------------------------------------------------
// The first part
// ---------------------------------------------------------------------------

static bool report_not_constant(Flattener *f, const Instance *i, const ReferencePart *part,
                                Class *scope)
{
    report_error(f, part->span, "'%s' is %s of '%s': from here only its constants can be used",
                 i->flat->name->text,
                 i->variability == FLAT_PARAMETER ? "a parameter" : "a variable",
                 class_name(f, scope));
    return false;
}

static bool static_component(ReferenceWalk *w, Class *scope, const Member *member,
                             const ReferencePart *part)
{
    Flattener *f = w->f;
    // An import may have given it another name.
    w->component = instance_child(f, instance_statics(f, scope), member->name);
    if (!w->component || w->component->is_broken)
        return false;
    const Instance *i = w->component;
    if (i->variability != FLAT_CONSTANT)
        return report_not_constant(f, i, part, scope);
    return true;
}

// "red, green, blue", not too many.
static const char *literal_list(Flattener *f, const FlatType *type)
{
    enum { SHOWN = 8 };
    StringBuilder text = builder_create(f->arena);
    for (uint32_t i = 0; i < type->count && i <= SHOWN; i++)
        builder_append_format(&text, "%s%s", i ? ", " : "",
                              i < SHOWN ? type->literals[i]->text : "...");
    return builder_string(&text).text;
}

static bool enumeration_literal(ReferenceWalk *w, Class *c, const ReferencePart *part)
{
    Flattener *f = w->f;
    const FlatType *type = class_type(f, c);
    for (uint32_t i = 0; i < type->count; i++) {
        if (type->literals[i] == part->name) {
            w->value = build_enumeration(f, type, i + 1, part->span);
            return true;
        }
    }
    const char **names = ARENA_ARRAY(f->arena, type->count + 1, const char *);
    for (uint32_t i = 0; i < type->count; i++)
        names[i] = type->literals[i]->text;
    const char *nearest = text_nearest(part->name->text, names, type->count);
    if (nearest)
        report_error(f, part->span, "enumeration '%s' has no value '%s'; did you mean '%s'?",
                     type->name, part->name->text, nearest);
    else
        report_error(f, part->span, "enumeration '%s' has no value '%s'; it has %s", type->name,
                     part->name->text, literal_list(f, type));
    return false;
}

static bool walk_classes(ReferenceWalk *w)
{
    Flattener *f = w->f;
    const Reference *r = w->reference;
    while (w->part + 1 < r->count) {
        const ReferencePart *part = &r->parts[++w->part];
        Class *c = w->class_;
        if (!part->name)
            return false;
        if (class_is_simple(f, c) && c->simple == PREDEFINED_ENUMERATION)
            return enumeration_literal(w, c, part);
        Member *member = c->name ? class_member(f, c, part->name) : library_top(f, part->name);
        if (!member) {
            if (!c->is_broken)
                lookup_report_unknown(f, c, part->name, part->span, "element");
            return false;
        }
        if (!rules_check_member(f, c, member, part->span))
            return false;
        if (member->is_component)
            return static_component(w, c, member, part);
        w->class_ = member_class(f, member);
        if (!w->class_)
            return false;
    }
    return true;
}

static bool reference_find_first(ReferenceWalk *w)
{
    Flattener *f = w->f;
    const Scope *s = w->scope;
    const Reference *r = w->reference;
    const ReferencePart *part = &r->parts[0];
    if (!part->name)
        return false;
    Found found;
    if (r->is_global) {
        found = (Found){library_root(f->library), library_top(f, part->name)};
    } else {
        found = lookup_simple(f, s->class_, part->name);
    }
    if (!found.member) {
        if (!s->class_->is_broken)
            lookup_report_unknown_first(f, s->class_, r, "variable");
        return false;
    }
    if (!found.member->is_component) {
        w->class_ = member_class(f, found.member);
        return w->class_ && walk_classes(w);
    }
    if (found.scope == s->class_ && s->instance) {
        w->component = instance_child(f, s->instance, part->name);
        if (s->instance->is_static && w->component && !w->component->is_broken &&
            w->component->variability != FLAT_CONSTANT && !s->function)
            return report_not_constant(f, w->component, part, found.scope);
        return w->component != NULL && !w->component->is_broken;
    }
    return static_component(w, found.scope, found.member, part);
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

static FlatExpression *reference_variable_value(Flattener *f, FlatVariable *v, Span span)
{
    // At the end of a long chain it is left to evaluate_ahead.
    if (v->kind == FLAT_CONSTANT && f->limits.value_depth < LIMIT_NEAR_VALUES) {
        FlatExpression *value = evaluate(f, &v->reference, NULL);
        if (value && value->kind == FLAT_REAL)
            map_set(f->arena, &f->seen.constants, value, v); // for its unit
        if (value)
            return value;
        Evaluation ev = {.f = f, .scratch = f->scratch};
        Value ignored = {0};
        evaluate_expression(&ev, &v->reference, &ignored);
        StringBuilder name = builder_create(f->arena);
        flat_variable_name(&name, v);
        const char *text = builder_string(&name).text;
        Diagnostic *d =
            ev.reason && v->binding
                ? report_error(f, span, "the constant '%s' has no value: %s", text, ev.reason)
                : report_error(f, span, "the constant '%s' has no value", text);
        report_note(f, d, v->reference.span, "it is declared here");
        return build_none(f, span);
    }
    variable_instance(v)->seen.is_mentioned = true;
    // A reference of its own for every use, so that it has the place of the use.
    FlatExpression *use = build_node(f, FLAT_VARIABLE, FLAT_TYPE(v), 0, span);
    use->variable = v;
    use->variability = v->reference.variability;
    return use;
}

// An element of an array: the array knows the place of the use.
static FlatExpression *element_value(Flattener *f, FlatVariable *v, Span span)
{
    if (v->kind == FLAT_CONSTANT)
        return reference_variable_value(f, v, span);
    variable_instance(v)->seen.is_mentioned = true;
    return &v->reference;
}

static FlatExpression *record_value(Flattener *f, Instance *i, Span span)
{
    const FlatType *type = instance_type(f, i);
    if (type->kind != FLAT_TYPE_RECORD) {
        report_error(f, span, "'%s' is a component of type '%s' and has no value",
                     instance_name(f, i), class_name(f, i->class_));
        return build_none(f, span);
    }
    instance_open(f, i);
    FlatExpression *record = build_node(f, FLAT_RECORD, type, i->count, span);
    for (uint32_t k = 0; k < i->count; k++) {
        record->operands[k] = instance_value(f, &i->children[k], span);
        if (expression_is_none(record->operands[k]))
            return build_none(f, span);
    }
    build_vary(record);
    return record;
}

FlatExpression *instance_value(Flattener *f, Instance *i, Span span)
{
    instance_declare(f, i);
    if (i->is_broken || i->is_absent || !(i = instance_target(f, i, span)))
        return build_none(f, span);
    instance_open(f, i);
    if (i->is_broken)
        return build_none(f, span);
    if (i->kind == INSTANCE_COMPLEX)
        return record_value(f, i, span);
    if (i->kind == INSTANCE_SIMPLE && i->flat->rank == 0)
        return i->count ? reference_variable_value(f, &i->variables[0], span) : build_none(f, span);
    FlatExpression **items = ARENA_ARRAY(f->passing, i->count + 1, FlatExpression *);
    for (uint32_t k = 0; k < i->count; k++) {
        items[k] = i->kind == INSTANCE_SIMPLE ? element_value(f, &i->variables[k], span)
                                              : record_value(f, &i->children[k], span);
        if (expression_is_none(items[k]))
            return build_none(f, span);
    }
    return build_elements(f, instance_type(f, i), i->flat->rank, i->flat->dims, items, span);
}

// The type of an empty selection, from the reference's components.
static FlatExpression *selection_value(Flattener *f, const Selection *s, const FlatType *empty,
                                       Span span)
{
    if (s->rank == 0 && s->count == 1)
        return s->variables ? reference_variable_value(f, s->variables[0], span)
                            : instance_value(f, s->instances[0], span);
    FlatExpression **items = ARENA_ARRAY(f->passing, s->count + 1, FlatExpression *);
    for (uint32_t k = 0; k < s->count; k++) {
        items[k] = s->variables ? element_value(f, s->variables[k], span)
                                : instance_value(f, s->instances[k], span);
        if (expression_is_none(items[k]))
            return build_none(f, span);
    }
    const FlatType *type = s->count ? items[0]->type : empty;
    FlatExpression *value = build_elements(f, type, s->rank, s->dims, items, span);
    return s->is_dynamic ? build_subscripted(f, value, s->rank, s->pending, span) : value;
}

// ---------------------------------------------------------------------------
// Entry points
// ---------------------------------------------------------------------------

static const FlatExpression *find_iterator(const Scope *s, const Name *name)
{
    for (const ScopeIterator *i = s->iterators; i; i = i->outer)
        if (i->name == name)
            return i->value;
    return NULL;
}

// Subscripts and members of a value: an iterator, a local variable of a function.
static FlatExpression *value_parts(Flattener *f, Scope *s, FlatExpression *value,
                                   const Reference *r)
{
    if (value->kind == FLAT_LOCAL) {
        // A node of its own, so that messages show this use of the variable.
        FlatExpression *use = build_node(f, FLAT_LOCAL, value->type, 0, r->span);
        *use = *value;
        use->span = r->span;
        value = use;
    }
    for (uint32_t k = 0; k < r->count; k++) {
        const ReferencePart *part = &r->parts[k];
        if (k > 0)
            value = build_member(f, value, part->name, part->span);
        if (!part->subscript_count || expression_is_none(value))
            continue;
        FlatExpression **sizes = ARENA_ARRAY(f->passing, value->rank + 1u, FlatExpression *);
        for (uint32_t d = 0; d < value->rank; d++) {
            FlatExpression *pair[] = {value, build_integer(f, d + 1, part->span)};
            sizes[d] = build_call(f, OPERATION_SIZE, 2, pair, part->span);
        }
        FlatExpression **subscripts =
            elaborate_subscripts(f, s, part->subscript_count, part->subscripts, value->rank, sizes);
        value = build_subscripted(f, value, part->subscript_count, subscripts, r->span);
    }
    return value;
}

// time and the literals of enumerations have no elements.
static FlatExpression *unsubscripted(Flattener *f, FlatExpression *value, const Reference *r)
{
    const ReferencePart *part = &r->parts[r->count - 1];
    if (!part->subscript_count)
        return value;
    report_error(f, part->span, "'%s' is not an array and cannot have subscripts",
                 part->name->text);
    return build_none(f, r->span);
}

static FlatExpression *class_value(Flattener *f, const Reference *r, Class *c)
{
    report_error(f, r->span, "'%s' is a %s; a value is expected here", reference_text(f, r),
                 class_kind_text(class_kind(f, c)));
    return build_none(f, r->span);
}

// The type of an array of components without elements.
static const FlatType *type_of_parts(Flattener *f, Instance *first, const Reference *r,
                                     uint32_t part)
{
    Class *c = first->class_;
    for (uint32_t k = part + 1; c && k < r->count; k++) {
        Member *member = class_member(f, c, r->parts[k].name);
        c = member ? member_class(f, member) : NULL;
    }
    return c ? class_type(f, c) : &flat_type_none;
}

// The variable that a reference without arrays names: what most references are. NULL: it is
// something else, or an error, which the full walk finds out.
static FlatVariable *plain_variable(Flattener *f, Scope *s, const Reference *r)
{
    Instance *i = s->instance;
    if (r->is_global || !i || i->is_static || s->function ||
        !map_find(&s->class_->table, r->parts[0].name))
        return NULL;
    for (uint32_t k = 0; k < r->count; k++) {
        const ReferencePart *part = &r->parts[k];
        if (part->subscript_count || !part->name || !(i = instance_child(f, i, part->name)) ||
            i->is_broken || i->is_conditional || i->flat->rank || i->kind == INSTANCE_OUTER ||
            (k > 0 && i->member->is_protected))
            return NULL;
    }
    instance_open(f, i);
    return i->kind == INSTANCE_SIMPLE && i->count == 1 ? &i->variables[0] : NULL;
}

// By the walk over its parts.
static FlatExpression *walked_value(Flattener *f, Scope *s, const Reference *r)
{
    ReferenceWalk w = {.f = f, .scope = s, .reference = r};
    if (!reference_find_first(&w))
        return build_none(f, r->span);
    if (w.value)
        return unsubscripted(f, w.value, r);
    if (!w.component)
        return class_value(f, r, w.class_);
    if (!walk_parts(&w))
        return build_none(f, r->span);
    if (w.selection.is_absent) {
        report_error(f, r->span, "'%s' does not exist: its condition is false",
                     reference_text(f, r));
        return build_none(f, r->span);
    }
    if (w.is_conditional) { // section 4.4.5
        report_error(f, r->span,
                     "'%s' is conditional: such a component can be used in connections only",
                     reference_text(f, r));
        return build_none(f, r->span);
    }
    const FlatType *empty = w.selection.count ? NULL : type_of_parts(f, w.component, r, w.part);
    return selection_value(f, &w.selection, empty, r->span);
}

FlatExpression *elaborate_reference(Flattener *f, Scope *s, const Reference *r)
{
    const Name *name = r->parts[0].name;
    if (!r->is_global && name) {
        FlatExpression *value = (FlatExpression *)find_iterator(s, name);
        if (!value && s->function)
            value = function_local(f, s->function, name);
        if (value)
            return value_parts(f, s, value, r);
        if (s->function && map_find(&s->function->functionals, name)) {
            report_error(f, r->span,
                         "'%s' is a function: it can be called, or be an argument of a function",
                         name->text);
            return build_none(f, r->span);
        }
        if (name == f->known.time && r->count == 1 && s->function) {
            report_error(f, r->span, "'time' cannot be used in a function: make it an input");
            return build_none(f, r->span);
        }
        if (name == f->known.time && r->count == 1 && !rules_check_time(f, s->class_, r->span))
            return build_none(f, r->span);
        if (name == f->known.time && r->count == 1)
            return unsubscripted(f, build_call(f, OPERATION_TIME, 0, NULL, r->span), r);
        FlatVariable *plain = plain_variable(f, s, r);
        if (plain)
            return reference_variable_value(f, plain, r->span);
    }
    const ArenaMark mark = arena_mark(f->selecting);
    FlatExpression *value = walked_value(f, s, r);
    arena_release(f->selecting, mark);
    return value;
}

bool select_components(Flattener *f, Scope *s, const Reference *r, Selection *selection)
{
    ReferenceWalk w = {.f = f, .scope = s, .reference = r};
    if (!reference_find_first(&w))
        return false;
    if (!w.component) {
        report_error(f, r->span, "'%s' is not a component", reference_text(f, r));
        return false;
    }
    if (!walk_parts(&w))
        return false;
    *selection = w.selection;
    if (w.selection.is_dynamic) {
        report_error(f, r->span, "the subscripts in '%s' must be known before the run",
                     reference_text(f, r));
        return false;
    }
    return true;
}

FlatExpression *elaborate_shape(Flattener *f, Scope *s, const Reference *r)
{
    const Name *name = r->parts[0].name;
    if (!name || find_iterator(s, name) || (s->function && function_local(f, s->function, name)))
        return NULL;
    ReferenceWalk w = {.f = f, .scope = s, .reference = r};
    if (!reference_find_first(&w))
        return build_none(f, r->span);
    if (!w.component || w.value)
        return NULL;
    // The last part needs no elements: of a[i].x only a[i] is selected.
    if (w.part + 1 == r->count && r->parts[w.part].subscript_count == 0) {
        Instance *i = instance_target(f, w.component, r->span);
        if (!i || i->is_broken)
            return build_none(f, r->span);
        FlatExpression *shape = build_node(f, FLAT_COLON, &flat_type_real, 0, r->span);
        build_shape(f, shape, i->flat->rank, i->flat->dims);
        return shape;
    }
    return NULL;
}
