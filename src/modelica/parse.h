// SPDX-License-Identifier: MIT
//
// What the files of the parser share; for them only (parser.c, parse_*.c).
//
// Every function parse_RULE begins at the first token of its rule of the grammar and leaves behind
// the last. After an error the parser is *recovering*: no rule consumes anything, no error is
// reported, lists end, until a separator of the level of elements, equations or statements has
// been found. So one mistake gives one message.

#ifndef SALTUS_MODELICA_PARSE_H
#define SALTUS_MODELICA_PARSE_H

#include "modelica/lexer.h"

// What is open and will need an `end`: a class (TOKEN_IDENTIFIER, with its name), or if, for,
// when, while (their tokens). A list through the frames of the parse functions.
typedef struct Opened Opened;
struct Opened {
    TokenKind kind;
    const Name *name;
    Span span; // of the class's name or the keyword
    // An `else if` of this `if`, which opens an `if` of its own: perhaps `elseif` was meant.
    Span else_if;
    Opened *outer;
};

typedef struct Parser {
    Compilation *compilation;
    Arena *arena;
    Lexer lexer;
    Token token; // the current one, not consumed yet
    Token ahead; // the one behind it, if has_ahead
    bool has_ahead;
    bool last_had_error; // the lexer complained about the token consumed last
    bool is_recovering;
    bool is_in_annotation;
    uint32_t last_end; // end of the token consumed last
    unsigned depth;    // of rules that contain themselves
    unsigned subscript_depth;
    unsigned bracket_depth;       // of matrices that are open
    unsigned error_bracket_depth; // the same when the error happened
    unsigned matrix_lookups;      // how often the end of a matrix was looked for in recovering
    Opened *opened;
    ClassDefinition *enclosing;
    // Lists grow on this stack and are copied to the arena when they are complete.
    char *stack;
    size_t stack_size;
    size_t stack_capacity;
    const Name *der_name, *initial_name, *pure_name;
} Parser;

// ---------------------------------------------------------------------------
// Tokens (parser.c)
// ---------------------------------------------------------------------------

void parse_advance(Parser *p);
TokenKind parse_peek(Parser *p); // the kind of the token behind the current one

static inline bool parse_at(const Parser *p, TokenKind kind)
{
    return p->token.kind == kind && !p->is_recovering;
}
static inline bool parse_accept(Parser *p, TokenKind kind)
{
    if (!parse_at(p, kind))
        return false;
    parse_advance(p);
    return true;
}
// Consumes the token or reports "expected ... `where`, found ...".
bool parse_expect(Parser *p, TokenKind kind, const char *where);
// The same for a closing token; says where the opening one is, if that is on another line.
void parse_expect_closing(Parser *p, TokenKind kind, const char *where, uint32_t opened);
// A comma between arguments in parentheses; a semicolon within a line is reported and taken.
bool parse_accept_separator(Parser *p);
// IDENT; NULL if there is none, which is reported: "expected `what`".
const Name *parse_identifier(Parser *p, const char *what, Span *span);

// ---------------------------------------------------------------------------
// Errors (parser.c)
// ---------------------------------------------------------------------------

