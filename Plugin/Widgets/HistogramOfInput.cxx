// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "HistogramOfInput.h"

#include "vtkAlgorithm.h"
#include "vtkCommand.h"
#include "vtkDataArray.h"
#include "vtkFieldData.h"
#include "vtkPVArrayInformation.h"
#include "vtkPVDataInformation.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxyDefinitionManager.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMUncheckedPropertyHelper.h"
#include "vtkSmartPointer.h"
#include "vtkTable.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace vmc::widgets
{

namespace
{

constexpr const char* Group = "filters";
constexpr const char* Name = "VulkanImageHistogram";

QString text(const char* english)
{
  return QCoreApplication::translate("HistogramOfInput", english);
}

// Null if the source has no such array, or was not updated yet.
vtkPVArrayInformation* informationOn(const ContouredArray& array)
{
  return array.source->GetDataInformation(array.port)->GetArrayInformation(array.name.c_str(), array.association);
}

// Returns the reason why the server is not asked for a histogram; empty if it is.
QString obstacleTo(const ContouredArray& array)
{
  if (!array.source)
    return text("There is no input.");
  if (!array.source->GetSessionProxyManager()->GetProxyDefinitionManager()->HasDefinition(Group, Name))
    return text("This version of the plugin VulkanMarchingCubes computes no histogram.");
  if (array.name.empty())
    return text("Select an array to see its histogram.");
  if (!informationOn(array))
    return text("The input has no array \"%1\" yet.").arg(QString::fromStdString(array.name));
  return QString();
}

vtkSmartPointer<vtkSMSourceProxy> newFilter(vtkSMSourceProxy* input, unsigned int port, const char* name)
{
  vtkSMSessionProxyManager* manager = input->GetSessionProxyManager();
  vtkSmartPointer<vtkSMSourceProxy> filter;
  filter.TakeReference(vtkSMSourceProxy::SafeDownCast(manager->NewProxy(Group, name)));
  vtkSMPropertyHelper(filter, "Input").Set(input, port);
  return filter;
}

vtkSmartPointer<vtkSMSourceProxy> newHistogram(vtkSMProxy* contour, const ContouredArray& array)
{
  vtkSmartPointer<vtkSMSourceProxy> filter = newFilter(array.source, array.port, Name);
  vtkSMPropertyHelper(filter, "SelectInputScalars").SetInputArrayToProcess(array.association, array.name.c_str());
  for (const char* name : { "ArrayComponent", "Boundary", "JoinBlocks" })
    if (contour->GetProperty(name)) // a display has no JoinBlocks
      vtkSMPropertyHelper(filter, name).Set(vtkSMUncheckedPropertyHelper(contour, name).GetAsInt());
  vtkSMPropertyHelper(filter, "Device").Set(vtkSMUncheckedPropertyHelper(contour, "Device").GetAsString());
  vtkSMPropertyHelper(filter, "MemoryLimit").Set(vtkSMUncheckedPropertyHelper(contour, "MemoryLimit").GetAsDouble());
  filter->UpdateVTKObjects();
  return filter;
}

// The errors of a filter in this process, instead of in the Output Messages. A filter of a remote server reports there.
class Errors
{
public:
  explicit Errors(vtkSMProxy* filter)
    : Algorithm(vtkAlgorithm::SafeDownCast(filter->GetClientSideObject()))
  {
    if (this->Algorithm)
      this->Observer = this->Algorithm->AddObserver(vtkCommand::ErrorEvent, this, &Errors::add);
  }
  ~Errors()
  {
    if (this->Algorithm)
      this->Algorithm->RemoveObserver(this->Observer);
  }
  Errors(const Errors&) = delete;
  void operator=(const Errors&) = delete;

  QString first() const { return this->First; }

private:
  void add(vtkObject*, unsigned long, void* message)
  {
    if (this->First.isEmpty())
      this->First = QString::fromUtf8(static_cast<const char*>(message)).remove(FileAndObject).trimmed();
  }

  // The beginning of a message of vtkErrorMacro.
  const QRegularExpression FileAndObject{ "^.*?\\): ", QRegularExpression::DotMatchesEverythingOption };
  const vtkSmartPointer<vtkAlgorithm> Algorithm; // null if it is not in this process
  unsigned long Observer = 0;
  QString First;
};

double valueIn(vtkTable* table, vtkIdType row, const char* column)
{
  vtkDataArray* values = vtkDataArray::SafeDownCast(table->GetColumnByName(column));
  return values ? values->GetTuple1(row) : 0;
}

// Magnitudes are real numbers.
bool areIntegers(vtkPVArrayInformation* array, int component)
{
  if (!array || (component < 0 && array->GetNumberOfComponents() > 1))
    return false;
  return array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE;
}

// Returns the reason why there is no bin.
QString reasonOf(const Errors& errors, vtkTable* table)
{
  if (!errors.first().isEmpty())
    return errors.first();
  // The filter leaves the table empty if it fails. Each other table has the number of NaNs, also one without bins.
  if (!table || !table->GetFieldData()->GetArray("NaN"))
    return text("The server could not compute the histogram. See the output messages.");
  return text("No sample has a finite value.");
}

// Returns the table of VulkanImageHistogram. Columns and field data that the table lacks are left out.
plots::Histogram histogramFrom(vtkTable* table)
{
  plots::Histogram histogram;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
    if (const double lower = valueIn(table, row, "Lower"), upper = valueIn(table, row, "Upper");
        std::isfinite(lower) && std::isfinite(upper)) // the server may have another version
      histogram.bins.push_back({ lower, upper, valueIn(table, row, "Samples"), valueIn(table, row, "CutCells") });
  const std::pair<const char*, QString> suggestions[] = { { "OtsuThreshold", text("Otsu's threshold") },
    { "Valleys", text("Between two peaks") }, { "MostCutCells", text("Value that cuts most cells") } };
  for (const auto& [array, name] : suggestions)
  {
    const bool isDefault = array == suggestions[0].first;
    vtkDataArray* values = table->GetFieldData()->GetArray(array);
    for (vtkIdType i = 0; values && i < values->GetNumberOfTuples(); ++i)
      histogram.suggestions.push_back({ name, values->GetTuple1(i), isDefault });
  }
  return histogram;
}

}

const char* arrayPropertyOf(vtkSMProxy* contour)
{
  return contour->GetProperty("ContourBy") ? "ContourBy" : "SelectInputScalars";
}

ContouredArray arrayOf(vtkSMProxy* contour)
{
  ContouredArray array;
  const vtkSMPropertyHelper input(contour, "Input", /*quiet*/ true);
  array.source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  array.port = input.GetOutputPort();
  const vtkSMUncheckedPropertyHelper selection(contour, arrayPropertyOf(contour));
  if (selection.GetNumberOfElements() == 5)
  {
    array.association = std::atoi(selection.GetAsString(3));
    array.name = selection.GetAsString(4);
  }
  return array;
}

plots::Histogram computeHistogram(vtkSMProxy* contour, double time)
{
  const ContouredArray array = arrayOf(contour);
  plots::Histogram histogram;
  histogram.message = obstacleTo(array);
  if (!histogram.message.isEmpty())
    return histogram;
  // The filter's table lies on the first process of the server.
  const vtkSmartPointer<vtkSMSourceProxy> filter = newHistogram(contour, array);
  const Errors errors(filter);
  const vtkSmartPointer<vtkSMSourceProxy> mover = newFilter(filter, 0, "ClientServerMoveData");
  vtkSMPropertyHelper(mover, "OutputDataType").Set(VTK_TABLE);
  mover->UpdateVTKObjects();
  mover->UpdatePipeline(time);
  vtkAlgorithm* onClient = vtkAlgorithm::SafeDownCast(mover->GetClientSideObject());
  vtkTable* table = onClient ? vtkTable::SafeDownCast(onClient->GetOutputDataObject(0)) : nullptr;
  if (table)
  {
    histogram = histogramFrom(table);
    const int component = vtkSMPropertyHelper(filter, "ArrayComponent").GetAsInt();
    histogram.columnOffset = areIntegers(informationOn(array), component) ? -0.5 : 0;
  }
  if (histogram.bins.empty())
    histogram.message = reasonOf(errors, table);
  return histogram;
}

}
