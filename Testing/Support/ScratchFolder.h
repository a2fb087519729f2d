// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A folder for the files of one test.
#ifndef vmcScratchFolder_h
#define vmcScratchFolder_h

#include "Compute/System/Platform.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <system_error>

namespace vmc::test
{

// A new, empty folder in the system's folder for temporary files. The destructor removes it with all that it contains.
class ScratchFolder
{
public:
  ScratchFolder()
  {
    static std::atomic<unsigned> number{ 0 };
    const std::string name = "vmc-test-" + std::to_string(processId()) + "-" + std::to_string(number++);
    this->Path = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove_all(this->Path); // of an earlier process with this id
    std::filesystem::create_directories(this->Path);
    std::filesystem::permissions(this->Path, std::filesystem::perms::owner_all);
  }
  ~ScratchFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(this->Path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return this->Path; }

private:
  std::filesystem::path Path;
};

}

#endif
