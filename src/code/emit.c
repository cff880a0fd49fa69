// SPDX-License-Identifier: MIT
//
// Emission. Every value has a home: constants, inputs and locals their own text; a temporary is a
// local variable of C, or, if it is used in another function than it is made in, or another round
// of a loop, an element of the frame, w[k]. Those of the rounds of a loop lie in a row.

#include "code/emit_parts.h"

#include "base/number.h"
#include "code/body.h"
#include "code/loops.h"

#include <ctype.h>
#include <inttypes.h>

enum { CHUNK = CODE_CHUNK };
#define DRIVER UINT32_MAX

typedef struct Emitter {
    const CodeModule *m;
    const CodeBody *body;
    StringBuilder *out;
    int indent;
    uint32_t *chunks; // instruction -> chunk, or DRIVER
    uint32_t chunk_count;
    uint32_t *homes;      // value -> element of the frame plus 1; 0: a local
    uint32_t home_count;  // elements of the frame
    bool *is_declared;    // value: at the top of its function
    CodeLoops loops;      // of an entry
    const CodeLoop *loop; // that is being emitted, or NULL
    uint32_t *pieces;     // by instruction of a first round: see find_pieces
    uint32_t piece;       // that is being emitted
    uint32_t subscripts;  // counter of names
    const char *mark;     // before the functions of chunks
    const char *prefix;   // of their names
} Emitter;

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

static void emit_put(Emitter *e, const char *text)
{
    builder_append_text(e->out, text);
}

static void emit_begin_line(Emitter *e)
{
    builder_append_repeated(e->out, ' ', (size_t)e->indent * 4);
}

static void put_line(Emitter *e, const char *text)
{
    emit_begin_line(e);
    emit_put(e, text);
    emit_put(e, "\n");
}

void emit_comment(StringBuilder *out, const char *text)
{
    for (const char *c = text; *c; c++)
        builder_append_character(out, (unsigned char)*c < ' ' || *c == '\\' ? '?' : *c);
}

static void emit_end_line(Emitter *e, const char *comment)
{
    if (comment) {
        emit_put(e, " // ");
        emit_comment(e->out, comment);
    }
    emit_put(e, "\n");
}

static void put_identifier(Emitter *e, const char *name)
{
    for (const char *c = name; *c; c++)
        builder_append_character(e->out, isalnum((unsigned char)*c) ? *c : '_');
}

static void put_number(Emitter *e, double number)
{
    char text[NUMBER_LENGTH];
    if (isnan(number)) {
        emit_put(e, "NOT_A_NUMBER");
    } else if (isinf(number)) {
        emit_put(e, number > 0.0 ? "INFINITE" : "(-INFINITE)");
    } else {
        emit_put(e, signbit(number) ? "(" : "");
        builder_append(e->out, text, number_write(number, text));
        emit_put(e, signbit(number) ? ")" : "");
    }
}

static void put_value(Emitter *e, uint32_t value)
{
    const CodeValue *v = &e->body->values[value];
    switch (v->kind) {
    case CODE_CONSTANT:
        if (v->is_whole)
            builder_append_format(e->out, "(%" PRId64 "LL)", body_whole_of(v->number));
        else
            put_number(e, v->number);
        break;
    case CODE_INPUT:
        builder_append_format(e->out, "%s[%u]", e->m->layout.input_names[v->vector], v->index);
        break;
    case CODE_TEMPORARY:
        if (e->homes[value])
            builder_append_format(e->out, v->is_whole ? "whole_of(w[%u])" : "w[%u]",
                                  e->homes[value] - 1);
        else
            builder_append_format(e->out, "r%u", value);
        break;
    case CODE_LOCAL:
        builder_append_format(e->out, "v%u", value);
        break;
    }
}

// "[3 + 2 * i]": where something is in a round.
static void put_round(Emitter *e, uint32_t first, uint32_t second)
{
    const int64_t step = (int64_t)second - first;
    builder_append_format(e->out, "[%u", first);
    if (step == 1 || step == -1)
        emit_put(e, step > 0 ? " + i" : " - i");
    else if (step)
        builder_append_format(e->out, " %c %" PRId64 " * i", step > 0 ? '+' : '-',
                              step > 0 ? step : -step);
    emit_put(e, "]");
}

