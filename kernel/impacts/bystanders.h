/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bystanders: bodies in no group, which the giant of a group may hit while the group is simulated. They are tested with
 * the giant's other neighbours, and one that is hit joins the group there and then. Most never are: what a giant's path
 * meets depends on each hit before. Were they all made members by rounds of verification, as the neighbours of small
 * bodies are, most members of giants' groups would be bodies that an earlier path of the giant would have met. */
#ifndef CAROM_IMPACTS_BYSTANDERS_H
#define CAROM_IMPACTS_BYSTANDERS_H

#include "kernel/impacts/cluster.h"

/* A body that has joined a group, and is not among the window's entries yet. */
typedef struct carom_joined {
    carom_active active; /* `local` is its index among the cluster's members */
    uint32_t root;
    uint32_t giant; /* slot */
    double kept[3]; /* as of carom_impacts_bodies: several groups may hold the body */
} carom_joined;

/* Lists the bystanders of c->giant, if there is one, among what the kernel tests for it. The giant's list must be the
 * last one in c->other. */
void carom_bystanders_list(carom_cluster *c);

/* Makes sure that m[n] is there, and n in the heap. */
void carom_bystanders_load(carom_cluster *c, uint32_t n);

/* The number of member n, whether it is loaded or not. */
uint32_t carom_bystanders_number(const carom_cluster *c, uint32_t n);

/* Before member n has an impact. A bystander joins the group, and may hit surfaces from then on; who else may hit it is
 * known to the next simulation alone. Sets own->failed if there is no memory. */
void carom_bystanders_join(carom_cluster *c, uint32_t n);

/* A side of an impact of member n, which has joined if it was a bystander. */
carom_response_side carom_bystanders_side(const carom_cluster *c, uint32_t n);

/* The entry of a member, or what will be that of a bystander that has joined. */
carom_active *carom_bystanders_active(const carom_cluster *c, uint32_t n);

/* The simulation ends. If it may have missed an impact, the group is noted as one that meets another, so that it runs
 * again. */
void carom_bystanders_end(const carom_cluster *c);

/* Between stages: who has joined a group becomes an entry. Groups that the same body has joined meet. Returns how many
 * entries there are more. */
uint64_t carom_bystanders_settle(carom_window *window, uint32_t workers);

#endif
