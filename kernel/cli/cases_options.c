/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/cases_options.h"

#include "kernel/cli/choices.h"

static bool set_precision(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_precision(value, &((carom_cases_options *)into)->asked.f64, wanted);
}

static bool set_margin(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_real(value, 0, &((carom_cases_options *)into)->asked.margin, wanted);
}

static bool set_json(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]) {
    return carom_choices_flag(value, &((carom_cases_options *)into)->json, wanted);
}

static const carom_option option_table[] = {
    {"precision", "P", "f32 or f64; with f32 the file's numbers are rounded to float first (default f64)",
     set_precision},
    {"margin", "D", "shapes within this distance of each other count as touching (default 0)", set_margin},
    {"json", NULL, "print one JSON object instead of a table", set_json},
};

#define SHAPES                                                                                                         \
    "CASES.json is an object with a list \"cases\". A case has an \"id\", a number or a text, and two shapes \"a\" "   \
    "and\n"                                                                                                            \
    "\"b\"; what else it has is left to other programs. A shape has a word \"shape\" and, besides, if it is a\n\n"     \
    "  sphere     c, r                            point      c\n"                                                      \
    "  box        c, half                         ellipsoid  c, semi\n"                                                \
    "  capsule    c, r, half_segment, axis        cylinder   c, r, half_height, axis\n"                                \
    "  cone       c, r, half_height, axis: its apex is c + half_height axis\n"                                         \
    "  points     v: their convex hull            triangle   v: three points\n"                                        \
    "  segment    a, b: its ends                  line       c, axis: infinite\n"                                      \
    "  halfspace  n, offset: all x with n.x <= offset\n"                                                               \
    "  plane      n, offset: all x with n.x = offset, a surface with two sides\n"                                      \
    "  compound   children: any of these but line, halfspace, plane and compound\n\n"                                  \
    "c is the place of the shape's frame, quat_wxyz its rotation, which any shape may have: then v, a, b, n and "      \
    "axis\n"                                                                                                           \
    "are in that frame. axis need not have length 1; it is z where it is missing. kernel/cli/cases_schema.json has "   \
    "the\n"                                                                                                            \
    "details.\n"

const carom_command carom_cases_options_distance = {
    .name = "distance",
    .summary = "Computes the signed distance of pairs of shapes, as a proved bracket, with normal and points.",
    .examples = "  carom distance tests/data/static_distance_cases.json\n"
                "  carom distance cases.json --precision f32 --json\n",
    .usage = "  carom distance CASES.json [--precision P] [--margin D] [--json]     (CASES.json may be - for standard "
             "input)\n",
    .notes = SHAPES
    "\n"
    "For each case it prints the state (separated: proved apart; touching: proved to touch; close: neither, the\n"
    "bracket holds 0), the signed distance (negative: the depth), its bounds lower and upper, the unit normal from b "
    "to\n"
    "a (a file's normal_1to2 is the opposite one), a point of a and one of b, and the iterations of the search. "
    "capped\n"
    "says that the bracket is wider than the tolerance asks; it is still valid. With --margin D the state is that of\n"
    "the distance less D; all else is of the shapes themselves.\n",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
    .operands = 1,
};

const carom_command carom_cases_options_toi = {
    .name = "toi",
    .summary = "Computes when pairs of shapes that move and rotate first touch, never late.",
    .examples = "  carom toi moving.json\n"
                "  carom toi moving.json --json\n",
    .usage =
        "  carom toi CASES.json [--precision P] [--margin D] [--json]     (CASES.json may be - for standard input)\n",
    .notes = SHAPES
    "\n"
    "Besides, a and b may have a motion in the step: \"move\", the way of the frame, and \"spin\", the rotation vector "
    "in\n"
    "radians (any number of turns), or \"quat_end_wxyz\", to which it turns the shorter way. A shape turns about c.\n\n"
    "For each case it prints the state (none: proved not to touch; hit; capped: the search ended before it knew, and\n"
    "there is no touch before t), the time t in [0, 1], never after the first touch, an upper bound of the gap at t, "
    "the\n"
    "unit normal from b to a, a point of a and one of b at t, and at how many poses it looked. With --margin D t is "
    "when\n"
    "the shapes first are within D of each other; gap, normal and points are of the shapes themselves.\n",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
    .operands = 1,
};

carom_exit carom_cases_options_parse(const carom_command *command, const carom_invocation *invocation, int argc,
                                     char **argv, carom_cases_options *options, bool *help) {
    *options = (carom_cases_options){.invocation = invocation, .asked = {.f64 = true}};
    carom_parsed parsed;
    const carom_exit outcome = carom_options_parse(command, argc, argv, options, &parsed);
    *help = parsed.help;
    if (outcome != CAROM_EXIT_OK || parsed.help) {
        return outcome;
    }
    if (parsed.count == 0) {
        return carom_options_refuse(command, "which cases? Give a file");
    }
    options->file = parsed.operands[0];
    return CAROM_EXIT_OK;
}
