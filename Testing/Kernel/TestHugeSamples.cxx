// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Doubles of very different sizes in one volume: a fill value beside the data. The expected surface is that of the same
// data with ordinary numbers, multiplied by a power of two, and with a fill value that is large, but not extreme.
#include "ExtractionTest.h"
#include "Support/View.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>

namespace vmc::test
{

namespace
{

struct Case
{
  const char* name;
  int exponent; // of the power of two that multiplies the data, even integers up to 2000
  double fill;
};

constexpr Case Cases[] = {
  { "fill of 1e306", 0, 1e306 },
  { "largest double", 0, DBL_MAX },
  { "smallest double", 0, -DBL_MAX },
  { "1e290 beside 1e-24", -90, 1e290 },
  { "1e306 beside 1e-300", -1000, 1e306 },
  { "denormals", -1074, 0 },
  { "1 beside denormals", -1074, 1 },
  { "largest double beside denormals", -1074, DBL_MAX },
  { "1e300", 987, 0 },
  { "largest double beside 1e300", 987, -DBL_MAX },
  { "data up to the largest double", 1013, 0 },
};

constexpr double Isovalue = 301; // of the ordinary data: no sample is equal to it

constexpr Point Center = { 10.3, 9.1, 9.6 };

// The samples that have the fill value.
enum class Fill
{
  Nowhere,
  Far, // in the middle of the sphere, and with the other sign in a corner of the volume: the surface touches neither
  Near // on a lattice; no sample has two such neighbours along one axis
};

// The sign of the fill value at a position; 0 where there is none.
int signOfFill(Fill where, const std::array<std::uint32_t, 3>& at)
{
  const double distance = std::hypot(at[0] - Center[0], at[1] - Center[1], at[2] - Center[2]);
  switch (where)
  {
    case Fill::Far:
      return distance < 3 ? 1 : at[0] + at[1] + at[2] < 7 ? -1 : 0;
    case Fill::Near:
      return (at[0] + 2 * at[1] + 4 * at[2]) % 11 == 0 ? 1 : 0;
    default:
      return 0;
  }
}

// A sphere, whose samples are even integers times a power of two.
Samples sphereWith(Fill where, int exponent, double fill)
{
  constexpr std::array<std::uint32_t, 3> Size = { 21, 19, 20 };
  Samples samples = sample(sphere(Center, 9), Size, SampleType::Float64);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
  {
    const std::uint64_t row = i / Size[0];
    const int sign =
      signOfFill(where, { std::uint32_t(i % Size[0]), std::uint32_t(row % Size[1]), std::uint32_t(row / Size[1]) });
    samples.setValue(i, sign != 0 ? sign * fill : std::ldexp(2 * std::round(100 * samples.value(i)), exponent));
  }
  return samples;
}

// The fill value for ordinary data: in the same ratio to the data, but at most 2^200.
double ordinaryFill(const Case& which)
{
  return std::clamp(std::ldexp(which.fill, -which.exponent), -0x1p200, 0x1p200);
}

}

class HugeSamples : public EngineTest
{
protected:
  // hasBorder: whether the surface is closed at the border of the volume, and some samples are blank.
  Mesh surface(const Samples& samples, double isovalue, bool hasBorder = false)
  {
    Volume volume = samples.volume();
    std::vector<std::uint8_t> flags(samples.count(), 0);
    for (std::size_t i = 0; i < flags.size(); i += 97)
      flags[i] = Ghost::Blank;
    if (hasBorder)
    {
      volume.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
      volume.ghosts = flags.data();
    }
    volume.geometry.setSteps({ { { 0.5, 0.1, 0 }, { -0.2, 1.5, 0.3 }, { 0, 0.25, 2 } } });
    Request request = requestOf({ isovalue });
    request.computeGradients = true;
    return this->extract(volume, request);
  }

  std::vector<RayHit> picture(const Samples& samples, double isovalue)
  {
    const View view{ { 50, -21, 35 }, { 10, 9, 10 }, 1, 200, 0.4 };
    RayRequest request;
    request.isovalues = { isovalue };
    request.camera = cameraOf(view, 60, 60);
    const RayPicture hits = this->newSession()->cast(samples.volume(), request, this->LastReport).onHost;
    return { hits.begin(), hits.end() };
  }

  static bool isSameHit(const RayHit& a, const RayHit& b)
  {
    constexpr int NormalTolerance = 4; // in units of its 16-bit components: 1e-4
    const auto component = [](const RayHit& hit, unsigned shift)
    { return static_cast<std::int16_t>(hit.normal >> shift & 0xFFFFu); };
    if (a.isovalue != b.isovalue || a.isovalue == RAY_NO_HIT)
      return a.isovalue == b.isovalue;
    return std::abs(a.t - b.t) < 1e-5f && std::abs(component(a, 0) - component(b, 0)) <= NormalTolerance &&
           std::abs(component(a, 16) - component(b, 16)) <= NormalTolerance;
  }

