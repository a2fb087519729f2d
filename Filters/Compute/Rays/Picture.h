// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The picture that rays make of isosurfaces.
#ifndef vmcPicture_h
#define vmcPicture_h

#include "Compute/Contour/OutputArray.h"
#include "Compute/Rays/RayPicture.h"

#include <memory>
#include <utility>

namespace vmc
{

// A RayHit per pixel, row by row from the bottom, in host memory or on a device. It owns its memory. On a device, it
// keeps the device open.
struct Picture
{
  Picture() = default;
  Picture(Picture&&) = default;
  Picture& operator=(Picture&& other) noexcept // releases the pixels before the device
  {
    this->onDevice = std::move(other.onDevice);
    this->onHost = std::move(other.onHost);
    this->context = std::move(other.context);
    return *this;
  }
  ~Picture() = default;

  std::shared_ptr<Context> context; // of the pixels on the device; null: the picture is in host memory
  OutputArray onDevice;             // RayHit[pixel]; no memory without pixels
  RayPicture onHost;

  bool isOnDevice() const { return this->context != nullptr; }
};

}

#endif
