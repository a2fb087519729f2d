# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# find_package(ParaView) fails with Debian's paraview-dev 5.13.2 and 6.1.1: its CMake files name Python modules without
# their suffix (vtkCommonCore.so in place of vtkCommonCore.cpython-313-x86_64-linux-gnu.so), and CMake ends at an imported
# file that does not exist. Included before find_package(ParaView), this file imports the targets of these modules from
# corrected copies in the build folder; CMake's own files skip targets that exist. With any other ParaView nothing happens.
# When find_package(ParaView) succeeds on Debian without this file, delete it. It is also installed, for
# find_package(VulkanMarchingCubes).

# Sets `result` to whether a file of locations names a Python module without suffix that does not exist.
function(vmc_names_missing_modules file result)
  set(${result} OFF PARENT_SCOPE)
  file(STRINGS "${file}" locations REGEX "IMPORTED_LOCATION.*/python3/.*/[A-Za-z0-9_]+\\.so\"")
  if(locations)
    list(GET locations 0 first)
    string(REGEX REPLACE ".*(/python3/.*)\".*" "/usr/lib\\1" module "${first}")
    if(NOT EXISTS "${module}")
      set(${result} ON PARENT_SCOPE)
    endif()
  endif()
endfunction()

# `folder` is that of paraview-config.cmake.
function(vmc_import_python_modules_of_debian folder)
  file(GLOB module "/usr/lib/python3/dist-packages/vtkmodules/vtkCommonCore.cpython-*-${CMAKE_LIBRARY_ARCHITECTURE}.so")
  string(REGEX REPLACE ".*/vtkCommonCore" "" suffix "${module}")
  set(copies "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/DebianParaView")
  foreach(targets IN ITEMS vtk/VTKPython-targets ParaViewPython-targets ParaViewPythonIncubator-targets)
    file(GLOB locations RELATIVE "${folder}" "${folder}/${targets}-*.cmake")
    set(isWrong OFF)
    if(module AND locations)
      list(GET locations 0 first)
      vmc_names_missing_modules("${folder}/${first}" isWrong)
    endif()
    if(NOT isWrong)
      continue()
    endif()
    message(STATUS "Importing Debian's Python modules of ParaView from corrected copies: ${targets}.cmake")
    if(NOT EXISTS "${folder}/vtk")
      find_package(VTK QUIET) # the system's, whose targets those of ParaView use
    endif()
    file(READ "${folder}/${targets}.cmake" text)
    string(REPLACE "\"\${CMAKE_CURRENT_LIST_FILE}\"" "\"${folder}/${targets}.cmake\"" text "${text}") # gives the prefix
    file(WRITE "${copies}/${targets}.cmake" "${text}")
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
