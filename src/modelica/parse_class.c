// SPDX-License-Identifier: MIT
//
// Sections A.2.1 and A.2.2 of the specification: files and classes.

#include "modelica/parse.h"

#include <strings.h>

// ---------------------------------------------------------------------------
// Class prefixes
// ---------------------------------------------------------------------------

bool parse_begins_class(const Parser *p)
{
    switch (p->token.kind) {
    case TOKEN_ENCAPSULATED:
    case TOKEN_PARTIAL:
    case TOKEN_CLASS:
    case TOKEN_MODEL:
    case TOKEN_OPERATOR:
    case TOKEN_RECORD:
    case TOKEN_BLOCK:
    case TOKEN_EXPANDABLE:
    case TOKEN_CONNECTOR:
    case TOKEN_TYPE:
    case TOKEN_PACKAGE:
    case TOKEN_PURE:
    case TOKEN_IMPURE:
    case TOKEN_FUNCTION:
        return true;
    default:
        return false;
    }
}

static int class_kind_at(Parser *p, bool is_operator, bool is_expandable)
{
    // A keyword of a class and what it is behind `operator` or `expandable`; -1: not possible
    // there.
    static const struct {
        TokenKind token;
        int plain, operator_kind, expandable_kind;
    } words[] = {
        {TOKEN_CLASS, CLASS_CLASS, -1, -1},
        {TOKEN_MODEL, CLASS_MODEL, -1, -1},
        {TOKEN_RECORD, CLASS_RECORD, CLASS_OPERATOR_RECORD, -1},
        {TOKEN_BLOCK, CLASS_BLOCK, -1, -1},
        {TOKEN_CONNECTOR, CLASS_CONNECTOR, -1, CLASS_EXPANDABLE_CONNECTOR},
        {TOKEN_TYPE, CLASS_TYPE, -1, -1},
        {TOKEN_PACKAGE, CLASS_PACKAGE, -1, -1},
        {TOKEN_FUNCTION, CLASS_FUNCTION, CLASS_OPERATOR_FUNCTION, -1},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parse_at(p, words[i].token))
            return is_operator     ? words[i].operator_kind
                   : is_expandable ? words[i].expandable_kind
                                   : words[i].plain;
    return -1;
}

// class-prefixes :
//    [ partial ]
//    ( class
//      | model
//      | [ operator ] record
//      | block
//      | [ expandable ] connector
//      | type
//      | package
//      | [ pure | impure ] [ operator ] function
//      | operator
//    )
static void parse_class_prefixes(Parser *p, ClassDefinition *class)
{
    class->is_partial = parse_accept(p, TOKEN_PARTIAL);
    Span purity_span = p->token.span;
    if (parse_accept(p, TOKEN_PURE))
        class->purity = PURITY_PURE;
    else if (parse_accept(p, TOKEN_IMPURE))
        class->purity = PURITY_IMPURE;
    bool is_expandable = parse_accept(p, TOKEN_EXPANDABLE);
    bool is_operator = !is_expandable && parse_accept(p, TOKEN_OPERATOR);
    int kind = class_kind_at(p, is_operator, is_expandable);
    int plain_kind = class_kind_at(p, false, false);
    if (plain_kind >= 0) {
        if (kind < 0)
            parse_complain(p, p->token.span, "'%s' cannot stand before '%s'",
                           is_operator ? "operator" : "expandable", token_text(p->token.kind));
        class->kind = (ClassKind)(kind >= 0 ? kind : plain_kind);
        parse_advance(p);
    } else if (is_operator && !token_is_keyword(p->token.kind)) {
        class->kind = CLASS_OPERATOR;
    } else {
        parse_fail_expected(p, is_expandable ? "'connector' behind 'expandable'"
                               : is_operator ? "'record', 'function' or a name behind 'operator'"
                                             : "a kind of class, such as 'model' or 'function'");
    }
    if (class->purity != PURITY_NONE && class->kind != CLASS_FUNCTION &&
        class->kind != CLASS_OPERATOR_FUNCTION)
        parse_complain(p, purity_span, "'%s' stands only before 'function'",
                       class->purity == PURITY_PURE ? "pure" : "impure");
}

// ---------------------------------------------------------------------------
// Short classes
// ---------------------------------------------------------------------------

static void set_description(Parser *p, ClassDefinition *class)
{
    Description *d = parse_description(p);
    if (!d)
        return;
    class->description = d->text;
    if (d->annotation) {
        class->annotations = ARENA_ARRAY(p->arena, 1, Modification *);
        class->annotations[0] = d->annotation;
        class->annotation_count = 1;
    }
}

