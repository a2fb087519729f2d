// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Makes submissions to a device fail.
#ifndef vmcSubmissionFailure_h
#define vmcSubmissionFailure_h

#include "Compute/Vulkan/Device.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

namespace vmc::test
{

// Makes hooks for DeviceOptions::beforeSubmission. Devices with these hooks may outlive this object.
class SubmissionFailure
{
public:
  std::function<vk::Result()> hook() const
  {
    return [state = this->State] { return state->take(); };
  }

  // Makes one submission fail with this result: the next one, or the one after `after` others.
  void failNext(vk::Result result, std::size_t after = 0)
  {
    const std::lock_guard<std::mutex> lock(this->State->mutex);
    this->State->result = result;
    this->State->submissionsBefore = after;
  }

private:
  struct Pending
  {
    vk::Result take()
    {
      const std::lock_guard<std::mutex> lock(this->mutex);
      if (this->result == vk::Result::eSuccess || this->submissionsBefore-- != 0)
        return vk::Result::eSuccess;
      const vk::Result failure = this->result;
      this->result = vk::Result::eSuccess;
      return failure;
    }

    std::mutex mutex;
    vk::Result result = vk::Result::eSuccess; // eSuccess: no submission fails
    std::size_t submissionsBefore = 0;
  };
  std::shared_ptr<Pending> State = std::make_shared<Pending>();
};

}

#endif