// An operand of an instruction; in a loop, that of each round.
static void put_operand(Emitter *e, const uint32_t *operand)
{
    if (!e->loop) {
        put_value(e, *operand);
        return;
    }
    const size_t step = e->loop->length * (sizeof(CodeInstruction) / sizeof *operand);
    const uint32_t first = operand[0], second = operand[step];
    switch (loops_operand(&e->loops, e->loop, first, second)) {
    case LOOP_NONE:
    case LOOP_SAME:
        put_value(e, first);
        break;
    case LOOP_INPUT:
        emit_put(e, e->m->layout.input_names[e->body->values[first].vector]);
        put_round(e, e->body->values[first].index, e->body->values[second].index);
        break;
    case LOOP_ROUND:
        if (e->pieces[e->loops.made[first] - 1] == e->piece)
            builder_append_format(e->out, "r%u", first);
        else
            builder_append_format(e->out, "w[%u + i]", e->homes[first] - 1);
        break;
    case LOOP_CARRIED: // at home it begins one place before
        emit_put(e, "w");
        put_round(e, e->homes[second] - 2, e->homes[second] - 1);
        break;
    case LOOP_OTHER:
        emit_put(e, "w");
        put_round(e, e->homes[first] - 1, e->homes[second] - 1);
        break;
    }
}

static const char *type_of(const Emitter *e, uint32_t value)
{
    return e->body->values[value].is_whole ? "int64_t" : "double";
}

static bool is_whole_at_home(const Emitter *e, uint32_t value)
{
    return e->homes[value] && e->body->values[value].is_whole;
}

// "r5 = ", as a declaration where it is one.
static void begin_assignment(Emitter *e, uint32_t value)
{
    emit_begin_line(e);
    const bool is_local = e->body->values[value].kind == CODE_LOCAL;
    if (e->loop) {
        builder_append_format(e->out, "const double r%u = ", value);
        return;
    }
    if (!is_local && !e->homes[value] && !e->is_declared[value])
        builder_append_format(e->out, "const %s ", type_of(e, value));
    if (is_whole_at_home(e, value)) {
        builder_append_format(e->out, "w[%u] = bits_of(", e->homes[value] - 1);
        return;
    }
    put_value(e, value);
    emit_put(e, " = ");
}

static void end_assignment(Emitter *e, uint32_t value)
{
    emit_put(e, is_whole_at_home(e, value) ? ");" : ";");
}

// The meaning of an operator with its operands pasted for a, b and c.
static void put_meaning(Emitter *e, const char *text, const CodeInstruction *in)
{
    const uint32_t *operands = &in->a;
    for (const char *c = text; *c; c++) {
        const bool is_alone =
            (c == text || !isalnum((unsigned char)c[-1])) && !isalnum((unsigned char)c[1]);
        if (is_alone && *c >= 'a' && *c <= 'c')
            put_operand(e, &operands[*c - 'a']);
        else
            builder_append_character(e->out, *c);
    }
}

// ---------------------------------------------------------------------------
// Chunks
// ---------------------------------------------------------------------------

// The instruction behind the END of the block that begins at i; `otherwise`: its ELSE.
static uint32_t block_end(const CodeBody *body, uint32_t i, uint32_t *otherwise)
{
    uint32_t depth = 0;
    for (;; i++) {
        const uint32_t op = body->instructions[i].op;
        depth += op == CODE_GUARD;
        if (op == CODE_ELSE && depth == 1)
            *otherwise = i;
        depth -= op == CODE_END;
        if (depth == 0)
            return i + 1;
    }
}

// Cuts the instructions [begin, end) into chunks. Blocks stay in one piece unless they are longer
// than a chunk themselves: then the driver has the guard and calls chunks in its branches.
static void cut(Emitter *e, uint32_t begin, uint32_t end)
{
    uint32_t length = CHUNK; // begin with a new one
    for (uint32_t i = begin; i < end;) {
        uint32_t otherwise = 0, next = i + 1;
        uint32_t loop = e->loops.count ? e->loops.loop[i] : 0;
        if (e->body->instructions[i].op == CODE_GUARD)
            next = block_end(e->body, i, &otherwise);
        if (loop) {
            const CodeLoop *l = &e->loops.items[loop - 1];
            next = l->begin + l->length * l->rounds;
        }
        const uint32_t size = loop ? e->loops.items[loop - 1].length + 2 : next - i;
        if (size > CHUNK) {
            e->chunks[i] = e->chunks[otherwise] = e->chunks[next - 1] = DRIVER;
            cut(e, i + 1, otherwise);
            cut(e, otherwise + 1, next - 1);
            length = CHUNK;
        } else {
            if (length + size > CHUNK) {
                e->chunk_count++;
                length = 0;
            }
            for (uint32_t k = i; k < next; k++)
                e->chunks[k] = e->chunk_count - 1;
            length += size;
        }
        i = next;
    }
}

