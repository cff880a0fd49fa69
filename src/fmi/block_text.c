// SPDX-License-Identifier: MIT
//
// Numbers of all types go to the FMU as Reals, in vectors of at least one element: see blocks.h.

#include "fmi/block_text.h"

#include "base/message.h"
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

BlockRole block_role(const FmuVariable *v)
{
    if (v->type >= FMU_STRING || v->causality == FMU_INDEPENDENT)
        return BLOCK_NONE;
    if (v->causality == FMU_INPUT || v->causality == FMU_OUTPUT)
        return v->causality == FMU_INPUT ? BLOCK_INPUT : BLOCK_OUTPUT;
    const bool is_set = v->causality == FMU_PARAMETER &&
                        (v->variability == FMU_FIXED || v->variability == FMU_TUNABLE);
    return is_set ? BLOCK_PARAMETER : BLOCK_LOCAL;
}

bool block_is_exchange(const FmuDescription *d)
{
    return !d->cosimulation;
}

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

// Whether it is an identifier in quotes already: these close, with something in them, and no other
// quote or escape sequence than the language has. Else the name would go on in what follows.
static bool block_is_quoted(const char *name)
{
    const char *c = name[0] == '\'' && name[1] != '\'' ? name + 1 : "";
    while (*c && *c != '\'') {
        if (iscntrl((unsigned char)*c) || (*c == '\\' && !(c[1] && strchr("'\"?\\abfnrtv", c[1]))))
            return false;
        c += *c == '\\' ? 2 : 1;
    }
    return c[0] == '\'' && c[1] == '\0';
}

// What is no identifier, or is a word of the language, stands in quotes (section 2.3.1).
static void block_name(StringBuilder *out, const char *name)
{
    static const char *const words[] = {
        "algorithm",     "and",         "annotation", "block",
        "break",         "class",       "connect",    "constant",
        "constrainedby", "der",         "discrete",   "each",
        "else",          "elseif",      "elsewhen",   "encapsulated",
        "end",           "enumeration", "equation",   "expandable",
        "extends",       "external",    "false",      "final",
        "flow",          "for",         "function",   "if",
        "import",        "impure",      "in",         "initial",
        "inner",         "input",       "loop",       "model",
        "not",           "operator",    "or",         "outer",
        "output",        "package",     "parameter",  "partial",
        "protected",     "public",      "pure",       "record",
        "redeclare",     "replaceable", "return",     "stream",
        "then",          "true",        "type",       "when",
        "while",         "within",      "time"};
    bool is_plain = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c && is_plain; c++)
        is_plain = isalnum((unsigned char)*c) || *c == '_';
    for (size_t i = 0; i < sizeof words / sizeof *words && is_plain; i++)
        is_plain = strcmp(words[i], name) != 0;
    if (is_plain || block_is_quoted(name)) {
        builder_append_text(out, name);
        return;
    }
    builder_append_character(out, '\'');
    for (; *name; name++) {
        if (*name == '\'' || *name == '\\')
            builder_append_character(out, '\\');
        builder_append_character(out, *name);
    }
    builder_append_character(out, '\'');
}

static void block_number(StringBuilder *out, double value)
{
    char text[NUMBER_LENGTH];
    number_print(value, text);
    builder_append_text(out, text);
}

static const char *block_type(const FmuVariable *v)
{
    return v->type <= FMU_FLOAT32 ? "Real" : v->type == FMU_BOOLEAN ? "Boolean" : "Integer";
}

// Element k of the start value, as a literal of the variable's type; false: there is none.
static bool block_start(StringBuilder *out, const FmuVariable *v, uint32_t k)
{
    const char *text = v->start_text ? v->start_text : "";
    for (uint32_t i = 0; i < k; i++) {
        text += strspn(text, " \t\n\r");
        text += strcspn(text, " \t\n\r");
    }
    text += strspn(text, " \t\n\r");
    size_t length = strcspn(text, " \t\n\r");
    double value = v->start;
    const bool is_negative = *text == '-';
    if (length && v->type == FMU_BOOLEAN)
        value = *text == 't' || *text == '1';
    else if (length && number_read(text + is_negative, length - is_negative, &value))
        value = is_negative ? -value : value;
    else if (v->size > 1)
        value = NAN;
    if (!isfinite(value))
        return false;
    if (v->type == FMU_BOOLEAN)
        builder_append_text(out, value != 0.0 ? "true" : "false");
    else
        block_number(out, value);
    return true;
}

