/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Every kernel over bodies and records of one precision against its scalar twin. */
#include "tests/twin/bodies_tmpl.h"

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_bounds),
        cmocka_unit_test(check_survey),
        cmocka_unit_test(check_home),
        cmocka_unit_test(check_census),
        cmocka_unit_test(check_codes),
        cmocka_unit_test(check_grid_steps),
        cmocka_unit_test(check_cell_lows),
        cmocka_unit_test(check_cell_boxes),
        cmocka_unit_test(check_touch),
        cmocka_unit_test(check_approaching),
        cmocka_unit_test(check_contact),
        cmocka_unit_test(check_direct_bodies),
        cmocka_unit_test(check_fat_boxes),
        cmocka_unit_test(check_follow),
        cmocka_unit_test(check_follow_inner),
        cmocka_unit_test(check_follow_only_inner),
        cmocka_unit_test(check_place),
        cmocka_unit_test(check_slot_boxes),
        cmocka_unit_test(check_box_columns),
        cmocka_unit_test(lengths_decide_rightly),
        cmocka_unit_test(check_recheck),
        cmocka_unit_test(check_relative),
        cmocka_unit_test(check_gap_rows),
        cmocka_unit_test(check_manifold_rows),
        cmocka_unit_test(check_pose_boxes),
        cmocka_unit_test(check_pose_columns),
        cmocka_unit_test(check_swept_boxes),
        cmocka_unit_test(check_apart),
        cmocka_unit_test(check_apart_moving),
        cmocka_unit_test(check_quick),
        cmocka_unit_test(bounds_contain_the_exact_box),
        cmocka_unit_test(touch_agrees_with_the_definition),
        cmocka_unit_test(contacts_meet_their_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
