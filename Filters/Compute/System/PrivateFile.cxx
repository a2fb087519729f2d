// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/PrivateFile.h"

#include "Compute/System/Platform.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace vmc
{

namespace
{

namespace fs = std::filesystem;

// Empty if the variable is not set, if it is no absolute path, which the rules for XDG_CACHE_HOME forbid, or if its
// characters cannot be converted, as may be on Windows.
fs::path folderOf(const char* variable)
{
  const char* const value = std::getenv(variable);
  try
  {
    const fs::path folder = value ? value : "";
    return folder.is_absolute() ? folder : fs::path();
  }
  catch (const std::system_error&)
  {
    return {};
  }
}

[[maybe_unused]] fs::path inHome(const char* path)
{
  const fs::path home = folderOf("HOME");
  return home.empty() ? home : home / path;
}

}

std::string userCacheFolder()
{
#if defined(_WIN32)
  return folderOf("LOCALAPPDATA").string();
#elif defined(__APPLE__)
  return inHome("Library/Caches").string();
#else
  const fs::path chosen = folderOf("XDG_CACHE_HOME");
  return (chosen.empty() ? inHome(".cache") : chosen).string();
#endif
}

#ifdef _WIN32

std::vector<std::byte> readPrivateFile(const std::string& path, std::uint64_t mostBytes)
{
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return {};
  std::ifstream file(path, std::ios::binary | std::ios::ate); // the size is that of the open file
  const std::streamoff size = file.tellg();
  if (size < 0 || static_cast<std::uint64_t>(size) > mostBytes)
    return {};
  std::vector<std::byte> contents(static_cast<std::size_t>(size));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(contents.data()), size);
  return file ? contents : std::vector<std::byte>();
}

namespace
{

bool makePrivateFolder(const fs::path& folder)
{
  fs::create_directories(folder);
  return true;
}

bool writePrivateFile(const fs::path& path, const std::vector<std::byte>& contents)
{
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
  file.close();
  return !file.fail();
}

}

#else

namespace
{

struct Close
{
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Null if the file cannot be opened. mode: that of the flags, as for std::fopen.
std::unique_ptr<std::FILE, Close> opened(const char* path, int flags, const char* mode)
{
  const int number = ::open(path, flags | O_CLOEXEC, 0600);
  std::FILE* const file = number >= 0 ? ::fdopen(number, mode) : nullptr;
  if (!file && number >= 0)
    ::close(number);
  if (file) // else a process made by fork() would write the bytes in the buffer once more
    std::setvbuf(file, nullptr, _IONBF, 0);
  return std::unique_ptr<std::FILE, Close>(file);
}

bool isOwn(const struct stat& file)
{
  return file.st_uid == ::geteuid() && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// The last folder belongs to this user, and others cannot write to it.
bool makePrivateFolder(const fs::path& folder)
{
  if (folder.has_parent_path())
    fs::create_directories(folder.parent_path());
  ::mkdir(folder.c_str(), 0700); // fails if it exists
  struct stat found
  {
  };
  return ::stat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && isOwn(found);
}

bool writePrivateFile(const fs::path& path, const std::vector<std::byte>& contents)
{
  const auto file = opened(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, "wb");
  return file && std::fwrite(contents.data(), 1, contents.size(), file.get()) == contents.size();
}

}

std::vector<std::byte> readPrivateFile(const std::string& path, std::uint64_t mostBytes)
{
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const auto file = opened(path.c_str(), O_RDONLY | O_NONBLOCK, "rb");
  struct stat found
  {
  };
  if (!file || ::fstat(::fileno(file.get()), &found) != 0)
    return {};
  if (!S_ISREG(found.st_mode) || !isOwn(found) || static_cast<std::uint64_t>(found.st_size) > mostBytes)
    return {};
  std::vector<std::byte> contents(static_cast<std::size_t>(found.st_size));
  if (std::fread(contents.data(), 1, contents.size(), file.get()) != contents.size())
    return {};
  return contents;
}

#endif

bool replacePrivateFile(
  const std::string& folder, const std::string& name, const std::vector<std::byte>& contents) noexcept
{
  static std::atomic<unsigned> number{ 0 };
  try
  {
    if (!makePrivateFolder(folder))
      return false;
    const fs::path path = fs::path(folder) / name;
    const fs::path next =
      path.string() + "." + std::to_string(processId()) + "-" + std::to_string(number++) + ".tmp"; // on one file system
    std::error_code error;
    if (writePrivateFile(next, contents))
    {
      fs::rename(next, path, error);
      if (!error)
        return true;
    }
    fs::remove(next, error);
  }
  catch (const std::exception&)
  {
    // The file is not written, as if the folder could not be written.
  }
  return false;
}

}
