// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Tests of the frames that the mapper draws if a path is not possible.
#include "RenderingTest.h"

#include "vtkCamera.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkMinimalStandardRandomSequence.h"
#include "vtkProperty.h"
#include "vtkStringArray.h"

#include <algorithm>
#include <string>

namespace vmc::test
{

namespace
{

using Mapper = vtkVulkanIsosurfaceMapper;
using Filter = vtkVulkanMarchingCubes;

// Noise in side x side x layers cells. Its surface has more than ten times the bytes of its samples.
Scene noise(int side, int layers)
{
  Scene scene;
  scene.image = vtkSmartPointer<vtkImageData>::New();
  scene.image->SetDimensions(side + 1, side + 1, layers + 1);
  const auto samples = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(VTK_FLOAT));
  samples->SetName("samples");
  samples->SetNumberOfTuples(scene.image->GetNumberOfCells());
  vtkNew<vtkMinimalStandardRandomSequence> random;
  random->SetSeed(7);
  for (vtkIdType i = 0; i < samples->GetNumberOfTuples(); ++i)
    samples->SetTuple1(i, random->GetNextRangeValue(0, 1));
  scene.image->GetCellData()->SetScalars(samples);
  scene.isovalues = { 0.8 };
  return scene;
}

}

class MapperMemory : public PathTest
{
protected:
  // A limit that leaves only slabs of 2 MiB of the surface of noise(80, 48), which has 9 MiB.
  static void setLimit(Filter* filter) { filter->SetMemoryLimit(4); }

  // Returns the path of a surface that is downloaded slab by slab and so cannot stay in device memory.
  static int pathBeyondTheLimit() { return path() == Mapper::DEVICE_MEMORY ? int(Mapper::RAYS) : path(); }

  static bool hasStage(Mapper* mapper, const char* name)
  {
    return mapper->GetContour()->GetStageNames()->LookupValue(name) >= 0;
  }

  Picture drawAgain() { return RenderingTest::drawAgain(this->MainWindow.get()); }

  Picture drawByRays(const Scene& scene)
  {
    const auto rays = makeMapper(scene);
    rays->SetSurfaceMode(Mapper::ONLY_RAYS);
    return this->draw(scene, rays);
  }
};
INSTANTIATE_FOR_EACH_PATH(MapperMemory);

// Rays need only the memory of a slab and of the picture.
TEST_P(MapperMemory, ASurfaceBeyondTheLimitIsDrawnByRaysOrFromHostMemory)
{
  Scene scene = noise(80, 48);
  const Picture triangles = this->reference(scene), rays = this->drawByRays(scene);
  expectCovered(triangles);
  scene.contour = setLimit;
  const auto mapper = makeMapper(scene);
  const Picture drawn = this->draw(scene, mapper);
  expectPath(mapper, pathBeyondTheLimit());
  const std::string note = mapper->GetContour()->GetNote();
  if (pathBeyondTheLimit() == Mapper::RAYS)
  {
    expectEqual(drawn, rays);
    EXPECT_EQ(note.find("Rays draw the surface, as its triangles do not fit in the memory of the device. "), 0u)
      << note;
    EXPECT_EQ(std::string(mapper->GetDrawnByText()).find("rays: "), 0u) << mapper->GetDrawnByText();
  }
  else
  {
    expectSame(drawn, triangles);
    EXPECT_LACKS(note, "Rays");
  }
  mapper->GetContour()->SetMemoryLimit(0);
  expectSame(this->drawAgain(), triangles);
  expectPath(mapper);
  EXPECT_STREQ(mapper->GetContour()->GetNote(), "");
}

TEST_P(MapperMemory, ASurfaceBeyondTheLimitThatRaysCannotDrawIsDrawnFromHostMemory)
{
  Scene scene = noise(80, 48);
  scene.actor = [](vtkActor* actor) { actor->GetProperty()->BackfaceCullingOn(); };
  const Picture expected = this->reference(scene);
  scene.contour = setLimit;
  const auto mapper = makeMapper(scene);
  expectSame(this->draw(scene, mapper), expected);
  expectPath(mapper, std::max(path(), int(Mapper::HOST_MEMORY)));
  const std::string note = mapper->GetContour()->GetNote();
  EXPECT_LACKS(note, "Rays");
  scene.actor = nullptr; // now rays can
  this->draw(scene, mapper);
  expectPath(mapper, pathBeyondTheLimit());
}

