// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Rays/RayTables.h"
#include "Compute/Volume/VolumeCache.h"
#include "ExtractionTest.h"
#include "Reference/CastRays.h"
#include "Support/View.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace vmc::test
{

namespace
{

// Around the middle of the volume, in any direction. The eye may lie in the volume.
View randomView(std::mt19937& random, const std::array<std::uint32_t, 3>& size, bool isParallel)
{
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const double extent = std::max({ size[0], size[1], size[2] });
  const Vector direction = normalized({ normal(random), normal(random), normal(random) });
  View view;
  const double distance = extent * (0.3 + 2 * uniform(random));
  for (std::size_t a = 0; a < 3; ++a)
  {
    view.center[a] = size[a] * (0.3 + 0.4 * uniform(random));
    view.eye[a] = view.center[a] + distance * direction[a];
  }
  view.isParallel = isParallel;
  view.size = isParallel ? extent * (0.3 + uniform(random)) : 0.2 + uniform(random);
  view.nearPlane = isParallel ? 0 : 0.05 * extent;
  view.farPlane = distance + 2 * extent;
  return view;
}

}

// The tests run on each engine.
class CastRays : public EngineTest
{
protected:
  static constexpr std::uint32_t Side = 72; // 20 views have about 100,000 rays

  std::vector<RayHit> cast(const Volume& volume, const RayRequest& request)
  {
    return hitsOf(this->session().cast(volume, request, this->LastReport).onHost);
  }

  static std::vector<RayHit> hitsOf(const RayPicture& picture) { return { picture.begin(), picture.end() }; }

  // The ray of a pixel, from the same table as the kernel's.
  static reference::Ray rayOf(const RayTable& table, std::uint32_t x, std::uint32_t y)
  {
    reference::Ray ray{};
    std::array<Vector, 2> ends{};
    for (std::size_t plane = 0; plane < 2; ++plane)
      for (std::size_t a = 0; a < 3; ++a)
        ends[plane][a] = (double(table.originHigh[plane][a]) + double(table.originLow[plane][a])) +
                         x * (double(table.stepXHigh[plane][a]) + double(table.stepXLow[plane][a])) +
                         y * (double(table.stepYHigh[plane][a]) + double(table.stepYLow[plane][a]));
    ray.start = ends[0];
    for (std::size_t a = 0; a < 3; ++a)
      ray.along[a] = ends[1][a] - ends[0][a];
    return ray;
  }

  struct Comparison
  {
    std::size_t rays = 0, hits = 0;
    std::size_t missed = 0;      // the reference finds a crossing, the engine none or one behind it
    std::size_t differences = 0; // the engine finds a crossing that is a tenth of a cell or more before the reference's
    std::size_t imprecise = 0;   // others with a distance above 1e-4 cells
  };

  // Compares the crossings of random views with those of small steps.
  Comparison compare(const Samples& samples, const Volume& volume, double isovalue, int views = 4)
  {
    constexpr double StepsPerCell = 64;
    std::mt19937 random(7);
    Comparison found;
    const reference::RayField field(samples, volume, isovalue);
    for (int i = 0; i < views; ++i)
    {
      RayRequest request;
      request.isovalues = { isovalue };
      request.camera = cameraOf(randomView(random, volume.size, i % 4 == 3), Side, Side);
      const std::vector<RayHit> hits = this->cast(volume, request);
      const std::optional<RayTable> table = rayTableOf(request.camera, volume);
      for (std::uint32_t pixel = 0; table && pixel < Side * Side; ++pixel)
        compareRay(field, rayOf(*table, pixel % Side, pixel / Side), hits[pixel], StepsPerCell, found);
    }
    return found;
  }

  static void compareRay(const reference::RayField& field, const reference::Ray& ray, const RayHit& hit,
    double stepsPerCell, Comparison& found)
  {
    const std::optional<double> expected = reference::firstCrossing(field, ray, stepsPerCell);
    const bool isHit = hit.isovalue == 0;
    ++found.rays;
    found.hits += isHit ? 1 : 0;
    const double distance = isHit && expected ? std::abs(hit.t - *expected) * ray.length() : 0;
    if (expected && (!isHit || hit.t - *expected > 0.1 / ray.length()))
      ++found.missed;
    else if (isHit != expected.has_value() || distance > 0.1)
      ++found.differences;
    else if (distance > 1e-4)
      ++found.imprecise;
  }

  // The hits of rays on a surface that is known exactly.
  struct AnalyticComparison
  {
    std::size_t hits = 0;
    std::size_t missed = 0;    // rays that cross the surface, but have no hit
    std::size_t invented = 0;  // rays that do not touch the surface, but have a hit
    std::size_t undecided = 0; // rays along which the values do not decide
    double farthest = 0;       // the largest value at a hit, without its sign
  };

  // bound: of the difference between the interpolant of the samples and the field. A ray crosses the surface for
  // certain if the field has values beyond the bound on both sides.
  AnalyticComparison compareWithField(
    const AnalyticVolume& analytic, const std::array<std::uint32_t, 3>& size, double bound)
  {
    constexpr double StepsPerCell = 16;
    std::mt19937 random(11);
    const Samples samples = sample(analytic, size);
    const Volume volume = samples.volume();
    const reference::RayField domain(samples, volume, 0);
    AnalyticComparison found;
    for (int i = 0; i < 20; ++i)
    {
      RayRequest request;
      request.isovalues = { 0 };
      request.camera = cameraOf(randomView(random, size, i % 4 == 3), Side, Side);
      const std::vector<RayHit> hits = this->cast(volume, request);
      const std::optional<RayTable> table = rayTableOf(request.camera, volume);
      for (std::uint32_t pixel = 0; table && pixel < Side * Side; ++pixel)
      {
        const reference::Ray ray = rayOf(*table, pixel % Side, pixel / Side);
        const auto steps = static_cast<std::size_t>(std::ceil(ray.length() * StepsPerCell));
        double smallest = bound, largest = -bound; // without a value in the domain
        for (std::size_t s = 0; s <= steps; ++s)
          if (const Vector at = ray.at(double(s) / double(steps)); domain.contains(at))
          {
            const double value = analytic.value(at);
            smallest = std::min(smallest, value);
            largest = std::max(largest, value);
          }
        const bool isHit = hits[pixel].isovalue == 0;
        const bool crosses = smallest < -bound && largest > bound;
        const bool isApart = smallest >= bound || largest <= -bound;
        found.hits += isHit ? 1 : 0;
        found.missed += crosses && !isHit ? 1 : 0;
        found.invented += isApart && isHit ? 1 : 0;
        found.undecided += crosses || isApart ? 0 : 1;
        if (isHit)
          found.farthest = std::max(found.farthest, std::abs(analytic.value(ray.at(hits[pixel].t))));
      }
    }
    return found;
  }

  static std::array<double, 4> clipOf(const RayCamera& camera, const Vector& world)
  {
    std::array<double, 4> clip{};
    for (std::size_t row = 0; row < 4; ++row)
      clip[row] = camera.worldToClip[row][0] * world[0] + camera.worldToClip[row][1] * world[1] +
                  camera.worldToClip[row][2] * world[2] + camera.worldToClip[row][3];
    return clip;
  }

  // Returns the normal of which this is the projection on an octahedron.
  static Vector normalOf(std::uint32_t packed)
  {
    const double x = static_cast<std::int16_t>(packed & 0xFFFFu) / 32767.0;
    const double y = static_cast<std::int16_t>(packed >> 16) / 32767.0;
    const double z = 1 - std::abs(x) - std::abs(y);
    if (z >= 0)
      return normalized({ x, y, z });
    return normalized({ (1 - std::abs(y)) * (x < 0 ? -1 : 1), (1 - std::abs(x)) * (y < 0 ? -1 : 1), z });
  }

  // Towards lower values: between the central differences at the corners of the cell. They are one-sided at the border.
  static Vector normalAt(const reference::RayField& field, const Volume& volume, const Vector& at)
  {
    Vector slope{};
    for (unsigned corner = 0; corner < 8; ++corner)
    {
      Vector sample{};
      double weight = 1;
      for (std::size_t a = 0; a < 3; ++a)
      {
        const bool isUpper = (corner >> a & 1u) != 0;
        sample[a] = std::floor(at[a]) + (isUpper ? 1 : 0);
        weight *= isUpper ? at[a] - std::floor(at[a]) : 1 - (at[a] - std::floor(at[a]));
      }
      for (std::size_t a = 0; a < 3; ++a)
      {
        Vector low = sample, high = sample;
        low[a] = std::max(low[a] - 1, 0.0);
        high[a] = std::min(high[a] + 1, double(volume.size[a] - 1));
        slope[a] += weight * (*field.value(high) - *field.value(low)) / (high[a] - low[a]);
      }
    }
    const auto toWorld = volume.geometry.gradientToWorld();
    Vector normal{};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t c = 0; c < 3; ++c)
        normal[c] -= slope[a] * toWorld[a][c];
    return normal;
  }

  // A surface with holes would miss crossings that small steps find. Only where a ray grazes the surface, rounding may
  // lift it off: one ray in 50,000 at most. Small steps may miss two crossings in one step, and rounding shifts a
  // crossing along a grazing ray: one in 1,000 at most.
  static void expectSame(const Comparison& found)
  {
    EXPECT_GT(found.hits, found.rays / 20);
    EXPECT_LE(found.missed, found.rays / 50000);
    EXPECT_LE(found.differences, found.rays / 1000);
    EXPECT_LE(found.imprecise, found.rays / 1000);
  }

  // Compares the crossings of one view.
  Comparison compareView(const Samples& samples, const Volume& volume, double isovalue, const View& view)
  {
    RayRequest request;
    request.isovalues = { isovalue };
    request.camera = cameraOf(view, Side, Side);
    const std::vector<RayHit> hits = this->cast(volume, request);
    const RayTable table = rayTableOf(request.camera, volume).value();
    const reference::RayField field(samples, volume, isovalue);
    Comparison found;
    for (std::uint32_t pixel = 0; pixel < Side * Side; ++pixel)
      compareRay(field, rayOf(table, pixel % Side, pixel / Side), hits[pixel], 64, found);
    return found;
  }

private:
};

