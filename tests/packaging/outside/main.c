// SPDX-License-Identifier: MIT
//
// An outside program: prints the version of the library it was linked with.

#include <saltus/saltus.h>

#include <stdio.h>

int main(void)
{
    return puts(saltus_version()) < 0;
}
