// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Limits the memory that a pool keeps for reuse.
#ifndef vmcPoolHistory_h
#define vmcPoolHistory_h

#include <algorithm>
#include <array>
#include <cstdint>

namespace vmc
{

// A pool with users keeps the most bytes that it has noted in the last runs, including the current one. A pool without
// users keeps nothing. The caller must hold the lock of the pool.
class PoolHistory
{
public:
  void addUsers(int more) { this->Users += more; }

  // Begins a run of any user and drops the oldest run. heldBytes: the bytes held now.
  void beginRun(std::uint64_t heldBytes)
  {
    std::copy_backward(this->PeakBytes.begin(), this->PeakBytes.end() - 1, this->PeakBytes.end());
    this->PeakBytes[0] = heldBytes;
  }
  void note(std::uint64_t bytes) { this->PeakBytes[0] = std::max(this->PeakBytes[0], bytes); }

  // The allowed sum of held and free bytes.
  std::uint64_t bytesToKeep() const
  {
    return this->Users == 0 ? 0 : *std::max_element(this->PeakBytes.begin(), this->PeakBytes.end());
  }

private:
  static constexpr std::size_t RunsRemembered = 8;
  std::array<std::uint64_t, RunsRemembered> PeakBytes{}; // PeakBytes[run], the current run first
  int Users = 0;
};

// While a PoolUser exists, its pool keeps released memory.
template <class Pool>
class PoolUser
{
public:
  explicit PoolUser(Pool& pool)
    : UsedPool(pool)
  {
    pool.addUsers(1);
  }
  ~PoolUser() { this->UsedPool.addUsers(-1); }
  PoolUser(const PoolUser&) = delete;
  PoolUser& operator=(const PoolUser&) = delete;

private:
  Pool& UsedPool;
};

}

#endif
