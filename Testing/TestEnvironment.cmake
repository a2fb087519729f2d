# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Settings that the tests of the filter's users (Image, Plugin) share.

# A display of its own for one command. Without Xvfb the user's, which one test at a time may use.
find_program(VMC_XVFB Xvfb DOC "Gives tests that render a virtual display")
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(VMC_XVFB)
  set(VMC_WITH_DISPLAY ${Python3_EXECUTABLE} "${CMAKE_CURRENT_LIST_DIR}/with_display.py" "${VMC_XVFB}")
  set(VMC_DISPLAY_LOCK)
else()
  set(VMC_WITH_DISPLAY)
  set(VMC_DISPLAY_LOCK display)
endif()

# The validation layer, where it is installed, and the words that begin its messages: any fails the test.
find_file(VMC_VALIDATION_LAYER VkLayer_khronos_validation.json
  PATHS /usr/share /usr/local/share /etc PATH_SUFFIXES vulkan/explicit_layer.d NO_DEFAULT_PATH
  DOC "Manifest of the Vulkan validation layer")
set(VMC_VALIDATION_ENVIRONMENT)
set(VMC_VALIDATION_MESSAGE "Validation (Error|Warning|Performance Warning):")
if(VMC_VALIDATION_LAYER)
  set(VMC_VALIDATION_ENVIRONMENT VMC_VALIDATION=1 "VK_LAYER_SETTINGS_PATH=${CMAKE_CURRENT_LIST_DIR}/Support")
else()
  message(STATUS "Tests of the filter run without the Vulkan validation layer: it is not installed.")
endif()

# The first Vulkan device, if there is one: software Vulkan is not selected automatically. Programs in C++ contain
# Support/VulkanByDefault.cxx instead.
set(VMC_VULKAN_DEVICE VMC_DEVICE=0)

# A machine without a Vulkan driver, as the only one named is not there, and without a choice of the device.
set(VMC_NO_VULKAN_ENVIRONMENT VK_ICD_FILENAMES=no-driver.json VK_DRIVER_FILES=no-driver.json VMC_DEVICE=)
