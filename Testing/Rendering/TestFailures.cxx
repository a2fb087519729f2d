// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Tests of failures while the mapper extracts a surface, and of the memory that it uses.
#include "RenderingTest.h"

#include "Compute/Context.h"
#include "Compute/Engine.h"
#include "Support/SharedDevice.h"
#include "Support/SubmissionFailure.h"

#include <functional>
#include <string>

namespace vmc::test
{

class MapperFailures : public PathTest
{
protected:
  void SetUp() override
  {
    DeviceOptions options;
    options.beforeSubmission = this->Submissions.hook();
    Engine::setSharedOptions(options);
    if (test::hasVulkanDevice())
      Engine::forget(*Engine::shared()); // an earlier engine may have no hook
    PathTest::SetUp();
    if (IsSkipped())
      return;
    this->DrawnMapper = makeMapper(this->Start);
    this->draw(this->Start, this->DrawnMapper);
    this->startWith(vtkVulkanIsosurfaceMapper::TRIANGLES);
  }

  void TearDown() override
  {
    this->DrawnMapper = nullptr;
    Engine::setSharedOptions({});
    PathTest::TearDown();
  }

  // The modes that the path draws in different ways.
  static std::vector<int> modes()
  {
    if (path() == vtkVulkanIsosurfaceMapper::POLY_DATA)
      return { vtkVulkanIsosurfaceMapper::TRIANGLES };
    return { vtkVulkanIsosurfaceMapper::TRIANGLES, vtkVulkanIsosurfaceMapper::ONLY_RAYS };
  }

  void startWith(int mode)
  {
    this->DrawnMapper->SetSurfaceMode(mode);
    this->First = drawAgain(this->MainWindow.get());
    this->expectDrawn();
    expectCovered(this->First);
  }

  // Expects that the last frame was drawn by the path, or by rays in the mode of rays.
  void expectDrawn()
  {
    const bool isByRays = this->DrawnMapper->GetSurfaceMode() == vtkVulkanIsosurfaceMapper::ONLY_RAYS;
    expectPath(this->DrawnMapper, isByRays ? int(vtkVulkanIsosurfaceMapper::RAYS) : path());
  }

  // Extracts the surface or casts the rays again for the next frame. The first submission fails.
  Picture drawWithFailure(vk::Result result)
  {
    this->Submissions.failNext(result);
    this->DrawnMapper->GetContour()->Modified();
    return drawAgain(this->MainWindow.get());
  }

