// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Threads.h"

#include "Compute/System/Platform.h"

#include <algorithm>
#include <cstdint>

#ifdef VMC_HAS_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#else
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#endif

#ifdef VMC_SANITIZE_THREADS
#include <sanitizer/tsan_interface.h>
#endif

namespace vmc
{

namespace
{

// Tell ThreadSanitizer, which does not see how oneTBB synchronizes its threads, that what precedes a call of release()
// happens before what follows a call of acquire().
[[maybe_unused]] void release([[maybe_unused]] const void* address)
{
#ifdef VMC_SANITIZE_THREADS
  __tsan_release(const_cast<void*>(address));
#endif
}

[[maybe_unused]] void acquire([[maybe_unused]] const void* address)
{
#ifdef VMC_SANITIZE_THREADS
  __tsan_acquire(const_cast<void*>(address));
#endif
}

// Returns whether fork() made this process after its parent had used threads.
bool isForked()
{
  static const std::uint64_t user = processId();
  return user != processId();
}

}

#ifdef VMC_HAS_TBB

unsigned processorThreads()
{
  return static_cast<unsigned>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

namespace
{

void onSeveralThreads(unsigned threads, const std::function<void()>& work)
{
  const auto once = [&](unsigned)
  {
    acquire(&work);
    work();
    release(&work);
  };
  release(&work);
  // A task_arena per call would leak 7 KiB (oneTBB 2021.8). While this thread waits, it runs no tasks of its caller.
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(0u, threads, 1u, once, tbb::simple_partitioner()); });
  acquire(&work);
}

}

#else

unsigned processorThreads()
{
  return std::max(std::thread::hardware_concurrency(), 1u);
}

namespace
{

void onSeveralThreads(unsigned threads, const std::function<void()>& work)
{
  std::exception_ptr error;
  std::mutex mutex;
  const auto once = [&]
  {
    try
    {
      work();
    }
    catch (...)
    {
      const std::lock_guard<std::mutex> lock(mutex);
      error = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back(once);
  once();
  for (std::thread& thread : others)
    thread.join();
  if (error)
    std::rethrow_exception(error);
}

}

#endif

unsigned usableThreads(unsigned requested)
{
  const unsigned most = isForked() ? 1 : processorThreads();
  return requested == 0 ? most : std::min(requested, most);
}

void onThreads(unsigned threads, const std::function<void()>& work)
{
  const unsigned usable = usableThreads(std::max(threads, 1u));
  if (usable == 1)
    work();
  else
    onSeveralThreads(usable, work);
}

}
