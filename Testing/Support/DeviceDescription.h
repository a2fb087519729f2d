// What a document says of the device that it was made on.
#ifndef vmcDeviceDescription_h
#define vmcDeviceDescription_h

#include "Compute/Vulkan/Device.h"

#include <string>

namespace vmc::test
{

// Names of the driver and its version; empty if the device is no longer there.
std::string driverOf(const Device& device);

// Name of the device, and of its driver if it is known.
std::string describe(const Device& device);

}

#endif
