// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Environment variables: folders are absolute or none, and without a Vulkan driver the engine is the CPU's, or the
// error is clear.
#include "Compute/Engine.h"
#include "Compute/System/Background.h"
#include "Compute/System/Error.h"
#include "Compute/System/InstructionSet.h"
#include "Compute/System/PrivateFile.h"
#include "Compute/System/Threads.h"
#include "Compute/Vulkan/PipelineCache.h"
#include "FuzzedBytes.h"

#include <filesystem>

using namespace vmc;
using namespace vmc::torture;

namespace
{

constexpr const char* Variables[] = { "VMC_DEVICE", "VMC_PIPELINE_CACHE", "XDG_CACHE_HOME", "HOME",
  "VMC_CPU_INSTRUCTIONS", "VMC_BACKGROUND", "VMC_MEMORY_EXPORT", "OMPI_COMM_WORLD_LOCAL_RANK",
  "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE" };

bool isNoneOrAbsolute(const std::string& folder)
{
  return folder.empty() || std::filesystem::path(folder).is_absolute();
}

}

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
  setenv("VK_DRIVER_FILES", "/nonexistent", 1);
  setenv("VK_ICD_FILENAMES", "/nonexistent", 1); // for loaders before 1.3.207
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t count)
{
  FuzzedBytes bytes(input, count);
  const std::string wanted = bytes.text();
  for (const char* variable : Variables)
  {
    const std::string value = bytes.text();
    value.empty() ? unsetenv(variable) : setenv(variable, value.c_str(), 1);
  }
  require(isNoneOrAbsolute(userCacheFolder()), "The folder of the user's files is relative.");
  require(isNoneOrAbsolute(pipelineCacheFolder()), "The folder of kernels is relative.");
  require(usableThreads(0) >= 1, "No thread is usable.");
  mayUseAvx2();
  startInBackground([] {});
  try
  {
    require(Engine::shared(wanted)->deviceName() == CpuName, "There is a device without a driver.");
  }
  catch (const Error& error)
  {
    require(error.kind() == Error::Kind::NoDevice || error.kind() == Error::Kind::NoSuchDevice, error.what());
    require(*error.what() != '\0', "An error has no text.");
  }
  return 0;
}
