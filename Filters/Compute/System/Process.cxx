#include "Compute/System/Process.h"

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace vmc
{

std::uint64_t processId()
{
#ifdef _WIN32
  return static_cast<std::uint64_t>(_getpid());
#else
  return static_cast<std::uint64_t>(getpid());
#endif
}

}
