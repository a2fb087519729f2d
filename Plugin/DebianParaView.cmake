# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# find_package(ParaView) fails with Debian 13's paraview-dev 5.13.2: its CMake files name the Python modules without
# their suffix (vtkCommonCore.so in place of vtkCommonCore.cpython-313-x86_64-linux-gnu.so), and CMake ends at an
# imported file that does not exist. Included before find_package(ParaView), this file imports the targets of these
# modules from corrected copies in the build folder; CMake's own files skip targets that exist. With any other ParaView
# nothing happens. When find_package(ParaView) succeeds on Debian 13 without this file, delete it. It is also installed,
# for find_package(VulkanMarchingCubes).

# `folder` is that of paraview-config.cmake.
function(vmc_import_python_modules_of_debian folder)
  set(modules /usr/lib/python3/dist-packages)
  file(GLOB module "${modules}/vtkmodules/vtkCommonCore.cpython-*-${CMAKE_LIBRARY_ARCHITECTURE}.so")
  file(GLOB named "${folder}/vtk/VTKPython-targets-*.cmake")
  if(NOT module OR NOT named OR EXISTS "${modules}/vtkmodules/vtkCommonCore.so")
    return()
  endif()
  file(STRINGS "${named}" wrong REGEX "/vtkmodules/vtkCommonCore\\.so\"")
  if(NOT wrong)
    return()
  endif()
  message(STATUS "Importing Debian's Python modules of ParaView from corrected copies of their CMake files")
  string(REGEX REPLACE ".*/vtkCommonCore" "" suffix "${module}")
  set(copies "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/DebianParaView")
  foreach(targets IN ITEMS vtk/VTKPython-targets ParaViewPython-targets ParaViewPythonIncubator-targets)
    file(READ "${folder}/${targets}.cmake" text)
    string(REPLACE "\"\${CMAKE_CURRENT_LIST_FILE}\"" "\"${folder}/${targets}.cmake\"" text "${text}") # gives the prefix
    file(WRITE "${copies}/${targets}.cmake" "${text}")
    file(GLOB locations RELATIVE "${folder}" "${folder}/${targets}-*.cmake")
    foreach(location IN LISTS locations)
      file(READ "${folder}/${location}" text)
      string(REPLACE ".so\"" "${suffix}\"" text "${text}")
      file(WRITE "${copies}/${location}" "${text}")
    endforeach()
    include("${copies}/${targets}.cmake")
  endforeach()
endfunction()

# Finds the configuration file and does not read it: no ParaView has this version.
if(ParaView_DIR)
  vmc_import_python_modules_of_debian("${ParaView_DIR}")
else()
  find_package(ParaView 9999 QUIET CONFIG)
  if(ParaView_CONSIDERED_CONFIGS)
    list(GET ParaView_CONSIDERED_CONFIGS 0 vmcConfiguration)
    get_filename_component(vmcConfiguration "${vmcConfiguration}" DIRECTORY)
    vmc_import_python_modules_of_debian("${vmcConfiguration}")
  endif()
endif()
