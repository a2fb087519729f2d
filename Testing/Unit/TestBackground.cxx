// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Background.h"

#include <gtest/gtest.h>

#ifndef _WIN32

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace
{

// Longer than a fork() or the end of a process takes.
void takeAWhile()
{
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

// The exit status of a child process that returns this.
int statusOfChild(const std::function<int()>& check)
{
  const pid_t child = fork();
  if (child == 0)
    _exit(check());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::atomic<bool> isDone{ false };

// Starts work that sets isDone after a while.
bool startToBeDone()
{
  isDone = false;
  return vmc::startInBackground(
    []
    {
      takeAWhile();
      isDone = true;
    });
}

}

TEST(Background, WorkRunsOnAnotherThread)
{
  std::promise<std::thread::id> promise;
  ASSERT_TRUE(vmc::startInBackground([&] { promise.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(promise.get_future().get(), std::this_thread::get_id());
}

TEST(Background, AForkWaitsForTheWork)
{
  ASSERT_TRUE(startToBeDone());
  EXPECT_EQ(statusOfChild([] { return isDone ? 0 : 1; }), 0);
}

TEST(Background, AForkOfADriverDoesNotWait)
{
  isDone = false;
  std::promise<void> mayEnd;
  ASSERT_TRUE(vmc::startInBackground(
    [&]
    {
      mayEnd.get_future().wait();
      takeAWhile();
      isDone = true;
    }));
  {
    const vmc::ForkWithoutWaiting driver;
    EXPECT_EQ(statusOfChild([] { return isDone ? 1 : 0; }), 0);
  }
  mayEnd.set_value();
  EXPECT_EQ(statusOfChild([] { return isDone ? 0 : 1; }), 0); // waits again
}

TEST(Background, TheWorkItselfCanFork)
{
  std::promise<int> promise;
  ASSERT_TRUE(vmc::startInBackground([&] { promise.set_value(statusOfChild([] { return 7; })); }));
  EXPECT_EQ(promise.get_future().get(), 7);
}

TEST(Background, AForkedProcessCanStartWork)
{
  ASSERT_TRUE(startToBeDone());
  const auto check = []
  {
    std::promise<int> promise;
    return vmc::startInBackground([&] { promise.set_value(0); }) ? promise.get_future().get() : 1;
  };
  EXPECT_EQ(statusOfChild(check), 0);
}

// The exit handlers of a driver that the work has loaded are later ones.
TEST(Background, TheEndOfTheProcessWaitsForTheWorkBeforeLaterExitHandlersRun)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // in a new process
  const auto end = []
  {
    if (!startToBeDone())
      std::_Exit(1);
    std::atexit([] { std::fputs(isDone ? "done before" : "still at work", stderr); });
    std::exit(0);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(0), "done before");
}

TEST(Background, NothingStartsWhileTheProcessEnds)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // in a new process
  const auto end = []
  {
    vmc::startInBackground([] {});
    std::atexit([] { std::fputs(vmc::startInBackground([] {}) ? "started" : "refused", stderr); });
    std::exit(0);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(0), "refused");
}

#else

TEST(Background, IsNotUsedOnWindows)
{
  EXPECT_FALSE(vmc::startInBackground([] {}));
}

#endif
