// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The fixture of tests of surfaces that stay on the device.
#ifndef vmcDeviceSurfaceTest_h
#define vmcDeviceSurfaceTest_h

#include "Compute/Context.h"
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

  virtual Volume volume() const
  {
    Volume volume = this->Field.volume();
    volume.identity = 1;
    volume.attributes = { { this->Indices.data(), SampleType::Float32, 3, 2 } };
    return volume;
  }

  // Extracts the surface of volume(), which stays on the device.
  Surface extractOn(Session& on, Request request, OutputMemory memory = OutputMemory::Device)
  {
    request.memory = memory;
    std::optional<Surface> surface = on.extract({ this->volume() }, request, this->LastReport);
    EXPECT_TRUE(surface);
    return std::move(*surface);
  }

  // Returns the mesh of the surface with its arrays on the host. mergePoints: as in the request.
  static Mesh downloaded(Surface surface, bool mergePoints = true)
  {
    Context& context = *surface.context;
    CommandRecorder recorder(context.device());
    StageTimes times;
    Mesh& mesh = surface.meshes.front();
    for (std::size_t row = 0; row < surface.arrays.size(); ++row)
    {
      const Output& output = surface.outputs[row];
      const std::uint64_t bytes = output.bytes(mesh.pointCount, mesh.triangleCount);
      if (surface.arrays[row].isEmpty() || bytes == 0)
        continue;
      recorder.begin();
      *blockOf(mesh, output) =
        submitAndDownload(context, recorder, std::move(surface.arrays[row]), bytes, output.name, times);
    }
    Request request;
    request.mergePoints = mergePoints;
    addCountedArrays(surface.meshes, request, context.hostMemory());
    return std::move(mesh);
  }

private:
  const Samples Field = sample(gyroid(20), { 24, 23, 190 });
  const std::vector<float> Indices = sampleIndices(this->Field.size);
};

}

#endif
