// The volumes on the device.
#ifndef vmcResidentVolumes_h
#define vmcResidentVolumes_h

#include "Compute/Volume/ResidentVolume.h"

#include <memory>
#include <vector>

namespace vmc
{

// Usually one volume: the last. Within a pass over many, such as the leaves of a composite data set, all that the pass
// has asked for, so that the next pass finds them; those that only an earlier pass asked for give way one by one.
class ResidentVolumes
{
public:
  ResidentVolumes(const Device& device, MemoryBudget& budget);

  void beginPass();
  // Releases what the pass did not ask for.
  void endPass();

  // The place of the volume: the one that holds it, else one that may be overwritten. Valid until the next call.
  ResidentVolume& of(const Volume& volume);

  // Gives back all memory.
  void release() { this->Places.clear(); }

private:
  struct Place
  {
    std::unique_ptr<ResidentVolume> volume;
    bool isWanted; // by this pass
  };
  std::vector<Place>::iterator find(const Volume& volume);

  const Device& Owner;
  MemoryBudget& Budget;
  std::vector<Place> Places; // the longest unused first
  bool InPass = false;
};

}

#endif
