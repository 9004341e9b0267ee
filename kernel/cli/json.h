/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* JSON, all of it or nothing. Without memory jansson leaves values out of an object and says so once; the
 * wrapper remembers it until the end. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "kernel/cli/say.h"

/* An object or a list that is being put together. */
typedef struct carom_json {
    json_t *value;
    bool lost; /* memory gave out: it is not whole */
} carom_json;

carom_json carom_json_object(void);
carom_json carom_json_list(void);

/* Adds a value, which it takes over. NULL stands for a value for which there was no memory. */
void carom_json_set(carom_json *object, const char *key, json_t *value);
void carom_json_append(carom_json *list, json_t *value);

/* What was made, as a value of another; NULL, all released, if it is not whole. */
json_t *carom_json_end(const carom_json *made);

/* A text. Bytes that are not UTF-8, which JSON cannot hold, and control characters become \xNN. NULL without memory. */
json_t *carom_json_text(const char *text);

/* Ends the object, prints and releases it, its reals with so many digits. RESOURCES, with a message, if there is no
 * memory or `to` fails. */
carom_exit carom_json_print(const carom_json *object, size_t digits, FILE *to);

#endif
