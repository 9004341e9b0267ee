/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Looks at the bodies before anything is moved. In: the bodies of a part. Out: the part's plan, and the centre of the
 * scene; or the first bad body. Nothing behind the survey ever sees a value that is not finite. */
#ifndef CAROM_DETECT_SEARCH_SURVEY_TMPL_H
#define CAROM_DETECT_SEARCH_SURVEY_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_survey_part CAROM_REAL(carom_survey_part)
#define carom_survey_centre CAROM_REAL(carom_survey_centre)
#define carom_survey_find_bad CAROM_REAL(carom_survey_find_bad)
#define carom_survey_centre_of_few CAROM_REAL(carom_survey_centre_of_few)

/* Samples and surveys a part's bodies and plans its search by `method`. For the scene it also chooses the centre.
 * Errors: BODY (the first body with a value that is not finite, or a negative radius). */
carom_status carom_survey_part(carom_detect_job *job, carom_part *part, carom_method method);

/* Looks for the first body with a value that is not finite, or a negative radius, and describes it: slow, and rare.
 * Errors: BODY. */
carom_status carom_survey_find_bad(carom_detect_job *job);

/* The centre that a survey of these bodies would choose, which may hold values that are not finite. */
void carom_survey_centre(const carom_detect_job *job, double centre[3]);

/* The same for a scene of bodies [begin, end), of which there are so few that no sample is trimmed. */
void carom_survey_centre_of_few(const carom_bodies *bodies, uint64_t begin, uint64_t end, double centre[3]);

#endif
