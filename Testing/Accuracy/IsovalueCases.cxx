// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "IsovalueCases.h"

#include "Measurement.h"
#include "Support/AnalyticVolumes.h"

#include <cmath>
#include <limits>

namespace vmc::accuracy
{

namespace
{

const std::vector<IsovalueCase>& isovalueCases()
{
  static const std::vector<IsovalueCase> cases = {
    { "0, 0.7f", SampleType::Float32, 0, 0.7f, "0.7", 0.7 },
    { "0.7f, 1", SampleType::Float32, 0.7f, 1, "0.7", 0.7 },
    { "1000.001f, 1000.002f", SampleType::Float32, 1000.001f, 1000.002f, "1000.001", 1000.001 },
    { "1000.001f, 1000.002f", SampleType::Float32, 1000.001f, 1000.002f, "1000.0015", 1000.0015 },
    { "1000.001f, 1000.002f", SampleType::Float32, 1000.001f, 1000.002f, "1000.002", 1000.002 },
    { "1000.001, 1000.002", SampleType::Float64, 1000.001, 1000.002, "1000.0015", 1000.0015 },
    { "1e9, 1e9 + 1e-3", SampleType::Float64, 1e9, 1e9 + 1e-3, "1e9 + 2.5e-4", 1e9 + 2.5e-4 },
    { "2^24, 2^24 + 1", SampleType::Int32, 0x1p24, 0x1p24 + 1, "2^24 + 0.5", 0x1p24 + 0.5 },
    { "2^53 - 1, 2^53 + 2", SampleType::Int64, 0x1p53 - 1, 0x1p53 + 2, "2^53", 0x1p53 },
  };
  return cases;
}

template <class Number>
Fraction fractionIn(const IsovalueCase& question)
{
  const auto first = static_cast<Number>(question.first), second = static_cast<Number>(question.second);
  const auto isovalue = static_cast<Number>(question.isovalue);
  if ((first >= isovalue) == (second >= isovalue))
    return std::nullopt;
  return (isovalue - first) / (second - first);
}

// The volume has the first sample at x = 0 and the second from x = 1 on. The surface is a plane with one point per row
// of samples; its x is the fraction. NaN if the surface is not such a plane.
Fraction fractionOnDevice(Session& session, const IsovalueCase& question)
{
  test::AnalyticVolume step;
  step.value = [&](const test::Point& p) { return p[0] < 1 ? question.first : question.second; };
  const test::Samples samples = test::sample(step, { 4, 2, 2 }, question.type);
  Request request;
  request.isovalues = { question.isovalue };
  Report report;
  const std::optional<Surface> surface = session.extract({ samples.volume() }, request, report);
  if (!surface || surface->meshes.front().pointCount == 0)
    return std::nullopt;
  const Mesh& mesh = surface->meshes.front();
  const float* x = reinterpret_cast<const float*>(mesh.positions.data());
  const bool isPlane = mesh.pointCount == 4 && x[0] == x[3] && x[0] == x[6] && x[0] == x[9];
  return isPlane ? x[0] : std::numeric_limits<float>::quiet_NaN();
}

bool isWithinBound(const Fraction& fraction, const Fraction& exact)
{
  if (!fraction || !exact)
    return !fraction && !exact;
  return std::fabs(*fraction - *exact) <= CellBound; // an ulp of a fraction in [0, 1] is smaller
}

}

std::vector<IsovalueResult> answerIsovalueCases(Session& session)
{
  std::vector<IsovalueResult> results;
  for (const IsovalueCase& question : isovalueCases())
  {
    const Fraction exact = fractionIn<long double>(question), device = fractionOnDevice(session, question);
    results.push_back({ question, exact, device, fractionIn<float>(question), isWithinBound(device, exact) });
  }
  return results;
}

}
