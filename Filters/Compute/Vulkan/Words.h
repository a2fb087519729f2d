// SPIR-V as the build embeds it.
#ifndef vmcWords_h
#define vmcWords_h

#include <cstddef>
#include <cstdint>

namespace vmc::kernels
{

// SPIR-V of one kernel; lives as long as the program.
struct Words
{
  const char* name;
  const std::uint32_t* data;
  std::size_t count; // of words
};

}

#endif