static uint32_t emit_values_read(const Emitter *e, const CodeInstruction *in, const uint32_t **list)
{
    *list = &in->a;
    if (in->op != CODE_CALL)
        return body_operands(in);
    *list = &e->body->lists[in->a + 1];
    return e->m->functions[e->body->lists[in->a]]->input_scalars;
}

// Calls visit(e, value, chunk) for every value that is made.
static void for_each_made(Emitter *e, void (*visit)(Emitter *, uint32_t, uint32_t, uint32_t *),
                          uint32_t *made)
{
    for (uint32_t i = 0; i < e->body->instruction_count; i++) {
        const CodeInstruction *in = &e->body->instructions[i];
        if (body_writes(in))
            visit(e, in->d, e->chunks[i], made);
        if (in->op != CODE_CALL)
            continue;
        const uint32_t inputs = e->m->functions[e->body->lists[in->a]]->input_scalars;
        for (uint32_t k = inputs + 1; k < body_list_length(e->m, e->body, in->a); k++)
            if (e->body->lists[in->a + k] != CODE_NONE) {
                visit(e, e->body->lists[in->a + k], e->chunks[i], made);
                e->is_declared[e->body->lists[in->a + k]] = true;
            }
    }
}

static void give_home(Emitter *e, uint32_t value)
{
    if (e->body->values[value].kind == CODE_TEMPORARY && !e->homes[value])
        e->homes[value] = ++e->home_count;
}

// made[value]: the chunk it is made in, plus 1. What is made twice is declared at the top, or, if
// in two chunks, at home in the frame.
static void note_made(Emitter *e, uint32_t value, uint32_t chunk, uint32_t *made)
{
    if (made[value]) {
        e->is_declared[value] = true;
        if (made[value] != chunk + 1)
            give_home(e, value);
    }
    made[value] = chunk + 1;
}

// A loop in which a round uses what the one before has made does not become vectors. So it is cut
// into pieces, each a loop of its own over all rounds, such that this is always made in a piece
// before. False: a value depends on itself in rounds before, there is one piece.
static bool find_pieces_of(const Emitter *e, const CodeLoop *loop)
{
    enum { MOST_PIECES = 4 };
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (uint32_t k = loop->begin; k < loop->begin + loop->length; k++) {
            const CodeInstruction *in = &e->body->instructions[k];
            for (uint32_t n = 0; n < body_operands(in); n++) {
                const uint32_t first = body_operand(in, n);
                const uint32_t second = body_operand(in + loop->length, n);
                const LoopOperand how = loops_operand(&e->loops, loop, first, second);
                if (how != LOOP_ROUND && how != LOOP_CARRIED)
                    continue;
                // What is carried into the second round, the first one makes.
                const uint32_t by = e->loops.made[how == LOOP_ROUND ? first : second] - 1;
                const uint32_t least = e->pieces[by] + (how == LOOP_CARRIED);
                if (least >= MOST_PIECES)
                    return false;
                has_changed |= e->pieces[k] < least;
                e->pieces[k] = e->pieces[k] < least ? least : e->pieces[k];
            }
        }
    }
    return true;
}

static void find_pieces(Emitter *e)
{
    e->pieces = ARENA_ARRAY(e->out->arena, e->body->instruction_count, uint32_t);
    for (uint32_t n = 0; n < e->loops.count; n++) {
        const CodeLoop *loop = &e->loops.items[n];
        if (!find_pieces_of(e, loop))
            memset(e->pieces + loop->begin, 0, loop->length * sizeof *e->pieces);
    }
}

// Whether an instruction is in another piece of its loop than the one, of the same round, that
// makes an operand.
static bool is_in_other_piece(const Emitter *e, const CodeLoop *loop, uint32_t i, uint32_t made)
{
    const uint32_t at = loop->begin + (i - loop->begin) % loop->length;
    const uint32_t by = loop->begin + (made - loop->begin) % loop->length;
    return e->pieces[at] != e->pieces[by];
}

// What a round makes and others use is at home in the frame: is_used by instruction, of the first
// round.
static void find_uses_of_rounds(const Emitter *e, bool *is_used, bool *is_carried)
{
    const CodeLoops *l = &e->loops;
    for (uint32_t i = 0; i < e->body->instruction_count; i++) {
        const uint32_t *list;
        const uint32_t count = emit_values_read(e, &e->body->instructions[i], &list);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t made = l->made[list[k]];
            if (!made || !l->loop[made - 1])
                continue;
            const CodeLoop *loop = &l->items[l->loop[made - 1] - 1];
            const uint32_t round = (made - 1 - loop->begin) / loop->length;
            const uint32_t place = loop->begin + (made - 1 - loop->begin) % loop->length;
            if (l->loop[i] != l->loop[made - 1]) {
                is_used[place] = true;
            } else if ((i - loop->begin) / loop->length != round) {
                is_used[place] = is_carried[place] = true;
            } else if (is_in_other_piece(e, loop, i, made - 1)) {
                is_used[place] = true;
            }
        }
    }
}

