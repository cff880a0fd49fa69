// SPDX-License-Identifier: MIT
//
// Sections A.2.2 to A.2.5 of the specification, what stands between a class's name and its
// equations: imports, extends, components, and inner classes with their prefixes; and the same as
// redeclarations within modifiers.

#include "modelica/parse.h"

#include <strings.h>

// ---------------------------------------------------------------------------
// Prefixes
// ---------------------------------------------------------------------------

// Everything that can stand before a class or a type, in the order of the grammar.
typedef enum PrefixRank {
    RANK_NONE,
    RANK_REDECLARE,
    RANK_EACH,
    RANK_FINAL,
    RANK_INNER,
    RANK_OUTER,
    RANK_REPLACEABLE,
    RANK_ROLE,
    RANK_VARIABILITY,
    RANK_DIRECTION,
    RANK_COUNT,
} PrefixRank;

typedef struct Prefixes {
    TokenKind tokens[RANK_COUNT]; // TOKEN_END_OF_FILE: not there
    Span spans[RANK_COUNT];
} Prefixes;

static PrefixRank parse_element_rank_of(TokenKind kind)
{
    switch (kind) {
    case TOKEN_REDECLARE:
        return RANK_REDECLARE;
    case TOKEN_EACH:
        return RANK_EACH;
    case TOKEN_FINAL:
        return RANK_FINAL;
    case TOKEN_INNER:
        return RANK_INNER;
    case TOKEN_OUTER:
        return RANK_OUTER;
    case TOKEN_REPLACEABLE:
        return RANK_REPLACEABLE;
    case TOKEN_FLOW:
    case TOKEN_STREAM:
        return RANK_ROLE;
    case TOKEN_DISCRETE:
    case TOKEN_PARAMETER:
    case TOKEN_CONSTANT:
        return RANK_VARIABILITY;
    case TOKEN_INPUT:
    case TOKEN_OUTPUT:
        return RANK_DIRECTION;
    default:
        return RANK_NONE;
    }
}

static bool parse_element_has(const Prefixes *prefixes, PrefixRank rank)
{
    return prefixes->tokens[rank] != TOKEN_END_OF_FILE;
}

// Complains about a prefix that repeats or contradicts another, or stands behind a later one.
static void check_order(Parser *p, const Prefixes *prefixes, PrefixRank rank)
{
    const char *text = token_text(p->token.kind);
    if (parse_element_has(prefixes, rank)) {
        if (prefixes->tokens[rank] == p->token.kind)
            parse_complain(p, p->token.span, "'%s' stands here twice", text);
        else
            parse_complain(p, p->token.span, "'%s' and '%s' exclude each other",
                           token_text(prefixes->tokens[rank]), text);
        return;
    }
    for (unsigned later = rank + 1u; later < RANK_COUNT; later++)
        if (parse_element_has(prefixes, (PrefixRank)later)) {
            parse_complain(p, p->token.span, "'%s' must stand before '%s'", text,
                           token_text(prefixes->tokens[later]));
            return;
        }
}

// Reads all prefixes there are; their order is checked.
//
// type-prefix :
//    [ flow | stream ]
//    [ discrete | parameter | constant ]
//    [ input | output ]
static Prefixes parse_prefixes(Parser *p)
{
    Prefixes prefixes = {0};
    PrefixRank rank;
    while (!p->is_recovering && (rank = parse_element_rank_of(p->token.kind)) != RANK_NONE) {
        check_order(p, &prefixes, rank);
        prefixes.tokens[rank] = p->token.kind;
        prefixes.spans[rank] = p->token.span;
        parse_advance(p);
    }
    return prefixes;
}

// A prefix that the rule does not have.
static void parse_element_forbid(Parser *p, const Prefixes *prefixes, PrefixRank rank,
                                 const char *why)
{
    if (parse_element_has(prefixes, rank))
        parse_complain(p, prefixes->spans[rank], "'%s' %s", token_text(prefixes->tokens[rank]),
                       why);
}

