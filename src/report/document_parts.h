// SPDX-License-Identifier: MIT
//
// What a document consists of: for the files that write it.

#ifndef SALTUS_REPORT_DOCUMENT_PARTS_H
#define SALTUS_REPORT_DOCUMENT_PARTS_H

#include "report/document.h"

typedef enum PieceKind {
    PIECE_HEADING,
    PIECE_TEXT,
    PIECE_ITEM,
    PIECE_LISTING,
    PIECE_TABLE,
    PIECE_FIGURE,
    PIECE_EQUATION,
    PIECE_FRAME,  // a page inside of the page
    PIECE_SOURCE, // of the literature
} PieceKind;

typedef struct Piece Piece;
struct Piece {
    PieceKind kind;
    DocumentPlace place;
    Piece *next;
    int level;           // of a heading
    int number;          // on the page: of a figure, table, equation or source
    const char *text;    // or caption
    const char *id;      // of tables, figures, equations; key of a source
    const char *url;     // of a source; NULL: none
    String body;         // listing, or SVG
    DocumentTable table; // and its cells
    String data;         // of a figure: its curves as CSV
    bool is_wide;
    bool is_small; // a picture that need not fill the column
};

struct Document {
    Arena *arena;
    const char *title, *subtitle, *abstract, *authors, *made_with, *keywords;
    Piece *first, *last;
};

// The texts of the two forms.
String document_html(const Document *d, Arena *arena);
String document_latex(const Document *d, Arena *arena);

// A cell that is a number, perhaps with something behind it: "-1.50e-10 s".
typedef struct NumberText {
    bool is_negative;
    const char *mantissa, *rest;
    size_t mantissa_length, rest_length;
    int decimals; // digits behind the point
    int exponent; // of ten; 0: none is written
} NumberText;

// False: the cell is something else.
bool document_number(const char *cell, NumberText *number);

// Text with markup in pieces: calls `emit` for each stretch of one kind.
typedef enum Markup {
    MARKUP_PLAIN,
    MARKUP_CODE,
    MARKUP_EMPHASIS,
    MARKUP_SUBSCRIPT,
    MARKUP_SUPERSCRIPT,
    MARKUP_FORMULA,
    MARKUP_REFERENCE, // the text is the id
    MARKUP_CITATION,  // the text is the key
} Markup;

typedef void MarkupEmit(const Document *d, StringBuilder *out, Markup markup, const char *text,
                        size_t length);
void document_markup(const Document *d, StringBuilder *out, const char *text, MarkupEmit *emit);
// The piece with this id, or the source with this key; NULL: there is none in that form.
const Piece *document_find(const Document *d, DocumentPlace absent, const char *id, size_t length);

#endif
