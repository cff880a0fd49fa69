// SPDX-License-Identifier: MIT
//
// Instructions to words. Registers of temporaries are assigned by a linear scan over the live
// ranges from first write to last use; since all jumps but a loop's go forwards, and temporaries do
// not live from one round of a loop to the next, that is exact enough and always right.

#include "code/lower.h"

#include "code/body.h"

#include <stdlib.h>
#include <string.h>

// Inputs that are not used are loaded, too, if at most so many lie between two that are: one load
// of a longer piece is faster than two.
enum { LARGEST_GAP = 4 };

typedef struct LowerSlot { // an input or output component
    uint32_t vector, index;
    uint32_t item; // value
} LowerSlot;

typedef struct Lowering {
    CodeModule *m;
    Arena *scratch; // what is here goes when the body is lowered
    ArenaMark mark;
    CodeBody *body;
    CodeInstruction *code; // a copy of the body's, with pairs; see below
    struct {               // of operations on whole numbers; see lower.h
        uint32_t kind;
        uint32_t places[3];
    } * fusions; // of each instruction
    // What pairs are found with. made[value] is the instruction that made it, plus 1; those below
    // `block` are not in the same straight piece of code.
    uint32_t *uses, *made;
    uint32_t block;
    uint32_t *registers; // of values
    uint32_t *last;      // instruction that uses a value last, plus 1
    uint32_t *arrays;    // first register of arrays
    uint32_t next;       // register that was never used
    uint32_t *free;      // registers that can be used again
    uint32_t free_count;
    uint32_t latest; // register that the instruction before has written, if there is one
    DagMemo *open;   // jumps to be patched: see write_guard
} Lowering;

// ---------------------------------------------------------------------------
// Constants
// ---------------------------------------------------------------------------

static int compare_bits(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(double));
}

// The different constants of some bodies, sorted.
static double *collect_constants(Arena *arena, CodeBody *const *bodies, uint32_t count,
                                 uint32_t *found)
{
    uint32_t most = 0, all = 0;
    for (uint32_t i = 0; i < count; i++)
        most += bodies[i]->value_count;
    Arena *scratch = arena_scratch(arena);
    const ArenaMark mark = arena_mark(scratch);
    double *constants = ARENA_ARRAY(scratch, most, double);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < bodies[i]->value_count; k++)
            if (bodies[i]->values[k].kind == CODE_CONSTANT)
                constants[all++] = bodies[i]->values[k].number;
    if (all)
        qsort(constants, all, sizeof *constants, compare_bits);
    *found = 0;
    for (uint32_t i = 0; i < all; i++)
        if (*found == 0 || compare_bits(&constants[*found - 1], &constants[i]) != 0)
            constants[(*found)++] = constants[i];
    double *kept = ARENA_ARRAY(arena, *found, double);
    if (*found)
        memcpy(kept, constants, *found * sizeof *kept);
    arena_release(scratch, mark);
    return kept;
}

static void place_constants(Lowering *l, const double *constants, uint32_t count, uint32_t first)
{
    for (uint32_t v = 0; v < l->body->value_count; v++) {
        if (l->body->values[v].kind != CODE_CONSTANT)
            continue;
        const double *at =
            bsearch(&l->body->values[v].number, constants, count, sizeof *constants, compare_bits);
        l->registers[v] = first + (uint32_t)(at - constants);
    }
}

// ---------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------

