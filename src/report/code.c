// SPDX-License-Identifier: MIT
//
// Program text: see code.h. Marks are for the eye only, so that a list of the words that occur in
// models is enough.

#include "report/code.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char *const code_keywords[] = {
    "algorithm", "and",     "annotation",  "block",     "connect",  "connector",    "constant",
    "discrete",  "each",    "else",        "elseif",    "elsewhen", "encapsulated", "end",
    "equation",  "extends", "final",       "flow",      "for",      "function",     "if",
    "import",    "in",      "initial",     "inner",     "input",    "loop",         "model",
    "not",       "or",      "outer",       "output",    "package",  "parameter",    "partial",
    "protected", "public",  "record",      "redeclare", "then",     "type",         "when",
    "while",     "within",  "replaceable", "false",     "true",
};

static bool code_is_keyword(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof code_keywords / sizeof *code_keywords; i++)
        if (strlen(code_keywords[i]) == length && strncmp(code_keywords[i], word, length) == 0)
            return true;
    return false;
}

// The length of the word, text or comment that begins here, and its mark; NULL: none.
static size_t code_measure(const char *at, size_t left, const char **mark)
{
    size_t length = 1;
    *mark = NULL;
    if (left > 1 && at[0] == '/' && at[1] == '/') {
        *mark = "c";
        while (length < left && at[length] != '\n')
            length++;
    } else if (left > 1 && at[0] == '/' && at[1] == '*') {
        *mark = "c";
        for (length = 2; length < left && !(at[length - 1] == '*' && at[length] == '/');)
            length++;
        length += length < left;
    } else if (at[0] == '"') {
        *mark = "t";
        while (length < left && at[length] != '"')
            length += at[length] == '\\' && length + 1 < left ? 2 : 1;
        length += length < left;
    } else if (isalpha((unsigned char)at[0]) || at[0] == '_') {
        while (length < left && (isalnum((unsigned char)at[length]) || at[length] == '_'))
            length++;
        *mark = code_is_keyword(at, length) ? "k" : NULL;
    } else {
        length = utf8_prefix(at, left, 1);
    }
    return length;
}

void code_html(StringBuilder *out, String text)
{
    for (size_t i = 0; i < text.length;) {
        const char *mark;
        const size_t length = code_measure(text.text + i, text.length - i, &mark);
        if (mark)
            builder_append_format(out, "<span class=\"%s\">", mark);
        text_escape_xml(out, text.text + i, length);
        if (mark)
            builder_append_text(out, "</span>");
        i += length;
    }
}
