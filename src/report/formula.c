// SPDX-License-Identifier: MIT
//
// LaTeX's notation to MathML: see formula.h. A formula is read once, from left to right, by
// functions that mirror MathML's elements. An atom that turns out to have scripts is wrapped
// afterwards: its text is taken back from the end of the output.

#include "report/formula.h"

#include "plot/svg.h"

#include <ctype.h>
#include <string.h>

typedef struct FormulaReader {
    StringBuilder *out;
    const char *at, *end;
    int depth;         // of groups: bounded, whatever the text is
    bool is_inside;    // of |...|: the next bar closes
    bool is_operand;   // what was read last can stand before a binary operator
    bool is_stretched; // the next bracket stands behind \\left or \\right
} FormulaReader;

enum { FORMULA_DEPTH_MOST = 64 };

static const struct {
    const char *command, *element, *text;
} formula_symbols[] = {
    {"alpha", "mi", "α"},      {"beta", "mi", "β"},        {"gamma", "mi", "γ"},
    {"delta", "mi", "δ"},      {"varepsilon", "mi", "ε"},  {"lambda", "mi", "λ"},
    {"mu", "mi", "μ"},         {"pi", "mi", "π"},          {"rho", "mi", "ρ"},
    {"tau", "mi", "τ"},        {"varphi", "mi", "φ"},      {"omega", "mi", "ω"},
    {"Delta", "mi", "Δ"},      {"Omega", "mi", "Ω"},       {"infty", "mi", "∞"},
    {"sin", "mi", "sin"},      {"cos", "mi", "cos"},       {"tan", "mi", "tan"},
    {"exp", "mi", "exp"},      {"ln", "mi", "ln"},         {"max", "mi", "max"},
    {"min", "mi", "min"},      {"arctan", "mi", "arctan"}, {"cdot", "mo", "·"},
    {"times", "mo", "×"},      {"le", "mo", "≤"},          {"ge", "mo", "≥"},
    {"ne", "mo", "≠"},         {"approx", "mo", "≈"},      {"pm", "mo", "±"},
    {"to", "mo", "→"},         {"in", "mo", "∈"},          {"partial", "mo", "∂"},
    {"{", "mo", "{"},          {"}", "mo", "}"},           {",", "mspace", "0.17em"},
    {";", "mspace", "0.28em"}, {"quad", "mspace", "1em"},  {"qquad", "mspace", "2em"},
};

static const struct {
    const char *command, *open, *close;
} formula_accents[] = {
    {"sqrt", "<msqrt>", "</msqrt>"},
    {"dot", "<mover accent=\"true\">", "<mo>˙</mo></mover>"},
    {"ddot", "<mover accent=\"true\">", "<mo>¨</mo></mover>"},
    {"hat", "<mover accent=\"true\">", "<mo>^</mo></mover>"},
    {"bar", "<mover accent=\"true\">", "<mo>¯</mo></mover>"},
};

static void formula_read_row(FormulaReader *r);

