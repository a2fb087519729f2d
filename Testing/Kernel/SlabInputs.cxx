#include "SlabInputs.h"

#include "Constants.h"
#include "Isovalue.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace vmc::test
{

namespace
{

constexpr std::uint64_t Seed = 20240229;

std::string describe(const SlabChoice& choice)
{
  return std::to_string(choice.size[0]) + " x " + std::to_string(choice.size[1]) + " x " +
         std::to_string(choice.size[2]) + " " + nameOf(choice.type) + ", skew " + std::to_string(choice.skew) +
         ", brick layers from " + std::to_string(choice.firstLayer) + ", " + std::to_string(choice.layers) +
         " of them, " + std::to_string(choice.nanPercent) + " percent NaN";
}

void setNan(Samples& samples, unsigned percent)
{
  const AnalyticVolume chance = noise(Seed + 1);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (chance.value({ double(i), 0, 0 }) < percent / 100.0)
      samples.setValue(i, std::numeric_limits<double>::quiet_NaN());
}

// The bytes of z-layers [first, end) behind the skew; around them, bits that are NaN in floats.
std::vector<std::uint32_t> windowWords(
  const Samples& samples, std::uint32_t first, std::uint32_t end, std::uint32_t skew)
{
  const std::size_t layerBytes = std::size_t(samples.size[0]) * samples.size[1] * bytesOf(samples.type);
  const std::size_t before = skew * bytesOf(samples.type), bytes = (end - first) * layerBytes;
  constexpr std::size_t PaddingWords = BRICK_SIZE + 3; // a row of samples may be loaded past the end
  std::vector<std::uint32_t> words((before + bytes) / 4 + PaddingWords, 0xFFFFFFFFu);
  std::memcpy(reinterpret_cast<std::byte*>(words.data()) + before, samples.bytes.data() + first * layerBytes, bytes);
  return words;
}

}

SlabInput makeSlabInput(const SlabChoice& choice)
{
  Samples samples = sampleNoise(choice.size, choice.type, Seed);
  setNan(samples, choice.nanPercent);
  const auto bricks = [&](int axis) { return (choice.size[axis] + BRICK_SIZE - 1) / BRICK_SIZE; };
  const std::uint32_t layers = choice.layers == 0 ? bricks(2) - choice.firstLayer : choice.layers;
  const std::uint32_t lookAhead = choice.firstLayer + layers < bricks(2) ? 1 : 0;
  const std::uint32_t firstSample = choice.firstLayer == 0 ? 0 : BRICK_SIZE * choice.firstLayer - 1;
  const std::uint32_t endSample = std::min(BRICK_SIZE * (choice.firstLayer + layers + lookAhead) + 2, choice.size[2]);
  const Threshold threshold = *thresholdOf(middleOf(choice.type), choice.type);

  SlabInput input;
  input.name = describe(choice);
  input.samples.type = choice.type;
  input.samples.words = windowWords(samples, firstSample, endSample, choice.skew);
  SlabConstants& slab = input.slab;
  slab.sizeX = choice.size[0];
  slab.sizeY = choice.size[1];
  slab.sizeZ = choice.size[2];
  slab.windowLayer = firstSample;
  slab.windowSkew = choice.skew;
  slab.bricksX = bricks(0);
  slab.bricksY = bricks(1);
  slab.brickLayer = choice.firstLayer;
  slab.brickCount = bricks(0) * bricks(1) * (layers + lookAhead);
  slab.ownBrickCount = bricks(0) * bricks(1) * layers;
  slab.thresholdKey = threshold.key;
  slab.selectUpTo = threshold.key - 1;
  slab.isovalueHigh = threshold.high;
  slab.isovalueLow = threshold.low;
  slab.writesNormals = 1;
  slab.writesCrossings = 1;
  return input;
}

std::vector<SlabInput> slabInputs()
{
  std::vector<SlabChoice> choices;
  for (const auto& size : std::vector<std::array<std::uint32_t, 3>>{ { 1, 1, 1 }, { 2, 2, 2 }, { 1, 9, 2 }, { 9, 1, 9 },
         { 7, 8, 9 }, { 8, 8, 8 }, { 9, 9, 9 }, { 16, 16, 16 }, { 17, 5, 3 }, { 2, 2, 33 }, { 13, 11, 7 },
         { 504, 3, 2 }, { 512, 2, 3 }, { 513, 2, 2 }, { 23, 19, 29 } })
    choices.push_back({ size });
  for (const SampleType type : AllSampleTypes)
    for (const std::uint32_t skew : { 0u, 1u, 2u, 3u, 61u })
      choices.push_back({ { 17, 9, 10 }, type, skew });
  for (const SampleType type : { SampleType::UInt8, SampleType::Int16, SampleType::Float32 })
    for (const std::uint32_t firstLayer : { 0u, 1u, 3u })
      choices.push_back({ { 17, 13, 37 }, type, 5, firstLayer, firstLayer == 1 ? 3u : 1u });
  for (const unsigned percent : { 1u, 10u, 50u, 100u })
  {
    choices.push_back({ { 17, 13, 19 }, SampleType::Float32, 0, 0, 0, percent });
    choices.push_back({ { 13, 9, 33 }, SampleType::Float32, 3, 1, 2, percent });
  }
  std::vector<SlabInput> inputs;
  for (const SlabChoice& choice : choices)
    inputs.push_back(makeSlabInput(choice));
  return inputs;
}

}
