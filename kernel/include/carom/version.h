/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The version of these headers, the version and build of the linked library, and what may change between versions.
 *
 * A program that was compiled against version 0.2 or later runs with every later library of the same soname. It also
 * runs with an older library, down to 0.2, if it uses nothing that the older one lacks.
 *
 *   functions   keep their names, parameters and symbol versions
 *   enums       may get further values
 *   structs     that begin with `size` may get further members at their end. The others never change, but words named
 *               `reserved` may get a meaning, with 0 as before
 *
 * `size` is the number of bytes that the program knows of. The library takes the defaults for members beyond it, and
 * writes no further. If size is larger than the library's own, the library checks that the bytes it does not know are 0
 * in what it reads. Otherwise the call returns ARGUMENT, because the program asks for something that the library lacks.
 * In what the library writes those bytes stay as they are.
 *
 *   configs, filters and boxes      begin with what carom_<struct>_default() returns. It sets size to the sizeof of the
 *                                   header that the program is compiled with
 *   bodies, outputs, detections     begin with zero bytes, the default. Size 0 stands for the members that version 0.2
 *   and reports                     first had, which each struct names if it has others by now. To use later members,
 *                                   set size to the struct's sizeof. So bodies with shapes need it (carom/bodies.h)
 *
 * A size smaller than in version 0.2, or larger than any version will have, is an error: ARGUMENT.
 *
 * Bindings that cannot call the header's functions make a struct of zeros, set size, and these members, whose defaults
 * are not 0:
 *   carom_detect_config, carom_worlds_config   until = CAROM_UNTIL_GROUPS
 *   carom_query_config                         until = CAROM_UNTIL_APPROACH
 *   carom_list_config                          neighbours = CAROM_NEIGHBOURS_FULL
 *   carom_distance_config                      detail = CAROM_GAP_DISTANCE
 *   carom_step_config                          dt = 1, restitution = 1, budget = 10000
 */
#ifndef CAROM_VERSION_H
#define CAROM_VERSION_H

#include "carom/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the headers compiled against: major.minor.patch, each 0 to 99. The build reads it from here. */
#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 2
#define CAROM_VERSION_PATCH 0

/* The same as one number that grows with each version, for #if: 200 is 0.2.0. */
#define CAROM_VERSION (CAROM_VERSION_MAJOR * 10000 + CAROM_VERSION_MINOR * 100 + CAROM_VERSION_PATCH)

/* Returns "major.minor.patch" of the linked library, which may differ from the headers. The string is constant. */
CAROM_API const char *carom_version(void);

/* Returns how the library was built: compiler and optimisation, in one line for bug reports and benchmarks. The string
 * is constant. */
CAROM_API const char *carom_build_description(void);

#ifdef __cplusplus
}
#endif

#endif
