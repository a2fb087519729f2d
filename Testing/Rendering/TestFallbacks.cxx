// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// What the mapper draws if a path is not possible.
#include "RenderingTest.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkMinimalStandardRandomSequence.h"
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
};
INSTANTIATE_FOR_EACH_PATH(MapperMemory);

// The surface leaves the device slab by slab, so it cannot stay in device memory.
TEST_P(MapperMemory, ASurfaceBeyondTheLimitIsDrawnFromHostMemory)
{
  Scene scene = noise(80, 48); // 9 MiB of surface, 2 MiB of it in a slab
  const Picture expected = this->reference(scene);
  expectCovered(expected);
  scene.contour = [](Filter* filter) { filter->SetMemoryLimit(4); };
  const auto mapper = makeMapper(scene);
  expectSame(this->draw(scene, mapper), expected);
  expectPath(mapper, std::max(path(), int(Mapper::HOST_MEMORY)));
  mapper->GetContour()->SetMemoryLimit(0);
  expectSame(drawAgain(this->MainWindow.get()), expected);
  expectPath(mapper);
}

// The mapper does not try in vain for each isovalue, but returns to its first path with a smaller surface.
TEST_P(MapperMemory, ASmallSurfaceAfterSurfacesBeyondTheLimitIsDrawnByTheFirstPath)
{
  Scene scene = noise(80, 48);
  scene.contour = [](Filter* filter) { filter->SetMemoryLimit(4); };
  const auto mapper = makeMapper(scene);
  this->draw(scene, mapper);
  const auto drawAt = [&](double isovalue)
  {
    scene.isovalues = { isovalue };
    mapper->GetContour()->SetValue(0, isovalue);
    const Picture drawn = drawAgain(this->MainWindow.get());
    expectSame(drawn, this->reference(scene));
    this->draw(scene, mapper); // the reference has taken its place in the window
    return mapper->GetDrawnBy();
  };
  for (const double isovalue : { 0.79, 0.81, 0.8 })
    EXPECT_EQ(drawAt(isovalue), std::max(path(), int(Mapper::HOST_MEMORY)));
  drawAt(0.9999); // shows that it is small
  EXPECT_EQ(drawAt(0.9998), path());
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
  EXPECT_NE(std::string(mapper->GetContour()->GetFallbackReason()).find("bytes of device memory"), std::string::npos);
  drawAgain(this->MainWindow.get());
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
  EXPECT_NE(errors[0].find("bytes of device memory"), std::string::npos) << errors[0];
  mapper->GetContour()->SetMemoryLimit(0);
  expectCovered(drawAgain(this->MainWindow.get()));
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

TEST_F(WithoutVulkan, NothingIsDrawnByAVulkanDeviceWithFallbackError)
{
  Scene scene;
  scene.contour = [](Filter* filter) { filter->SetDevice("NVIDIA"); };
  const auto mapper = makeMapper(scene);
  expectEmpty(this->draw(scene, mapper));
  const std::vector<std::string> errors = this->takeErrors();
  ASSERT_FALSE(errors.empty());
  EXPECT_NE(errors[0].find("The Vulkan loader "), std::string::npos) << errors[0];
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
}

}
