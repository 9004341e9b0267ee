/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/json_read.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/argument.h"
#include "kernel/cli/say.h"

/* Bytes of a list of names in a message, of a message, and of a path; longer ones are cut. */
enum { NAMES_SIZE = 512, MESSAGE_SIZE = 1024, PATH_SIZE = 256 };

carom_json_at carom_json_member(const carom_json_at *at, const char *name) {
    return (carom_json_at){.file = at->file, .value = json_object_get(at->value, name), .parent = at, .name = name};
}

carom_json_at carom_json_element(const carom_json_at *at, size_t index) {
    return (carom_json_at){.file = at->file, .value = json_array_get(at->value, index), .parent = at, .index = index};
}

/* "bodies[3].mass", from the outermost value to this one. */
static void print_path(const carom_json_at *at, char path[PATH_SIZE]) {
    if (at->parent == NULL) {
        path[0] = '\0';
        return;
    }
    print_path(at->parent, path);
    const size_t used = strlen(path);
    if (at->name != NULL) {
        snprintf(path + used, PATH_SIZE - used, "%s%s", used > 0 ? "." : "", at->name);
    } else {
        snprintf(path + used, PATH_SIZE - used, "[%zu]%s%s%s", at->index, at->also != NULL ? " (" : "",
                 at->also != NULL ? at->also : "", at->also != NULL ? ")" : "");
    }
}

