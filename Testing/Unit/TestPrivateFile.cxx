// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/PrivateFile.h"
#include "Support/ScratchFolder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace fs = std::filesystem;

namespace
{

using Bytes = std::vector<std::byte>;
constexpr std::uint64_t Most = 1 << 20;

Bytes bytes(std::size_t count, int value)
{
  return Bytes(count, static_cast<std::byte>(value));
}

std::size_t filesIn(const fs::path& folder)
{
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

class PrivateFile : public testing::Test
{
protected:
  bool replace(const Bytes& contents) const { return vmc::replacePrivateFile(this->Folder.string(), "file", contents); }
  Bytes read() const { return vmc::readPrivateFile(this->Path.string(), Most); }

  const vmc::test::ScratchFolder Scratch;
  const fs::path Folder = Scratch.path() / "made" / "by replace";
  const fs::path Path = Folder / "file";
};

}

TEST_F(PrivateFile, IsReplacedAndReadAsItWasWritten)
{
  EXPECT_EQ(this->read(), Bytes());
  for (const Bytes& contents : { bytes(1000, 1), bytes(10, 2), bytes(0, 0) })
  {
    EXPECT_TRUE(this->replace(contents));
    EXPECT_EQ(this->read(), contents);
    EXPECT_EQ(filesIn(this->Folder), 1u);
  }
}

TEST_F(PrivateFile, OneThatIsTooLargeIsNotRead)
{
  ASSERT_TRUE(this->replace(bytes(100, 1)));
  EXPECT_EQ(vmc::readPrivateFile(this->Path.string(), 100).size(), 100u);
  EXPECT_EQ(vmc::readPrivateFile(this->Path.string(), 99), Bytes());
}

TEST_F(PrivateFile, AFolderIsNotRead)
{
  EXPECT_EQ(vmc::readPrivateFile(this->Scratch.path().string(), Most), Bytes());
}

TEST_F(PrivateFile, WithoutAFolderNothingIsWritten)
{
  std::ofstream(this->Scratch.path() / "made").put('x'); // a file where the folder would be
  EXPECT_FALSE(this->replace(bytes(10, 1)));
  EXPECT_EQ(filesIn(this->Scratch.path()), 1u);
}

TEST_F(PrivateFile, SeveralWritersLeaveTheContentsOfOne)
{
  std::atomic<bool> isEnded{ false };
  std::atomic<unsigned> replaced{ 0 };
  std::thread reader(
    [&]
    {
      while (!isEnded)
        if (const Bytes found = this->read(); !found.empty())
        {
          ASSERT_EQ(found, bytes(found.size(), static_cast<int>(found.size() % 251)));
        }
    });
  std::vector<std::thread> writers;
  for (std::size_t i = 1; i <= 4; ++i)
    writers.emplace_back(
      [&, i]
      {
        for (std::size_t round = 0; round < 50; ++round)
        {
          const std::size_t count = 1000 * i + round;
          replaced += this->replace(bytes(count, static_cast<int>(count % 251)));
        }
      });
  for (std::thread& writer : writers)
    writer.join();
  isEnded = true;
  reader.join();
  EXPECT_EQ(filesIn(this->Folder), 1u);
#ifdef _WIN32 // no file is replaced while the reader has it open
  EXPECT_GT(replaced, 0u);
#else
  EXPECT_EQ(replaced, 200u);
#endif
}

#ifndef _WIN32

TEST_F(PrivateFile, OnlyThisUserCanReadIt)
{
  umask(0);
  ASSERT_TRUE(this->replace(bytes(10, 1)));
  EXPECT_EQ(fs::status(this->Path).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(this->Folder).permissions(), fs::perms(0700));
  umask(022);
}

TEST_F(PrivateFile, OneThatOthersCanWriteIsNotRead)
{
  ASSERT_TRUE(this->replace(bytes(10, 1)));
  for (const unsigned mode : { 0620u, 0602u, 0666u })
  {
    fs::permissions(this->Path, fs::perms(mode));
    EXPECT_EQ(this->read(), Bytes()) << mode;
  }
  fs::permissions(this->Path, fs::perms(0644));
  EXPECT_EQ(this->read(), bytes(10, 1));
}

TEST_F(PrivateFile, OneOfAnotherUserIsNotRead)
{
  ASSERT_TRUE(this->replace(bytes(10, 1)));
  if (chown(this->Path.c_str(), 12345, 12345) != 0)
    GTEST_SKIP() << "Only root can give a file to another user.";
  EXPECT_EQ(this->read(), Bytes());
  EXPECT_TRUE(this->replace(bytes(10, 2)));
  EXPECT_EQ(this->read(), bytes(10, 2));
}

TEST_F(PrivateFile, InAFolderThatOthersCanWriteNothingIsWritten)
{
  fs::create_directories(this->Folder);
  fs::permissions(this->Folder, fs::perms(0777));
  EXPECT_FALSE(this->replace(bytes(10, 1)));
  EXPECT_EQ(filesIn(this->Folder), 0u);
}

TEST_F(PrivateFile, APipeIsNotRead)
{
  fs::create_directories(this->Folder);
  ASSERT_EQ(mkfifo(this->Path.c_str(), 0600), 0);
  EXPECT_EQ(this->read(), Bytes()); // and does not wait for a writer
}

#if !defined(__APPLE__)

TEST(UserCacheFolder, IsThatOfTheEnvironment)
{
  const char* const home = std::getenv("HOME");
  const std::string homeBefore = home ? home : "";
  setenv("HOME", "/home/somebody", 1);
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(vmc::userCacheFolder(), "/home/somebody/.cache");
  setenv("XDG_CACHE_HOME", "/var/elsewhere", 1);
  EXPECT_EQ(vmc::userCacheFolder(), "/var/elsewhere");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(vmc::userCacheFolder(), "/home/somebody/.cache");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(vmc::userCacheFolder(), "");
  if (home)
    setenv("HOME", homeBefore.c_str(), 1);
}

#endif
#endif
