// Times of the stages of an extraction.
#ifndef vmcStageTime_h
#define vmcStageTime_h

#include <string>
#include <vector>

namespace vmc
{

// Time that one stage took, by the device's clock; Upload by the host's, Download by both: copies on the device, then
// what the host does with them.
struct StageTime
{
  std::string name;
  double milliseconds = 0;
};

// Adds to the stage of that name, or appends it.
void addTime(std::vector<StageTime>& times, const std::string& name, double milliseconds);

}

#endif
