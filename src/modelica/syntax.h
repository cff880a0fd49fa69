// SPDX-License-Identifier: MIT
//
// The syntax tree of Modelica 3.6 (appendix A of the specification), and what always holds in it:
//
// - Every node lives in the arena of the compilation; lists are a pointer and a count.
// - Every node has its span. Names are interned: equal if and only if the pointers are.
// - Optional parts are NULL (pointers) or zero (counts) where the text has none.
// - Parentheses have no node: the shape of the tree says what belongs together.
// - The height of an expression is at most EXPRESSION_HEIGHT_MAXIMUM, all other nesting at most
//   SYNTAX_DEPTH_MAXIMUM, so recursion over the tree is safe.
// - EXPRESSION_ERROR and names that are NULL occur only where a diagnostic was reported.

#ifndef SALTUS_MODELICA_SYNTAX_H
#define SALTUS_MODELICA_SYNTAX_H

#include "base/names.h"
#include "base/source.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SYNTAX_DEPTH_MAXIMUM = 256,       // nested parentheses, classes, modifiers, loops ...
    EXPRESSION_HEIGHT_MAXIMUM = 4096, // a sum of n terms has height n
};

typedef struct Expression Expression;
typedef struct Modification Modification;
typedef struct ClassDefinition ClassDefinition;
typedef struct Element Element;
typedef struct Equation Equation;
typedef struct Statement Statement;

// ---------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------

typedef struct ReferencePart {
    const Name *name; // a quoted identifier keeps its quotes: 'x' is not x
    Span span;        // of the identifier alone
    uint32_t subscript_count;
    Expression **subscripts; // EXPRESSION_COLON for ':'
} ReferencePart;

// a[1].b.c, .A.B: a component reference, a class name, a type specifier. In the latter two no part
// has subscripts; nor have names of imports and of derivatives, which stand alone.
typedef struct Reference {
    Span span;
    bool is_global; // begins with '.'
    uint32_t count; // at least 1
    ReferencePart parts[];
} Reference;

// "text" and annotation, each optional. Concatenated strings ("a" + "b") are joined.
typedef struct Description {
    Span span;
    String text;              // .text NULL: none
    Modification *annotation; // its arguments; NULL: none
} Description;

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

typedef enum ExpressionKind {
    EXPRESSION_ERROR,
    EXPRESSION_REAL,          // .real
    EXPRESSION_INTEGER,       // .integer
    EXPRESSION_BOOLEAN,       // .boolean
    EXPRESSION_STRING,        // .string, escapes replaced, line breaks as '\n'
    EXPRESSION_REFERENCE,     // .reference
    EXPRESSION_CALL,          // .call             f(x, y, z = 1), der(x), initial(), pure(f(x))
    EXPRESSION_COMPREHENSION, // .comprehension    {e for i in r}, sum(e for i in r, j in s)
    EXPRESSION_PARTIAL,       // .partial          function f(y = 2), as an argument only
    EXPRESSION_UNARY,         // .unary
    EXPRESSION_BINARY,        // .binary
    EXPRESSION_IF,            // .conditional      if a then b elseif c then d else e
    EXPRESSION_RANGE,         // .range            a : b, a : step : b
    EXPRESSION_ARRAY,         // .array            {a, b}
    EXPRESSION_MATRIX,        // .matrix           [a, b; c, d]
    EXPRESSION_TUPLE,         // .array            (a, , b): items may be NULL; never exactly one
    EXPRESSION_SUBSCRIPTED,   // .subscripted      (e)[1]
    EXPRESSION_MEMBER,        // .member           (e).x
    EXPRESSION_END,           // 'end' in a subscript
    EXPRESSION_COLON,         // ':' as a whole subscript
} ExpressionKind;

// The operators, weakest binding first: X(NAME, text, precedence).
#define SYNTAX_OPERATOR_LIST(X)                                                                    \
    X(OR, "or", 1)                                                                                 \
    X(AND, "and", 2)                                                                               \
    X(NOT, "not", 3)                                                                               \
    X(LESS, "<", 4)                                                                                \
    X(LESS_EQUAL, "<=", 4)                                                                         \
    X(GREATER, ">", 4)                                                                             \
    X(GREATER_EQUAL, ">=", 4)                                                                      \
    X(EQUAL, "==", 4)                                                                              \
    X(NOT_EQUAL, "<>", 4)                                                                          \
    X(ADD, "+", 5)                                                                                 \
    X(SUBTRACT, "-", 5)                                                                            \
    X(ELEMENTWISE_ADD, ".+", 5)                                                                    \
    X(ELEMENTWISE_SUBTRACT, ".-", 5)                                                               \
    X(MULTIPLY, "*", 6)                                                                            \
    X(DIVIDE, "/", 6)                                                                              \
    X(ELEMENTWISE_MULTIPLY, ".*", 6)                                                               \
    X(ELEMENTWISE_DIVIDE, "./", 6)                                                                 \
    X(POWER, "^", 7)                                                                               \
    X(ELEMENTWISE_POWER, ".^", 7)

