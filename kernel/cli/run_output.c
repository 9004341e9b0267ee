/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_output.h"

#include <inttypes.h>

#include "kernel/cli/say.h"
#include "kernel/io/heap.h"
#include "kernel/io/output.h"
#include "kernel/io/write.h"

/* A file that cannot be written is the disk's fault, not the input's. */
static carom_exit say_failure(carom_status status, const carom_error *error) {
    const carom_exit outcome = carom_say_error(status, error);
    return status == CAROM_ERROR_FILE ? CAROM_EXIT_RESOURCES : outcome;
}

static void say_written(const carom_written *written, const char *what) {
    carom_say("wrote %" PRIu64 " %s to %s%s", written->rows, what, written->to,
              written->replaced ? ", replacing what was there" : "");
}

carom_exit carom_run_output_open(const carom_run_outputs *output, const char *const *surface_names,
                                 carom_trajectory *trajectory, carom_run_loop *loop) {
    carom_run_impacts *impacts = loop->impacts;
    carom_error error = {.status = CAROM_OK};
    carom_status status = output->state != NULL ? carom_output_check(output->state, &error) : CAROM_OK;
    if (output->snapshot != NULL && status == CAROM_OK) {
        status = carom_output_check(output->snapshot, &error);
    }
    if (output->events != NULL && status == CAROM_OK) {
        status = carom_events_open(output->events, surface_names, &impacts->file, &error);
        impacts->writes = status == CAROM_OK;
    }
    if (output->folder != NULL && status == CAROM_OK) {
        status = carom_trajectory_open(output->folder, CAROM_TRAJECTORY_XYZ | CAROM_TRAJECTORY_VTK, trajectory, &error);
        loop->trajectory = status == CAROM_OK ? trajectory : NULL;
        impacts->keeps = status == CAROM_OK;
    }
    if (status == CAROM_OK) {
        return CAROM_EXIT_OK;
    }
    const carom_exit outcome = say_failure(status, &error);
    carom_run_output_close(output, loop);
    return outcome;
}

carom_exit carom_run_output_close(const carom_run_outputs *output, carom_run_loop *loop) {
    carom_error error = {.status = CAROM_OK};
    carom_written written = {.rows = 0};
    carom_exit outcome = CAROM_EXIT_OK;
    if (loop->trajectory != NULL) {
        const uint64_t frames = loop->trajectory->frames;
        const bool was_longer = carom_trajectory_was_longer(loop->trajectory);
        const carom_status status = carom_trajectory_close(loop->trajectory, &error);
        loop->trajectory = NULL;
        if (status == CAROM_OK) {
            carom_say("wrote %" PRIu64 " frames to %s%s", frames, output->folder,
                      was_longer ? ", which still has later ones of an earlier run" : "");
        } else {
            outcome = say_failure(status, &error);
        }
    }
    if (loop->impacts->writes) {
        const carom_status status = carom_events_close(&loop->impacts->file, &written, &error);
        loop->impacts->writes = false;
        if (status == CAROM_OK) {
            say_written(&written, "impacts");
        } else if (loop->impacts->status == CAROM_OK) { /* else the step has told */
            outcome = say_failure(status, &error);
        }
    }
    return outcome;
}

static carom_exit write_state(const char *path, const carom_run_loop *loop, uint64_t steps) {
    const carom_moment moment = carom_run_loop_moment(loop, steps);
    carom_error error = {.status = CAROM_OK};
    carom_written written = {.rows = 0};
    const carom_status status = carom_write_state(path, &moment, NULL, &written, &error);
    if (status != CAROM_OK) {
        return say_failure(status, &error);
    }
    say_written(&written, "bodies");
    return CAROM_EXIT_OK;
}

static carom_status write_bytes(const char *path, const void *bytes, uint64_t size, carom_written *written,
                                carom_error *error) {
    carom_output out;
    carom_status status = carom_output_open(path, &out, error);
    if (status != CAROM_OK) {
        return status;
    }
    /* carom_output_close reports a write that failed. */
    written->rows = fwrite(bytes, 1, (size_t)size, out.file);
    status = carom_output_close(&out, error);
    written->to = out.standard ? "standard output" : out.path;
    written->replaced = out.replaces;
    return status;
}

/* The first call only finds how large it is. */
static carom_exit write_snapshot(const char *path, const carom_run_world *world) {
    uint64_t size = 0;
    carom_error error = {.status = CAROM_OK};
    carom_written written = {.rows = 0};
    carom_status status = carom_run_world_save(world, NULL, 0, &size, &error);
    if (status != CAROM_ERROR_CAPACITY) {
        return say_failure(status, &error);
    }
    void *bytes = carom_heap_allocate(size);
    if (bytes == NULL) {
        carom_say("no memory for a snapshot of %" PRIu64 " bytes", size);
        return CAROM_EXIT_RESOURCES;
    }
    status = carom_run_world_save(world, bytes, size, &size, &error);
    if (status == CAROM_OK) {
        status = write_bytes(path, bytes, size, &written, &error);
    }
    carom_heap_release(bytes, size);
    if (status != CAROM_OK) {
        return say_failure(status, &error);
    }
    say_written(&written, "bytes");
    return CAROM_EXIT_OK;
}

carom_exit carom_run_output_finish(const carom_run_outputs *output, const carom_run_loop *loop, uint64_t steps) {
    carom_exit outcome = output->state != NULL ? write_state(output->state, loop, steps) : CAROM_EXIT_OK;
    if (output->snapshot != NULL && outcome == CAROM_EXIT_OK) {
        outcome = write_snapshot(output->snapshot, loop->world);
    }
    return outcome;
}
