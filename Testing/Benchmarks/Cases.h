// The volumes and isovalues that both programs time.
#ifndef vmcCases_h
#define vmcCases_h

#include "Compute/Volume/Volume.h"
#include "Support/AnalyticVolumes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmc::benchmarks
{

// How large a surface is.
struct Counts
{
  std::uint64_t points = 0;
  std::uint64_t triangles = 0;
  bool operator==(const Counts& other) const
  {
    return this->points == other.points && this->triangles == other.triangles;
  }
};
std::string textOf(const Counts& counts);

// Stops the program: what is wrong is not timed. Does nothing if the counts are equal.
void requireEqual(const std::string& what, const Counts& found, const Counts& expected);

struct Case
{
  std::string name;       // of its rows
  std::uint32_t size = 0; // samples along each axis
  SampleType type = SampleType::Float32;
  double period = 0; // of the gyroid in samples; 0: samples from the file
  std::string file;  // in the folder that the environment variable VMC_VOLUMES names
  double isovalue = 0;
  std::optional<Counts> expected; // where it is known from elsewhere

  std::uint64_t sampleCount() const { return std::uint64_t(this->size) * this->size * this->size; }
};

struct Selection
{
  std::vector<Case> cases;
  std::vector<std::string> leftOut; // a case and why
};

// Cases of one volume follow each other. `isSoftware`: the device is a CPU, and sweeps other than that of sizes are of
// 256^3 samples instead of 512^3. `largestSize`: what has more samples along an axis is left out.
Selection selectCases(bool isSoftware, std::uint32_t largestSize);

// The samples of a case; the last ones are kept, so that another isovalue of the same volume makes nothing anew.
const test::Samples& samplesOf(const Case& which);

}

#endif
