// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Fields in physical units: very large and very small samples and spacings. Expected values come from the same field
// with ordinary values. The scale is a power of two, so it changes no digit.
#include "FilterTest.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkMath.h"
#include "vtkPointData.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace
{

using Vector = std::array<double, 3>;

constexpr double Denormal = std::numeric_limits<float>::denorm_min();

struct Case
{
  const char* name;
  int type;     // of VTK
  int exponent; // of the power of two that multiplies the samples
  Vector spacing;
};

void PrintTo(const Case& which, std::ostream* os)
{
  *os << which.name;
}

constexpr Case Cases[] = {
  { "SmallDensityInALargeBox", VTK_FLOAT, -83, { 3e21, 3e21, 3e21 } },   // about 1e-25
  { "LargeValuesInASmallBox", VTK_FLOAT, 100, { 1e-11, 1e-11, 1e-11 } }, // about 1e30
  { "DoublesBeyondTheLargestFloat", VTK_DOUBLE, 130, { 1, 1, 1 } },
  { "DoublesBelowTheSmallestFloat", VTK_DOUBLE, -140, { 1, 1, 1 } },
  { "LargeDoubles", VTK_DOUBLE, 664, { 1, 1, 1 } }, // about 1e200
  { "SmallDoubles", VTK_DOUBLE, -664, { 1, 1, 1 } },
  { "UnequalSpacing", VTK_FLOAT, 0, { 1e-6, 1, 1e6 } },
  { "LargeValuesAndUnequalSpacing", VTK_FLOAT, 100, { 1e-11, 1, 1e6 } },
  { "SmallValuesAndUnequalSpacing", VTK_FLOAT, -83, { 1e-6, 1, 3e21 } },
  { "LargeDoublesAndUnequalSpacing", VTK_DOUBLE, 664, { 1e-6, 1, 1e6 } },
};

Vector tupleOf(vtkDataArray* array, vtkIdType tuple)
{
  return { array->GetComponent(tuple, 0), array->GetComponent(tuple, 1), array->GetComponent(tuple, 2) };
}

// Returns degrees; NaN if a component is NaN. The result is accurate for nearly equal directions, too.
double angleBetween(const Vector& a, const Vector& b)
{
  Vector cross;
  vtkMath::Cross(a.data(), b.data(), cross.data());
  return vtkMath::DegreesFromRadians(std::atan2(vtkMath::Norm(cross.data()), vtkMath::Dot(a.data(), b.data())));
}

// Towards lower values. The gradient is divided by its largest component first, so that its squares do not overflow.
Vector normalOf(const Vector& gradient)
{
  const double size = std::max({ std::abs(gradient[0]), std::abs(gradient[1]), std::abs(gradient[2]) });
  Vector normal{ -gradient[0] / size, -gradient[1] / size, -gradient[2] / size };
  vtkMath::Normalize(normal.data());
  return normal;
}

// Returns whether a component is equal to the nearest float up to rounding. Denormal floats may be 0, as on many
// devices.
testing::AssertionResult isAsFloat(double found, double expected)
{
  using Float = std::numeric_limits<float>;
  const double size = std::abs(expected);
  const double tolerance = std::max(1e-6 * size, size < Float::min() ? double(Float::min()) : 0.0);
  const bool isTooLarge = size > Float::max(), isTooSmall = size < 0.5 * Float::denorm_min();
  const bool isRight = isTooLarge   ? std::isinf(found) && std::signbit(found) == std::signbit(expected)
                       : isTooSmall ? found == 0
                                    : std::abs(found - expected) <= tolerance;
  return (isRight ? testing::AssertionSuccess() : testing::AssertionFailure())
         << found << " instead of " << expected << " as a float";
}

class ExtremeValues
  : public FilterTest
  , public testing::WithParamInterface<Case>
{
protected:
  void SetUp() override
  {
    FilterTest::SetUp();
    this->Filter->ComputeGradientsOn();
  }

  // The surface of the ball. Its samples are multiplied by 2^exponent.
  vtkSmartPointer<vtkPolyData> surface(int type, int exponent, const Vector& spacing)
  {
    const auto ball = Ball();
    const auto image =
      CellImage({ 24, 24, 24 }, type, [&](int i, int j, int k) { return std::ldexp(ball(i, j, k), exponent); });
    image->SetSpacing(spacing.data());
    return this->runAndCopy(image, std::ldexp(50.0, exponent));
  }
};

using LargestValues = FilterTest;
using ExtremeSpacing = FilterTest;
using DenormalValues = FilterTest;

// Expects the points of the ordinary mesh times the step, and the normals of the plane.
void expectScaled(vtkPolyData* mesh, vtkPolyData* ordinary, double step)
{
  ASSERT_EQ(mesh->GetNumberOfPoints(), ordinary->GetNumberOfPoints());
  const bool isFloat = mesh->GetPoints()->GetDataType() == VTK_FLOAT;
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    for (int c = 0; c < 3; ++c)
    {
      const double expected = ordinary->GetPoint(p)[c] * step;
      // The error of both is at most 2^-22 of a cell, plus 1 ulp of a coordinate of float.
      const double rounding = isFloat ? 2 * (std::ldexp(expected, -23) + Denormal) : 0;
      ASSERT_LE(std::abs(mesh->GetPoint(p)[c] - expected), std::ldexp(step, -21) + rounding) << "point " << p;
    }
    ASSERT_LE(angleBetween(tupleOf(mesh->GetPointData()->GetNormals(), p), { -3, -4, -12 }), 0.001) << "normal " << p;
  }
}

}