TEST_P(CastRays, FindsTheCrossingsOfSmallSteps)
{
  const std::array<std::uint32_t, 3> size = { 40, 48, 37 };
  const std::vector<std::pair<const char*, AnalyticVolume>> volumes = { { "sphere", sphere({ 20, 23, 18 }, 14.3) },
    { "torus", torus({ 20, 23, 18 }, 11, 4.7) }, { "gyroid", gyroid(17) } };
  for (const auto& [name, analytic] : volumes)
  {
    SCOPED_TRACE(name);
    const Samples samples = sample(analytic, size);
    expectSame(this->compare(samples, samples.volume(), 0, 10)); // about 50,000 rays
  }
}

// Between samples, the interpolant differs from a field by at most an eighth of the sum of its second derivatives along
// the axes. For distances, this sum is at most that of the principal curvatures, here of the surface two cells below.
TEST_P(CastRays, HitsAreOnTheAnalyticSurface)
{
  constexpr double Rounding = 1e-4; // of float samples and of t
  const double wave = 2 * std::acos(-1.0) / 17;
  struct Case
  {
    const char* name;
    AnalyticVolume volume;
    double derivatives;
  };
  const std::vector<Case> cases = { { "sphere", sphere({ 20, 23, 18 }, 14.3), 2 / 12.3 },
    { "torus", torus({ 20, 23, 18 }, 11, 4.7), 1 / 2.7 + 1 / 4.3 }, { "gyroid", gyroid(17), 6 * wave * wave } };
  for (const Case& field : cases)
  {
    SCOPED_TRACE(field.name);
    const double bound = field.derivatives / 8 + Rounding;
    const AnalyticComparison found = this->compareWithField(field.volume, { 40, 48, 37 }, bound);
    EXPECT_GT(found.hits, 10000u); // of 103,680 rays
    EXPECT_EQ(found.missed, 0u);
    EXPECT_EQ(found.invented, 0u);
    EXPECT_LT(found.farthest, bound);
    EXPECT_LT(found.undecided, 5000u); // else the test says little
  }
}