static Element *new_element(Parser *p, ElementKind kind, const Prefixes *prefixes)
{
    Element *element = ARENA_NEW(p->arena, Element);
    element->kind = kind;
    element->is_redeclare = parse_element_has(prefixes, RANK_REDECLARE);
    element->is_final = parse_element_has(prefixes, RANK_FINAL);
    element->is_inner = parse_element_has(prefixes, RANK_INNER);
    element->is_outer = parse_element_has(prefixes, RANK_OUTER);
    element->is_replaceable = parse_element_has(prefixes, RANK_REPLACEABLE);
    return element;
}

static void set_type_prefix(ComponentClause *clause, const Prefixes *prefixes)
{
    static const uint8_t meanings[TOKEN_KIND_COUNT] = {
        [TOKEN_FLOW] = ROLE_FLOW,
        [TOKEN_STREAM] = ROLE_STREAM,
        [TOKEN_DISCRETE] = VARIABILITY_DISCRETE,
        [TOKEN_PARAMETER] = VARIABILITY_PARAMETER,
        [TOKEN_CONSTANT] = VARIABILITY_CONSTANT,
        [TOKEN_INPUT] = DIRECTION_INPUT,
        [TOKEN_OUTPUT] = DIRECTION_OUTPUT,
    };
    clause->role = (ConnectorRole)meanings[prefixes->tokens[RANK_ROLE]];
    clause->variability = (Variability)meanings[prefixes->tokens[RANK_VARIABILITY]];
    clause->direction = (Direction)meanings[prefixes->tokens[RANK_DIRECTION]];
}

// ---------------------------------------------------------------------------
// Import and extends
// ---------------------------------------------------------------------------

// import-list :
//    IDENT { "," IDENT }
static void parse_import_list(Parser *p, Import *import)
{
    size_t mark = p->stack_size;
    do {
        ReferencePart item = {0};
        item.name = parse_identifier(p, "the name of a class", &item.span);
        PARSE_PUSH(p, item);
    } while (parse_accept(p, TOKEN_COMMA));
    import->imported = PARSE_TAKE(p, mark, ReferencePart, &import->count);
}

// What may follow the name: ".*" | "." ( "*" | "{" import-list "}" )
static void parse_import_suffix(Parser *p, Import *import)
{
    if (parse_accept(p, TOKEN_DOT_TIMES)) {
        import->kind = IMPORT_UNQUALIFIED;
    } else if (parse_accept(p, TOKEN_DOT)) {
        if (parse_accept(p, TOKEN_TIMES)) {
            import->kind = IMPORT_UNQUALIFIED;
        } else if (parse_expect(p, TOKEN_LEFT_BRACE, "or '*' behind '.'")) {
            import->kind = IMPORT_LIST;
            parse_import_list(p, import);
            parse_expect(p, TOKEN_RIGHT_BRACE, "behind the imported names");
        }
    }
}

// import-clause :
//    import
//    ( IDENT "=" name
//      | name [ ".*" | "." ( "*" | "{" import-list "}" ) ]
//    )
//    description
static void parse_import_clause(Parser *p, Element *element)
{
    Import *import = ARENA_NEW(p->arena, Import);
    element->kind = ELEMENT_IMPORT;
    element->import = import;
    parse_advance(p);
    if (parse_at(p, TOKEN_IDENTIFIER) && parse_peek(p) == TOKEN_EQUALS) {
        import->kind = IMPORT_RENAMED;
        import->alias.name = parse_identifier(p, "a name", &import->alias.span);
        parse_advance(p);
        import->path = parse_name(p, "the name of a class");
    } else {
        import->path = parse_name(p, "the name of a class or package");
        parse_import_suffix(p, import);
    }
    element->description = parse_description(p);
}

// extends-clause :
//    extends type-specifier [ class-or-inheritance-modification ] [ annotation-clause ]
static void parse_extends_clause(Parser *p, Element *element)
{
    element->kind = ELEMENT_EXTENDS;
    parse_advance(p);
    element->extends.type = parse_type_specifier(p, "the name of a class");
    if (parse_at(p, TOKEN_LEFT_PARENTHESIS))
        element->extends.modification = parse_class_or_inheritance_modification(p);
    if (parse_at(p, TOKEN_ANNOTATION))
        element->description = parse_description(p);
}

