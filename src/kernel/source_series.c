// SPDX-License-Identifier: MIT
//
// Linear modes whose states are power series of time between events: the text that computes the
// terms of such a series, one order after the other. series.inc says what is done with it.
//
// A mode is one if x' = A x + b(t) with constant A, and event functions are linear in x likewise,
// where what depends on time are lines, and sines and exponentials of lines. Then every value of
// the equations has terms of order k >= 1 that are linear in those of the states and of such
// functions, and these follow from their own terms of order k - 1:
//   s = sin(a + w u), c = cos(a + w u):  k s_k = w c_(k-1), k c_k = -w s_(k-1).
// So the text computes the values once (`head`), then in a loop the terms of those that are not
// constant (`loop`).

#include "base/number.h"
#include "kernel/source_parts.h"

#include <string.h>

// What a value is between events: a constant, a line in time, anything else that is linear.
typedef enum SeriesKind { SERIES_CONSTANT, SERIES_LINE, SERIES_OTHER } SeriesKind;

typedef struct SeriesTerm {
    SeriesKind kind;
    const char *value; // at the beginning
    const char *next;  // its slope by time, if it is a line; its term of order k >= 1, if other
} SeriesTerm;

typedef struct SeriesText {
    const CodeBody *body;
    Arena *arena;
    StringBuilder *head, *loop;
    const char *prefix; // of names
    uint32_t names;
    SeriesTerm *terms; // by value, then by output
} SeriesText;

static const char *series_format(SeriesText *s, const char *format, const char *a, const char *b,
                                 const char *c)
{
    StringBuilder text = builder_create(s->arena);
    builder_append_format(&text, format, a, b, c);
    return builder_string(&text).text;
}

// A name for an expression: in the head, or in the loop.
static const char *series_keep(SeriesText *s, StringBuilder *to, const char *expression)
{
    StringBuilder name = builder_create(s->arena);
    builder_append_format(&name, "%s%u", s->prefix, s->names++);
    const char *text = builder_string(&name).text;
    builder_append_format(to, "    const double %s = %s;\n", text, expression);
    return text;
}

// The term of order k >= 1; NULL: zero.
static const char *series_next(SeriesText *s, const SeriesTerm *t)
{
    if (t->kind == SERIES_LINE)
        return series_format(s, "(k == 1 ? %s * unit : 0.0)", t->next, "", "");
    return t->kind == SERIES_CONSTANT ? NULL : t->next;
}

static SeriesTerm series_input(SeriesText *s, const CodeValue *v)
{
    static const char *const names[] = {"t", "x", "p", "m", "held"};
    StringBuilder text = builder_create(s->arena), next = builder_create(s->arena);
    if (v->kind == CODE_CONSTANT) {
        builder_append_text(&text, "(");
        source_number(&text, v->number);
        builder_append_text(&text, ")");
    }
    if (v->kind == CODE_INPUT && v->vector <= PROGRAM_HELD)
        builder_append_format(&text, "%s[%u]", names[v->vector], v->index);
    SeriesTerm t = {.kind = SERIES_CONSTANT, .value = builder_string(&text).text};
    if (v->kind == CODE_INPUT && v->vector == PROGRAM_TIME) {
        t.kind = SERIES_LINE;
        t.next = "1.0";
    } else if (v->kind == CODE_INPUT && v->vector == PROGRAM_STATES) {
        builder_append_format(&next, "x_%u", v->index);
        t.kind = SERIES_OTHER;
        t.next = builder_string(&next).text;
    } else if (v->kind == CODE_INPUT && v->vector > PROGRAM_HELD) {
        t.value = NULL; // cannot be read here
    }
    return t;
}

// What is behind: a sum or difference of terms, NULL is zero.
static const char *series_sum(SeriesText *s, const char *a, const char *b, bool is_difference)
{
    if (!b)
        return a;
    if (!a)
        return is_difference ? series_format(s, "(-%s)", b, "", "") : b;
    return series_format(s, is_difference ? "(%s - %s)" : "(%s + %s)", a, b, "");
}

// Terms of lines are slopes while nothing else comes in.
static const char *series_part(SeriesText *s, const SeriesTerm *t, SeriesKind kind)
{
    return kind == SERIES_LINE && t->kind == SERIES_LINE ? t->next : series_next(s, t);
}

static SeriesKind series_wider(SeriesKind a, SeriesKind b)
{
    return a > b ? a : b;
}

