# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Toolchain: compiles for 64-bit Windows on Debian, with the package g++-mingw-w64-x86-64-posix (threads of C++ need its
# "posix" variant).
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# Programs run here; libraries and headers are those of Windows.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The programs need no library of the compiler beside them.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

# Tests run with Wine, if it is installed.
find_program(VMC_WINE wine)
if(VMC_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${VMC_WINE}")
endif()

# Vulkan's headers are the same for every system: a folder of their own keeps the other headers of this system out.
get_property(isTrial GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT isTrial AND NOT VMC_VULKAN_HEADERS)
  set(VMC_VULKAN_HEADERS "${CMAKE_BINARY_DIR}/vulkan-headers" CACHE PATH "Folder that has vulkan/vulkan_raii.hpp")
  file(MAKE_DIRECTORY "${VMC_VULKAN_HEADERS}")
  file(CREATE_LINK /usr/include/vulkan "${VMC_VULKAN_HEADERS}/vulkan" SYMBOLIC)
  file(CREATE_LINK /usr/include/vk_video "${VMC_VULKAN_HEADERS}/vk_video" SYMBOLIC)
endif()
