#include "SlabInputs.h"

#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/SlabPasses.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

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
         " of them, " + std::to_string(choice.nanPercent) + " percent NaN, " + std::to_string(choice.ghostPercent) +
         " percent flagged, padding " + std::to_string(choice.padding.low[2]) + " and " +
         std::to_string(choice.padding.high[2]) + (choice.padding.closed ? ", closed" : "");
}

void setNan(Samples& samples, unsigned percent)
{
  const AnalyticVolume chance = noise(Seed + 1);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (chance.value({ double(i), 0, 0 }) < percent / 100.0)
      samples.setValue(i, std::numeric_limits<double>::quiet_NaN());
}

Samples randomGhosts(const SlabChoice& choice)
{
  Samples flags;
  flags.type = SampleType::UInt8;
  flags.size = choice.size;
  flags.bytes.resize(flags.count());
  const AnalyticVolume chance = noise(Seed + 2);
  for (std::uint64_t i = 0; i < flags.count(); ++i)
  {
    const double drawn = 100 * chance.value({ double(i), 0, 0 });
    flags.setValue(i, 2 * drawn < choice.ghostPercent ? Ghost::Blank
                      : drawn < choice.ghostPercent   ? Ghost::NotOwned
                                                      : 0);
  }
  return flags;
}

// The bytes of z-layers [first, end) behind the skew; around them, bits that are NaN in floats.
reference::PackedValues windowOf(const Samples& samples, std::uint32_t first, std::uint32_t end, std::uint32_t skew)
{
  const std::size_t layerBytes = std::size_t(samples.size[0]) * samples.size[1] * bytesOf(samples.type);
  const std::size_t before = skew * bytesOf(samples.type), bytes = (end - first) * layerBytes;
  // A row of samples may be loaded past the end.
  const std::size_t beyond = (BRICK_SIZE + 3) * std::max<std::size_t>(bytesOf(samples.type) / 4, 1);
  reference::PackedValues packed;
  packed.type = samples.type;
  packed.words.assign((before + bytes) / 4 + beyond, 0xFFFFFFFFu);
  std::memcpy(
    reinterpret_cast<std::byte*>(packed.words.data()) + before, samples.bytes.data() + first * layerBytes, bytes);
  return packed;
}

void setThreshold(SlabConstants& slab, SampleType type)
{
  const Threshold threshold = *thresholdOf(middleOf(type), type);
  slab.thresholdKey = threshold.key;
  slab.thresholdLow = threshold.lowKey;
  slab.selectUpTo = threshold.lowKey != 0 ? threshold.key : threshold.key - 1;
  slab.isovalueHigh = threshold.high;
  slab.isovalueLow = threshold.low;
  std::array<std::uint32_t, 2> words;
  std::memcpy(words.data(), &threshold.isovalue, sizeof(words));
  slab.isovalueExponent = threshold.exponent;
  slab.isovalueLowWord = words[0];
  slab.isovalueHighWord = words[1];
}

}

Specialization SlabInput::specialization(bool asOnGpu) const
{
  Specialization specialization = specializationOf(this->samples.type);
  specialization.merge(specializationOfBricks(asOnGpu));
  specialization[SPECIALIZE_PADDED] = this->slab.padding != 0 ? 1 : 0;
  specialization[SPECIALIZE_GHOSTS] = this->ghosts.words.empty() ? 0 : 1;
  return specialization;
}

