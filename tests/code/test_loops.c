// SPDX-License-Identifier: MIT
//
// Loops in emitted code: families of expressions that differ in the places of their operands, with
// operands that go up, down and in steps, that come from the round before or from another family,
// and with members that do not belong. What is emitted computes the bits of the interpreter, which
// knows no loops, and is short.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code/emit.h"
#include "code/interpret.h"
#include "code/loops.h"
#include "support/code.h"
#include "support/graph.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 150, VARIABLES = 3 * ROUNDS + 10, FAMILIES = 4 };

// Where a leaf is found in round i.
typedef enum LeafKind {
    LEAF_UP,
    LEAF_DOWN,
    LEAF_WIDE,
    LEAF_FIXED,
    LEAF_NUMBER,
    LEAF_BEFORE,
    LEAF_FAMILY,
    LEAF_KINDS
} LeafKind;

typedef struct Family {
    LeafKind leaves[4];
    uint32_t offsets[4];
    Operator operators[3];
    Node nodes[ROUNDS];
} Family;

static Node leaf(Dag *dag, const Family *all, uint32_t number, uint32_t which, uint32_t i)
{
    const Family *f = &all[number];
    const uint32_t offset = f->offsets[which];
    switch (f->leaves[which]) {
    case LEAF_UP:
        return dag_reference(dag, 1 + offset + i);
    case LEAF_DOWN:
        return dag_reference(dag, 1 + offset + ROUNDS - i);
    case LEAF_WIDE:
        return dag_reference(dag, 1 + offset + 2 * i);
    case LEAF_FIXED:
        return dag_reference(dag, 1 + offset);
    case LEAF_NUMBER:
        return dag_real(dag, 0.5 + offset);
    case LEAF_BEFORE: // the first round has something else
        return i ? f->nodes[i - 1] : dag_reference(dag, 1 + offset);
    default: // of another family; or, in the first one, itself
        return number ? all[number - 1].nodes[i > offset ? i - offset : 0]
                      : dag_reference(dag, 1 + offset + i);
    }
}

static Node member(Dag *dag, const Family *all, uint32_t number, uint32_t i)
{
    const Family *f = &all[number];
    Node node = leaf(dag, all, number, 0, i);
    for (uint32_t k = 0; k < 3; k++)
        node = dag_binary(dag, f->operators[k], node, leaf(dag, all, number, k + 1, i));
    return node;
}

static void draw_family(GraphRandom *r, Family *f)
{
    static const Operator operators[] = {OPERATOR_ADD, OPERATOR_SUBTRACT, OPERATOR_MULTIPLY,
                                         OPERATOR_DIVIDE};
    for (uint32_t k = 0; k < 4; k++) {
        f->leaves[k] = (LeafKind)graph_random(r, LEAF_KINDS);
        f->offsets[k] = graph_random(r, 5);
    }
    for (uint32_t k = 0; k < 3; k++)
        f->operators[k] = operators[graph_random(r, 4)];
}

// Families one after the other, or by turns; now and then a member of another kind.
static uint32_t draw_all(Dag *dag, GraphRandom *r, Family *families, Node *nodes)
{
    const bool by_turns = graph_random(r, 2);
    uint32_t count = 0;
    for (uint32_t k = 0; k < FAMILIES; k++)
        draw_family(r, &families[k]);
    for (uint32_t n = 0; n < FAMILIES * ROUNDS; n++) {
        const uint32_t k = by_turns ? n % FAMILIES : n / ROUNDS;
        const uint32_t i = by_turns ? n / FAMILIES : n % ROUNDS;
        Node node = member(dag, families, k, i);
        if (graph_random(r, 60) == 0)
            node = dag_unary(dag, OPERATOR_NEGATE, node);
        families[k].nodes[i] = node;
        nodes[count++] = node;
    }
    return count;
}

static void compare_all(const Harness *h, const Dag *dag, uint32_t count, GraphRandom *r)
{
    GraphValues v = graph_values(dag, 0);
    double *by_interpreter = calloc(count, sizeof *by_interpreter);
    double *by_c = calloc(count, sizeof *by_c);
    const CodeFunction native = native_entry(h->native, 0);
    for (int point = 0; point < 3; point++) {
        for (uint32_t k = 0; k < VARIABLES; k++)
            v.scalars[k] = graph_random_real(r, 0.5, 2.0);
        const double *const in[] = {v.scalars, NULL};
        double *out[] = {by_interpreter};
        assert_int_equal(interpret(h->module, 0, in, out, harness_run(h)), 0);
        out[0] = by_c;
        if (native)
            assert_int_equal(native(in, out, harness_run(h)), 0);
        for (uint32_t k = 0; k < count; k++)
            if (native && !same_bits(by_interpreter[k], by_c[k]))
                fail_msg("output %u is %a, by C %a", k, by_interpreter[k], by_c[k]);
    }
    free(by_c);
    free(by_interpreter);
}

static Dag *with_variables(Arena *arena, uint32_t count)
{
    Dag *dag = dag_create(arena);
    for (uint32_t k = 1; k < count; k++)
        dag_add_variable(dag, "v", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
    return dag;
}

static void families_agree(void **state)
{
    (void)state;
    double loops = 0.0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        Arena *arena = arena_create(NULL);
        Dag *dag = with_variables(arena, VARIABLES);
        GraphRandom r = {seed};
        Family *families = ARENA_ARRAY(arena, FAMILIES, Family);
        Node *nodes = ARENA_ARRAY(arena, FAMILIES * ROUNDS, Node);
        const uint32_t count = draw_all(dag, &r, families, nodes);
        CodeOutput *outputs = ARENA_ARRAY(arena, count, CodeOutput);
        for (uint32_t k = 0; k < count; k++) // in either direction
            outputs[k] = (CodeOutput){0, seed % 2 ? k : count - 1 - k, nodes[k]};
        Harness h = harness_begin(dag, 1);
        harness_add(&h, "all", outputs, count, false);
        harness_finish(&h);
        compare_all(&h, dag, count, &r);
        loops += loops_find(arena, h.module->entries[0]).count;
        harness_end(&h);
        arena_destroy(arena);
    }
    assert_true(loops > 100.0); // the test would be empty without
}

