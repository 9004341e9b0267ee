/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* CAROM_API marks what the shared library exports. Everything else is hidden. */
#ifndef CAROM_EXPORT_H
#define CAROM_EXPORT_H

#if defined(__GNUC__)
#define CAROM_API __attribute__((visibility("default")))
#else
#define CAROM_API
#endif

#endif
