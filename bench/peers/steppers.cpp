// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Which steppers there are: those of the libraries that were found when this was built.
#include "bench/peers/stepper.h"

namespace peers {

stepper_list all_steppers() {
    stepper_list list;
    add_carom_stepper(list);
    add_queue_stepper(list);
#ifdef PEERS_BULLET
    add_bullet_steppers(list);
#endif
#ifdef PEERS_ODE
    add_ode_steppers(list);
#endif
    return list;
}

} // namespace peers
