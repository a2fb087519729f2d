// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Memory does not grow while an isovalue changes.
#include "RenderingTest.h"

#include "OpenGLFunctions.h"

#include "vtkGenericOpenGLRenderWindow.h"
#include "vtkWeakPointer.h"

#include <cmath>
#include <fstream>
#include <malloc.h>

#include <unistd.h>

namespace vmc::test
{

namespace
{

constexpr int Changes = 600, Cycle = 100;

// Returns an isovalue that goes from 1.4, with few triangles, to 0, with the most, and back.
double isovalueOf(int change)
{
  return 1.4 * std::abs(1 - 2 * (change % Cycle) / double(Cycle));
}

// Returns the resident memory of the process in bytes.
long residentMemory()
{
  long total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Live names of OpenGL's buffers. Drivers give small numbers to buffers.
int buffersOf(const Window& window)
{
  constexpr GLuint LargestName = 20000; // 20 names per change
  window.window()->MakeCurrent();
  int count = 0;
  for (GLuint name = 1; name <= LargestName; ++name)
    count += glIsBuffer(name) == GL_TRUE;
  return count;
}

struct Usage
{
  vtkIdType device = 0;
  long resident = 0;
  int buffers = 0;
};

}

class MapperStability : public PathTest
{
protected:
  // The memory in use after the frame of this change.
  Usage usageAfter(int change, vtkVulkanIsosurfaceMapper* mapper)
  {
    mapper->GetContour()->SetValue(0, isovalueOf(change));
    this->MainWindow->render();
    return { mapper->GetContour()->GetDeviceMemory(), residentMemory(), buffersOf(*this->MainWindow) };
  }
};
INSTANTIATE_FOR_EACH_PATH(MapperStability);

TEST_P(MapperStability, SixHundredIsovaluesNeedTheMemoryOfTheFirstTwoHundred)
{
  // 8 MiB for the allocators of libc and of the driver, which keep freed blocks. Changes that keep 25 kB each time
  // exceed it; the largest mesh has 0.5 MB.
  constexpr long Slack = 8 << 20;
  const Scene scene;
  this->MainWindow->window()->SetSize(80, 60);
  const auto mapper = makeMapper(scene);
  this->draw(scene, mapper);
  vtkIdType smallest = VTK_ID_MAX, largest = 0;
  for (int change = 0; change < 2 * Cycle; ++change)
  {
    mapper->GetContour()->SetValue(0, isovalueOf(change));
    this->MainWindow->render();
    expectPath(mapper);
    smallest = std::min(smallest, mapper->GetNumberOfTriangles());
    largest = std::max(largest, mapper->GetNumberOfTriangles());
  }
  EXPECT_GT(smallest, 0);
  EXPECT_GT(largest, 4 * smallest);
  const Usage before = this->usageAfter(Cycle / 2, mapper);
  for (int change = 2 * Cycle; change < Changes; ++change)
  {
    mapper->GetContour()->SetValue(0, isovalueOf(change));
    this->MainWindow->render();
  }
  const Usage after = this->usageAfter(Cycle / 2, mapper);
  expectPath(mapper);
  EXPECT_EQ(after.device, before.device);
  EXPECT_LE(after.resident, before.resident + Slack);
  EXPECT_EQ(after.buffers, before.buffers);
  EXPECT_GT(before.buffers, 0); // names are found
}

TEST_P(MapperStability, MappersThatAreDestroyedLeaveNoBuffers)
{
  const Scene scene;
  const auto drawOnce = [&]
  {
    this->draw(scene, makeMapper(scene));
    this->MainWindow->renderer()->RemoveAllViewProps();
  };
  drawOnce(); // what VTK keeps per window
  const int before = buffersOf(*this->MainWindow);
  for (int i = 0; i < 10; ++i)
    drawOnce();
  EXPECT_EQ(buffersOf(*this->MainWindow), before);
}

// The memory that the filter reports is that of all users of the device.
TEST_P(MapperStability, MappersThatAreDestroyedLeaveNoDeviceMemory)
{
  // For small buffers that the device keeps for the next filter; the mesh has more than 500 kB.
  constexpr vtkIdType Slack = 65536;
  const Scene scene;
  const auto memoryOfAFilter = [&]
  {
    vtkNew<vtkVulkanMarchingCubes> filter;
    filter->SetInputData(scene.image);
    scene.setContour(filter);
    filter->Update();
    return filter->GetDeviceMemory();
  };
  memoryOfAFilter(); // what the first extraction allocates
  const vtkIdType before = memoryOfAFilter();
  for (int i = 0; i < 4; ++i)
  {
    const auto mapper = makeMapper(scene);
    this->draw(scene, mapper);
    expectPath(mapper);
    this->MainWindow->renderer()->RemoveAllViewProps();
  }
  EXPECT_LE(memoryOfAFilter(), before + Slack);
}

class RayStability : public PathTest
{
};
INSTANTIATE_PICTURES(RayStability);

TEST_P(RayStability, MappersThatAreDestroyedLeaveNoHostMemory)
{
  constexpr int Few = 20, Many = 120;
  constexpr long PerMapper = 200 << 10; // for the allocators of the driver and of the validation layer
  const Scene scene;
  const auto memoryInUse = []
  {
    malloc_trim(0); // pages between blocks that are in use
    return residentMemory();
  };
  long before = 0;
  for (int i = 0; i < Many; ++i)
  {
    const auto mapper = makeMapper(scene);
    mapper->SetSurfaceMode(vtkVulkanIsosurfaceMapper::ONLY_RAYS);
    this->draw(scene, mapper);
    expectPath(mapper, vtkVulkanIsosurfaceMapper::RAYS);
    this->MainWindow->renderer()->RemoveAllViewProps();
    if (i == Few)
      before = memoryInUse();
  }
  EXPECT_LE(memoryInUse() - before, (Many - Few) * PerMapper);
}

TEST_P(MapperStability, AMapperAndItsFilterAreDestroyedWithTheLastReference)
{
  const Scene scene;
  vtkWeakPointer<vtkVulkanIsosurfaceMapper> mapper;
  vtkWeakPointer<vtkVulkanMarchingCubes> filter;
  {
    const auto owner = makeMapper(scene);
    mapper = owner;
    filter = owner->GetContour();
    this->draw(scene, owner);
  }
  EXPECT_NE(mapper, nullptr);
  this->MainWindow->renderer()->RemoveAllViewProps();
  EXPECT_EQ(mapper, nullptr);
  EXPECT_EQ(filter, nullptr);
}

}