static const struct {
    uint32_t first, second, place, word;
} pairs[] = {
#define X(name, first, second, place, meaning)                                                     \
    {OPERATOR_##first, OPERATOR_##second, place, LOWER_##name},
    LOWER_PAIR_LIST(X)
#undef X
};

enum { PAIR_COUNT = sizeof pairs / sizeof *pairs };

// In the copy of the instructions, operations from here on are pairs, by their place in the table.
enum { FIRST_PAIR = CODE_OP_COUNT, GONE = FIRST_PAIR + PAIR_COUNT };

static uint32_t pair_op(uint32_t first, uint32_t second, uint32_t place)
{
    if (second == OPERATOR_ADD || second == OPERATOR_MULTIPLY) // they do not mind the place
        place = 0;
    for (uint32_t i = 0; i < PAIR_COUNT; i++)
        if (pairs[i].first == first && pairs[i].second == second && pairs[i].place == place)
            return FIRST_PAIR + i;
    return GONE;
}

// The values that an instruction reads: a, b, c, or the arguments of a call; and d of WRITE.
static uint32_t lower_values_read(const Lowering *l, const CodeInstruction *in,
                                  const uint32_t **list)
{
    *list = &in->a;
    if (in->op == CODE_CALL) {
        *list = &l->body->lists[in->a + 1];
        return l->m->functions[l->body->lists[in->a]]->input_scalars;
    }
    if (in->op == CODE_WRITE) {
        *list = &in->d;
        return 2;
    }
    if (in->op >= FIRST_PAIR)
        return in->op == GONE ? 0 : 3;
    return body_operands(in);
}

// Fuses instruction i with the one that made its operand `place`, if nobody else uses that.
static bool fuse(Lowering *l, uint32_t i, uint32_t place)
{
    CodeInstruction *second = &l->code[i];
    const uint32_t value = place ? second->b : second->a;
    uint32_t other = place ? second->a : second->b;
    if (l->body->values[value].kind != CODE_TEMPORARY || l->uses[value] != 1 ||
        l->made[value] < l->block)
        return false;
    CodeInstruction *first = &l->code[l->made[value] - 1];
    const uint32_t op = pair_op(first->op, second->op, place);
    if (op == GONE)
        return false;
    if (second->op == OPERATOR_NEGATE) // a pair has three operands
        other = first->a;
    *second = (CodeInstruction){op, second->d, first->a, first->b, other};
    first->op = GONE;
    return true;
}

static bool is_arithmetic(uint32_t op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUBTRACT || op == OPERATOR_MULTIPLY ||
           op == OPERATOR_DIVIDE || op == OPERATOR_NEGATE;
}

// The operand of instruction i is taken by it if the instruction that takes it stands right before
// it, among others that take: so the order of what may fail stays as it is.
static void fuse_taken(Lowering *l, uint32_t i, uint32_t *operand, uint32_t k)
{
    const uint32_t taken = CODE_FIRST_WHOLE + WHOLE_TAKEN;
    for (uint32_t j = i; j-- > 0 && (l->code[j].op == taken || l->code[j].op == GONE);) {
        if (l->code[j].op != taken || l->code[j].d != *operand || l->uses[*operand] != 1)
            continue;
        *operand = l->code[j].a;
        l->fusions[i].kind |= k ? LOWER_TAKES_B : LOWER_TAKES_A;
        l->fusions[i].places[k] = l->code[j].c;
        l->code[j].op = GONE;
        return;
    }
}

// What instruction i stores is stored by the instruction right before it, which made it.
static void fuse_stored(Lowering *l, uint32_t i)
{
    CodeInstruction *store = &l->code[i];
    uint32_t j = i;
    while (j-- > 0 && l->code[j].op == GONE)
        continue;
    if (j == UINT32_MAX || !body_is_whole(l->code[j].op) || l->code[j].d != store->a ||
        l->uses[store->a] != 1 || l->body->values[store->a].kind != CODE_TEMPORARY)
        return;
    l->fusions[i] = l->fusions[j];
    l->fusions[i].kind |= LOWER_STORES;
    l->fusions[i].places[2] = store->c;
    const uint32_t d = store->d;
    *store = l->code[j];
    store->d = d;
    l->code[j].op = GONE;
}

static void fuse_wholes(Lowering *l)
{
    if (l->body->is_guess) // what is tolerated is so by itself
        return;
    for (uint32_t i = 0; i < l->body->instruction_count; i++) {
        CodeInstruction *in = &l->code[i];
        if (in->op == CODE_FIRST_WHOLE + WHOLE_STORED) {
            fuse_stored(l, i);
        } else if (body_is_whole(in->op) && body_whole(in)->takes_whole) {
            fuse_taken(l, i, &in->a, 0);
            if (body_whole(in)->count > 1)
                fuse_taken(l, i, &in->b, 1);
        }
    }
}

static void fuse_pairs(Lowering *l)
{
    const CodeBody *body = l->body;
    l->uses = ARENA_ARRAY(l->scratch, body->value_count, uint32_t);
    l->made = ARENA_ARRAY(l->scratch, body->value_count, uint32_t);
    l->block = 1;
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const uint32_t *list;
        const uint32_t count = lower_values_read(l, &l->code[i], &list);
        for (uint32_t k = 0; k < count; k++)
            l->uses[list[k]]++;
    }
    fuse_wholes(l);
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        CodeInstruction *in = &l->code[i];
        const bool is_straight = body_is_operator(in->op) || body_is_whole(in->op) ||
                                 in->op == CODE_STORE || in->op == CODE_READ;
        // A local that changes is a barrier: a first operation must not move over it.
        const bool is_barrier =
            !is_straight || (body_writes(in) && body->values[in->d].kind == CODE_LOCAL);
        if (is_arithmetic(in->op) && !fuse(l, i, 0) &&
            (in->op == OPERATOR_NEGATE || !fuse(l, i, 1)))
            l->made[in->d] = i + 1;
        if (is_barrier)
            l->block = i + 2;
    }
}

