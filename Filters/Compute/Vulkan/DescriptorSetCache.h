// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Binds buffers to kernels.
#ifndef vmcDescriptorSetCache_h
#define vmcDescriptorSetCache_h

#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Kernel.h"
#include "Shared/Bindings.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

namespace vmc
{

// A region of a buffer at its binding number (BINDING_... in Shaders/Shared/Bindings.h).
struct Operand
{
  std::uint32_t binding;
  Region region;
};

// Operands by binding number.
class Bindings
{
public:
  Bindings() = default;
  Bindings(std::initializer_list<Operand> operands)
  {
    for (const Operand& operand : operands)
      this->set(operand);
  }

  // Replaces the operand with the same binding number. A region without a buffer is not bound.
  void set(const Operand& operand)
  {
    this->Regions[operand.binding] = operand.region;
    this->Mask |= operand.region.buffer ? BindingMask(1) << operand.binding : 0;
  }
  void set(const Bindings& others);
  const Region& operator[](std::uint32_t binding) const { return this->Regions[binding]; }
  BindingMask mask() const { return this->Mask; } // of the bindings that have a buffer
  Bindings only(BindingMask mask) const;          // the operands whose bit is set in `mask`

private:
  BindingMask Mask = 0;
  std::array<Region, BINDING_COUNT> Regions;
};

// Keeps descriptor sets from one recording to the next, as creating a set takes longer than recording its dispatch.
class DescriptorSetCache
{
public:
  explicit DescriptorSetCache(const Device& device)
    : Owner(device)
  {
  }

  // Returns the set for all bindings that the kernel declares; `operands` may contain others. Throws Internal if an
  // operand is missing, OutOfMemory if a region exceeds the largest binding of the device.
  vk::DescriptorSet get(const Kernel& kernel, const Bindings& operands);

  std::size_t count() const { return this->Entries.size(); } // of cached sets

  // Frees all sets if there are more than a fixed number. No pending command may use one.
  void trim();

private:
  // Identity of the buffer (a new buffer may have the address of a destroyed one), offset, size.
  using Part = std::array<std::uint64_t, 3>;
  using Key = std::pair<const Kernel*, std::vector<Part>>; // the parts in the order of the kernel's bindings

  const Region& regionAt(const Kernel& kernel, const Bindings& operands, std::uint32_t binding) const;
  vk::DescriptorSet make(const Kernel& kernel, const Bindings& operands);
  vk::DescriptorSet allocate(const Kernel& kernel);

  const Device& Owner;
  std::vector<vk::raii::DescriptorPool> Pools; // of SetsInPool sets each
  std::map<Key, vk::DescriptorSet> Entries;
  Key RequestedKey; // of the last call of get()
};

}

#endif
