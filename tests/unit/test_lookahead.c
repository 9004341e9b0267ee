/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The accounts by which coherent detection chooses between lists and cold steps. Guards that a list is left when it
 * costs more than cold steps, that one comes back only when it would have paid, that lists which lose must earn what
 * they lost first, and so that motion made to mislead the choice cannot make steps cost a tenth more than cold ones. */
#include "kernel/coherent/lookahead.h"
#include "tests/support/check.h"

static const double BODIES = 10000;

static const carom_coherent_motion motion = {.within = 0.1, .between = 0.1, .extent = 2};

/* A step in which as many boxes overlap as there are bodies, on a list of so many pairs. */
static carom_coherent_work work_of(double pairs) {
    return (carom_coherent_work){.prices = carom_price_table(CAROM_UNTIL_GROUPS, false),
                                 .bodies = BODIES,
                                 .pairs = pairs,
                                 .box_pairs = BODIES,
                                 .touching = BODIES / 2};
}

static carom_coherent_lookahead list_of(double pairs, int steps) {
    const carom_coherent_work work = work_of(pairs);
    carom_coherent_lookahead l;
    carom_coherent_lookahead_init(&l);
    carom_coherent_lookahead_choose(&l, 0, &motion);
    carom_coherent_lookahead_built(&l, carom_price_table(CAROM_UNTIL_GROUPS, false), BODIES, pairs);
    for (int n = 0; n < steps; n++) {
        carom_coherent_lookahead_step(&l, &work);
    }
    return l;
}

/* Short lists lose and long ones pay; in between neither. */
static void test_lives(void **state) {
    (void)state;
    int lost = 0;
    int paid = 0;
    for (int steps = 1; steps <= 40; steps++) {
        const carom_coherent_lookahead l = list_of(1.2 * BODIES, steps);
        const bool loses = carom_coherent_lookahead_lost(&l);
        const bool pays = carom_coherent_lookahead_pays(&l);
        assert_false(loses && pays);
        assert_true(steps < 40 || pays);
        assert_true(steps > 1 || loses);
        lost += loses;
        paid += pays;
        assert_int_equal(paid > 0, pays); /* a list that pays goes on paying */
    }
    assert_true(lost >= 2 && lost <= 8 && paid >= 30);
}

/* A list whose steps alone are dearer than cold ones is left whatever comes. */
static void test_long_lists(void **state) {
    (void)state;
    carom_coherent_lookahead l = list_of(1.2 * BODIES, 10);
    assert_false(carom_coherent_lookahead_loses(&l));
    l = list_of(20 * BODIES, 10);
    assert_true(carom_coherent_lookahead_loses(&l));
    l = list_of(20 * BODIES, 1);
    assert_false(carom_coherent_lookahead_loses(&l)); /* too soon to tell */
}

/* Bodies at rest that move between steps: fat boxes are wider by the whole way, but never by more than bodies are. */
static void test_hidden_motion(void **state) {
    (void)state;
    const carom_coherent_motion slow = {.between = 0.01, .extent = 2};
    const carom_coherent_motion fast = {.between = 100, .extent = 2};
    carom_coherent_lookahead l;
    carom_coherent_lookahead_init(&l);
    carom_coherent_lookahead_choose(&l, 0, &slow);
    assert_true(l.margin >= 0.01 * l.steps_ahead && l.margin < 0.02 * l.steps_ahead && l.displacement == 0);
    carom_coherent_lookahead_init(&l);
    carom_coherent_lookahead_choose(&l, 1024, &fast);
    assert_true(l.steps_ahead == 1024 && l.margin > 0 && l.margin <= 2);
}

static void test_promises(void **state) {
    (void)state;
    const carom_coherent_work few = work_of(1.2 * BODIES);
    const carom_coherent_work many = work_of(20 * BODIES);
    carom_coherent_lookahead l = list_of(1.2 * BODIES, 0);
    assert_true(l.steps_ahead > 4 && carom_coherent_lookahead_promises(&l, &few));
    assert_false(carom_coherent_lookahead_promises(&l, &many));
    l.steps_ahead = 1;
    assert_false(carom_coherent_lookahead_promises(&l, &few));
}

/* What a list has lost must be saved, or repaid by cold steps. */
static void test_debt(void **state) {
    (void)state;
    const carom_coherent_work work = work_of(1.2 * BODIES);
    carom_coherent_lookahead l = list_of(1.2 * BODIES, 1);
    carom_coherent_lookahead_settle(&l);
    const double debt = l.debt;
    assert_true(debt > carom_price_cold(&work));
    carom_coherent_lookahead again = list_of(1.2 * BODIES, 6);
    assert_true(carom_coherent_lookahead_pays(&again));
    again.debt = debt;
    assert_false(carom_coherent_lookahead_pays(&again));
    int steps = 0;
    for (; again.debt > 0; steps++) {
        carom_coherent_lookahead_repay(&again, &work);
    }
    assert_true(steps > 20 && carom_coherent_lookahead_pays(&again));
    again = list_of(1.2 * BODIES, 200);
    again.debt = debt;
    carom_coherent_lookahead_settle(&again);
    assert_true(again.debt == 0);
}

/* Bodies that rest until there is a list again, and then move so far that it is lost at once, over and over. */
static void test_misleading_motion(void **state) {
    (void)state;
    const carom_coherent_work work = work_of(1.2 * BODIES);
    const double cold = carom_price_cold(&work);
    carom_coherent_lookahead l = list_of(1.2 * BODIES, 0);
    double cost = 0;
    double steps = 0;
    int lists = 0;
    for (; lists < 50; lists++) {
        carom_coherent_lookahead_choose(&l, 0, &motion);
        carom_coherent_lookahead_built(&l, work.prices, BODIES, work.pairs);
        while (!carom_coherent_lookahead_pays(&l)) {
            carom_coherent_lookahead_repay(&l, &work);
            carom_coherent_lookahead_step(&l, &work);
            cost += cold;
            steps++;
        }
        carom_coherent_lookahead_built(&l, work.prices, BODIES, work.pairs);
        carom_coherent_lookahead_step(&l, &work);
        carom_coherent_lookahead_settle(&l);
        cost += l.build_cost + l.cost;
        steps++;
    }
    assert_true(cost < 1.1 * cold * steps);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lives),    cmocka_unit_test(test_long_lists), cmocka_unit_test(test_hidden_motion),
        cmocka_unit_test(test_promises), cmocka_unit_test(test_debt),       cmocka_unit_test(test_misleading_motion),
    };
    return cmocka_run_group_tests_name("lookahead", tests, NULL, NULL);
}
