// SPDX-License-Identifier: MIT
//
// What the compiler is told about functions: those that every step goes through become one piece of
// code with their caller, those that hardly any step needs stay out of its way.

#ifndef SALTUS_BASE_INLINE_H
#define SALTUS_BASE_INLINE_H

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))
#else
#define ALWAYS_INLINE static inline
#define NEVER_INLINE static
#endif

#endif