// ---------------------------------------------------------------------------
// Registers
// ---------------------------------------------------------------------------

static void find_last_uses(Lowering *l)
{
    for (uint32_t i = 0; i < l->body->instruction_count; i++) {
        const uint32_t *list;
        const uint32_t count = lower_values_read(l, &l->code[i], &list);
        for (uint32_t k = 0; k < count; k++)
            l->last[list[k]] = i + 1;
    }
}

static void give_register(Lowering *l, uint32_t value)
{
    if (value == CODE_NONE || l->registers[value] != CODE_NONE)
        return;
    l->registers[value] = l->free_count ? l->free[--l->free_count] : l->next++;
}

static void lower_take_back(Lowering *l, uint32_t value, uint32_t instruction)
{
    // An output's register, a local's and a constant's are theirs for good: their `last` is 0.
    if (l->body->values[value].kind == CODE_TEMPORARY && l->last[value] == instruction + 1) {
        l->free[l->free_count++] = l->registers[value];
        l->last[value] = 0;
    }
}

// A register is free again as soon as the instruction that reads it last has its operands: its
// result may go there.
static void assign_registers(Lowering *l)
{
    for (uint32_t i = 0; i < l->body->instruction_count; i++) {
        const CodeInstruction *in = &l->code[i];
        const uint32_t *list;
        const uint32_t count = lower_values_read(l, in, &list);
        for (uint32_t k = 0; k < count; k++)
            lower_take_back(l, list[k], i);
        if (body_writes(in) || (in->op >= FIRST_PAIR && in->op < GONE))
            give_register(l, in->d);
        if (in->op == CODE_CALL)
            for (uint32_t k = count + 1; k < body_list_length(l->m, l->body, in->a); k++)
                give_register(l, l->body->lists[in->a + k]);
    }
}

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

static void word(Lowering *l, uint32_t w)
{
    BODY_GROW(l->m->arena, l->body->lowered.words, l->body->lowered.word_count,
              l->body->lowered.word_room);
    l->body->lowered.words[l->body->lowered.word_count++] = w;
}

static uint32_t reg(const Lowering *l, uint32_t value)
{
    return value == CODE_NONE ? CODE_NONE : l->registers[value];
}

