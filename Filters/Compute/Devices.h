// The Vulkan devices of this machine, without Vulkan's types.
#ifndef vmcDevices_h
#define vmcDevices_h

#include <memory>
#include <string>
#include <vector>

namespace vmc
{

class Device;
class HostMemoryPool;

// Names of the usable devices; equal names are numbered "(2)", "(3)". Empty without a Vulkan loader or driver.
std::vector<std::string> deviceNames();

// The device that the name chooses (see chooseDevice; empty or "automatic", in capitals or not: the preferred one;
// ranks of MPI on one machine spread over equal GPUs), opened when first asked for and then kept for the process:
// filters that choose the same device share it, whatever they call it. Whoever holds the pointer keeps the device
// alive. Throws NoDevice with a reason for every device.
std::shared_ptr<Device> sharedDevice(const std::string& wantedName = {});

// Forgets this device, as after DeviceLost: the next call of sharedDevice opens it anew. Where another one has taken
// its place already, nothing happens.
void dropSharedDevice(const Device& device);

// Whether objects of Vulkan may be used and destroyed. Not while the process is ending: drivers and layers end
// themselves then, some before the last objects that use them. And not in a process that fork() made after its parent
// had opened Vulkan. Objects are left to the operating system there.
bool mayUseVulkan();

// Name of the device as deviceNames() lists it.
const std::string& nameOf(const Device& device);

// The memory of the device's output.
HostMemoryPool& hostBlocksOf(const Device& device);

// What Vulkan's validation layer has said so far, oldest first; it also went to the standard error stream, each message
// after "Vulkan validation:". Validation is on, synchronization included, if the
// environment variable VMC_VALIDATION is 1 when the first device is opened.
std::vector<std::string> validationMessages();
bool isValidating();

}

#endif
