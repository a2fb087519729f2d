// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Tests of the volumes that several filters keep on one device.
#include "FilterTest.h"

#include "Compute/Context.h"
#include "Compute/Volume/VolumeCache.h"
#include "Support/SharedDevice.h"

#include "vtkCellData.h"

namespace
{

class FilterVolumes : public FilterTest
{
protected:
  static std::uint64_t uploads() { return vmc::test::sharedDevice()->volumes()->uploads(); }
  static std::uint64_t bytesOnDevice() { return vmc::test::sharedDevice()->context()->deviceMemory().heldBytes(); }

  const vtkSmartPointer<vtkImageData> Image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
};

}

TEST_F(FilterVolumes, TwoFiltersOfOneArrayUploadItOnce)
{
  const std::uint64_t before = uploads();
  this->run(this->Image, 50);
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetInputData(this->Image);
  other->SetValue(0, 40);
  other->Update();
  EXPECT_EQ(uploads(), before + 1);
  EXPECT_GT(other->GetOutput()->GetNumberOfPoints(), 0);
  this->Image->GetCellData()->GetScalars()->Modified();
  this->Filter->Update();
  other->Update();
  EXPECT_EQ(uploads(), before + 2);
}

TEST_F(FilterVolumes, ADeletedArrayLeavesTheDevice)
{
  const std::uint64_t before = bytesOnDevice();
  this->run(this->Image, 50);
  EXPECT_GT(bytesOnDevice(), before);
  this->Image->GetCellData()->Initialize();
  EXPECT_EQ(bytesOnDevice(), before);
  this->run(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), 50);
  EXPECT_GT(this->Filter->GetUploadTime(), 0);
}

TEST_F(FilterVolumes, ADeletedFilterKeepsNothingOnTheDevice)
{
  const std::uint64_t before = bytesOnDevice();
  {
    vtkNew<vtkVulkanMarchingCubes> other;
    other->SetInputData(this->Image);
    other->SetValue(0, 40);
    other->Update();
    EXPECT_GT(bytesOnDevice(), before);
  }
  EXPECT_EQ(bytesOnDevice(), before);
  this->Image->GetCellData()->Initialize(); // the array's observer has no filter any more
}
