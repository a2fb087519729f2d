// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Background.h"

#include "Compute/System/Platform.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace vmc
{

namespace
{

// A driver that hangs does not keep a process from forking or ending. Opening a device takes up to a few seconds.
constexpr std::chrono::seconds Patience{ 20 };

struct State
{
  std::mutex mutex;
  std::condition_variable done;
  unsigned running = 0;             // threads whose work has not returned
  std::vector<std::thread> threads; // not joined yet
  std::uint64_t process = processId();
};

std::atomic<bool> isEnding{ false };
thread_local bool isBackground = false;
thread_local unsigned forksWithoutWaiting = 0;

State& state();

// If no work is running, the threads end without the lock.
void joinIfDone(State& all)
{
  if (all.running != 0)
    return;
  for (std::thread& thread : all.threads)
    thread.join();
  all.threads.clear();
}

void waitForAll(std::unique_lock<std::mutex>& lock)
{
  State& all = state();
  all.done.wait_for(lock, Patience, [&all] { return all.running == 0; });
  joinIfDone(all);
}

// The mutex stays locked until the process is forked, so that nothing is started meanwhile.
void beforeFork()
{
  std::unique_lock<std::mutex> lock(state().mutex);
  if (!isBackground && forksWithoutWaiting == 0)
    waitForAll(lock);
  lock.release();
}

void afterFork()
{
  State& all = state();
  if (all.process != processId()) // the threads do not exist here, and cannot be joined
  {
    all.running = 0;
    new std::vector<std::thread>(std::move(all.threads));
    all.threads.clear();
  }
  all.process = processId();
  all.mutex.unlock();
}

// Never destroyed.
State& state()
{
  static State* const all = []
  {
    aroundFork(AtFork::Wait, beforeFork, afterFork);
    std::atexit(endOfBackground);
    return new State;
  }();
  return *all;
}

void waitAtTheEndOfThisThread()
{
  struct End
  {
    ~End() { endOfBackground(); }
  };
  [[maybe_unused]] static thread_local End end;
}

void runAndCountDown(const std::function<void()>& work)
{
  isBackground = true;
  work();
  State& all = state();
  const std::lock_guard<std::mutex> lock(all.mutex);
  --all.running;
  all.done.notify_all();
}

}

bool startInBackground([[maybe_unused]] std::function<void()> work)
{
#ifdef _WIN32
  return false;
#else
  State& all = state();
  if (isMainThread())
    waitAtTheEndOfThisThread();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (isEnding)
    return false;
  try
  {
    joinIfDone(all);
    all.threads.emplace_back([work = std::move(work)] { runAndCountDown(work); });
  }
  catch (const std::system_error&)
  {
    return false;
  }
  ++all.running;
  return true;
#endif
}

bool isInBackground()
{
  return isBackground;
}

bool isProcessEnding()
{
  return isEnding;
}

void endOfBackground()
{
  isEnding = true;
  std::unique_lock<std::mutex> lock(state().mutex);
  if (!isBackground)
    waitForAll(lock);
}

ForkWithoutWaiting::ForkWithoutWaiting()
{
  ++forksWithoutWaiting;
}

ForkWithoutWaiting::~ForkWithoutWaiting()
{
  --forksWithoutWaiting;
}

}
