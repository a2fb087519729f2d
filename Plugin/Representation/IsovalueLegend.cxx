// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "IsovalueLegend.h"

#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include "vtkDataSetAttributes.h"
#include "vtkPVArrayInformation.h"
#include "vtkPVDataInformation.h"
#include "vtkPVDataSetAttributesInformation.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"
#include "vtkScalarsToColors.h"

#include <set>

namespace
{

vtkSMProxy* proxyIn(vtkSMProxy* owner, const char* property)
{
  const vtkSMPropertyHelper helper(owner, property, /*quiet*/ true);
  return helper.GetNumberOfElements() > 0 ? helper.GetAsProxy() : nullptr;
}

// Each proxy that has this one in a property, without the parts of which it consists.
std::set<vtkSMProxy*> consumersOf(vtkSMProxy* proxy)
{
  std::set<vtkSMProxy*> consumers;
  for (unsigned int i = 0; i < proxy->GetNumberOfConsumers(); ++i)
    if (vtkSMProxy* consumer = proxy->GetConsumerProxy(i))
      consumers.insert(consumer->GetTrueParentProxy());
  return consumers;
}

bool isScalarBar(vtkSMProxy* proxy)
{
  return std::string(proxy->GetXMLName()) == "ScalarBarWidgetRepresentation";
}

// The filter whose surfaces alone have these colours; null if there is none.
vtkSMProxy* filterColoredBy(vtkSMProxy* lookupTable)
{
  std::set<vtkSMProxy*> filters;
  std::set<vtkSMProxy*> images;
  for (vtkSMProxy* display : consumersOf(lookupTable))
  {
    if (isScalarBar(display) || !vtkSMPropertyHelper(display, "Visibility", /*quiet*/ true).GetAsInt())
      continue;
    (vtkSMVulkanIsosurfaceRepresentationProxy::IsShownBy(display) ? images : filters).insert(proxyIn(display, "Input"));
  }
  vtkSMProxy* const filter = filters.size() == 1 ? *filters.begin() : nullptr;
  if (!filter || std::string(filter->GetXMLName()) != "VulkanMarchingCubes")
    return nullptr;
  images.insert(proxyIn(filter, "Input"));
  return images.size() == 1 ? filter : nullptr;
}

void setLabels(vtkSMProxy* scalarBar, const std::vector<double>& isovalues)
{
  vtkSMPropertyHelper(scalarBar, "UseCustomLabels").Set(1);
  vtkSMPropertyHelper(scalarBar, "AddRangeLabels").Set(0);
  vtkSMPropertyHelper(scalarBar, "CustomLabels").Set(isovalues.data(), static_cast<unsigned int>(isovalues.size()));
  scalarBar->UpdateVTKObjects();
}

void setLabelsOfParaView(vtkSMProxy* scalarBar)
{
  vtkSMPropertyHelper(scalarBar, "UseCustomLabels").Set(0);
  vtkSMPropertyHelper(scalarBar, "AddRangeLabels").Set(1);
  scalarBar->UpdateVTKObjects();
}

std::vector<vtkSMProxy*> scalarBarsOf(vtkSMProxy* display)
{
  std::vector<vtkSMProxy*> bars;
  if (vtkSMProxy* const lookupTable = proxyIn(display, "LookupTable"))
    for (vtkSMProxy* consumer : consumersOf(lookupTable))
      if (isScalarBar(consumer))
        bars.push_back(consumer);
  return bars;
}

}

std::string isovalueArrayOf(vtkSMSourceProxy* filter)
{
  if (!vtkSMPropertyHelper(filter, "ComputeScalars").GetAsInt())
    return {};
  const vtkPVArrayInformation* const scalars =
    filter->GetDataInformation()->GetPointDataInformation()->GetAttributeInformation(vtkDataSetAttributes::SCALARS);
  return scalars ? scalars->GetName() : "";
}

std::optional<std::array<double, 3>> colorAt(vtkSMProxy* lookupTable, double value)
{
  auto* const colors = vtkScalarsToColors::SafeDownCast(lookupTable ? lookupTable->GetClientSideObject() : nullptr);
  if (!colors)
    return std::nullopt;
  std::array<double, 3> color{};
  colors->Build();
  colors->GetColor(value, color.data());
  return color;
}

void labelWithIsovalues(vtkSMProxy* scalarBar)
{
  vtkSMProxy* const lookupTable = proxyIn(scalarBar, "LookupTable");
  vtkSMProxy* const filter = lookupTable ? filterColoredBy(lookupTable) : nullptr;
  if (!filter)
    return;
  const std::vector<double> isovalues = vtkSMPropertyHelper(filter, "ContourValues").GetDoubleArray();
  if (isovalues.size() > 1)
    setLabels(scalarBar, isovalues);
}

void labelScalarBarsOf(vtkSMProxy* display)
{
  for (vtkSMProxy* bar : scalarBarsOf(display))
    labelWithIsovalues(bar);
}

void updateLabels(vtkSMProxy* filter, const std::vector<double>& oldIsovalues)
{
  const std::vector<double> isovalues = vtkSMPropertyHelper(filter, "ContourValues").GetDoubleArray();
  const bool hasBecomeSeveral = oldIsovalues.size() < 2 && isovalues.size() > 1;
  for (vtkSMProxy* display : consumersOf(filter))
    for (vtkSMProxy* bar : scalarBarsOf(display))
    {
      const bool hasCustomLabels = vtkSMPropertyHelper(bar, "UseCustomLabels").GetAsInt() != 0;
      const bool hasOldIsovalues =
        hasCustomLabels && vtkSMPropertyHelper(bar, "CustomLabels").GetDoubleArray() == oldIsovalues;
      const bool isOfFilter = filterColoredBy(proxyIn(bar, "LookupTable")) == filter;
      if (isOfFilter && (hasOldIsovalues || (!hasCustomLabels && hasBecomeSeveral)))
        setLabels(bar, isovalues);
      else if (!isOfFilter && hasOldIsovalues)
        setLabelsOfParaView(bar);
    }
}
