// A volume on the device.
#ifndef vmcResidentVolume_h
#define vmcResidentVolume_h

#include "Commands.h"
#include "ContourPlan.h"
#include "Structs.h"
#include "Volume.h"

#include <vector>

namespace vmc
{

// Samples and brick ranges of the last volume, and its attributes.
class ResidentVolume
{
public:
  ResidentVolume(const Device& device, MemoryBudget& budget);

  // Whether the samples of this very volume are there already.
  bool holds(const Volume& volume) const;
  // Gives back all memory.
  void release();

  // Brings the samples to the device and finds the range of every brick, unless this very volume is there already.
  // Adds the stages Upload and BuildBrickRanges.
  void load(const Volume& volume, const ContourPlan& plan, const Specialization& specialization, Commands& commands,
    std::vector<StageTime>& times);

  // Brings the attributes, in the order of the volume, and the ghost flags to the device. Adds to the stage Upload.
  void loadAttributes(const Volume& volume, Commands& commands, std::vector<StageTime>& times);

  const Buffer& samples() const { return this->Samples; }
  const Buffer& brickRanges() const { return this->BrickRanges; }
  const Buffer& attribute(std::size_t index) const { return this->Attributes[index]; }
  const Buffer& ghosts() const { return this->Ghosts; } // empty if the volume has none
  bool hasNan() const { return this->HasNan; }

private:
  void copyIn(const void* values, std::uint64_t sizeInBytes, const Buffer& target, Commands& commands);
  void buildBrickRanges(const Volume& volume, const ContourPlan& plan, const Specialization& specialization,
    Commands& commands, std::vector<StageTime>& times);

  const Device& Owner;
  MemoryBudget& Budget;
  Buffer Samples;
  Buffer BrickRanges;
  std::vector<Buffer> Attributes;
  Buffer Ghosts;
  Volume Held; // description of what the buffers hold; its pointers are not followed
  bool HasNan = false;
};

// Push constants of a slab before anything is known of the isovalue.
SlabConstants slabConstants(const Volume& volume, const ContourPlan& plan, const Slab& slab);

}

#endif