typedef enum SyntaxOperator {
#define X(name, text, precedence) SYNTAX_##name,
    SYNTAX_OPERATOR_LIST(X)
#undef X
} SyntaxOperator;

const char *syntax_operator_text(SyntaxOperator op);

// x = 1 among arguments; i in 1:3, where the value is the range.
typedef struct NamedExpression {
    const Name *name;
    Span span;         // of the name
    Expression *value; // NULL: a range that is to be found from its use as a subscript
} NamedExpression;

typedef struct IfBranch {
    Expression *condition;
    Expression *value;
} IfBranch;

typedef struct MatrixRow {
    uint32_t count;
    Expression **items;
} MatrixRow;

struct Expression {
    ExpressionKind kind;
    uint32_t height; // 1 for a leaf, else one more than the highest child
    Span span;       // with the parentheses of its parts, without those around itself
    union {
        double real;
        int64_t integer;
        bool boolean;
        String string;
        Reference *reference;
        struct {
            // der, initial and pure are names of one part here, although they are keywords.
            Reference *function;
            Expression **arguments;
            NamedExpression *named; // always after the positional ones
            uint32_t count;
            uint32_t named_count;
        } call;
        // {e for i in r, j in s} means {{e for i in r} for j in s}.
        struct {
            Reference *function; // NULL: {body for ...}
            Expression *body;
            NamedExpression *iterators;
            uint32_t iterator_count; // at least 1
        } comprehension;
        struct {
            Reference *function;
            NamedExpression *named;
            uint32_t named_count;
        } partial;
        struct {
            SyntaxOperator op; // NOT, ADD, SUBTRACT or the elementwise signs
            Expression *operand;
        } unary;
        struct {
            Expression *left;
            Expression *right;
            SyntaxOperator op;
        } binary;
        struct {
            IfBranch *branches; // if, elseif, ...
            Expression *otherwise;
            uint32_t count; // at least 1
        } conditional;
        struct {
            Expression *start;
            Expression *step; // NULL: 1
            Expression *stop;
        } range;
        struct {
            Expression **items;
            uint32_t count;
        } array;
        struct {
            MatrixRow *rows;
            uint32_t count;
        } matrix;
        struct {
            Expression *base;
            Expression **subscripts;
            uint32_t count;
        } subscripted;
        struct {
            Expression *base;
            const Name *name;
            Span name_span;
        } member;
    };
};

// ---------------------------------------------------------------------------
// Modifications
// ---------------------------------------------------------------------------

typedef enum ArgumentKind {
    ARGUMENT_MODIFICATION,    // .name .modification .description     x.y(start = 1) = 2 "text"
    ARGUMENT_ELEMENT,         // .element      redeclare ..., replaceable ...
    ARGUMENT_BREAK_COMPONENT, // .name         break x             (only in extends)
    ARGUMENT_BREAK_CONNECT,   // .from .to     break connect(a, b) (only in extends)
} ArgumentKind;

typedef struct Argument {
    ArgumentKind kind;
    Span span;
    bool is_each;
    bool is_final; // for elements the same as element->is_final
    Reference *name;
    Modification *modification; // NULL: none, as in annotation(Evaluate)
    Description *description;   // text only
    Element *element;           // ELEMENT_CLASS or ELEMENT_COMPONENT
    Reference *from;
    Reference *to;
} Argument;

// (a = 1, b(c = 2)) = value; also the arguments of an annotation.
struct Modification {
    Span span;
    bool has_arguments; // parentheses stand there, though they may be empty
    bool is_assignment; // ':=', an old spelling of '='
    bool is_break;      // '= break': removes an inherited value
    uint32_t count;
    Argument **arguments;
    Expression *value; // NULL: none
};

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

