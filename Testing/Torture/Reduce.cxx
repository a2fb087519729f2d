// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Reduce.h"

#include "Input.h"

#include <functional>
#include <iterator>
#include <optional>

namespace vmc::torture
{

namespace
{

constexpr int MostTries = 300;

// Changes a case. Does nothing if there is nothing to simplify.
using Change = std::function<void(Case&)>;

// Changes of one volume of the list.
std::vector<Change> changesOfVolume(std::size_t number)
{
  std::vector<Change> changes;
  const auto add = [&](const std::function<void(VolumeSettings&)>& change)
  {
    changes.push_back(
      [=](Case& of)
      {
        if (number < of.volumes.size())
          change(of.volumes[number]);
      });
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    add([=](VolumeSettings& volume) { volume.size[axis] = (volume.size[axis] + 1) / 2; });
    add([=](VolumeSettings& volume) { volume.size[axis] -= volume.size[axis] > 0 ? 1 : 0; });
    add([=](VolumeSettings& volume) { volume.padding.low[axis] -= volume.padding.low[axis] > 0 ? 1 : 0; });
    add([=](VolumeSettings& volume) { volume.padding.high[axis] -= volume.padding.high[axis] > 0 ? 1 : 0; });
  }
  add([](VolumeSettings& volume) { volume.attributes.clear(); });
  add([](VolumeSettings& volume) { volume.padding = Padding(); });
  add([](VolumeSettings& volume) { volume.padding.closed = false; });
  add([](VolumeSettings& volume) { volume.padding.border = 0; });
  add([](VolumeSettings& volume) { volume.units = Units::Plain; });
  add([](VolumeSettings& volume) { volume.unitExponent = 0; });
  add([](VolumeSettings& volume) { volume.exponent = 0; });
  add([](VolumeSettings& volume) { volume.nanPart = 0; });
  add([](VolumeSettings& volume) { volume.infinityPart = 0; });
  add([](VolumeSettings& volume) { volume.blankPart = 0; });
  add([](VolumeSettings& volume) { volume.notOwnedPart = 0; });
  add([](VolumeSettings& volume) { volume.strangePart = 0; });
  add([](VolumeSettings& volume) { volume.hasIdentity = false; });
  add([](VolumeSettings& volume) { volume.type = SampleType::Float32; });
  add([](VolumeSettings& volume) { volume.pattern = Pattern::FewValues; });
  return changes;
}

std::vector<Change> changesOfRequest()
{
  std::vector<Change> changes;
  for (bool Request::*option : { &Request::computeNormals, &Request::computeGradients, &Request::splitPositions,
         &Request::relativePositions, &Request::computeCells, &Request::wideIds, &Request::pointIsovalues,
         &Request::computeMeasures, &Request::timeStages })
    changes.push_back([=](Case& of) { of.request.*option = false; });
  changes.push_back([](Case& of) { of.request.mergePoints = true; });
  changes.push_back([](Case& of) { of.request.threads = 1; });
  changes.push_back([](Case& of) { of.request.memoryLimit = 0; });
  changes.push_back([](Case& of) { of.regions.reset(); });
  changes.push_back([](Case& of) { of.levels.pieces = 1; });
  changes.push_back([](Case& of) { of.levels.hasBorder = of.levels.isClosed = false; });
  for (std::size_t i = 0; i < 4; ++i)
  {
    changes.push_back(
      [=](Case& of)
      {
        if (i < of.request.isovalues.size() && of.request.isovalues.size() > 1)
          of.request.isovalues.erase(of.request.isovalues.begin() + std::ptrdiff_t(i));
      });
    changes.push_back(
      [=](Case& of)
      {
        if (i < of.volumes.size() && of.volumes.size() > 1)
          of.volumes.erase(of.volumes.begin() + std::ptrdiff_t(i));
      });
  }
  return changes;
}

void writeRequest(const Request& request, std::ostream& out)
{
  const Request ordinary;
  out << "  Request request;\n  request.isovalues = {" << std::hexfloat;
  for (std::size_t i = 0; i < request.isovalues.size(); ++i)
    out << (i == 0 ? " " : ", ") << request.isovalues[i];
  out << std::defaultfloat << " };\n";
  for (const auto& [option, name] :
    { std::pair<bool Request::*, const char*>(&Request::computeNormals, "computeNormals"),
      { &Request::computeGradients, "computeGradients" }, { &Request::splitPositions, "splitPositions" },
      { &Request::relativePositions, "relativePositions" }, { &Request::computeCells, "computeCells" },
      { &Request::mergePoints, "mergePoints" }, { &Request::wideIds, "wideIds" },
      { &Request::pointIsovalues, "pointIsovalues" }, { &Request::computeMeasures, "computeMeasures" } })
    if (request.*option != ordinary.*option)
      out << "  request." << name << " = " << (request.*option ? "true" : "false") << ";\n";
}

void writeGeometry(const VolumeInput& input, std::ostream& out)
{
  const auto list = [&](const auto& values)
  {
    out << "{ ";
    for (std::size_t i = 0; i < values.size(); ++i)
      out << (i == 0 ? "" : ", ") << values[i];
    out << " }";
  };
  out << "  volume.geometry = SampleGeometry"
      << (input.isCellData          ? "::ofCells({ "
           : input.hasCoordinates() ? "::ofPoints({ "
                                    : "(");
  if (!input.hasCoordinates())
  {
    list(input.geometry.origin());
    out << ", { ";
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    out << (axis == 0 ? "{ " : ", ");
    if (input.hasCoordinates())
      list(input.coordinates[axis]);
    else
      list(input.geometry.step(axis));
  }
  out << " } });\n";
}

// The body of a test of Testing/Kernel with one volume without attributes.
void writeTest(const Case& of, const Result& result, std::ostream& out)
{
  const VolumeInput input = inputOf(of.volumes.front());
  const auto& size = input.samples.size;
  out << "TEST_P(MarchingCubesTest, Fuzz" << of.seed << "Number" << of.number << ")\n{\n  // " << result.oracle << ": "
      << result.text << "\n  Samples samples = sampleNoise({ " << size[0] << ", " << size[1] << ", " << size[2]
      << " }, SampleType::" << test::nameOf(input.samples.type) << ", 0);\n  const double values[] = {"
      << std::hexfloat;
  for (std::uint64_t i = 0; i < input.samples.count(); ++i)
    out << (i == 0 ? " " : ", ") << input.samples.value(i);
  out << " };\n  for (std::uint64_t i = 0; i < samples.count(); ++i)\n    samples.setValue(i, values[i]);\n"
      << "  Volume volume = samples.volume();\n"
      << std::defaultfloat;
  const Padding& padding = input.padding;
  if (!padding.isEmpty())
    out << "  volume.padding = { { " << padding.low[0] << ", " << padding.low[1] << ", " << padding.low[2] << " }, { "
        << padding.high[0] << ", " << padding.high[1] << ", " << padding.high[2] << " }, "
        << (padding.closed ? "true" : "false") << ", " << padding.border << " };\n";
  if (!input.ghosts.empty())
  {
    out << "  const std::uint8_t ghosts[] = {";
    for (std::size_t i = 0; i < input.ghosts.size(); ++i)
      out << (i == 0 ? " " : ", ") << unsigned(input.ghosts[i]);
    out << " };\n  volume.ghosts = ghosts;\n";
  }
  if (of.volumes.front().units != Units::Plain || of.volumes.front().unitExponent != 0)
    writeGeometry(input, out << std::hexfloat);
  writeRequest(of.request, out << std::defaultfloat);
  out << "  const Mesh mesh = this->extract(volume, request);\n  expectSound(mesh);\n}\n";
}

}

Case reduced(const Case& of, const Result& result, const std::vector<Target>& targets)
{
  std::vector<Change> changes = changesOfRequest();
  for (std::size_t i = 0; i < of.volumes.size(); ++i)
  {
    const std::vector<Change> more = changesOfVolume(i);
    changes.insert(changes.end(), more.begin(), more.end());
  }
  Case smallest = of;
  int tries = 0;
  for (bool isSmaller = true; isSmaller && tries < MostTries;)
  {
    isSmaller = false;
    for (std::size_t i = 0; i < changes.size() && tries < MostTries; ++i)
    {
      Case changed = smallest;
      changes[i](changed);
      if (describe(changed) == describe(smallest))
        continue;
      ++tries;
      const Result found = check(changed, targets);
      if (found.outcome != Outcome::Wrong || found.oracle != result.oracle)
        continue;
      smallest = changed;
      isSmaller = true;
    }
  }
  return smallest;
}

void report(const Case& of, const Result& result, const std::vector<Target>& targets, std::ostream& out)
{
  const Case smallest = reduced(of, result, targets);
  const Result found = check(smallest, targets);
  out << "Reduced: "
      << (found.outcome == Outcome::Wrong ? found.oracle + ": " + found.text : "it does not fail every time") << "\n"
      << describe(smallest) << "\n";
  constexpr std::uint64_t MostSamples = 64;
  const bool isSmall = smallest.volumes.size() == 1 && smallest.volumes.front().attributes.empty() &&
                       inputOf(smallest.volumes.front()).samples.count() <= MostSamples;
  if (isSmall)
    writeTest(smallest, found, out);
  else
    out << "vmcFuzz --seed=" << of.seed << " --first=" << of.number << " --executions=1 fails; above are its reduced "
        << "settings.\n";
  out.flush();
}

}