// constraining-clause :
//    constrainedby type-specifier [ class-modification ]
static Constraint *parse_constraining_clause(Parser *p, bool is_replaceable)
{
    if (!parse_at(p, TOKEN_CONSTRAINEDBY))
        return NULL;
    if (!is_replaceable)
        parse_complain(p, p->token.span,
                       "'constrainedby' says what may replace something, "
                       "so it needs 'replaceable'");
    Constraint *constraint = ARENA_NEW(p->arena, Constraint);
    uint32_t begin = p->token.span.begin;
    parse_advance(p);
    constraint->type = parse_type_specifier(p, "the name of a class");
    if (parse_at(p, TOKEN_LEFT_PARENTHESIS))
        constraint->modification = parse_class_modification(p);
    constraint->span = parse_span_from(p, begin);
    return constraint;
}

// ---------------------------------------------------------------------------
// Components
// ---------------------------------------------------------------------------

// declaration :
//    IDENT [ array-subscripts ] [ modification ]
static void parse_declaration(Parser *p, Component *component)
{
    component->name = parse_identifier(p, "the name of a component", &component->name_span);
    if (parse_at(p, TOKEN_LEFT_BRACKET))
        component->subscripts = parse_array_subscripts(p, &component->subscript_count);
    component->modification = parse_modification(p);
}

// component-declaration :
//    declaration [ condition-attribute ] description
//
// condition-attribute :
//    if expression
static void parse_component_declaration(Parser *p, Element *element, const ComponentClause *clause)
{
    Component *component = ARENA_NEW(p->arena, Component);
    component->clause = clause;
    element->component = component;
    parse_declaration(p, component);
    if (parse_accept(p, TOKEN_IF))
        component->condition = parse_condition(p);
    element->description = parse_description(p);
}

// `parameter k = 3`, or `x = 3` among the declarations.
static void note_missing_type(Parser *p, Diagnostic *error, const Prefixes *prefixes,
                              const char *name)
{
    PrefixRank rank = RANK_DIRECTION;
    while (rank > RANK_NONE && !parse_element_has(prefixes, rank))
        rank--;
    if (rank == RANK_NONE)
        parse_note(p, error, p->token.span,
                   "equations stand behind the keyword 'equation', statements behind 'algorithm'");
    else
        parse_note(p, error, p->token.span, "the type is missing: '%s Real %s'",
                   token_text(prefixes->tokens[rank]), name);
}

// The beginning of a component-clause: type-prefix type-specifier [ array-subscripts ]
static ComponentClause *parse_clause_head(Parser *p, const Prefixes *prefixes, uint32_t begin)
{
    ComponentClause *clause = ARENA_NEW(p->arena, ComponentClause);
    set_type_prefix(clause, prefixes);
    clause->type = parse_type_specifier(p, "the name of a type");
    if (parse_at(p, TOKEN_LEFT_BRACKET))
        clause->subscripts = parse_array_subscripts(p, &clause->subscript_count);
    if (parse_at(p, TOKEN_EQUALS) || parse_at(p, TOKEN_ASSIGN)) {
        const char *name = clause->type->parts[0].name ? clause->type->parts[0].name->text : "";
        Diagnostic *error = parse_fail(p, p->token.span,
                                       "expected the name of a component behind its type '%s', "
                                       "found %s",
                                       name, parse_found(p));
        note_missing_type(p, error, prefixes, name);
    }
    clause->span = parse_span_from(p, begin);
    return clause;
}