bool carom_json_refuse(const carom_json_at *at, const char *format, ...) {
    char message[MESSAGE_SIZE];
    char path[PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_path(at, path);
    carom_say("%s: %s%s%s", at->file, path, path[0] != '\0' ? ": " : "", message);
    return false;
}

/* "a, b, c", cut off if it does not fit. */
static void list_names(const char *const *names, size_t count, char list[NAMES_SIZE]) {
    int used = 0;
    list[0] = '\0';
    for (size_t n = 0; n < count && used < NAMES_SIZE; ++n) {
        used += snprintf(list + used, (size_t)(NAMES_SIZE - used), "%s%s", n > 0 ? ", " : "", names[n]);
    }
}

static bool is_among(const char *word, const char *const *names, size_t count) {
    for (size_t n = 0; n < count; ++n) {
        if (strcmp(word, names[n]) == 0) {
            return true;
        }
    }
    return false;
}

bool carom_json_expect_object(const carom_json_at *at, const char *const *members, size_t count) {
    if (!json_is_object(at->value)) {
        return carom_json_refuse(at, "is not an object");
    }
    /* jansson's iterators take what is not const; nothing is changed. */
    json_t *object = (json_t *)(uintptr_t)at->value;
    for (void *member = json_object_iter(object); member != NULL; member = json_object_iter_next(object, member)) {
        const char *name = json_object_iter_key(member);
        if (!is_among(name, members, count)) {
            char names[NAMES_SIZE];
            list_names(members, count, names);
            return carom_json_refuse(at, "there is no member \"%s\"; there are %s", name, names);
        }
    }
    return true;
}

bool carom_json_expect_list(const carom_json_at *at) {
    return json_is_array(at->value) || carom_json_refuse(at, at->value == NULL ? "is missing" : "is not a list");
}

bool carom_json_take_number(const carom_json_at *at, carom_json_range range, double *number) {
    static const char *const wanted[] = {"a number", "a number above 0", "a number from 0 up", "a number from 0 to 1"};
    if (at->value == NULL) {
        return true;
    }
    const double value = json_number_value(at->value);
    const bool low = range == CAROM_JSON_POSITIVE ? !(value > 0) : range != CAROM_JSON_ANY && !(value >= 0);
    const bool high = range == CAROM_JSON_SHARE && value > 1;
    if (!json_is_number(at->value) || low || high) {
        return carom_json_refuse(at, "is not %s", wanted[range]);
    }
    *number = value;
    return true;
}

/* JSON knows no integers: 2.0 and 2e0 are 2. */
static bool is_whole(const json_t *value, uint64_t *number) {
    const double real = json_number_value(value);
    if (json_is_integer(value)) {
        *number = (uint64_t)json_integer_value(value);
        return json_integer_value(value) >= 0;
    }
    if (!json_is_real(value) || !(real >= 0.0 && real <= CAROM_WHOLE_DOUBLE_MAX) || floor(real) < real) {
        return false;
    }
    *number = (uint64_t)real;
    return true;
}

bool carom_json_take_whole(const carom_json_at *at, uint64_t least, uint64_t greatest, uint64_t *number) {
    if (at->value == NULL) {
        return true;
    }
    uint64_t value;
    if (!is_whole(at->value, &value) || value < least || value > greatest) {
        return carom_json_refuse(at, "is not a whole number from %" PRIu64 " to %" PRIu64, least, greatest);
    }
    *number = value;
    return true;
}

bool carom_json_take_vector(const carom_json_at *at, double vector[3]) {
    if (at->value == NULL) {
        return true;
    }
    if (json_array_size(at->value) != 3) {
        return carom_json_refuse(at, "is not a list of three numbers");
    }
    for (size_t axis = 0; axis < 3; ++axis) {
        const carom_json_at element = carom_json_element(at, axis);
        if (!carom_json_take_number(&element, CAROM_JSON_ANY, &vector[axis])) {
            return false;
        }
    }
    return true;
}

bool carom_json_take_text(const carom_json_at *at, const char **text) {
    if (at->value != NULL && !json_is_string(at->value)) {
        return carom_json_refuse(at, "is not a text");
    }
    *text = at->value != NULL ? json_string_value(at->value) : *text;
    return true;
}

bool carom_json_take_choice(const carom_json_at *at, const char *const *names, size_t count, int *choice) {
    const char *word = NULL;
    if (!carom_json_take_text(at, &word)) {
        return false;
    }
    for (size_t n = 0; n < count && word != NULL; ++n) {
        if (strcmp(word, names[n]) == 0) {
            *choice = (int)n;
            return true;
        }
    }
    if (word != NULL) {
        char list[NAMES_SIZE];
        list_names(names, count, list);
        return carom_json_refuse(at, "is \"%s\"; there are %s", word, list);
    }
    return true;
}

bool carom_json_is_named(const char *path) {
    static const char suffix[] = ".json";
    const size_t length = strlen(path);
    return length >= sizeof suffix - 1 && strcmp(path + length - (sizeof suffix - 1), suffix) == 0;
}

bool carom_json_is(const char *path, const carom_text *text) {
    const char *at = text->at + strspn(text->at, " \t\r\n");
    return *at == '{' || carom_json_is_named(path);
}

/* jansson may take a request for memory that fails in the middle for a fault of the text. A second try then succeeds,
 * or fails at its first request, and of that jansson says nothing. */
static json_t *parse(const carom_text *text, json_error_t *error) {
    const size_t size = (size_t)(text->data + text->size - text->at);
    json_t *value = json_loadb(text->at, size, JSON_REJECT_DUPLICATES, error);
    return value != NULL ? value : json_loadb(text->at, size, JSON_REJECT_DUPLICATES, error);
}

json_t *carom_json_parse(const char *path, const carom_text *text, carom_exit *outcome) {
    json_error_t error;
    if (text->at + strspn(text->at, " \t\r\n") == text->data + text->size) {
        carom_say("%s: it is empty", path);
        *outcome = CAROM_EXIT_INPUT;
        return NULL;
    }
    json_t *value = parse(text, &error);
    if (value == NULL && error.text[0] == '\0') {
        carom_say("%s: no memory to read it", path);
        *outcome = CAROM_EXIT_RESOURCES;
    } else if (value == NULL) {
        carom_say("%s:%d: %s", path, error.line > 0 ? error.line : 1, error.text);
        *outcome = CAROM_EXIT_INPUT;
    }
    return value;
}
