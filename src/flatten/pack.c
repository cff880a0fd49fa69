// SPDX-License-Identifier: MIT
//
// See pack.h. A packed equation is: what differs from the one before it (head), its text, and the
// nodes of both sides, each with what its kind needs. Numbers have as many bytes as their size
// asks for, seven bits in each; positions in texts are relative to the one before.

#include "flatten/pack.h"

#include "flatten/collections.h"
#include "flatten/walk.h"

// A tree with shared parts may explode; the number of a type has five bits.
enum { FIRST_BYTES = 4096 };
enum { MOST_NODES = 1 << 16, MOST_TYPES = 32 };

struct FlatPacked {
    const uint8_t *bytes;
    const FlatType *const *types;
};

// The first byte of an equation.
enum {
    HEAD_KIND = 3, // FlatEquationKind; of FLAT_EQUATION_CALL: it is kept, its address follows
    HEAD_GUARD = 4,
    HEAD_COMPONENT = 8, // another component than that of the equation before
    HEAD_LOOP = 16,
    HEAD_ELEMENT = 32,
};
// The second byte of a node: its variability, this, and the number of its type.
enum { NODE_VARIABILITY = 3, NODE_SILENT = 4, NODE_TYPE = 8 };
// In place of a kind: the node that is in the variable itself; its number follows.
enum { NODE_OWN_REFERENCE = 255 };

// What was written or read last.
typedef struct Position {
    uint32_t place;
    const FlatComponent *component;
    const FlatLoop *loop;
} Position;

typedef struct Packer {
    const FlatModel *model;
    Arena *arena, *equations, *scratch;
    uint8_t *bytes;
    size_t count, room;
    uint32_t node_count; // of this equation
    const FlatType *types[MOST_TYPES];
    uint32_t type_count;
    Position last;
    Map copies;    // of nodes in `equations`; others that were looked through: themselves
    bool is_owned; // something else is in `equations`
} Packer;

// ---------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------

static void pack_bytes(Packer *p, const void *from, size_t count)
{
    while (p->room - p->count < count) {
        const size_t room = p->room < FIRST_BYTES ? FIRST_BYTES : p->room + p->room / 4;
        p->bytes = arena_regrow(p->arena, p->bytes, p->room, room);
        p->room = room;
    }
    memcpy(p->bytes + p->count, from, count);
    p->count += count;
}

static void pack_number(Packer *p, uint64_t number)
{
    uint8_t bytes[10];
    uint32_t count = 0;
    for (; number >= 128; number >>= 7)
        bytes[count++] = (uint8_t)(number | 128);
    bytes[count++] = (uint8_t)number;
    pack_bytes(p, bytes, count);
}

static void pack_signed(Packer *p, int64_t number)
{
    pack_number(p, number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1);
}

static void pack_span(Packer *p, Span span)
{
    pack_signed(p, (int64_t)span.begin - p->last.place);
    pack_signed(p, (int64_t)span.end - span.begin);
    p->last.place = span.begin;
}

static bool find_type(Packer *p, const FlatType *type, uint32_t *number)
{
    for (*number = 0; *number < p->type_count; (*number)++)
        if (p->types[*number] == type)
            return true;
    if (p->type_count == MOST_TYPES)
        return false;
    p->types[p->type_count++] = type;
    return true;
}

static bool pack_is_listed(const Packer *p, const FlatVariable *v)
{
    return v->index < p->model->variable_count && p->model->variables[v->index] == v;
}

static bool pack_node(Packer *p, const FlatExpression *e);

static bool pack_operands(Packer *p, const FlatExpression *e)
{
    pack_number(p, e->count);
    for (uint32_t i = 0; i < e->count; i++)
        if (!e->operands[i] || !pack_node(p, e->operands[i]))
            return false;
    return true;
}

static bool pack_value(Packer *p, const FlatExpression *e)
{
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
        pack_bytes(p, &e->real, sizeof e->real);
        return true;
    case FLAT_INTEGER:
    case FLAT_ENUMERATION:
        pack_signed(p, e->integer);
        return true;
    case FLAT_BOOLEAN:
        pack_number(p, e->boolean);
        return true;
    case FLAT_VARIABLE:
        pack_number(p, e->variable->index);
        return pack_is_listed(p, e->variable);
    case FLAT_OPERATION:
        pack_number(p, e->operation);
        return e->relation == FLAT_NO_RELATION && pack_operands(p, e);
    case FLAT_IF:
        return pack_operands(p, e);
    default:
        return false;
    }
}

// False: it is no plain tree.
static bool pack_node(Packer *p, const FlatExpression *e)
{
    uint32_t type;
    if (++p->node_count > MOST_NODES || e->rank || !find_type(p, e->type, &type))
        return false;
    if (e->kind == FLAT_VARIABLE && e == &e->variable->reference) {
        pack_bytes(p, &(uint8_t){NODE_OWN_REFERENCE}, 1);
        pack_number(p, e->variable->index);
        return pack_is_listed(p, e->variable);
    }
    const uint32_t facts =
        e->variability | (e->is_silent ? NODE_SILENT : 0u) | type * (uint32_t)NODE_TYPE;
    const uint8_t head[] = {e->kind, (uint8_t)facts};
    pack_bytes(p, head, sizeof head);
    pack_span(p, e->span);
    return pack_value(p, e);
}

