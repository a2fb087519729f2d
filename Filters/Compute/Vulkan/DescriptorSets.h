// Which buffers a kernel works on.
#ifndef vmcDescriptorSets_h
#define vmcDescriptorSets_h

#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Kernel.h"
#include "Shared/Bindings.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace vmc
{

// Buffers by binding number (BINDING_... in Shaders/Shared/Bindings.h).
class Bindings
{
public:
  Bindings() = default;
  Bindings(std::initializer_list<std::pair<std::uint32_t, Region>> regions)
  {
    for (const auto& [binding, region] : regions)
      (*this)[binding] = region;
  }

  Region& operator[](std::uint32_t binding) { return this->Regions[binding]; }
  const Region& operator[](std::uint32_t binding) const { return this->Regions[binding]; }

private:
  std::array<Region, BINDING_COUNT> Regions; // without a buffer: nothing bound
};

// Descriptor sets, kept from recording to recording: making one takes the host longer than recording its dispatch.
class DescriptorSets
{
public:
  explicit DescriptorSets(const Device& device)
    : Owner(device)
  {
  }

  // The set that binds what the kernel declares, of `available`, which may hold more. Throws Internal if something
  // lacks, OutOfMemory if a region is larger than the device can bind.
  vk::DescriptorSet get(const Kernel& kernel, const Bindings& available);

  std::size_t count() const { return this->Entries.size(); } // sets kept

  // Forgets all sets if they have become many. No command that uses one may be pending.
  void trim();

private:
  // A region by the identity of its buffer: another buffer may lie where an old one was.
  struct Part
  {
    std::uint64_t buffer, offset, size;
    bool operator==(const Part& other) const
    {
      return this->buffer == other.buffer && this->offset == other.offset && this->size == other.size;
    }
  };

  struct Entry
  {
    const Kernel* kernel;
    std::vector<Part> parts; // in the order of the kernel's bindings
    vk::DescriptorSet set;
  };

  const Region& regionAt(const Kernel& kernel, const Bindings& available, std::uint32_t binding) const;
  vk::DescriptorSet make(const Kernel& kernel, const Bindings& available);
  vk::DescriptorSet allocate(const Kernel& kernel);

  const Device& Owner;
  std::vector<vk::raii::DescriptorPool> Pools; // as many as were needed so far
  std::vector<Entry> Entries;
  std::vector<Part> Wanted; // of the set at hand
};

}

#endif
