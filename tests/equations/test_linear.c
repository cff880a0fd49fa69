// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equations/alias.h"
#include "equations/linear.h"
#include "equations/print.h"
#include "support/graph.h"

#include <math.h>

typedef struct Fixture {
    Arena *arena;
    Dag *dag;
    Node x, y, z, w, p, b;
    DagMemo *set;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_create(NULL)};
    Dag *d = f.dag = dag_create(f.arena);
    f.x = dag_reference(d, dag_add_variable(d, "x", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.y = dag_reference(d, dag_add_variable(d, "y", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.z = dag_reference(d, dag_add_variable(d, "z", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.w = dag_reference(d, dag_add_variable(d, "w", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.p = dag_reference(d, dag_add_variable(d, "p", DAG_PLAIN, DAG_REAL, DAG_PARAMETER));
    f.b = dag_reference(d, dag_add_variable(d, "b", DAG_PLAIN, DAG_BOOLEAN, DAG_DISCRETE));
    f.set = memo_take(d);
    memo_set(f.set, dag_get(d, f.x)->number, 0);
    memo_set(f.set, dag_get(d, f.y)->number, 0);
    return f;
}

static void end(Fixture *f)
{
    arena_destroy(f->arena);
}

static uint32_t variable_of(const Fixture *f, Node node)
{
    return dag_get(f->dag, node)->number;
}

// "x: ..., y: ..., rest ..."; "" if it is not linear in x and y
static const char *form_text(Fixture *f, Node e)
{
    LinearForm form;
    StringBuilder b = builder_create(f->arena);
    if (!linear_extract(f->dag, f->dag->arena, e, f->set, &form))
        return "";
    for (uint32_t i = 0; i < form.count; i++) {
        builder_append_format(&b, "%s: ", f->dag->variables[form.terms[i].variable].name);
        print_node(f->dag, form.terms[i].value, &b);
        builder_append_text(&b, ", ");
    }
    builder_append_text(&b, "rest ");
    print_node(f->dag, form.rest, &b);
    return builder_string(&b).text;
}

static void coefficients_are_extracted(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node x = f.x, y = f.y, z = f.z, p = f.p;
    const Node two = d->two, sine = dag_unary(d, OPERATOR_SIN, z);
    assert_string_equal(form_text(&f, dag_add(d, dag_multiply(d, two, x), dag_subtract(d, z, y))),
                        "x: 2.0, y: -1.0, rest z");
    assert_string_equal(form_text(&f, dag_multiply(d, dag_add(d, x, sine), p)),
                        "x: p, rest p * sin(z)");
    assert_string_equal(form_text(&f, dag_divide(d, dag_negate(d, x), p)),
                        "x: (-1.0) / p, rest 0.0");
    assert_string_equal(form_text(&f, dag_add(d, dag_multiply(d, x, z), x)),
                        "x: 1.0 + z, rest 0.0");
    assert_string_equal(form_text(&f, sine), "rest sin(z)");
    assert_string_equal(form_text(&f, dag_if(d, f.b, dag_multiply(d, two, x), dag_add(d, y, z))),
                        "x: if b then 2.0 else 0.0, y: if b then 0.0 else 1.0, rest if b then 0.0 "
                        "else z");
    // What is held is known.
    const Node held = dag_hold(d, dag_binary(d, OPERATOR_LESS, x, y));
    assert_string_equal(form_text(&f, dag_if(d, held, x, y)),
                        "x: if x < y then 1.0 else 0.0, y: if x < y then 0.0 else 1.0, rest 0.0");
    end(&f);
}

static void what_is_not_linear_is_refused(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    assert_string_equal(form_text(&f, dag_multiply(d, f.x, f.y)), "");
    assert_string_equal(form_text(&f, dag_divide(d, f.z, f.x)), "");
    assert_string_equal(form_text(&f, dag_unary(d, OPERATOR_SIN, f.x)), "");
    assert_string_equal(form_text(&f, dag_multiply(d, f.x, f.x)), "");
    const Node silent = dag_binary(d, OPERATOR_LESS, f.x, f.z);
    assert_string_equal(form_text(&f, dag_if(d, silent, f.z, f.w)), "");
    end(&f);
}

// A random combination of x and y is found again: exactly, since all numbers are small integers.
static Node random_linear(Dag *d, GraphRandom *r, int depth)
{
    if (depth == 0) {
        static const uint32_t leaves[] = {1, 2, 3, 4};
        return graph_random(r, 3) ? dag_reference(d, leaves[graph_random(r, 4)])
                                  : dag_real(d, (double)graph_random(r, 9) - 4.0);
    }
    const Node a = random_linear(d, r, depth - 1), b = random_linear(d, r, depth - 1);
    const Node c = dag_real(d, (double)graph_random(r, 7) - 3.0);
    switch (graph_random(r, 5)) {
    case 0:
        return dag_add(d, a, b);
    case 1:
        return dag_subtract(d, a, b);
    case 2:
        return dag_negate(d, a);
    case 3:
        return dag_multiply(d, c, a);
    default:
        return dag_if(d, dag_reference(d, 6), a, b);
    }
}

static void random_forms_have_the_same_values(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Fixture f = begin();
        Dag *d = f.dag;
        GraphRandom r = {seed};
        const Node e = random_linear(d, &r, 5);
        LinearForm form;
        assert_true(linear_extract(d, d->arena, e, f.set, &form));
        GraphValues v = graph_values(d, 0);
        for (int point = 0; point < 4; point++) {
            for (uint32_t k = 1; k <= 4; k++)
                v.scalars[k] = (double)graph_random(&r, 21) - 10.0;
            v.scalars[6] = graph_random(&r, 2);
            double sum = graph_evaluate(d, form.rest, &v);
            for (uint32_t i = 0; i < form.count; i++) {
                assert_false(walk_depends(d, form.terms[i].value, f.set));
                sum +=
                    graph_evaluate(d, form.terms[i].value, &v) * v.scalars[form.terms[i].variable];
            }
            assert_false(walk_depends(d, form.rest, f.set));
            assert_true(sum == graph_evaluate(d, e, &v));
        }
        end(&f);
    }
}

static void assert_solution(Fixture *f, Node left, Node right, Node v, const char *text,
                            const char *divisor)
{
    Node coefficient;
    const Node solution = linear_solve(f->dag, left, right, variable_of(f, v), &coefficient);
    assert_string_equal(solution == NODE_NONE ? "" : print_text(f->dag, solution), text);
    assert_string_equal(coefficient == NODE_NONE ? "" : print_text(f->dag, coefficient), divisor);
}

static void equations_are_solved(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    assert_solution(&f, f.x, dag_add(d, f.y, f.z), f.x, "y + z", "");
    assert_solution(&f, f.x, dag_add(d, f.y, f.z), f.y, "x - z", "");
    assert_solution(&f, d->zero, dag_add(d, f.y, f.z), f.y, "-z", "");
    assert_solution(&f, dag_multiply(d, f.p, f.x), f.z, f.x, "z / p", "p");
    assert_solution(&f, f.w, dag_divide(d, f.x, dag_real(d, 4.0)), f.x, "w / 0.25", "");
    assert_solution(&f, f.w, dag_multiply(d, f.y, f.x), f.x, "w / y", "-y");
    assert_solution(&f, f.w, dag_unary(d, OPERATOR_SIN, f.x), f.x, "", "");
    assert_solution(&f, dag_add(d, f.x, f.y), dag_add(d, f.x, f.z), f.x, "", "");
    end(&f);
}

// ---- occurrences --------------------------------------------------------------------------------

static const char *occurrence_text(Fixture *f, Node e)
{
    static const char *const names[] = {"unit", "constant", "parameter", "linear", "nonlinear"};
    WalkOccurrence *list;
    const uint32_t count = walk_occurrences(f->dag, f->dag->arena, e, NULL, &list);
    StringBuilder b = builder_create(f->arena);
    for (uint32_t i = 0; i < count; i++)
        builder_append_format(&b, "%s%s %s", i ? ", " : "",
                              f->dag->variables[list[i].variable].name, names[list[i].incidence]);
    return builder_string(&b).text;
}

static void occurrences_are_classified(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node x = f.x, y = f.y, z = f.z, p = f.p, two = d->two;
    assert_string_equal(occurrence_text(&f, dag_subtract(d, x, y)), "x unit, y unit");
    assert_string_equal(
        occurrence_text(&f, dag_add(d, dag_multiply(d, two, x), dag_divide(d, y, p))),
        "x constant, y parameter");
    assert_string_equal(occurrence_text(&f, dag_add(d, dag_multiply(d, x, y), dag_time(d))),
                        "x linear, y linear");
    assert_string_equal(occurrence_text(&f, dag_multiply(d, x, dag_add(d, x, y))),
                        "x nonlinear, y linear");
    assert_string_equal(occurrence_text(&f, dag_divide(d, x, y)), "x linear, y nonlinear");
    assert_string_equal(occurrence_text(&f, dag_add(d, dag_unary(d, OPERATOR_SIN, x), z)),
                        "x nonlinear, z unit");
    assert_string_equal(occurrence_text(&f, dag_add(d, dag_add(d, x, y), x)), "x constant, y unit");
    assert_string_equal(occurrence_text(&f, dag_subtract(d, dag_add(d, x, y), x)), "y unit");
    assert_string_equal(occurrence_text(&f, dag_if(d, f.b, x, dag_multiply(d, two, x))),
                        "x linear");
    const Node held = dag_hold(d, dag_binary(d, OPERATOR_LESS, z, two));
    assert_string_equal(occurrence_text(&f, dag_if(d, held, x, y)), "x linear, y linear");
    const Node silent = dag_binary(d, OPERATOR_LESS, z, two);
    assert_string_equal(occurrence_text(&f, dag_if(d, silent, x, y)),
                        "x linear, y linear, z nonlinear");
    end(&f);
}

// ---- aliases ------------------------------------------------------------------------------------

enum { VARIABLES = 7 };

static const char *alias_text(Fixture *f, const AliasTable *t)
{
    StringBuilder b = builder_create(f->arena);
    for (uint32_t v = 1; v < t->variable_count; v++) {
        const Alias *a = &t->aliases[v];
        const char *name = f->dag->variables[v].name;
        if (a->kind == ALIAS_VARIABLE)
            builder_append_format(&b, "%s = %s%s; ", name, a->sign < 0 ? "-" : "",
                                  f->dag->variables[a->target].name);
        else if (a->kind == ALIAS_VALUE)
            builder_append_format(&b, "%s = %s; ", name, print_text(f->dag, a->value));
    }
    return builder_string(&b).text;
}

static void aliases_are_found(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const int ranks[] = {-1, 0, 0, 0, 5, 0, 0};
    const DagEquation equations[] = {
        {f.x, f.y},
        {d->zero, dag_add(d, f.y, f.w)},
        {f.z, dag_multiply(d, f.x, f.y)},
        {f.x, dag_negate(d, f.w)},
    };
    const AliasTable t = alias_find(d, 4, equations, ranks);
    assert_string_equal(alias_text(&f, &t), "x = -w; y = -w; ");
    assert_int_equal(t.uses[0], ALIAS_USED);
    assert_int_equal(t.uses[1], ALIAS_USED);
    assert_int_equal(t.uses[2], ALIAS_KEPT);
    assert_int_equal(t.uses[3], ALIAS_REDUNDANT);
    assert_int_equal(t.used_count, 2);
    DagMemo *map = memo_take(d);
    alias_map(d, &t, map);
    assert_string_equal(print_text(d, walk_substitute(d, equations[2].right, map)), "w^2");
    memo_give(map);
    end(&f);
}

static void constants_and_contradictions_are_found(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const int ranks[VARIABLES] = {0};
    const DagEquation equations[] = {
        {f.x, dag_multiply(d, d->two, f.p)},
        {f.y, dag_negate(d, f.x)},
        {f.z, dag_real(d, 3.0)},
        {dag_real(d, 4.0), f.z},
        {f.w, dag_negate(d, f.w)},
        {f.z, dag_real(d, 3.0)},
    };
    const AliasTable t = alias_find(d, 6, equations, ranks);
    assert_string_equal(alias_text(&f, &t), "x = 2.0 * p; y = (-2.0) * p; z = 3.0; w = 0.0; ");
    assert_int_equal(t.uses[3], ALIAS_CONTRADICTION);
    assert_int_equal(t.uses[4], ALIAS_USED);
    assert_int_equal(t.uses[5], ALIAS_REDUNDANT);
    end(&f);
}

static void derivatives_of_aliases_are_aliases(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const uint32_t y = variable_of(&f, f.y), z = variable_of(&f, f.z);
    dag_derivative_variable(d, dag_derivative_variable(d, y));
    dag_derivative_variable(d, z);
    const int ranks[VARIABLES + 3] = {0};
    const DagEquation equations[] = {{f.y, dag_negate(d, f.x)}, {f.z, d->one}};
    const AliasTable t = alias_find(d, 2, equations, ranks);
    assert_string_equal(alias_text(&f, &t), "y = -x; z = 1.0; der(y) = -der(x); "
                                            "der(der(y)) = -der(der(x)); der(z) = 0.0; ");
    end(&f);
}

static void random_aliases_have_the_same_solutions(void **state)
{
    (void)state;
    enum { COUNT = 30 };
    for (uint64_t seed = 1; seed <= 100; seed++) {
        Arena *arena = arena_create(NULL);
        Dag *d = dag_create(arena);
        GraphRandom r = {seed};
        double values[COUNT + 1] = {0};
        int ranks[COUNT + 1] = {0};
        for (uint32_t k = 1; k <= COUNT; k++) {
            dag_add_variable(d, "v", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
            values[k] = (graph_random(&r, 2) ? 1.0 : -1.0) * (1.0 + graph_random(&r, 3));
            ranks[k] = (int)graph_random(&r, 3);
        }
        DagEquation equations[COUNT];
        uint32_t count = 0;
        while (count < COUNT / 2) { // equations that the values satisfy
            const uint32_t a = 1 + graph_random(&r, COUNT), b = 1 + graph_random(&r, COUNT);
            if (a == b || fabs(values[a]) != fabs(values[b]))
                continue;
            const Node right = dag_reference(d, b);
            equations[count++] = (DagEquation){
                dag_reference(d, a), values[a] == values[b] ? right : dag_negate(d, right)};
        }
        const AliasTable t = alias_find(d, count, equations, ranks);
        uint32_t eliminated = 0;
        for (uint32_t k = 1; k <= COUNT; k++) {
            const Alias *a = &t.aliases[k];
            eliminated += a->kind == ALIAS_VARIABLE;
            assert_true(a->kind != ALIAS_VALUE);
            assert_true(values[k] == a->sign * values[a->target]);
            assert_true(ranks[a->target] >= ranks[k]);
            assert_int_equal(t.aliases[a->target].kind, ALIAS_NONE);
        }
        assert_int_equal(eliminated, t.used_count);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_are_extracted),
        cmocka_unit_test(what_is_not_linear_is_refused),
        cmocka_unit_test(random_forms_have_the_same_values),
        cmocka_unit_test(equations_are_solved),
        cmocka_unit_test(occurrences_are_classified),
        cmocka_unit_test(aliases_are_found),
        cmocka_unit_test(constants_and_contradictions_are_found),
        cmocka_unit_test(derivatives_of_aliases_are_aliases),
        cmocka_unit_test(random_aliases_have_the_same_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
