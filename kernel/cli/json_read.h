/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Values of a JSON file, each with its path for messages: "scene.json: bodies[3].mass: ...". Each function that takes a
 * value returns false, and has said why, if it is not what it must be. */
#ifndef CAROM_CLI_JSON_READ_H
#define CAROM_CLI_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cli/say.h"
#include "kernel/io/text.h"

/* A value and where it is: a member of `parent`, an element of it, or the whole file. */
typedef struct carom_json_at {
    const char *file;
    const json_t *value;                /* NULL: there is none */
    const struct carom_json_at *parent; /* which lives as long; NULL: this is the whole */
    const char *name;                   /* of a member; NULL: it is an element */
    size_t index;                       /* of an element */
    const char *also;                   /* of an element: shown behind its index in messages; NULL: nothing */
} carom_json_at;

/* Bounds of a number. */
typedef enum carom_json_range {
    CAROM_JSON_ANY,       /* finite */
    CAROM_JSON_POSITIVE,  /* finite and > 0 */
    CAROM_JSON_FROM_ZERO, /* finite and >= 0 */
    CAROM_JSON_SHARE      /* 0 to 1 */
} carom_json_range;

/* A member of an object, or an element of a list. */
carom_json_at carom_json_member(const carom_json_at *at, const char *name);
carom_json_at carom_json_element(const carom_json_at *at, size_t index);

/* Says "file: path: message". Returns false. */
bool carom_json_refuse(const carom_json_at *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether it is an object that has no members but these. */
bool carom_json_expect_object(const carom_json_at *at, const char *const *members, size_t count);

/* Whether it is there, and a list. */
bool carom_json_expect_list(const carom_json_at *at);

/* What is not there leaves *number, *text as they are. */
bool carom_json_take_number(const carom_json_at *at, carom_json_range range, double *number);
bool carom_json_take_whole(const carom_json_at *at, uint64_t least, uint64_t greatest, uint64_t *number);
bool carom_json_take_vector(const carom_json_at *at, double vector[3]);
bool carom_json_take_text(const carom_json_at *at, const char **text);

/* Whether a file's name ends in .json. */
bool carom_json_is_named(const char *path);

/* Whether it is JSON: told by its first character, which no format of bodies has; or by its name, if it is broken. */
bool carom_json_is(const char *path, const carom_text *text);

/* What `text` holds, all of it, from where it is at. NULL, after a message, if it is no JSON or there is no memory;
 * then *outcome is INPUT or RESOURCES. */
json_t *carom_json_parse(const char *path, const carom_text *text, carom_exit *outcome);

/* Index of a word among names; *choice stays as it is if there is none. */
bool carom_json_take_choice(const carom_json_at *at, const char *const *names, size_t count, int *choice);

#endif
