// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times the first surface of a new process on the Vulkan device, without VTK: 64^3 samples, with normals, downloaded to
// the host. Each run is a process of its own, and the surface is compared with a count on the host.
//
// Rows:
//   warm             kernels are kept by earlier processes, in our file and by the driver
//   our file alone   the driver keeps none
//   without any      nothing keeps kernels
//   at once, ...     the same without a start in the background
// The time of a row is that from the start of the process to the surface. In the background, the device opens while the
// process makes its samples. Counters: "wait", from the samples to the surface, of which the counters "ms ..." are the
// stages; "samples", the time to make the samples; "plain", the time of a process that opens the device and copies as
// many bytes to it and back, before each run; "first / plain", the ratio of the two.
#include "Cases.h"
#include "Compute/Engine.h"
#include "Compute/Session.h"
#include "Compute/System/Stage.h"
#include "CountedSurface.h"
#include "PlainVulkan.h"
#include "Program.h"
#include "Support/ScratchFolder.h"
#include "Support/SharedDevice.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

constexpr const char* NewProcess = "--new-process=";
constexpr const char* Plain = "plain:";
constexpr std::uint32_t Size = 64;

double now() // milliseconds, by the clock of the machine
{
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Case smallCase()
{
  for (const Case& which : selectCpuCases(Size).cases)
    if (which.size == Size)
      return which;
  throw std::logic_error("no case has 64^3 samples");
}

// The measurements of a new process, in milliseconds.
struct Times
{
  double total, samples, wait, open, kernels, upload;
  unsigned long long triangles;
};

double of(const Report& report, Stage stage)
{
  return report.stages[stage].value_or(0);
}

// Runs in a new process. start: the time at which the process started.
int makeFirstSurface(bool inBackground, double start)
{
  const Case which = smallCase();
  Request request;
  request.isovalues = { which.isovalue };
  Volume example;
  example.type = which.type;
  if (inBackground)
    Engine::openInBackground("", &example, request);
  const HostClock all;
  const Volume volume = samplesOf(which).volume();
  const HostClock afterSamples;
  const double samples = all.milliseconds();
  const std::shared_ptr<Engine> engine = Engine::shared();
  const double open = afterSamples.milliseconds();
  const std::unique_ptr<Session> session = engine->makeSession();
  Report report;
  const std::optional<Surface> surface = session->extract({ volume }, request, report);
  const double wait = afterSamples.milliseconds();
  std::printf("%g %g %g %g %g %g %llu\n", now() - start, samples, wait, open, of(report, Stage::MakeKernels),
    of(report, Stage::Upload), static_cast<unsigned long long>(surface->meshes.front().triangleCount));
  return 0;
}

// Runs in a new process. what: "START:DEVICE".
int runPlainProgram(const std::string& what)
{
  const std::size_t colon = what.find(':');
  copyByPlainVulkan(what.substr(colon + 1), std::uint64_t{ Size } * Size * Size * sizeof(float),
    [&] { std::printf("%g\n", now() - std::stod(what)); });
  return 0;
}

double plainProgram(const std::string& program, const std::string& environment, const std::string& device)
{
  const std::string command =
    environment + " '" + program + "' '" + NewProcess + Plain + std::to_string(now()) + ":" + device + "'";
  FILE* const output = popen(command.c_str(), "r");
  double milliseconds = 0;
  const bool isRead = output && std::fscanf(output, "%lf", &milliseconds) == 1;
  if (!output || pclose(output) != 0 || !isRead)
    throw std::runtime_error(command + " failed.");
  return milliseconds;
}

Times inNewProcess(const std::string& program, const std::string& environment, bool inBackground)
{
  const std::string command = environment + " '" + program + "' " + NewProcess +
                              (inBackground ? "background:" : "at-once:") + std::to_string(now());
  FILE* const output = popen(command.c_str(), "r");
  Times times{};
  const bool isRead = output && std::fscanf(output, "%lf %lf %lf %lf %lf %lf %llu", &times.total, &times.samples,
                                  &times.wait, &times.open, &times.kernels, &times.upload, &times.triangles) == 7;
  if (!output || pclose(output) != 0 || !isRead)
    throw std::runtime_error(command + " failed.");
  return times;
}

struct Way
{
  const char* name;
  std::string environment;
};

void addRows(const std::string& program, const std::string& device, const std::string& folder, const Options& options)
{
  const Case which = smallCase();
  const std::uint64_t triangles = countSurface(samplesOf(which), which.isovalue).counts.triangles;
  const std::string withoutDriver = " __GL_SHADER_DISK_CACHE=0 MESA_SHADER_CACHE_DISABLE=true";
  for (const Way& way : std::vector<Way>{ { "warm", "VMC_PIPELINE_CACHE='" + folder + "'" },
         { "our file alone", "VMC_PIPELINE_CACHE='" + folder + "'" + withoutDriver },
         { "without any", "VMC_PIPELINE_CACHE=0" + withoutDriver } })
    for (const bool inBackground : { true, false })
    {
      const auto run = [=] { return inNewProcess(program, way.environment, inBackground); };
      run(); // keeps the kernels
      addRow((inBackground ? "" : "at once, ") + std::string(way.name), options.repetitions,
        [=](benchmark::State& state)
        {
          const double plain = plainProgram(program, way.environment, device);
          const Times times = run();
          if (times.triangles != triangles)
            throw std::runtime_error("A new process made " + std::to_string(times.triangles) + " triangles, not " +
                                     std::to_string(triangles) + ".");
          state.counters["plain"] = plain;
          state.counters["first / plain"] = times.total / plain;
          state.counters["samples"] = times.samples;
          state.counters["wait"] = times.wait;
          state.counters["ms OpenDevice"] = times.open;
          state.counters["ms MakeKernels"] = times.kernels;
          state.counters["ms Upload"] = times.upload;
          return times.total;
        });
    }
}

}

int main(int argc, char** argv)
{
  try
  {
    if (argc == 2 && std::strncmp(argv[1], NewProcess, std::strlen(NewProcess)) == 0)
    {
      const std::string how = argv[1] + std::strlen(NewProcess);
      if (how.rfind(Plain, 0) == 0)
        return runPlainProgram(how.substr(std::strlen(Plain)));
      return makeFirstSurface(how.rfind("background:", 0) == 0, std::stod(how.substr(how.find(':') + 1)));
    }
    const std::string program = argv[0];
    const test::ScratchFolder folder;
    const std::shared_ptr<DeviceEngine> engine = test::sharedDevice();
    if (!engine)
      throw std::runtime_error("These benchmarks need a Vulkan device, not the CPU.");
    return runProgram(argc, argv, *engine,
      [&](const Options& options) { addRows(program, engine->deviceName(), folder.path().string(), options); });
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
