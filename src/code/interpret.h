// SPDX-License-Identifier: MIT
//
// Runs the code of a module directly.

#ifndef SALTUS_CODE_INTERPRET_H
#define SALTUS_CODE_INTERPRET_H

#include "code/code.h"

// As a CodeFunction: 0, or 1 and run->failure. The module is finished; run->frame has
// module->frame_size doubles and was initialised.
int interpret(const CodeModule *module, uint32_t entry, const double *const *inputs,
              double *const *outputs, CodeRun *run);

#endif