SlabInput makeSlabInput(const SlabChoice& choice)
{
  Volume volume;
  volume.size = choice.size;
  volume.padding = choice.padding;
  const auto grid = volume.gridSize();
  Samples samples = sampleNoise(choice.size, choice.type, Seed);
  setNan(samples, choice.nanPercent);
  const auto bricks = [&](int axis) { return (grid[axis] + BRICK_SIZE - 1) / BRICK_SIZE; };
  const std::uint32_t layers = choice.layers == 0 ? bricks(2) - choice.firstLayer : choice.layers;
  const std::uint32_t haloLayers = choice.firstLayer + layers < bricks(2) ? 1 : 0;
  const std::uint32_t before = choice.padding.low[2] + 1;
  const std::uint32_t firstSample = std::max(BRICK_SIZE * choice.firstLayer, before) - before;
  const std::uint32_t endSample =
    std::min(BRICK_SIZE * (choice.firstLayer + layers + haloLayers) + 2 - choice.padding.low[2], choice.size[2]);

  SlabInput input;
  input.name = describe(choice);
  input.samples = windowOf(samples, firstSample, endSample, choice.skew);
  SlabConstants& slab = input.slab;
  slab.sizeX = grid[0];
  slab.sizeY = grid[1];
  slab.sizeZ = grid[2];
  slab.windowLayer = firstSample;
  slab.windowOffset = choice.skew;
  slab.bricksX = bricks(0);
  slab.bricksY = bricks(1);
  slab.brickLayer = choice.firstLayer;
  slab.brickCount = bricks(0) * bricks(1) * (layers + haloLayers);
  slab.ownBrickCount = bricks(0) * bricks(1) * layers;
  slab.maxGroups = 65535;
  setThreshold(slab, choice.type);
  for (const std::uint32_t output :
    { BINDING_NORMAL, BINDING_CROSSING, BINDING_GRADIENT, BINDING_POSITION_LOW, BINDING_TRIANGLE_CELL })
    slab.settings |= SETTING_WRITES(output);
  for (int axis = 0; axis < 3; ++axis)
    slab.padding |= choice.padding.low[axis] << 2 * axis | choice.padding.high[axis] << (2 * axis + 6);
  slab.settings |= choice.padding.closed ? SETTING_CLOSED : 0;
  slab.border = choice.padding.border;
  slab.ghostOffset = choice.ghostPercent != 0 ? choice.skew + 1 : 0;
  if (choice.ghostPercent != 0)
    input.ghosts = windowOf(randomGhosts(choice), firstSample, endSample, slab.ghostOffset);
  return input;
}

namespace
{

// To the border of cells, closed around cells and points, and at single sides.
std::vector<Padding> paddings()
{
  return { { { 1, 1, 1 }, { 1, 1, 1 }, false, 0.5f }, { { 2, 2, 2 }, { 2, 2, 2 }, true, 0.5f },
    { { 1, 1, 1 }, { 1, 1, 1 }, true, 0 }, { { 0, 2, 0 }, { 2, 0, 0 }, true, 0.5f },
    { { 0, 0, 2 }, { 0, 0, 0 }, true, 0.5f }, { { 0, 1, 0 }, { 0, 0, 1 }, false, 0.5f } };
}

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
    choices.push_back({ { 17, 13, 19 }, SampleType::Float64, 0, 0, 0, percent });
    choices.push_back({ { 17, 13, 19 }, SampleType::Float32, 0, 0, 0, percent });
    choices.push_back({ { 13, 9, 33 }, SampleType::Float32, 3, 1, 2, percent });
  }
  for (const SampleType type : AllSampleTypes)
    for (const Padding& padding : paddings())
      choices.push_back({ { 13, 9, 15 }, type, 3, 0, 0, 0, 0, padding });
  for (const Padding& padding : paddings())
    for (const std::uint32_t firstLayer : { 0u, 1u, 2u })
      choices.push_back({ { 7, 6, 23 }, SampleType::UInt16, 5, firstLayer, 1, 0, firstLayer == 1 ? 10u : 0u, padding });
  for (const unsigned percent : { 1u, 10u, 50u, 100u })
    choices.push_back({ { 17, 13, 19 }, SampleType::Int16, 2, 1, 1, 0, percent });
  for (const SampleType type : { SampleType::Float32, SampleType::Float64 })
    for (const Padding& padding : paddings())
      choices.push_back({ { 9, 8, 17 }, type, 1, 0, 0, 4, 8, padding });
  std::vector<SlabInput> inputs;
  for (const SlabChoice& choice : choices)
    inputs.push_back(makeSlabInput(choice));
  return inputs;
}

}
