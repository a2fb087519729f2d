#include "Compute/Volume/ResidentVolumes.h"

#include <algorithm>

namespace vmc
{

ResidentVolumes::ResidentVolumes(const Device& device, MemoryBudget& budget)
  : Owner(device)
  , Budget(budget)
{
}

void ResidentVolumes::beginPass()
{
  this->InPass = true;
  for (Place& place : this->Places)
    place.isWanted = false;
}

void ResidentVolumes::endPass()
{
  this->InPass = false;
  const auto unwanted = [](const Place& place) { return !place.isWanted; };
  this->Places.erase(std::remove_if(this->Places.begin(), this->Places.end(), unwanted), this->Places.end());
}

std::vector<ResidentVolumes::Place>::iterator ResidentVolumes::find(const Volume& volume)
{
  const auto holding = std::find_if(
    this->Places.begin(), this->Places.end(), [&](const Place& place) { return place.volume->holds(volume); });
  if (holding != this->Places.end())
    return holding;
  return std::find_if(
    this->Places.begin(), this->Places.end(), [this](const Place& place) { return !this->InPass || !place.isWanted; });
}

ResidentVolume& ResidentVolumes::of(const Volume& volume)
{
  const auto found = this->find(volume);
  if (found == this->Places.end())
    this->Places.push_back({ std::make_unique<ResidentVolume>(this->Owner, this->Budget), true });
  else
    std::rotate(found, found + 1, this->Places.end());
  this->Places.back().isWanted = true;
  return *this->Places.back().volume;
}

}