TEST_P(ExtremeValues, HaveTheNormalsAndGradientsOfTheScaledField)
{
  const Case& which = GetParam();
  const auto ordinary = this->surface(which.type, 0, { 1, 1, 1 });
  const auto extreme = this->surface(which.type, which.exponent, which.spacing);
  ASSERT_TRUE(this->errors().empty()) << this->errors().front();
  ASSERT_GT(ordinary->GetNumberOfPoints(), 0);
  ASSERT_EQ(extreme->GetNumberOfPoints(), ordinary->GetNumberOfPoints());
  for (vtkIdType p = 0; p < ordinary->GetNumberOfPoints(); ++p)
  {
    Vector gradient = tupleOf(ordinary->GetPointData()->GetArray("Gradients"), p);
    const Vector found = tupleOf(extreme->GetPointData()->GetArray("Gradients"), p);
    for (int c = 0; c < 3; ++c)
    {
      gradient[c] /= which.spacing[c];
      EXPECT_TRUE(isAsFloat(found[c], std::ldexp(gradient[c], which.exponent))) << "gradient " << p << ", " << c;
    }
    // The error of unit vectors of float is about 1e-5 degrees.
    const Vector normal = tupleOf(extreme->GetPointData()->GetNormals(), p);
    EXPECT_LE(angleBetween(normal, normalOf(gradient)), 0.001) << "normal " << p;
    EXPECT_NEAR(vtkMath::Norm(normal.data()), 1, 1e-6) << "normal " << p;
    ASSERT_FALSE(this->HasFailure());
  }
}

INSTANTIATE_TEST_SUITE_P(
  All, ExtremeValues, testing::ValuesIn(Cases), [](const auto& info) { return std::string(info.param.name); });

// The difference of such samples exceeds the range of their type. Half of it, the central difference, does not.
TEST_F(LargestValues, HaveFiniteGradientsWhereTheyFitAFloat)
{
  const auto step = [](double size) { return [size](int i, int, int) { return i < 6 ? -size : size; }; };
  this->Filter->ComputeGradientsOn();
  for (const auto& [type, size] : { std::pair(VTK_FLOAT, 3.4e38), std::pair(VTK_DOUBLE, 1.7e308) })
    for (const double isovalue : { 0.0, 0.5 * size })
    {
      SCOPED_TRACE(std::string(vtkImageScalarTypeNameMacro(type)) + (isovalue == 0 ? ", at 0" : ", at a quarter"));
      vtkPolyData* mesh = this->run(CellImage({ 12, 12, 12 }, type, step(size)), isovalue);
      ASSERT_EQ(mesh->GetNumberOfPoints(), 12 * 12);
      for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
      {
        ASSERT_NEAR(mesh->GetPoint(p)[0], 6 + 0.5 * isovalue / size, 2e-6); // 2^-22 of a cell, and a float below 8
        const Vector gradient = tupleOf(mesh->GetPointData()->GetArray("Gradients"), p);
        ASSERT_TRUE(isAsFloat(gradient[0], size));
        ASSERT_EQ(gradient[1], 0);
        ASSERT_EQ(gradient[2], 0);
        ASSERT_LE(angleBetween(tupleOf(mesh->GetPointData()->GetNormals(), p), { -1, 0, 0 }), 0.001);
      }
    }
}

