// SPDX-License-Identifier: MIT
//
// The texts of what the tree keeps as numbers.

#include "modelica/syntax.h"

const char *syntax_operator_text(SyntaxOperator op)
{
    static const char *const texts[] = {
#define X(name, text, precedence) text,
        SYNTAX_OPERATOR_LIST(X)
#undef X
    };
    return texts[op];
}

const char *class_kind_text(ClassKind kind)
{
    static const char *const texts[] = {
#define X(name, text) text,
        SYNTAX_CLASS_KIND_LIST(X)
#undef X
    };
    return texts[kind];
}