// An operation: values[0] is its result. One operand at most is taken from the result before.
static void lower_write_words(Lowering *l, uint32_t op, const uint32_t *values, uint32_t count)
{
    uint32_t variant = 0;
    for (uint32_t k = 1; k < count && !variant; k++)
        if (reg(l, values[k]) == l->latest)
            variant = k;
    word(l, LOWER_OPERATION(op, variant));
    for (uint32_t k = 0; k < count; k++)
        word(l, reg(l, values[k]));
    l->latest = reg(l, values[0]);
}

static void write_copy(Lowering *l, uint32_t to, uint32_t from)
{
    if (to == from)
        return;
    l->latest = CODE_NONE;
    word(l, LOWER_COPY);
    word(l, to);
    word(l, from);
}

// Jumps that go forwards to a place not yet known wait on a stack: a guard's, then its else's; a
// loop's beginning, then its breaks, each linked to the one before by its own word.
#define NO_LINK UINT32_MAX

static void link_jump(Lowering *l, uint32_t level)
{
    word(l, l->open->list[level]);
    l->open->list[level] = l->body->lowered.word_count - 1;
}

static void patch_jumps(Lowering *l, uint32_t link)
{
    while (link != NO_LINK) {
        const uint32_t next = l->body->lowered.words[link];
        l->body->lowered.words[link] = l->body->lowered.word_count;
        link = next;
    }
}

static void open_level(Lowering *l, uint32_t start)
{
    memo_push(l->open, start);
    memo_push(l->open, NO_LINK);
}

// The level of the innermost loop: its start is not NO_LINK.
static uint32_t lower_loop_level(const Lowering *l)
{
    uint32_t level = l->open->count - 2;
    while (l->open->list[level] == NO_LINK)
        level -= 2;
    return level;
}

static void write_guard(Lowering *l, const CodeInstruction *in)
{
    if (in->op == CODE_GUARD) {
        open_level(l, NO_LINK);
        word(l, LOWER_JUMP_UNLESS);
        word(l, reg(l, in->a));
        link_jump(l, l->open->count - 1);
        return;
    }
    const uint32_t top = l->open->count - 1;
    const uint32_t link = l->open->list[top];
    if (in->op == CODE_ELSE) {
        l->open->list[top] = NO_LINK;
        word(l, LOWER_JUMP);
        link_jump(l, top);
    } else {
        l->open->count -= 2;
    }
    patch_jumps(l, link);
}

static void write_loop(Lowering *l, const CodeInstruction *in)
{
    if (in->op == CODE_LOOP) {
        open_level(l, l->body->lowered.word_count);
        return;
    }
    const uint32_t level = lower_loop_level(l);
    if (in->op == CODE_REPEAT) {
        word(l, LOWER_REPEAT);
        word(l, l->open->list[level]);
        word(l, in->b);
        patch_jumps(l, l->open->list[level + 1]);
        l->open->count -= 2;
        return;
    }
    word(l, in->op == CODE_BREAK ? LOWER_JUMP : LOWER_JUMP_UNLESS);
    if (in->op == CODE_BREAK_UNLESS)
        word(l, reg(l, in->a));
    link_jump(l, level + 1);
}

static void write_array(Lowering *l, const CodeInstruction *in)
{
    word(l, in->op == CODE_READ ? LOWER_READ : LOWER_WRITE);
    word(l, reg(l, in->d));
    word(l, reg(l, in->a));
    word(l, l->arrays[in->b]);
    word(l, l->body->arrays[in->b].size);
    word(l, in->c);
}

static void write_whole(Lowering *l, const CodeInstruction *in)
{
    const uint32_t kind = l->fusions[in - l->code].kind;
    word(l, LOWER_WHOLE(in->op - CODE_FIRST_WHOLE, kind));
    word(l, reg(l, in->d));
    word(l, reg(l, in->a));
    word(l, body_whole(in)->count > 1 ? reg(l, in->b) : CODE_NONE);
    word(l, in->c);
    for (uint32_t k = 0; kind && k < 3; k++)
        word(l, l->fusions[in - l->code].places[k]);
}

