/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Wraps jansson. Each function takes values over, as jansson's _new functions do, also when it fails. */
#include "kernel/cli/json.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/printable.h"

/* Room for the longest path, each byte of which may be escaped. */
enum { TEXT_SIZE = 4 * 4096 };

carom_json carom_json_object(void) {
    return (carom_json){.value = json_object()};
}

carom_json carom_json_list(void) {
    return (carom_json){.value = json_array()};
}

void carom_json_set(carom_json *object, const char *key, json_t *value) {
    CAROM_ASSERT(key != NULL);
    /* jansson releases the value if it cannot be added, and refuses NULL. */
    object->lost |= json_object_set_new(object->value, key, value) != 0;
}

void carom_json_append(carom_json *list, json_t *value) {
    list->lost |= json_array_append_new(list->value, value) != 0;
}

json_t *carom_json_end(const carom_json *made) {
    if (made->lost) {
        json_decref(made->value);
        return NULL;
    }
    return made->value;
}

json_t *carom_json_text(const char *text) {
    char printable[TEXT_SIZE];
    carom_printable_copy(text, text + strlen(text), printable, sizeof printable);
    return json_string(printable);
}

carom_exit carom_json_print(const carom_json *object, size_t digits, FILE *to) {
    /* NULL if a part is missing: half an object is worse than none. */
    json_t *whole = carom_json_end(object);
    const bool failed = whole == NULL || json_dumpf(whole, to, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) != 0;
    json_decref(whole);
    if (failed) {
        carom_say(ferror(to) != 0 ? "cannot write JSON" : "no memory for the JSON");
        return CAROM_EXIT_RESOURCES;
    }
    fputc('\n', to);
    return CAROM_EXIT_OK;
}
