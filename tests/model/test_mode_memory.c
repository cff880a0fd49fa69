// SPDX-License-Identifier: MIT
//
// What modes cost in memory: little more than their programs, and nothing of the analysis; and what
// is forgotten is made again with the same bits.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/flatten.h"
#include "model/trial.h"
#include "modes/model.h"
#include "structure/structure.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------
// An allocator that counts
// ---------------------------------------------------------------------------

typedef struct Count {
    size_t bytes, most; // now, and the largest so far
} Count;

typedef union Header {
    size_t size;
    max_align_t alignment;
} Header;

static void *reallocate(void *user, void *block, size_t size)
{
    Count *count = user;
    Header *old = block ? (Header *)block - 1 : NULL;
    const size_t before = old ? old->size : 0;
    if (size == 0) {
        count->bytes -= before;
        free(old);
        return NULL;
    }
    Header *header = realloc(old, sizeof *header + size);
    if (!header)
        return NULL;
    header->size = size;
    count->bytes += size - before;
    if (count->bytes > count->most)
        count->most = count->bytes;
    return header + 1;
}

// ---------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------

static const Model *compile(Compilation *c, const char *file, const char *name,
                            const char *modification)
{
    FlattenOptions options = flatten_default_options();
    options.modification = modification;
    const FlatModel *flat = flatten_files(c, 1, &file, name, &options);
    return flat ? model_create(c->arena, flat, c->diagnostics) : NULL;
}

static void the_analysis_of_a_mode_is_not_kept(void **state)
{
    (void)state;
    enum { MODES = 40 };
    Count count = {0};
    Compilation *c = compilation_create(&(SaltusAllocator){reallocate, &count});
    const Model *m = compile(c, SALTUS_SOURCE_DIR "/models/modes/Train.mo", "Train.Start",
                             "(n = 25, m = fill(20, 26))");
    assert_non_null(m);
    const size_t before = count.bytes;
    model_explore(m, 1 + MODES);
    assert_int_equal(model_mode_count(m), 1 + MODES);
    // About 120 kB each are needed. The analysis takes 3 MB.
    assert_true(count.bytes - before < MODES * (size_t)250000);
    model_release(m);
    compilation_destroy(c);
    assert_int_equal(count.bytes, 0);
}

// An RC ladder, whose only mode is large, as the command opens it. The peak is nearly reached by
// the code of the mode, the analysis of its start and the code of that; a fifth is the flat model.
// Measured: 21.5 kB for each section (large arrays of larger models leave less room unused: 17.9).
static void a_large_mode_takes_little_while_it_is_made(void **state)
{
    (void)state;
    enum { SECTIONS = 2000, MOST_PER_SECTION = 22000 };
    Count count = {0};
    Compilation *c = compilation_create(&(SaltusAllocator){reallocate, &count});
    FlattenOptions options = flatten_default_options();
    options.modification = "(n = 2000)";
    options.packs_equations = true;
    options.text =
        "connector Pin Real v; flow Real i; end Pin;"
        "partial model OnePort Real v, i; Pin p, n;"
        "equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end OnePort;"
        "model Resistor extends OnePort; parameter Real R = 1; equation v = R * i; end Resistor;"
        "model Capacitor extends OnePort(v(start = 0, fixed = true)); parameter Real C = 1;"
        "equation i = C * der(v); end Capacitor;"
        "model Source extends OnePort; equation v = 10; end Source;"
        "model Ground Pin p; equation p.v = 0; end Ground;"
        "model Ladder parameter Integer n = 1; Resistor r[n](each R = 0.1); Capacitor c[n];"
        "  Source s; Ground g;"
        "equation connect(s.p, r[1].p); connect(s.n, g.p);"
        "  for i in 1:n loop connect(r[i].n, c[i].p); connect(c[i].n, g.p); end for;"
        "  for i in 1:n - 1 loop connect(r[i].n, r[i + 1].p); end for; "
        "end Ladder;";
    const FlatModel *flat = flatten_files(c, 0, NULL, "Ladder", &options);
    assert_non_null(flat);
    const Model *m = model_create(c->arena, flat, c->diagnostics);
    assert_non_null(m);
    if (count.most >= SECTIONS * (size_t)MOST_PER_SECTION)
        print_error("%zu bytes per section\n", count.most / SECTIONS);
    assert_true(count.most < SECTIONS * (size_t)MOST_PER_SECTION);
    model_release(m);
    compilation_destroy(c);
    assert_int_equal(count.bytes, 0);
}