typedef enum ElementKind {
    ELEMENT_IMPORT,    // .import
    ELEMENT_EXTENDS,   // .extends
    ELEMENT_CLASS,     // .class_definition
    ELEMENT_COMPONENT, // .component
} ElementKind;

typedef enum ImportKind {
    IMPORT_QUALIFIED,   // import A.B.C;
    IMPORT_RENAMED,     // import D = A.B.C;
    IMPORT_UNQUALIFIED, // import A.B.*;
    IMPORT_LIST,        // import A.B.{x, y};
} ImportKind;

typedef struct Import {
    ImportKind kind;
    Reference *path;
    ReferencePart alias;     // IMPORT_RENAMED
    uint32_t count;          // IMPORT_LIST
    ReferencePart *imported; // IMPORT_LIST
} Import;

typedef enum Variability {
    VARIABILITY_NONE,
    VARIABILITY_DISCRETE,
    VARIABILITY_PARAMETER,
    VARIABILITY_CONSTANT,
} Variability;

typedef enum Direction {
    DIRECTION_NONE,
    DIRECTION_INPUT,
    DIRECTION_OUTPUT,
} Direction;

typedef enum ConnectorRole {
    ROLE_NONE, // a potential
    ROLE_FLOW,
    ROLE_STREAM,
} ConnectorRole;

// What the components of one clause share: `flow input Real[3] a, b;`. Two elements come from one
// clause if their clause pointers are equal.
typedef struct ComponentClause {
    Span span; // prefixes and type
    ConnectorRole role;
    Variability variability;
    Direction direction;
    Reference *type;
    uint32_t subscript_count; // of the type; they come after those of the component
    Expression **subscripts;
} ComponentClause;

typedef struct Component {
    const ComponentClause *clause;
    const Name *name;
    Span name_span;
    uint32_t subscript_count;
    Expression **subscripts;
    Modification *modification; // attributes and binding
    Expression *condition;      // if ...
} Component;

// constrainedby A(x = 1)
typedef struct Constraint {
    Span span;
    Reference *type;
    Modification *modification;
    Description *description;
} Constraint;

struct Element {
    ElementKind kind;
    Span span; // without ';'. The components of one clause have one span each
    bool is_protected;
    bool is_redeclare;
    bool is_final;
    bool is_inner;
    bool is_outer;
    bool is_replaceable;
    Constraint *constraint;   // of a replaceable element
    Description *description; // of import, extends and component; a class has its own
    union {
        Import *import;
        struct {
            Reference *type;
            Modification *modification;
        } extends; // A(x = 1) annotation(...); the annotation is in the element's description
        ClassDefinition *class_definition;
        Component *component;
    };
};

// ---------------------------------------------------------------------------
// Equations and statements
// ---------------------------------------------------------------------------

// Of a class; or a branch of an if or a when.
typedef struct Section {
    Span span;
    Expression *condition; // of a branch; NULL: else
    bool is_initial;       // of a class
    bool is_algorithm;
    uint32_t count;
    union {
        Equation **equations;   // !is_algorithm
        Statement **statements; // is_algorithm
    };
} Section;

typedef enum EquationKind {
    EQUATION_EQUALITY, // .left .right
    EQUATION_CALL,     // .call            assert(...), reinit(...), transition(...)
    EQUATION_CONNECT,  // .connect
    EQUATION_IF,       // .branches        the last may be 'else'
    EQUATION_WHEN,     // .branches        none is 'else'
    EQUATION_FOR,      // .loop
} EquationKind;

struct Equation {
    EquationKind kind;
    Span span;
    Description *description;
    union {
        struct {
            Expression *left; // may be a tuple
            Expression *right;
        } equality;
        Expression *call; // EXPRESSION_CALL or EXPRESSION_COMPREHENSION
        struct {
            Reference *from;
            Reference *to;
        } connect;
        struct {
            Section *items;
            uint32_t count;
        } branches;
        struct {
            NamedExpression *iterators;
            Equation **equations;
            uint32_t iterator_count;
            uint32_t count;
        } loop;
    };
};

typedef enum StatementKind {
    STATEMENT_ASSIGNMENT,      // .assignment        a[1] := e
    STATEMENT_CALL_ASSIGNMENT, // .call_assignment   (a, , b) := f(x)
    STATEMENT_CALL,            // .call
    STATEMENT_BREAK,
    STATEMENT_RETURN,
    STATEMENT_IF,    // .branches          the last may be 'else'
    STATEMENT_WHEN,  // .branches          none is 'else'
    STATEMENT_FOR,   // .loop
    STATEMENT_WHILE, // .while_loop
} StatementKind;

