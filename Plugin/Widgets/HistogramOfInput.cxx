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

#include <tuple>

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

// Returns the reason why the server is not asked for a histogram; empty if it is.
QString obstacleTo(const HistogramRequest& request)
{
  if (!request.input)
    return text("There is no input.");
  if (!request.input->GetSessionProxyManager()->GetProxyDefinitionManager()->HasDefinition(Group, Name))
    return text("This version of the plugin VulkanMarchingCubes computes no histogram.");
  if (request.array.empty())
    return text("Select an array to see its histogram.");
  vtkPVDataInformation* data = request.input->GetDataInformation(request.port);
  if (!data->GetArrayInformation(request.array.c_str(), request.association))
    return text("The input has no array \"%1\" yet.").arg(QString::fromStdString(request.array));
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

vtkSmartPointer<vtkSMSourceProxy> newHistogram(const HistogramRequest& request)
{
  vtkSmartPointer<vtkSMSourceProxy> filter = newFilter(request.input, request.port, Name);
  vtkSMPropertyHelper(filter, "SelectInputScalars").SetInputArrayToProcess(request.association, request.array.c_str());
  vtkSMPropertyHelper(filter, "ArrayComponent").Set(request.component);
  vtkSMPropertyHelper(filter, "Boundary").Set(request.boundary);
  vtkSMPropertyHelper(filter, "Device").Set(request.device.c_str());
  vtkSMPropertyHelper(filter, "MemoryLimit").Set(request.memoryLimit);
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
      this->First = sentenceOf(QString::fromUtf8(static_cast<const char*>(message)));
  }

  // A message of vtkErrorMacro begins with the file and the object.
  static QString sentenceOf(const QString& message)
  {
    const auto object = message.indexOf("): ");
    return message.mid(object < 0 ? 0 : object + 3).trimmed();
  }

  const vtkSmartPointer<vtkAlgorithm> Algorithm; // null if it is not in this process
  unsigned long Observer = 0;
  QString First;
};

double valueIn(vtkTable* table, vtkIdType row, const char* column)
{
  vtkDataArray* values = vtkDataArray::SafeDownCast(table->GetColumnByName(column));
  return values ? values->GetTuple1(row) : 0;
}

// Adds a suggestion per value that the table has in this array. suggestion: without its value.
void addSuggestions(
  std::vector<plots::Suggestion>& suggestions, vtkTable* table, const char* array, plots::Suggestion suggestion)
{
  vtkDataArray* values = table->GetFieldData()->GetArray(array);
  for (vtkIdType i = 0; values && i < values->GetNumberOfTuples(); ++i)
  {
    suggestion.value = values->GetTuple1(i);
    suggestions.push_back(suggestion);
  }
}

// Magnitudes are real numbers.
bool areIntegers(const HistogramRequest& request)
{
  vtkPVArrayInformation* array =
    request.input->GetDataInformation(request.port)->GetArrayInformation(request.array.c_str(), request.association);
  if (!array || (request.component < 0 && array->GetNumberOfComponents() > 1))
    return false;
  return array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE;
}

// The filter leaves the table empty if it fails. Each other table has the number of NaNs, also one without bins.
bool isComputed(vtkTable* table)
{
  return table && table->GetFieldData()->GetArray("NaN");
}

// Returns the reason why there is no bin.
QString reasonOf(const Errors& errors, vtkTable* table)
{
  if (!errors.first().isEmpty())
    return errors.first();
  if (!isComputed(table))
    return text("The server could not compute the histogram. See the output messages.");
  return text("No sample has a finite value.");
}

auto membersOf(const HistogramRequest& request)
{
  return std::tie(request.input, request.port, request.association, request.array, request.component, request.boundary,
    request.device, request.memoryLimit);
}

}

bool operator==(const HistogramRequest& a, const HistogramRequest& b)
{
  return membersOf(a) == membersOf(b);
}

const char* arrayPropertyOf(vtkSMProxy* contour)
{
  return contour->GetProperty("ContourBy") ? "ContourBy" : "SelectInputScalars";
}

HistogramRequest requestOf(vtkSMProxy* contour)
{
  HistogramRequest request;
  const vtkSMPropertyHelper input(contour, "Input", /*quiet*/ true);
  request.input = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  request.port = input.GetOutputPort();
  const vtkSMUncheckedPropertyHelper array(contour, arrayPropertyOf(contour));
  if (array.GetNumberOfElements() == 5)
  {
    request.association = std::atoi(array.GetAsString(3));
    request.array = array.GetAsString(4);
  }
  request.component = vtkSMUncheckedPropertyHelper(contour, "ArrayComponent").GetAsInt();
  request.boundary = vtkSMUncheckedPropertyHelper(contour, "Boundary").GetAsInt();
  request.memoryLimit = vtkSMUncheckedPropertyHelper(contour, "MemoryLimit").GetAsDouble();
  request.device = vtkSMUncheckedPropertyHelper(contour, "Device").GetAsString();
  return request;
}

HistogramAnswer computeHistogram(const HistogramRequest& request, double time)
{
  HistogramAnswer answer;
  answer.message = obstacleTo(request);
  if (!answer.message.isEmpty())
    return answer;
  // The filter's table lies on the first process of the server.
  const vtkSmartPointer<vtkSMSourceProxy> histogram = newHistogram(request);
  const Errors errors(histogram);
  const vtkSmartPointer<vtkSMSourceProxy> mover = newFilter(histogram, 0, "ClientServerMoveData");
  vtkSMPropertyHelper(mover, "OutputDataType").Set(VTK_TABLE);
  mover->UpdateVTKObjects();
  mover->UpdatePipeline(time);
  vtkAlgorithm* onClient = vtkAlgorithm::SafeDownCast(mover->GetClientSideObject());
  vtkTable* table = onClient ? vtkTable::SafeDownCast(onClient->GetOutputDataObject(0)) : nullptr;
  if (table)
  {
    answer.histogram = plots::withFiniteBins(histogramFrom(table));
    answer.histogram.columnOffset = areIntegers(request) ? -0.5 : 0;
  }
  if (answer.histogram.bins.empty())
    answer.message = reasonOf(errors, table);
  return answer;
}

plots::Histogram histogramFrom(vtkTable* table)
{
  plots::Histogram histogram;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
    histogram.bins.push_back({ valueIn(table, row, "Lower"), valueIn(table, row, "Upper"),
      valueIn(table, row, "Samples"), valueIn(table, row, "CutCells") });
  addSuggestions(histogram.suggestions, table, "OtsuThreshold", { text("Otsu's threshold"), 0, /*isDefault*/ true });
  addSuggestions(histogram.suggestions, table, "Valleys", { text("Between two peaks"), 0, false });
  addSuggestions(histogram.suggestions, table, "MostCutCells", { text("Value that cuts most cells"), 0, false });
  return histogram;
}

}