// An extraction that fails takes longer than a picture.
TEST_P(MapperMemory, AnotherViewOfASurfaceBeyondTheLimitIsNotAnotherExtraction)
{
  Scene scene = noise(80, 48);
  scene.contour = setLimit;
  const auto mapper = makeMapper(scene);
  this->draw(scene, mapper);
  const bool isByRays = pathBeyondTheLimit() == Mapper::RAYS;
  EXPECT_EQ(hasStage(mapper, "CountBricks"), !isByRays); // samples beyond the limit leave no memory for a surface
  Picture drawn;
  for (const double angle : { 10.0, 20.0 })
  {
    scene.view = [angle](vtkRenderer* renderer) { renderer->GetActiveCamera()->Azimuth(angle); };
    drawn = this->draw(scene, mapper);
    expectPath(mapper, pathBeyondTheLimit());
    EXPECT_EQ(hasStage(mapper, "CountBricks"), !isByRays); // of the first frame
    EXPECT_EQ(hasStage(mapper, "CastRays"), isByRays);
  }
  if (isByRays)
  {
    expectEqual(drawn, this->drawByRays(scene));
  }
}

// Moving frames are those of rays, and still frames too.
TEST_P(MapperMemory, RaysWhileMovingDrawASurfaceBeyondTheLimit)
{
  Scene scene = noise(80, 48);
  scene.contour = setLimit;
  const auto mapper = makeMapper(scene);
  mapper->SetSurfaceMode(Mapper::RAYS_WHILE_MOVING);
  const Picture still = this->draw(scene, mapper);
  for (int i = 0; i < 2; ++i)
  {
    this->MainWindow->window()->SetDesiredUpdateRate(5);
    expectCovered(this->drawAgain());
    expectPath(mapper, path() == Mapper::POLY_DATA ? int(Mapper::POLY_DATA) : int(Mapper::RAYS));
    this->MainWindow->window()->SetDesiredUpdateRate(0.002);
    expectEqual(this->drawAgain(), still);
    expectPath(mapper, pathBeyondTheLimit());
  }
}

// The mapper does not try in vain for each isovalue, but returns to its first path with a smaller surface.
TEST_P(MapperMemory, ASmallSurfaceAfterSurfacesBeyondTheLimitIsDrawnByTheFirstPath)
{
  constexpr int MostOtherIsovalues = 31; // pictures of rays do not tell that a surface is small
  Scene scene = noise(80, 48);
  scene.contour = setLimit;
  const auto mapper = makeMapper(scene);
  this->draw(scene, mapper);
  for (const double isovalue : { 0.79, 0.81, 0.8 })
  {
    mapper->GetContour()->SetValue(0, isovalue);
    this->drawAgain();
    expectPath(mapper, pathBeyondTheLimit());
  }
  EXPECT_EQ(hasStage(mapper, "CountBricks"), pathBeyondTheLimit() != Mapper::RAYS);
  for (int i = 0; i < MostOtherIsovalues; ++i)
  {
    mapper->GetContour()->SetValue(0, 0.9999 - 1e-6 * i);
    this->drawAgain();
  }
  expectPath(mapper);
  scene.isovalues = { mapper->GetContour()->GetValue(0) };
  const Picture drawn = this->drawAgain();
  expectSame(drawn, this->reference(scene));
}

TEST_P(MapperMemory, WithTooLittleMemoryTheCpuComputesTheSurface)
{
  Scene scene = noise(160, 12);
  scene.contour = [](Filter* filter)
  {
    filter->SetMemoryLimit(1);
    filter->SetFallback(Filter::FALLBACK_CPU);
  };
  const Picture expected = this->reference(scene);
  EXPECT_LE(this->takeWarnings().size(), 1u); // none if an earlier test had the same reason
  expectCovered(expected);
  const auto mapper = makeMapper(scene);
  expectSame(this->draw(scene, mapper), expected);
  expectPath(mapper, std::max(path(), int(Mapper::HOST_MEMORY)));
  EXPECT_EQ(std::string(mapper->GetContour()->GetUsedDevice()).find("CPU, "), 0u);
  EXPECT_CONTAINS(mapper->GetContour()->GetFallbackReason(), "bytes of device memory");
  this->drawAgain();
  EXPECT_TRUE(this->takeWarnings().empty()); // once per process and reason
}

TEST_P(MapperMemory, TooLittleMemoryIsAnErrorWithFallbackError)
{
  Scene scene = noise(160, 12);
  scene.contour = [](Filter* filter) { filter->SetMemoryLimit(1); };
  const auto mapper = makeMapper(scene);
  expectEmpty(this->draw(scene, mapper));
  const std::vector<std::string> errors = this->takeErrors();
  ASSERT_FALSE(errors.empty());
  EXPECT_CONTAINS(errors[0], "bytes of device memory");
  mapper->GetContour()->SetMemoryLimit(0);
  expectCovered(this->drawAgain());
  expectPath(mapper);
}