// Reports an error and begins to recover. NULL while recovering.
Diagnostic *parse_fail(Parser *p, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
// Reports an error the parser knows how to go on after. NULL while recovering.
Diagnostic *parse_complain(Parser *p, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
// Adds a note, if there is something to add it to.
void parse_note(Parser *p, Diagnostic *of, Span span, const char *format, ...) TEXT_FORMAT(4, 5);
// "expected `what`, found ..."
void parse_fail_expected(Parser *p, const char *what);
// "identifier 'x'", "keyword 'end'", "end of file", for messages.
const char *parse_found(Parser *p);

// The ';' behind `what` ("the equation"). Ends recovering, if there was an error within.
void parse_semicolon(Parser *p, const char *what);
// Skips to the next place where an element, equation or statement can begin.
void parse_synchronize(Parser *p);
// The same, if nothing was consumed since the token at `before`: nothing wants the current one.
void parse_ensure_progress(Parser *p, uint32_t before);

// `end if`, `end for`, ... or `end NAME` of what was opened last, and closes it.
void parse_open(Parser *p, Opened *opened, TokenKind kind, const Name *name, Span span);
void parse_close(Parser *p);
// An `end if` (...) that closes nothing: reports and skips it.
bool parse_stray_end(Parser *p);

// Goes one level deeper, false if that is too deep; then the rest of the file is not read.
bool parse_enter(Parser *p);
static inline void parse_leave(Parser *p)
{
    p->depth--;
}

// ---------------------------------------------------------------------------
// Lists (parser.c)
// ---------------------------------------------------------------------------

// size_t mark = p->stack_size; parse_push(...)...; items = parse_take(p, mark, ...);
void parse_push(Parser *p, const void *item, size_t size);
void *parse_take(Parser *p, size_t mark, size_t item_size, uint32_t *count); // NULL for none

#define PARSE_PUSH(p, item) parse_push((p), &(item), sizeof(item))
#define PARSE_TAKE(p, mark, type, count) ((type *)parse_take((p), (mark), sizeof(type), (count)))

static inline Span parse_span_from(const Parser *p, uint32_t begin)
{
    return (Span){begin, p->last_end > begin ? p->last_end : begin};
}

// ---------------------------------------------------------------------------
// Rules
// ---------------------------------------------------------------------------

// parse_node.c: nodes reach from `begin` to the last token.
Expression *node_new(Parser *p, ExpressionKind kind, uint32_t begin); // a leaf
Expression *node_error(Parser *p);
Expression *node_unary(Parser *p, SyntaxOperator op, Expression *operand, uint32_t begin);
Expression *node_binary(Parser *p, SyntaxOperator op, Expression *left, Expression *right,
                        uint32_t begin);
// Makes the node higher than its children. NULL counts as no child.
void node_raise_above(Expression *e, const Expression *child);
void node_raise_above_all(Expression *e, Expression *const *children, uint32_t count);
void node_raise_above_named(Expression *e, const NamedExpression *named, uint32_t count);
void node_raise_above_subscripts(Expression *e, const Reference *reference);
// Every node above others passes through here: trees stay so low that recursion is safe.
Expression *node_limit_height(Parser *p, Expression *e);

// parse_expression.c
Expression *parse_expression(Parser *p);
Expression *parse_simple_expression(Parser *p);
Expression *parse_condition(Parser *p); // an expression; '=' in it is reported and taken as '=='

// parse_primary.c
Expression *parse_primary(Parser *p);
Reference *parse_type_specifier(Parser *p, const char *what);
Reference *parse_name(Parser *p, const char *what);
Reference *parse_component_reference(Parser *p, const char *what);
Expression *parse_function_call_args(Parser *p, Reference *function);
Expression **parse_expression_list(Parser *p, uint32_t *count);
Expression **parse_array_subscripts(Parser *p, uint32_t *count);
NamedExpression *parse_for_indices(Parser *p, uint32_t *count);
size_t parse_output_expression_list(Parser *p); // onto the stack; how many

// parse_modification.c
Modification *parse_modification(Parser *p);
Modification *parse_class_modification(Parser *p);
Modification *parse_class_or_inheritance_modification(Parser *p);
Modification *parse_annotation_clause(Parser *p);
Description *parse_description(Parser *p);
String parse_description_string(Parser *p);

// parse_class.c
StoredDefinition *parse_stored_definition(Parser *p);
ClassDefinition *parse_class_definition(Parser *p);
ClassDefinition *parse_short_class_definition(Parser *p);
bool parse_begins_class(const Parser *p);

// parse_element.c
// Pushes one element, or one per component of a clause.
void parse_element(Parser *p, bool is_protected);
// Element-redeclaration and element-replaceable; false if the argument is a plain modification,
// of which only the prefixes were read.
bool parse_redeclaration_prefixes(Parser *p, Argument *argument);

// parse_block.c
Section *parse_section(Parser *p);
// From `if` to `end if`, from `when` to `end when`.
Section *parse_if(Parser *p, bool is_algorithm, uint32_t *count);
Section *parse_when(Parser *p, bool is_algorithm, uint32_t *count);
// `equations`, `initial equations`: says what is meant and goes on with that.
void parse_correct_section(Parser *p);
// Whether another equation or statement follows; what does not belong there is reported and
// skipped. `begin` is for parse_ensure_progress.
bool parse_section_goes_on(Parser *p, uint32_t *begin);
// `then` or `loop`. If it is missing, goes on behind it or where the block's body may begin.
void parse_header_end(Parser *p, TokenKind kind, const char *where);

// parse_equation.c
Equation **parse_equations(Parser *p, uint32_t *count);
Equation *parse_connect_equation(Parser *p);
// An equation or statement among declarations: reads and drops it. False if it is none.
bool parse_misplaced_equation(Parser *p, bool is_reported);

// parse_statement.c
Statement **parse_statements(Parser *p, uint32_t *count);
Statement *parse_statement(Parser *p);

#endif
