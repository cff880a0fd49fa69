// SPDX-License-Identifier: MIT
//
// A report, written down once and given out twice: as one HTML page with everything, and as LaTeX
// in the form of a journal's note with what fits there. Tables and curves are also given out as
// CSV.
//
// Texts are UTF-8 with a little markup: `code`, *emphasis*, _{subscript}, ^{superscript}, $formula$
// (see formula.h), [#id] for a reference to a figure, table or equation of the document, [@key] for
// one to the literature. Anything else stands for itself; characters that HTML or LaTeX treats
// specially need no care.
//
// What always holds: elements appear in the order in which they were added. Identifiers are unique
// and name the files: B3.error gives B3.error.csv and B3.error.svg.

#ifndef SALTUS_REPORT_DOCUMENT_H
#define SALTUS_REPORT_DOCUMENT_H

#include "base/text.h"
#include "plot/figure.h"

typedef struct Document Document;

// Where an element appears.
typedef enum DocumentPlace {
    DOCUMENT_PAGE,  // on the HTML page only
    DOCUMENT_BOTH,  // in the note, too
    DOCUMENT_PRINT, // in the note only
} DocumentPlace;

Document *document_create(Arena *arena, const char *title, const char *subtitle);

void document_abstract(Document *d, const char *text);
// Who made it, and with what, when: one line each.
void document_authors(Document *d, const char *authors, const char *made_with);
void document_keywords(Document *d, const char *keywords);
// An entry of the literature, cited with [@key]; url may be NULL.
void document_source(Document *d, const char *key, const char *text, const char *url);
// Levels 1 and 2.
void document_heading(Document *d, DocumentPlace place, int level, const char *title);
void document_text(Document *d, DocumentPlace place, const char *format, ...) TEXT_FORMAT(3, 4);
// A list item.
void document_item(Document *d, DocumentPlace place, const char *format, ...) TEXT_FORMAT(3, 4);
// Formulas on lines of their own, with a number. The text is copied.
void document_equation(Document *d, DocumentPlace place, const char *id, const char *latex);
// Program text, as it is.
void document_listing(Document *d, DocumentPlace place, const char *caption, String text);

typedef struct DocumentTable {
    const char *id, *caption;
    const char *const *columns; // headings
    size_t column_count;
    const char *const *cells; // row by row; NULL: an empty cell
    size_t row_count;
    bool is_wide; // over both columns of the note
} DocumentTable;

void document_table(Document *d, DocumentPlace place, const DocumentTable *table);
// figure->id is set to the id.
void document_figure(Document *d, DocumentPlace place, const char *id, const char *caption,
                     PlotFigure *figure);
// A picture that is SVG already. For the note it must be a document of its own, for the page it may
// move. is_small: it need not fill the column.
void document_picture(Document *d, DocumentPlace place, const char *id, const char *caption,
                      String svg, bool is_small);
// A page of its own that is shown inside of the page: the file ID.html, which others write.
void document_frame(Document *d, const char *id, const char *caption);

// Ends a section: what figures and tables of it no text has mentioned are named behind its first
// paragraph, in each form those that it has.
void document_end_section(Document *d);

// Cells: formatted text that lives as long as the document.
const char *document_format(Document *d, const char *format, ...) TEXT_FORMAT(2, 3);

// Writes index.html, report.tex, all .csv and .svg (and .pdf, where rsvg-convert is installed) into
// the folder. False: something could not be written, the message says what.
bool document_write(const Document *d, const char *folder, char **message);

#endif
