// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Blank samples, samples that are not owned, and pieces of one volume.
#include "ExtractionTest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace vmc::test
{

namespace
{

using Size = std::array<std::uint32_t, 3>;
using Triangle = std::array<float, 18>; // positions of the corners and their normals

// The sorted triangles; each begins with its smallest corner.
std::vector<Triangle> trianglesOf(const Mesh& mesh)
{
  const std::vector<float> positions = valuesOf<float>(mesh.positions), normals = valuesOf<float>(mesh.normals);
  const std::vector<std::uint32_t> ids = valuesOf<std::uint32_t>(mesh.triangles);
  std::vector<Triangle> triangles;
  for (std::size_t t = 0; t < mesh.triangleCount; ++t)
  {
    std::array<std::array<float, 6>, 3> corners;
    for (std::size_t i = 0; i < 3; ++i)
    {
      const std::size_t at = 3 * ids[3 * t + i];
      corners[i] = { positions[at], positions[at + 1], positions[at + 2], normals[at], normals[at + 1],
        normals[at + 2] };
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    Triangle triangle;
    std::memcpy(triangle.data(), corners.data(), sizeof(triangle));
    triangles.push_back(triangle);
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

constexpr double Nan = std::numeric_limits<double>::quiet_NaN();

// Open, extended to the border of the cells, and closed around the cells.
const std::array<Padding, 3> Paddings = { Padding(), Padding{ { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f },
  Padding{ { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f } };

// Sets the flag at a tenth of the samples.
std::vector<std::uint8_t> scatteredFlags(Ghost flag, const Samples& samples)
{
  const AnalyticVolume chance = noise(4);
  std::vector<std::uint8_t> ghosts;
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    ghosts.push_back(chance.value({ double(i), 0, 0 }) < 0.1 ? flag : 0);
  return ghosts;
}

// A copy of the samples with this value wherever a flag is set.
Samples withValueAtFlags(Samples samples, const std::vector<std::uint8_t>& ghosts, double value)
{
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (ghosts[i] != 0)
      samples.setValue(i, value);
  return samples;
}

// A rough surface across x: every slab has a part of it, and gradients vary along z.
Samples roughSurface(const Size& size)
{
  Samples samples = sampleNoise(size, SampleType::UInt8, 5);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, (i % size[0] < size[0] / 2 ? 0 : 200) + samples.value(i) / 5);
  return samples;
}

// A box of samples of a volume. Flags mark the samples that the piece does not own.
struct Piece
{
  Samples samples;
  std::vector<std::uint8_t> ghosts;
  Size first;

  // Owns samples [from, to), and has up to two layers of samples around them that other pieces own.
  Piece(const Volume& whole, const Size& from, const Size& to)
  {
    Size end;
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->first[a] = std::max(from[a], 2u) - 2;
      end[a] = std::min(to[a] + 2, whole.size[a]);
      this->samples.size[a] = end[a] - this->first[a];
    }
    const std::size_t bytes = bytesOf(whole.type);
    this->samples.type = whole.type;
    for (std::uint32_t z = this->first[2]; z < end[2]; ++z)
      for (std::uint32_t y = this->first[1]; y < end[1]; ++y)
        for (std::uint32_t x = this->first[0]; x < end[0]; ++x)
        {
          const bool owned = x >= from[0] && x < to[0] && y >= from[1] && y < to[1] && z >= from[2] && z < to[2];
          const std::size_t index = (std::size_t(z) * whole.size[1] + y) * whole.size[0] + x;
          const std::byte* sample = static_cast<const std::byte*>(whole.samples) + index * bytes;
          this->samples.bytes.insert(this->samples.bytes.end(), sample, sample + bytes);
          const unsigned flags = whole.ghosts ? whole.ghosts[index] : 0;
          this->ghosts.push_back(static_cast<std::uint8_t>(flags | (owned ? 0 : Ghost::NotOwned)));
        }
  }

  // Has padding where the piece reaches the border of the whole volume.
  Volume volume(const Volume& whole) const
  {
    Volume volume = this->samples.volume();
    volume.ghosts = this->ghosts.data();
    volume.padding = whole.padding;
    volume.geometry.setOrigin({ double(this->first[0]), double(this->first[1]), double(this->first[2]) });
    for (std::size_t a = 0; a < 3; ++a)
    {
      volume.padding.low[a] = this->first[a] == 0 ? whole.padding.low[a] : 0;
      volume.padding.high[a] = this->first[a] + this->samples.size[a] == whole.size[a] ? whole.padding.high[a] : 0;
    }
    return volume;
  }
};

// All outputs.
Request requestOfAll(SampleType type)
{
  Request request;
  request.isovalues = { middleOf(type) };
  request.computeGradients = true;
  request.computeCells = true;
  return request;
}

}

class Ghosts : public EngineTest
{
protected:
  Mesh extractWithCells(const Volume& volume, double isovalue)
  {
    Request request;
    request.isovalues = { isovalue };
    request.computeCells = true;
    return this->extract(volume, request);
  }

  // All outputs; the samples are also an attribute.
  Mesh extractAll(const Samples& samples, const std::uint8_t* ghosts, const Padding& padding)
  {
    Volume volume = samples.volume();
    volume.ghosts = ghosts;
    volume.padding = padding;
    volume.attributes = { { samples.bytes.data(), samples.type, 1 } };
    return this->extract(volume, requestOfAll(samples.type));
  }

  // Expects that a flag at one sample removes the triangles of exactly those dual cells for whose minimum corner
  // `isRemoved` returns true.
  template <class Test>
  void expectWithout(const Samples& samples, const Size& sample, Ghost flag, const Test& isRemoved)
  {
    Volume volume = samples.volume();
    const Mesh whole = this->extractWithCells(volume, 0.1);
    std::vector<std::uint8_t> ghosts(samples.count(), 0);
    ghosts[(std::size_t(sample[2]) * samples.size[1] + sample[1]) * samples.size[0] + sample[0]] = flag;
    volume.ghosts = ghosts.data();
    const Mesh flagged = this->extractWithCells(volume, 0.1);
    expectSound(flagged); // every point belongs to a triangle
    std::vector<std::int64_t> expected = valuesOf<std::int64_t>(whole.triangleCells);
    const auto isGone = [&](std::int64_t cell)
    {
      const auto number = static_cast<std::uint64_t>(cell);
      return isRemoved(std::array<std::int64_t, 3>{ std::int64_t(number % samples.size[0]),
        std::int64_t(number / samples.size[0] % samples.size[1]),
        std::int64_t(number / samples.size[0] / samples.size[1]) });
    };
    expected.erase(std::remove_if(expected.begin(), expected.end(), isGone), expected.end());
    EXPECT_LT(expected.size(), whole.triangleCount);
    EXPECT_EQ(valuesOf<std::int64_t>(flagged.triangleCells), expected);
  }

  // Expects that eight pieces together have the triangles and normals of the whole volume.
  void expectPiecesMakeTheWhole(const Volume& volume)
  {
    const Mesh whole = this->extract(volume, middleOf(volume.type));
    std::vector<Triangle> together;
    for (std::uint32_t part = 0; part < 8; ++part)
    {
      Size from = { 0, 0, 0 }, to = volume.size;
      const Size cut = { 9, 8, 5 };
      for (std::size_t a = 0; a < 3; ++a)
        ((part >> a & 1u) != 0 ? from[a] : to[a]) = cut[a];
      const Piece piece(volume, from, to);
      const Mesh mesh = this->extract(piece.volume(volume), middleOf(volume.type));
      expectSound(mesh);
      const std::vector<Triangle> triangles = trianglesOf(mesh);
      together.insert(together.end(), triangles.begin(), triangles.end());
    }
    std::sort(together.begin(), together.end());
    EXPECT_EQ(together.size(), whole.triangleCount);
    EXPECT_TRUE(together == trianglesOf(whole));
  }
};

class GhostsOnDevice : public ExtractionTest
{
};

VMC_ON_EACH_ENGINE(Ghosts);
VMC_ON_TWO_DEVICES(Ghosts);

TEST_P(Ghosts, ABlankSampleRemovesTheCellsThatTouchIt)
{
  const Samples samples = sampleNoise({ 19, 18, 17 }, SampleType::Float32, 1);
  for (const Size& blank : { Size{ 4, 5, 6 }, Size{ 8, 8, 8 }, Size{ 7, 15, 16 }, Size{ 0, 0, 0 }, Size{ 18, 17, 16 } })
    this->expectWithout(samples, blank, Ghost::Blank,
      [&blank](const std::array<std::int64_t, 3>& cell)
      {
        bool touches = true;
        for (std::size_t a = 0; a < 3; ++a)
          touches = touches && (cell[a] == blank[a] || cell[a] + 1 == blank[a]);
        return touches;
      });
}

TEST_P(Ghosts, ASampleThatIsNotOwnedRemovesTheCellWhoseMinimumCornerItIs)
{
  // In a checkerboard of samples every cell has triangles.
  Samples samples = sampleNoise({ 19, 18, 17 }, SampleType::UInt8, 1);
  for (std::uint32_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, (i % 19 + i / 19 % 18 + i / 342) % 2);
  for (const Size& notOwned : { Size{ 4, 5, 6 }, Size{ 7, 7, 7 }, Size{ 8, 8, 8 }, Size{ 0, 0, 0 } })
    this->expectWithout(samples, notOwned, Ghost::NotOwned,
      [&notOwned](const std::array<std::int64_t, 3>& cell)
      { return cell[0] == notOwned[0] && cell[1] == notOwned[1] && cell[2] == notOwned[2]; });
}

TEST_P(Ghosts, OverlappingPiecesMakeTheTrianglesOfTheWholeOnce)
{
  for (const SampleType type : { SampleType::UInt8, SampleType::Float32, SampleType::Float64 })
    for (const Padding& padding : Paddings)
    {
      const Samples samples = sampleNoise({ 21, 19, 18 }, type, 2);
      const std::vector<std::uint8_t> blanks = scatteredFlags(Ghost::Blank, samples);
      Volume volume = samples.volume();
      volume.padding = padding;
      this->expectPiecesMakeTheWhole(volume);
      volume.ghosts = blanks.data();
      this->expectPiecesMakeTheWhole(volume);
    }
}

TEST_P(Ghosts, ABlankSampleIsTreatedLikeNan)
{
  for (const SampleType type : { SampleType::Float32, SampleType::Float64 })
    for (const Padding& padding : Paddings)
    {
      const Samples samples = sampleNoise({ 21, 19, 18 }, type, 2);
      const std::vector<std::uint8_t> ghosts = scatteredFlags(Ghost::Blank, samples);
      const Mesh expected = this->extractAll(withValueAtFlags(samples, ghosts, Nan), nullptr, padding);
      EXPECT_GT(expected.triangleCount, 1000u);
      for (const double hidden : { 1e30, -1e30, 0.1 })
        expectSameBytes(this->extractAll(withValueAtFlags(samples, ghosts, hidden), ghosts.data(), padding), expected);
    }
}

TEST_P(Ghosts, TheOutputDoesNotDependOnTheValueOfABlankSample)
{
  for (const SampleType type : AllSampleTypes)
    for (const Padding& padding : Paddings)
    {
      const Samples samples = sampleNoise({ 21, 19, 18 }, type, 3);
      const std::vector<std::uint8_t> ghosts = scatteredFlags(Ghost::Blank, samples);
      const Mesh expected = this->extractAll(samples, ghosts.data(), padding);
      EXPECT_GT(expected.triangleCount, 1000u);
      for (const double hidden : rangeOf(type))
        expectSameBytes(this->extractAll(withValueAtFlags(samples, ghosts, hidden), ghosts.data(), padding), expected);
    }
}

// One-sided and central differences of a linear field are its slope. Both samples of a crossed edge have a valid
// neighbour along each axis, in the dual cell of the edge.
TEST_P(Ghosts, GradientsOfALinearFieldWithBlankSamplesAreItsSlope)
{
  constexpr std::array<double, 3> Slope = { 2, 3, -5 };
  const Size size = { 21, 19, 18 };
  Samples samples = sampleNoise(size, SampleType::Float32, 1);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, Slope[0] * double(i % size[0]) + Slope[1] * double(i / size[0] % size[1]) +
                          Slope[2] * double(i / size[0] / size[1]));
  const std::vector<std::uint8_t> ghosts = scatteredFlags(Ghost::Blank, samples);
  const Mesh mesh = this->extractAll(withValueAtFlags(samples, ghosts, 1e30), ghosts.data(), Padding());
  EXPECT_GT(mesh.pointCount, 100u);
  const std::vector<float> gradients = valuesOf<float>(mesh.gradients), normals = valuesOf<float>(mesh.normals);
  for (std::size_t i = 0; i < gradients.size(); ++i)
  {
    ASSERT_NEAR(gradients[i], Slope[i % 3], 0x1p-21); // the interpolation rounds three times
    ASSERT_NEAR(normals[i], -Slope[i % 3] / std::sqrt(38.0), 0x1p-22);
  }
}

TEST_P(Ghosts, ASampleThatIsNotOwnedContributesToNormals)
{
  for (const SampleType type : { SampleType::UInt8, SampleType::Float32, SampleType::Float64 })
    for (const Padding& padding : Paddings)
    {
      const Samples samples = sampleNoise({ 21, 19, 18 }, type, 6);
      const std::vector<std::uint8_t> ghosts = scatteredFlags(Ghost::NotOwned, samples);
      const std::vector<Triangle> whole = trianglesOf(this->extractAll(samples, nullptr, padding));
      const std::vector<Triangle> flagged = trianglesOf(this->extractAll(samples, ghosts.data(), padding));
      EXPECT_LT(flagged.size(), whole.size());
      EXPECT_TRUE(std::includes(whole.begin(), whole.end(), flagged.begin(), flagged.end()));
    }
}

// The output exceeds a binding, so slabs are cut until their output fits.
TEST_F(GhostsOnDevice, SmallBindingsGiveTheSameBytes)
{
  const Size size = { 13, 11, 211 }; // layers of an odd number of bytes
  const auto small = std::make_shared<Context>(optionsWith({ 128 << 10, 64, 100 }));
  const std::unique_ptr<Session> session = newSessionOn(small);
  for (const SampleType type : AllSampleTypes)
    for (const Ghost flag : { Ghost::Blank, Ghost::NotOwned })
      for (const bool merge : { true, false })
      {
        const Samples samples = sampleNoise(size, type, 7);
        const std::vector<std::uint8_t> ghosts = scatteredFlags(flag, samples);
        Volume volume = samples.volume();
        volume.ghosts = ghosts.data();
        Request request = requestOfAll(type);
        request.mergePoints = merge;
        const Mesh whole = this->extract(volume, request);
        EXPECT_GT(whole.positions.size(), 2 * small->device().limits().maxBindingBytes);
        expectSameBytes(this->extract(*session, volume, request), whole);
      }
}

// The device holds the samples and flags of one slab at a time.
TEST_F(GhostsOnDevice, AMemoryLimitBelowSamplesAndFlagsGivesTheSameBytes)
{
  const Samples samples = roughSurface({ 33, 31, 401 });
  for (const Ghost flag : { Ghost::Blank, Ghost::NotOwned })
  {
    const std::vector<std::uint8_t> ghosts = scatteredFlags(flag, samples);
    Volume volume = samples.volume();
    volume.ghosts = ghosts.data();
    Request request = requestOfAll(samples.type);
    const Mesh whole = this->extract(volume, request);
    EXPECT_GT(whole.triangleCount, 10000u);
    const std::unique_ptr<Session> fresh = this->newSession();
    request.memoryLimit = samples.count() * 3 / 2;
    expectSameBytes(this->extract(*fresh, volume, request), whole);
  }
}

TEST_P(Ghosts, VolumeWithoutAValidCellGivesAnEmptyMesh)
{
  const Samples samples = sampleNoise({ 12, 11, 10 }, SampleType::Int32, 3);
  Volume volume = samples.volume();
  for (const std::uint8_t flags : { std::uint8_t(Ghost::Blank), std::uint8_t(Ghost::NotOwned) })
  {
    const std::vector<std::uint8_t> ghosts(samples.count(), flags);
    volume.ghosts = ghosts.data();
    const Mesh mesh = this->extract(volume, middleOf(samples.type));
    EXPECT_EQ(mesh.pointCount, 0u);
    EXPECT_EQ(mesh.triangleCount, 0u);
  }
}

}
