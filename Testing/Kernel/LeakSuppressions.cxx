// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Ignores leaks that LeakSanitizer finds in drivers and layers at the end of the process.
extern "C" const char* __lsan_default_suppressions()
{
  return "leak:libVkLayer\nleak:libvulkan\nleak:libLLVM\n";
}
