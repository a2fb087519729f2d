// Samples that take no or only some part, and pieces of one volume.
#include "ExtractionTest.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace vmc::test
{

namespace
{

using Size = std::array<std::uint32_t, 3>;
using Triangle = std::array<float, 18>; // positions of the corners and their normals

// Triangles beginning with their smallest corner, sorted.
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

// A box of samples cut out of a volume, with flags for those beyond what the piece owns.
struct Piece
{
  Samples samples;
  std::vector<std::uint8_t> ghosts;
  Size first;

  // Owns samples [from, to) and has two layers of other pieces' samples around them where there are some.
  Piece(const Samples& whole, const Size& from, const Size& to)
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
          const auto sample = whole.bytes.begin() + static_cast<std::ptrdiff_t>(index * bytes);
          this->samples.bytes.insert(this->samples.bytes.end(), sample, sample + static_cast<std::ptrdiff_t>(bytes));
          this->ghosts.push_back(owned ? 0 : Ghost::Foreign);
        }
  }

  // Padded where the piece reaches the border of the whole.
  Volume volume(const Size& whole, const Padding& padding) const
  {
    Volume volume = this->samples.volume();
    volume.ghosts = this->ghosts.data();
    volume.padding = padding;
    for (std::size_t a = 0; a < 3; ++a)
    {
      volume.geometry.origin[a] = this->first[a];
      volume.padding.low[a] = this->first[a] == 0 ? padding.low[a] : 0;
      volume.padding.high[a] = this->first[a] + this->samples.size[a] == whole[a] ? padding.high[a] : 0;
    }
    return volume;
  }
};

}

class Ghosts : public ExtractionTest
{
protected:
  Mesh extractWithCells(const Volume& volume, double isovalue)
  {
    Request request;
    request.isovalues = { isovalue };
    request.computeCells = true;
    return this->extract(volume, request);
  }

  // Flagging one sample takes away exactly the triangles of the dual cells that `takesAway` names by their minimum
  // corner, and no other.
  template <class Test>
  void expectWithout(const Samples& samples, const Size& sample, Ghost flag, const Test& takesAway)
  {
    Volume volume = samples.volume();
    const Mesh whole = this->extractWithCells(volume, 0.1);
    std::vector<std::uint8_t> ghosts(samples.count(), 0);
    ghosts[(std::size_t(sample[2]) * samples.size[1] + sample[1]) * samples.size[0] + sample[0]] = flag;
    volume.ghosts = ghosts.data();
    const Mesh flagged = this->extractWithCells(volume, 0.1);
    expectSound(flagged); // no point without a triangle
    std::vector<std::int64_t> expected = valuesOf<std::int64_t>(whole.triangleCells);
    const auto goes = [&](std::int64_t cell)
    {
      const auto number = static_cast<std::uint64_t>(cell);
      return takesAway(std::array<std::int64_t, 3>{ std::int64_t(number % samples.size[0]),
        std::int64_t(number / samples.size[0] % samples.size[1]),
        std::int64_t(number / samples.size[0] / samples.size[1]) });
    };
    expected.erase(std::remove_if(expected.begin(), expected.end(), goes), expected.end());
    EXPECT_LT(expected.size(), whole.triangleCount);
    EXPECT_EQ(valuesOf<std::int64_t>(flagged.triangleCells), expected);
  }

  // Eight pieces make the very triangles of the whole, with the very normals.
  void expectPiecesMakeTheWhole(const Samples& samples, const Padding& padding)
  {
    Volume volume = samples.volume();
    volume.padding = padding;
    const Mesh whole = this->extract(volume, middleOf(samples.type));
    std::vector<Triangle> together;
    for (std::uint32_t part = 0; part < 8; ++part)
    {
      Size from = { 0, 0, 0 }, to = samples.size;
      const Size cut = { 9, 8, 5 };
      for (std::size_t a = 0; a < 3; ++a)
        ((part >> a & 1u) != 0 ? from[a] : to[a]) = cut[a];
      const Piece piece(samples, from, to);
      const Mesh mesh = this->extract(piece.volume(samples.size, padding), middleOf(samples.type));
      expectSound(mesh);
      const std::vector<Triangle> triangles = trianglesOf(mesh);
      together.insert(together.end(), triangles.begin(), triangles.end());
    }
    std::sort(together.begin(), together.end());
    EXPECT_EQ(together.size(), whole.triangleCount);
    EXPECT_TRUE(together == trianglesOf(whole));
  }
};

TEST_F(Ghosts, ABlankSampleTakesAwayTheCellsThatTouchIt)
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

TEST_F(Ghosts, AForeignSampleTakesAwayTheCellWhoseMinimumCornerItIs)
{
  // A checkerboard: every cell makes triangles.
  Samples samples = sampleNoise({ 19, 18, 17 }, SampleType::UInt8, 1);
  for (std::uint32_t i = 0; i < samples.count(); ++i)
    samples.setValue(i, (i % 19 + i / 19 % 18 + i / 342) % 2);
  for (const Size& foreign : { Size{ 4, 5, 6 }, Size{ 7, 7, 7 }, Size{ 8, 8, 8 }, Size{ 0, 0, 0 } })
    this->expectWithout(samples, foreign, Ghost::Foreign,
      [&foreign](const std::array<std::int64_t, 3>& cell)
      { return cell[0] == foreign[0] && cell[1] == foreign[1] && cell[2] == foreign[2]; });
}

TEST_F(Ghosts, OverlappingPiecesMakeTheTrianglesOfTheWholeOnce)
{
  const Padding open, extended = { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f };
  const Padding closed = { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f };
  for (const SampleType type : { SampleType::UInt8, SampleType::Float32, SampleType::Float64 })
    for (const Padding& padding : { open, extended, closed })
      this->expectPiecesMakeTheWhole(sampleNoise({ 21, 19, 18 }, type, 2), padding);
}

TEST_F(Ghosts, VolumeWithoutALiveCellGivesAnEmptyMesh)
{
  const Samples samples = sampleNoise({ 12, 11, 10 }, SampleType::Int32, 3);
  Volume volume = samples.volume();
  for (const std::uint8_t flags : { std::uint8_t(Ghost::Blank), std::uint8_t(Ghost::Foreign) })
  {
    const std::vector<std::uint8_t> ghosts(samples.count(), flags);
    volume.ghosts = ghosts.data();
    const Mesh mesh = this->extract(volume, middleOf(samples.type));
    EXPECT_EQ(mesh.pointCount, 0u);
    EXPECT_EQ(mesh.triangleCount, 0u);
  }
}

}
