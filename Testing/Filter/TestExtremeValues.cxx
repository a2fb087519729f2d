// Fields in real units: very large and very small samples and steps. Expectations come from the same field at ordinary
// values, scaled by a power of two, which changes no digit.
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

namespace
{

using Vector = std::array<double, 3>;

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

// In degrees; NaN if a component is. Right also where the directions nearly agree.
double angleBetween(const Vector& a, const Vector& b)
{
  Vector cross;
  vtkMath::Cross(a.data(), b.data(), cross.data());
  return vtkMath::DegreesFromRadians(std::atan2(vtkMath::Norm(cross.data()), vtkMath::Dot(a.data(), b.data())));
}

// Towards lower values. Scaled by the largest component first: the squares need not fit.
Vector normalOf(const Vector& gradient)
{
  const double size = std::max({ std::abs(gradient[0]), std::abs(gradient[1]), std::abs(gradient[2]) });
  Vector normal{ -gradient[0] / size, -gradient[1] / size, -gradient[2] / size };
  vtkMath::Normalize(normal.data());
  return normal;
}

// Whether a component is the nearest float or nearly so. Denormal floats may count as 0, as on many devices.
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

  // The surface of the ball, its samples multiplied by a power of two.
  vtkSmartPointer<vtkPolyData> surface(int type, int exponent, const Vector& spacing)
  {
    const auto ball = Ball();
    const auto image =
      CellImage({ 24, 24, 24 }, type, [&](int i, int j, int k) { return std::ldexp(ball(i, j, k), exponent); });
    image->SetSpacing(spacing.data());
    const auto mesh = vtkSmartPointer<vtkPolyData>::New();
    mesh->DeepCopy(this->run(image, std::ldexp(50.0, exponent)));
    return mesh;
  }
};

using DenormalValues = FilterTest;

constexpr double Denormal = std::numeric_limits<float>::denorm_min();

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
    // Unit vectors of float are right to about 1e-5 degrees.
    const Vector normal = tupleOf(extreme->GetPointData()->GetNormals(), p);
    EXPECT_LE(angleBetween(normal, normalOf(gradient)), 0.001) << "normal " << p;
    EXPECT_NEAR(vtkMath::Norm(normal.data()), 1, 1e-6) << "normal " << p;
    ASSERT_FALSE(this->HasFailure());
  }
}

INSTANTIATE_TEST_SUITE_P(
  All, ExtremeValues, testing::ValuesIn(Cases), [](const auto& info) { return std::string(info.param.name); });

// Samples of 0 and of the smallest denormal float, which the isovalue equals: the surface passes through the latter.
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

// A quarter of the way from one sample to the next, along each axis.
TEST_F(DenormalValues, AreInterpolated)
{
  for (const int axis : { 0, 1, 2 })
    for (const int steps : { 1, 9 }) // of the smallest denormal; samples lie 4 of them apart
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

TEST_F(DenormalValues, HaveNormals)
{
  const auto image = CellImage({ 12, 12, 12 }, VTK_FLOAT, [](int i, int j, int) { return Denormal * (3 * i + 4 * j); });
  vtkPolyData* mesh = this->run(image, 30 * Denormal);
  ASSERT_GT(mesh->GetNumberOfPoints(), 0);
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    ASSERT_LE(angleBetween(tupleOf(mesh->GetPointData()->GetNormals(), p), { -0.6, -0.8, 0 }), 0.001);
}