// enumeration-literal :
//    IDENT description
//
// enum-list :
//    enumeration-literal { "," enumeration-literal }
static EnumerationLiteral *parse_enum_list(Parser *p, uint32_t *count)
{
    size_t mark = p->stack_size;
    do {
        EnumerationLiteral literal = {0};
        literal.name = parse_identifier(p, "the name of a literal", &literal.span);
        literal.description = parse_description(p);
        PARSE_PUSH(p, literal);
    } while (parse_accept(p, TOKEN_COMMA));
    return PARSE_TAKE(p, mark, EnumerationLiteral, count);
}

// IDENT "=" enumeration "(" ( [ enum-list ] | ":" ) ")" description
static void parse_enumeration(Parser *p, ClassDefinition *class)
{
    class->form = FORM_ENUMERATION;
    parse_advance(p);
    parse_expect(p, TOKEN_LEFT_PARENTHESIS, "behind 'enumeration'");
    if (parse_accept(p, TOKEN_COLON))
        class->enumeration.is_open = true;
    else if (!parse_at(p, TOKEN_RIGHT_PARENTHESIS))
        class->enumeration.literals = parse_enum_list(p, &class->enumeration.count);
    parse_expect(p, TOKEN_RIGHT_PARENTHESIS, "behind the literals");
}

// der-class-specifier :
//    IDENT "=" der "(" type-specifier "," IDENT { "," IDENT } ")" description
static void parse_der_class_specifier(Parser *p, ClassDefinition *class)
{
    class->form = FORM_DERIVATIVE;
    parse_advance(p);
    parse_expect(p, TOKEN_LEFT_PARENTHESIS, "behind 'der'");
    class->derivative.function = parse_type_specifier(p, "the name of a function");
    size_t mark = p->stack_size;
    parse_expect(p, TOKEN_COMMA, "before the variable of the derivative");
    do {
        ReferencePart variable = {0};
        variable.name = parse_identifier(p, "the name of an input", &variable.span);
        PARSE_PUSH(p, variable);
    } while (parse_accept(p, TOKEN_COMMA));
    class->derivative.variables = PARSE_TAKE(p, mark, ReferencePart, &class->derivative.count);
    parse_expect(p, TOKEN_RIGHT_PARENTHESIS, "behind the variables");
}

// base-prefix :
//    [ input | output ]
static Direction parse_base_prefix(Parser *p)
{
    if (parse_accept(p, TOKEN_INPUT))
        return DIRECTION_INPUT;
    return parse_accept(p, TOKEN_OUTPUT) ? DIRECTION_OUTPUT : DIRECTION_NONE;
}

static void parse_alias(Parser *p, ClassDefinition *class)
{
    class->form = FORM_SHORT;
    class->alias.direction = parse_base_prefix(p);
    class->alias.type = parse_type_specifier(p, "the name of a class");
    if (parse_at(p, TOKEN_LEFT_BRACKET))
        class->alias.subscripts = parse_array_subscripts(p, &class->alias.subscript_count);
    if (parse_at(p, TOKEN_LEFT_PARENTHESIS))
        class->alias.modification = parse_class_modification(p);
}

// short-class-specifier :
//    IDENT "=" base-prefix type-specifier [ array-subscripts ]
//    [ class-modification ] description
//    | IDENT "=" enumeration "(" ( [ enum-list ] | ":" ) ")" description
//
// From "=" on; derivative classes are handled here, too.
static void parse_short_class_specifier(Parser *p, ClassDefinition *class)
{
    parse_expect(p, TOKEN_EQUALS, "behind the name of the class");
    if (parse_at(p, TOKEN_ENUMERATION))
        parse_enumeration(p, class);
    else if (parse_at(p, TOKEN_DER))
        parse_der_class_specifier(p, class);
    else
        parse_alias(p, class);
    set_description(p, class);
}

// short-class-definition :
//    class-prefixes short-class-specifier
ClassDefinition *parse_short_class_definition(Parser *p)
{
    ClassDefinition *class = ARENA_NEW(p->arena, ClassDefinition);
    uint32_t begin = p->token.span.begin;
    class->enclosing = p->enclosing;
    if (parse_at(p, TOKEN_ENCAPSULATED)) {
        parse_complain(p, p->token.span, "'encapsulated' cannot stand in a modifier");
        parse_advance(p);
    }
    parse_class_prefixes(p, class);
    class->name = parse_identifier(p, "the name of the class", &class->name_span);
    if (!p->is_recovering && !parse_at(p, TOKEN_EQUALS))
        parse_fail(p, p->token.span,
                   "expected '=', found %s; a class in a modifier "
                   "has the form %s %s = A",
                   parse_found(p), class_kind_text(class->kind),
                   class->name ? class->name->text : "X");
    parse_short_class_specifier(p, class);
    class->span = parse_span_from(p, begin);
    return class;
}

