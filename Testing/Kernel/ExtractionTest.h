// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The fixtures of tests of a whole extraction.
#ifndef vmcExtractionTest_h
#define vmcExtractionTest_h

#include "Compute/Engine.h"
#include "Compute/Session.h"
#include "Compute/System/Error.h"
#include "Compute/Volume/VolumeCache.h"
#include "Reference/WholeSurface.h"
#include "Support/AnalyticVolumes.h"
#include "Support/BlockValues.h"
#include "Support/ExpectError.h"
#include "Support/GpuTest.h"
#include "Support/MeshProperties.h"
#include "Tolerances.h"

#include <memory>
#include <string>
#include <vector>

namespace vmc::test
{

inline MeshView viewOf(const Mesh& mesh)
{
  return { reinterpret_cast<const float*>(mesh.positions.data()), mesh.pointCount,
    reinterpret_cast<const std::uint32_t*>(mesh.triangles.data()), mesh.triangleCount };
}

// An attribute whose three components are the indices of the sample along x, y and z.
inline std::vector<float> sampleIndices(const std::array<std::uint32_t, 3>& size)
{
  std::vector<float> indices;
  for (std::uint32_t k = 0; k < size[2]; ++k)
    for (std::uint32_t j = 0; j < size[1]; ++j)
      for (std::uint32_t i = 0; i < size[0]; ++i)
        indices.insert(indices.end(), { float(i), float(j), float(k) });
  return indices;
}

// The name of a second device of the kind of the first one. Empty, which selects the first one, if there is none.
std::string otherDevice();

// A test of extractions on a Vulkan device.
class ExtractionTest : public GpuTest
{
protected:
  // Extracts the isosurface at one isovalue. Sets `LastReport`.
  Mesh extract(const Volume& volume, double isovalue)
  {
    Request request;
    request.isovalues = { isovalue };
    return this->extract(volume, request);
  }

  Mesh extract(const Volume& volume, const Request& request) { return this->extract(this->session(), volume, request); }

  Mesh extract(Session& session, const Volume& volume, const Request& request)
  {
    std::optional<Mesh> mesh = this->tryToExtract(session, volume, request);
    EXPECT_TRUE(mesh) << "the extraction was stopped";
    return mesh ? std::move(*mesh) : Mesh();
  }

  // Returns nothing if `progress` stopped the extraction.
  std::optional<Mesh> tryToExtract(
    Session& session, const Volume& volume, const Request& request, const Progress& progress = {})
  {
    std::optional<Surface> surface = session.extract({ volume }, request, this->LastReport, progress);
    return surface ? std::optional<Mesh>(std::move(surface->meshes.front())) : std::nullopt;
  }

  // Made at the first call, then the same for the whole test, as in a filter.
  Session& session()
  {
    if (!this->OwnSession)
      this->OwnSession = this->newSession();
    return *this->OwnSession;
  }

  // Sessions have caches of their own, because tests use the same identities for different volumes.
  virtual std::unique_ptr<Session> newSession() const { return newSessionOn(this->sharedContext()); }
  static std::unique_ptr<Session> newSessionOn(const std::shared_ptr<Context>& context);
  static std::unique_ptr<Session> newSessionOnCpu();
  // A session of an AllGpusEngine of these devices, until the end of the test.
  std::unique_ptr<Session> newSessionOn(const std::vector<std::shared_ptr<Context>>& devices) const;

  // Expects valid ids, points that are all used, no edge with more than two triangles, and windings that agree.
  static void expectSound(const Mesh& mesh);
  // Expects a sound mesh whose edges all have two triangles: the surface does not meet the border.
  static void expectClosed(const Mesh& mesh);
  // Expects normals of unit length on the side from which the triangles are counterclockwise. The angle between both is
  // below 90 degrees on smooth surfaces that the grid resolves well.
  static void expectNormalsAgreeWithWinding(const Mesh& mesh);
  // Expects the points and triangles of a brute-force search. Positions are in steps.
  void expectWholeSurface(const Samples& samples, double isovalue);
  static void expectSameBytes(const Mesh& a, const Mesh& b);

  static Request requestOf(std::vector<double> isovalues)
  {
    Request request;
    request.isovalues = std::move(isovalues);
    return request;
  }

  // Expects that the extraction throws an error of this kind. Returns its message.
  std::string expectError(Error::Kind kind, const Volume& volume, const Request& request)
  {
    return test::expectError(kind, [&] { this->tryToExtract(this->session(), volume, request); });
  }

  // Returns whether the last extraction ran this timed stage.
  bool reports(Stage stage) const { return this->LastReport.stages[stage].has_value(); }

  Report LastReport;

private:
  std::vector<std::shared_ptr<Engine>> mutable Engines; // of several devices
  std::unique_ptr<Session> OwnSession;
};

enum class EngineKind
{
  Vulkan,
  Cpu,
  TwoDevices // the device of all tests, and otherDevice(), as AllGpusEngine
};

// A test whose one body (TEST_P) runs on each engine. The test of the CPU needs no Vulkan device and is never skipped.
class EngineTest
  : public ExtractionTest
  , public testing::WithParamInterface<EngineKind>
{
protected:
  void SetUp() override
  {
    if (GetParam() != EngineKind::Cpu)
      ExtractionTest::SetUp();
  }

  std::unique_ptr<Session> newSession() const override
  {
    switch (GetParam())
    {
      case EngineKind::Cpu:
        return newSessionOnCpu();
      case EngineKind::TwoDevices:
        return this->newSessionOn({ this->sharedContext(), otherContext() });
      default:
        return ExtractionTest::newSession();
    }
  }

private:
  static const std::shared_ptr<Context>& otherContext(); // opened at the first call
};

// Use it once per class that derives from EngineTest.
#define VMC_ON_EACH_ENGINE(Suite)                                                                                      \
  INSTANTIATE_TEST_SUITE_P(Engine, Suite, testing::Values(EngineKind::Vulkan, EngineKind::Cpu),                        \
    [](const auto& info) { return info.param == EngineKind::Cpu ? "Cpu" : "Vulkan"; })

// The same for two devices that share the work.
#define VMC_ON_TWO_DEVICES(Suite)                                                                                      \
  INSTANTIATE_TEST_SUITE_P(Devices, Suite, testing::Values(EngineKind::TwoDevices), [](const auto&) { return "Two"; })

}

#endif
