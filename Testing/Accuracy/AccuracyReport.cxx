// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "AccuracyReport.h"

#include "Support/AnalyticVolumes.h"

#include <cstdio>
#include <ctime>

namespace vmc::accuracy
{

namespace
{

const char* const Introduction = R"(
A cell is the shortest of the three distances between adjacent samples. An ulp of a number is the distance between
adjacent values of its type (float or double) in the binade of the number.

The error of a point's coordinate is at most the larger of 2^-22 of a cell and 1 ulp of the coordinate, for points of
float and for points of double. `Utilities/accuracy.sh` and the test `Accuracy` fail if an error is larger.

## What is compared with what

Each row of the tables measures four surfaces: two volumes with two isovalues each, at 45 % and 55 % of the range. One
volume is smooth (a gyroid of 48^3 samples with a period of 16), the other is random (24^3 samples). Integers cover the
whole range of their type, 64-bit integers with all 64 bits; floats lie between -1 and 1. All four surfaces are
extracted on the device. If the numbers of their points and triangles differ from those of a search through all edges
and cells in double, the command fails. Every point is compared with the crossing of the same edge, computed from the
same samples in `long double`. That type has at least 64 binary digits, while float64 cannot represent every 64-bit
integer. The reference shares only the case table with the measured code. The table determines the number of triangles
and does not influence positions.

The rows named after types have the origin 0 and cells of size 1. The other rows have samples of Float32 and

| | |
| --- | --- |
| scan | the origin (-180.3, -180.3, 1012.7) and cells of 0.7 x 0.7 x 1.25 |
| rotated | the origin (100.1, -250.7, 33.3), cells of 0.7 x 0.9 x 1.3, a direction matrix that rotates and mirrors |
| far | the origin (5e6, -5e6, 5e6) and cells of 0.001 |
| closed | the origin 0 and cells of size 1, with *Boundary* set to *Close*: the surface extends to the border and follows it |

Every table lists the largest and the mean of three errors. The text above each table states their units.
)";

const char* const PositionWords = R"(
## Positions

Each coordinate is measured by itself. *Absolute*: the error in cells. *Relative*: the error divided by the distance of
the point from (0, 0, 0). *Ulps*: the error in ulps of the coordinate in the type of the points, for coordinates whose
ulp is at least 2^-22 of a cell; `-` if there is no such coordinate. *Of the bound*: the largest error divided by the
allowed error.

Nearly all errors of points of float come from the last rounding. It moves a coordinate by at most half an ulp, which is
1.9e-06 for a coordinate between 32 and 64. Points of double show the errors before that rounding. In the row *far*,
adjacent floats are 500 cells apart, more than the size of the whole volume. Such an image needs points of double
(*Output Points Precision*).
)";

const char* const ScalarWords = R"(
## Scalars

The filter sets the scalar of each point to the isovalue itself, without an error. Only the position of the point can be
wrong. The error in this table is the value at the point minus the isovalue: the samples are interpolated linearly along
the edge to the position of the point (in the row *far* with points of float, that is far beyond the edge). Points on
caps are left out. *Absolute*: the error in values. *Relative*: the error divided by the larger magnitude of the two
samples. *Ulps*: the error in ulps of that magnitude as a float.
)";

const char* const NormalWords = R"(
## Normals

The reference is the gradient from central differences (one-sided at the border), interpolated between both ends of the
edge and normalized. On the cap of a closed surface, the reference is the outward direction. Errors are largest if the
gradients at both ends nearly cancel; this happens in random volumes only. *Absolute*: the angle between normal and
reference in degrees. *Relative*: the length of their difference, as normals have length 1. *Ulps*: that length in ulps
of 1.
)";

const char* const GradientWords = R"(
## Gradients

The reference is the same gradient, not normalized; points on caps are left out. *Absolute*: the length of the
difference, in values per unit of length. *Relative*: that length divided by the length of the longer gradient at the
ends of the edge. *Ulps*: the difference in ulps of the longer gradient's length as a float.
)";

const char* const AttributeWords = R"(
## Interpolated attributes

A second array of the same type, with random values, is interpolated linearly between both ends of the edge. The output
is float. *Absolute*: the error in values. *Relative*: the error divided by the larger magnitude at the two ends.
*Ulps*: the error in ulps of that magnitude as a float.
)";

const char* const IsovalueWords = R"(
## Isovalues that float32 gets wrong