static void write_external(Lowering *l, const CodeInstruction *in)
{
    const uint32_t *list = &l->body->lists[in->a];
    word(l, LOWER_EXTERNAL);
    word(l, in->b);
    word(l, in->c);
    word(l, list[0]);
    for (uint32_t k = 1; k <= list[0]; k++)
        word(l, list[k] == CODE_NONE            ? CODE_NONE
                : list[k] & CODE_ARRAY_ARGUMENT ? l->arrays[list[k] & ~CODE_ARRAY_ARGUMENT]
                                                : reg(l, list[k]));
}

static void write_instruction(Lowering *l, const CodeInstruction *in)
{
    if (body_is_operator(in->op)) {
        lower_write_words(l, in->op, &in->d, 1 + operator_info((Operator)in->op)->count);
        return;
    }
    if (in->op >= FIRST_PAIR) {
        if (in->op < GONE)
            lower_write_words(l, pairs[in->op - FIRST_PAIR].word, &in->d, 4);
        return;
    }
    if (in->op == CODE_STORE) // outputs are stored in pieces
        return;
    l->latest = CODE_NONE;
    if (body_is_whole(in->op)) {
        write_whole(l, in);
        return;
    }
    switch (in->op) {
    case CODE_COPY:
        write_copy(l, reg(l, in->d), reg(l, in->a));
        break;
    case CODE_GUARD:
    case CODE_ELSE:
    case CODE_END:
        write_guard(l, in);
        break;
    case CODE_LOOP:
    case CODE_REPEAT:
    case CODE_BREAK:
    case CODE_BREAK_UNLESS:
        write_loop(l, in);
        break;
    case CODE_CHECK:
    case CODE_SHOW:
        word(l, in->op == CODE_CHECK ? LOWER_CHECK : LOWER_SHOW);
        word(l, reg(l, in->a));
        word(l, in->b);
        break;
    case CODE_READ:
    case CODE_WRITE:
        write_array(l, in);
        break;
    case CODE_CALL:
        word(l, LOWER_CALL);
        word(l, l->body->lists[in->a]);
        for (uint32_t k = 1; k < body_list_length(l->m, l->body, in->a); k++)
            word(l, reg(l, l->body->lists[in->a + k]));
        break;
    case CODE_EXTERNAL:
        write_external(l, in);
        break;
    case CODE_RETURN:
        word(l, LOWER_STOP);
        break;
    default:
        break;
    }
}

// ---------------------------------------------------------------------------
// Entries
// ---------------------------------------------------------------------------