// What asks for the structure of a mode gets it, and it stays.
static void a_structure_is_found_again(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    const Model *m =
        compile(c, SALTUS_SOURCE_DIR "/models/modes/Circuits.mo", "Circuits.Ladder", "(n = 3)");
    assert_non_null(m);
    model_explore(m, 4);
    for (uint32_t i = 0; i < model_mode_count(m); i++) {
        const Structure *s = model_mode_info(m, i).structure;
        assert_non_null(s);
        assert_ptr_equal(s, model_mode_info(m, i).structure);
        assert_true(s->state_count > 0);
    }
    model_release(m);
    compilation_destroy(c);
}

// ---------------------------------------------------------------------------
// Forgetting
// ---------------------------------------------------------------------------

static void assert_same_log(const SaltusRun *a, const SaltusRun *b)
{
    assert_int_equal(saltus_run_event_count(a), saltus_run_event_count(b));
    for (long i = 0; i < saltus_run_event_count(a); i++) {
        const SaltusLogEntry x = saltus_run_event(a, i), y = saltus_run_event(b, i);
        assert_memory_equal(&x.t, &y.t, sizeof x.t);
        assert_int_equal(x.from, y.from);
        assert_int_equal(x.to, y.to);
        assert_int_equal(x.classes, y.classes);
        assert_int_equal(x.change_count, y.change_count);
        for (int k = 0; k < x.change_count; k++) {
            assert_string_equal(x.changes[k].name, y.changes[k].name);
            assert_memory_equal(&x.changes[k].after, &y.changes[k].after, sizeof(double));
        }
    }
}

static void assert_same_rows(const SaltusRun *a, const SaltusRun *b)
{
    assert_int_equal(saltus_run_row_count(a), saltus_run_row_count(b));
    for (long i = 0; i < saltus_run_row_count(a); i++) {
        const SaltusRow x = saltus_run_row(a, i), y = saltus_run_row(b, i);
        assert_memory_equal(&x.t, &y.t, sizeof x.t);
        assert_int_equal(x.mode, y.mode);
        assert_memory_equal(x.y, y.y, (size_t)x.y_count * sizeof *x.y);
    }
}

// Runs it as it is, and with nothing kept that is not in use. made: at least so many modes.
static void assert_forgetting_changes_nothing(Trial *a, Trial *b, double stop_time, uint32_t made)
{
    model_limit_modes(trial_model(b), 1, 0);
    assert_int_equal(trial_run(a, stop_time), SALTUS_OK);
    assert_int_equal(trial_run(b, stop_time), SALTUS_OK);
    assert_true(model_combination_count(trial_model(a)) >= made);
    assert_int_equal(model_combination_count(trial_model(a)),
                     model_combination_count(trial_model(b)));
    assert_same_rows(trial_get_run(a), trial_get_run(b));
    assert_same_log(trial_get_run(a), trial_get_run(b));
    for (uint32_t i = 0; i < model_combination_count(trial_model(a)); i++)
        if (saltus_system_mode(saltus_run_system(trial_get_run(a)), (int)i))
            assert_string_equal(trial_mode_name(a, (int)i), trial_mode_name(b, (int)i));
    trial_end(a);
    trial_end(b);
}

static void forget_text(const char *text, double stop_time, uint32_t made)
{
    assert_forgetting_changes_nothing(trial_text(text), trial_text(text), stop_time, made);
}

static void what_is_forgotten_comes_back_with_the_same_bits(void **state)
{
    (void)state;
    forget_text("model M \"a ladder of diodes, resistors and capacitors\" parameter Integer n = 8; "
                "Real u[n](each start = 0, each fixed = true), i[n + 1], d[n]; "
                "Boolean on[n](each start = false, each fixed = true); equation i[n + 1] = 0; "
                "for k in 1:n loop "
                "(if k == 1 then 10*sin(6*time) else u[max(k - 1, 1)]) - u[k] = d[k] + i[k]; "
                "0.02*der(u[k]) = i[k] - i[k + 1] - u[k]/50; "
                "on[k] = if pre(on[k]) then i[k] > 0 else d[k] > 0; "
                "if on[k] then d[k] = 0; else i[k] = 0; end if; end for; end M;",
                8.0, 10);
}

// Loose and taut, and taut with another choice of states, whose base must not go before it.
static void variants_come_back(void **state)
{
    (void)state;
    forget_text("model M Real x(start = 0.6, fixed = true), y(start = 0.2, fixed = true), "
                "vx(start = 1, fixed = true), vy(start = 0, fixed = true), lambda; "
                "Boolean taut(start = false, fixed = true); equation der(x) = vx; der(y) = vy; "
                "der(vx) = -lambda*x; der(vy) = -lambda*y - 9.81; "
                "taut = if pre(taut) then lambda > 0 else x^2 + y^2 >= 1; "
                "if taut then x^2 + y^2 = 1; else lambda = 0; end if; end M;",
                6.0, 3);
}

