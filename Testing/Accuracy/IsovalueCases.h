// Isovalues at which float32 arithmetic gives a wrong surface or none.
#ifndef vmcIsovalueCases_h
#define vmcIsovalueCases_h

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Volume/Volume.h"

#include <optional>
#include <string>
#include <vector>

namespace vmc::accuracy
{

// Of two neighbouring samples: how far the surface is on the way from the first to the second, or no surface.
using Place = std::optional<long double>;

struct IsovalueCase
{
  std::string samples; // how they are written
  SampleType type;
  double first, second;
  std::string isovalueText;
  double isovalue;
};

struct IsovalueResult
{
  IsovalueCase question;
  Place exact;   // compared and divided with more digits than float64
  Place device;  // this project
  Place float32; // samples, isovalue and arithmetic in float
  bool isRight;  // the device: a surface where there is one, within the bound of positions
};

std::vector<IsovalueResult> answerIsovalueCases(MarchingCubes& backend);

}

#endif
