// Compute pipelines.
#ifndef vmcKernel_h
#define vmcKernel_h

#include "Compute/Vulkan/Words.h"

#include <vulkan/vulkan_raii.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace vmc
{

class Device;

// Values of specialization constants by their number (SPECIALIZE_... in Shaders/Shared/Constants.h). What a kernel does
// not have is ignored.
using Specialization = std::map<std::uint32_t, std::uint32_t>;

// Numbers of the buffers that a SPIR-V module declares, ascending.
std::vector<std::uint32_t> bindingsOf(const kernels::Words& spirv);

// How a kernel reads the buffer of this number.
vk::DescriptorType descriptorTypeOf(std::uint32_t binding);

// One kernel, specialized. Its bindings are read off the SPIR-V: the shader is the only place that lists them.
class Kernel
{
public:
  Kernel(const Device& device, const kernels::Words& spirv, const Specialization& specialization);

  const char* name() const { return this->Name; }
  const std::vector<std::uint32_t>& bindings() const { return this->Bindings; }
  const vk::raii::DescriptorSetLayout& setLayout() const { return this->SetLayout; }
  vk::PipelineLayout layout() const { return *this->Layout; }
  vk::Pipeline pipeline() const { return *this->Pipeline; }

private:
  const char* Name;
  std::vector<std::uint32_t> Bindings;
  vk::raii::DescriptorSetLayout SetLayout = nullptr;
  vk::raii::PipelineLayout Layout = nullptr;
  vk::raii::Pipeline Pipeline = nullptr;
};

// The kernels of a device, each made when first asked for and kept.
class Kernels
{
public:
  explicit Kernels(const Device& device)
    : Owner(device)
  {
  }

  const Kernel& get(const kernels::Words& spirv, const Specialization& specialization = {});

private:
  const Device& Owner;
  std::mutex Mutex;
  std::map<std::pair<const char*, Specialization>, Kernel> Made;
};

}

#endif