// ---------------------------------------------------------------------------
// Composition
// ---------------------------------------------------------------------------

// Adds to a few pointers that are collected while the elements grow on the stack: where they are
// then. They have room for a power of two.
static void *append_pointer(Parser *p, void *items, uint32_t *count, void *item)
{
    const uint32_t old = *count;
    void **list = items;
    if ((old & (old - 1)) == 0)
        list =
            arena_grow(p->arena, items, old * sizeof(void *), (old ? 2 * old : 1) * sizeof(void *));
    list[(*count)++] = item;
    return list;
}

// external-function-call :
//    [ component-reference "=" ]
//    IDENT "(" [ expression-list ] ")"
static void parse_external_function_call(Parser *p, External *external)
{
    Reference *first = parse_component_reference(p, "the name of a function");
    if (parse_accept(p, TOKEN_EQUALS)) {
        external->result = first;
        external->function =
            parse_identifier(p, "the name of a function", &external->function_span);
    } else {
        if (first->count > 1 || first->is_global || first->parts[0].subscript_count)
            parse_complain(p, first->span, "the name of an external function has one part only");
        external->function = first->parts[0].name;
        external->function_span = first->parts[0].span;
    }
    parse_expect(p, TOKEN_LEFT_PARENTHESIS, "behind the name of the function");
    if (!parse_at(p, TOKEN_RIGHT_PARENTHESIS))
        external->arguments = parse_expression_list(p, &external->count);
    parse_expect(p, TOKEN_RIGHT_PARENTHESIS, "behind the arguments");
}

// [ external [ language-specification ]
//   [ external-function-call ] [ annotation-clause ] ";"
// ]
//
// language-specification :
//    STRING
static External *parse_external(Parser *p)
{
    External *external = ARENA_NEW(p->arena, External);
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    if (parse_at(p, TOKEN_STRING)) {
        external->language = p->token.string;
        parse_advance(p);
    }
    if (parse_at(p, TOKEN_IDENTIFIER) || parse_at(p, TOKEN_DOT))
        parse_external_function_call(p, external);
    if (parse_at(p, TOKEN_ANNOTATION))
        external->annotation = parse_annotation_clause(p);
    external->span = parse_span_from(p, begin);
    parse_semicolon(p, "the external function");
    return external;
}

// What a class is made of while it is read.
typedef struct Composition {
    ClassDefinition *class;
    bool is_protected;
    bool has_warned;             // that the annotation is not at the end
    bool has_misplaced_equation; // which was reported
} Composition;

static bool is_at_section(Parser *p, TokenKind kind)
{
    return parse_at(p, kind) || (parse_at(p, TOKEN_INITIAL) && parse_peek(p) == kind);
}

// Something follows the class's annotation; once per class that is worth a warning.
static void warn_about_annotation(Parser *p, Composition *c)
{
    if (c->class->annotation_count == 0 || c->has_warned)
        return;
    lexer_warning(&p->lexer, c->class->annotations[c->class->annotation_count - 1]->span,
                  "the annotation of a class belongs to its end");
    c->has_warned = true;
}

static void add_external(Parser *p, Composition *c)
{
    if (c->class->body.external)
        parse_complain(p, p->token.span, "a function has only one external part");
    c->class->body.external = parse_external(p);
}

static void add_annotation(Parser *p, Composition *c)
{
    c->class->annotations = append_pointer(p, c->class->annotations, &c->class->annotation_count,
                                           parse_annotation_clause(p));
    parse_semicolon(p, "the annotation");
}

// `Equations`, or one with a slip: a lower-case word of about the same length.
static bool is_section_word(const char *word, const char *meant)
{
    const size_t given = strlen(word), length = strlen(meant);
    if (strncasecmp(word, meant, length) == 0 && given <= length + 1)
        return true;
    return word[0] == meant[0] && given + 1 >= length && given <= length + 1 &&
           text_nearest(word, &meant, 1);
}