static bool formula_skip(FormulaReader *r, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || strncmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void formula_skip_blanks(FormulaReader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

// The text of a group {...}, as it stands; the reader is behind it.
static String formula_group_text(FormulaReader *r)
{
    formula_skip_blanks(r);
    if (!formula_skip(r, "{"))
        return (String){"", 0};
    const char *begin = r->at;
    while (r->at < r->end && *r->at != '}')
        r->at++;
    const String text = {(char *)(uintptr_t)begin, (size_t)(r->at - begin)};
    formula_skip(r, "}");
    return text;
}

static void formula_read_group(FormulaReader *r)
{
    formula_skip_blanks(r);
    builder_append_text(r->out, "<mrow>");
    if (r->depth < FORMULA_DEPTH_MOST && formula_skip(r, "{")) {
        r->depth++;
        formula_read_row(r);
        r->depth--;
        formula_skip(r, "}");
    } else if (r->at < r->end) {
        // One character without braces, as in x^2.
        builder_append_text(r->out, isdigit((unsigned char)*r->at) ? "<mn>" : "<mi>");
        const size_t step = utf8_length(r->at, (size_t)(r->end - r->at));
        svg_escape(r->out, r->at, step ? step : 1);
        builder_append_text(r->out, isdigit((unsigned char)*r->at) ? "</mn>" : "</mi>");
        r->at += step ? step : 1;
    }
    builder_append_text(r->out, "</mrow>");
}

// Rows of cells until \end{...}. Of what browsers know, only styles align cells.
static void formula_read_table(FormulaReader *r, bool is_cases)
{
    static const char right[] = "<mtd style=\"text-align:right;padding-right:0\">",
                      left[] = "<mtd style=\"text-align:left;padding-left:0\">",
                      wide[] = "<mtd style=\"text-align:left\">";
    bool is_right = !is_cases;
    formula_group_text(r);
    builder_append_format(r->out, "%s<mtr>%s",
                          is_cases ? "<mrow><mo form=\"prefix\" stretchy=\"true\">{</mo><mtable>"
                                   : "<mtable displaystyle=\"true\">",
                          is_cases ? wide : right);
    r->depth++;
    while (r->at < r->end && r->depth < FORMULA_DEPTH_MOST) {
        formula_read_row(r);
        const bool is_next = formula_skip(r, "&");
        if (!is_next && !formula_skip(r, "\\\\"))
            break;
        is_right = !is_cases && !(is_next && is_right);
        builder_append_format(r->out, "%s%s", is_next ? "</mtd>" : "</mtd></mtr><mtr>",
                              is_cases   ? wide
                              : is_right ? right
                                         : left);
    }
    r->depth--;
    if (formula_skip(r, "\\end"))
        formula_group_text(r);
    builder_append_text(r->out,
                        is_cases ? "</mtd></mtr></mtable></mrow>" : "</mtd></mtr></mtable>");
}

static void formula_append_symbol(StringBuilder *out, size_t k)
{
    const char *element = formula_symbols[k].element, *text = formula_symbols[k].text;
    if (strcmp(element, "mspace") == 0)
        builder_append_format(out, "<mspace width=\"%s\"/>", text);
    else
        builder_append_format(out, "<%s>%s</%s>", element, text, element);
}

static void formula_read_command(FormulaReader *r)
{
    const char *name = r->at;
    while (r->at < r->end && isalpha((unsigned char)*r->at))
        r->at++;
    if (r->at == name && r->at < r->end)
        r->at++;
    const size_t length = (size_t)(r->at - name);
    for (size_t k = 0; k < sizeof formula_symbols / sizeof *formula_symbols; k++)
        if (strlen(formula_symbols[k].command) == length &&
            strncmp(formula_symbols[k].command, name, length) == 0) {
            formula_append_symbol(r->out, k);
            r->is_operand = strcmp(formula_symbols[k].element, "mi") == 0;
            return;
        }
    for (size_t k = 0; k < sizeof formula_accents / sizeof *formula_accents; k++)
        if (strlen(formula_accents[k].command) == length &&
            strncmp(formula_accents[k].command, name, length) == 0) {
            builder_append_text(r->out, formula_accents[k].open);
            formula_read_group(r);
            builder_append_text(r->out, formula_accents[k].close);
            return;
        }
    if (length == 4 && strncmp(name, "frac", 4) == 0) {
        builder_append_text(r->out, "<mfrac>");
        formula_read_group(r);
        formula_read_group(r);
        builder_append_text(r->out, "</mfrac>");
    } else if ((length == 4 && strncmp(name, "text", 4) == 0) ||
               (length == 6 && strncmp(name, "mathrm", 6) == 0)) {
        const String text = formula_group_text(r);
        builder_append_text(r->out, "<mtext>");
        svg_escape(r->out, text.text, text.length);
        builder_append_text(r->out, "</mtext>");
    } else if (length == 5 && strncmp(name, "begin", 5) == 0) {
        formula_read_table(r, r->end - r->at > 6 && strncmp(r->at, "{cases", 6) == 0);
    } else if ((length == 4 && strncmp(name, "left", 4) == 0) ||
               (length == 5 && strncmp(name, "right", 5) == 0)) {
        r->is_stretched = true;
    } else {
        builder_append_text(r->out, "<mtext>\\");
        svg_escape(r->out, name, length);
        builder_append_text(r->out, "</mtext>");
    }
}

// Operators say themselves whether they stand before, behind or between operands: browsers guess
// from the place in the row, which is wrong for the second factor of a product.
static void formula_read_operator(FormulaReader *r)
{
    const char c = *r->at++;
    const bool is_bar = c == '|', is_closed = is_bar && r->is_inside;
    const bool opens = c == '(' || c == '[' || (is_bar && !is_closed),
               closes = c == ')' || c == ']' || is_closed;
    const bool is_sign = (c == '-' || c == '+') && !r->is_operand;
    if (is_bar)
        r->is_inside = !r->is_inside;
    builder_append_text(r->out, "<mo");
    if (opens || closes)
        builder_append_format(r->out, " form=\"%s\" stretchy=\"%s\"", opens ? "prefix" : "postfix",
                              r->is_stretched ? "true" : "false");
    else if (is_sign)
        builder_append_text(r->out, " form=\"prefix\"");
    else if (c == '/')
        builder_append_text(r->out, " lspace=\"0\" rspace=\"0\"");
    builder_append_character(r->out, '>');
    if (c == ':' && formula_skip(r, "="))
        builder_append_text(r->out, "≔");
    else if (c == '-')
        builder_append_text(r->out, "−");
    else if (c == '\'')
        builder_append_text(r->out, "′");
    else
        svg_escape(r->out, &c, 1);
    builder_append_text(r->out, "</mo>");
    r->is_operand = closes || c == '\'';
    r->is_stretched = false;
}

static void formula_read_atom(FormulaReader *r)
{
    const unsigned char c = (unsigned char)*r->at;
    if (c == '{') {
        formula_read_group(r);
    } else if (c == '\\') {
        r->at++;
        formula_read_command(r);
    } else if (isdigit(c)) {
        const char *begin = r->at;
        while (r->at < r->end &&
               (isdigit((unsigned char)*r->at) ||
                (*r->at == '.' && r->at + 1 < r->end && isdigit((unsigned char)r->at[1]))))
            r->at++;
        builder_append_format(r->out, "<mn>%.*s</mn>", (int)(r->at - begin), begin);
        r->is_operand = true;
    } else if (isalpha(c) || c >= 0x80) {
        size_t length = 1; // of a UTF-8 character
        while (c >= 0xc0 && r->at + length < r->end &&
               ((unsigned char)r->at[length] & 0xc0) == 0x80)
            length++;
        builder_append_text(r->out, "<mi>");
        svg_escape(r->out, r->at, length);
        builder_append_text(r->out, "</mi>");
        r->at += length;
        r->is_operand = true;
    } else {
        formula_read_operator(r);
    }
}

// The atom that begins at `begin` of the output gets its scripts.
static void formula_read_scripts(FormulaReader *r, size_t begin)
{
    const bool has_lower = r->at < r->end && *r->at == '_',
               has_upper = r->at < r->end && *r->at == '^';
    if (!has_lower && !has_upper)
        return;
    Arena *arena = r->out->arena;
    const String base = {arena_copy_text(arena, r->out->text + begin, r->out->length - begin),
                         r->out->length - begin};
    r->out->length = begin;
    r->at++;
    StringBuilder *out = r->out, scripts[2] = {builder_create(arena), builder_create(arena)};
    r->out = &scripts[has_upper];
    formula_read_group(r);
    const bool has_other = r->at < r->end && *r->at == (has_lower ? '^' : '_');
    if (has_other) {
        r->at++;
        r->out = &scripts[!has_upper];
        formula_read_group(r);
    }
    r->out = out;
    const char *element = has_other ? "msubsup" : has_lower ? "msub" : "msup";
    builder_append_format(out, "<%s>", element);
    builder_append(out, base.text, base.length);
    for (size_t i = 0; i < 2; i++)
        builder_append(out, scripts[i].length ? scripts[i].text : "", scripts[i].length);
    builder_append_format(out, "</%s>", element);
}

// Until the end of the group or cell.
static void formula_read_row(FormulaReader *r)
{
    builder_append_text(r->out, "<mrow>");
    r->is_operand = false;
    for (formula_skip_blanks(r); r->at < r->end; formula_skip_blanks(r)) {
        const size_t left = (size_t)(r->end - r->at);
        if (*r->at == '}' || *r->at == '&' || (left >= 2 && strncmp(r->at, "\\\\", 2) == 0) ||
            (left >= 4 && strncmp(r->at, "\\end", 4) == 0))
            break;
        const size_t begin = r->out->length;
        const char *before = r->at;
        formula_read_atom(r);
        formula_read_scripts(r, begin);
        if (r->at == before)
            break;
    }
    builder_append_text(r->out, "</mrow>");
    r->is_operand = true;
}

void formula_mathml(StringBuilder *out, const char *latex, size_t length, bool is_display)
{
    FormulaReader reader = {.out = out, .at = latex, .end = latex + length};
    builder_append_text(out, is_display ? "<math display=\"block\">" : "<math>");
    formula_read_row(&reader);
    builder_append_text(out, "</math>");
}