Each row has two adjacent samples and the position of the surface between them, as a fraction of the distance from the
first sample to the second. *Exact* is computed in `long double`. *Float32* is the result of comparisons and a division
in float with the isovalue rounded to float. `0.7f` is the float nearest to 0.7. It is below 0.7, so no surface lies
between it and a smaller sample.

| samples | type | isovalue | exact | this project | error, cells | float32 |
| --- | --- | --- | --- | --- | --- | --- |
)";

const char* const MeasureWords = R"(
## Areas and volumes

The measures of a surface are sums over its triangles as they are, with points of float. The cross product of two edges
is computed in float. On the CPU, sums over 128 triangles are floats, relative to the first corner of these and in units
of the power of two below their size; all further sums are doubles in a fixed order. On a device, what a triangle adds
is a float, relative to the first point of the surface or region, and all sums are fixed-point numbers of 96 bits, which
have one result in any order. So equal runs give equal bytes. Their units follow from the largest cells of the grid, so
that triangles in cells that are 2^11 times smaller still have all digits of a float (with 2^22 triangles and 2^10 cells
along the domain; beyond, the volume loses three binary digits per halving). On several ranks, the sums of the ranks are
added in the order of the ranks. The tests `Measures` compare with sums in double, the tests `SurfacesOnDevice` the
device with the host, the tests `FilterMeasures` both with `vtkMassProperties`, the tests `RegionsOnRanks` with one
rank, also for real volumes. They allow a relative error of 1e-6 of the area, and for the enclosed volume 1e-6 of it
plus 2^-24 of the area times the diagonal of the bounds: the rounding of a triangle's area vector, times its distance to
another triangle, which counts for few small pieces that are far apart.
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

// Writes a table of errors that do not depend on the precision of points.
void writeErrors(
  const char* words, const std::vector<Measurement>& measurements, Errors Measurement::*errors, std::ostream& out)
{
  out << words << "\n| | " << AbsoluteRelativeUlps << "\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Measurement& measurement : measurements)
    if (!measurement.isDouble)
      out << "| " << measurement.name << " |" << columns(measurement.*errors) << '\n';
}

std::string fractionText(const Fraction& fraction)
{
  return fraction ? printed("%.9Lg", *fraction) : "no surface";
}

void writeIsovalues(const std::vector<IsovalueResult>& results, std::ostream& out)
{
  out << IsovalueWords;
  for (const IsovalueResult& result : results)
    out << "| " << result.question.samples << " | " << test::nameOf(result.question.type) << " | "
        << result.question.isovalueText << " | " << fractionText(result.exact) << " | " << fractionText(result.device)
        << " | " << (result.exact && result.device ? printed("%.1Le", *result.device - *result.exact) : "-") << " | "
        << fractionText(result.float32) << " |\n";
}

}

void writeReport(const Findings& findings, std::ostream& out)
{
  out << "<!-- SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers -->\n"
         "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
      << "# How accurate it is\n\nMade by `Utilities/accuracy.sh` on " << today() << ", on " << findings.device << ".\n"
      << Introduction;
  writePositions(findings.measurements, out);
  writeScalars(findings.measurements, out);
  writeErrors(NormalWords, findings.measurements, &Measurement::normal, out);
  writeErrors(GradientWords, findings.measurements, &Measurement::gradient, out);
  writeErrors(AttributeWords, findings.measurements, &Measurement::attribute, out);
  writeIsovalues(findings.isovalueResults, out);
  out << MeasureWords;
}

std::vector<std::string> failuresOf(const Findings& findings)
{
  std::vector<std::string> failures;
  for (const Measurement& measurement : findings.measurements)
  {
    const std::string which =
      measurement.name + (measurement.isDouble ? ", points of double: " : ", points of float: ");
    if (!measurement.countsAgree)
      failures.push_back(which + "the numbers of points or triangles differ from those of the reference.");
    if (measurement.shareOfBound.largest > 1)
      failures.push_back(which + "the largest error of a coordinate is" +
                         printed(" %.3Lg", measurement.shareOfBound.largest) + " times the bound.");
  }
  for (const IsovalueResult& result : findings.isovalueResults)
    if (!result.isRight)
      failures.push_back("Samples " + result.question.samples + ", isovalue " + result.question.isovalueText +
                         ": the position of the surface is wrong.");
  return failures;
}

}
