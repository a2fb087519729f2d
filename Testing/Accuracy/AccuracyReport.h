// Documentation/Accuracy.md.
#ifndef vmcAccuracyReport_h
#define vmcAccuracyReport_h

#include "IsovalueCases.h"
#include "Measurement.h"

#include <ostream>
#include <string>
#include <vector>

namespace vmc::accuracy
{

struct Findings
{
  std::string device; // its name and that of its driver
  std::vector<Measurement> measurements;
  std::vector<IsovalueResult> isovalueResults;
};

void writeReport(const Findings& findings, std::ostream& out);

// A sentence for everything that is not as the report promises.
std::vector<std::string> failuresOf(const Findings& findings);

}

#endif
