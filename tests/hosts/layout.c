/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sizes and offsets of the structs that ctypes_host.py and ctypes_step.py write out again, as JSON. */
#include <carom/carom.h>
#include <stddef.h>
#include <stdio.h>

#define OFFSET(field) printf("\"%s\": %zu, ", #field, offsetof(carom_detection_f32, field))
#define CONFIG_OFFSET(name, field) printf("\"config.%s\": %zu, ", name, offsetof(carom_detect_config, field))

/* Of a struct with the name carom_..., its size or where a member is. */
#define SIZE(type) printf("\"%s\": %zu, ", #type, sizeof(carom_##type))
#define AT(type, field) printf("\"%s.%s\": %zu, ", #type, #field, offsetof(carom_##type, field))

static void print_detection(void) {
    printf("\"bodies\": %zu, \"error\": %zu, ", sizeof(carom_bodies_f32), sizeof(carom_error));
    OFFSET(summary.touching_pairs);
    OFFSET(summary.groups);
    OFFSET(pair_count);
    OFFSET(contacts.i);
    OFFSET(contacts.k);
    OFFSET(groups.label);
    printf("\"config\": %zu, \"progress\": %zu, ", sizeof(carom_detect_config), sizeof(carom_progress));
    CONFIG_OFFSET("until", until);
    CONFIG_OFFSET("flags", count_only);
    CONFIG_OFFSET("cancel", cancel);
    CONFIG_OFFSET("progress", progress);
    CONFIG_OFFSET("approaching", approaching);
    CONFIG_OFFSET("margin", margin);
    printf("\"progress.fraction\": %zu, ", offsetof(carom_progress, fraction));
    printf("\"list_config\": %zu, \"lists\": %zu, ", sizeof(carom_list_config), sizeof(carom_lists));
    printf("\"list_config.cutoff\": %zu, ", offsetof(carom_list_config, cutoff));
    printf("\"lists.required_bytes\": %zu, ", offsetof(carom_lists, required_bytes));
    printf("\"query_config\": %zu, \"answer\": %zu, ", sizeof(carom_query_config), sizeof(carom_query_answer_f32));
    printf("\"answer.contacts\": %zu, ", offsetof(carom_query_answer_f32, contacts));
    printf("\"detection\": %zu, ", sizeof(carom_detection_f32));
}

static void print_rules(void) {
    SIZE(surface);
    AT(surface, restitution);
    AT(surface, at);
    AT(surface, axis);
    AT(surface, extent);
    SIZE(step_config);
    AT(step_config, dt);
    AT(step_config, acceleration);
    AT(step_config, restitution);
    AT(step_config, rest_speed);
    AT(step_config, contact_time);
    AT(step_config, budget);
    AT(step_config, response);
    AT(step_config, surface);
    AT(step_config, surface_count);
    AT(step_config, periodic);
    AT(step_config, filter);
    AT(step_config, pair);
    AT(step_config, pair_user);
    AT(step_config, events);
    AT(step_config, sink);
    AT(step_config, sink_user);
    AT(step_config, cancel);
}

static void print_motion(void) {
    SIZE(motion_f32);
    AT(motion_f32, position);
    AT(motion_f32, velocity);
    AT(motion_f32, radius);
    AT(motion_f32, mass);
    AT(motion_f32, restitution);
    AT(motion_f32, position_stride);
    AT(motion_f32, restitution_stride);
    AT(motion_f32, common_radius);
    SIZE(motion_f64);
    AT(motion_f64, restitution_stride);
    AT(motion_f64, common_radius);
}

static void print_report(void) {
    SIZE(event);
    AT(event, i);
    AT(event, k);
    AT(event, surface);
    AT(event, shift);
    AT(event, point);
    AT(event, normal);
    AT(event, impulse);
    SIZE(step_report);
    AT(step_report, impacts);
    AT(step_report, surface_impacts);
    AT(step_report, held);
    AT(step_report, held_body);
    AT(step_report, merged);
    AT(step_report, event);
    AT(step_report, event_count);
    AT(step_report, windows);
    AT(step_report, rounds);
    AT(step_report, largest_group);
    AT(step_report, seconds);
    AT(step_report, phase_seconds);
}

static void print_world(void) {
    SIZE(world_bodies_f32);
    AT(world_bodies_f32, user);
    SIZE(world_bodies_f64);
    AT(world_bodies_f64, position);
    AT(world_bodies_f64, velocity);
    AT(world_bodies_f64, radius);
    AT(world_bodies_f64, mass);
    AT(world_bodies_f64, restitution);
    AT(world_bodies_f64, category);
    AT(world_bodies_f64, mask);
    AT(world_bodies_f64, user);
    SIZE(world_contacts);
    AT(world_contacts, begun_i);
    AT(world_contacts, persisted);
    AT(world_contacts, ended_k);
    SIZE(world_totals);
    AT(world_totals, fixed);
    AT(world_totals, mass);
    AT(world_totals, energy);
    AT(world_totals, momentum);
    AT(world_totals, centre);
    AT(world_totals, hash);
}

int main(void) {
    printf("{");
    print_detection();
    print_rules();
    print_motion();
    print_report();
    print_world();
    printf("\"handle\": %zu}\n", sizeof(carom_handle));
    return 0;
}
