/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The part of coherent detection that does not depend on the precision: its defaults. */
#include "carom/coherent.h"

carom_coherent_config carom_coherent_config_default(void) {
    return (carom_coherent_config){.size = sizeof(carom_coherent_config)};
}