// {1, 2} of an array, 1 of a scalar. False: a value is missing.
static bool block_starts(StringBuilder *out, const FmuVariable *v)
{
    bool is_fine = true;
    builder_append_text(out, v->size > 1 ? "{" : "");
    for (uint32_t k = 0; k < v->size && is_fine; k++) {
        builder_append_text(out, k ? ", " : "");
        is_fine = block_start(out, v, k);
    }
    builder_append_text(out, v->size > 1 ? "}" : "");
    return is_fine;
}

// ---------------------------------------------------------------------------
// Declarations
// ---------------------------------------------------------------------------

static void block_declare(StringBuilder *out, const FmuVariable *v)
{
    const BlockRole role = block_role(v);
    builder_append_format(out,
                          role == BLOCK_PARAMETER ? "  parameter %s "
                          : role == BLOCK_LOCAL   ? "  %s "
                                                  : "  Fmu%s%s ",
                          block_type(v), role == BLOCK_INPUT ? "Input" : "Output");
    block_name(out, v->name);
    if (v->size > 1)
        builder_append_format(out, "[%u]", v->size);
    if (v->unit && v->type == FMU_FLOAT64) {
        builder_append_text(out, v->size > 1 ? "(each unit = " : "(unit = ");
        builder_append_quoted(out, v->unit, strlen(v->unit));
        builder_append_text(out, ")");
    }
    StringBuilder start = builder_create(out->arena);
    if (role == BLOCK_PARAMETER && block_starts(&start, v))
        builder_append_format(out, " = %s", builder_string(&start).text);
    if (v->text) {
        builder_append_text(out, " ");
        builder_append_quoted(out, v->text, strlen(v->text));
    }
    builder_append_text(out, ";\n");
}

// {a, if b then 1 else 0, v[1], v[2]}: the variables of a role, as Reals. Of inputs, with starts:
// their start values.
static void block_vector(StringBuilder *out, const FmuDescription *d, BlockRole role, bool starts)
{
    uint32_t count = 0;
    builder_append_text(out, "{");
    for (uint32_t i = 0; i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        for (uint32_t k = 0; block_role(v) == role && k < v->size; k++) {
            const bool is_flag = v->type == FMU_BOOLEAN;
            builder_append_text(out, count++ ? ", " : "");
            builder_append_text(out, is_flag ? "if " : "");
            const bool is_start = starts && block_start(out, v, k);
            if (starts && !is_start)
                builder_append_text(out, is_flag ? "false" : "0");
            if (!starts)
                block_name(out, v->name);
            if (!starts && v->size > 1)
                builder_append_format(out, "[%u]", k + 1);
            builder_append_text(out, is_flag ? " then 1 else 0" : "");
        }
    }
    builder_append_text(out, count ? "}" : "0}");
}

static uint32_t block_elements(const FmuDescription *d, BlockRole role)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->variable_count; i++)
        count += block_role(&d->variables[i]) == role ? d->variables[i].size : 0;
    return count;
}

// What a call gives back: outputs, or all variables.
static bool block_is_given(const FmuVariable *v, bool is_whole)
{
    const BlockRole role = block_role(v);
    return role == BLOCK_OUTPUT || (is_whole && role != BLOCK_NONE);
}

static uint32_t block_given(const FmuDescription *d, bool is_whole)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->variable_count; i++)
        count += block_is_given(&d->variables[i], is_whole) ? d->variables[i].size : 0;
    return count;
}

// y = fmuOutputs[1]; and so on, from an element of a vector on.
static void block_outputs(StringBuilder *out, const FmuDescription *d, const char *vector,
                          uint32_t from, bool is_whole)
{
    for (uint32_t i = 0; i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        const BlockRole role = block_role(v);
        const bool is_made = role == BLOCK_OUTPUT || role == BLOCK_LOCAL;
        for (uint32_t k = 0; block_is_given(v, is_whole) && k < v->size; k++) {
            const char *type = block_type(v);
            from++;
            if (!is_made)
                continue;
            builder_append_text(out, "  ");
            block_name(out, v->name);
            if (v->size > 1)
                builder_append_format(out, "[%u]", k + 1);
            builder_append_format(out,
                                  type[0] == 'R'   ? " = %s[%u];\n"
                                  : type[0] == 'B' ? " = %s[%u] > 0.5;\n"
                                                   : " = integer(%s[%u] + 0.5);\n",
                                  vector, from);
        }
    }
}

