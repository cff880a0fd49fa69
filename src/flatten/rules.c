// SPDX-License-Identifier: MIT
//
// Rules of classes: see rules.h.

#include "flatten/rules.h"

#include "flatten/library.h"

// ---------------------------------------------------------------------------
// Who may extend whom
// ---------------------------------------------------------------------------

#define KIND(name) (1u << CLASS_##name)

// The kinds of class that a class of each kind may extend (the table of section 7.1.3). A `class`
// may be what it wants, and be extended by all: libraries use it for icons.
static const unsigned extensible[] = {
    [CLASS_CLASS] = ~0u,
    [CLASS_MODEL] = KIND(MODEL) | KIND(BLOCK) | KIND(RECORD),
    [CLASS_RECORD] = KIND(RECORD),
    [CLASS_OPERATOR_RECORD] = KIND(OPERATOR_RECORD) | KIND(RECORD),
    [CLASS_BLOCK] = KIND(BLOCK) | KIND(RECORD),
    [CLASS_CONNECTOR] = KIND(CONNECTOR) | KIND(RECORD) | KIND(OPERATOR_RECORD) | KIND(TYPE),
    [CLASS_EXPANDABLE_CONNECTOR] = KIND(EXPANDABLE_CONNECTOR),
    [CLASS_TYPE] = KIND(TYPE),
    [CLASS_PACKAGE] = KIND(PACKAGE),
    [CLASS_FUNCTION] = KIND(FUNCTION) | KIND(OPERATOR_FUNCTION),
    [CLASS_OPERATOR_FUNCTION] = KIND(FUNCTION) | KIND(OPERATOR_FUNCTION),
    [CLASS_OPERATOR] = KIND(OPERATOR),
};

// "a record, a block or a model"
static const char *kind_list(Flattener *f, unsigned kinds)
{
    StringBuilder text = builder_create(f->arena);
    unsigned left = 0;
    for (unsigned kind = 0; kind <= CLASS_OPERATOR; kind++)
        left += kinds >> kind & 1;
    for (unsigned kind = 0, shown = 0; kind <= CLASS_OPERATOR; kind++) {
        if (!(kinds >> kind & 1))
            continue;
        const char *name = class_kind_text((ClassKind)kind);
        left--;
        builder_append_format(&text, "%s%s %s",
                              !shown++ ? ""
                              : left   ? ", "
                                       : " or ",
                              strchr("aeo", name[0]) ? "an" : "a", name);
    }
    return builder_string(&text).text;
}

bool rules_check_base(Flattener *f, Class *c, Class *base, const Element *element)
{
    const ClassKind kind = c->definition->kind;
    const ClassKind of_base = class_kind(f, base);
    const bool is_type = class_is_simple(f, base) && of_base != CLASS_CONNECTOR;
    const ClassKind seen = is_type ? CLASS_TYPE : of_base;
    if (base->is_broken || seen == CLASS_CLASS || extensible[kind] & 1u << seen)
        return true;
    // A short definition `type T = R` is whatever R is.
    if (!element && kind == CLASS_TYPE)
        return true;
    const Span span = element ? element->extends.type->span : c->definition->alias.type->span;
    report_error(f, span, "the %s '%s' cannot %s '%s', which is a %s, only %s",
                 class_kind_text(kind), class_name(f, c), element ? "extend" : "be defined by",
                 class_name(f, base), class_kind_text(seen), kind_list(f, extensible[kind]));
    return false;
}

static const Element *inherited_part(const Class *c, const Reference *name)
{
    const Member *member = map_find(&c->table, name->parts[0].name);
    return !name->is_global && member && member->is_inherited ? member->element : NULL;
}