  // Expects the surface of ordinary data. exponent: of the power of two of their gradients.
  static void expectSurface(const Mesh& found, const Mesh& ordinary, int exponent)
  {
    ASSERT_GT(found.triangleCount, 500u);
    ASSERT_EQ(found.pointCount, ordinary.pointCount);
    EXPECT_TRUE(valuesOf<std::uint32_t>(found.triangles) == valuesOf<std::uint32_t>(ordinary.triangles));
    const std::vector<float> at = valuesOf<float>(found.positions), to = valuesOf<float>(ordinary.positions);
    const std::vector<float> normals = valuesOf<float>(found.normals), expected = valuesOf<float>(ordinary.normals);
    for (std::size_t i = 0; i < at.size(); ++i)
    {
      ASSERT_NEAR(at[i], to[i], 4 * FractionTolerance + 0x1p-18) << "position " << i / 3; // steps of up to 2
      ASSERT_NEAR(normals[i], expected[i], 1e-5) << "normal " << i / 3 << ", component " << i % 3;
    }
    expectGradients(valuesOf<float>(found.gradients), valuesOf<float>(ordinary.gradients), exponent);
  }

  // Compares the gradients that fit floats and are not those of the fill value.
  static void expectGradients(const std::vector<float>& found, const std::vector<float>& ordinary, int exponent)
  {
    for (std::size_t i = 0; i < found.size(); i += 3)
    {
      std::array<double, 3> expected{};
      for (std::size_t c = 0; c < 3; ++c)
        expected[c] = std::ldexp(double(ordinary[i + c]), exponent);
      const double size = std::max({ std::abs(expected[0]), std::abs(expected[1]), std::abs(expected[2]) });
      for (std::size_t c = 0; c < 3 && size <= FLT_MAX && size <= std::ldexp(0x1p30, exponent); ++c)
        ASSERT_NEAR(found[i + c], expected[c], 1e-5 * size + FLT_MIN) << "gradient " << i / 3 << ", component " << c;
    }
  }
};

TEST_P(HugeSamples, FarFromTheSurfaceDoNotChangeIt)
{
  const Mesh ordinary = this->surface(sphereWith(Fill::Nowhere, 0, 0), Isovalue);
  for (const Case& which : Cases)
    for (const double fill : { std::abs(which.fill), double(INFINITY) })
    {
      SCOPED_TRACE(testing::Message() << which.name << ", fill " << fill);
      const Samples samples = sphereWith(fill == 0 ? Fill::Nowhere : Fill::Far, which.exponent, fill);
      expectSurface(this->surface(samples, std::ldexp(Isovalue, which.exponent)), ordinary, which.exponent);
    }
}

TEST_P(HugeSamples, BesideTheSurfaceHaveTheNormalsOfLargeOnes)
{
  for (const Case& which : Cases)
    for (const bool hasBorder : { false, true })
    {
      if (which.fill == 0)
        continue;
      SCOPED_TRACE(testing::Message() << which.name << ", with border " << hasBorder);
      const Samples largeSamples = sphereWith(Fill::Near, 0, ordinaryFill(which)),
                    hugeSamples = sphereWith(Fill::Near, which.exponent, which.fill);
      const Mesh ordinary = this->surface(largeSamples, Isovalue, hasBorder),
                 found = this->surface(hugeSamples, std::ldexp(Isovalue, which.exponent), hasBorder);
      expectSurface(found, ordinary, which.exponent);
    }
}

// In a cell with a fill value, the floats of the kernel have no digits for the data, and doubles have none if the data
// are 2^1060 times smaller.
TEST_P(HugeSamples, HaveTheHitsOfLargeOnes)
{
  for (const Case& which : Cases)
    for (const Fill where : { Fill::Far, Fill::Near })
    {
      const bool hasDigits = GetParam() == EngineKind::Cpu && std::log2(std::abs(which.fill)) - which.exponent < 1060;
      if (where == Fill::Near && !hasDigits)
        continue;
      SCOPED_TRACE(testing::Message() << which.name << (where == Fill::Far ? ", far" : ", near"));
      const Fill used = which.fill == 0 ? Fill::Nowhere : where;
      const std::vector<RayHit> ordinary = this->picture(sphereWith(used, 0, ordinaryFill(which)), Isovalue);
      const std::vector<RayHit> found =
        this->picture(sphereWith(used, which.exponent, which.fill), std::ldexp(Isovalue, which.exponent));
      std::size_t hits = 0, differences = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
      {
        hits += found[i].isovalue == 0 ? 1 : 0;
        differences += isSameHit(found[i], ordinary[i]) ? 0 : 1;
      }
      EXPECT_GT(hits, found.size() / 4);
      EXPECT_LE(differences, found.size() / 1000); // rounding may shift a crossing along a ray that grazes the surface
    }
}

VMC_ON_EACH_ENGINE(HugeSamples);

}
