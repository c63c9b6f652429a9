// What the C tests check with; a failure says where and ends the program.
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>
#include <stdlib.h>

#include "nudge.h"

#define expect(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

#define done(call) expect_code((call), 0, __FILE__, __LINE__)
#define refused(call, code) expect_code((call), (code), __FILE__, __LINE__)

static inline void expect_code(nudge_error *error, int32_t code, const char *file, int line) {
    if (nudge_error_code(error) != code) {
        fprintf(stderr, "%s:%d: expected %d, got %d: %s\n", file, line, (int)code,
                (int)nudge_error_code(error), nudge_error_message(error));
        exit(1);
    }
    nudge_error_free(error);
}

#endif