// What is inherited depends on the base classes, so their names cannot be inherited (section
// 5.6.1); and what is replaceable can be no base class (section 7.1.4).
void rules_check_base_name(Flattener *f, Class *c, Class *base, const Reference *name)
{
    class_expand(f, base);
    for (uint32_t i = 0; i < base->member_count; i++) {
        const Element *e = base->members[i]->element;
        if (!e || e->kind != ELEMENT_CLASS || e->class_definition->kind != CLASS_OPERATOR_RECORD)
            continue;
        Diagnostic *d = report_error(f, name->span,
                                     "'%s' cannot be extended, since it contains the operator "
                                     "record '%s'; '%s = %s' can rename it",
                                     class_name(f, base), base->members[i]->name->text,
                                     c->name->text, class_name(f, base));
        report_note(f, d, e->span, "the operator record is here"); // section 4.6
        return;
    }
    const Element *inherited = inherited_part(c, name);
    if (inherited) {
        Diagnostic *d = report_error(f, name->parts[0].span,
                                     "the name of a base class cannot be inherited, as '%s' is; "
                                     "name the class that has it",
                                     name->parts[0].name->text);
        report_note(f, d, inherited->span, "it is declared here");
        return;
    }
    Class *in = name->is_global ? library_root(f->library) : c;
    for (uint32_t i = 0; in && i < name->count; i++) {
        const Name *part = name->parts[i].name;
        const Found found = i ? (Found){in, class_member(f, in, part)} : lookup_simple(f, in, part);
        if (!found.member || found.member->is_component)
            return;
        const Element *element = found.member->element;
        if (element && element->is_replaceable && !layers_redeclaration(found.member->layers)) {
            Diagnostic *d =
                report_error(f, name->parts[i].span,
                             "a base class cannot be replaceable, as '%s' is", part->text);
            report_note(f, d, element->span, "it is declared here");
            return;
        }
        in = member_class(f, found.member);
    }
}

// ---------------------------------------------------------------------------
// What a class contains
// ---------------------------------------------------------------------------

enum {
    HAS_EQUATION = 1 << 0,
    HAS_ALGORITHM = 1 << 1,
    HAS_PROTECTED = 1 << 2,
    HAS_INNER_OUTER = 1 << 3,
    HAS_FLOW = 1 << 4,
    HAS_DIRECTION = 1 << 5,
    HAS_SECTION = HAS_EQUATION | HAS_ALGORITHM,
};

// What the specialised classes must not contain (section 4.6).
static const unsigned forbidden[] = {
    [CLASS_RECORD] = HAS_SECTION | HAS_PROTECTED | HAS_INNER_OUTER | HAS_FLOW | HAS_DIRECTION,
    [CLASS_OPERATOR_RECORD] =
        HAS_SECTION | HAS_PROTECTED | HAS_INNER_OUTER | HAS_FLOW | HAS_DIRECTION,
    [CLASS_CONNECTOR] = HAS_SECTION | HAS_PROTECTED | HAS_INNER_OUTER,
    [CLASS_EXPANDABLE_CONNECTOR] = HAS_SECTION | HAS_PROTECTED | HAS_INNER_OUTER | HAS_FLOW,
    [CLASS_TYPE] = HAS_SECTION,
    [CLASS_PACKAGE] = HAS_SECTION,
    [CLASS_FUNCTION] = HAS_INNER_OUTER | HAS_FLOW,
    [CLASS_OPERATOR_FUNCTION] = HAS_INNER_OUTER | HAS_FLOW,
    [CLASS_OPERATOR] = HAS_SECTION,
};

static void rules_forbid(Flattener *f, const Class *c, Span span, const char *what)
{
    const ClassKind kind = c->definition->kind;
    report_error(f, span, "%s %s cannot have %s, as '%s' has%s",
                 strchr("aeo", class_kind_text(kind)[0]) ? "an" : "a", class_kind_text(kind), what,
                 c->name->text,
                 kind == CLASS_RECORD || kind == CLASS_CONNECTOR ? "; a model or a block can" : "");
}

static void check_contained(Flattener *f, const Class *c, const Element *e)
{
    const unsigned rules = forbidden[c->definition->kind];
    const bool is_component = e->kind == ELEMENT_COMPONENT;
    const ComponentClause *clause = is_component ? e->component->clause : NULL;
    const Span span = is_component ? e->component->name_span : e->span;
    if (e->is_protected && rules & HAS_PROTECTED && e->kind != ELEMENT_IMPORT)
        rules_forbid(f, c, span, "protected elements");
    if ((e->is_inner || e->is_outer) && rules & HAS_INNER_OUTER)
        rules_forbid(f, c, span, e->is_inner ? "inner elements" : "outer elements");
    if (clause && clause->role == ROLE_FLOW && rules & HAS_FLOW)
        rules_forbid(f, c, span, "flow variables");
    if (clause && clause->role == ROLE_STREAM && rules & HAS_FLOW)
        rules_forbid(f, c, span, "stream variables");
    if (clause && clause->direction != DIRECTION_NONE && rules & HAS_DIRECTION)
        rules_forbid(f, c, span, clause->direction == DIRECTION_INPUT ? "inputs" : "outputs");
}

