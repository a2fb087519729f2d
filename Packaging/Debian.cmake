# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# The Debian packages, one per component: that of numpy arrays, which cmake --workflow --preset python-package makes
# without ParaView, and that of the plugin; --preset package makes both. The environment variables DEBFULLNAME and
# DEBEMAIL name their maintainer, as they do for Debian's own tools.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-vulkan-marching-cubes)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME paraview-plugin-vulkan-marching-cubes)
set(CPACK_COMPONENTS_ALL python)
if(VMC_BUILD_PLUGIN)
  list(APPEND CPACK_COMPONENTS_ALL runtime)
endif()
set(sources "${CMAKE_CURRENT_LIST_DIR}/debian")
set(files "${PROJECT_BINARY_DIR}/Packaging/debian")
set(maintainer "the VulkanMarchingCubes developers")
if(NOT "$ENV{DEBFULLNAME}" STREQUAL "")
  set(maintainer "$ENV{DEBFULLNAME}")
endif()
cmake_host_system_information(RESULT host QUERY FQDN)
set(address "root@${host}")
if(NOT "$ENV{DEBEMAIL}" STREQUAL "")
  set(address "$ENV{DEBEMAIL}")
endif()

# Packages for two releases of Debian differ, so their versions do too: 0.1.0-1~deb12u1 for Debian 12.
cmake_host_system_information(RESULT debian QUERY DISTRIB_VERSION_ID)
if(NOT debian) # Debian's testing has a name alone
  cmake_host_system_information(RESULT name QUERY DISTRIB_VERSION_CODENAME)
  if(NOT name STREQUAL "forky")
    message(FATAL_ERROR "Packaging/Debian.cmake does not know the number of the Debian release \"${name}\".")
  endif()
  set(debian 14)
endif()
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~deb${debian}u1")
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# Documents that every Debian package has.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n$" "" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
configure_file("${sources}/copyright.in" "${files}/copyright" @ONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file("${sources}/changelog.in" "${files}/changelog.Debian" @ONLY)
execute_process(
  COMMAND gzip --best --no-name --force changelog.Debian
  WORKING_DIRECTORY "${files}"
  COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "CPACK_DEBIAN_${component}_PACKAGE_NAME" name)
  install(FILES "${files}/copyright" "${files}/changelog.Debian.gz"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${${name}}"
    COMPONENT "${component}")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE vulkan-marching-cubes)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer} <${address}>")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libvulkan1)
# Libraries are found by dpkg-shlibdeps; the Python modules work with one version of Python.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
math(EXPR nextPython "${Python3_VERSION_MINOR} + 1")
set(python "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${nextPython})")
# Python's compiled files belong to nobody: these scripts make them after the installation and remove them.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${sources}/postinst" "${sources}/prerm")

set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${python}, python3-numpy")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "isosurfaces of numpy arrays by Vulkan compute
The Python package vulkanmarchingcubes extracts isosurfaces of numpy arrays
on the GPU, or on the threads of the CPU. It returns vertices, faces, normals
and values as arrays, measures surfaces and finds their regions. It needs
neither VTK nor ParaView.
.
The package ${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} adds its VTK classes.")

if(VMC_BUILD_PLUGIN)
  # ParaView loads the plugins in the folder "plugins" beside its programs. Debian's ParaView reads no list of plugins.
  file(MAKE_DIRECTORY "${files}/plugins")
  foreach(plugin IN ITEMS VulkanMarchingCubes VulkanMarchingCubesWidgets)
    file(CREATE_LINK "../../${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/${plugin}" "${files}/plugins/${plugin}"
      SYMBOLIC)
    install(FILES "${files}/plugins/${plugin}" DESTINATION bin/plugins COMPONENT runtime)
  endforeach()
  install(FILES "${sources}/lintian-overrides"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides"
    RENAME "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME}"
    COMPONENT runtime)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
    "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/VulkanMarchingCubes")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS
    "${python}, python3-paraview, ${CPACK_DEBIAN_PYTHON_PACKAGE_NAME} (= ${version})")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "${CPACK_DEBIAN_PACKAGE_RECOMMENDS}")
  if(PARAVIEW_QT_MAJOR_VERSION GREATER 5)
    string(APPEND CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS ", qt6-svg-plugins") # reads the icons
  endif()
  set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "ParaView plugin: isosurfaces of image volumes by Vulkan compute
The filter Vulkan Marching Cubes extracts isosurfaces of image volumes on
the GPU, or on the threads of the CPU. It contours cell data at the cell
centres, without averaging it to the points first. The representation
Vulkan Isosurface draws the surface at once, and the filter Vulkan Image
Histogram counts the samples by value.
.
This package adds the VTK classes of the plugin to the Python package
vulkanmarchingcubes.")
  set(CPACK_PRE_BUILD_SCRIPTS "${sources}/RemoveTypedMarker.cmake")
endif()
include(CPack)
