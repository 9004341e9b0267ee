/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Impacts that are predicted and may happen in later windows. Those of all neighbours are predicted when neighbours are
 * searched for. A body that has an impact has new ones, which verification and simulation note on the way. */
#ifndef CAROM_IMPACTS_PENDING_H
#define CAROM_IMPACTS_PENDING_H

#include "kernel/impacts/window.h"
#include "kernel/sys/team.h"

/* Pending impacts of all workers, but for those set aside. */
uint64_t carom_pending_count(const carom_window *window, const carom_team *team);

/* Moves the worker's impacts that are due before the window ends from `pending` to `due`, but for those that are out of
 * date. Sets own->failed if there is no memory. Workers may do so at once. */
void carom_pending_take_due(const carom_window *window, carom_impacts_worker *own);

/* Where many windows will follow, sets aside the impacts of all but the next few of them: a window looks at all that
 * are not. Only between windows, as the function after this one. False: no memory. */
bool carom_pending_set_aside(carom_window *window, const carom_team *team);

/* Puts all impacts that were set aside back. */
bool carom_pending_take_back(carom_window *window, const carom_team *team);

/* What the worker had that was due is pending again. */
void carom_pending_restore(carom_impacts_worker *own);

/* Notes an impact between the window's end and the end of the hulls; others are not noted. `is_new`: whether the piece
 * of each body is a new one of this window. */
void carom_pending_note(const carom_window *window, carom_impacts_worker *own, const carom_pending *pending,
                        const bool is_new[2]);

/* The window is over: what the worker noted in it is pending, unless the paths were dropped. Before their last pieces
 * become those of bodies. Workers may do so at once. */
void carom_pending_renew(const carom_window *window, carom_impacts_worker *own);

#endif
