#include "FilterTest.h"

#include "vtkDataSetAttributes.h"
#include "vtkStringArray.h"

#include <string>

using FilterErrors = FilterTest;

TEST_F(FilterErrors, AMissingArrayIsAnErrorThatListsTheArrays)
{
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "no such array");
  vtkPolyData* mesh = this->run(CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()), 50);
  EXPECT_EQ(mesh->GetNumberOfPoints(), 0);
  ASSERT_FALSE(this->errors().empty());
  EXPECT_NE(this->errors().front().find("Cell arrays: samples. Point arrays: none."), std::string::npos);
}

TEST_F(FilterErrors, FlatImagesAndNegativeSpacingAreErrors)
{
  vtkNew<vtkImageData> flat;
  flat->SetDimensions(9, 9, 1);
  flat->AllocateScalars(VTK_FLOAT, 1);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::SCALARS);
  this->run(flat, 50);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_NE(this->errors()[0].find("9 x 9 x 1 points"), std::string::npos);
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  image->SetSpacing(1, -2, 1);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
  this->run(image, 50);
  ASSERT_EQ(this->errors().size(), 2u);
  EXPECT_NE(this->errors()[1].find("spacing is 1.000000 -2.000000 1.000000"), std::string::npos);
}

TEST_F(FilterErrors, AnUnknownDeviceIsAnErrorThatNamesTheOthers)
{
  this->Filter->SetDevice("no such device");
  EXPECT_EQ(this->run(CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()), 50)->GetNumberOfPoints(), 0);
  ASSERT_FALSE(this->errors().empty());
  EXPECT_NE(this->errors().front().find("\"no such device\""), std::string::npos);
  EXPECT_NE(this->errors().front().find(this->Filter->GetDeviceNames()->GetValue(0)), std::string::npos);
}
