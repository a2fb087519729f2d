// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "DownstreamUses.h"

#include "FilterTest.h"
#include "Support/ScratchFolder.h"

#include "vtkAdaptiveSubdivisionFilter.h"
#include "vtkAppendFilter.h"
#include "vtkAppendPolyData.h"
#include "vtkBandedPolyDataContourFilter.h"
#include "vtkBooleanOperationPolyDataFilter.h"
#include "vtkButterflySubdivisionFilter.h"
#include "vtkCallbackCommand.h"
#include "vtkCellCenters.h"
#include "vtkCellData.h"
#include "vtkCellDataToPointData.h"
#include "vtkCleanPolyData.h"
#include "vtkClipClosedSurface.h"
#include "vtkClipDataSet.h"
#include "vtkClipPolyData.h"
#include "vtkConnectivityFilter.h"
#include "vtkContourFilter.h"
#include "vtkCurvatures.h"
#include "vtkCutter.h"
#include "vtkDataSetSurfaceFilter.h"
#include "vtkDecimatePro.h"
#include "vtkDensifyPolyData.h"
#include "vtkDijkstraGraphGeodesicPath.h"
#include "vtkElevationFilter.h"
#include "vtkExtractEdges.h"
#include "vtkExtractPolyDataGeometry.h"
#include "vtkFeatureEdges.h"
#include "vtkFillHolesFilter.h"
#include "vtkGeometryFilter.h"
#include "vtkHausdorffDistancePointSetFilter.h"
#include "vtkHull.h"
#include "vtkIdList.h"
#include "vtkImageData.h"
#include "vtkImplicitPolyDataDistance.h"
#include "vtkIntersectionPolyDataFilter.h"
#include "vtkLinearExtrusionFilter.h"
#include "vtkLinearSubdivisionFilter.h"
#include "vtkLoopSubdivisionFilter.h"
#include "vtkMaskPolyData.h"
#include "vtkMassProperties.h"
#include "vtkMultiObjectMassProperties.h"
#include "vtkOBBTree.h"
#include "vtkOBJWriter.h"
#include "vtkPLYWriter.h"
#include "vtkPlane.h"
#include "vtkPlaneCollection.h"
#include "vtkPointData.h"
#include "vtkPointDataToCellData.h"
#include "vtkPolyDataConnectivityFilter.h"
#include "vtkPolyDataNormals.h"
#include "vtkPolyDataWriter.h"
#include "vtkQuadricClustering.h"
#include "vtkQuadricDecimation.h"
#include "vtkReverseSense.h"
#include "vtkSTLWriter.h"
#include "vtkSelectEnclosedPoints.h"
#include "vtkShrinkPolyData.h"
#include "vtkSmoothPolyDataFilter.h"
#include "vtkSphereSource.h"
#include "vtkStripper.h"
#include "vtkThreshold.h"
#include "vtkTransform.h"
#include "vtkTransformPolyDataFilter.h"
#include "vtkTriangleFilter.h"
#include "vtkVersionMacros.h"
#include "vtkWarpVector.h"
#include "vtkWindowedSincPolyDataFilter.h"
#include "vtkXMLPolyDataWriter.h"
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 5, 0)
#include "vtkGenerateIds.h"
using GenerateIds = vtkGenerateIds;
#else
#include "vtkIdFilter.h"
using GenerateIds = vtkIdFilter;
#endif

#include <fstream>
#include <iterator>
#include <utility>

