// SPDX-License-Identifier: MIT
//
// Inner and outer (section 5.4): an outer component is another name for the nearest inner one of
// that name around it. Where there is none, one is added to the model, as the class of the outer
// one declares it.
//
// A component that is both has two instances: names in its own scope mean the outer one, those
// further in the inner one, its twin, which has all its modifications.

#include "flatten/elaborate.h"
#include "flatten/evaluate.h"
#include "flatten/subtype.h"

// The inner side of a component that is inner and outer; NULL: it has none of its own.
static Instance *inner_twin(Flattener *f, Instance *parent, const Instance *outer)
{
    for (uint32_t k = parent->class_->component_count; k < parent->count; k++) {
        Instance *twin = &parent->children[k];
        if (twin->member != outer->member)
            continue;
        instance_declare(f, twin);
        return twin->is_absent ? NULL : twin;
    }
    return NULL;
}

// The nearest inner component in `around` or around it.
static Instance *inner_find(Flattener *f, Instance *around, const Name *name)
{
    for (Instance *p = around; p; p = instance_parent(p)) {
        if (p->kind != INSTANCE_COMPLEX || p->is_static)
            continue;
        const Member *member = class_member(f, p->class_, name);
        if (!member || !member->is_component || !member->element->is_inner)
            continue;
        Instance *found = instance_child(f, p, name);
        Instance *twin = found && found->prefix.is_outer ? inner_twin(f, p, found) : NULL;
        return twin ? twin : found;
    }
    return NULL;
}

static Instance *inner_added_before(const Flattener *f, const Name *name)
{
    for (uint32_t k = 0; k < f->made.missing.count; k++) {
        Instance *added = f->made.missing.items[k];
        if (added->flat->name == name)
            return added;
    }
    return NULL;
}

// What the class says about a missing inner component; NULL: nothing.
static const char *inner_message(Flattener *f, const Class *c)
{
    const Argument *a = class_annotation(f, c, f->known.missingInnerMessage);
    const Expression *e = a && a->modification ? a->modification->value : NULL;
    return e && e->kind == EXPRESSION_STRING ? e->string.text : NULL;
}

// Adds the inner component to the model; NULL: that would not help, or the name is taken.
static Instance *inner_add(Flattener *f, const Instance *outer)
{
    Class *c = outer->class_;
    Instance *added = inner_added_before(f, outer->flat->name);
    if (added)
        return added;
    if (!f->top || class_is_simple(f, c) || class_is_partial(c) || outer->flat->rank ||
        class_member(f, f->top->class_, outer->flat->name))
        return NULL;
    added = instance_new(f);
    *added = (Instance){.flat = added->flat,
                        .member = outer->member,
                        .element = outer->element,
                        .scope = outer->scope,
                        .class_ = c,
                        .variability = FLAT_CONTINUOUS,
                        .stage = INSTANCE_DECLARED,
                        .kind = INSTANCE_COMPLEX,
                        .prefix.is_inner = true,
                        .depth = 1};
    instance_be_like(added, outer);
    added->flat->parent = f->top->flat;
    list_append(f->arena, &f->made.missing, added);
    const char *message = inner_message(f, c);
    report_warning(f, outer->flat->declared->span,
                   "there is no 'inner %s %s' around '%s', which is declared outer: one is added "
                   "to the model%s%s",
                   class_name(f, c), outer->flat->name->text, instance_name(f, outer),
                   message ? "; " : "", message ? message : "");
    return added;
}

static bool inner_has_sizes(const Instance *inner, const Instance *outer)
{
    if (inner->flat->rank != outer->flat->rank)
        return false;
    for (uint32_t k = 0; k < outer->flat->rank; k++)
        if (outer->flat->dims[k] != FLAT_UNKNOWN_SIZE &&
            outer->flat->dims[k] != inner->flat->dims[k])
            return false;
    return true;
}

static const char *inner_type_text(Flattener *f, const Instance *i)
{
    const FlatType *type = class_type(f, i->class_);
    return type->kind == FLAT_TYPE_NONE ? class_name(f, i->class_)
                                        : type_text(f, type, i->flat->rank, i->flat->dims);
}

