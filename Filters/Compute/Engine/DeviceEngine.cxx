// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/DeviceEngine.h"

#include "Compute/Context.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Engine/VulkanSession.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/Instance.h"

namespace vmc
{

namespace
{

// A context that ends with the process, or in a process that fork() made, is left to the operating system.
void deleteContext(Context* context)
{
  if (mayUseVulkan())
    delete context;
}

}

DeviceEngine::DeviceEngine(const DeviceOptions& options)
  : DeviceContext(new Context(options), deleteContext)
  , Cache(std::make_shared<VolumeCache>(this->DeviceContext))
{
}

const std::string& DeviceEngine::deviceName() const
{
  return this->DeviceContext->device().traits().name;
}

std::unique_ptr<Session> DeviceEngine::makeSession()
{
  return std::make_unique<VulkanSession>(this->DeviceContext, this->Cache);
}

HostMemoryPool& DeviceEngine::hostMemory()
{
  return this->DeviceContext->hostMemory();
}

void DeviceEngine::makeKernels(const Volume& example, const Request& request)
{
  this->DeviceContext->kernels().makeInBackground(kernelsOf(example, request, /*hasNan*/ false));
}

}