struct Statement {
    StatementKind kind;
    Span span;
    Description *description;
    union {
        struct {
            Reference *target;
            Expression *value;
        } assignment;
        struct {
            Expression **targets; // references; NULL: this output is dropped
            Expression *call;
            uint32_t count;
        } call_assignment;
        Expression *call;
        struct {
            Section *items;
            uint32_t count;
        } branches;
        struct {
            NamedExpression *iterators;
            Statement **statements;
            uint32_t iterator_count;
            uint32_t count;
        } loop;
        struct {
            Expression *condition;
            Statement **statements;
            uint32_t count;
        } while_loop;
    };
};

// ---------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------

#define SYNTAX_CLASS_KIND_LIST(X)                                                                  \
    X(CLASS, "class")                                                                              \
    X(MODEL, "model")                                                                              \
    X(RECORD, "record")                                                                            \
    X(OPERATOR_RECORD, "operator record")                                                          \
    X(BLOCK, "block")                                                                              \
    X(CONNECTOR, "connector")                                                                      \
    X(EXPANDABLE_CONNECTOR, "expandable connector")                                                \
    X(TYPE, "type")                                                                                \
    X(PACKAGE, "package")                                                                          \
    X(FUNCTION, "function")                                                                        \
    X(OPERATOR_FUNCTION, "operator function")                                                      \
    X(OPERATOR, "operator")

typedef enum ClassKind {
#define X(name, text) CLASS_##name,
    SYNTAX_CLASS_KIND_LIST(X)
#undef X
} ClassKind;

const char *class_kind_text(ClassKind kind);

typedef enum ClassForm {
    FORM_LONG,        // .body             model A ... end A
    FORM_EXTENDING,   // .body             model extends A(x = 1) ... end A
    FORM_SHORT,       // .alias            type A = input B[3](x = 1)
    FORM_ENUMERATION, // .enumeration      type A = enumeration(a, b)
    FORM_DERIVATIVE,  // .derivative       function A = der(f, x, y)
} ClassForm;

typedef enum Purity {
    PURITY_NONE, // nothing is said, which means pure
    PURITY_PURE,
    PURITY_IMPURE,
} Purity;

// external "C" y = f(x) annotation(...)
typedef struct External {
    Span span;
    String language;      // .text NULL: none, which means "C"
    Reference *result;    // NULL: none
    const Name *function; // NULL: the name of the class
    Span function_span;
    uint32_t count;
    Expression **arguments;
    Modification *annotation;
} External;

typedef struct EnumerationLiteral {
    const Name *name;
    Span span; // of the name
    Description *description;
} EnumerationLiteral;

typedef struct ClassBody {
    uint32_t element_count;
    uint32_t section_count;
    Element **elements; // public and protected, in the order of the text
    Section **sections; // in the order of the text
    External *external;
    Modification *modification; // FORM_EXTENDING: of the class that is extended
} ClassBody;

struct ClassDefinition {
    ClassKind kind;
    ClassForm form;
    Purity purity;
    Span span;
    bool is_encapsulated;
    bool is_partial;
    bool is_final; // only of a class on the file's top level; an inner class's element has it
    const Name *name;
    Span name_span;
    ClassDefinition *enclosing; // the class whose text contains this one; NULL: top level
    String description;         // .text NULL: none
    // Usually one at most, at the end of the class; old libraries have several, anywhere.
    uint32_t annotation_count;
    Modification **annotations;
    union {
        ClassBody body;
        struct {
            Direction direction;
            Reference *type;
            Modification *modification;
            Expression **subscripts;
            uint32_t subscript_count;
        } alias;
        struct {
            bool is_open; // enumeration(:)
            uint32_t count;
            EnumerationLiteral *literals;
        } enumeration;
        struct {
            Reference *function;
            uint32_t count; // at least 1
            ReferencePart *variables;
        } derivative;
    };
};

// A file.
typedef struct StoredDefinition {
    const SourceFile *file;
    bool has_within;
    Reference *within; // NULL: 'within;' or none
    uint32_t count;
    ClassDefinition **classes;
    uint32_t comment_count;
    Span *comments; // '//' and '/* */' in the order of the text, with their marks
} StoredDefinition;

#endif