// The inner component must be usable as what the outer one is declared. False after a message.
static bool inner_check(Flattener *f, Instance *i, const Instance *inner)
{
    if (!inner || !inner->class_ || !i->class_ || inner->is_broken)
        return true;
    const FlatType *here = class_type(f, i->class_), *there = class_type(f, inner->class_);
    const bool is_alike = here->kind >= FLAT_TYPE_RECORD ? there->kind >= FLAT_TYPE_RECORD
                                                         : flat_type_equal(here, there);
    const char *misfit = NULL;
    if (is_alike && inner_has_sizes(inner, i)) {
        if (here->kind >= FLAT_TYPE_RECORD && i->class_ != inner->class_)
            misfit = subtype_misfit(f, i->class_, inner->class_);
        if (!misfit)
            return true;
    }
    Diagnostic *d = report_error(
        f, i->flat->declared->span, "'%s' is declared outer as %s, but inner as %s%s%s",
        instance_name(f, i), inner_type_text(f, i), inner_type_text(f, inner), misfit ? ": " : "",
        misfit ? misfit : "");
    report_note(f, d, inner->flat->declared->span, "the inner component is here");
    return false;
}

static void inner_report(Flattener *f, Instance *i, Span use)
{
    Diagnostic *d =
        report_error(f, i->flat->declared->span,
                     "there is no 'inner %s %s' around '%s', which is declared outer",
                     class_name(f, i->class_), i->flat->name->text, instance_name(f, i));
    if (use.begin != i->flat->declared->span.begin)
        report_note(f, d, use, "it is used here");
}

Instance *instance_target(Flattener *f, Instance *i, Span use)
{
    if (i->kind != INSTANCE_OUTER)
        return i;
    if (!i->target && !i->is_broken) {
        Instance *around = instance_parent(instance_parent(i));
        Instance *inner = inner_find(f, around, i->flat->name);
        if (!inner && !i->is_static)
            inner = inner_add(f, i);
        if (inner) {
            inner = instance_target(f, inner, use);
            i->is_broken = !inner_check(f, i, inner);
            i->target = i->is_broken ? NULL : inner;
        } else {
            inner_report(f, i, use);
            i->is_broken = true;
        }
    }
    return i->target;
}

Instance *instance_target_from(Flattener *f, Instance *i, Instance *from, Span use)
{
    if (i->kind != INSTANCE_OUTER || !i->is_static)
        return instance_target(f, i, use);
    Instance *inner = inner_find(f, from, i->flat->name);
    if (!inner) {
        inner_report(f, i, use);
        return NULL;
    }
    inner = instance_target(f, inner, use);
    return inner_check(f, i, inner) ? inner : NULL;
}

Class *instance_target_class(Flattener *f, Member *member, Instance *from)
{
    if (!member->element || !member->element->is_outer || member->is_component)
        return member_class(f, member);
    for (Instance *p = from ? instance_parent(from) : NULL; p; p = instance_parent(p)) {
        if (p->kind != INSTANCE_COMPLEX || p->is_static)
            continue;
        Member *inner = class_member(f, p->class_, member->name);
        if (inner && !inner->is_component && inner->element && inner->element->is_inner) {
            Class *c = member_class(f, inner);
            subtypes_note(f, member->element, member->scope, inner->element, c);
            return c;
        }
    }
    report_error(f, member->element->class_definition->name_span,
                 "there is no 'inner' class '%s' around, which is declared outer",
                 member->name->text);
    return NULL;
}

void instance_check_outer(Flattener *f, Instance *i)
{
    if (i->prefix.is_inner || !i->layers)
        return;
    for (const Layer *layer = i->layers; layer; layer = layer->next) {
        if (layer->scope == NULL || (!layer->modification && !layer->redeclaration))
            continue;
        // The attributes of a type are no modification of the component.
        if (class_is_simple(f, i->class_) && !layer->context)
            continue;
        report_error(f, layer_span(layer),
                     "'%s' is outer and cannot be modified: the inner component is what counts",
                     i->flat->name->text);
        i->is_broken = true;
        return;
    }
}
