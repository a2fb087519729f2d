# vmc_embed_shaders(TARGET KERNEL...)
#
# Compiles KERNEL.comp of this folder to SPIR-V for Vulkan 1.2, checks it with spirv-val and embeds it: the object
# library TARGET defines vmc::shaders::KERNEL, declared in the generated header Shaders.h, an array of 32-bit words with
# its length. A kernel is rebuilt when it or any file it includes changes (depfile). Needs glslc and spirv-val.
find_program(VMC_GLSLC glslc REQUIRED)
find_program(VMC_SPIRV_VAL spirv-val REQUIRED)

function(vmc_embed_shaders target)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/embedded")
  set(declarations "")
  set(sources "")
  foreach(kernel IN LISTS ARGN)
    set(glsl "${CMAKE_CURRENT_SOURCE_DIR}/${kernel}.comp")
    set(spirv "${directory}/${kernel}.spv")
    set(words "${directory}/${kernel}.inc")
    set(options --target-env=vulkan1.2 -O -Werror)
    add_custom_command(
      OUTPUT "${words}"
      BYPRODUCTS "${spirv}"
      COMMAND ${VMC_GLSLC} ${options} -MD -MF "${spirv}.d" -MT "${words}" -o "${spirv}" "${glsl}"
      COMMAND ${VMC_SPIRV_VAL} --target-env vulkan1.2 "${spirv}"
      COMMAND ${VMC_GLSLC} ${options} -mfmt=num -o "${words}" "${glsl}"
      DEPENDS "${glsl}"
      DEPFILE "${spirv}.d"
      COMMENT "Compiling kernel ${kernel}"
      VERBATIM)
    file(CONFIGURE OUTPUT "${directory}/${kernel}.cxx" @ONLY CONTENT
"#include \"Shaders.h\"
namespace
{
constexpr std::uint32_t words[] = {
#include \"${kernel}.inc\"
};
}
const vmc::shaders::Words vmc::shaders::${kernel} = { \"${kernel}\", words, sizeof(words) / sizeof(words[0]) };
")
    set_source_files_properties("${directory}/${kernel}.cxx" PROPERTIES OBJECT_DEPENDS "${words}")
    string(APPEND declarations "extern const Words ${kernel};\n")
    list(APPEND sources "${directory}/${kernel}.cxx")
  endforeach()

  file(CONFIGURE OUTPUT "${directory}/Shaders.h" @ONLY CONTENT
"#ifndef vmcShaders_h
#define vmcShaders_h
#include <cstddef>
#include <cstdint>
namespace vmc::shaders
{
// SPIR-V of one kernel; lives as long as the program.
struct Words
{
  const char* name;
  const std::uint32_t* data;
  std::size_t count;
};
${declarations}}
#endif
")
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC "${directory}" "${CMAKE_CURRENT_SOURCE_DIR}/Shared")
  target_link_libraries(${target} PRIVATE vmcWarnings)
endfunction()
