// Facts about this process, from the operating system.
#ifndef vmcProcess_h
#define vmcProcess_h

#include <cstdint>

namespace vmc
{

// Its number; a process that fork() makes has another one than its parent.
std::uint64_t processId();

}

#endif
