// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The fixture of tests of surfaces that stay on the device.
#ifndef vmcDeviceSurfaceTest_h
#define vmcDeviceSurfaceTest_h

#include "ExtractionTest.h"

#include <memory>
#include <vector>

namespace vmc::test
{

class DeviceSurfaceTest : public ExtractionTest
{
protected:
  // A device on which the volume has three slabs at least. isDiscrete: it does not share the host's memory.
  static std::shared_ptr<Context> contextOfSlabs(bool isDiscrete = true)
  {
    DeviceOptions options = optionsWith({ 192 << 10, 64, 100 });
    options.isDiscrete = isDiscrete;
    return std::make_shared<Context>(options);
  }

  DeviceMarchingCubes& marchingCubes() { return dynamic_cast<DeviceMarchingCubes&>(ExtractionTest::marchingCubes()); }

  virtual Volume volume() const
  {
    Volume volume = this->Field.volume();
    volume.identity = 1;
    volume.attributes = { { this->Indices.data(), SampleType::Float32, 3, 2 } };
    return volume;
  }

  // Extracts the surface of volume(), which stays on the device.
  Surface extractOn(DeviceMarchingCubes& on, Request request, OutputMemory memory = OutputMemory::Device)
  {
    request.memory = memory;
    std::optional<Surface> surface = on.extract({ this->volume() }, request, this->LastReport);
    EXPECT_TRUE(surface);
    return std::move(*surface);
  }

private:
  const Samples Field = sample(gyroid(20), { 24, 23, 190 });
  const std::vector<float> Indices = sampleIndices(this->Field.size);
};

}

#endif
