// SPDX-License-Identifier: MIT
//
// saltus events: what acts on what, found in the text of the model.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "results/json.h"

#include <stdio.h>
#include <string.h>

static void classes(void **state)
{
    (void)state;
    // One relation, one action: the class is what the action changes.
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"Real x(start=1), v; equation der(x) = v; v = -1; when x <= 0 then reinit(x, 1); end "
         "when;",
         "\nx <= 0.0,x,falling,SE-X,\"reinit(x, 1.0)\",m.mo,1\n"},
        {"Real x(start=1); discrete Real k; equation der(x) = -k; "
         "when x < 0.5 then k = 2; end when;",
         "\nx < 0.5,x - 0.5,falling,SE-P,k = 2.0,m.mo,1\n"},
        // nothing depends on k: it only records
        {"Real x(start=1); discrete Real k; equation der(x) = -1; "
         "when x < 0.5 then k = 2; end when;",
         "\nx < 0.5,x - 0.5,falling,SE-O,k = 2.0,m.mo,1\n"},
        {"Real x(start=1); equation der(x) = if x > 0.5 then -1 else -2;",
         "\nx > 0.5,x - 0.5,both,SE-F,der(x) = if x > 0.5 then -1.0 else -2.0,m.mo,1\n"},
        {"Real x(start=1); equation der(x) = if noEvent(x > 0.5) then -1 else -2;",
         "class,action,file,line\n"},
        {"Real x(start=1); equation der(x) = if time > 1 then -1 else -2;",
         "\ntime > 1.0,time - 1.0,time,SE-I,"},
        {"Real x(start=1), y; equation der(x) = 1; if x > 2 then der(y) = 1; else y = 0; end if;",
         "\nx > 2.0,x - 2.0,both,SE-S,other equations hold,"},
        {"Real x(start=1), y; equation der(x) = 1; if x > 2 then y = 1; else y = 0; end if;",
         "\nx > 2.0,x - 2.0,both,SE-F,other equations hold,"},
        {"Real x(start=1); Integer n(start=0); equation der(x) = 1; "
         "when sample(0, 0.1) then n = pre(n) + 1; end when;",
         "\n\"sample(0.0, 0.1)\",,time,SE-O,n = pre(n) + 1,"},
        {"Real x(start=1); equation der(x) = 1; when x > 3 then terminate(\"far\"); end when;",
         "\nx > 3.0,x - 3.0,rising,SE-O,"},
        // not(x > 2) becomes true where x falls
        {"Real x(start=1); equation der(x) = 1; when not x > 2 then reinit(x, 3); end when;",
         "\nx > 2.0,x - 2.0,falling,SE-X,"},
        // through a Boolean, two steps far
        {"Real x(start=1); Boolean b = x > 2; Boolean c = not b; equation der(x) = 1; "
         "when c then reinit(x, 3); end when;",
         "\nx > 2.0,x - 2.0,both,SE-P+SE-X,"},
        {"Real x(start=1); equation der(x) = 1; assert(x < 2, \"far\");",
         "\nx < 2.0,x - 2.0,both,SE-O,assert,"},
        {"Real x(start=1); Real y = floor(x); equation der(x) = 1;",
         "\nfloor(x),floor(x),both,SE-F,y = floor(x),"},
        // in algorithms: the condition of a when rises, one inside of it goes both ways
        {"Real x(start=1); Integer n(start=0); equation der(x) = 1; algorithm "
         "when x > 2 then n := n + 1; if x > 3 then n := 0; end if; end when;",
         "\nx > 2.0,x - 2.0,rising,SE-O,when x > 2.0 then"},
        {"Real x(start=1); Integer n(start=0); equation der(x) = 1; algorithm "
         "when x > 2 then n := n + 1; if x > 3 then n := 0; end if; end when;",
         "\nx > 3.0,x - 3.0,both,SE-O,"},
        {"Real x(start=1); Integer n(start=0); equation der(x) = 1; algorithm "
         "when x > 2 then n := 1; elsewhen x > 4 then n := 2; end when;",
         "\nx > 4.0,x - 4.0,rising,SE-O,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, "model M %s end M;", cases[i].text);
        command_write("m.mo", text);
        command_expect("events --csv m.mo 2>/dev/null", 0, cases[i].expected);
    }
}

