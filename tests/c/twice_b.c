// The other half of twice_a.c.
#include "nudge.h"

const char *version_b(void);

const char *version_b(void) { return nudge_version(); }
