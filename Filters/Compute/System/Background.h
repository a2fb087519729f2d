// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Work on threads that nobody waits for, except fork() and the end of the process.
#ifndef vmcBackground_h
#define vmcBackground_h

#include <functional>

namespace vmc
{

// Calls `work`, which must not throw, on another thread, at once. fork() waits until all work has returned, so that no
// lock of the loader or of a driver is held in the new process. The end of the process waits, too, as drivers must not
// be used while they unload; `work` should call isProcessEnding() between its steps. Both wait for at most 20 seconds.
// Returns false, and calls nothing, if no thread can be started, if there is no memory, if the environment variable
// VMC_BACKGROUND is 0, while the process ends, and on Windows, which ends threads before exit handlers could wait.
bool startInBackground(std::function<void()> work) noexcept;

// Returns whether endOfBackground() was called.
bool isProcessEnding();

// Waits for all work. Nothing is started afterwards. Exit handlers call it; so does the destructor of an object of the
// main thread, which precedes all exit handlers, those of drivers included.
void endOfBackground();

// While an object exists, a fork() of its thread does not wait. For calls of drivers, which may start helper programs
// by fork() while they hold locks that the work needs.
class ForkWithoutWaiting
{
public:
  ForkWithoutWaiting();
  ~ForkWithoutWaiting();
  ForkWithoutWaiting(const ForkWithoutWaiting&) = delete;
  ForkWithoutWaiting& operator=(const ForkWithoutWaiting&) = delete;
};

}

#endif
