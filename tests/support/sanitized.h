// SPDX-License-Identifier: MIT
//
// Whether a sanitizer is at work: it keeps what was freed, and has its own functions of memory.

#ifndef SALTUS_TESTS_SUPPORT_SANITIZED_H
#define SALTUS_TESTS_SUPPORT_SANITIZED_H

#if defined(__has_feature)
#define SANITIZED_FEATURE(name) __has_feature(name)
#else
#define SANITIZED_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    SANITIZED_FEATURE(address_sanitizer) || SANITIZED_FEATURE(thread_sanitizer)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

#endif