void parse_correct_section(Parser *p)
{
    static const TokenKind kinds[] = {TOKEN_EQUATION, TOKEN_ALGORITHM};
    const bool is_initial = parse_at(p, TOKEN_INITIAL) && parse_peek(p) == TOKEN_IDENTIFIER;
    if (p->is_recovering || (!is_initial && !parse_at(p, TOKEN_IDENTIFIER)))
        return;
    const char *word = is_initial ? p->ahead.name->text : p->token.name->text;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *meant = token_text(kinds[i]);
        if (!is_section_word(word, meant))
            continue;
        Token *token = is_initial ? &p->ahead : &p->token;
        if (!is_initial && (parse_peek(p) != TOKEN_DER && !p->ahead.begins_line))
            continue; // a type
        parse_complain(p, token->span, "the section begins with '%s%s', not '%s'",
                       is_initial ? "initial " : "", meant, word);
        token->kind = kinds[i];
    }
}

// One of the parts of a composition; false at its end.
static bool parse_composition_part(Parser *p, Composition *c)
{
    if (p->token.kind == TOKEN_END_OF_FILE)
        return false;
    if (parse_at(p, TOKEN_END))
        return parse_stray_end(p);
    parse_correct_section(p);
    if (parse_misplaced_equation(p, !c->has_misplaced_equation)) {
        c->has_misplaced_equation = true;
        return true;
    }
    if (parse_at(p, TOKEN_ANNOTATION)) {
        warn_about_annotation(p, c);
        add_annotation(p, c);
        return true;
    }
    warn_about_annotation(p, c);
    if (parse_at(p, TOKEN_PUBLIC) || parse_at(p, TOKEN_PROTECTED)) {
        c->is_protected = p->token.kind == TOKEN_PROTECTED;
        parse_advance(p);
    } else if (is_at_section(p, TOKEN_EQUATION) || is_at_section(p, TOKEN_ALGORITHM)) {
        ClassBody *body = &c->class->body;
        body->sections = append_pointer(p, body->sections, &body->section_count, parse_section(p));
    } else if (parse_at(p, TOKEN_EXTERNAL)) {
        add_external(p, c);
    } else {
        parse_element(p, c->is_protected);
        parse_semicolon(p, "the declaration");
    }
    return true;
}

// composition :
//    element-list
//    { public element-list
//      | protected element-list
//      | equation-section
//      | algorithm-section
//    }
//    [ external [ language-specification ]
//      [ external-function-call ] [ annotation-clause ] ";"
//    ]
//    [ annotation-clause ";" ]
//
// element-list :
//    { element ";" }
static void parse_composition(Parser *p, ClassDefinition *class)
{
    size_t mark = p->stack_size;
    Composition c = {.class = class};
    for (;;) {
        uint32_t before = p->token.span.begin;
        if (!parse_composition_part(p, &c))
            break;
        parse_ensure_progress(p, before);
    }
    class->body.elements = PARSE_TAKE(p, mark, Element *, &class->body.element_count);
}

// ---------------------------------------------------------------------------
// Classes and files
// ---------------------------------------------------------------------------

// long-class-specifier :
//    IDENT description-string composition end IDENT
//    | extends IDENT [ class-modification ] description-string composition
//      end IDENT
//
// From behind the name on.
static void parse_long_class_specifier(Parser *p, ClassDefinition *class)
{
    Opened opened;
    parse_open(p, &opened, TOKEN_IDENTIFIER, class->name, class->name_span);
    if (class->form == FORM_EXTENDING && parse_at(p, TOKEN_LEFT_PARENTHESIS))
        class->body.modification = parse_class_modification(p);
    class->description = parse_description_string(p);
    if (p->is_recovering)
        parse_synchronize(p);
    ClassDefinition *outer = p->enclosing;
    p->enclosing = class;
    parse_composition(p, class);
    p->enclosing = outer;
    parse_close(p);
}

// `model`, and on the next line something like `Real x`.
static bool is_name_missing(Parser *p)
{
    if (p->is_recovering || !p->token.begins_line)
        return false;
    if (token_is_keyword(p->token.kind))
        return true;
    return p->token.kind == TOKEN_IDENTIFIER && parse_peek(p) == TOKEN_IDENTIFIER;
}