// A sine, cosine or exponential of a line: it and its companion go on from term to term.
static const char *series_wave(SeriesText *s, Operator op, const SeriesTerm *a)
{
    const char *rate = series_keep(s, s->head, series_format(s, "%s", a->next, "", ""));
    const char *own = series_format(s, "%s_wave", rate, "", "");
    const char *other = series_format(s, "%s_side", rate, "", "");
    builder_append_format(s->head, "    fastest = larger(fastest, fabs(%s));\n", rate);
    if (op == OPERATOR_EXP) {
        builder_append_format(s->head, "    double %s = exp(%s);\n", own, a->value);
        builder_append_format(s->loop, "    %s *= %s * over;\n", own, rate);
        return own;
    }
    builder_append_format(s->head, "    double %s = sin(%s), %s = cos(%s);\n",
                          op == OPERATOR_SIN ? own : other, a->value,
                          op == OPERATOR_SIN ? other : own, a->value);
    builder_append_format(s->loop,
                          "    {\n        const double turned = %s%s * over * %s;\n"
                          "        %s = %s%s * over * %s;\n        %s = turned;\n    }\n",
                          op == OPERATOR_SIN ? "" : "-", rate, other, other,
                          op == OPERATOR_SIN ? "-" : "", rate, own, own);
    return own;
}

// The terms of op(a, b, c), whose value is known. False: it is not linear.
static bool series_operate(SeriesText *s, Operator op, const SeriesTerm *a, const SeriesTerm *b,
                           const SeriesTerm *c, SeriesTerm *to)
{
    const SeriesKind both = b ? series_wider(a->kind, b->kind) : a->kind;
    to->kind = c ? series_wider(both, c->kind) : both;
    if (to->kind == SERIES_CONSTANT)
        return true;
    const SeriesTerm *factor = a->kind == SERIES_CONSTANT ? a : b;
    const SeriesTerm *rest = a->kind == SERIES_CONSTANT ? b : a;
    const char *next = NULL;
    switch (op) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
        next = series_sum(s, series_part(s, a, to->kind), series_part(s, b, to->kind),
                          op == OPERATOR_SUBTRACT);
        break;
    case OPERATOR_NEGATE:
        next = series_sum(s, NULL, series_part(s, a, to->kind), true);
        break;
    case OPERATOR_MULTIPLY:
        if (factor->kind != SERIES_CONSTANT)
            return false;
        next = series_format(s, "(%s * %s)", factor->value, series_part(s, rest, to->kind), "");
        break;
    case OPERATOR_DIVIDE:
        if (b->kind != SERIES_CONSTANT)
            return false;
        next = series_keep(s, s->head, series_format(s, "1.0 / %s", b->value, "", ""));
        next = series_format(s, "(%s * %s)", series_part(s, a, to->kind), next, "");
        break;
    case OPERATOR_IF:
        if (a->kind != SERIES_CONSTANT)
            return false;
        next = series_part(s, b, to->kind);
        const char *otherwise = series_part(s, c, to->kind);
        next = series_format(s, "s_IF(%s, %s, %s)", a->value, next ? next : "0.0",
                             otherwise ? otherwise : "0.0");
        break;
    case OPERATOR_SIN:
    case OPERATOR_COS:
    case OPERATOR_EXP:
        if (a->kind != SERIES_LINE)
            return false;
        to->kind = SERIES_OTHER;
        to->next = series_wave(s, op, a);
        return true;
    default:
        return false;
    }
    to->next = series_keep(s, to->kind == SERIES_LINE ? s->head : s->loop, next);
    return true;
}

static const char *series_apply(SeriesText *s, Operator op, const char *a, const char *b,
                                const char *c)
{
    const char *format = op == OPERATOR_ADD        ? "%s + %s"
                         : op == OPERATOR_SUBTRACT ? "%s - %s"
                         : op == OPERATOR_MULTIPLY ? "%s * %s"
                         : op == OPERATOR_DIVIDE   ? "%s / %s"
                         : op == OPERATOR_NEGATE   ? "-%s"
                                                   : NULL;
    if (format)
        return series_format(s, format, a, b ? b : "", "");
    const char *call = series_format(s, "s_%s(%s", operator_info(op)->name, a, "");
    call = b ? series_format(s, "%s, %s", call, b, "") : call;
    return c ? series_format(s, "%s, %s)", call, c, "") : series_format(s, "%s)", call, "", "");
}