static int compare_slots(const void *a, const void *b)
{
    const LowerSlot *x = a, *y = b;
    if (x->vector != y->vector)
        return x->vector < y->vector ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// Short pieces number by number: a load of two numbers that were just stored one by one waits until
// they have reached the cache, which takes longer than all the rest.
enum { SHORT = 4, LONG = 8 };

static void lower_piece(Lowering *l, LowerOp op_of_one, LowerOp op_of_many, uint32_t first,
                        LowerSlot slot, uint32_t length)
{
    while (length) {
        const bool is_short = length <= LONG;
        const uint32_t part = is_short && length > SHORT ? SHORT : length;
        word(l, is_short ? op_of_one + part - 1 : op_of_many);
        word(l, first);
        word(l, slot.vector);
        word(l, slot.index);
        if (!is_short)
            word(l, length);
        length -= part;
        first += part;
        slot.index += part;
    }
}

// Only the first 32 vectors can be slow.
static bool lower_is_slow(const CodeModule *m, uint32_t vector)
{
    return vector < 32 && (m->layout.slow >> vector & 1);
}

// The inputs of a body that are slow, or those that are not, sorted.
static LowerSlot *lower_inputs_of(Arena *scratch, const CodeModule *m, const CodeBody *body,
                                  bool are_slow, uint32_t *count)
{
    LowerSlot *slots = ARENA_ARRAY(scratch, body->value_count, LowerSlot);
    *count = 0;
    for (uint32_t v = 0; v < body->value_count; v++) {
        const CodeValue *value = &body->values[v];
        if (value->kind == CODE_INPUT && lower_is_slow(m, value->vector) == are_slow)
            slots[(*count)++] = (LowerSlot){value->vector, value->index, v};
    }
    if (*count)
        qsort(slots, *count, sizeof *slots, compare_slots);
    return slots;
}

// The slow components that any entry uses.
static void collect_slow(CodeModule *m)
{
    uint32_t most = 0, count, found = 0;
    for (uint32_t i = 0; i < m->entry_count; i++)
        most += m->entries[i]->value_count;
    Arena *scratch = arena_scratch(m->arena);
    const ArenaMark mark = arena_mark(scratch);
    LowerSlot *all = ARENA_ARRAY(scratch, most, LowerSlot);
    most = 0;
    for (uint32_t i = 0; i < m->entry_count; i++) {
        const ArenaMark before = arena_mark(scratch);
        const LowerSlot *slots = lower_inputs_of(scratch, m, m->entries[i], true, &count);
        for (uint32_t k = 0; k < count; k++)
            all[most++] = slots[k];
        arena_release(scratch, before);
    }
    if (most)
        qsort(all, most, sizeof *all, compare_slots);
    for (uint32_t i = 0; i < most; i++)
        if (found == 0 || compare_slots(&all[found - 1], &all[i]) != 0)
            all[found++] = all[i];
    m->slow = ARENA_ARRAY(m->arena, found, CodePlace);
    for (uint32_t i = 0; i < found; i++)
        m->slow[i] = (CodePlace){all[i].vector, all[i].index};
    m->slow_count = found;
    arena_release(scratch, mark);
}

static void place_slow(Lowering *l)
{
    uint32_t count, next = 0;
    const LowerSlot *slots = lower_inputs_of(l->scratch, l->m, l->body, true, &count);
    for (uint32_t i = 0; i < count; i++) {
        while (l->m->slow[next].vector != slots[i].vector ||
               l->m->slow[next].index != slots[i].index)
            next++;
        l->registers[slots[i].item] = l->m->constant_count + next;
    }
}

// Loads the other inputs in pieces.
static void load_inputs(Lowering *l)
{
    uint32_t count;
    const LowerSlot *slots = lower_inputs_of(l->scratch, l->m, l->body, false, &count);
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i + 1;
        while (end < count && slots[end].vector == slots[i].vector &&
               slots[end].index - slots[end - 1].index <= LARGEST_GAP)
            end++;
        const uint32_t length = slots[end - 1].index - slots[i].index + 1;
        lower_piece(l, LOWER_LOAD_1, LOWER_LOAD, l->next, slots[i], length);
        for (uint32_t k = i; k < end; k++)
            l->registers[slots[k].item] = l->next + slots[k].index - slots[i].index;
        l->next += length;
        i = end;
    }
}

// The outputs, sorted, with the values that they are.
static LowerSlot *outputs_of(const Lowering *l)
{
    const CodeBody *body = l->body;
    LowerSlot *slots = ARENA_ARRAY(l->scratch, body->output_count, LowerSlot);
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        const CodeInstruction *in = &body->instructions[i];
        if (in->op == CODE_STORE)
            slots[count++] =
                (LowerSlot){body->outputs[in->d].vector, body->outputs[in->d].index, in->a};
    }
    if (count)
        qsort(slots, count, sizeof *slots, compare_slots);
    return slots;
}

// Temporaries that are outputs get registers in the order of the outputs, so that whole pieces can
// be stored, and keep them.
static void place_outputs(Lowering *l, const LowerSlot *slots)
{
    for (uint32_t i = 0; i < l->body->output_count; i++) {
        const uint32_t value = slots[i].item;
        if (l->registers[value] == CODE_NONE)
            l->registers[value] = l->next++;
        l->last[value] = 0;
    }
}