static void find_homes_of_loops(Emitter *e)
{
    bool *is_used = ARENA_ARRAY(e->out->arena, e->body->instruction_count, bool);
    bool *is_carried = ARENA_ARRAY(e->out->arena, e->body->instruction_count, bool);
    find_pieces(e);
    find_uses_of_rounds(e, is_used, is_carried);
    for (uint32_t n = 0; n < e->loops.count; n++) {
        const CodeLoop *loop = &e->loops.items[n];
        for (uint32_t k = loop->begin; k < loop->begin + loop->length; k++) {
            e->home_count += is_carried[k];
            for (uint32_t r = 0; r < loop->rounds && is_used[k]; r++)
                give_home(e, e->body->instructions[k + r * loop->length].d);
        }
    }
}

static void find_homes(Emitter *e)
{
    if (e->loops.count)
        find_homes_of_loops(e);
    uint32_t *made = ARENA_ARRAY(e->out->arena, e->body->value_count, uint32_t);
    for_each_made(e, note_made, made);
    for (uint32_t i = 0; i < e->body->instruction_count; i++) {
        const uint32_t *list;
        const uint32_t count = emit_values_read(e, &e->body->instructions[i], &list);
        for (uint32_t k = 0; k < count; k++)
            if (made[list[k]] && made[list[k]] != e->chunks[i] + 1)
                give_home(e, list[k]);
    }
}

// ---------------------------------------------------------------------------
// Instructions
// ---------------------------------------------------------------------------

static void emit_failure(Emitter *e, uint32_t place)
{
    builder_append_format(e->out, "return run->failure = %u, 1;\n", place);
}

static void emit_call(Emitter *e, uint32_t list)
{
    const uint32_t *items = &e->body->lists[list];
    const CodeBody *f = e->m->functions[items[0]];
    put_line(e, "{");
    e->indent++;
    emit_begin_line(e);
    emit_put(e, "const double a[] = {");
    for (uint32_t k = 0; k < f->input_scalars; k++) {
        emit_put(e, k ? ", " : "");
        put_value(e, items[1 + k]);
    }
    emit_put(e, f->input_scalars ? "};\n" : "0.0};\n");
    emit_begin_line(e);
    builder_append_format(e->out, "double q[%u];\n", f->result_scalars ? f->result_scalars : 1);
    emit_begin_line(e);
    builder_append_format(e->out, "if (f%u_", items[0]);
    put_identifier(e, f->name);
    emit_put(e, "(a, q, run))\n");
    e->indent++;
    put_line(e, "return 1;");
    e->indent--;
    for (uint32_t k = 0; k < f->result_scalars; k++) {
        const uint32_t value = items[1 + f->input_scalars + k];
        if (value == CODE_NONE)
            continue;
        begin_assignment(e, value);
        builder_append_format(e->out, "q[%u];", k);
        emit_end_line(e, e->body->values[value].name);
    }
    e->indent--;
    put_line(e, "}");
}

// The subscript as a name or number, after a check if one is needed.
static void emit_subscript(Emitter *e, const CodeInstruction *in, StringBuilder *text)
{
    const CodeValue *index = &e->body->values[in->a];
    const uint32_t size = e->body->arrays[in->b].size;
    if (index->kind == CODE_CONSTANT && index->number >= 0.0 && index->number < size) {
        builder_append_format(text, "%u", (unsigned)index->number);
        return;
    }
    builder_append_format(text, "i%u", e->subscripts);
    emit_begin_line(e);
    builder_append_format(e->out, "const unsigned i%u = element(", e->subscripts++);
    put_value(e, in->a);
    builder_append_format(e->out, ", %u);\n", size);
    emit_begin_line(e);
    builder_append_format(e->out, "if (%s == %u)\n", builder_string(text).text, size);
    e->indent++;
    emit_begin_line(e);
    emit_failure(e, in->c);
    e->indent--;
}

static void emit_element(Emitter *e, const CodeInstruction *in)
{
    StringBuilder subscript = builder_create(e->out->arena);
    emit_subscript(e, in, &subscript);
    if (in->op == CODE_READ)
        begin_assignment(e, in->d);
    else
        emit_begin_line(e);
    builder_append_format(e->out, "array%u[%s]", in->b, builder_string(&subscript).text);
    if (in->op == CODE_WRITE) {
        emit_put(e, " = ");
        put_value(e, in->d);
    }
    emit_put(e, ";");
    emit_end_line(e, e->body->arrays[in->b].name);
}