// Steps that exceed the range of float, are denormal, or have products that exceed the range. If the output cannot be
// right, it is empty and there is one error.
TEST_F(ExtremeSpacing, GivesRightPointsAndNormalsOrAnError)
{
  const auto plane =
    CellImage({ 8, 8, 8 }, VTK_UNSIGNED_CHAR, [](int i, int j, int k) { return 3 * i + 4 * j + 12 * k; });
  for (const int precision : { vtkAlgorithm::SINGLE_PRECISION, vtkAlgorithm::DOUBLE_PRECISION })
    for (const double step : { 1e-60, 1e-50, 1e-44, 1e-39, 1e-38, 1e-30, 1e30, 1e35, 1e36, 1e37, 1e38, 1e50, 1e60 })
    {
      SCOPED_TRACE(
        "spacing 1e" + std::to_string(std::lround(std::log10(step))) + ", precision " + std::to_string(precision));
      this->Filter->SetOutputPointsPrecision(precision);
      plane->SetSpacing(1, 1, 1);
      const auto ordinary = this->runAndCopy(plane, 60.5);
      const std::size_t before = this->errors().size();
      plane->SetSpacing(step, step, step);
      vtkPolyData* mesh = this->run(plane, 60.5);
      if (this->errors().size() == before)
        expectScaled(mesh, ordinary, step);
      else
        EXPECT_EQ(mesh->GetNumberOfPoints(), 0);
      EXPECT_LE(this->errors().size(), before + 1);
    }
}

// Samples are 0 or the smallest denormal float. The isovalue is equal to the latter, so the surface passes through
// these samples.
TEST_F(DenormalValues, AreDistinctFromZero)
{
  for (const int type : { VTK_FLOAT, VTK_DOUBLE })
  {
    SCOPED_TRACE(vtkImageScalarTypeNameMacro(type));
    const auto image = CellImage({ 12, 12, 12 }, type, [](int i, int, int) { return i < 6 ? 0 : Denormal; });
    vtkPolyData* mesh = this->run(image, Denormal);
    ASSERT_EQ(mesh->GetNumberOfPoints(), 12 * 12);
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
      ASSERT_NEAR(mesh->GetPoint(p)[0], 6.5, std::ldexp(1.0, -22));
  }
}

// The crossings lie at a quarter of an edge, along each axis.
TEST_F(DenormalValues, AreInterpolated)
{
  for (const int axis : { 0, 1, 2 })
    for (const int steps : { 1, 9 }) // in units of the smallest denormal; adjacent samples differ by 4
    {
      SCOPED_TRACE(std::to_string(axis) + ", isovalue " + std::to_string(steps));
      const auto image = CellImage({ 12, 12, 12 }, VTK_FLOAT,
        [axis](int i, int j, int k) {
          return 4 * Denormal * Vector{ double(i), double(j), double(k) }[axis];
        });
      vtkPolyData* mesh = this->run(image, steps * Denormal);
      ASSERT_EQ(mesh->GetNumberOfPoints(), 12 * 12);
      for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
        ASSERT_NEAR(mesh->GetPoint(p)[axis], 0.5 + steps / 4.0, std::ldexp(1.0, -22));
    }
}

// The crossings lie in the middle between samples of opposite signs.
TEST_F(DenormalValues, AndOtherSmallValuesAreInterpolatedAtIsovalueZero)
{
  for (const int type : { VTK_FLOAT, VTK_DOUBLE })
    for (const double size : { 1e-30, 1e-33, 1e-37, 1e-39, 1e-44, Denormal })
    {
      SCOPED_TRACE(std::string(vtkImageScalarTypeNameMacro(type)) + " " + std::to_string(std::log10(size)));
      const auto image = CellImage({ 12, 12, 12 }, type, [size](int i, int, int) { return i < 6 ? -size : size; });
      vtkPolyData* mesh = this->run(image, 0);
      ASSERT_EQ(mesh->GetNumberOfPoints(), 12 * 12);
      for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
        ASSERT_NEAR(mesh->GetPoint(p)[0], 6, std::ldexp(1.0, -22));
    }
}

TEST_F(DenormalValues, HaveNormals)
{
  const auto image = CellImage({ 12, 12, 12 }, VTK_FLOAT, [](int i, int j, int) { return Denormal * (3 * i + 4 * j); });
  vtkPolyData* mesh = this->run(image, 30 * Denormal);
  ASSERT_GT(mesh->GetNumberOfPoints(), 0);
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    ASSERT_LE(angleBetween(tupleOf(mesh->GetPointData()->GetNormals(), p), { -0.6, -0.8, 0 }), 0.001);
}