TEST_P(CastRays, FindsThoseOfEverySampleType)
{
  for (const SampleType type : AllSampleTypes)
  {
    SCOPED_TRACE(nameOf(type));
    const auto [low, high] = rangeOf(type);
    const Samples samples = sample(gyroid(17), { 30, 25, 27 }, type, 0.2 * (high - low), (low + high) / 2);
    expectSame(this->compare(samples, samples.volume(), middleOf(type)));
  }
}

TEST_P(CastRays, FindsNoneInInvalidCells)
{
  Samples samples = sample(gyroid(17), { 40, 31, 29 });
  std::vector<std::uint8_t> flags(samples.count(), 0);
  for (std::size_t i = 0; i < flags.size(); ++i)
    flags[i] = i % 211 == 0 ? Ghost::Blank : i % 197 == 0 ? Ghost::NotOwned : 0;
  Volume volume = samples.volume();
  volume.ghosts = flags.data();
  expectSame(this->compare(samples, volume, 0.1));
  for (std::size_t i = 0; i < flags.size(); i += 101)
    samples.setValue(i, std::nan(""));
  volume = samples.volume();
  expectSame(this->compare(samples, volume, 0.1));
}

TEST_P(CastRays, FindsThoseInThePaddingAndOnTheCap)
{
  const Samples samples = sample(gyroid(17), { 40, 31, 29 });
  for (const Padding& padding : { Padding{ { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
         Padding{ { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f }, Padding{ { 1, 1, 1 }, { 1, 1, 1 }, true, 0 } })
  {
    SCOPED_TRACE(testing::Message() << "border " << padding.border << ", closed " << padding.closed);
    Volume volume = samples.volume();
    volume.padding = padding;
    expectSame(this->compare(samples, volume, 0.1));
  }
}

TEST_P(CastRays, TheNearestOfSeveralIsovaluesIsHit)
{
  const Samples samples = sample(gyroid(17), { 40, 31, 29 });
  std::mt19937 random(5);
  RayRequest request;
  request.camera = cameraOf(randomView(random, samples.size, false), 50, 50);
  const auto at = [&](std::vector<double> isovalues)
  {
    request.isovalues = std::move(isovalues);
    return this->cast(samples.volume(), request);
  };
  const std::vector<RayHit> both = at({ 0.3, -0.4 }), first = at({ 0.3 }), second = at({ -0.4 });
  std::array<std::size_t, 2> hits{};
  for (std::size_t i = 0; i < both.size(); ++i)
  {
    EXPECT_EQ(both[i].t, std::min(first[i].t, second[i].t));
    if (both[i].isovalue == RAY_NO_HIT)
      continue;
    EXPECT_EQ(both[i].isovalue, first[i].t <= second[i].t ? 0u : 1u);
    EXPECT_EQ(both[i].normal, (first[i].t <= second[i].t ? first : second)[i].normal);
    ++hits.at(both[i].isovalue);
  }
  EXPECT_GT(hits[0], 100u);
  EXPECT_GT(hits[1], 100u);
}

TEST_P(CastRays, DepthsAreThoseOfTheProjectionAndNormalsThoseOfTheInterpolant)
{
  const Samples samples = sample(gyroid(17), { 40, 31, 29 });
  Volume volume = samples.volume();
  const std::array<SampleGeometry, 3> maps = { SampleGeometry(), // identity, oblique with unequal steps, mirrored
    SampleGeometry{ { 5, -7, 100 }, { { { 0.5, 0.1, 0 }, { -0.2, 1.5, 0.3 }, { 0, 0.25, 2 } } } },
    SampleGeometry{ { 1, 2, 3 }, { { { -1, 0, 0 }, { 0, 0, 1.25 }, { 0, 1, 0 } } } } };
  for (const SampleGeometry& map : maps)
    for (const bool isParallel : { false, true })
    {
      volume.geometry = map;
      View view;
      view.center = map.position({ 20, 15, 14 });
      view.eye = { view.center[0] + 60, view.center[1] - 45, view.center[2] + 30 };
      view.nearPlane = 10;
      view.farPlane = 200;
      view.isParallel = isParallel;
      view.size = isParallel ? 50 : 0.6;
      RayRequest request;
      request.isovalues = { 0.2 };
      request.camera = cameraOf(view, 60, 60);
      const std::vector<RayHit> hits = this->cast(volume, request);
      const RayTable table = rayTableOf(request.camera, volume).value();
      const reference::RayField field(samples, volume, 0.2);
      std::size_t found = 0;
      for (std::uint32_t pixel = 0; pixel < hits.size(); ++pixel)
        if (hits[pixel].isovalue == 0)
        {
          ++found;
          const Vector at = rayOf(table, pixel % 60, pixel / 60).at(hits[pixel].t);
          const std::array<double, 4> clip = clipOf(request.camera, map.position(at));
          // The ray is that of the pixel, of which 1e-5 is a 3,000th.
          ASSERT_NEAR(clip[0] / clip[3], (pixel % 60 + 0.5) / 30 - 1, 1e-5);
          ASSERT_NEAR(clip[1] / clip[3], (pixel / 60 + 0.5) / 30 - 1, 1e-5);
          ASSERT_NEAR(hits[pixel].depth, (clip[2] / clip[3] + 1) / 2, 1e-6); // some roundings of a float below 1
          // Two numbers of 15 bits and a sign: 1e-4 of a radian; the cosine differs by half of its square.
          ASSERT_GT(dot(normalOf(hits[pixel].normal), normalized(normalAt(field, volume, at))), 1 - 1e-7);
        }
      EXPECT_GT(found, 1000u);
    }
}

TEST_P(CastRays, OutsideTheFrustumNothingIsHit)
{
  const Samples samples = sample(sphere({ 8, 8, 8 }, 5), { 17, 17, 17 });
  RayRequest request;
  request.isovalues = { 0 };
  View view{ { 8, 8, 100 }, { 8, 8, 8 }, 1, 50, 0.5 }; // ends before the volume
  request.camera = cameraOf(view, 8, 8);
  for (const RayHit& hit : this->cast(samples.volume(), request))
    EXPECT_EQ(hit.isovalue, RAY_NO_HIT);
  view.farPlane = 100;
  request.camera = cameraOf(view, 8, 8);
  EXPECT_EQ(this->cast(samples.volume(), request)[36].isovalue, 0u);
}

TEST_P(CastRays, CamerasWithoutAnInverseAreUnsupported)
{
  const Samples samples = sample(sphere({ 8, 8, 8 }, 5), { 17, 17, 17 });
  RayRequest request;
  request.isovalues = { 0 };
  request.camera.width = request.camera.height = 8;
  request.camera.worldToClip = {};
  EXPECT_EQ(test::expectError(Error::Kind::Unsupported, [&] { this->cast(samples.volume(), request); }),
    "The matrix of the camera, with that of the volume, has no inverse.");
}

// The surface lies in samples, whose values are equal to the isovalue: on faces of cells and of bricks.
TEST_P(CastRays, SurfacesThroughSamplesHaveNoHoles)
{
  Samples samples = sample(sphere({ 16, 16, 16 }, 10.3), { 33, 33, 33 }, SampleType::UInt8);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
  {
    const double x = double(i % 33) - 16, y = double(i / 33 % 33) - 16, z = double(i / 1089) - 16;
    samples.setValue(i, std::max({ std::abs(x), std::abs(y), std::abs(z) }) <= 8 ? 1 : 0); // faces at 8 and 24
  }
  const Comparison found = this->compare(samples, samples.volume(), 1, 12);
  EXPECT_GT(found.hits, found.rays / 20);
  EXPECT_EQ(found.missed, 0u);
}

TEST_P(CastRays, ViewsAlongAnAxisFindTheCaps)
{
  const Samples samples = sample(gyroid(17), { 24, 25, 26 });
  Volume volume = samples.volume();
  volume.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double direction : { -1.0, 1.0 })
      for (const bool isParallel : { false, true })
      {
        SCOPED_TRACE(testing::Message() << "axis " << axis << ", " << direction << ", parallel " << isParallel);
        View view;
        view.center = { 12.1, 12.2, 12.3 };
        view.eye = view.center;
        view.eye[axis] += 70 * direction;
        view.nearPlane = 1;
        view.farPlane = 150;
        view.isParallel = isParallel;
        view.size = isParallel ? 20 : 0.3;
        const Comparison found = this->compareView(samples, volume, 0.1, view);
        EXPECT_GT(found.hits, found.rays / 2);
        EXPECT_EQ(found.missed, 0u);
        EXPECT_LE(found.differences, 5u); // of 5,184
      }
}

TEST_P(CastRays, AnIsovalueBelowAllSamplesMakesTheCapsOfAClosedVolume)
{
  const Samples samples = sample(gyroid(9), { 10, 11, 12 }, SampleType::UInt8, 100, 128);
  Volume volume = samples.volume();
  volume.padding = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  for (const double isovalue : { 0.0, -3.0 })
  {
    const Comparison found = this->compare(samples, volume, isovalue);
    EXPECT_GT(found.hits, found.rays / 20);
    EXPECT_EQ(found.missed, 0u);
  }
}

TEST_P(CastRays, TwoSamplesAlongAnAxisAreOneCell)
{
  for (const std::array<std::uint32_t, 3>& size :
    { std::array<std::uint32_t, 3>{ 2, 2, 2 }, { 2, 20, 21 }, { 20, 2, 21 }, { 21, 20, 2 } })
  {
    const Samples samples = sample(gyroid(5), size);
    const Comparison found = this->compare(samples, samples.volume(), 0.1, 12);
    EXPECT_GT(found.hits, 20u);
    EXPECT_EQ(found.missed, 0u);
  }
}

TEST_P(CastRays, PicturesOfOtherSizesAndOfManyIsovaluesFollow)
{
  const Samples samples = sample(gyroid(17), { 24, 25, 26 });
  std::mt19937 random(2);
  const View view = randomView(random, samples.size, false);
  RayRequest request;
  const auto at = [&](std::vector<double> isovalues, std::uint32_t width, std::uint32_t height)
  {
    request.isovalues = std::move(isovalues);
    request.camera = cameraOf(view, width, height);
    return this->cast(samples.volume(), request);
  };
  const std::vector<RayHit> first = at({ 0.1 }, 40, 40);
  EXPECT_EQ(at({ 0.1 }, 90, 70).size(), 6300u);
  EXPECT_TRUE(at({ 0.1 }, 0, 70).empty());
  std::vector<double> many(70, 5); // beyond all samples
  many[66] = 0.1;
  const std::vector<RayHit> again = at(many, 40, 40);
  for (std::size_t i = 0; i < first.size(); ++i)
  {
    EXPECT_EQ(again[i].t, first[i].t);
    EXPECT_EQ(again[i].isovalue, first[i].isovalue == 0 ? 66 : RAY_NO_HIT);
  }
}

VMC_ON_EACH_ENGINE(CastRays);

class CastRaysOnDevice : public ExtractionTest
{
};

TEST_F(CastRaysOnDevice, SlabsGiveTheSameBytes)
{
  const Samples samples = sample(gyroid(20), { 24, 23, 190 });
  VulkanSession undivided(this->sharedContext(), std::make_shared<VolumeCache>(this->sharedContext()));
  const auto slabbed = std::make_shared<Context>(optionsWith({ 192 << 10, 64, 100 }));
  VulkanSession divided(slabbed, std::make_shared<VolumeCache>(slabbed));
  std::mt19937 random(3);
  for (int i = 0; i < 4; ++i)
  {
    RayRequest request;
    request.isovalues = i < 2 ? std::vector<double>{ 0.2, -0.3 } : std::vector<double>{ 0.2 };
    request.camera = cameraOf(randomView(random, samples.size, i % 2 == 1), 40, 30);
    const RayPicture whole = undivided.cast(samples.volume(), request, this->LastReport).onHost;
    const RayPicture bySlabs = divided.cast(samples.volume(), request, this->LastReport).onHost;
    ASSERT_GT(this->LastReport.slabs, 2u);
    EXPECT_EQ(std::memcmp(whole.begin(), bySlabs.begin(), whole.size() * sizeof(RayHit)), 0);
  }
}

}