namespace
{

void append(std::string& contents, double value)
{
  contents.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void append(std::string& contents, vtkFieldData* arrays)
{
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i)
    if (vtkDataArray* const array = arrays->GetArray(i))
    {
      contents += array->GetName() ? array->GetName() : "(no name)";
      for (vtkIdType t = 0; t < array->GetNumberOfTuples(); ++t)
        for (int c = 0; c < array->GetNumberOfComponents(); ++c)
          append(contents, array->GetComponent(t, c));
    }
}

// Points, cells and arrays. Cells are read as any filter reads them, for both widths of ids.
std::string contentsOf(vtkDataObject* object)
{
  std::string contents = object->GetClassName();
  append(contents, object->GetFieldData());
  vtkDataSet* const data = vtkDataSet::SafeDownCast(object);
  if (!data)
    return contents;
  for (vtkIdType i = 0; i < data->GetNumberOfPoints(); ++i)
    for (int c = 0; c < 3; ++c)
      append(contents, data->GetPoint(i)[c]);
  vtkNew<vtkIdList> ids;
  for (vtkIdType i = 0; i < data->GetNumberOfCells(); ++i)
  {
    data->GetCellPoints(i, ids);
    append(contents, data->GetCellType(i));
    for (const vtkIdType id : *ids)
      append(contents, double(id));
  }
  append(contents, data->GetPointData());
  append(contents, data->GetCellData());
  return contents;
}

vtkSmartPointer<vtkPolyData> copyOf(vtkPolyData* mesh)
{
  auto copy = vtkSmartPointer<vtkPolyData>::New();
  copy->ShallowCopy(mesh);
  return copy;
}

// Runs the algorithm. Its warnings and errors, without their file and address, are part of what comes out.
std::string outputsOf(vtkAlgorithm* algorithm)
{
  std::string contents;
  vtkNew<vtkCallbackCommand> listener;
  listener->SetClientData(&contents);
  listener->SetCallback(
    [](vtkObject*, unsigned long, void* data, void* message)
    {
      const std::string text = static_cast<const char*>(message);
      *static_cast<std::string*>(data) += text.substr(text.find("): ") + 1);
    });
  algorithm->AddObserver(vtkCommand::ErrorEvent, listener);
  algorithm->AddObserver(vtkCommand::WarningEvent, listener);
  algorithm->Update();
  for (int port = 0; port < algorithm->GetNumberOfOutputPorts(); ++port)
    contents += contentsOf(algorithm->GetOutputDataObject(port));
  return contents;
}

template <class Filter>
using Setup = void (*)(Filter* filter);

template <class Filter>
std::function<std::string(vtkPolyData*)> after(const Setup<Filter>& setup)
{
  return [=](vtkPolyData* mesh)
  {
    vtkNew<Filter> filter;
    filter->SetInputDataObject(copyOf(mesh));
    setup(filter.Get());
    return outputsOf(filter);
  };
}

template <class Filter>
std::function<std::string(vtkPolyData*)> after()
{
  return after<Filter>([](Filter*) {});
}

// After a filter that takes a second mesh: a ball that cuts the surface.
template <class Filter>
std::string withBall(vtkPolyData* mesh)
{
  vtkNew<vtkSphereSource> ball;
  ball->SetCenter(18.3, 12.1, 12.2);
  ball->SetRadius(5.1);
  vtkNew<Filter> filter;
  filter->SetInputDataObject(0, copyOf(mesh));
  filter->SetInputConnection(1, ball->GetOutputPort());
  return outputsOf(filter);
}

template <class Writer>
std::string fileOf(vtkPolyData* mesh)
{
  static const vmc::test::ScratchFolder folder; // of this process, as several tests run at the same time
  const std::string path = (folder.path() / "mesh.ply").string();
  vtkNew<Writer> writer;
  writer->SetInputDataObject(copyOf(mesh));
  writer->SetFileName(path.c_str());
  writer->Write();
  std::ifstream file(path, std::ios::binary);
  const std::string contents((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return contents;
}

// A plane through the middle of the surface, not parallel to an axis.
vtkSmartPointer<vtkPlane> plane()
{
  auto middle = vtkSmartPointer<vtkPlane>::New();
  middle->SetOrigin(11.7, 12.3, 12.1);
  middle->SetNormal(0.6, 0.64, 0.48);
  return middle;
}

std::string masses(vtkPolyData* mesh)
{
  vtkNew<vtkMassProperties> measure;
  measure->SetInputData(copyOf(mesh));
  std::string contents;
  append(contents, measure->GetVolume());
  append(contents, measure->GetSurfaceArea());
  return contents;
}

std::string massesOfObjects(vtkPolyData* mesh)
{
  vtkNew<vtkMultiObjectMassProperties> measure;
  measure->SetInputData(copyOf(mesh));
  std::string contents = outputsOf(measure);
  append(contents, measure->GetTotalVolume());
  append(contents, measure->GetTotalArea());
  return contents;
}

std::string distances(vtkPolyData* mesh)
{
  vtkNew<vtkImplicitPolyDataDistance> distance;
  distance->SetInput(copyOf(mesh));
  std::string contents;
  for (double x = 0; x < 24; x += 1.7)
    append(contents, distance->FunctionValue(x, 9.9, 13.1));
  return contents;
}

std::string boxes(vtkPolyData* mesh)
{
  vtkNew<vtkOBBTree> tree;
  tree->SetDataSet(copyOf(mesh));
  tree->BuildLocator();
  vtkNew<vtkPolyData> leaves;
  tree->GenerateRepresentation(-1, leaves);
  return contentsOf(leaves);
}

std::string enclosed(vtkPolyData* mesh)
{
  vtkNew<vtkImageData> points;
  points->SetDimensions(9, 9, 9);
  points->SetSpacing(2.9, 2.9, 2.9);
  vtkNew<vtkSelectEnclosedPoints> filter;
  filter->SetInputData(points);
  filter->SetSurfaceData(copyOf(mesh));
  return outputsOf(filter);
}

std::vector<DownstreamUse> remeshing()
{
  return {
    { "vtkLoopSubdivisionFilter", after<vtkLoopSubdivisionFilter>() },
    { "vtkButterflySubdivisionFilter", after<vtkButterflySubdivisionFilter>() },
    { "vtkLinearSubdivisionFilter", after<vtkLinearSubdivisionFilter>() },
    { "vtkAdaptiveSubdivisionFilter", after<vtkAdaptiveSubdivisionFilter>() },
    { "vtkDensifyPolyData", after<vtkDensifyPolyData>() },
    { "vtkDecimatePro", after<vtkDecimatePro>([](vtkDecimatePro* filter) { filter->SetTargetReduction(0.7); }) },
    { "vtkQuadricDecimation",
      after<vtkQuadricDecimation>([](vtkQuadricDecimation* filter) { filter->SetTargetReduction(0.7); }) },
    { "vtkQuadricClustering", after<vtkQuadricClustering>() },
    { "vtkCleanPolyData", after<vtkCleanPolyData>() },
    { "vtkFillHolesFilter", after<vtkFillHolesFilter>([](vtkFillHolesFilter* filter) { filter->SetHoleSize(10); }) },
    { "vtkTriangleFilter", after<vtkTriangleFilter>() },
    { "vtkStripper", after<vtkStripper>() },
    { "vtkReverseSense", after<vtkReverseSense>([](vtkReverseSense* filter) { filter->ReverseNormalsOn(); }) },
    { "vtkShrinkPolyData", after<vtkShrinkPolyData>() },
    { "vtkMaskPolyData", after<vtkMaskPolyData>([](vtkMaskPolyData* filter) { filter->SetOnRatio(3); }) },
    { "vtkLinearExtrusionFilter", after<vtkLinearExtrusionFilter>() },
    { "vtkHull", after<vtkHull>([](vtkHull* filter) { filter->AddCubeFacePlanes(); }) },
  };
}

std::vector<DownstreamUse> smoothingAndNormals()
{
  return {
    { "vtkSmoothPolyDataFilter", after<vtkSmoothPolyDataFilter>() },
    { "vtkSmoothPolyDataFilter, feature edges", after<vtkSmoothPolyDataFilter>(
                                                  [](vtkSmoothPolyDataFilter* filter)
                                                  {
                                                    filter->FeatureEdgeSmoothingOn();
                                                    filter->SetFeatureAngle(3); // the surface is smooth
                                                  }) },
    { "vtkWindowedSincPolyDataFilter", after<vtkWindowedSincPolyDataFilter>([](vtkWindowedSincPolyDataFilter* filter)
                                         { filter->NormalizeCoordinatesOn(); }) },
    { "vtkPolyDataNormals", after<vtkPolyDataNormals>(
                              [](vtkPolyDataNormals* filter)
                              {
                                filter->AutoOrientNormalsOn();
                                filter->SetFeatureAngle(3);
                                filter->ComputeCellNormalsOn();
                              }) },
    { "vtkCurvatures, Gauss",
      after<vtkCurvatures>([](vtkCurvatures* filter) { filter->SetCurvatureTypeToGaussian(); }) },
    { "vtkCurvatures, mean", after<vtkCurvatures>([](vtkCurvatures* filter) { filter->SetCurvatureTypeToMean(); }) },
    { "vtkWarpVector", after<vtkWarpVector>(
                         [](vtkWarpVector* filter)
                         {
                           filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "Normals");
                           filter->SetScaleFactor(0.5);
                         }) },
    { "vtkTransformPolyDataFilter", after<vtkTransformPolyDataFilter>(
                                      [](vtkTransformPolyDataFilter* filter)
                                      {
                                        vtkNew<vtkTransform> turned;
                                        turned->RotateWXYZ(30, 1, 2, 3);
                                        filter->SetTransform(turned);
                                      }) },
    { "vtkElevationFilter", after<vtkElevationFilter>() },
    { "vtkGenerateIds", after<GenerateIds>() },
    { "vtkPointDataToCellData", after<vtkPointDataToCellData>() },
    { "vtkCellDataToPointData", after<vtkCellDataToPointData>() },
    { "vtkCellCenters", after<vtkCellCenters>() },
  };
}

std::vector<DownstreamUse> cutting()
{
  return {
    { "vtkClipPolyData", after<vtkClipPolyData>(
                           [](vtkClipPolyData* filter)
                           {
                             filter->SetClipFunction(plane());
                             filter->GenerateClippedOutputOn();
                           }) },
    { "vtkClipDataSet", after<vtkClipDataSet>([](vtkClipDataSet* filter) { filter->SetClipFunction(plane()); }) },
    { "vtkClipClosedSurface", after<vtkClipClosedSurface>(
                                [](vtkClipClosedSurface* filter)
                                {
                                  vtkNew<vtkPlaneCollection> planes;
                                  planes->AddItem(plane());
                                  filter->SetClippingPlanes(planes);
                                }) },
    { "vtkCutter", after<vtkCutter>([](vtkCutter* filter) { filter->SetCutFunction(plane()); }) },
    { "vtkContourFilter", after<vtkContourFilter>(
                            [](vtkContourFilter* filter)
                            {
                              filter->SetInputArrayToProcess(
                                0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "Gradients");
                              filter->SetValue(0, 1.3);
                            }) },
    { "vtkBandedPolyDataContourFilter", after<vtkBandedPolyDataContourFilter>([](vtkBandedPolyDataContourFilter* filter)
                                          { filter->GenerateValues(5, 0, 100); }) },
    { "vtkExtractPolyDataGeometry", after<vtkExtractPolyDataGeometry>([](vtkExtractPolyDataGeometry* filter)
                                      { filter->SetImplicitFunction(plane()); }) },
    { "vtkThreshold", after<vtkThreshold>([](vtkThreshold* filter) { filter->SetUpperThreshold(40); }) },
    { "vtkIntersectionPolyDataFilter", withBall<vtkIntersectionPolyDataFilter> },
    { "vtkBooleanOperationPolyDataFilter", withBall<vtkBooleanOperationPolyDataFilter> },
    { "vtkHausdorffDistancePointSetFilter", withBall<vtkHausdorffDistancePointSetFilter> },
    { "vtkAppendPolyData", after<vtkAppendPolyData>() },
    { "vtkAppendFilter", after<vtkAppendFilter>() },
    { "vtkGeometryFilter", after<vtkGeometryFilter>() },
    { "vtkDataSetSurfaceFilter", after<vtkDataSetSurfaceFilter>() },
  };
}

std::vector<DownstreamUse> measuringAndWriting()
{
  return {
    { "vtkPolyDataConnectivityFilter", after<vtkPolyDataConnectivityFilter>(
                                         [](vtkPolyDataConnectivityFilter* filter)
                                         {
                                           filter->SetExtractionModeToAllRegions();
                                           filter->ColorRegionsOn();
                                         }) },
    { "vtkConnectivityFilter", after<vtkConnectivityFilter>() },
    { "vtkFeatureEdges", after<vtkFeatureEdges>([](vtkFeatureEdges* filter) { filter->SetFeatureAngle(3); }) },
    { "vtkExtractEdges", after<vtkExtractEdges>() },
    { "vtkDijkstraGraphGeodesicPath", after<vtkDijkstraGraphGeodesicPath>(
                                        [](vtkDijkstraGraphGeodesicPath* filter)
                                        {
                                          filter->SetStartVertex(0);
                                          filter->SetEndVertex(700);
                                        }) },
    { "vtkMassProperties", masses },
    { "vtkMultiObjectMassProperties", massesOfObjects },
    { "vtkImplicitPolyDataDistance", distances },
    { "vtkOBBTree", boxes },
    { "vtkSelectEnclosedPoints", enclosed },
    { "vtkPLYWriter", fileOf<vtkPLYWriter> },
    { "vtkSTLWriter", fileOf<vtkSTLWriter> },
    { "vtkOBJWriter", fileOf<vtkOBJWriter> },
    { "vtkPolyDataWriter", fileOf<vtkPolyDataWriter> },
    { "vtkXMLPolyDataWriter", fileOf<vtkXMLPolyDataWriter> },
  };
}

}

const std::vector<DownstreamUse>& DownstreamUses()
{
  static const std::vector<DownstreamUse> uses = []
  {
    std::vector<DownstreamUse> all;
    for (auto* const group : { remeshing, smoothingAndNormals, cutting, measuringAndWriting })
      for (DownstreamUse& use : group())
        all.push_back(std::move(use));
    return all;
  }();
  return uses;
}
