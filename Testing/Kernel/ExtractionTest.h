// The fixture of tests of a whole extraction.
#ifndef vmcExtractionTest_h
#define vmcExtractionTest_h

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/System/Error.h"
#include "Reference/WholeSurface.h"
#include "Support/AnalyticVolumes.h"
#include "Support/GpuTest.h"
#include "Support/MeshProperties.h"

#include <memory>
#include <vector>

namespace vmc::test
{

// Largest error of the fraction along a crossed edge, in steps: differences are right to far more digits than a float
// has; of integers the distance from isovalue to threshold is rounded by 2^-25, the quotient by 2^-25.
constexpr double FractionTolerance = 0x1p-23;

inline MeshView viewOf(const Mesh& mesh)
{
  return { reinterpret_cast<const float*>(mesh.positions.data()), mesh.pointCount,
    reinterpret_cast<const std::uint32_t*>(mesh.triangles.data()), mesh.triangleCount };
}

template <class Value>
std::vector<Value> valuesOf(const HostBlock& block)
{
  const Value* begin = reinterpret_cast<const Value*>(block.data());
  return std::vector<Value>(begin, begin + block.size() / sizeof(Value));
}

// The sample numbers themselves as an attribute of three components.
inline std::vector<float> sampleNumbers(const std::array<std::uint32_t, 3>& size)
{
  std::vector<float> numbers;
  for (std::uint32_t k = 0; k < size[2]; ++k)
    for (std::uint32_t j = 0; j < size[1]; ++j)
      for (std::uint32_t i = 0; i < size[0]; ++i)
        numbers.insert(numbers.end(), { float(i), float(j), float(k) });
  return numbers;
}

class ExtractionTest : public GpuTest
{
protected:
  // The isosurface at one isovalue; `LastReport` tells how it went.
  Mesh extract(const Volume& volume, double isovalue)
  {
    Request request;
    request.isovalues = { isovalue };
    return this->extract(volume, request);
  }

  Mesh extract(const Volume& volume, const Request& request) { return this->extract(this->backend(), volume, request); }

  Mesh extract(MarchingCubes& backend, const Volume& volume, const Request& request)
  {
    std::optional<Mesh> mesh = backend.extract(volume, request, this->LastReport);
    EXPECT_TRUE(mesh) << "nothing stopped the extraction";
    return mesh ? std::move(*mesh) : Mesh();
  }

  // Made when first asked for; one for the whole test, as a filter keeps one.
  MarchingCubes& backend()
  {
    if (!this->Backend)
      this->Backend = std::make_unique<MarchingCubes>(this->device());
    return *this->Backend;
  }

  // Valid ids, every point used, no edge used more than twice, windings agree.
  static void expectSound(const Mesh& mesh);
  // Sound, and every edge used twice: for surfaces that do not meet the border.
  static void expectClosed(const Mesh& mesh);
  // Normals have unit length and lie on the side from which triangles are counterclockwise: angles below 90 degrees,
  // on smooth surfaces well resolved by the grid.
  static void expectNormalsAgreeWithWinding(const Mesh& mesh);
  // The very points and triangles of a brute-force search, positions being in steps.
  void expectWholeSurface(const Samples& samples, double isovalue);
  static void expectSameBytes(const Mesh& a, const Mesh& b);

  static Request requestOf(std::vector<double> isovalues)
  {
    Request request;
    request.isovalues = std::move(isovalues);
    return request;
  }

  // The message of the refusal.
  std::string expectError(Error::Kind kind, const Volume& volume, const Request& request)
  {
    try
    {
      this->backend().extract(volume, request, this->LastReport);
    }
    catch (const Error& error)
    {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "not refused";
    return {};
  }

  // Whether the last extraction had this stage.
  bool reports(const std::string& stage) const
  {
    for (const StageTime& time : this->LastReport.stages)
      if (time.name == stage)
        return true;
    return false;
  }

  Report LastReport;

private:
  std::unique_ptr<MarchingCubes> Backend;
};

}

#endif
