// SPDX-License-Identifier: MIT
//
// What every page of a film has: head, style, controls, and the script that plays it.

#ifndef SALTUS_DRAWING_PAGE_TEXT_H
#define SALTUS_DRAWING_PAGE_TEXT_H

extern const char page_head[], page_style[], page_controls[], page_script[];

#endif