// Stores the outputs that are temporaries, or those that are inputs and constants: these at the
// beginning, so that they have long arrived where they will be read.
static void store_outputs(Lowering *l, const LowerSlot *slots, bool are_temporaries)
{
    const uint32_t count = l->body->output_count;
    for (uint32_t i = 0; i < count;) {
        const uint32_t first = l->registers[slots[i].item];
        uint32_t end = i + 1;
        if ((l->body->values[slots[i].item].kind == CODE_TEMPORARY) == are_temporaries) {
            while (end < count && slots[end].vector == slots[i].vector &&
                   slots[end].index == slots[end - 1].index + 1 &&
                   l->registers[slots[end].item] == first + (end - i))
                end++;
            lower_piece(l, LOWER_STORE_1, LOWER_STORE, first, slots[i], end - i);
        }
        i = end;
    }
}

static Lowering lower_begin(CodeModule *m, CodeBody *body)
{
    Arena *scratch = arena_scratch(m->arena);
    Lowering l = {.m = m,
                  .scratch = scratch,
                  .mark = arena_mark(scratch),
                  .body = body,
                  .latest = CODE_NONE,
                  .open = memo_take(m->dag)};
    l.code = ARENA_ARRAY(scratch, body->instruction_count, CodeInstruction);
    if (body->instruction_count)
        memcpy(l.code, body->instructions, body->instruction_count * sizeof *l.code);
    l.fusions = arena_array(scratch, body->instruction_count, sizeof *l.fusions);
    l.registers = ARENA_ARRAY(scratch, body->value_count, uint32_t);
    for (uint32_t v = 0; v < body->value_count; v++)
        l.registers[v] = CODE_NONE;
    l.last = ARENA_ARRAY(scratch, body->value_count, uint32_t);
    l.free = ARENA_ARRAY(scratch, body->value_count, uint32_t);
    l.arrays = ARENA_ARRAY(scratch, body->array_count, uint32_t);
    return l;
}

static void lower_end(Lowering *l)
{
    memo_give(l->open);
    arena_release(l->scratch, l->mark);
}

static void lower_entry(CodeModule *m, CodeBody *body)
{
    Lowering l = lower_begin(m, body);
    l.next = m->constant_count + m->slow_count;
    place_constants(&l, m->constants, m->constant_count, 0);
    place_slow(&l);
    fuse_pairs(&l);
    load_inputs(&l);
    find_last_uses(&l);
    const LowerSlot *slots = outputs_of(&l);
    place_outputs(&l, slots);
    assign_registers(&l);
    store_outputs(&l, slots, false);
    for (uint32_t i = 0; i < body->instruction_count; i++)
        write_instruction(&l, &l.code[i]);
    store_outputs(&l, slots, true);
    word(&l, LOWER_STOP);
    body->lowered.register_count = l.next;
    lower_end(&l);
}

// ---------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------

static void place_arguments(Lowering *l, const CodeArgument *arguments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = arguments[i].number;
        if (arguments[i].is_array) {
            l->arrays[number] = l->next;
            l->next += l->body->arrays[number].size;
        } else {
            l->registers[number] = l->next++;
        }
    }
}

static void place_locals(Lowering *l)
{
    const CodeBody *body = l->body;
    for (uint32_t v = 0; v < body->value_count; v++)
        if (body->values[v].kind == CODE_LOCAL && l->registers[v] == CODE_NONE)
            l->registers[v] = l->next++;
    for (uint32_t i = 0; i < body->array_count; i++) {
        if (l->arrays[i] == CODE_NONE && !body->arrays[i].table) {
            l->arrays[i] = l->next;
            l->next += body->arrays[i].size;
        }
    }
}

