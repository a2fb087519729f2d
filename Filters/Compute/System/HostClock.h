// The host's clock.
#ifndef vmcHostClock_h
#define vmcHostClock_h

#include <chrono>

namespace vmc
{

// Runs from its making.
class HostClock
{
public:
  double milliseconds() const
  {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - this->Start).count();
  }

private:
  std::chrono::steady_clock::time_point Start = std::chrono::steady_clock::now();
};

}

#endif