// `const Real k`: a prefix that is none was read as the type, the type as the name.
static void report_wrong_prefix(Parser *p, const ComponentClause *clause)
{
    static const TokenKind kinds[] = {
        TOKEN_PARAMETER, TOKEN_CONSTANT, TOKEN_DISCRETE, TOKEN_INPUT, TOKEN_OUTPUT,     TOKEN_FLOW,
        TOKEN_STREAM,    TOKEN_INNER,    TOKEN_OUTER,    TOKEN_FINAL, TOKEN_REPLACEABLE};
    enum { COUNT = sizeof kinds / sizeof *kinds, SHORTEST = 3 };
    if (p->is_recovering || !parse_at(p, TOKEN_IDENTIFIER) || p->token.begins_line ||
        clause->type->count != 1 || !clause->type->parts[0].name)
        return;
    const char *word = clause->type->parts[0].name->text, *words[COUNT], *meant = NULL;
    for (size_t i = 0; i < COUNT; i++) {
        words[i] = token_text(kinds[i]);
        if (!meant && strlen(word) >= SHORTEST && strncasecmp(word, words[i], strlen(word)) == 0)
            meant = words[i];
    }
    meant = meant ? meant : text_nearest(word, words, COUNT);
    if (meant)
        parse_fail(p, clause->type->span, "'%s' is no prefix of a declaration; did you mean '%s'?",
                   word, meant);
}

// component-clause :
//    type-prefix type-specifier [ array-subscripts ] component-list
//
// component-list :
//    component-declaration { "," component-declaration }
static void parse_component_clause(Parser *p, const Prefixes *prefixes, uint32_t begin,
                                   bool is_protected)
{
    ComponentClause *clause = parse_clause_head(p, prefixes, begin);
    for (;;) {
        Element *element = new_element(p, ELEMENT_COMPONENT, prefixes);
        element->is_protected = is_protected;
        parse_component_declaration(p, element, clause);
        element->span = parse_span_from(p, begin);
        PARSE_PUSH(p, element);
        if (!parse_accept(p, TOKEN_COMMA))
            break;
        begin = p->token.span.begin; // all but the first begin with their names
        if (parse_at(p, TOKEN_INTEGER))
            parse_note(p,
                       parse_fail(p, p->token.span, "expected the name of a component, found %s",
                                  parse_found(p)),
                       p->token.span, "numbers have a decimal point: 2.5");
    }
    report_wrong_prefix(p, clause);
}