// Runs with an environment in which no Vulkan device exists.
class WithoutVulkan : public RenderingTest
{
protected:
  WithoutVulkan() { this->NeedsDevice = false; }
  void SetUp() override
  {
    RenderingTest::SetUp();
    vtkNew<Filter> filter;
    ASSERT_EQ(filter->GetDeviceNames()->GetNumberOfValues(), 1) << "This environment has a Vulkan device.";
  }
};

TEST_F(WithoutVulkan, TheSurfaceOfTheCpuIsDrawnFromHostMemory)
{
  const Scene scene;
  const Picture expected = this->reference(scene);
  expectCovered(expected);
  expectDifferent(expected, this->reference(withOtherIsovalues(scene)));
  for (const int first : { Mapper::DEVICE_MEMORY, Mapper::HOST_MEMORY, Mapper::POLY_DATA })
  {
    const auto mapper = makeMapper(scene, first);
    expectSame(this->draw(scene, mapper), expected);
    EXPECT_EQ(mapper->GetDrawnBy(), std::max(first, int(Mapper::HOST_MEMORY)));
    EXPECT_EQ(std::string(mapper->GetContour()->GetUsedDevice()).find("CPU, "), 0u);
    if (first == Mapper::DEVICE_MEMORY)
    {
      EXPECT_STREQ(mapper->GetDrawnByText(), "OpenGL from host memory: The CPU computes the surface.");
    }
  }
  EXPECT_TRUE(this->takeWarnings().empty());
}

TEST_F(WithoutVulkan, TheRaysOfTheCpuAreDrawn)
{
  const Scene scene;
  const Picture expected = this->reference(scene);
  const auto mapper = makeMapper(scene);
  mapper->SetSurfaceMode(Mapper::ONLY_RAYS);
  const Picture drawn = this->draw(scene, mapper);
  EXPECT_EQ(mapper->GetDrawnBy(), Mapper::RAYS) << mapper->GetDrawnByText();
  EXPECT_EQ(std::string(mapper->GetContour()->GetUsedDevice()).find("CPU, "), 0u);
  EXPECT_NEAR(coveredPixels(drawn), coveredPixels(expected), 0.01 * coveredPixels(expected)); // silhouettes
  EXPECT_LE(this->takeWarnings().size(), 1u); // none if an earlier test had the same reason
}

TEST_F(WithoutVulkan, NothingIsDrawnByAVulkanDeviceWithFallbackError)
{
  Scene scene;
  scene.contour = [](Filter* filter) { filter->SetDevice("NVIDIA"); };
  const auto mapper = makeMapper(scene);
  expectEmpty(this->draw(scene, mapper));
  const std::vector<std::string> errors = this->takeErrors();
  ASSERT_FALSE(errors.empty());
  EXPECT_CONTAINS(errors[0], "The Vulkan loader ");
  mapper->GetContour()->SetFallback(Filter::FALLBACK_CPU);
  expectCovered(drawAgain(this->MainWindow.get()));
  EXPECT_LE(this->takeWarnings().size(), 1u);
  EXPECT_EQ(mapper->GetDrawnBy(), Mapper::HOST_MEMORY);
}

// Runs with VMC_MEMORY_EXPORT=0: the device does not export memory.
class WithoutInterop : public RenderingTest
{
};

TEST_F(WithoutInterop, TheSurfaceIsDrawnFromHostMemory)
{
  const Scene scene;
  const Picture expected = this->reference(scene);
  const auto mapper = makeMapper(scene), fromHost = makeMapper(scene, Mapper::HOST_MEMORY);
  const Picture drawn = this->draw(scene, mapper);
  expectSame(drawn, expected);
  expectCovered(drawn);
  EXPECT_EQ(mapper->GetDrawnBy(), Mapper::HOST_MEMORY) << mapper->GetDrawnByText();
  expectEqual(this->draw(scene, fromHost), drawn);
  EXPECT_STRNE(mapper->GetDrawnByText(), fromHost->GetDrawnByText()); // the reasons differ
  mapper->SetSurfaceMode(Mapper::ONLY_RAYS);
  fromHost->SetSurfaceMode(Mapper::ONLY_RAYS);
  expectEqual(this->draw(scene, mapper), this->draw(scene, fromHost));
  EXPECT_EQ(mapper->GetDrawnBy(), Mapper::RAYS) << mapper->GetDrawnByText();
}

}
