/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/trajectory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel/check/assert.h"
#include "kernel/io/heap.h"
#include "kernel/io/vtp.h"
#include "kernel/io/xyz_frame.h"
#include "kernel/sys/error.h"

/* Frames that the first list of times has room for. */
enum { TIMES = 64 };

/* Bytes of the longest name of a file in the folder: impacts_<20 digits>.vtp. */
enum { NAME_SIZE = 40 };

/* Leaves the folder's name and a slash in `path`, and `name` after it. Opening checked that it fits. */
static void join(const carom_trajectory *trajectory, const char *name, char path[PATH_MAX]) {
    const size_t folder = strlen(trajectory->folder);
    CAROM_ASSERT(folder + 1 + strlen(name) < PATH_MAX);
    memcpy(path, trajectory->folder, folder);
    path[folder] = '/';
    memcpy(path + folder + 1, name, strlen(name) + 1);
}

static carom_status make_folder(const char *folder, carom_error *error) {
    struct stat facts;
    if (strlen(folder) + 1 + NAME_SIZE > PATH_MAX) {
        errno = ENAMETOOLONG;
        return carom_error_file(error, folder);
    }
    if (mkdir(folder, 0777) == 0) {
        return CAROM_OK;
    }
    if (errno == EEXIST && stat(folder, &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) {
            return CAROM_OK;
        }
        errno = ENOTDIR;
    }
    return carom_error_file(error, folder);
}

carom_status carom_trajectory_open(const char *folder, unsigned formats, carom_trajectory *trajectory,
                                   carom_error *error) {
    memset(trajectory, 0, sizeof *trajectory);
    carom_status status = make_folder(folder, error);
    if (status != CAROM_OK) {
        return status;
    }
    strcpy(trajectory->folder, folder);
    join(trajectory, "frames.xyz", trajectory->xyz_path);
    trajectory->time = carom_heap_allocate(TIMES * sizeof *trajectory->time);
    if (trajectory->time == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "%s: no memory for its frames", folder);
    }
    trajectory->room = TIMES;
    trajectory->formats = formats;
    if (formats & CAROM_TRAJECTORY_XYZ) {
        status = carom_output_open(trajectory->xyz_path, &trajectory->xyz, error);
        if (status == CAROM_OK) {
            carom_output_pause(&trajectory->xyz);
        } else {
            carom_heap_release(trajectory->time, TIMES * sizeof *trajectory->time);
        }
    }
    return status;
}

static carom_status add_xyz(carom_trajectory *trajectory, const carom_moment *moment, carom_error *error) {
    carom_output_resume(&trajectory->xyz);
    carom_xyz_frame_write(trajectory->xyz.file, moment);
    const carom_status status = carom_output_keep(&trajectory->xyz, error);
    carom_output_pause(&trajectory->xyz);
    return status;
}

/* The path of this frame's file of bodies or of impacts. */
static void name_frame(const carom_trajectory *trajectory, const char *stem, char path[PATH_MAX]) {
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s_%06" PRIu64 ".vtp", stem, trajectory->frames);
    join(trajectory, name, path);
}

static carom_status add_vtk(const carom_trajectory *trajectory, const carom_moment *moment,
                            const carom_impact_row *impacts, uint64_t count, carom_error *error) {
    char path[PATH_MAX];
    name_frame(trajectory, "frame", path);
    carom_status status = carom_vtp_write_bodies(path, moment, error);
    if (status == CAROM_OK) {
        name_frame(trajectory, "impacts", path);
        status = carom_vtp_write_impacts(path, moment, impacts, count, error);
    }
    return status;
}

/* Both lists, with one more frame than there was. */
static carom_status list_frames(const carom_trajectory *trajectory, carom_error *error) {
    const uint64_t count = trajectory->frames + 1;
    char path[PATH_MAX];
    join(trajectory, "impacts.pvd", path);
    carom_status status = carom_vtp_write_list(path, "impacts", trajectory->time, count, error);
    if (status == CAROM_OK) {
        join(trajectory, "frames.pvd", path);
        status = carom_vtp_write_list(path, "frame", trajectory->time, count, error);
    }
    return status;
}

static carom_status remember_time(carom_trajectory *trajectory, double time, carom_error *error) {
    if (trajectory->frames == trajectory->room) {
        const uint64_t bytes = trajectory->room * sizeof time;
        double *more = carom_heap_allocate(2 * bytes);
        if (more == NULL) {
            return carom_error_set(error, CAROM_ERROR_MEMORY, "%s: no memory for another frame", trajectory->folder);
        }
        memcpy(more, trajectory->time, bytes);
        carom_heap_release(trajectory->time, bytes);
        trajectory->time = more;
        trajectory->room *= 2;
    }
    trajectory->time[trajectory->frames] = time;
    return CAROM_OK;
}

carom_status carom_trajectory_add(carom_trajectory *trajectory, const carom_moment *moment,
                                  const carom_impact_row *impacts, uint64_t impact_count, carom_error *error) {
    const bool vtk = (trajectory->formats & CAROM_TRAJECTORY_VTK) != 0;
    carom_status status = remember_time(trajectory, moment->time, error);
    if (status == CAROM_OK && vtk) {
        status = add_vtk(trajectory, moment, impacts, impact_count, error);
    }
    if (status == CAROM_OK && (trajectory->formats & CAROM_TRAJECTORY_XYZ)) {
        status = add_xyz(trajectory, moment, error);
    }
    if (status == CAROM_OK && vtk) {
        status = list_frames(trajectory, error);
    }
    trajectory->frames += status == CAROM_OK;
    return status;
}

bool carom_trajectory_was_longer(const carom_trajectory *trajectory) {
    struct stat facts;
    char path[PATH_MAX];
    name_frame(trajectory, "frame", path);
    return (trajectory->formats & CAROM_TRAJECTORY_VTK) != 0 && stat(path, &facts) == 0;
}

carom_status carom_trajectory_close(carom_trajectory *trajectory, carom_error *error) {
    carom_status status = CAROM_OK;
    if (trajectory->formats & CAROM_TRAJECTORY_XYZ) {
        carom_output_resume(&trajectory->xyz);
        status = carom_output_close(&trajectory->xyz, error);
    }
    carom_heap_release(trajectory->time, trajectory->room * sizeof *trajectory->time);
    memset(trajectory, 0, sizeof *trajectory);
    return status;
}
