// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The one exception type of the compute core.
#ifndef vmcError_h
#define vmcError_h

#include <new>
#include <stdexcept>
#include <string>

namespace vmc
{

// Every error in namespace vmc. The message is a sentence with the thing, the value found and the value allowed.
class Error : public std::runtime_error
{
public:
  enum class Kind
  {
    Unsupported,  // the request exceeds the limits of the device or of this library
    NoDevice,     // no Vulkan loader, no driver, or no usable device
    NoSuchDevice, // no device has the requested name
    OutOfMemory,  // the memory of the device is exhausted, or the memory limit is exceeded
    OutOfHostMemory,
    DeviceLost, // data read back is invalid; open the device again
    Internal    // an unexpected failure of a Vulkan call
  };

  // result: the VkResult of the failed call; 0: none.
  Error(Kind kind, const std::string& message, int result = 0)
    : std::runtime_error(message)
    , ErrorKind(kind)
    , Result(result)
  {
  }

  Kind kind() const { return this->ErrorKind; }
  int result() const { return this->Result; }

private:
  Kind ErrorKind;
  int Result;
};

// OutOfMemory, because one slab makes more than the device binds or counts at once: free memory does not help, smaller
// slabs do.
class SlabTooLarge : public Error
{
public:
  explicit SlabTooLarge(const std::string& message)
    : Error(Kind::OutOfMemory, message)
  {
  }
};

// Returns work(). If the host has no memory for it, throws OutOfHostMemory: "The host has no memory for <what>.".
template <class Work>
auto withHostMemory(const char* what, const Work& work) -> decltype(work())
{
  try
  {
    return work();
  }
  catch (const std::bad_alloc&)
  {
    throw Error(Error::Kind::OutOfHostMemory, std::string("The host has no memory for ") + what + ".");
  }
}

}

#endif
