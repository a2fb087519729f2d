// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"

#include "vtkCallbackCommand.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkMinimalStandardRandomSequence.h"
#include "vtkPointData.h"
#include "vtkStringArray.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

vtkSmartPointer<vtkImageData> CellImage(const std::array<int, 3>& cells, int type, const CellValue& value)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(cells[0] + 1, cells[1] + 1, cells[2] + 1);
  vtkSmartPointer<vtkDataArray> samples;
  samples.TakeReference(vtkDataArray::CreateDataArray(type));
  samples->SetName("samples");
  samples->SetNumberOfTuples(image->GetNumberOfCells());
  vtkIdType cell = 0;
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i)
        samples->SetTuple1(cell++, value(i, j, k));
  image->GetCellData()->SetScalars(samples);
  return image;
}

vtkSmartPointer<vtkDataArray> AddConstant(vtkImageData* image, const char* name, int components, double value)
{
  const auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(image->GetNumberOfCells());
  array->Fill(value);
  image->GetCellData()->AddArray(array);
  return array;
}

vtkSmartPointer<vtkDataArray> GhostArray(vtkIdType count, const std::function<int(vtkIdType)>& flag)
{
  const auto ghosts = vtkSmartPointer<vtkUnsignedCharArray>::New();
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  for (vtkIdType i = 0; i < count; ++i)
    ghosts->InsertNextValue(static_cast<unsigned char>(flag(i)));
  return ghosts;
}

CellValue Noise()
{
  auto random = vtkSmartPointer<vtkMinimalStandardRandomSequence>::New();
  random->SetSeed(7);
  return [random](int, int, int) { return std::floor(random->GetNextRangeValue(0, 101)); };
}

CellValue Ball()
{
  return [](int i, int j, int k)
  {
    const double x = i - 11.4, y = j - 11.6, z = k - 11.5;
    return std::floor(1024 * std::max(0.0, 100 - 50 * std::sqrt(x * x + y * y + z * z) / 8)) / 1024;
  };
}

bool IsRunOnCpu()
{
  const char* const device = std::getenv("VMC_DEVICE");
  return device && device == std::string("CPU");
}

bool HasVulkanDevice()
{
  return vtkNew<vtkVulkanMarchingCubes>()->GetDeviceNames()->GetNumberOfValues() > 1; // the last one is the CPU
}

bool IsCpu(const std::string& usedDevice)
{
  return usedDevice.find("CPU, ") == 0;
}

void FilterTest::SetUp()
{
  if (!IsRunOnCpu() && !HasVulkanDevice())
    GTEST_SKIP() << NoVulkanDevice;
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  const auto keep = [](vtkObject*, unsigned long event, void* self, void* text)
  { static_cast<FilterTest*>(self)->Messages[event].emplace_back(static_cast<const char*>(text)); };
  vtkNew<vtkCallbackCommand> observer;
  observer->SetCallback(keep);
  observer->SetClientData(this);
  this->Filter->AddObserver(vtkCommand::ErrorEvent, observer);
  this->Filter->AddObserver(vtkCommand::WarningEvent, observer);
}

vtkPolyData* FilterTest::run(vtkImageData* image, double isovalue)
{
  this->Filter->SetInputData(image);
  this->Filter->SetValue(0, isovalue);
  this->Filter->Update();
  return this->Filter->GetOutput();
}

vtkSmartPointer<vtkPolyData> FilterTest::runAndCopy(vtkImageData* image, double isovalue)
{
  auto copy = vtkSmartPointer<vtkPolyData>::New();
  copy->DeepCopy(this->run(image, isovalue));
  return copy;
}

bool FilterTest::hasRunOnItsDevice()
{
  const std::string used = this->Filter->GetUsedDevice();
  return IsRunOnCpu() ? IsCpu(used) : used == this->Filter->GetDeviceNames()->GetValue(0);
}

const std::vector<std::string>& FilterTest::errors()
{
  return this->Messages[vtkCommand::ErrorEvent];
}

const std::vector<std::string>& FilterTest::warnings()
{
  return this->Messages[vtkCommand::WarningEvent];
}

void ExpectSameCounts(vtkPolyData* mesh, vtkPolyData* reference)
{
  EXPECT_EQ(mesh->GetNumberOfPoints(), reference->GetNumberOfPoints());
  EXPECT_EQ(mesh->GetNumberOfPolys(), reference->GetNumberOfPolys());
}

std::map<std::string, double> StagesOf(vtkVulkanMarchingCubes* filter)
{
  std::map<std::string, double> stages;
  for (vtkIdType i = 0; i < filter->GetStageNames()->GetNumberOfValues(); ++i)
    stages[filter->GetStageNames()->GetValue(i)] = filter->GetStageTimes()->GetValue(i);
  return stages;
}

double SumOf(const std::map<std::string, double>& stages)
{
  double sum = 0;
  for (const auto& [name, milliseconds] : stages)
    sum += milliseconds;
  return sum;
}

std::string BytesOf(vtkDataArray* array)
{
  return std::string(static_cast<const char*>(array->GetVoidPointer(0)),
    static_cast<std::size_t>(array->GetNumberOfValues() * array->GetDataTypeSize()));
}

std::string BytesOf(vtkPolyData* mesh)
{
  return BytesOf(mesh->GetPoints()->GetData()) + BytesOf(mesh->GetPointData()->GetNormals()) +
         BytesOf(mesh->GetPolys()->GetConnectivityArray());
}