static void machines(void **state)
{
    (void)state;
    command_write("machine.mo",
                  "model Machine block A end A; A a, b; Real x(start = 0, fixed = true); equation "
                  "der(x) = 1; initialState(a); transition(a, b, x > 0.5, immediate = false); "
                  "end Machine;");
    command_expect("events machine.mo 2>&1", 0,
                   "machine.mo:1: x > 0.5\n    SE-F, rising, event function x - 0.5\n    a -> b\n");
}

// The number of equations with derivatives is the same; the constraint takes a state away.
static void structure(void **state)
{
    (void)state;
    command_write("clutch.mo",
                  "model Clutch Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), f; "
                  "equation der(w1) = -f; der(w2) = f; "
                  "if time > 1 then w1 = w2; else f = 0; end if; end Clutch;");
    command_expect("events --csv clutch.mo 2>/dev/null", 0, ",time,SE-S,other equations hold,");
    command_write(
        "two.mo",
        "model Two block A outer output Real x; equation der(x) = 1; end A; block B outer "
        "output Real x; equation der(x) = -1; end B; inner Real x(start = 0); A a; B b; "
        "equation initialState(a); transition(a, b, x > 1); transition(b, a, x < 0); "
        "end Two;");
    command_expect("events --csv two.mo 2>/dev/null", 0, "rising,SE-F,a -> b,");
    // A state with a method of its own changes the algorithm.
    command_write("method.mo",
                  "model Method block A outer output Real x; equation der(x) = 1; end A; block B "
                  "outer output Real x; equation der(x) = -1; annotation(__Saltus(solver = "
                  "\"rodas\")); end B; inner Real x(start = 0); A a; B b; equation "
                  "initialState(a); transition(a, b, x > 1); end Method;");
    command_expect("events --csv method.mo 2>/dev/null", 0, "rising,SE-F+SE-A,a -> b,");
}

// Names stand as in the model.
static void names(void **state)
{
    (void)state;
    command_write("names.mo",
                  "model Names model Part Real x(start = 1, fixed = true); equation der(x) = -1; "
                  "when x < 0.5 then reinit(x, 1); end when; end Part; Part part[2]; end Names;");
    command_expect("events --csv names.mo 2>/dev/null", 0,
                   "\npart[1].x < 0.5,part[1].x - 0.5,falling,SE-X,\"reinit(part[1].x, 1.0)\",");
}

// Names that are quoted in the model stay so, in all columns; those of components have no quotes.
static void quoted_names(void **state)
{
    (void)state;
    command_write("quoted.mo",
                  "model Quoted model A Real 'x y'(start = 0, fixed = true), z[2, 1](each start = "
                  "0, each fixed = true); Integer n(start = 0, fixed = true); equation der('x y') "
                  "= 1; der(z) = {{1}, {2}}; when 'x y' > 0.5 and z[2, 1] > 0.3 then n = 2; end "
                  "when; end A; A a, 'b\"c'; Integer 'n 1'(start = 0, fixed = true); equation "
                  "when a.'x y' > 0.7 then 'n 1' = 1; end when; end Quoted;");
    static const char *const rows[] = {
        "\"condition\":\"a.'x y' > 0.5\",\"function\":\"a.'x y' - 0.5\",",
        "\"condition\":\"a.z[2,1] > 0.3\",\"function\":\"a.z[2,1] - 0.3\",",
        "\"function\":\"'b\\\"c'.'x y' - 0.5\",", "\"action\":\"'b\\\"c'.n = 2\"",
        "\"action\":\"'n 1' = 1\""};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        command_expect("events quoted.mo --json", 0, rows[i]);
}

static const Json *parse_output(MemoryPool *pool, const char *format, const char *model)
{
    char arguments[500];
    snprintf(arguments, sizeof arguments, format, SALTUS_SOURCE_DIR, model);
    const CommandOutcome *o = command_run(arguments);
    const Json *json = json_parse(pool, o->text, strlen(o->text));
    if (!json)
        fail_msg("saltus %s: no JSON", arguments);
    return json;
}

