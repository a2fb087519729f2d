// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ArrayWatch.h"

#include "vtkCommand.h"
#include "vtkFloatArray.h"
#include "vtkSmartPointer.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace
{

using vmc::filters::ArrayWatch;

class ArrayWatchTest : public testing::Test
{
protected:
  vtkSmartPointer<vtkFloatArray> Array = vtkSmartPointer<vtkFloatArray>::New();
  std::vector<std::uint64_t> Deleted; // identities
  std::unique_ptr<ArrayWatch> Watch =
    std::make_unique<ArrayWatch>([this](std::uint64_t identity) { this->Deleted.push_back(identity); });
};

using Identities = std::vector<std::uint64_t>;

}

TEST_F(ArrayWatchTest, ReportsADeletedArrayOnceWithItsLastIdentity)
{
  this->Watch->watch(this->Array, 7);
  this->Watch->watch(this->Array, 8);
  EXPECT_EQ(this->Deleted, Identities());
  this->Array = nullptr;
  EXPECT_EQ(this->Deleted, Identities{ 8 });
}

TEST_F(ArrayWatchTest, ReportsEachOfSeveralArrays)
{
  auto other = vtkSmartPointer<vtkFloatArray>::New();
  this->Watch->watch(this->Array, 1);
  this->Watch->watch(other, 2);
  this->Watch->watch(nullptr, 3);
  other = nullptr;
  this->Array = nullptr;
  EXPECT_EQ(this->Deleted, (Identities{ 2, 1 }));
}

TEST_F(ArrayWatchTest, ArraysOutliveTheWatch)
{
  this->Watch->watch(this->Array, 1);
  this->Watch.reset();
  EXPECT_FALSE(this->Array->HasObserver(vtkCommand::DeleteEvent));
  this->Array = nullptr;
  EXPECT_EQ(this->Deleted, Identities());
}

TEST_F(ArrayWatchTest, ObserversMayBeRemovedByOthers)
{
  this->Watch->watch(this->Array, 1);
  this->Array->RemoveAllObservers();
  this->Array = nullptr;
  this->Watch.reset(); // does not use the deleted array
  EXPECT_EQ(this->Deleted, Identities());
}
