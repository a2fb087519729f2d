# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# vmc_embed_kernels(TARGET HEADER ROOM/KERNEL...)
#
# Compiles each ROOM/KERNEL.comp of this folder once to SPIR-V for Vulkan 1.2, checks the result with spirv-val and
# embeds these very bytes. The object library TARGET defines vmc::kernels::KERNEL, an array of 32-bit words with its
# length; the generated header HEADER declares all of them, and for NAME.h the array allNAME of their addresses. A
# kernel is rebuilt when it or a file that it includes changes (depfile). Needs glslc and spirv-val.
find_program(VMC_GLSLC glslc REQUIRED)
find_program(VMC_SPIRV_VAL spirv-val REQUIRED)
set(VMC_SHADERS_FOLDER "${CMAKE_CURRENT_LIST_DIR}")

function(vmc_embed_kernels target header)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/embedded")
  set(declarations "")
  set(addresses "")
  set(sources "")
  foreach(path IN LISTS ARGN)
    get_filename_component(kernel "${path}" NAME)
    set(glsl "${CMAKE_CURRENT_SOURCE_DIR}/${path}.comp")
    set(spirv "${folder}/${kernel}.spv")
    set(words "${folder}/${kernel}.inc")
    string(REPLACE " " "\\ " escapedWords "${words}")
    add_custom_command(
      OUTPUT "${words}"
      BYPRODUCTS "${spirv}"
      COMMAND ${VMC_GLSLC} --target-env=vulkan1.2 -O -Werror "-I${VMC_SHADERS_FOLDER}"
        -MD -MF "${spirv}.d" -MT "${escapedWords}" -o "${spirv}" "${glsl}"
      COMMAND ${CMAKE_COMMAND} "-DDEPFILE=${spirv}.d" "-DFOLDER=${PROJECT_SOURCE_DIR}"
        -P "${VMC_SHADERS_FOLDER}/EscapeSpaces.cmake"
      COMMAND ${VMC_SPIRV_VAL} --target-env vulkan1.2 "${spirv}"
      COMMAND ${CMAKE_COMMAND} "-DSPIRV=${spirv}" "-DWORDS=${words}" -P "${VMC_SHADERS_FOLDER}/WriteWords.cmake"
      DEPENDS "${glsl}" "${VMC_SHADERS_FOLDER}/EscapeSpaces.cmake" "${VMC_SHADERS_FOLDER}/WriteWords.cmake"
      DEPFILE "${spirv}.d"
      COMMENT "Compiling kernel ${kernel}"
      VERBATIM)
    file(CONFIGURE OUTPUT "${folder}/${kernel}.cxx" @ONLY CONTENT
"#include \"${header}\"
namespace
{
constexpr std::uint32_t words[] = {
#include \"${kernel}.inc\"
};
}
const vmc::kernels::Words vmc::kernels::${kernel} = { \"${kernel}\", words, sizeof(words) / sizeof(words[0]) };
")
    set_source_files_properties("${folder}/${kernel}.cxx" PROPERTIES OBJECT_DEPENDS "${words}")
    string(APPEND declarations "extern const Words ${kernel};\n")
    string(APPEND addresses " &${kernel},")
    list(APPEND sources "${folder}/${kernel}.cxx")
  endforeach()

  get_filename_component(name "${header}" NAME_WE)
  file(CONFIGURE OUTPUT "${folder}/${header}" @ONLY CONTENT
"#pragma once
#include \"Compute/Vulkan/Words.h\"
namespace vmc::kernels
{
${declarations}inline const Words* const all${name}[] = {${addresses} };
}
")
  add_library(${target} OBJECT ${sources})
  target_compile_features(${target} PRIVATE cxx_std_17)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target}
    PUBLIC "${folder}" "${VMC_SHADERS_FOLDER}" "${PROJECT_SOURCE_DIR}/Filters")
  target_link_libraries(${target} PRIVATE vmcWarnings)
endfunction()