static bool series_instruction(SeriesText *s, const CodeInstruction *in)
{
    SeriesTerm *terms = s->terms;
    if (in->op == CODE_STORE || in->op == CODE_COPY) {
        terms[in->op == CODE_STORE ? s->body->value_count + in->d : in->d] = terms[in->a];
        return terms[in->a].value != NULL;
    }
    if (!body_is_operator(in->op) || (in->op >= OPERATOR_PAST && in->op <= OPERATOR_PAST_FOURTH))
        return false;
    const uint32_t count = body_operands(in);
    const SeriesTerm a = terms[in->a], b = count > 1 ? terms[in->b] : a,
                     c = count > 2 ? terms[in->c] : a;
    if (!a.value || !b.value || !c.value)
        return false;
    SeriesTerm t = {0};
    t.value = series_keep(s, s->head,
                          series_apply(s, (Operator)in->op, a.value, count > 1 ? b.value : NULL,
                                       count > 2 ? c.value : NULL));
    const bool is_fine =
        series_operate(s, (Operator)in->op, &a, count > 1 ? &b : NULL, count > 2 ? &c : NULL, &t);
    terms[in->d] = t;
    return is_fine;
}

static bool series_block(SeriesText *s, uint32_t begin, uint32_t end);

static uint32_t series_count(const SeriesText *s)
{
    return s->body->value_count + s->body->output_count;
}

static SeriesTerm *series_copy(SeriesText *s)
{
    SeriesTerm *copy = ARENA_ARRAY(s->arena, series_count(s) + 1, SeriesTerm);
    memcpy(copy, s->terms, series_count(s) * sizeof *copy);
    return copy;
}

// What both branches make, by the condition. What only one of them makes is its own affair.
static bool series_merge(SeriesText *s, const SeriesTerm *condition, const SeriesTerm *before,
                         const SeriesTerm *yes, const SeriesTerm *no)
{
    bool is_fine = true;
    for (uint32_t v = 0; v < series_count(s) && is_fine; v++) {
        s->terms[v] = before[v];
        if (yes[v].value == before[v].value || no[v].value == before[v].value)
            continue;
        SeriesTerm t = {0};
        t.value = series_keep(
            s, s->head, series_apply(s, OPERATOR_IF, condition->value, yes[v].value, no[v].value));
        is_fine = series_operate(s, OPERATOR_IF, condition, &yes[v], &no[v], &t);
        s->terms[v] = t;
    }
    return is_fine;
}

// The block from GUARD at i on; *next: the instruction behind its END. Both branches are computed.
static bool series_guard(SeriesText *s, uint32_t i, uint32_t *next)
{
    const CodeInstruction *instructions = s->body->instructions;
    const SeriesTerm condition = s->terms[instructions[i].a];
    uint32_t depth = 0, otherwise = i, end = i;
    for (;; end++) {
        depth += instructions[end].op == CODE_GUARD;
        if (instructions[end].op == CODE_ELSE && depth == 1)
            otherwise = end;
        depth -= instructions[end].op == CODE_END;
        if (depth == 0)
            break;
    }
    *next = end + 1;
    const SeriesTerm *before = series_copy(s);
    if (!condition.value || !series_block(s, i + 1, otherwise > i ? otherwise : end))
        return false;
    const SeriesTerm *yes = series_copy(s);
    memcpy(s->terms, before, series_count(s) * sizeof *before);
    if (otherwise > i && !series_block(s, otherwise + 1, end))
        return false;
    return series_merge(s, &condition, before, yes, series_copy(s));
}

static bool series_block(SeriesText *s, uint32_t begin, uint32_t end)
{
    bool is_fine = true;
    for (uint32_t i = begin; i < end && is_fine;)
        if (s->body->instructions[i].op == CODE_GUARD)
            is_fine = series_guard(s, i, &i);
        else
            is_fine = series_instruction(s, &s->body->instructions[i++]);
    return is_fine;
}

// All of an entry; the terms of its outputs are behind those of its values.
static bool series_body(SeriesText *s, const CodeBody *body)
{
    s->body = body;
    s->terms = ARENA_ARRAY(s->arena, body->value_count + body->output_count + 1, SeriesTerm);
    for (uint32_t v = 0; v < body->value_count; v++)
        if (body->values[v].kind == CODE_CONSTANT || body->values[v].kind == CODE_INPUT)
            s->terms[v] = series_input(s, &body->values[v]);
    bool is_fine = series_block(s, 0, body->instruction_count);
    for (uint32_t o = 0; o < body->output_count; o++)
        is_fine = is_fine && s->terms[body->value_count + o].value;
    return is_fine;
}

