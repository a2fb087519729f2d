// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Compares the surfaces of a device with exact surfaces and writes Documentation/Accuracy.md to the standard
// output. Status 0: all errors are within their bounds; 1: the error stream has the failures; 77: no device.
#include "AccuracyReport.h"
#include "Compute/Context.h"
#include "Compute/Engine.h"
#include "Compute/System/Error.h"
#include "Compute/Vulkan/Instance.h"
#include "Support/AnalyticVolumes.h"
#include "Support/DeviceDescription.h"

#include <iostream>

namespace
{

using namespace vmc;
using namespace vmc::accuracy;

constexpr int Skipped = 77; // the SKIP_RETURN_CODE of the test

SampleGeometry aligned(const std::array<double, 3>& origin, const std::array<double, 3>& spacing)
{
  SampleGeometry map;
  map.setOrigin(origin);
  for (std::size_t a = 0; a < 3; ++a)
    map.setStep(a, test::alongAxis(a, spacing[a]));
  return map;
}

// A rotation about an oblique axis, by an angle that is no multiple of 90 degrees, and a mirror.
SampleGeometry rotatedAndMirrored()
{
  constexpr std::array<double, 3> Spacing = { 0.7, 0.9, -1.3 };
  constexpr std::array<std::array<double, 3>, 3> ThreeTimesRotation = { { { 2, -1, 2 }, { 2, 2, -1 }, { -1, 2, 2 } } };
  SampleGeometry map;
  map.setOrigin({ 100.1, -250.7, 33.3 });
  for (std::size_t a = 0; a < 3; ++a)
  {
    const std::array<double, 3>& axis = ThreeTimesRotation[a];
    map.setStep(a, { Spacing[a] * axis[0] / 3, Spacing[a] * axis[1] / 3, Spacing[a] * axis[2] / 3 });
  }
  return map;
}

std::vector<Kind> kinds()
{
  std::vector<Kind> kinds;
  for (const SampleType type : test::AllSampleTypes)
    kinds.push_back({ test::nameOf(type), type, SampleGeometry(), Padding() });
  constexpr SampleType Float = SampleType::Float32;
  const Padding closed = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  kinds.push_back({ "scan", Float, aligned({ -180.3, -180.3, 1012.7 }, { 0.7, 0.7, 1.25 }), Padding() });
  kinds.push_back({ "rotated", Float, rotatedAndMirrored(), Padding() });
  kinds.push_back({ "far", Float, aligned({ 5e6, -5e6, 5e6 }, { 1e-3, 1e-3, 1e-3 }), Padding() });
  kinds.push_back({ "closed", Float, SampleGeometry(), closed });
  return kinds;
}

Findings measureOn(Engine& engine)
{
  const std::unique_ptr<Session> session = engine.makeSession();
  Findings findings;
  findings.device = test::describe(engine);
  for (const Kind& kind : kinds())
    for (const Measurement& measurement : measure(*session, kind))
      findings.measurements.push_back(measurement);
  findings.isovalueResults = answerIsovalueCases(*session);
  return findings;
}

}

int main()
{
  try
  {
    const Findings findings = measureOn(*Engine::shared());
    writeReport(findings, std::cout);
    std::vector<std::string> failures = failuresOf(findings);
    for (const std::string& message : validationMessages())
      failures.push_back("The validation layer reports: " + message);
    for (const std::string& failure : failures)
      std::cerr << failure << std::endl;
    return failures.empty() ? 0 : 1;
  }
  catch (const Error& error)
  {
    std::cerr << error.what() << std::endl;
    return error.kind() == Error::Kind::NoDevice ? Skipped : 1;
  }
}
