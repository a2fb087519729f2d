#include "AccuracyReport.h"

#include "Support/AnalyticVolumes.h"

#include <cstdio>
#include <ctime>

namespace vmc::accuracy
{

namespace
{

const char* const Introduction = R"(
A cell is the step from one sample to the next, the shortest of the three. An ulp of a number is the distance from one
value of its type (float or double) to the next, in the binade of the number.

No coordinate of a point is wrong by more than the larger of 2^-22 of a cell and 1 ulp of the coordinate, of points of
float and of double alike. `Utilities/accuracy.sh` fails where one is, and so does the test `Accuracy`.

## What is compared with what

Each row of the tables stands for two volumes, a smooth one (a gyroid of 48^3 samples with a period of 16) and a random
one (24^3 samples), and for two isovalues of each, at 45 % and 55 % of the range. Integers cover the whole range of
their type, 64-bit ones with all 64 bits; floats lie between -1 and 1. All four surfaces are extracted on the device.
Their points and triangles are as many as a search through all edges and cells in double finds, else the command fails.
Every point is compared with the crossing of the same edge, calculated from the same samples in `long double`, which has
64 binary digits or more: float64 does not hold a 64-bit integer. Of the code that is measured the reference uses only
the case table, which tells how many triangles there are and has no part in a position.

The rows named after types have the origin 0 and cells of size 1. The others have samples of Float32 and

| | |
| --- | --- |
| scan | the origin (-180.3, -180.3, 1012.7) and cells of 0.7 x 0.7 x 1.25 |
| rotated | the origin (100.1, -250.7, 33.3), cells of 0.7 x 0.9 x 1.3, a direction matrix that rotates and mirrors |
| far | the origin (5e6, -5e6, 5e6) and cells of 0.001 |
| closed | as the types, with *Boundary* set to *Close*: the surface goes on to the border and along it |

Every table has the largest and the mean of the same three errors; what they are counted in is said above the table.
)";

const char* const PositionWords = R"(
## Positions

Coordinate by coordinate. *Absolute*: in cells. *Relative*: to the distance of the point from (0, 0, 0). *Ulps*: of the
coordinate in the type of the points, of coordinates whose ulp is not below 2^-22 of a cell; `-` where there is none.
*Of the bound*: the largest error as a part of the one that is allowed.

The errors of points of float are nearly all from the last rounding: at most half an ulp, which for a coordinate
between 32 and 64 is 1.9e-06. Points of double show what is wrong before it. In the row *far* neighbouring floats are
500 cells apart, more than the whole volume: such an image needs points of double (*Output Points Precision*).
)";

const char* const ScalarWords = R"(
## Scalars

The filter gives each point the isovalue itself as its scalar, without an error. What can be wrong is where the point
is: here the samples, interpolated linearly along the edge to the place of the point (in the row *far* with points of
float far beyond the edge), less the isovalue; lids left out. *Absolute*: in values. *Relative*: to the larger of the
magnitudes of the two samples. *Ulps*: of that magnitude as a float.
)";

const char* const NormalWords = R"(
## Normals

Against the gradient of central differences (one-sided at the border), interpolated between both ends of the edge, as a
unit vector; on the lid of a closed surface against the outward direction. Errors are largest where the gradients at
both ends nearly cancel, which only random volumes do. *Absolute*: the angle between both in degrees. *Relative*: the
length of their difference, as normals have length 1. *Ulps*: that length in ulps of 1.
)";

const char* const GradientWords = R"(
## Gradients

Against the same gradient, lids left out. *Absolute*: the length of the difference, in values a unit of length.
*Relative*: to the longer of the gradients at both ends of the edge. *Ulps*: of that length as a float.
)";

const char* const AttributeWords = R"(
## Interpolated attributes

Another array of the same type, random, interpolated linearly between both ends of the edge; the output is float.
*Absolute*: in values. *Relative*: to the larger of the magnitudes at both ends. *Ulps*: of that magnitude as a float.
)";

const char* const IsovalueWords = R"(
## Isovalues that float32 gets wrong

Two neighbouring samples, and where on the way from the first to the second the surface is: 0.25 is a quarter of it.
*Exact* is calculated in `long double`; *float32* is what comparisons and a division in float give with the isovalue
rounded to float. `0.7f` is the float next to 0.7: it is below 0.7, so no surface is between it and a smaller sample.