static bool pack_plain(Packer *p, const FlatEquation *e)
{
    const FlatOrigin *o = &e->origin;
    const bool has_component = o->component != p->last.component,
               has_loop = o->loop != p->last.loop;
    if (!arena_owns(p->equations, e) || e->kind == FLAT_EQUATION_CALL || e->tick || e->slope ||
        e->clock || e->targets || e->scalar_count != 1 || !e->left || !e->right)
        return false;
    const int facts = (e->guard ? HEAD_GUARD : 0) | (has_component ? HEAD_COMPONENT : 0) |
                      (has_loop ? HEAD_LOOP : 0) | (o->element ? HEAD_ELEMENT : 0);
    const uint8_t head = (uint8_t)((int)e->kind | facts);
    pack_bytes(p, &head, sizeof head);
    if (e->guard)
        pack_bytes(p, &e->guard, sizeof e->guard);
    if (has_component)
        pack_bytes(p, &o->component, sizeof o->component);
    if (has_loop)
        pack_bytes(p, &o->loop, sizeof o->loop);
    if (o->element)
        pack_number(p, o->element);
    p->last.component = o->component;
    p->last.loop = o->loop;
    pack_span(p, o->span);
    p->node_count = 0;
    return pack_node(p, e->left) && pack_node(p, e->right);
}

// ---------------------------------------------------------------------------
// What is no plain tree
// ---------------------------------------------------------------------------

// In `equations` are nodes that equations are made of, and equations. A node that is elsewhere
// stays there, but its operands may not.
static FlatExpression *copy_node(Packer *p, FlatExpression *e)
{
    if (!e)
        return NULL;
    const bool is_owned = arena_owns(p->equations, e);
    if (!is_owned && !e->count)
        return e;
    FlatExpression *copy = map_find(&p->copies, e);
    if (copy)
        return copy;
    copy = e;
    if (is_owned) {
        char *block =
            arena_allocate(p->arena, sizeof(FlatExpression) + e->count * sizeof(FlatExpression *));
        copy = (FlatExpression *)(void *)block;
        *copy = *e;
        copy->operands = (FlatExpression **)(void *)(block + sizeof(FlatExpression));
    }
    map_set(p->scratch, &p->copies, e, copy);
    for (uint32_t i = 0; i < e->count; i++)
        copy->operands[i] = copy_node(p, e->operands[i]);
    return copy;
}

static FlatEquation *copy_equation(Packer *p, FlatEquation *e)
{
    FlatEquation *copy = e;
    if (arena_owns(p->equations, e)) {
        copy = ARENA_NEW(p->arena, FlatEquation);
        *copy = *e;
    }
    copy->left = copy_node(p, e->left);
    copy->right = copy_node(p, e->right);
    copy->clock = copy_node(p, e->clock);
    for (uint32_t i = 0; i < e->target_count; i++)
        copy->targets[i] = copy_node(p, e->targets[i]);
    return copy;
}

static void look_through(void *data, FlatExpression *e, const FlatComponent *component)
{
    (void)component;
    Packer *p = data;
    p->is_owned = p->is_owned || copy_node(p, e) != e;
}

// Whether all but the equations is elsewhere, once what it has of nodes in common with them was
// copied.
static bool is_all_else_kept(Packer *p)
{
    FlatModel others = *p->model;
    others.equation_count = 0;
    flat_walk(&others, look_through, p);
    for (uint32_t i = 0; i < others.initial_equation_count; i++)
        p->is_owned |= arena_owns(p->equations, others.initial_equations[i]);
    for (uint32_t i = 0; i < others.function_count; i++)
        flat_walk_function(others.functions[i], look_through, p);
    for (uint32_t i = 0; i < others.relations.count; i++) {
        FlatRelation *relation = &others.relations.items[i];
        relation->expression = copy_node(p, relation->expression);
    }
    return !p->is_owned;
}