static void emit_external(Emitter *e, const CodeInstruction *in)
{
    const uint32_t *list = &e->body->lists[in->a];
    put_line(e, "{");
    e->indent++;
    emit_begin_line(e);
    emit_put(e, "double *const numbers[] = {");
    for (uint32_t k = 1; k <= list[0]; k++) {
        emit_put(e, k > 1 ? ", " : "");
        if (list[k] == CODE_NONE)
            emit_put(e, "0");
        else if (list[k] & CODE_ARRAY_ARGUMENT)
            builder_append_format(e->out, "array%u", list[k] & ~CODE_ARRAY_ARGUMENT);
        else
            builder_append_format(e->out, "&v%u", list[k]);
    }
    emit_put(e, list[0] ? "};\n" : "0};\n");
    emit_begin_line(e);
    builder_append_format(e->out, "if (run->call(run->sites[%u], numbers, &run->moment))\n", in->b);
    e->indent++;
    emit_begin_line(e);
    emit_failure(e, in->c);
    e->indent -= 2;
    put_line(e, "}");
}

static void emit_condition(Emitter *e, const char *before, uint32_t value, const char *after)
{
    emit_begin_line(e);
    emit_put(e, before);
    put_value(e, value);
    emit_put(e, after);
    emit_put(e, "\n");
}

static void emit_control(Emitter *e, const CodeInstruction *in)
{
    switch (in->op) {
    case CODE_GUARD:
        emit_condition(e, "if (", in->a, " != 0.0) {");
        e->indent++;
        break;
    case CODE_ELSE:
        e->indent--;
        put_line(e, "} else {");
        e->indent++;
        break;
    case CODE_LOOP:
        put_line(e, "for (;;) {");
        e->indent++;
        break;
    case CODE_REPEAT:
        emit_begin_line(e);
        builder_append_format(e->out, "if (++run->steps > %u)\n", (unsigned)CODE_MOST_STEPS);
        e->indent++;
        emit_begin_line(e);
        emit_failure(e, in->b);
        e->indent -= 2;
        put_line(e, "}");
        break;
    case CODE_END:
        e->indent--;
        put_line(e, "}");
        break;
    case CODE_BREAK:
        put_line(e, "break;");
        break;
    case CODE_BREAK_UNLESS:
        emit_condition(e, "if (", in->a, " == 0.0)");
        e->indent++;
        put_line(e, "break;");
        e->indent--;
        break;
    case CODE_CHECK:
        emit_condition(e, "if (", in->a, " == 0.0)");
        e->indent++;
        emit_begin_line(e);
        emit_failure(e, in->b);
        e->indent--;
        break;
    case CODE_SHOW:
        emit_begin_line(e);
        builder_append_format(e->out, "run->shown[%u] = ", in->b);
        put_value(e, in->a);
        emit_put(e, ";\n");
        break;
    case CODE_RETURN:
        put_line(e, "goto done;");
        break;
    default:
        break;
    }
}

// What fails is asked before; what cannot is not.
static void emit_whole_check(Emitter *e, const CodeInstruction *in)
{
    if (in->c == CODE_NONE || in->c == CODE_TOLERATED)
        return;
    emit_begin_line(e);
    emit_put(e, "if (");
    put_meaning(e, body_whole(in)->fails, in);
    emit_put(e, ")\n");
    e->indent++;
    emit_begin_line(e);
    emit_failure(e, in->c);
    e->indent--;
}

static void emit_instruction(Emitter *e, const CodeInstruction *in)
{
    const bool is_whole = body_is_whole(in->op);
    if (body_is_operator(in->op) || is_whole || in->op == CODE_COPY) {
        if (is_whole)
            emit_whole_check(e, in);
        begin_assignment(e, in->d);
        if (is_whole && in->c == CODE_TOLERATED) {
            emit_put(e, "(");
            put_meaning(e, body_whole(in)->fails, in);
            emit_put(e, ") ? 0 : ");
        }
        if (in->op == CODE_COPY)
            put_operand(e, &in->a);
        else
            put_meaning(
                e, is_whole ? body_whole(in)->meaning : operator_info((Operator)in->op)->meaning,
                in);
        end_assignment(e, in->d);
        emit_end_line(e, e->body->values[in->d].kind == CODE_TEMPORARY ? e->body->values[in->d].name
                                                                       : NULL);
    } else if (in->op == CODE_STORE) {
        const CodeOutput *o = &e->body->outputs[in->d];
        emit_begin_line(e);
        emit_put(e, e->m->layout.output_names[o->vector]);
        put_round(e, o->index, e->loop ? e->body->outputs[in[e->loop->length].d].index : o->index);
        emit_put(e, " = ");
        put_operand(e, &in->a);
        emit_put(e, ";");
        emit_end_line(e, NULL);
    } else if (in->op == CODE_CALL) {
        emit_call(e, in->a);
    } else if (in->op == CODE_EXTERNAL) {
        emit_external(e, in);
    } else if (in->op == CODE_READ || in->op == CODE_WRITE) {
        emit_element(e, in);
    } else {
        emit_control(e, in);
    }
}

