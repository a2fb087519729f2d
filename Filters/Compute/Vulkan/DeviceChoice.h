// Which Vulkan device to use, and why not the others. Pure: decides from facts, so that it can be tested without any.
#ifndef vmcDeviceChoice_h
#define vmcDeviceChoice_h

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vmc
{

struct DeviceTraits
{
  // In the order of preference.
  enum class Type
  {
    Discrete,
    Virtual,
    Integrated,
    Other,
    Cpu
  };

  std::string name;
  Type type = Type::Other;
  std::uint32_t apiVersion = 0; // as VK_MAKE_API_VERSION makes it
  bool hasComputeQueue = false;
  std::uint32_t groupInvocations = 0;  // largest group: invocations along x
  std::uint32_t sharedMemoryBytes = 0; // of a group
  std::uint32_t storageBuffers = 0;    // a shader stage may use
};

// Why a device cannot be used: a sentence that names it, the value found and the value needed. Empty if it can.
std::string refusalOf(const DeviceTraits& device);

// Index of the device to use: the most preferred type among the usable ones, then the first listed. A wanted name
// selects by name: equal to it, or else containing it, whatever the case; "automatic" selects none. Of several that are
// equally good, rank
// `localRank` of the processes on this machine takes number localRank modulo their count. Throws NoDevice with the
// reason for every device when none is left.
std::size_t chooseDevice(
  const std::vector<DeviceTraits>& devices, const std::string& wantedName = {}, std::size_t localRank = 0);

}

#endif
