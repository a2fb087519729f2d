// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Random numbers for tests.
#ifndef vmcDice_h
#define vmcDice_h

#include <cstdint>
#include <random>

namespace vmc::test
{

// Random numbers that are the same on every machine: the distributions of the standard library are not.
class Dice
{
public:
  explicit Dice(std::uint64_t seed)
    : Generator(seed)
  {
  }

  // An integer from low to high.
  std::int64_t between(std::int64_t low, std::int64_t high)
  {
    return low + static_cast<std::int64_t>(this->Generator() % static_cast<std::uint64_t>(high - low + 1));
  }

  double uniform(double low, double high)
  {
    return low + (high - low) * static_cast<double>(this->Generator() >> 11) * 0x1p-53;
  }

  bool chance(double probability) { return this->uniform(0, 1) < probability; }

private:
  std::mt19937_64 Generator;
};

}

#endif
