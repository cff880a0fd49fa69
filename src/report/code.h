// SPDX-License-Identifier: MIT
//
// Program text of a report: Modelica with its keywords, texts and comments marked.

#ifndef SALTUS_REPORT_CODE_H
#define SALTUS_REPORT_CODE_H

#include "base/text.h"

// As HTML: <span class="k"> keywords, "t" texts, "c" comments.
void code_html(StringBuilder *out, String text);

#endif
