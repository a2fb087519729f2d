// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Constants shared by the probes' kernels and the host. Compiled by both.
#ifndef VMC_PROBE_CONSTANTS_H
#define VMC_PROBE_CONSTANTS_H

#define PROBE_GROUP_SIZE 256
// Number of 16-byte vectors per invocation, and per workgroup.
#define PROBE_RUN 8
#define PROBE_GROUP_VECTORS (PROBE_GROUP_SIZE * PROBE_RUN)
#define BINDING_PROBED 0
#define BINDING_PROBE_RESULT 1

#endif
