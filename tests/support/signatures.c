// SPDX-License-Identifier: MIT

#include "support/signatures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Reader {
    Arena *arena;
    SignatureBuilder *b;
    const char *names[4096], *inputs[64];
    uint32_t name_count, input_count;
} Reader;

static uint32_t find(const char *const *names, uint32_t count, const char *name, size_t length)
{
    uint32_t k = 0;
    while (k < count && (strlen(names[k]) != length || memcmp(names[k], name, length) != 0))
        k++;
    return k;
}

static SignatureSelect select_of(const char *attributes)
{
    static const char *const words[] = {"", "never", "avoid", "default", "prefer", "always"};
    for (unsigned k = 1; k < 6; k++) {
        if (strstr(attributes, words[k]))
            return (SignatureSelect)k;
    }
    return SIGNATURE_DEFAULT;
}

static void declare(Reader *r, const char *text, size_t length, const char *attributes)
{
    const char *nominal = strstr(attributes, "nominal=");
    SignatureVariable v = {.name = arena_copy_text(r->arena, text, length),
                           .select = (uint8_t)select_of(attributes),
                           .has_start = strstr(attributes, "start") != NULL,
                           .is_fixed = strstr(attributes, "fixed") != NULL,
                           .is_free = strstr(attributes, "free") != NULL,
                           .nominal = nominal ? strtod(nominal + 8, NULL) : 0.0};
    if (*v.name == '@') {
        v.name++;
        r->inputs[r->input_count++] = v.name;
        signature_input(r->b, &v);
    } else {
        r->names[r->name_count++] = v.name;
        signature_variable(r->b, &v);
    }
}

// Letters, digits, '_' and '.'; then primes.
static const char *read_name(const char *text, size_t *length, uint32_t *order)
{
    *length = strcspn(text, "':=~* ");
    *order = 0;
    for (text += *length; *text == '\''; text++)
        ++*order;
    return text;
}

static uint32_t variable(Reader *r, const char *name, size_t length)
{
    uint32_t k = find(r->names, r->name_count, name, length);
    if (k == r->name_count)
        declare(r, name, length, "");
    return k;
}

static void read_term(Reader *r, const char *text)
{
    size_t length, other_length;
    uint32_t order, other_order;
    const char *rest = read_name(text, &length, &order);
    if (*text == '@') {
        uint32_t k = find(r->inputs, r->input_count, text + 1, length - 1);
        if (k == r->input_count)
            declare(r, text, length, "");
        signature_input_entry(r->b, k, order);
        return;
    }
    uint32_t j = variable(r, text, length);
    if (*rest == '=') {
        signature_number(r->b, j, order, strtod(rest + 1, NULL));
    } else if (*rest == ':') {
        SignatureKind kind = rest[1] == 'p' ? SIGNATURE_PARAMETER : SIGNATURE_LINEAR;
        signature_entry(r->b, j, order, kind, rest[1] == 'n');
    } else if (*rest == '~') {
        signature_entry(r->b, j, order, SIGNATURE_NONLINEAR, rest[1] == 'n');
    } else if (*rest == '*') {
        read_name(rest + 1, &other_length, &other_order);
        uint32_t other = variable(r, rest + 1, other_length);
        signature_entry(r->b, j, order, SIGNATURE_LINEAR, false);
        signature_entry(r->b, other, other_order, SIGNATURE_LINEAR, false);
        signature_factor(r->b, j, other);
        signature_factor(r->b, other, j);
    } else {
        signature_number(r->b, j, order, 1.0);
    }
}

const Signature *signatures_make(Arena *arena, const char *const *declarations,
                                 const char *const *equations)
{
    Reader r = {.arena = arena, .b = signature_begin(arena)};
    for (; declarations && *declarations; declarations++)
        declare(&r, *declarations, strcspn(*declarations, " "), *declarations);
    for (; *equations; equations++) {
        signature_equation(r.b, &(SignatureEquation){.text = *equations});
        for (const char *t = *equations; *t; t += strspn(t, " ")) {
            read_term(&r, t);
            t += strcspn(t, " ");
        }
    }
    return signature_finish(r.b);
}

uint32_t signatures_variable(const Signature *s, const char *name)
{
    uint32_t j = 0;
    while (j < s->variable_count && strcmp(s->variables[j].name, name) != 0)
        j++;
    assert_true(j < s->variable_count);
    return j;
}

// Source u0 = f(t); cell k: u_{k-1} - u_k = R i_k, C u_k' = ic_k, i_k = ic_k + i_{k+1}, the last
// one without i_{k+1}; and the power p_k = u_k i_k, which nobody needs.
const Signature *signatures_ladder(Arena *arena, uint32_t n)
{
    SignatureBuilder *b = signature_begin(arena);
    uint32_t *u = ARENA_ARRAY(arena, n + 1u, uint32_t), *i = ARENA_ARRAY(arena, n + 2u, uint32_t);
    u[0] = signature_variable(b, &(SignatureVariable){.name = "u0"});
    signature_equation(b, &(SignatureEquation){.text = "source"});
    signature_number(b, u[0], 0, 1.0);
    for (uint32_t k = 1; k <= n; k++) {
        u[k] = signature_variable(b, &(SignatureVariable){.name = "u"});
        i[k] = signature_variable(b, &(SignatureVariable){.name = "i"});
    }
    for (uint32_t k = 1; k <= n; k++) {
        uint32_t ic = signature_variable(b, &(SignatureVariable){.name = "ic"});
        uint32_t p = signature_variable(b, &(SignatureVariable){.name = "p"});
        signature_equation(b, &(SignatureEquation){.text = "resistor"});
        signature_number(b, u[k - 1], 0, 1.0);
        signature_number(b, u[k], 0, -1.0);
        signature_entry(b, i[k], 0, SIGNATURE_PARAMETER, false);
        signature_equation(b, &(SignatureEquation){.text = "capacitor"});
        signature_entry(b, u[k], 1, SIGNATURE_PARAMETER, false);
        signature_number(b, ic, 0, -1.0);
        signature_equation(b, &(SignatureEquation){.text = "node"});
        signature_number(b, i[k], 0, 1.0);
        signature_number(b, ic, 0, -1.0);
        if (k < n)
            signature_number(b, i[k + 1], 0, -1.0);
        signature_equation(b, &(SignatureEquation){.text = "power"});
        signature_number(b, p, 0, 1.0);
        signature_entry(b, u[k], 0, SIGNATURE_LINEAR, false);
        signature_entry(b, i[k], 0, SIGNATURE_LINEAR, false);
        signature_factor(b, u[k], i[k]);
        signature_factor(b, i[k], u[k]);
    }
    return signature_finish(b);
}

uint32_t random_below(Random *random, uint32_t limit)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % limit;
}

double random_number(Random *random)
{
    return 2.0 * (double)random_below(random, 1u << 30) * 0x1p-30 - 1.0;
}
