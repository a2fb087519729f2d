// A volume on the device.
#ifndef vmcResidentVolume_h
#define vmcResidentVolume_h

#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/ResidentArray.h"
#include "Compute/Volume/Totals.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/Commands.h"
#include "Shared/Structs.h"

#include <vector>

namespace vmc
{

// Samples and brick ranges of the last volume, its attributes and ghost flags: whole arrays where the plan has them
// whole, else the window of one slab at a time.
class ResidentVolume
{
public:
  ResidentVolume(const Device& device, MemoryBudget& budget);

  // Whether the brick ranges of this very volume, and samples of it, are there already.
  bool holds(const Volume& volume) const;
  // Gives back all memory.
  void release();
  // Gives back what a slab brings again.
  void releaseArrays();

  // Finds the range of every brick, unless this very volume is there already; brings the samples to the device for it.
  // Adds the stages Upload and BuildBrickRanges.
  void load(const Volume& volume, const ContourPlan& plan, const Specialization& specialization, Commands& commands,
    Totals& totals, std::vector<StageTime>& times);

  // Makes sure that what the slab reads is there: samples, attributes in the order of the volume, ghost flags. Adds to
  // the stage Upload.
  void loadSlab(const Volume& volume, const ContourPlan& plan, const Slab& slab, std::vector<StageTime>& times);

  // Windows of a slab that loadSlab brought.
  Region samples(const Window& window) const { return this->Samples.region(window); }
  Region attribute(std::size_t index, const Window& window) const { return this->Attributes[index].region(window); }
  Region ghosts(const Window& window) const { return this->Ghosts.region(window); }
  const Buffer& brickRanges() const { return this->BrickRanges; }
  bool hasNan() const { return this->HasNan; }

private:
  void keepKnown(const Volume& volume);
  bool loadSamples(const Volume& volume, const ContourPlan& plan, const Slab& slab);
  void buildBrickRanges(const Volume& volume, const ContourPlan& plan, const Slab& slab,
    const Specialization& specialization, Commands& commands, Totals& totals, std::vector<StageTime>& times);

  const Device& Owner;
  MemoryBudget& Budget;
  ResidentArray Samples;
  ResidentArray Ghosts;
  std::vector<ResidentArray> Attributes;
  Buffer BrickRanges;
  Volume Held; // description of what the buffers hold; its pointers are not followed
  bool HasNan = false;
};

// Push constants of a slab before anything is known of the isovalue.
SlabConstants slabConstants(const Volume& volume, const ContourPlan& plan, const Slab& slab);

}

#endif