static void check_sections(Flattener *f, const Class *c)
{
    const ClassBody *body = &c->definition->body;
    const ClassKind kind = c->definition->kind;
    const bool is_function = kind == CLASS_FUNCTION || kind == CLASS_OPERATOR_FUNCTION;
    uint32_t algorithms = body->external != NULL;
    for (uint32_t i = 0; i < body->section_count; i++) {
        const Section *s = body->sections[i];
        if (s->count && forbidden[kind] & (s->is_algorithm ? HAS_ALGORITHM : HAS_EQUATION))
            rules_forbid(f, c, s->span,
                         s->is_algorithm ? "an algorithm section" : "an equation section");
        else if (is_function && s->is_algorithm && s->is_initial)
            rules_forbid(f, c, s->span, "an initial algorithm section");
        else if (is_function && s->is_algorithm && algorithms++ == 1) // section 12.2
            report_error(f, s->span,
                         "a function has one algorithm section, or is external; '%s' has another "
                         "one before",
                         c->name->text);
    }
}

static bool is_reserved(const Flattener *f, const Name *name)
{
    return name == f->known.Real || name == f->known.Integer || name == f->known.Boolean ||
           name == f->known.String;
}

// The names of the predefined types cannot be redefined (section 4.8).
static void rules_check_name(Flattener *f, const Name *name, Span span)
{
    if (name && is_reserved(f, name))
        report_error(f, span, "'%s' is a predefined type; nothing else can have this name",
                     name->text);
}

static void check_body(Flattener *f, const Class *c)
{
    const ClassBody *body = &c->definition->body;
    for (uint32_t i = 0; i < body->element_count; i++) {
        const Element *e = body->elements[i];
        check_contained(f, c, e);
        if (e->kind == ELEMENT_COMPONENT)
            rules_check_name(f, e->component->name, e->component->name_span);
        else if (e->kind == ELEMENT_CLASS)
            rules_check_name(f, e->class_definition->name, e->class_definition->name_span);
    }
    check_sections(f, c);
}

// Literals are different, and not called like the attributes of the type, which are seen by the
// same dot (section 4.8.5).
static void check_literals(Flattener *f, const ClassDefinition *d)
{
    const KnownNames *k = &f->known;
    Map literals = {0};
    for (uint32_t i = 0; i < d->enumeration.count; i++) {
        EnumerationLiteral *l = &d->enumeration.literals[i];
        const EnumerationLiteral *first = l->name ? map_find(&literals, l->name) : NULL;
        if (first) {
            Diagnostic *error = report_error(f, l->span, "'%s' has the literal '%s' already",
                                             d->name->text, l->name->text);
            report_note(f, error, first->span, "the first one is here");
        } else if (l->name) {
            map_set(f->arena, &literals, l->name, l);
        }
        if (l->name && (l->name == k->quantity || l->name == k->min || l->name == k->max ||
                        l->name == k->start || l->name == k->fixed))
            report_error(f, l->span, "a literal cannot be called '%s', as an attribute of '%s' is",
                         l->name->text, d->name->text);
    }
}

// ---------------------------------------------------------------------------
// Arrays and prefixes of base classes
// ---------------------------------------------------------------------------

// A base class that is an array, or has a prefix, stands alone (sections 4.5.2 and 7.1.3).
static void check_lonely_bases(Flattener *f, Class *c)
{
    const ClassBody *body = &c->definition->body;
    uint32_t others = 0;
    for (uint32_t i = 0; i < body->element_count; i++)
        others += body->elements[i]->kind == ELEMENT_EXTENDS ||
                  body->elements[i]->kind == ELEMENT_COMPONENT;
    for (uint32_t i = 0; i < c->base_count && others > 1; i++) {
        Class *base = c->bases[i].class_;
        const Element *extends = c->bases[i].element;
        List sizes = {0};
        List scopes = {0};
        class_sizes(f, base, &sizes, &scopes);
        if (extends && (sizes.count || class_direction(f, base) != DIRECTION_NONE))
            report_error(f, extends->span,
                         "a class that extends %s cannot have other components or base classes",
                         sizes.count ? "an array" : "one with the prefix 'input' or 'output'");
    }
}

