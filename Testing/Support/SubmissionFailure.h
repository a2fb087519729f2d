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

  // Makes submissions fail with this result: the next one, or as many as `count` after `after` others. eSuccess: none.
  void failNext(vk::Result result, std::size_t after = 0, std::size_t count = 1)
  {
    const std::lock_guard<std::mutex> lock(this->State->mutex);
    this->State->result = result;
    this->State->submissionsBefore = after;
    this->State->submissionsToFail = count;
  }

  // Returns the number of submissions so far.
  std::size_t submissions() const
  {
    const std::lock_guard<std::mutex> lock(this->State->mutex);
    return this->State->submissions;
  }

private:
  struct Pending
  {
    vk::Result take()
    {
      const std::lock_guard<std::mutex> lock(this->mutex);
      ++this->submissions;
      if (this->submissionsToFail == 0)
        return vk::Result::eSuccess;
      if (this->submissionsBefore != 0)
      {
        --this->submissionsBefore;
        return vk::Result::eSuccess;
      }
      --this->submissionsToFail;
      return this->result;
    }

    std::mutex mutex;
    vk::Result result = vk::Result::eSuccess;
    std::size_t submissions = 0, submissionsBefore = 0, submissionsToFail = 0;
  };
  std::shared_ptr<Pending> State = std::make_shared<Pending>();
};

}

#endif