// ---------------------------------------------------------------------------
// The two kinds
// ---------------------------------------------------------------------------

static uint32_t at_least_one(uint32_t count)
{
    return count ? count : 1;
}

static void block_function(StringBuilder *out, const char *name, const char *purity, bool has_x)
{
    builder_append_format(out,
                          "  %s function fmu_%s\n    input String file, name;\n%s    input Real "
                          "t;\n%s    input Real p[:], u[:];\n    input Integer n;\n    output Real "
                          "y[n];\n    external \"C\" saltus_fmu_%s(file, name, %st, %sp, u, y);\n"
                          "  end fmu_%s;\n",
                          purity, name, has_x ? "    input Real number;\n" : "",
                          has_x ? "    input Real x[:];\n" : "", name, has_x ? "number, " : "",
                          has_x ? "x, " : "", name);
}

static void block_steps(StringBuilder *out, const FmuDescription *d, bool is_whole)
{
    const uint32_t inputs = at_least_one(block_elements(d, BLOCK_INPUT));
    const uint32_t outputs = at_least_one(block_given(d, is_whole));
    block_function(out, "step", "impure", false);
    builder_append_format(out,
                          "  discrete Real fmuInputs[%u](start = inputStart, each fixed = true);\n"
                          "  discrete Real fmuOutputs[%u];\nequation\n"
                          "  when {initial(), sample(0, communicationInterval)} then\n"
                          "    fmuOutputs = fmu_step(fmuFile, fmuName, time, ",
                          inputs, outputs);
    block_vector(out, d, BLOCK_PARAMETER, false);
    builder_append_format(out, ", pre(fmuInputs), %u);\n    fmuInputs = ", outputs);
    block_vector(out, d, BLOCK_INPUT, false);
    builder_append_text(out, ";\n  end when;\n");
    block_outputs(out, d, "fmuOutputs", 0, is_whole);
}

static void block_flows(StringBuilder *out, const FmuDescription *d, bool is_whole, uint32_t states,
                        uint32_t indicators)
{
    const uint32_t room = at_least_one(states), outputs = block_given(d, is_whole);
    const uint32_t all = at_least_one(states + indicators + outputs);
    StringBuilder p = builder_create(out->arena), u = builder_create(out->arena);
    block_vector(&p, d, BLOCK_PARAMETER, false);
    block_vector(&u, d, BLOCK_INPUT, false);
    const char *given = builder_string(&p).text, *inputs = builder_string(&u).text;
    block_function(out, "begin", "impure", false);
    block_function(out, "event", "impure", true);
    block_function(out, "flow", "pure", true);
    builder_append_format(out,
                          "  Real fmuStates[%u];\n  discrete Real fmuBegin[%u], fmuEvent[%u];\n"
                          "  discrete Real fmuNext;\n"
                          "  discrete Real fmuNumber(start = 0, fixed = true);\n"
                          "  Real fmuFlow[%u];\ninitial equation\n",
                          room, room + 1, room + 1, all);
    for (uint32_t i = 1; i <= room; i++)
        builder_append_format(out, "  fmuStates[%u] = fmuBegin[%u];\n", i, i);
    builder_append_format(out,
                          "equation\n  when initial() then\n    fmuBegin = fmu_begin(fmuFile, "
                          "fmuName, time, %s, inputStart, %u);\n  end when;\n"
                          "  fmuFlow = fmu_flow(fmuFile, fmuName, fmuNumber, time, fmuStates, %s, "
                          "%s, %u);\n",
                          given, room + 1, given, inputs, all);
    for (uint32_t i = 1; i <= room; i++)
        builder_append_format(
            out, states ? "  der(fmuStates[%u]) = fmuFlow[%u];\n" : "  der(fmuStates[%u]) = 0;\n",
            i, i);
    builder_append_format(out,
                          "  fmuNext = if fmuNumber < 0.5 then fmuBegin[%u] else "
                          "fmuEvent[%u];\n  when {time >= pre(fmuNext)",
                          room + 1, room + 1);
    for (uint32_t i = 1; i <= indicators; i++)
        builder_append_format(out, ", fmuFlow[%u] > 0, fmuFlow[%u] <= 0", states + i, states + i);
    builder_append_format(out,
                          "} then\n    fmuNumber = pre(fmuNumber) + 1;\n    fmuEvent = "
                          "fmu_event(fmuFile, fmuName, pre(fmuNumber), time, pre(fmuStates), %s, "
                          "%s, %u);\n",
                          given, inputs, room + 1);
    for (uint32_t i = 1; i <= states; i++)
        builder_append_format(out, "    reinit(fmuStates[%u], fmuEvent[%u]);\n", i, i);
    builder_append_text(out, "  end when;\n");
    block_outputs(out, d, "fmuFlow", states + indicators, is_whole);
}