| samples | type | isovalue | exact | this project | error, cells | float32 |
| --- | --- | --- | --- | --- | --- | --- |
)";

const char* const AbsoluteRelativeUlps = "absolute: largest | mean | relative: largest | mean | ulps: largest | mean |";

std::string printed(const char* format, long double value)
{
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string columns(const Statistic& statistic)
{
  if (statistic.count == 0)
    return " - | - |";
  return printed(" %.1Le |", statistic.largest) + printed(" %.1Le |", statistic.mean());
}

std::string columns(const Errors& errors)
{
  return columns(errors.absolute) + columns(errors.relative) + columns(errors.ulps);
}

std::string firstColumns(const Measurement& measurement)
{
  return "| " + measurement.name + (measurement.isDouble ? " | double |" : " | float |");
}

std::string today()
{
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
  return text;
}

void writePositions(const std::vector<Measurement>& measurements, std::ostream& out)
{
  out << PositionWords << "\n| | points of | points | " << AbsoluteRelativeUlps << " of the bound |\n"
      << "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Measurement& measurement : measurements)
    out << firstColumns(measurement) << ' ' << measurement.points << " |" << columns(measurement.position)
        << printed(" %.2Lf |\n", measurement.shareOfBound.largest);
}

void writeScalars(const std::vector<Measurement>& measurements, std::ostream& out)
{
  out << ScalarWords << "\n| | points of | " << AbsoluteRelativeUlps
      << "\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Measurement& measurement : measurements)
    out << firstColumns(measurement) << columns(measurement.scalar) << '\n';
}

// What does not depend on the precision of points.
void writeErrors(
  const char* words, const std::vector<Measurement>& measurements, Errors Measurement::*errors, std::ostream& out)
{
  out << words << "\n| | " << AbsoluteRelativeUlps << "\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Measurement& measurement : measurements)
    if (!measurement.isDouble)
      out << "| " << measurement.name << " |" << columns(measurement.*errors) << '\n';
}

std::string placeText(const Place& place)
{
  return place ? printed("%.9Lg", *place) : "no surface";
}

void writeIsovalues(const std::vector<IsovalueResult>& results, std::ostream& out)
{
  out << IsovalueWords;
  for (const IsovalueResult& result : results)
    out << "| " << result.question.samples << " | " << test::nameOf(result.question.type) << " | "
        << result.question.isovalueText << " | " << placeText(result.exact) << " | " << placeText(result.device)
        << " | " << (result.exact && result.device ? printed("%.1Le", *result.device - *result.exact) : "-") << " | "
        << placeText(result.float32) << " |\n";
}

}

void writeReport(const Findings& findings, std::ostream& out)
{
  out << "# How accurate it is\n\nMade by `Utilities/accuracy.sh` on " << today() << ", on " << findings.device << ".\n"
      << Introduction;
  writePositions(findings.measurements, out);
  writeScalars(findings.measurements, out);
  writeErrors(NormalWords, findings.measurements, &Measurement::normal, out);
  writeErrors(GradientWords, findings.measurements, &Measurement::gradient, out);
  writeErrors(AttributeWords, findings.measurements, &Measurement::attribute, out);
  writeIsovalues(findings.isovalueResults, out);
}

std::vector<std::string> failuresOf(const Findings& findings)
{
  std::vector<std::string> failures;
  for (const Measurement& measurement : findings.measurements)
  {
    const std::string which =
      measurement.name + (measurement.isDouble ? ", points of double: " : ", points of float: ");
    if (!measurement.countsAgree)
      failures.push_back(which + "the numbers of points or triangles are not those of the reference.");
    if (measurement.shareOfBound.largest > 1)
      failures.push_back(
        which + "a coordinate is wrong by" + printed(" %.3Lg", measurement.shareOfBound.largest) + " times the bound.");
  }
  for (const IsovalueResult& result : findings.isovalueResults)
    if (!result.isRight)
      failures.push_back("Samples " + result.question.samples + ", isovalue " + result.question.isovalueText +
                         ": the surface is not where it should be.");
  return failures;
}

}