// component-clause1 :
//    type-prefix type-specifier component-declaration1
//
// component-declaration1 :
//    declaration description
//
// Subscripts of the type, which a component-clause may have, are taken here, too.
static void parse_component_clause1(Parser *p, Element *element, const Prefixes *prefixes)
{
    ComponentClause *clause = ARENA_NEW(p->arena, ComponentClause);
    uint32_t begin = p->token.span.begin;
    set_type_prefix(clause, prefixes);
    clause->type = parse_type_specifier(p, "the name of a type");
    if (parse_at(p, TOKEN_LEFT_BRACKET))
        clause->subscripts = parse_array_subscripts(p, &clause->subscript_count);
    clause->span = parse_span_from(p, begin);
    element->kind = ELEMENT_COMPONENT;
    element->component = ARENA_NEW(p->arena, Component);
    element->component->clause = clause;
    parse_declaration(p, element->component);
    element->description = parse_description(p);
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

static void set_constraint(Parser *p, size_t mark, Constraint *constraint)
{
    for (; mark < p->stack_size; mark += sizeof(Element *)) {
        Element *element;
        memcpy(&element, p->stack + mark, sizeof element);
        element->constraint = constraint;
    }
}

// The alternative of `element` that has prefixes.
static void parse_prefixed_element(Parser *p, bool is_protected, uint32_t begin)
{
    static const char *const not_class = "cannot stand before a class";
    size_t mark = p->stack_size;
    Prefixes prefixes = parse_prefixes(p);
    parse_element_forbid(p, &prefixes, RANK_EACH, "stands only in modifiers");
    if (parse_begins_class(p) && !p->is_recovering) {
        parse_element_forbid(p, &prefixes, RANK_ROLE, not_class);
        parse_element_forbid(p, &prefixes, RANK_VARIABILITY, not_class);
        parse_element_forbid(p, &prefixes, RANK_DIRECTION, not_class);
        Element *element = new_element(p, ELEMENT_CLASS, &prefixes);
        element->is_protected = is_protected;
        element->class_definition = parse_class_definition(p);
        element->span = parse_span_from(p, begin);
        PARSE_PUSH(p, element);
    } else {
        parse_component_clause(p, &prefixes, begin, is_protected);
    }
    Constraint *constraint =
        parse_constraining_clause(p, parse_element_has(&prefixes, RANK_REPLACEABLE));
    if (constraint) {
        constraint->description = parse_description(p);
        set_constraint(p, mark, constraint);
    }
}

static void report_no_element(Parser *p)
{
    const bool is_brace = parse_at(p, TOKEN_LEFT_BRACE) || parse_at(p, TOKEN_RIGHT_BRACE);
    Diagnostic *error = parse_fail(
        p, p->token.span, "expected a declaration, a section or 'end', found %s", parse_found(p));
    if (is_brace)
        parse_note(p, error, p->token.span,
                   "a class has no braces: it begins with its name and ends with 'end', its name "
                   "and ';'");
}

// element :
//    import-clause
//    | extends-clause
//    | [ redeclare ]
//      [ final ]
//      [ inner ] [ outer ]
//      ( class-definition
//        | component-clause
//        | replaceable ( class-definition | component-clause )
//          [ constraining-clause description ]
//      )
void parse_element(Parser *p, bool is_protected)
{
    uint32_t begin = p->token.span.begin;
    if (parse_at(p, TOKEN_IMPORT) || parse_at(p, TOKEN_EXTENDS)) {
        Element *element = ARENA_NEW(p->arena, Element);
        element->is_protected = is_protected;
        if (p->token.kind == TOKEN_IMPORT)
            parse_import_clause(p, element);
        else
            parse_extends_clause(p, element);
        element->span = parse_span_from(p, begin);
        PARSE_PUSH(p, element);
    } else if (parse_at(p, TOKEN_IDENTIFIER) || parse_at(p, TOKEN_DOT) || parse_begins_class(p) ||
               parse_element_rank_of(p->token.kind) != RANK_NONE) {
        parse_prefixed_element(p, is_protected, begin);
    } else {
        report_no_element(p);
    }
}

// element-redeclaration :
//    redeclare [ each ] [ final ]
//    ( short-class-definition | component-clause1 | element-replaceable )
//
// element-replaceable :
//    replaceable ( short-class-definition | component-clause1 )
//    [ constraining-clause ]
//
// Reads the prefixes of an argument. False: they belong to an element-modification.
bool parse_redeclaration_prefixes(Parser *p, Argument *a)
{
    static const char *const not_here = "cannot stand in a modifier";
    uint32_t begin = p->token.span.begin;
    Prefixes prefixes = parse_prefixes(p);
    a->is_each = parse_element_has(&prefixes, RANK_EACH);
    a->is_final = parse_element_has(&prefixes, RANK_FINAL);
    if (!parse_element_has(&prefixes, RANK_REDECLARE) &&
        !parse_element_has(&prefixes, RANK_REPLACEABLE)) {
        bool has_type_prefix = false;
        for (int rank = RANK_INNER; rank < RANK_COUNT; rank++) {
            parse_element_forbid(p, &prefixes, (PrefixRank)rank,
                                 "needs 'redeclare' or 'replaceable' before it");
            has_type_prefix |= rank >= RANK_ROLE && parse_element_has(&prefixes, (PrefixRank)rank);
        }
        if (p->is_recovering || (!parse_begins_class(p) && !has_type_prefix))
            return false;
        if (!has_type_prefix)
            parse_complain(p, p->token.span,
                           "a class in a modifier needs 'redeclare' or "
                           "'replaceable' before it");
    }
    parse_element_forbid(p, &prefixes, RANK_INNER, not_here);
    parse_element_forbid(p, &prefixes, RANK_OUTER, not_here);
    a->element = new_element(p, ELEMENT_CLASS, &prefixes);
    if (parse_begins_class(p) && !p->is_recovering)
        a->element->class_definition = parse_short_class_definition(p);
    else
        parse_component_clause1(p, a->element, &prefixes);
    a->element->constraint =
        parse_constraining_clause(p, parse_element_has(&prefixes, RANK_REPLACEABLE));
    a->element->span = parse_span_from(p, begin);
    return true;
}
