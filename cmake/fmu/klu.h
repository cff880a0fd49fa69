// SPDX-License-Identifier: MIT
//
// KLU's header, wherever it is: an importer that compiles the sources of an FMU of FMI 2.0 knows no
// include folders but theirs.

#ifdef __has_include
#if __has_include(<suitesparse/klu.h>)
#define SALTUS_FMU_HAS_SUITESPARSE
#endif
#endif

#ifdef SALTUS_FMU_HAS_SUITESPARSE
#include <suitesparse/klu.h>
#else
#include_next <klu.h>
#endif