// Seven parts, six of which have two modes each: combinations of them.
static void combinations_come_back(void **state)
{
    (void)state;
    forget_text("model M Real x[6](each start = 0, each fixed = true); equation "
                "for i in 1:6 loop if sin((1 + 0.1*i)*i*time) < 0.5 then der(x[i]) = 1; else "
                "x[i] = -i; end if; end for; end M;",
                6.0, 20);
}

// Parts that slide, each with a structure that changes while it does.
static void sliding_modes_come_back(void **state)
{
    (void)state;
    forget_text("model M model Body parameter Real mu, at; "
                "Real v(start = 1, fixed = true), R = mu*sign(v); "
                "Real q(start = 0, fixed = true); Boolean c = time > at; equation "
                "der(v) = 0.9*sin(2*time) - R; "
                "if c then q = v; else der(q) = v; end if; end Body; "
                "Body b[4](mu = {0.5, 0.6, 0.7, 0.8}, at = {1, 6, 2, 7}); "
                "Real x(start = 1, fixed = true); equation der(x) = -sign(x); end M;",
                9.0, 20);
}

// Dry friction at the pivot of a pendulum in Cartesian coordinates: variants of sliding modes.
static void sliding_variants_come_back(void **state)
{
    (void)state;
    forget_text("model M Real x(start = 0.9, fixed = true), y(start = -0.4), vx, vy, f, w, M; "
                "initial equation w = 0; equation der(x) = vx; der(y) = vy; "
                "der(vx) = M*y - f*x; der(vy) = -M*x - f*y - 9.81 + 12*sin(time); "
                "x^2 + y^2 = 1; w = x*vy - y*vx; M = 2*sign(w); end M;",
                8.0, 3);
}

// Constraints that jump while the mode stays, and by a change of the mode.
static void jumps_come_back(void **state)
{
    (void)state;
    forget_text("model M Real w1(start = 3, fixed = true), w2, t; "
                "discrete Real d(start = 0, fixed = true); Boolean c = sin(3*time) > 0; equation "
                "der(w1) = t - w1; 3*der(w2) = -t; "
                "if c then w1 = w2 + d; else t = 0; end if; "
                "when sample(0.3, 0.4) then d = pre(d) + 1; end when; end M;",
                5.0, 2);
}

static void states_of_machines_come_back(void **state)
{
    (void)state;
    forget_text("model M model S parameter Real a = 1; outer output Real x; Real t(start = 0); "
                "equation der(t) = 1; der(x) = a*t; end S; "
                "inner Real x(start = 0, fixed = true); S s[5](a = {1, -2, 3, -4, 5}); equation "
                "initialState(s[1]); "
                "for i in 1:4 loop transition(s[i], s[i + 1], s[i].t > 0.1*i); end for; "
                "transition(s[5], s[1], s[5].t > 0.05, reset = false); end M;",
                5.0, 5);
}

// Each event of a ladder of ideal diodes enters a mode that was not there for long, or never.
static void a_long_run_takes_no_more_than_a_short_one(void **state)
{
    (void)state;
    size_t most[2];
    for (int k = 0; k < 2; k++) {
        Count count = {0};
        Compilation *c = compilation_create(&(SaltusAllocator){reallocate, &count});
        const Model *m = compile(c, SALTUS_SOURCE_DIR "/models/modes/Circuits.mo",
                                 "Circuits.Ladder", "(n = 12)");
        assert_non_null(m);
        model_limit_modes(m, 4, 0);
        model_explore(m, k == 0 ? 20 : 400);
        // Of a mode that was forgotten its choices remain, and the table of those.
        most[k] = count.most - model_mode_count(m) * (12 * sizeof(uint32_t) + 200);
        model_release(m);
        compilation_destroy(c);
        assert_int_equal(count.bytes, 0);
    }
    assert_true(most[1] < most[0] + most[0] / 10); // tables that double leave old ones behind
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_analysis_of_a_mode_is_not_kept),
        cmocka_unit_test(a_large_mode_takes_little_while_it_is_made),
        cmocka_unit_test(a_structure_is_found_again),
        cmocka_unit_test(what_is_forgotten_comes_back_with_the_same_bits),
        cmocka_unit_test(variants_come_back),
        cmocka_unit_test(combinations_come_back),
        cmocka_unit_test(sliding_modes_come_back),
        cmocka_unit_test(sliding_variants_come_back),
        cmocka_unit_test(jumps_come_back),
        cmocka_unit_test(states_of_machines_come_back),
        cmocka_unit_test(a_long_run_takes_no_more_than_a_short_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
