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
} PieceKind;

typedef struct Piece Piece;
struct Piece {
    PieceKind kind;
    DocumentPlace place;
    Piece *next;
    int level;           // of a heading
    const char *text;    // or caption
    const char *id;      // of tables and figures
    String body;         // listing, or SVG
    DocumentTable table; // and its cells
    String data;         // of a figure: its curves as CSV
    bool is_wide;
};

struct Document {
    Arena *arena;
    const char *title, *subtitle, *abstract;
    Piece *first, *last;
};

// The texts of the two forms.
String document_html(const Document *d, Arena *arena);
String document_latex(const Document *d, Arena *arena);

// Text with markup in pieces: calls `emit` for each stretch of one kind.
typedef enum Markup {
    MARKUP_PLAIN,
    MARKUP_CODE,
    MARKUP_EMPHASIS,
    MARKUP_SUBSCRIPT,
    MARKUP_SUPERSCRIPT,
} Markup;

typedef void MarkupEmit(StringBuilder *out, Markup markup, const char *text, size_t length);
void document_markup(StringBuilder *out, const char *text, MarkupEmit *emit);

#endif
