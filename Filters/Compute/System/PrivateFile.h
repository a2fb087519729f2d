// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Files of this user that no other user can write.
#ifndef vmcPrivateFile_h
#define vmcPrivateFile_h

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vmc
{

// The folder of this user for files that programs can make again: $XDG_CACHE_HOME, or else ~/.cache, on Linux,
// ~/Library/Caches on macOS, %LOCALAPPDATA% on Windows. Empty if the environment names none.
std::string userCacheFolder();

// The contents of the file. Empty if there is no such file, if it is not a regular file, belongs to another user, can
// be written by others, has more than `mostBytes` bytes or cannot be read. On Windows, owner and rights are not
// checked.
std::vector<std::byte> readPrivateFile(const std::string& path, std::uint64_t mostBytes);

// Replaces the contents of the file `name` in this folder. Readers see the old contents or the new ones, also with
// several writers at the same time. Makes the folder and its parents if they do not exist. Only this user can read
// the file and the folder. Returns false if any of it fails; then the old file is left. It fails on Windows while
// another thread or process has the file open.
bool replacePrivateFile(
  const std::string& folder, const std::string& name, const std::vector<std::byte>& contents) noexcept;

}

#endif
