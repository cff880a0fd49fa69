// SPDX-License-Identifier: MIT
//
// A look at a trajectory in the terminal: curves drawn with the dots of Braille characters (two by
// four in each), a line of events, a line of phases, and a table of start, extrema and end.
//
//   h (m)
//          1 ┤⠑⢄
//            │  ⠑⡄      ⣀⡠⠤⠤⢄⡀
//          0 ┤   ⠘⠤⠊         ⠑
//            └────┴────────┴──────
//            0      ▴            1 s

#ifndef SALTUS_PLOT_TERMINAL_H
#define SALTUS_PLOT_TERMINAL_H

#include "base/text.h"
#include "results/table.h"

// The variables of panels as `saltus plot` has them ("x", "x,y", "ball.*", "y:x"), one after the
// other, at most `room`: in a terminal each has a panel of its own. Returns how many.
size_t terminal_names(Arena *arena, const Table *table, const char *const *panels,
                      size_t panel_count, const char **names, size_t room);

// Draws the variables of these names, in this order, from a trajectory (see table.h); none: the
// first that change. width: in columns, at least 40. is_plain: ASCII, the table without curves. In
// the arena; .text NULL: out of memory.
String terminal_draw(Arena *arena, const Table *table, const char *const *names, size_t name_count,
                     size_t width, bool is_plain);

// Whether the locale that the environment names has UTF-8, as POSIX reads LC_ALL, LC_CTYPE, LANG.
bool terminal_is_unicode(void);
// The columns of the terminal on standard output, between 40 and 100; 80 if it is none.
size_t terminal_width(void);

#endif