// ---------------------------------------------------------------------------
// Entries
// ---------------------------------------------------------------------------

static const char parameters[] = "(const double *const *in, double *const *out, Run *run)";

// Declares the vectors that the instructions [begin, end) of a chunk use, and temporaries.
static void emit_declarations(Emitter *e, uint32_t begin, uint32_t end)
{
    const CodeLayout *layout = &e->m->layout;
    const char *alone = e->loops.count ? "restrict " : ""; // loops are worth the knowledge
    bool *in = ARENA_ARRAY(e->out->arena, layout->input_count, bool);
    bool *out = ARENA_ARRAY(e->out->arena, layout->output_count, bool);
    for (uint32_t i = begin; i < end; i++) {
        const CodeInstruction *instruction = &e->body->instructions[i];
        const uint32_t *list;
        const uint32_t count = emit_values_read(e, instruction, &list);
        for (uint32_t k = 0; k < count; k++)
            if (e->body->values[list[k]].kind == CODE_INPUT)
                in[e->body->values[list[k]].vector] = true;
        if (instruction->op == CODE_STORE)
            out[e->body->outputs[instruction->d].vector] = true;
    }
    for (uint32_t k = 0; k < layout->input_count; k++)
        if (in[k]) {
            emit_begin_line(e);
            builder_append_format(e->out, "const double *const %s = in[%u];\n",
                                  layout->input_names[k], k);
        }
    for (uint32_t k = 0; k < layout->output_count; k++)
        if (out[k]) {
            emit_begin_line(e);
            builder_append_format(e->out, "double *const %s%s = out[%u];\n", alone,
                                  layout->output_names[k], k);
        }
    if (e->home_count) {
        emit_begin_line(e);
        builder_append_format(e->out, "double *const %sw = run->frame + %u;\n", alone,
                              e->m->constant_count + e->m->slow_count);
    }
}

static void emit_declare(Emitter *e, uint32_t value)
{
    if (e->body->values[value].kind != CODE_TEMPORARY || !e->is_declared[value] || e->homes[value])
        return;
    emit_begin_line(e);
    builder_append_format(e->out, "%s r%u;\n", type_of(e, value), value);
    e->is_declared[value] = true;
}

static void emit_temporaries(Emitter *e, uint32_t begin, uint32_t end)
{
    DagMemo *seen = memo_take(e->m->dag);
    for (uint32_t i = begin; i < end; i++) {
        const CodeInstruction *in = &e->body->instructions[i];
        if (body_writes(in) && !memo_has(seen, in->d)) {
            memo_set(seen, in->d, 1);
            emit_declare(e, in->d);
        }
        if (in->op != CODE_CALL)
            continue;
        const uint32_t inputs = e->m->functions[e->body->lists[in->a]]->input_scalars;
        for (uint32_t k = inputs + 1; k < body_list_length(e->m, e->body, in->a); k++)
            if (e->body->lists[in->a + k] != CODE_NONE)
                emit_declare(e, e->body->lists[in->a + k]);
    }
    memo_give(seen);
}

static uint32_t chunk_end(const Emitter *e, uint32_t begin)
{
    uint32_t end = begin;
    while (end < e->body->instruction_count && e->chunks[end] == e->chunks[begin])
        end++;
    return end;
}

// What the first round finds where others find what the round before has made.
static void emit_beginnings(Emitter *e, const CodeLoop *loop)
{
    for (uint32_t k = 0; k < loop->length; k++) {
        const CodeInstruction *in = &e->body->instructions[loop->begin + k];
        for (uint32_t n = 0; n < body_operands(in); n++) {
            const uint32_t first = body_operand(in, n), second = body_operand(in + loop->length, n);
            if (loops_operand(&e->loops, loop, first, second) != LOOP_CARRIED)
                continue;
            emit_begin_line(e);
            builder_append_format(e->out, "w[%u] = ", e->homes[second] - 2);
            put_value(e, first);
            emit_put(e, ";\n");
        }
    }
}