// What the log of a run says can be looked up in the table.
static void table_has_what_is_logged(void **state)
{
    (void)state;
    static const char *const models[] = {"examples/BouncingBall", "examples/Thermostat",
                                         "examples/TimeEvents",   "examples/SampledController",
                                         "modes/Rocket",          "modes/Statechart"};
    int found = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        SaltusAllocator allocator = memory_default();
        MemoryPool pool = {.allocator = &allocator};
        const Json *table =
            parse_output(&pool, "events '%s/models/%s.mo' --json 2>/dev/null", models[i]);
        const Json *run =
            parse_output(&pool, "simulate '%s/models/%s.mo' --json -q 2>/dev/null", models[i]);
        for (const Json *event = json_member(run, "events")->first; event; event = event->next)
            for (const Json *c = json_member(event, "conditions")->first; c; c = c->next) {
                const Json *row = json_member(table, "events")->first;
                while (row && strcmp(json_member_text(row, "condition"), c->text) != 0)
                    row = row->next;
                if (!row)
                    fail_msg("%s: '%s' is not in the table", models[i], c->text);
                found++;
            }
        memory_pool_free(&pool);
    }
    assert_true(found > 20);
}

static void formats(void **state)
{
    (void)state;
    command_write("ball.mo", "model Ball\n  Real h(start = 1, fixed = true), v(start = 0, fixed = "
                             "true);\nequation\n  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0 "
                             "then\n    reinit(v, -0.8 * pre(v));\n  end when;\nend Ball;\n");
    command_expect("events ball.mo", 0,
                   "ball.mo:6: h <= 0.0\n    SE-X, falling, event function h\n    reinit(v, -0.8*");
    const CommandOutcome *o = command_run("events ball.mo --json");
    SaltusAllocator allocator = memory_default();
    MemoryPool pool = {.allocator = &allocator};
    const Json *all = json_parse(&pool, o->text, strlen(o->text));
    assert_non_null(all);
    assert_string_equal(json_member_text(all, "schema"), "saltus-event-table");
    const Json *event = json_member(all, "events")->first;
    assert_string_equal(json_member_text(event, "condition"), "h <= 0.0");
    assert_string_equal(json_member(event, "classes")->first->text, "SE-X");
    assert_true(json_member(event, "line")->number == 6.0);
    memory_pool_free(&pool);
    command_write("none.mo", "model None Real x = time; end None;");
    command_expect("events none.mo", 0, "no events\n");
    command_expect("events none.mo --csv --json 2>&1", 2, "not both");
    command_expect("events --csv 2>&1", 2, "no file given");
}

// Conditions are shown as the model writes them, not as they are computed.
static void as_written(void **state)
{
    (void)state;
    command_write("written.mo",
                  "model Written model S end S; S a, b; Real x(start = 0, fixed = true);\n"
                  "equation der(x) = if mod(time, 2) < 1 then 1 else -1;\n"
                  "initialState(a); transition(a, b, timeInState() > 2.5);\n"
                  "transition(b, a, timeInState() > 2.5);\n"
                  "annotation(experiment(StopTime = 6)); end Written;");
    command_expect("simulate written.mo -q -o /dev/null --events -", 0,
                   "\n1,SE-I,\"mod(time, 2.0) < 1.0\",a,a,");
    command_expect("simulate written.mo -q -o /dev/null --events -", 0,
                   "\n2.5,SE-F,timeInState(a) > 2.5,a,b,");
    command_expect("simulate written.mo -q -o /dev/null --events -", 0,
                   "; timeInState(b) > 2.5\",b,a,");
    command_expect("events written.mo", 0, "mod(time, 2.0) < 1.0\n    SE-I, time, event function");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes),      cmocka_unit_test(machines),
        cmocka_unit_test(structure),    cmocka_unit_test(names),
        cmocka_unit_test(quoted_names), cmocka_unit_test(table_has_what_is_logged),
        cmocka_unit_test(formats),      cmocka_unit_test(as_written)};
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
