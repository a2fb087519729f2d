// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Measures the limits of the machine: the rates at which the device reads and writes its memory, and of copies between
// device and host.
#ifndef vmcProbes_h
#define vmcProbes_h

#include "Compute/Context.h"

#include <memory>

namespace vmc::benchmarks
{

// Adds the rows "probe/read", "probe/write", "probe/host to device" and "probe/device to host", each with the counter
// GB/s. Their time is that of one pass over `probe_bytes`, by the device's clock.
void addProbes(const std::shared_ptr<Context>& context, int repetitions);

}

#endif