// One piece of a loop. False: it has no instructions, there are no more.
static bool emit_piece(Emitter *e, const CodeLoop *loop, uint32_t piece)
{
    bool is_any = false;
    e->piece = piece;
    for (uint32_t k = loop->begin; k < loop->begin + loop->length; k++) {
        const CodeInstruction *in = &e->body->instructions[k];
        if (e->pieces[k] != piece)
            continue;
        if (!is_any) {
            emit_begin_line(e);
            builder_append_format(e->out, "for (long i = 0; i < %u; i++) {\n", loop->rounds);
            e->indent++;
            e->loop = loop;
        }
        is_any = true;
        emit_instruction(e, in);
        if (in->op == CODE_STORE || !e->homes[in->d])
            continue;
        emit_begin_line(e);
        builder_append_format(e->out, "w[%u + i] = r%u;\n", e->homes[in->d] - 1, in->d);
    }
    if (!is_any)
        return false;
    e->loop = NULL;
    e->indent--;
    put_line(e, "}");
    return true;
}

static void emit_loop(Emitter *e, const CodeLoop *loop)
{
    emit_beginnings(e, loop);
    for (uint32_t piece = 0; emit_piece(e, loop, piece);)
        piece++;
}

static void emit_instructions(Emitter *e, uint32_t begin, uint32_t end)
{
    emit_declarations(e, begin, end);
    emit_temporaries(e, begin, end);
    for (uint32_t i = begin; i < end;) {
        const uint32_t loop = e->loops.count ? e->loops.loop[i] : 0;
        if (!loop) {
            emit_instruction(e, &e->body->instructions[i++]);
            continue;
        }
        emit_loop(e, &e->loops.items[loop - 1]);
        i += e->loops.items[loop - 1].length * e->loops.items[loop - 1].rounds;
    }
    put_line(e, "return 0;");
}

static void emit_chunks(Emitter *e)
{
    for (uint32_t i = 0; i < e->body->instruction_count;) {
        if (e->chunks[i] == DRIVER) {
            i++;
            continue;
        }
        const uint32_t end = chunk_end(e, i);
        builder_append_format(e->out, "\n%s int %s%s_%u%s\n{\n", e->mark, e->prefix, e->body->name,
                              e->chunks[i], parameters);
        emit_instructions(e, i, end);
        emit_put(e, "}\n");
        i = end;
    }
}

static void emit_driver(Emitter *e)
{
    // Of inputs, it needs those that are conditions.
    emit_declarations(e, 0, e->body->instruction_count);
    for (uint32_t i = 0; i < e->body->instruction_count;) {
        if (e->chunks[i] == DRIVER) {
            emit_control(e, &e->body->instructions[i++]);
            continue;
        }
        emit_begin_line(e);
        builder_append_format(e->out, "if (%s%s_%u(in, out, run))\n", e->prefix, e->body->name,
                              e->chunks[i]);
        e->indent++;
        put_line(e, "return 1;");
        e->indent--;
        i = chunk_end(e, i);
    }
    put_line(e, "return 0;");
}

static Emitter begin_body(const CodeModule *m, const CodeBody *body, StringBuilder *out)
{
    Emitter e = {.m = m, .body = body, .out = out, .indent = 1, .mark = "static", .prefix = ""};
    e.chunks = ARENA_ARRAY(out->arena, body->instruction_count, uint32_t);
    e.homes = ARENA_ARRAY(out->arena, body->value_count, uint32_t);
    e.is_declared = ARENA_ARRAY(out->arena, body->value_count, bool);
    return e;
}

static void emit_body(Emitter e, const char *signature)
{
    const CodeModule *m = e.m;
    const CodeBody *body = e.body;
    StringBuilder *out = e.out;
    e.loops = loops_find(out->arena, body);
    cut(&e, 0, body->instruction_count);
    find_homes(&e);
    const bool is_cut = e.chunk_count > 1;
    if (is_cut)
        emit_chunks(&e);
    builder_append_format(out, "\n%s%s%s\n{\n", signature, body->name, parameters);
    if (m->function_count) {
        put_line(&e, "run->steps = 0;");
        put_line(&e, "run->depth = 0;");
    }
    if (m->site_count)
        put_line(&e, "run->moment.calls = 0;");
    if (is_cut)
        emit_driver(&e);
    else
        emit_instructions(&e, 0, body->instruction_count);
    emit_put(&e, "}\n");
}

void emit_entry(const CodeModule *m, const CodeBody *body, StringBuilder *out)
{
    emit_body(begin_body(m, body, out), "int saltus_");
}

