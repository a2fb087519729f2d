# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# CPack runs this script before it makes the packages. VTK 9.6 installs the file py.typed beside its modules. The
# package of the plugin leaves it out, as the package of numpy arrays, on which it depends, has it.
file(GLOB_RECURSE typed "${CPACK_TEMPORARY_DIRECTORY}/runtime/*/py.typed")
if(typed)
  file(REMOVE ${typed})
endif()