// class-specifier :
//    long-class-specifier | short-class-specifier | der-class-specifier
static void parse_class_specifier(Parser *p, ClassDefinition *class)
{
    if (p->is_recovering)
        return;
    class->form = parse_accept(p, TOKEN_EXTENDS) ? FORM_EXTENDING : FORM_LONG;
    if (is_name_missing(p)) {
        class->name_span = (Span){p->last_end, p->last_end};
        parse_complain(p, class->name_span, "missing name of the class");
    } else {
        class->name = parse_identifier(p, "the name of the class", &class->name_span);
    }
    if (class->form == FORM_LONG && parse_at(p, TOKEN_EQUALS))
        parse_short_class_specifier(p, class);
    else
        parse_long_class_specifier(p, class);
}

// class-definition :
//    [ encapsulated ] class-prefixes class-specifier
ClassDefinition *parse_class_definition(Parser *p)
{
    ClassDefinition *class = ARENA_NEW(p->arena, ClassDefinition);
    uint32_t begin = p->token.span.begin;
    class->enclosing = p->enclosing;
    if (parse_enter(p)) {
        class->is_encapsulated = parse_accept(p, TOKEN_ENCAPSULATED);
        parse_class_prefixes(p, class);
        parse_class_specifier(p, class);
    }
    parse_leave(p);
    class->span = parse_span_from(p, begin);
    return class;
}

// [ within [ name ] ";" ]
static void parse_within(Parser *p, StoredDefinition *definition)
{
    parse_advance(p);
    definition->has_within = true;
    if (!parse_at(p, TOKEN_SEMICOLON))
        definition->within = parse_name(p, "the name of a package or ';'");
    parse_semicolon(p, "'within'");
}

// Something on the top level of a file that is no class.
static void parse_misplaced(Parser *p)
{
    if (parse_at(p, TOKEN_WITHIN)) {
        parse_complain(p, p->token.span, "'within' stands only at the beginning of a file");
        parse_synchronize(p);
    } else if (parse_at(p, TOKEN_END)) {
        bool is_named = parse_peek(p) == TOKEN_IDENTIFIER;
        if (p->lexer.error_count == 0) // else it may belong to a class that was not recognised
            parse_complain(p, is_named ? span_join(p->token.span, p->ahead.span) : p->token.span,
                           "'end' without a class that it closes");
        parse_advance(p);
        parse_synchronize(p);
    } else {
        parse_fail_expected(p, "the definition of a class");
        parse_synchronize(p);
    }
}

// `modle A`: says what is meant and goes on with that.
static void correct_class_keyword(Parser *p)
{
    static const TokenKind kinds[] = {TOKEN_MODEL,     TOKEN_PACKAGE, TOKEN_FUNCTION,
                                      TOKEN_CLASS,     TOKEN_RECORD,  TOKEN_BLOCK,
                                      TOKEN_CONNECTOR, TOKEN_TYPE,    TOKEN_PARTIAL};
    enum { COUNT = sizeof kinds / sizeof *kinds };
    if (!parse_at(p, TOKEN_IDENTIFIER))
        return;
    const char *words[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        words[i] = token_text(kinds[i]);
    const char *nearest = text_nearest(p->token.name->text, words, COUNT);
    for (size_t i = 0; nearest && i < COUNT; i++)
        if (nearest == words[i]) {
            parse_complain(p, p->token.span,
                           "expected the definition of a class, found identifier '%s'; "
                           "did you mean '%s'?",
                           p->token.name->text, nearest);
            p->token.kind = kinds[i];
        }
}

static void parse_top_class(Parser *p)
{
    bool is_final = parse_accept(p, TOKEN_FINAL);
    correct_class_keyword(p);
    if (!parse_begins_class(p)) {
        parse_misplaced(p);
        return;
    }
    ClassDefinition *class = parse_class_definition(p);
    class->is_final = is_final;
    PARSE_PUSH(p, class);
    parse_semicolon(p, "the class");
}

// stored-definition :
//    [ within [ name ] ";" ]
//    { [ final ] class-definition ";" }
StoredDefinition *parse_stored_definition(Parser *p)
{
    StoredDefinition *definition = ARENA_NEW(p->arena, StoredDefinition);
    definition->file = p->lexer.file;
    size_t mark = p->stack_size;
    if (parse_at(p, TOKEN_WITHIN))
        parse_within(p, definition);
    while (p->token.kind != TOKEN_END_OF_FILE) {
        uint32_t before = p->token.span.begin;
        parse_top_class(p);
        parse_ensure_progress(p, before);
    }
    definition->classes = PARSE_TAKE(p, mark, ClassDefinition *, &definition->count);
    definition->comments = p->lexer.comments;
    definition->comment_count = p->lexer.comment_count;
    return definition;
}
