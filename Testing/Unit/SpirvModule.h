// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reads what a kernel asks of a device from its SPIR-V.
#ifndef vmcSpirvModule_h
#define vmcSpirvModule_h

#include "Compute/Vulkan/Kernel.h"
#include "Compute/Vulkan/Words.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vmc::test
{

// The declarations of a module with one entry point. Numbers are those of the SPIR-V specification. The functions throw
// std::runtime_error if the module has declarations that this class does not know.
class SpirvModule
{
public:
  explicit SpirvModule(const kernels::Words& spirv);

  std::uint32_t version() const { return this->Version; } // 0x00010500: 1.5
  const std::set<std::uint32_t>& capabilities() const { return this->Capabilities; }
  const std::set<std::string>& extensions() const { return this->Extensions; } // and imported instruction sets
  const std::set<std::uint32_t>& executionModes() const { return this->ExecutionModes; }
  const std::set<std::uint32_t>& storageClasses() const { return this->StorageClasses; }
  std::array<std::uint32_t, 3> workgroupSize() const { return this->WorkgroupSize; }
  std::pair<std::uint32_t, std::uint32_t> memoryModel() const { return this->MemoryModel; } // addressing, memory
  bool initializesSharedMemory() const { return this->InitializesSharedMemory; }

  // The numbers of its specialization constants.
  std::set<std::uint32_t> specializations() const;
  // Bytes of the variables in shared memory, by the layout std430, as the specification of Vulkan counts them.
  std::uint64_t sharedBytes(const Specialization& specialization) const;
  // The end of the last member of the push-constant block; 0: no block.
  std::uint64_t pushConstantBytes() const;

private:
  using Id = std::uint32_t;
  using Instruction = std::vector<std::uint32_t>; // opcode, then operands

  void read(std::uint32_t code, const std::uint32_t* operands, std::uint32_t count);
  std::uint32_t valueOf(Id constant, const Specialization& specialization) const;
  std::uint32_t resultOf(const Instruction& operation, const Specialization& specialization) const;
  std::uint64_t bytesOf(Id type, const Specialization& specialization) const;

  std::uint32_t Version;
  std::set<std::uint32_t> Capabilities, ExecutionModes, StorageClasses;
  std::set<std::string> Extensions;
  std::array<std::uint32_t, 3> WorkgroupSize{};
  std::pair<std::uint32_t, std::uint32_t> MemoryModel{};
  bool InitializesSharedMemory = false;
  std::map<Id, Instruction> Declarations; // types and constants by their ids
  std::vector<Id> SharedTypes;            // of the variables in shared memory
  std::vector<Id> PushConstantTypes;
  std::map<Id, std::uint32_t> SpecializationOf;                  // number of a constant
  std::map<Id, std::map<std::uint32_t, std::uint32_t>> OffsetOf; // of the members of a block
};

}

#endif