void emit_entry_as(const CodeModule *m, uint32_t entry, const char *mark, const char *prefix,
                   StringBuilder *out)
{
    Emitter e = begin_body(m, m->entries[entry], out);
    StringBuilder signature = builder_create(out->arena);
    builder_append_format(&signature, "%s int %s", mark, prefix);
    e.mark = mark;
    e.prefix = prefix;
    emit_body(e, builder_string(&signature).text);
}

// ---------------------------------------------------------------------------
// Functions
// ---------------------------------------------------------------------------

static void emit_argument(Emitter *e, const CodeArgument *argument, uint32_t *next, bool is_input)
{
    const uint32_t size = argument->is_array ? e->body->arrays[argument->number].size : 1;
    for (uint32_t k = 0; k < size; k++, ++*next) {
        StringBuilder name = builder_create(e->out->arena);
        if (argument->is_array)
            builder_append_format(&name, "array%u[%u]", argument->number, k);
        else
            builder_append_format(&name, "v%u", argument->number);
        emit_begin_line(e);
        if (is_input)
            builder_append_format(e->out, "%s = a[%u];\n", builder_string(&name).text, *next);
        else
            builder_append_format(e->out, "q[%u] = %s;\n", *next, builder_string(&name).text);
    }
}

static void emit_table(Emitter *e, uint32_t number, const CodeArray *array)
{
    emit_begin_line(e);
    builder_append_format(e->out, "static const double array%u[%u] = {", number, array->size);
    for (uint32_t k = 0; k < array->size; k++) {
        emit_put(e, k ? ", " : "");
        put_number(e, array->table[k]);
    }
    emit_put(e, "};");
    emit_end_line(e, array->name);
}

static void emit_locals(Emitter *e)
{
    for (uint32_t v = 0; v < e->body->value_count; v++) {
        if (e->body->values[v].kind != CODE_LOCAL)
            continue;
        emit_begin_line(e);
        builder_append_format(e->out, "double v%u = NOT_A_NUMBER;", v);
        emit_end_line(e, e->body->values[v].name);
    }
    for (uint32_t i = 0; i < e->body->array_count; i++) {
        const CodeArray *array = &e->body->arrays[i];
        if (array->table) {
            emit_table(e, i, array);
            continue;
        }
        emit_begin_line(e);
        builder_append_format(e->out, "double array%u[%u];", i, array->size);
        emit_end_line(e, array->name);
        emit_begin_line(e);
        builder_append_format(e->out, "for (unsigned i = 0; i < %u; i++)\n", array->size);
        e->indent++;
        emit_begin_line(e);
        builder_append_format(e->out, "array%u[i] = NOT_A_NUMBER;\n", i);
        e->indent--;
    }
}

static void emit_signature(Emitter *e, uint32_t number, const char *after)
{
    builder_append_format(e->out, "static int f%u_", number);
    put_identifier(e, e->body->name);
    builder_append_format(e->out, "(const double *a, double *q, Run *run)%s", after);
}

// Fails beyond a bound.
static void emit_bound(Emitter *e, const char *count, unsigned most, uint32_t place)
{
    emit_begin_line(e);
    builder_append_format(e->out, "if (%s > %u)\n", count, most);
    e->indent++;
    emit_begin_line(e);
    emit_failure(e, place);
    e->indent--;
}

void emit_prototype(const CodeModule *m, uint32_t number, StringBuilder *out)
{
    Emitter e = {.m = m, .body = m->functions[number], .out = out};
    emit_signature(&e, number, ";\n");
}

void emit_function(const CodeModule *m, uint32_t number, StringBuilder *out)
{
    Emitter e = begin_body(m, m->functions[number], out);
    find_homes(&e);
    emit_signature(&e, number, "\n{\n");
    emit_locals(&e);
    emit_bound(&e, "run->depth", CODE_DEEPEST_CALL - 1, e.body->too_deep);
    emit_bound(&e, "++run->steps", CODE_MOST_STEPS, e.body->too_long);
    put_line(&e, "run->depth++;");
    uint32_t next = 0;
    for (uint32_t i = 0; i < e.body->input_count; i++)
        emit_argument(&e, &e.body->inputs[i], &next, true);
    emit_temporaries(&e, 0, e.body->instruction_count);
    for (uint32_t i = 0; i < e.body->instruction_count; i++)
        emit_instruction(&e, &e.body->instructions[i]);
    emit_put(&e, "done:\n");
    next = 0;
    for (uint32_t i = 0; i < e.body->result_count; i++)
        emit_argument(&e, &e.body->results[i], &next, false);
    put_line(&e, "run->depth--;");
    put_line(&e, "return 0;");
    emit_put(&e, "}\n");
}