// A function's constants, and after them its tables: all of it is copied into the frame of a call.
static void lower_function_constants(Lowering *l)
{
    CodeBody *body = l->body;
    uint32_t count, tables = 0;
    const double *single = collect_constants(l->m->arena, &body, 1, &count);
    for (uint32_t i = 0; i < body->array_count; i++)
        tables += body->arrays[i].table ? body->arrays[i].size : 0;
    body->lowered.constants = ARENA_ARRAY(l->m->arena, count + tables, double);
    body->lowered.constant_count = count + tables;
    body->lowered.first_constant = l->next;
    if (count)
        memcpy(body->lowered.constants, single, count * sizeof *single);
    place_constants(l, body->lowered.constants, count, l->next);
    l->next += count;
    for (uint32_t i = 0; i < body->array_count; i++) {
        const CodeArray *array = &body->arrays[i];
        if (!array->table)
            continue;
        l->arrays[i] = l->next;
        memcpy(body->lowered.constants + (l->next - body->lowered.first_constant), array->table,
               array->size * sizeof *array->table);
        l->next += array->size;
    }
}

static void lower_function(CodeModule *m, CodeBody *body)
{
    Lowering l = lower_begin(m, body);
    for (uint32_t i = 0; i < body->array_count; i++)
        l.arrays[i] = CODE_NONE;
    place_arguments(&l, body->inputs, body->input_count);
    place_arguments(&l, body->results, body->result_count);
    place_locals(&l);
    lower_function_constants(&l);
    fuse_pairs(&l);
    find_last_uses(&l);
    assign_registers(&l);
    for (uint32_t i = 0; i < body->instruction_count; i++)
        write_instruction(&l, &l.code[i]);
    body->lowered.register_count = l.next;
    lower_end(&l);
}

// How deep calls go below a function, by depth first search; CODE_DEEPEST_CALL for a recursive one.
static uint32_t call_depth(const CodeModule *m, uint32_t function, uint32_t *depths)
{
    const uint32_t visiting = UINT32_MAX;
    if (depths[function] == visiting)
        return CODE_DEEPEST_CALL;
    if (depths[function])
        return depths[function];
    depths[function] = visiting;
    uint32_t deepest = 0;
    const CodeBody *body = m->functions[function];
    for (uint32_t i = 0; i < body->instruction_count; i++) {
        if (body->instructions[i].op != CODE_CALL)
            continue;
        const uint32_t depth = call_depth(m, body->lists[body->instructions[i].a], depths);
        deepest = depth > deepest ? depth : deepest;
    }
    deepest = deepest < CODE_DEEPEST_CALL ? deepest + 1 : CODE_DEEPEST_CALL;
    return depths[function] = deepest;
}

// Room for the frames of all calls inside each other.
static uint32_t frames_of_calls(const CodeModule *m, uint32_t largest)
{
    uint32_t deepest = 0;
    uint32_t *depths = ARENA_ARRAY(m->arena, m->function_count, uint32_t);
    for (uint32_t i = 0; i < m->function_count; i++) {
        const uint32_t depth = call_depth(m, i, depths);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest * largest;
}

void lower_module(CodeModule *m)
{
    m->constants = collect_constants(m->arena, m->entries, m->entry_count, &m->constant_count);
    collect_slow(m);
    uint32_t largest_entry = 0, largest_function = 0;
    for (uint32_t i = 0; i < m->entry_count; i++) {
        lower_entry(m, m->entries[i]);
        if (m->entries[i]->lowered.register_count > largest_entry)
            largest_entry = m->entries[i]->lowered.register_count;
    }
    for (uint32_t i = 0; i < m->function_count; i++) {
        lower_function(m, m->functions[i]);
        if (m->functions[i]->lowered.register_count > largest_function)
            largest_function = m->functions[i]->lowered.register_count;
    }
    m->frame_size = largest_entry + frames_of_calls(m, largest_function);
    // Emitted functions hand temporaries to each other in the frame, and so do the rounds of loops,
    // which have one place more for what they begin with, and eight rounds or more.
    for (uint32_t i = 0; i < m->entry_count; i++) {
        const uint32_t values = m->entries[i]->value_count + m->entries[i]->value_count / 8;
        const uint32_t most = m->constant_count + m->slow_count + values;
        if (m->entries[i]->instruction_count > CODE_CHUNK && most > m->frame_size)
            m->frame_size = most;
    }
}