// Of the texts of both entries, what is done with their outputs: of the first the rates, of the
// second the event functions.
static void series_outputs(SeriesText *s, bool is_flow)
{
    for (uint32_t o = 0; o < s->body->output_count; o++) {
        const SeriesTerm *t = &s->terms[s->body->value_count + o];
        const uint32_t place = s->body->outputs[o].index;
        const char *next = series_next(s, t);
        next = next ? next : "0.0";
        if (is_flow) {
            builder_append_format(s->head, "    double f_%u = %s;\n", place, t->value);
            builder_append_format(s->loop, "    f_%u = %s;\n", place, next);
        } else {
            builder_append_format(s->head, "    hs[0][%u] = %s;\n", place, t->value);
            builder_append_format(s->loop, "    hs[k][%u] = %s;\n", place, next);
        }
    }
}

// Both entries, or false: they are not linear.
static bool series_texts(const Source *s, StringBuilder *head, StringBuilder *loop)
{
    const Program *p = s->m->flow;
    const CodeBody *flow = p->flow == CODE_NONE ? NULL : p->module->entries[p->flow];
    const CodeBody *events = p->module->entries[p->entries[MODEL_EVENTS]];
    const uint32_t n = s->m->states.count;
    SeriesText text = {.arena = s->out->arena, .head = head, .loop = loop, .prefix = "v"};
    if (!flow || p->guesses.count || flow->output_count != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        builder_append_format(loop, "    const double x_%u = f_%u * over;\n    xs[k][%u] = x_%u;\n",
                              i, i, i, i);
    if (!series_body(&text, flow))
        return false;
    series_outputs(&text, true);
    if (!series_body(&text, events))
        return false;
    series_outputs(&text, false);
    return true;
}

bool source_series(const Source *s)
{
    StringBuilder head = builder_create(s->out->arena), loop = builder_create(s->out->arena);
    return series_texts(s, &head, &loop);
}

// TABLE double NAME[]: the coefficients of the powers in the basis of Bernstein's polynomials,
// of each order k the numbers (j over k) / (degree over k), with zeros up to a full vector.
static void series_tables(StringBuilder *out)
{
    source_begin_table(out, "double", "series_bernstein");
    for (int k = 0; k <= SERIES_TERMS; k++) {
        double all = 1.0;
        for (int i = 0; i < k; i++)
            all *= (double)(SERIES_TERMS - i) / (i + 1);
        for (int j = 0; j < SERIES_ROOM; j++) {
            double some = 1.0;
            for (int i = 0; i < k; i++)
                some *= (double)(j - i) / (i + 1);
            source_number(out, j > SERIES_TERMS ? 0.0 : some / all);
            builder_append_text(out, ", ");
        }
    }
    source_end_table(out);
    source_begin_table(out, "double", "series_over");
    for (int k = 0; k <= SERIES_TERMS; k++)
        builder_append_format(out, "%d.0 / %d, ", k > 0, k > 0 ? k : 1);
    source_end_table(out);
    // |A| and frequencies, times the step.
    builder_append_format(out, "#define SERIES_REACH 2.0\n#define SERIES_ROOM %d\n", SERIES_ROOM);
}

#define SERIES_INPUTS                                                                              \
    "const double *t, const double *x, const double *p, const double *m, const double *held"

void source_series_text(const Source *s)
{
    StringBuilder head = builder_create(s->out->arena), loop = builder_create(s->out->arena);
    StringBuilder *out = s->out;
    series_texts(s, &head, &loop);
    const String first = builder_string(&head), again = builder_string(&loop);
    series_tables(out);
    for (int k = 0; k < 2; k++) {
        builder_append_text(out, k ? "\nFAR double series_terms(" SERIES_INPUTS
                                     ", double pace, double unit, double (*xs)[N + 1], "
                                     "double (*hs)[NH + 1])\n{\n"
                                   : "\nFN double series_waves(" SERIES_INPUTS
                                     ")\n{\n    double hs[1][NH + 1];\n");
        builder_append_text(out, "    double fastest = 0.0;\n");
        builder_append(out, first.text, first.length);
        if (k == 0) {
            builder_append_text(out, "    return fastest;\n}\n");
            continue;
        }
        builder_append_text(out, "    unit = smaller(unit, SERIES_REACH / larger(pace, fastest));\n"
                                 "    for (int i = 0; i < N; i++)\n        xs[0][i] = x[i];\n"
                                 "    for (int k = 1; k <= LEAP; k++) {\n"
                                 "    const double over = unit * series_over[k];\n");
        builder_append(out, again.text, again.length);
        builder_append_text(out, "    }\n    return unit;\n}\n");
    }
}
