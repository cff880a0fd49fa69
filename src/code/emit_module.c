// SPDX-License-Identifier: MIT
//
// What stands around the functions of a module as C: types, prototypes, the names of vectors.

#include "code/emit_parts.h"

#include "code/body.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char prelude[] = "typedef struct Moment {\n"
                              "    const double *const *time;\n"
                              "    unsigned calls;\n"
                              "} Moment;\n"
                              "typedef struct Run {\n"
                              "    double *frame;\n"
                              "    unsigned long long steps;\n"
                              "    unsigned depth, failure;\n"
                              "    double shown[8];\n"
                              "    const void *const *sites;\n"
                              "    int (*call)(const void *, double *const *, Moment *);\n"
                              "    Moment moment;\n"
                              "} Run;\n"
                              "\n"
                              "#if defined(__GNUC__)\n"
                              "#define sqrt __builtin_sqrt\n"
                              "#define fabs __builtin_fabs\n"
                              "#define NOT_A_NUMBER __builtin_nan(\"\")\n"
                              "#define INFINITE __builtin_inf()\n"
                              "#else\n"
                              "double sqrt(double), fabs(double);\n"
                              "#define NOT_A_NUMBER (0.0 / 0.0)\n"
                              "#define INFINITE (1.0 / 0.0)\n"
                              "#endif\n";

// Prototypes of the functions that a meaning in base/operator_table.h calls, each once.
static void declare_calls(StringBuilder *done, const char *meaning)
{
    for (const char *open = strchr(meaning, '('); open; open = strchr(open + 1, '(')) {
        const char *name = open;
        while (name > meaning && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
            name--;
        if (name == open)
            continue;
        StringBuilder line = builder_create(done->arena);
        builder_append_format(&line, "double %.*s(double", (int)(open - name), name);
        int depth = 0;
        for (const char *c = open; *c && (c == open || depth > 0); c++) {
            depth += (*c == '(') - (*c == ')');
            if (*c == ',' && depth == 1)
                builder_append_text(&line, ", double");
        }
        builder_append_text(&line, ");\n");
        const char *text = builder_string(&line).text;
        const bool is_built_in = strncmp(name, "sqrt(", 5) == 0 || strncmp(name, "fabs(", 5) == 0;
        if (!is_built_in && !strstr(builder_string(done).text, text))
            builder_append_text(done, text);
    }
}

static void emit_prototypes(StringBuilder *out)
{
    StringBuilder done = builder_create(out->arena);
    for (int op = 0; op < OPERATOR_COUNT; op++)
        declare_calls(&done, operator_info((Operator)op)->meaning);
    builder_append_text(out, builder_string(&done).text);
}

// The frame has places for doubles alone.
static const char whole_text[] = "\ntypedef long long int64_t;\n"
                                 "typedef unsigned long long uint64_t;\n"
                                 "typedef union Bits {\n"
                                 "    double bits;\n"
                                 "    int64_t whole;\n"
                                 "} Bits;\n"
                                 "static inline int64_t whole_of(double bits)\n"
                                 "{\n"
                                 "    return ((Bits){.bits = bits}).whole;\n"
                                 "}\n"
                                 "static inline double bits_of(int64_t whole)\n"
                                 "{\n"
                                 "    return ((Bits){.whole = whole}).bits;\n"
                                 "}\n";

static const char element_text[] =
    "\nstatic inline unsigned element(double index, unsigned size)\n"
    "{\n"
    "    return index >= 0.0 && index < size ? (unsigned)index : size;\n"
    "}\n";

static int compare_components(const void *a, const void *b)
{
    const CodeValue *x = a, *y = b;
    if (x->vector != y->vector)
        return x->vector < y->vector ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// What the components of the input vectors are.
static void emit_names(const CodeModule *m, StringBuilder *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->entry_count; i++)
        count += m->entries[i]->value_count;
    CodeValue *list = ARENA_ARRAY(out->arena, count, CodeValue);
    count = 0;
    for (uint32_t i = 0; i < m->entry_count; i++)
        for (uint32_t v = 0; v < m->entries[i]->value_count; v++) {
            const CodeValue *value = &m->entries[i]->values[v];
            if (value->kind == CODE_INPUT && value->vector != m->layout.held)
                list[count++] = *value;
        }
    if (count)
        qsort(list, count, sizeof *list, compare_components);
    for (uint32_t k = 0; k < count; k++) {
        if (k && compare_components(&list[k - 1], &list[k]) == 0)
            continue;
        builder_append_format(out, "//   %s[%u]  ", m->layout.input_names[list[k].vector],
                              list[k].index);
        emit_comment(out, list[k].name);
        builder_append_text(out, "\n");
    }
}

// What reads a history: see base/history.h.
static const char history_text[] =
    "\ntypedef struct History {\n"
    "    double (*at)(const struct History *, double, double);\n"
    "} History;\n"
    "double past(double handle, double t, double order)\n"
    "{\n"
    "    const unsigned long long b = ((union {\n"
    "        double handle;\n"
    "        unsigned long long bits;\n"
    "    }){.handle = handle}).bits;\n"
    "    const History *h = (const History *)(b & 0xFFFFFFFFFFFFull);\n"
    "    return b >> 48 == 0x7FFD ? (*h->at)(h, t, order) : 0.0;\n"
    "}\n";

static bool has_history(const CodeBody *body)
{
    for (uint32_t i = 0; i < body->instruction_count; i++)
        if (body->instructions[i].op >= OPERATOR_PAST &&
            body->instructions[i].op <= OPERATOR_PAST_FOURTH)
            return true;
    return false;
}

// None in functions.
static bool has_histories(const CodeModule *m)
{
    for (uint32_t i = 0; i < m->entry_count; i++)
        if (has_history(m->entries[i]))
            return true;
    return false;
}

static bool has_whole(const CodeBody *body)
{
    for (uint32_t i = 0; i < body->instruction_count; i++)
        if (body_is_whole(body->instructions[i].op))
            return true;
    return false;
}

static bool has_wholes(const CodeModule *m)
{
    for (uint32_t i = 0; i < m->entry_count; i++)
        if (has_whole(m->entries[i]))
            return true;
    for (uint32_t i = 0; i < m->function_count; i++)
        if (has_whole(m->functions[i]))
            return true;
    return false;
}

void emit_module(const CodeModule *m, const char *title, StringBuilder *out)
{
    builder_append_text(out, title ? "// Emitted by Saltus from " : "// Emitted by Saltus");
    emit_comment(out, title ? title : "");
    builder_append_text(out, "\n");
    emit_names(m, out);
    builder_append_text(out, "\n");
    builder_append_text(out, prelude);
    emit_prototypes(out);
    if (has_wholes(m))
        builder_append_text(out, whole_text);
    if (has_histories(m))
        builder_append_text(out, history_text);
    if (m->function_count)
        builder_append_text(out, element_text);
    for (uint32_t i = 0; i < m->function_count; i++) {
        builder_append_text(out, i ? "" : "\n");
        emit_prototype(m, i, out);
    }
    for (uint32_t i = 0; i < m->function_count; i++) {
        builder_append_text(out, "\n");
        emit_function(m, i, out);
    }
    for (uint32_t i = 0; i < m->entry_count; i++)
        emit_entry(m, m->entries[i], out);
}
