#include "Compute/System/StageTime.h"

#include <algorithm>

namespace vmc
{

void addTime(std::vector<StageTime>& times, const std::string& name, double milliseconds)
{
  const auto found = std::find_if(times.begin(), times.end(), [&](const StageTime& time) { return time.name == name; });
  if (found == times.end())
    times.push_back({ name, milliseconds });
  else
    found->milliseconds += milliseconds;
}

}