// ---------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------

// Of the block alone.
static void block_experiment(StringBuilder *out, const FmuDescription *d)
{
    const struct {
        const char *name;
        double value;
    } all[] = {{"StartTime", d->start_time},
               {"StopTime", d->stop_time},
               {"Tolerance", d->tolerance > 0.0 ? d->tolerance : NAN},
               {"Interval", d->step > 0.0 ? d->step : NAN}};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!isfinite(all[i].value))
            continue;
        builder_append_format(out, "%s%s = ", count++ ? ", " : "  annotation(experiment(",
                              all[i].name);
        block_number(out, all[i].value);
    }
    builder_append_text(out, count ? "));\n" : "");
}

static bool block_check(const FmuDescription *d, bool is_whole, char **message)
{
    for (uint32_t i = 0; i < d->variable_count; i++) {
        const FmuVariable *v = &d->variables[i];
        const bool is_there = block_is_given(v, is_whole) || block_role(v) != BLOCK_LOCAL;
        for (const char *c = v->name; *c && is_there; c++)
            if (iscntrl((unsigned char)*c))
                return message_set(message, "the name of a variable has a control character in it");
        if (block_is_given(v, is_whole) && v->size == 0)
            return message_set(message, "the size of %s depends on structural parameters", v->name);
    }
    return true;
}

// Local variables cost an evaluation of them all, and more to be written.
bool block_shows_locals(const FmuDescription *d)
{
    enum { MOST_LOCALS = 200 };
    return block_elements(d, BLOCK_LOCAL) <= MOST_LOCALS && block_check(d, true, NULL);
}

bool block_write(StringBuilder *out, const FmuDescription *d, const char *path, const char *name,
                 bool is_whole, uint32_t states, uint32_t indicators, char **message)
{
    if (!block_check(d, is_whole, message))
        return false;
    builder_append_text(out, "block ");
    block_name(out, name);
    builder_append_text(out, " ");
    if (d->text)
        builder_append_quoted(out, d->text, strlen(d->text));
    builder_append_text(out, "\n");
    static const char *const types[] = {"Real", "Integer", "Boolean"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        builder_append_format(out,
                              "  connector Fmu%sInput = input %s;\n"
                              "  connector Fmu%sOutput = output %s;\n",
                              types[i], types[i], types[i], types[i]);
    for (uint32_t i = 0; i < d->variable_count; i++)
        if (block_is_given(&d->variables[i], is_whole) ||
            block_role(&d->variables[i]) == BLOCK_INPUT ||
            block_role(&d->variables[i]) == BLOCK_PARAMETER)
            block_declare(out, &d->variables[i]);
    builder_append_format(
        out, "  parameter Real inputStart[%u] = ", at_least_one(block_elements(d, BLOCK_INPUT)));
    block_vector(out, d, BLOCK_INPUT, true);
    builder_append_text(out, " \"inputs while the FMU is initialized\";\n");
    if (!block_is_exchange(d)) {
        const double step = d->step > 0.0 ? d->step : (d->stop_time - d->start_time) / 500.0;
        builder_append_text(out, "  parameter Real communicationInterval(unit = \"s\")");
        if (step > 0.0 && isfinite(step)) {
            builder_append_text(out, " = ");
            block_number(out, step);
        }
        builder_append_text(out, " \"time between communication points\";\n");
    }
    builder_append_text(out, "protected\n  parameter String fmuName = getInstanceName();\n"
                             "  constant String fmuFile = ");
    StringBuilder file = builder_create(out->arena); // see blocks.c
    builder_append_format(&file, "%s%s", path, is_whole ? "*" : "");
    builder_append_quoted(out, file.text, file.length);
    builder_append_text(out, ";\n");
    if (block_is_exchange(d))
        block_flows(out, d, is_whole, states, indicators);
    else
        block_steps(out, d, is_whole);
    block_experiment(out, d);
    builder_append_text(out, "end ");
    block_name(out, name);
    builder_append_text(out, ";\n");
    return true;
}