bool flat_pack(FlatModel *model, Arena *arena, Arena *equations, Arena *scratch)
{
    Packer p = {.model = model, .arena = arena, .equations = equations, .scratch = scratch};
    for (uint32_t i = 0; i < model->equation_count; i++) {
        const Position last = p.last;
        const size_t count = p.count;
        if (pack_plain(&p, model->equations[i]))
            continue;
        p.last = last;
        p.count = count;
        model->equations[i] = copy_equation(&p, model->equations[i]);
        pack_bytes(&p, &(uint8_t){FLAT_EQUATION_CALL}, 1);
        pack_bytes(&p, &model->equations[i], sizeof model->equations[i]);
    }
    if (!is_all_else_kept(&p)) {
        arena_regrow(arena, p.bytes, p.room, 0);
        return false;
    }
    const FlatType **types = ARENA_ARRAY(arena, p.type_count, const FlatType *);
    copy_items(types, p.types, p.type_count * sizeof *types);
    FlatPacked *packed = ARENA_NEW(arena, FlatPacked);
    *packed = (FlatPacked){.bytes = arena_regrow(arena, p.bytes, p.room, p.count), .types = types};
    model->packed = packed;
    model->equations = NULL;
    return true;
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

typedef struct Unpacker {
    const FlatModel *model;
    Arena *arena;
    const uint8_t *next;
    Position last;
} Unpacker;

static uint8_t take_byte(Unpacker *u)
{
    return *u->next++;
}

static void take_bytes(Unpacker *u, void *to, size_t count)
{
    memcpy(to, u->next, count);
    u->next += count;
}

static uint64_t take_number(Unpacker *u)
{
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = take_byte(u);
        number |= (uint64_t)(byte & 127u) << shift;
        if (byte < 128)
            return number;
    }
}

static int64_t take_signed(Unpacker *u)
{
    const uint64_t number = take_number(u);
    return (int64_t)(number & 1 ? ~(number >> 1) : number >> 1);
}

static Span take_span(Unpacker *u)
{
    Span span;
    span.begin = (uint32_t)(u->last.place + take_signed(u));
    span.end = (uint32_t)(span.begin + take_signed(u));
    u->last.place = span.begin;
    return span;
}

static FlatExpression *take_node(Unpacker *u);

// A node has its operands behind it.
static FlatExpression *make_node(Unpacker *u, uint32_t count)
{
    char *block =
        arena_allocate(u->arena, sizeof(FlatExpression) + count * sizeof(FlatExpression *));
    FlatExpression *e = (FlatExpression *)(void *)block;
    e->operands = (FlatExpression **)(void *)(block + sizeof(FlatExpression));
    e->count = count;
    return e;
}

static FlatExpression *take_node(Unpacker *u)
{
    const uint8_t kind = take_byte(u);
    if (kind == NODE_OWN_REFERENCE)
        return &u->model->variables[take_number(u)]->reference;
    const uint8_t facts = take_byte(u);
    const Span span = take_span(u);
    const bool is_operation = kind == FLAT_OPERATION;
    const uint32_t operation = is_operation ? (uint32_t)take_number(u) : 0;
    FlatExpression *e =
        make_node(u, is_operation || kind == FLAT_IF ? (uint32_t)take_number(u) : 0);
    e->kind = kind;
    e->variability = facts & NODE_VARIABILITY;
    e->is_silent = (facts & NODE_SILENT) != 0;
    e->type = u->model->packed->types[facts / NODE_TYPE];
    e->span = span;
    if (is_operation) {
        e->operation = operation;
        e->relation = FLAT_NO_RELATION;
    } else if (kind == FLAT_REAL) {
        take_bytes(u, &e->real, sizeof e->real);
    } else if (kind == FLAT_INTEGER || kind == FLAT_ENUMERATION) {
        e->integer = take_signed(u);
    } else if (kind == FLAT_BOOLEAN) {
        e->boolean = take_number(u) != 0;
    } else if (kind == FLAT_VARIABLE) {
        e->variable = u->model->variables[take_number(u)];
    }
    for (uint32_t i = 0; i < e->count; i++)
        e->operands[i] = take_node(u);
    return e;
}

static FlatEquation *take_equation(Unpacker *u)
{
    const uint8_t head = take_byte(u);
    FlatEquation *e = NULL;
    if ((head & HEAD_KIND) == FLAT_EQUATION_CALL) {
        take_bytes(u, &e, sizeof e);
        return e;
    }
    e = ARENA_NEW(u->arena, FlatEquation);
    e->kind = (FlatEquationKind)(head & HEAD_KIND);
    if (head & HEAD_GUARD)
        take_bytes(u, &e->guard, sizeof e->guard);
    if (head & HEAD_COMPONENT)
        take_bytes(u, &u->last.component, sizeof u->last.component);
    if (head & HEAD_LOOP)
        take_bytes(u, &u->last.loop, sizeof u->last.loop);
    e->origin.element = head & HEAD_ELEMENT ? (uint32_t)take_number(u) : 0;
    e->origin.component = u->last.component;
    e->origin.loop = u->last.loop;
    e->origin.span = take_span(u);
    e->left = take_node(u);
    e->right = take_node(u);
    e->scalar_count = 1;
    return e;
}

const FlatModel *flat_unpack(Arena *arena, const FlatModel *model)
{
    if (!model->packed)
        return model;
    FlatModel *full = ARENA_NEW(arena, FlatModel);
    *full = *model;
    full->packed = NULL;
    full->equations = ARENA_ARRAY(arena, model->equation_count, FlatEquation *);
    Unpacker u = {.model = model, .arena = arena, .next = model->packed->bytes};
    for (uint32_t i = 0; i < model->equation_count; i++)
        full->equations[i] = take_equation(&u);
    return full;
}
