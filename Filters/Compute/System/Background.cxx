// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Background.h"

#include "Compute/System/Platform.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace vmc
{

namespace
{

// A driver that hangs does not keep a process from forking or ending. Opening a device takes up to a few seconds.
constexpr std::chrono::seconds Patience{ 20 };

#ifdef _WIN32
constexpr bool IsUsed = false;
#else
constexpr bool IsUsed = true;
#endif

struct State
{
  std::mutex mutex; // guards the members below
  std::deque<std::function<void()>> waiting;
  unsigned running = 0; // works that have not returned
  unsigned idle = 0;    // threads without work
  // Replaced in a process that fork() made, whose threads that wait for these do not exist.
  std::unique_ptr<std::condition_variable> started = std::make_unique<std::condition_variable>();
  std::unique_ptr<std::condition_variable> done = std::make_unique<std::condition_variable>();
  std::uint64_t process = processId();
};

std::atomic<bool> isEnding{ false };
thread_local bool isBackground = false;
thread_local unsigned forksWithoutWaiting = 0;

State& state();

void waitForAll(std::unique_lock<std::mutex>& lock)
{
  State& all = state();
  all.done->wait_for(lock, Patience, [&all] { return all.running == 0; });
}

// The mutex stays locked until the process is forked, so that nothing is started meanwhile.
void beforeFork()
{
  std::unique_lock<std::mutex> lock(state().mutex);
  if (!isBackground && forksWithoutWaiting == 0)
    waitForAll(lock);
  lock.release();
}

void forgetThreads(State& all)
{
  static_cast<void>(all.started.release()); // their destructors would wait
  static_cast<void>(all.done.release());
  all.started = std::make_unique<std::condition_variable>();
  all.done = std::make_unique<std::condition_variable>();
  all.waiting.clear();
  all.running = all.idle = 0;
  all.process = processId();
}

void afterFork()
{
  State& all = state();
  if (all.process != processId())
    forgetThreads(all);
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

// The main function of a thread. It never returns, as the end of a thread that has opened a device holds a lock of
// NVIDIA's driver for 11 ms. While it has no work, it uses no driver.
void runForEver()
{
  isBackground = true;
  State& all = state();
  std::unique_lock<std::mutex> lock(all.mutex);
  for (;;)
  {
    ++all.idle;
    all.started->wait(lock, [&all] { return !all.waiting.empty(); });
    --all.idle;
    const std::function<void()> work = std::move(all.waiting.front());
    all.waiting.pop_front();
    lock.unlock();
    work();
    lock.lock();
    --all.running;
    all.done->notify_all();
  }
}

void waitAtTheEndOfThisThread()
{
  struct End
  {
    ~End() { endOfBackground(); }
  };
  [[maybe_unused]] static thread_local End end;
}

bool isOff()
{
  const char* const variable = std::getenv("VMC_BACKGROUND");
  return variable && std::strcmp(variable, "0") == 0;
}

// Throws std::system_error if no thread can be made.
bool start(std::function<void()>&& work)
{
  State& all = state();
  if (isMainThread())
    waitAtTheEndOfThisThread();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (isEnding)
    return false;
  if (all.idle <= all.waiting.size()) // all threads have work
    std::thread(runForEver).detach();
  all.waiting.push_back(std::move(work));
  ++all.running;
  all.started->notify_one();
  return true;
}

}

bool startInBackground(std::function<void()> work) noexcept
{
  try
  {
    return IsUsed && !isOff() && start(std::move(work));
  }
  catch (const std::exception&) // no memory, or no thread
  {
    return false;
  }
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
