// SPDX-License-Identifier: MIT
//
// Graphs and matchings. The oracle is Berge's recursive search for augmenting paths.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/matching.h"
#include "support/signatures.h"

#include <string.h>

enum { MOST = 12 };

static int setup(void **state)
{
    *state = arena_create(NULL);
    return 0;
}

static int teardown(void **state)
{
    arena_destroy(*state);
    return 0;
}

// A random graph with edges of the given probability in percent.
static Graph random_graph(Arena *arena, Random *random, uint32_t rows, uint32_t columns,
                          uint32_t percent)
{
    uint32_t *start = ARENA_ARRAY(arena, rows + 1u, uint32_t);
    uint32_t *edges = ARENA_ARRAY(arena, rows * columns, uint32_t);
    uint32_t count = 0;
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t c = 0; c < columns; c++) {
            if (random_below(random, 100) < percent)
                edges[count++] = c;
        }
        start[r + 1] = count;
    }
    return (Graph){rows, columns, start, edges};
}

static bool is_edge(const Graph *g, uint32_t row, uint32_t column)
{
    for (uint32_t e = g->start[row]; e < g->start[row + 1]; e++) {
        if (g->columns[e] == column)
            return true;
    }
    return false;
}

static bool oracle_augment(const Graph *g, uint32_t row, uint32_t *row_of, bool *seen)
{
    for (uint32_t e = g->start[row]; e < g->start[row + 1]; e++) {
        uint32_t c = g->columns[e];
        if (seen[c])
            continue;
        seen[c] = true;
        if (row_of[c] == GRAPH_NONE || oracle_augment(g, row_of[c], row_of, seen)) {
            row_of[c] = row;
            return true;
        }
    }
    return false;
}

// The size of a maximum matching of the rows that are in `rows`.
static uint32_t oracle_size(const Graph *g, uint32_t rows)
{
    uint32_t row_of[MOST], size = 0;
    for (uint32_t c = 0; c < g->column_count; c++)
        row_of[c] = GRAPH_NONE;
    for (uint32_t r = 0; r < g->row_count; r++) {
        bool seen[MOST] = {false};
        if (rows >> r & 1u)
            size += oracle_augment(g, r, row_of, seen);
    }
    return size;
}

static void check_matching(const Graph *g, const Matching *m)
{
    uint32_t size = 0;
    for (uint32_t r = 0; r < g->row_count; r++) {
        if (m->column_of[r] == GRAPH_NONE)
            continue;
        assert_true(is_edge(g, r, m->column_of[r]));
        assert_int_equal(m->row_of[m->column_of[r]], r);
        size++;
    }
    for (uint32_t c = 0; c < g->column_count; c++) {
        if (m->row_of[c] != GRAPH_NONE)
            assert_int_equal(m->column_of[m->row_of[c]], c);
    }
    assert_int_equal(size, m->size);
}

static void matchings_are_maximum(void **state)
{
    Arena *arena = *state;
    Random random = {1};
    for (int n = 0; n < 5000; n++) {
        ArenaMark mark = arena_mark(arena);
        uint32_t rows = 1 + random_below(&random, MOST), columns = 1 + random_below(&random, MOST);
        Graph g = random_graph(arena, &random, rows, columns, 5 + random_below(&random, 40));
        Matching m = matching_empty(arena, rows, columns);
        matching_maximum(arena, &g, &m);
        check_matching(&g, &m);
        assert_int_equal(m.size, oracle_size(&g, ~0u));
        arena_release(arena, mark);
    }
}

// As many of the first class as alone, and as many of both as without classes.
static void classes_are_served_in_order(void **state)
{
    Arena *arena = *state;
    Random random = {2};
    for (int n = 0; n < 3000; n++) {
        ArenaMark mark = arena_mark(arena);
        uint32_t size = 2 + random_below(&random, MOST - 2), split = random_below(&random, size);
        Graph g = random_graph(arena, &random, size, size, 5 + random_below(&random, 30));
        Matching m = matching_empty(arena, size, size);
        uint32_t rows[MOST], first = 0;
        for (uint32_t r = 0; r < size; r++)
            rows[r] = r;
        matching_extend(arena, &g, rows, split, &m);
        assert_int_equal(m.size, oracle_size(&g, (1u << split) - 1u));
        matching_extend(arena, &g, rows + split, size - split, &m);
        for (uint32_t r = 0; r < split; r++)
            first += m.column_of[r] != GRAPH_NONE;
        assert_int_equal(first, oracle_size(&g, (1u << split) - 1u));
        assert_int_equal(m.size, oracle_size(&g, ~0u));
        check_matching(&g, &m);
        arena_release(arena, mark);
    }
}

// A row is over-determined if and only if it can be left out without loss.
static void parts_are_what_can_be_left_out(void **state)
{
    Arena *arena = *state;
    Random random = {3};
    for (int n = 0; n < 2000; n++) {
        ArenaMark mark = arena_mark(arena);
        uint32_t rows = 1 + random_below(&random, MOST), columns = 1 + random_below(&random, MOST);
        Graph g = random_graph(arena, &random, rows, columns, 5 + random_below(&random, 40));
        Graph t = graph_transpose(arena, &g);
        Matching m = matching_empty(arena, rows, columns);
        matching_maximum(arena, &g, &m);
        MatchingParts parts = matching_parts(arena, &g, &m);
        for (uint32_t r = 0; r < rows; r++) {
            bool can_go = oracle_size(&g, ~(1u << r)) == m.size;
            assert_int_equal(parts.of_row[r] == MATCHING_OVER, can_go);
        }
        for (uint32_t c = 0; c < columns; c++) {
            bool can_go = oracle_size(&t, ~(1u << c)) == m.size;
            assert_int_equal(parts.of_column[c] == MATCHING_UNDER, can_go);
        }
        assert_int_equal(parts.surplus_rows, rows - m.size);
        assert_int_equal(parts.surplus_columns, columns - m.size);
        arena_release(arena, mark);
    }
}

static void transposition_is_its_own_inverse(void **state)
{
    Arena *arena = *state;
    Random random = {4};
    Graph g = random_graph(arena, &random, 9, 5, 40);
    Graph t = graph_transpose(arena, &g), back = graph_transpose(arena, &t);
    assert_int_equal(back.row_count, 9);
    assert_int_equal(t.row_count, 5);
    assert_memory_equal(back.start, g.start, 10 * sizeof *g.start);
    assert_memory_equal(back.columns, g.columns, g.start[9] * sizeof *g.columns);
}

// Three parts: rows 0 and 2 with columns 1 and 3, row 1 with column 0, column 2 alone.
static void components_are_numbered_by_first_row(void **state)
{
    const uint32_t start[] = {0, 2, 3, 4}, edges[] = {1, 3, 0, 3};
    uint32_t of_row[3], of_column[4];
    Graph g = {3, 4, start, edges};
    assert_int_equal(graph_components(*state, &g, of_row, of_column), 3);
    const uint32_t rows[] = {0, 1, 0}, columns[] = {1, 0, 2, 0};
    assert_memory_equal(of_row, rows, sizeof rows);
    assert_memory_equal(of_column, columns, sizeof columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(matchings_are_maximum, setup, teardown),
        cmocka_unit_test_setup_teardown(classes_are_served_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(parts_are_what_can_be_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(transposition_is_its_own_inverse, setup, teardown),
        cmocka_unit_test_setup_teardown(components_are_numbered_by_first_row, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/matching", tests, NULL, NULL);
}
