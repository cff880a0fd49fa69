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

typedef struct TerminalDef {
    const Table *table;       // a trajectory, see table.h
    const char *const *names; // of the variables to be drawn, in this order
    size_t name_count;        // 0: the first that change
    size_t width;             // columns, at least 40
    bool is_plain;            // ASCII: the table without curves
} TerminalDef;

// The variables of panels as `saltus plot` has them ("x", "x,y", "ball.*", "y:x"), one after the
// other, at most `room`: in a terminal each has a panel of its own. Returns how many.
size_t terminal_names(Arena *arena, const Table *table, const char *const *panels,
                      size_t panel_count, const char **names, size_t room);

// In the arena; .text NULL: out of memory.
String terminal_draw(Arena *arena, const TerminalDef *def);

// Whether the locale that the environment names has UTF-8, as POSIX reads LC_ALL, LC_CTYPE, LANG.
bool terminal_is_unicode(void);
// The columns of the terminal on standard output, between 40 and 100; 80 if it is none.
size_t terminal_width(void);

#endif
