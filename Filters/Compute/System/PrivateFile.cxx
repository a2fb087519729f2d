// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/PrivateFile.h"

#include "Compute/System/Platform.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
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

// An open file, closed at the end.
class Descriptor
{
public:
  explicit Descriptor(int number)
    : Number(number)
  {
  }
  ~Descriptor()
  {
    if (this->Number >= 0)
      ::close(this->Number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return this->Number; }

private:
  const int Number;
};

bool isOwn(const struct stat& file)
{
  return file.st_uid == ::geteuid() && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool readAll(int file, std::vector<std::byte>& contents)
{
  for (std::size_t done = 0; done < contents.size();)
  {
    const ssize_t count = ::read(file, contents.data() + done, contents.size() - done);
    if (count <= 0)
      return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

bool writeAll(int file, const std::vector<std::byte>& contents)
{
  for (std::size_t done = 0; done < contents.size();)
  {
    const ssize_t count = ::write(file, contents.data() + done, contents.size() - done);
    if (count <= 0)
      return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
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
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  return file.number() >= 0 && writeAll(file.number(), contents);
}

}

std::vector<std::byte> readPrivateFile(const std::string& path, std::uint64_t mostBytes)
{
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat found
  {
  };
  if (file.number() < 0 || ::fstat(file.number(), &found) != 0)
    return {};
  if (!S_ISREG(found.st_mode) || !isOwn(found) || static_cast<std::uint64_t>(found.st_size) > mostBytes)
    return {};
  std::vector<std::byte> contents(static_cast<std::size_t>(found.st_size));
  return readAll(file.number(), contents) ? contents : std::vector<std::byte>();
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
