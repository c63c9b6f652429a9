// The header may be included twice in one file and in several files of a
// program, and needs no other header before it.
#include "nudge.h"
#include "nudge.h"

const char *version_b(void);

int main(void) { return nudge_version() == version_b() ? 0 : 1; }