  const Scene Start;
  vtkSmartPointer<vtkVulkanIsosurfaceMapper> DrawnMapper;
  Picture First;
  SubmissionFailure Submissions;
};
INSTANTIATE_FOR_EACH_PATH(MapperFailures);

TEST_P(MapperFailures, ADeviceLostOnceIsOpenedAgainAndGivesTheSamePicture)
{
  for (const int mode : modes())
  {
    SCOPED_TRACE(mode);
    this->startWith(mode);
    for (int loss = 0; loss < 2; ++loss)
    {
      const auto engine = Engine::shared();
      expectEqual(this->drawWithFailure(vk::Result::eErrorDeviceLost), this->First);
      EXPECT_NE(Engine::shared(), engine);
      this->expectDrawn();
      this->DrawnMapper->GetContour()->SetValue(0, 0.3);
      drawAgain(this->MainWindow.get());
      this->expectDrawn();
      this->DrawnMapper->GetContour()->SetValue(0, this->Start.isovalues[0]);
      expectEqual(drawAgain(this->MainWindow.get()), this->First);
    }
  }
}

TEST_P(MapperFailures, MemoryExhaustedOnceGivesTheSamePicture)
{
  for (const int mode : modes())
  {
    SCOPED_TRACE(mode);
    this->startWith(mode);
    expectEqual(this->drawWithFailure(vk::Result::eErrorOutOfDeviceMemory), this->First);
    this->DrawnMapper->GetContour()->Modified();
    expectEqual(drawAgain(this->MainWindow.get()), this->First);
    this->expectDrawn();
  }
}

TEST_P(MapperFailures, AnUnknownFailureIsAnErrorAndDrawsNothing)
{
  for (const int mode : modes())
  {
    SCOPED_TRACE(mode);
    this->startWith(mode);
    expectEmpty(this->drawWithFailure(vk::Result::eErrorUnknown));
    const std::vector<std::string> errors = this->takeErrors();
    ASSERT_FALSE(errors.empty());
    EXPECT_CONTAINS(errors[0], Engine::shared()->deviceName());
    this->DrawnMapper->GetContour()->Modified();
    expectEqual(drawAgain(this->MainWindow.get()), this->First);
    this->expectDrawn();
  }
}

// A mapper whose surface is on a lost device draws on with the surface of the new one.
TEST_P(MapperFailures, AnotherMapperOfALostDeviceDrawsAgain)
{
  const Scene other = withOtherIsovalues(this->Start);
  const Picture expected = this->reference(other);
  const auto second = makeMapper(other);
  expectSame(this->draw(other, second), expected);
  this->draw(this->Start, this->DrawnMapper);
  expectEqual(this->drawWithFailure(vk::Result::eErrorDeviceLost), this->First);
  expectSame(this->draw(other, second), expected);
  second->GetContour()->Modified();
  expectSame(drawAgain(this->MainWindow.get()), expected);
  expectPath(second);
}

// Tests of the memory of rays, and of triangles beside them.
class RayFailures : public MapperFailures
{
protected:
  void SetUp() override
  {
    MapperFailures::SetUp();
    if (!IsSkipped())
      this->startWith(vtkVulkanIsosurfaceMapper::ONLY_RAYS);
  }

