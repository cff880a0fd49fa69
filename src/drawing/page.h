// SPDX-License-Identifier: MIT
//
// A film as a page of HTML that needs nothing else: the picture, curves and the state chart beside
// it, and a time line with the events.

#ifndef SALTUS_DRAWING_PAGE_H
#define SALTUS_DRAWING_PAGE_H

#include "drawing/film.h"

// Its elements may be none: there is no picture. No string: out of memory.
String page_html(const Film *film, Arena *arena);

#endif