void rules_check_class(Flattener *f, Class *c)
{
    const ClassDefinition *d = c->definition;
    if (!d)
        return;
    if (d->form == FORM_ENUMERATION)
        check_literals(f, d);
    if (!c->enclosing || !c->enclosing->name || !c->enclosing->definition ||
        d->enclosing != c->enclosing->definition)
        rules_check_name(f, d->name, d->name_span);
    if (d->form != FORM_LONG && d->form != FORM_EXTENDING)
        return;
    check_body(f, c);
    check_lonely_bases(f, c);
}

// ---------------------------------------------------------------------------
// Redeclarations
// ---------------------------------------------------------------------------

// Section 7.3.3.
void rules_check_redeclaration(Flattener *f, const Member *own, const Member *inherited)
{
    const Element *e = own->element;
    const Element *before = inherited->element;
    const char *name = own->name->text;
    const bool is_class = e->kind == ELEMENT_CLASS;
    const Span span = is_class ? e->class_definition->name_span : e->component->name_span;
    if (!before)
        return;
    Diagnostic *d = NULL;
    if (!before->is_replaceable)
        d = report_error(f, span, "'%s' cannot be redeclared: it is not declared 'replaceable'",
                         name);
    else if (inherited->is_final)
        d = report_error(f, span, "'%s' is final and cannot be redeclared", name);
    else if (!is_class && inherited->is_component &&
             before->component->clause->variability == VARIABILITY_CONSTANT)
        d = report_error(f, span, "'%s' is a constant and cannot be redeclared", name);
    else if (e->is_protected != inherited->is_protected)
        d = report_error(f, span, "'%s' is %s and cannot be redeclared as %s", name,
                         inherited->is_protected ? "protected" : "public",
                         inherited->is_protected ? "public" : "protected");
    const bool is_old_class = before->kind == ELEMENT_CLASS;
    report_note(f, d,
                is_old_class ? before->class_definition->name_span : before->component->name_span,
                "it is declared here");
}

// ---------------------------------------------------------------------------
// Names behind a dot
// ---------------------------------------------------------------------------

// Only constants and classes: such a class can be looked into like a package (section 4.7).
static bool is_like_package(Flattener *f, Class *c)
{
    if (!c->name || class_is_package(f, c) || class_is_simple(f, c))
        return true;
    for (uint32_t i = 0; i < c->component_count; i++)
        if (c->components[i]->element->component->clause->variability != VARIABILITY_CONSTANT)
            return false;
    return class_texts(f, c)->count == 0;
}

// An enumeration needs nothing of what is around it: settings from outside of a model may name its
// values.
static bool is_encapsulated(const Member *member)
{
    const Element *e = member->element;
    return e && e->kind == ELEMENT_CLASS &&
           (e->class_definition->is_encapsulated || e->class_definition->form == FORM_ENUMERATION);
}

// Sections 5.3.2 and 4.1.
bool rules_check_member(Flattener *f, Class *in, Member *member, Span span)
{
    const char *name = member->name->text;
    if (member->is_protected) {
        report_error(f, span, "'%s' is protected in '%s'", name, class_name(f, in));
        return false;
    }
    class_expand(f, in);
    if (in->is_broken || in->state != CLASS_EXPANDED)
        return true;
    if (member->is_component && class_is_partial(in)) {
        report_error(f, span,
                     "'%s' cannot be taken from '%s', which is partial; name a class that extends "
                     "it",
                     name, class_name(f, in));
        return false;
    }
    if (!is_encapsulated(member) && !is_like_package(f, in)) {
        report_error(f, span,
                     "'%s' cannot be taken from '%s', which is a %s with more than constants and "
                     "classes, unless it is encapsulated",
                     name, class_name(f, in), class_kind_text(class_kind(f, in)));
        return false;
    }
    return true;
}
