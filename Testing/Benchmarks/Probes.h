// What the machine can do at most: how fast the device reads and writes its memory and exchanges with the host.
#ifndef vmcProbes_h
#define vmcProbes_h

#include "Compute/Vulkan/Device.h"

#include <memory>

namespace vmc::benchmarks
{

// Adds the rows "probe/read", "probe/write", "probe/host to device" and "probe/device to host", each with the counter
// GB/s; their time is the device's, of one pass over `probe_bytes`.
void addProbes(const std::shared_ptr<Device>& device, int repetitions);

}

#endif
