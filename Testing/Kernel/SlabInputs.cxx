// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SlabInputs.h"

#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Volume/ContourPlan.h"
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
         std::to_string(choice.size[2]) + " " + nameOf(choice.type) + ", offset " + std::to_string(choice.offset) +
         ", brick layers from " + std::to_string(choice.firstLayer) + ", " + std::to_string(choice.layers) +
         " of them, " + std::to_string(choice.nanPercent) + " percent NaN, " + std::to_string(choice.ghostPercent) +
         " percent flagged, padding " + std::to_string(choice.padding.low[2]) + " and " +
         std::to_string(choice.padding.high[2]) + (choice.padding.closed ? ", closed" : "");
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
    const double random = 100 * chance.value({ double(i), 0, 0 });
    flags.setValue(i, 2 * random < choice.ghostPercent ? Ghost::Blank
                      : random < choice.ghostPercent   ? Ghost::NotOwned
                                                       : 0);
  }
  return flags;
}

// The samples of z-layers [first, end) after `offset` values. All other bits are 1, which is NaN in floats.
reference::PackedValues windowOf(const Samples& samples, std::uint32_t first, std::uint32_t end, std::uint32_t offset)
{
  const std::size_t layerBytes = std::size_t(samples.size[0]) * samples.size[1] * bytesOf(samples.type);
  const std::size_t before = offset * bytesOf(samples.type), bytes = (end - first) * layerBytes;
  // A kernel may load the samples of a whole row from the last one on, four at a time (CountBricks).
  const std::size_t beyond = (BRICK_SIZE + 3) * std::max<std::size_t>(bytesOf(samples.type) / 4, 1);
  reference::PackedValues packed;
  packed.type = samples.type;
  packed.words.assign((before + bytes) / 4 + beyond, 0xFFFFFFFFu);
  std::memcpy(
    reinterpret_cast<std::byte*>(packed.words.data()) + before, samples.bytes.data() + first * layerBytes, bytes);
  return packed;
}

// All outputs of the emitting kernels except attributes.
Request requestOfAll()
{
  Request request;
  request.computeGradients = true;
  request.splitPositions = true;
  request.computeCells = true;
  return request;
}

}

reference::PackedValues SlabInput::samplesOfOwnBricks() const
{
  const auto paddingAt = [this](unsigned side) { return this->slab.padding >> (2 * side) & 3u; };
  const std::uint32_t imageX = this->slab.sizeX - paddingAt(0) - paddingAt(3);
  const std::uint32_t imageY = this->slab.sizeY - paddingAt(1) - paddingAt(4);
  const std::uint32_t end =
    BRICK_SIZE * (this->slab.brickLayer + reference::ownLayers(this->slab)) + 2 - paddingAt(2) - this->slab.windowLayer;
  reference::PackedValues own = this->samples;
  auto* const bytes = reinterpret_cast<unsigned char*>(own.words.data());
  const std::size_t first = (this->slab.windowOffset + std::size_t(imageX) * imageY * end) * bytesOf(own.type);
  for (std::size_t i = first; i < 4 * own.words.size(); ++i)
    bytes[i] = static_cast<unsigned char>(~bytes[i]);
  return own;
}

RangesOfSlab SlabInput::ranges() const
{
  RangesOfSlab ranges{ std::vector<reference::BrickRange>(this->slab.firstRange + this->slab.brickCount),
    std::vector<std::uint32_t>(TOTAL_WORDS) };
  reference::buildBrickRanges(this->slab, this->samples, ranges.range, ranges.total);
  return ranges;
}

Specialization SlabInput::specialization() const
{
  Specialization specialization = specializationOf(this->samples.type);
  specialization[SPECIALIZE_PADDED] = this->slab.padding != 0 ? 1 : 0;
  specialization[SPECIALIZE_GHOSTS] = this->ghosts.words.empty() ? 0 : 1;
  return specialization;
}

SlabInput makeSlabInput(const SlabChoice& choice)
{
  const Attribute attribute; // so EmitPoints writes crossings
  Volume volume;
  volume.type = choice.type;
  volume.size = choice.size;
  volume.padding = choice.padding;
  volume.attributes = { attribute };
  Samples samples = sampleNoise(choice.size, choice.type, Seed);
  scatter(samples, std::numeric_limits<double>::quiet_NaN(), choice.nanPercent / 100.0, Seed + 1);
  const ContourPlan plan(volume.size, 1, { 1ull << 50, 1, 65535 }, volume.padding);
  const Slab slab =
    plan.makeSlab(choice.firstLayer, choice.layers != 0 ? choice.layers : plan.bricks()[2] - choice.firstLayer);
  const Window window = plan.windowOf(slab, bytesOf(volume.type));
  const std::uint32_t end = window.firstSampleLayer + window.sampleLayers;

  SlabInput input;
  input.name = describe(choice);
  input.slab = parametersOf(volume, plan, slab, *thresholdOf(middleOf(volume.type), volume.type), requestOfAll());
  input.slab.windowOffset = choice.offset; // as the alignment of bindings makes it
  input.samples = windowOf(samples, window.firstSampleLayer, end, input.slab.windowOffset);
  if (choice.ghostPercent != 0)
  {
    input.slab.ghostOffset = choice.offset + 1;
    input.ghosts = windowOf(randomGhosts(choice), window.firstSampleLayer, end, input.slab.ghostOffset);
  }
  return input;
}

namespace
{

// Open and closed at the border of cells, closed at the border of points, and at single sides.
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
    for (const std::uint32_t offset : { 0u, 1u, 2u, 3u, 61u })
      choices.push_back({ { 17, 9, 10 }, type, offset });
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
