// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ArrayIdentity.h"

#include "vtkDataArray.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace vmc::filters
{

namespace
{

constexpr std::uint64_t WholeBytes = 128 << 10; // the largest array of which all values are read
constexpr std::uint64_t Pieces = 512;
constexpr std::uint64_t PieceBytes = 64; // a cache line: one memory access reads it

// The start of a piece, below `starts`. Piece p starts in the p-th of equal intervals. Its place within the interval
// differs between intervals (multiples of the golden ratio), so that the pieces are not all in the same column of the
// rows and layers of an image.
std::uint64_t startOfPiece(std::uint64_t piece, std::uint64_t starts)
{
  const double goldenRatio = 0.6180339887498949;
  const double within = static_cast<double>(piece) * goldenRatio;
  const double at = (static_cast<double>(piece) + within - static_cast<std::uint64_t>(within)) / Pieces;
  return std::min(static_cast<std::uint64_t>(at * static_cast<double>(starts)), starts - 1);
}

// Invertible for a given word, so that two lists that differ in one word never have the same result. The multiplier is
// the odd integer next to 2^64 divided by the golden ratio.
std::uint64_t mix(std::uint64_t state, std::uint64_t word)
{
  state = (state ^ word) * 0x9E3779B97F4A7C15u;
  return state ^ state >> 29;
}

void prefetch([[maybe_unused]] const std::byte* address)
{
#ifdef __GNUC__
  __builtin_prefetch(address);
#endif
}

std::uint64_t hashOf(const std::byte* bytes, std::size_t size)
{
  std::uint64_t hash = size;
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t))
  {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min(sizeof(word), size - at));
    hash = mix(hash, word);
  }
  return hash;
}

// The start of the cache line that contains byte `at`, or `at` if that line starts before the array.
std::uint64_t startOfLine(const std::byte* bytes, std::uint64_t at)
{
  const std::uint64_t within = reinterpret_cast<std::uintptr_t>(bytes + at) % PieceBytes;
  return within <= at ? at - within : at;
}

// Each piece has its own hash, so that the processor computes several at a time.
std::uint64_t fingerprintOf(const std::byte* bytes, std::uint64_t size)
{
  std::uint64_t hash = 0;
  if (size <= WholeBytes)
  {
    for (std::uint64_t at = 0; at < size; at += PieceBytes)
      hash = mix(hash, hashOf(bytes + at, std::min(PieceBytes, size - at)));
    return hash;
  }
  std::array<std::uint64_t, Pieces> starts;
  for (std::uint64_t piece = 0; piece < Pieces; ++piece)
  {
    starts[piece] = startOfLine(bytes, startOfPiece(piece, size - PieceBytes + 1));
    prefetch(bytes + starts[piece]); // without it, waiting for one piece after the other takes twice as long
  }
  for (const std::uint64_t start : starts)
    hash = mix(hash, hashOf(bytes + start, PieceBytes));
  return hash;
}

// The fingerprint of an array whose values are not in one block. GetTuple rounds 64-bit integers.
std::uint64_t fingerprintOfTuples(vtkDataArray* array)
{
  const auto tuples = static_cast<std::uint64_t>(array->GetNumberOfTuples());
  std::vector<double> tuple(static_cast<std::size_t>(array->GetNumberOfComponents()));
  std::uint64_t hash = 0;
  for (std::uint64_t i = 0; i < std::min(tuples, Pieces); ++i)
  {
    array->GetTuple(static_cast<vtkIdType>(tuples <= Pieces ? i : startOfPiece(i, tuples)), tuple.data());
    hash = mix(hash, hashOf(reinterpret_cast<const std::byte*>(tuple.data()), tuple.size() * sizeof(double)));
  }
  return hash;
}

}

std::uint64_t identityOf(std::initializer_list<std::uint64_t> parts)
{
  std::uint64_t hash = parts.size();
  for (const std::uint64_t part : parts)
    hash = mix(hash, part);
  return hash != 0 ? hash : 1;
}

std::uint64_t identityOf(vtkDataArray* array)
{
  const bool inOneBlock = array->HasStandardMemoryLayout();
  const void* address = inOneBlock ? array->GetVoidPointer(0) : array;
  const auto values = static_cast<std::uint64_t>(array->GetNumberOfValues());
  const std::uint64_t fingerprint =
    inOneBlock ? fingerprintOf(static_cast<const std::byte*>(address), values * array->GetDataTypeSize())
               : fingerprintOfTuples(array);
  return identityOf({ array->GetMTime(), reinterpret_cast<std::uintptr_t>(address), values,
    static_cast<std::uint64_t>(array->GetNumberOfComponents()), static_cast<std::uint64_t>(array->GetDataType()),
    fingerprint });
}

}
