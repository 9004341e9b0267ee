/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Everything goes to stderr, one line at a time, so that stdout holds nothing but data. */
#include "kernel/cli/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/io/printable.h"

/* Bytes of a message, in which any byte of a name may be escaped. */
enum { MESSAGE_SIZE = 8192, PRINTABLE_SIZE = 4 * MESSAGE_SIZE };

/* Progress is for a person who waits, not for a log. */
bool carom_say_shows_progress(void) {
    return isatty(STDERR_FILENO) == 1;
}

/* To the first column, and all after it erased. */
static void clear_line(void) {
    if (carom_say_shows_progress()) {
        fputs("\r\033[K", stderr);
    }
}

carom_exit carom_say_exit_of(carom_status status) {
    switch (status) {
    case CAROM_OK:
        return CAROM_EXIT_OK;
    case CAROM_ERROR_ARGUMENT:
    case CAROM_ERROR_ISA:
        return CAROM_EXIT_USAGE;
    case CAROM_ERROR_BODY:
    case CAROM_ERROR_FILE:
    case CAROM_ERROR_FORMAT:
        return CAROM_EXIT_INPUT;
    case CAROM_ERROR_MEMORY:
    case CAROM_ERROR_CAPACITY:
    /* A sink that stopped a call, or a flag that cancelled it; the command has neither. */
    case CAROM_ERROR_STOPPED:
    case CAROM_ERROR_CANCELLED:
        return CAROM_EXIT_RESOURCES;
    case CAROM_ERROR_ARITHMETIC:
        return CAROM_EXIT_CHECK;
    }
    return CAROM_EXIT_RESOURCES;
}

/* What users typed and files hold may be anything; a terminal gets characters only. */
static void print(const char *format, va_list arguments) {
    char message[MESSAGE_SIZE];
    char printable[PRINTABLE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    carom_printable_copy(message, message + strlen(message), printable, sizeof printable);
    fputs(printable, stderr);
}

void carom_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    clear_line();
    fputs("carom: ", stderr);
    print(format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

carom_exit carom_say_error(carom_status status, const carom_error *error) {
    carom_say("%s", error->message[0] != '\0' ? error->message : carom_status_name(status));
    return carom_say_exit_of(status);
}

void carom_say_progress(const char *format, ...) {
    if (!carom_say_shows_progress()) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    clear_line();
    print(format, arguments);
    fflush(stderr);
    va_end(arguments);
}

void carom_say_progress_end(void) {
    clear_line();
}