// z[i] = sin(z[i-1])*cos(z[i-1]), but z[0] = sin(a)*cos(b): what a round takes from the one before
// is one value, except in the first one, which is no round then.
static void two_beginnings(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = with_variables(arena, VARIABLES);
    Node a = dag_reference(dag, 1), b = dag_reference(dag, 2);
    for (uint32_t i = 0; i < ROUNDS; i++)
        a = b = dag_multiply(dag, dag_unary(dag, OPERATOR_SIN, a), dag_unary(dag, OPERATOR_COS, b));
    const CodeOutput output = {0, 0, a};
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "two", &output, 1, false);
    harness_finish(&h);
    compare_all(&h, dag, 1, &(GraphRandom){1});
    const CodeLoops loops = loops_find(arena, h.module->entries[0]);
    assert_int_equal(loops.count, 1);
    assert_int_equal(loops.items[0].rounds, ROUNDS - 1);
    harness_end(&h);
    arena_destroy(arena);
}

// x'[i] = (x[i-1] - x[i])/r - (x[i] - x[i+1])/r: one loop, however long, and the ends.
static void a_chain_is_one_loop(void **state)
{
    (void)state;
    enum { LENGTH = 2000 };
    Arena *arena = arena_create(NULL);
    Dag *dag = with_variables(arena, LENGTH + 4);
    CodeOutput *outputs = ARENA_ARRAY(arena, LENGTH, CodeOutput);
    const Node r = dag_reference(dag, LENGTH + 3);
    for (uint32_t i = 0; i < LENGTH; i++) {
        const Node x[] = {dag_reference(dag, i + 1), dag_reference(dag, i + 2),
                          dag_reference(dag, i + 3)};
        outputs[i] =
            (CodeOutput){0, i,
                         dag_subtract(dag, dag_divide(dag, dag_subtract(dag, x[0], x[1]), r),
                                      dag_divide(dag, dag_subtract(dag, x[1], x[2]), r))};
    }
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "chain", outputs, LENGTH, false);
    code_finish(h.module);
    const CodeLoops loops = loops_find(arena, h.module->entries[0]);
    assert_int_equal(loops.count, 1);
    assert_int_equal(loops.items[0].length, 4); // difference, quotient, difference, store
    assert_true(loops.items[0].rounds >= LENGTH - 2);
    assert_true(loops_emitted_length(h.module) < 20.0);
    StringBuilder text = builder_create(arena);
    emit_module(h.module, NULL, &text);
    const char *function = strstr(builder_string(&text).text, "int saltus_chain");
    assert_non_null(function);
    assert_true(strlen(function) < 2000);
    // Quotients are made in a piece of their own, before two of them are subtracted: so both pieces
    // become vectors.
    int pieces = 0;
    for (const char *at = function; (at = strstr(at, "for (long i")) != NULL; at++)
        pieces++;
    assert_int_equal(pieces, 2);
    arena_destroy(arena);
}

// What all rounds divide by is computed only if a condition holds: the loop behind it is found.
static void a_chain_behind_a_guard_is_a_loop(void **state)
{
    (void)state;
    enum { LENGTH = 400 };
    Arena *arena = arena_create(NULL);
    Dag *dag = with_variables(arena, LENGTH + 4);
    CodeOutput outputs[LENGTH];
    const Node first = dag_reference(dag, 1), last = dag_reference(dag, LENGTH + 3);
    const Node guarded = dag_if(dag, dag_binary(dag, OPERATOR_GREATER, last, first),
                                dag_unary(dag, OPERATOR_LOG, last), first);
    for (uint32_t i = 0; i < LENGTH; i++)
        outputs[i] = (CodeOutput){0, i, dag_divide(dag, dag_reference(dag, i + 1), guarded)};
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "guarded", outputs, LENGTH, false);
    code_finish(h.module);
    const CodeBody *body = h.module->entries[0];
    uint32_t guards = 0;
    for (uint32_t i = 0; i < body->instruction_count; i++)
        guards += body->instructions[i].op == CODE_GUARD;
    assert_true(guards > 0);
    const CodeLoops loops = loops_find(arena, body);
    assert_int_equal(loops.count, 1);
    assert_true(loops.items[0].rounds >= LENGTH - 2);
    arena_destroy(arena);
}

// Short code stays as it is: one can read it line by line.
static void short_code_has_no_loops(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = with_variables(arena, 51);
    CodeOutput outputs[50];
    for (uint32_t i = 0; i < 50; i++)
        outputs[i] = (CodeOutput){0, i, dag_negate(dag, dag_reference(dag, i + 1))};
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "short", outputs, 50, false);
    code_finish(h.module);
    assert_int_equal(loops_find(arena, h.module->entries[0]).count, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_agree), cmocka_unit_test(two_beginnings),
        cmocka_unit_test(a_chain_is_one_loop), cmocka_unit_test(a_chain_behind_a_guard_is_a_loop),
        cmocka_unit_test(short_code_has_no_loops)};
    return cmocka_run_group_tests(tests, harness_make_cache, harness_remove_cache);
}