  void expectRays() { expectPath(this->DrawnMapper, vtkVulkanIsosurfaceMapper::RAYS); }
};
INSTANTIATE_PICTURES(RayFailures);

// Triangles of before the movement are on the device that is lost in it.
TEST_P(RayFailures, ADeviceLostWhileMovingGivesTheSameTrianglesAfterIt)
{
  this->DrawnMapper->SetSurfaceMode(vtkVulkanIsosurfaceMapper::RAYS_WHILE_MOVING);
  const Picture still = drawAgain(this->MainWindow.get());
  expectPath(this->DrawnMapper);
  this->MainWindow->window()->SetDesiredUpdateRate(5);
  expectCovered(this->drawWithFailure(vk::Result::eErrorDeviceLost));
  this->expectRays();
  this->MainWindow->window()->SetDesiredUpdateRate(0.002);
  expectEqual(drawAgain(this->MainWindow.get()), still);
  expectPath(this->DrawnMapper);
  expectEqual(this->drawWithFailure(vk::Result::eErrorDeviceLost), still);
  expectPath(this->DrawnMapper);
}

// Each frame gets the buffers of the last one.
TEST_P(RayFailures, ManyFramesNeedTheMemoryOfOne)
{
  constexpr int FramesThatPoolsRemember = 9;
  MemoryBudget& budget = test::sharedDevice()->context()->budget();
  const auto usedAfter = [&](int frames)
  {
    for (int frame = 0; frame < frames; ++frame)
    {
      this->DrawnMapper->GetContour()->SetValue(0, this->Start.isovalues[0] + 0.01 * (frame % 3));
      this->MainWindow->render();
    }
    this->expectRays();
    return budget.used();
  };
  const std::uint64_t few = usedAfter(FramesThatPoolsRemember);
  EXPECT_LE(usedAfter(30), few);
}

// The samples stay: 4 bytes each, and 8 bytes per brick. The other buffers of an extraction have fixed sizes.
TEST_P(MapperFailures, AReleasedSurfaceLeavesOnlyTheVolumeOnTheDevice)
{
  constexpr std::uint64_t FixedSizes = 16 << 10;
  MemoryBudget& budget = test::sharedDevice()->context()->budget();
  vtkVulkanMarchingCubes* const contour = this->DrawnMapper->GetContour();
  const std::uint64_t samples = 4 * std::uint64_t(this->Start.image->GetNumberOfCells());
  // Without an isovalue, the filter does not keep the volume.
  const std::function<void()> beforeRelease[] = { [] {}, [contour] { contour->SetValue(0, 1e9); },
    [contour] { contour->SetNumberOfContours(0); } };
  for (const auto& change : beforeRelease)
  {
    change();
    const bool isVolumeKept = contour->GetNumberOfContours() != 0;
    this->MainWindow->render();
    this->DrawnMapper->ReleaseSurface();
    EXPECT_EQ(budget.used() >= samples, isVolumeKept);
    EXPECT_LE(budget.used(), samples + samples / 200 + FixedSizes);
    contour->SetValue(0, this->Start.isovalues[0]);
    expectEqual(drawAgain(this->MainWindow.get()), this->First);
    EXPECT_EQ(contour->GetUploadTime() == 0, isVolumeKept);
  }
}

// The mesh of one way of drawing does not stay beside that of another one.
TEST_P(MapperFailures, AnotherPathReleasesTheSurfaceOfTheLastOne)
{
  constexpr int RunsThatPoolsRemember = 9;
  MemoryBudget& budget = test::sharedDevice()->context()->budget();
  const auto usedBy = [&](int path)
  {
    this->DrawnMapper->SetFirstPath(path);
    for (int run = 0; run < RunsThatPoolsRemember; ++run)
    {
      this->DrawnMapper->GetContour()->Modified();
      this->MainWindow->render();
    }
    expectPath(this->DrawnMapper, path);
    return budget.used();
  };
  const std::uint64_t asPolyData = usedBy(vtkVulkanIsosurfaceMapper::POLY_DATA);
  usedBy(path());
  EXPECT_LE(usedBy(vtkVulkanIsosurfaceMapper::POLY_DATA), asPolyData);
}

// The next surface gets the buffers of the last one: an import of others would take longer than the frame.
TEST_P(MapperFailures, ADraggedIsovalueNeedsTheBuffersOfOneSurface)
{
  constexpr double ShareOfBuffers = 1.3; // exported buffers have a quarter of spare bytes
  DeviceMemoryPool& pool = test::sharedDevice()->context()->deviceMemory();
  const auto bytesFor = [&](int path)
  {
    this->DrawnMapper->SetFirstPath(path);
    for (int frame = 0; frame < 24; ++frame)
    {
      this->DrawnMapper->GetContour()->SetValue(0, this->Start.isovalues[0] + 0.01 * (frame % 3));
      this->MainWindow->render();
    }
    expectPath(this->DrawnMapper, path);
    return pool.bytes();
  };
  const std::uint64_t ofTheExtraction = bytesFor(vtkVulkanIsosurfaceMapper::POLY_DATA);
  const double mesh =
    24.0 * double(this->DrawnMapper->GetNumberOfPoints()) + 12.0 * double(this->DrawnMapper->GetNumberOfTriangles());
  EXPECT_LE(double(bytesFor(path())), double(ofTheExtraction) + ShareOfBuffers * mesh);
}

// An application that reads the times of the filter between two frames causes such extractions.
TEST_P(MapperFailures, ExtractionsBetweenFramesDoNotAddUp)
{
  MemoryBudget& budget = test::sharedDevice()->context()->budget();
  vtkVulkanMarchingCubes* const contour = this->DrawnMapper->GetContour();
  const auto extractBetweenFrames = [&](int times)
  {
    for (int i = 0; i < times; ++i)
    {
      contour->Modified();
      contour->Update();
    }
    const std::uint64_t used = budget.used();
    expectEqual(drawAgain(this->MainWindow.get()), this->First);
    expectPath(this->DrawnMapper);
    return used;
  };
  extractBetweenFrames(12); // until the pools have the buffers of two surfaces
  const std::uint64_t few = extractBetweenFrames(3);
  EXPECT_LE(extractBetweenFrames(20), few);
}

}
