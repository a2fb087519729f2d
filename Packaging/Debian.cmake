# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# The Debian package: cmake --workflow --preset package. The environment variables DEBFULLNAME and DEBEMAIL name its
# maintainer, as they do for Debian's own tools.
set(packageName paraview-plugin-vulkan-marching-cubes)
set(documents "${CMAKE_INSTALL_DATADIR}/doc/${packageName}")
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
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~deb${debian}u1")

# ParaView loads the plugins in the folder "plugins" beside its programs. Debian's ParaView reads no list of plugins.
foreach(plugin IN ITEMS VulkanMarchingCubes VulkanMarchingCubesWidgets)
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/plugins")
  file(CREATE_LINK "../../${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/${plugin}"
    "${CMAKE_CURRENT_BINARY_DIR}/plugins/${plugin}" SYMBOLIC)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/plugins/${plugin}" DESTINATION bin/plugins COMPONENT runtime)
endforeach()

# Documents that every Debian package has.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n$" "" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
configure_file(debian/copyright.in copyright @ONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(debian/changelog.in changelog.Debian @ONLY)
execute_process(
  COMMAND gzip --best --no-name --force changelog.Debian
  WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
  COMMAND_ERROR_IS_FATAL ANY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/copyright" "${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz"
  DESTINATION "${documents}"
  COMPONENT runtime)
install(FILES debian/lintian-overrides
  DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides"
  RENAME "${packageName}"
  COMPONENT runtime)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME "${packageName}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ParaView plugin: isosurfaces of image volumes by Vulkan compute")
set(CPACK_PACKAGE_DESCRIPTION
"The filter Vulkan Marching Cubes extracts isosurfaces of image volumes on
the GPU, or on the threads of the CPU. It contours cell data at the cell
centres, without averaging it to the points first. The representation
Vulkan Isosurface draws the surface at once, and the filter Vulkan Image
Histogram counts the samples by value.
.
The Python package vulkanmarchingcubes has the VTK classes of the plugin.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer} <${address}>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Libraries are found by dpkg-shlibdeps; the Python modules work with one version of Python.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/VulkanMarchingCubes")
math(EXPR nextPython "${Python3_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${nextPython}), python3-paraview")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libvulkan1")
if(PARAVIEW_QT_MAJOR_VERSION GREATER 5)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", qt6-svg-plugins") # reads the icons
endif()
# Python's compiled files belong to nobody: these scripts make them after the installation and remove them.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${CMAKE_CURRENT_SOURCE_DIR}/debian/postinst" "${CMAKE_CURRENT_SOURCE_DIR}/debian/prerm")
include(CPack)
