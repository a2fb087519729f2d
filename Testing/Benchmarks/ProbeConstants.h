// What the probes' kernels and the host agree on. Compiled by both.
#ifndef VMC_PROBE_CONSTANTS_H
#define VMC_PROBE_CONSTANTS_H

#define PROBE_GROUP_SIZE 256
// Vectors of 16 bytes: of each invocation, and of each group.
#define PROBE_RUN 8
#define PROBE_GROUP_VECTORS (PROBE_GROUP_SIZE * PROBE_RUN)
#define BINDING_PROBED 0
#define BINDING_PROBE_RESULT 1

#endif
