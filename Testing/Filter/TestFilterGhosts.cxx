#include "FilterTest.h"

#include "vtkCellData.h"
#include "vtkUnsignedCharArray.h"

using FilterGhosts = FilterTest;

TEST_F(FilterGhosts, HiddenCellsAreBlankAndDuplicatesBelongToOthers)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const vtkIdType all = this->run(image, 50)->GetNumberOfPolys();
  vtkIdType sum = 0;
  // Two pieces that overlap by two cells: the first owns cells with i < 12.
  for (const bool first : { true, false })
  {
    vtkNew<vtkUnsignedCharArray> ghosts;
    ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
    ghosts->SetNumberOfValues(image->GetNumberOfCells());
    for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
      ghosts->SetValue(cell, (cell % 24 < 12) == first ? 0 : vtkDataSetAttributes::DUPLICATECELL);
    image->GetCellData()->AddArray(ghosts);
    image->Modified();
    this->Filter->Modified();
    sum += this->run(image, 50)->GetNumberOfPolys();
  }
  EXPECT_EQ(sum, all);
  auto* ghosts =
    vtkUnsignedCharArray::SafeDownCast(image->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
  for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
    ghosts->SetValue(cell, cell % 24 < 12 ? vtkDataSetAttributes::HIDDENCELL : 0);
  ghosts->Modified();
  this->Filter->Modified();
  double bounds[6];
  this->run(image, 50)->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 12.5); // the first cell centre that is not hidden
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetDevice("no such device");
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0); // FlyingEdges cannot: an error, never a wrong surface
  EXPECT_FALSE(this->errors().empty());
}
