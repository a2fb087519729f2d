// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times another isovalue of a volume that is cut into slabs, which all stay on the device, without VTK. The surface is
// compared with a count on the host.
//
// Rows: "P=64/again in N slabs", for a gyroid of at most 256^3 samples. The bindings of the device are limited so that
// the samples of one slab just fit. The mesh is written to host memory. A row runs the cases of one slab and of N slabs
// in turn; its time is that of N slabs, the counter "one slab" that of one, both in milliseconds.
#include "Cases.h"
#include "Compute/Context.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Stage.h"
#include "Compute/Volume/VolumeCache.h"
#include "CountedSurface.h"
#include "Program.h"
#include "Support/SharedDevice.h"

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

Case gyroid(const Options& options)
{
  Case which;
  which.name = "P=64";
  which.size = options.largestSize != 0 && options.largestSize < 256 ? options.largestSize : 256;
  which.period = 64;
  return which;
}

// Bytes that a binding needs for the samples of a slab: those of its layers of bricks, of the next one, and of three
// layers of samples around them.
std::uint64_t bindingBytes(const Case& which, std::uint32_t slabs)
{
  const std::uint32_t bricks = (which.size - 1 + BRICK_SIZE - 1) / BRICK_SIZE;
  const std::uint64_t layers = BRICK_SIZE * (std::uint64_t(bricks / slabs) + 1) + 3;
  return (layers * which.size * which.size + 64) * sizeof(float);
}

// The case on a device of its own with slabs.
class SlabCase
{
public:
  SlabCase(const Case& which, std::uint32_t slabs)
    : Input(samplesOf(which).volume())
    , Isovalue(which.isovalue)
    , Expected(countSurface(samplesOf(which), which.isovalue).counts)
    , OwnContext(std::make_shared<Context>(optionsFor(which, slabs)))
    , OwnSession(this->OwnContext, std::make_shared<VolumeCache>(this->OwnContext))
  {
    this->Input.identity = 1;
    warmUp([this] { return this->milliseconds(); });
    const std::uint64_t found = this->LastReport.slabs;
    if (found != slabs)
      throw std::runtime_error("The volume has " + std::to_string(found) + " slabs, not " + std::to_string(slabs));
  }

  double milliseconds()
  {
    Request request;
    request.isovalues = { this->Isovalue };
    const HostClock clock;
    const std::optional<Surface> surface = this->OwnSession.extract({ this->Input }, request, this->LastReport);
    const double elapsed = clock.milliseconds();
    const Mesh& mesh = surface->meshes.front();
    requireEqual("the surface of slabs", { mesh.pointCount, mesh.triangleCount }, this->Expected);
    return elapsed;
  }

private:
  static DeviceOptions optionsFor(const Case& which, std::uint32_t slabs)
  {
    DeviceOptions options;
    if (slabs > 1)
      options.limits.maxBindingBytes = bindingBytes(which, slabs);
    return options;
  }

  Volume Input;
  const double Isovalue;
  const Counts Expected;
  Report LastReport;
  const std::shared_ptr<Context> OwnContext;
  VulkanSession OwnSession;
};

void addRows(const Options& options)
{
  const Case which = gyroid(options);
  const auto one = std::make_shared<SlabCase>(which, 1);
  for (const std::uint32_t slabs : { 4u, 16u })
  {
    const auto many = std::make_shared<SlabCase>(which, slabs);
    addRow(which.name + "/again in " + std::to_string(slabs) + " slabs", options.repetitions,
      [=](benchmark::State& state)
      {
        state.counters["one slab"] = one->milliseconds();
        return many->milliseconds();
      });
  }
}

}

int main(int argc, char** argv)
{
  try
  {
    const std::shared_ptr<DeviceEngine> engine = test::sharedDevice();
    if (!engine)
      throw std::runtime_error("These benchmarks need a Vulkan device, not the CPU.");
    return runProgram(argc, argv, *engine, addRows);
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
