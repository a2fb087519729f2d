// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "IsovalueLegend.h"

#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"

#include <set>
#include <string>

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
    const bool isIsosurface = vtkSMVulkanIsosurfaceRepresentationProxy::IsShownIn(display);
    (isIsosurface ? images : filters).insert(proxyIn(display, "Input"));
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

std::vector<vtkSMProxy*> scalarBarsOf(vtkSMProxy* lookupTable)
{
  std::vector<vtkSMProxy*> bars;
  for (vtkSMProxy* consumer : consumersOf(lookupTable))
    if (isScalarBar(consumer))
      bars.push_back(consumer);
  return bars;
}

void replaceLabels(vtkSMProxy* filter, const std::vector<double>& oldIsovalues, const std::vector<double>& isovalues)
{
  for (vtkSMProxy* display : consumersOf(filter))
  {
    vtkSMProxy* const lookupTable = proxyIn(display, "LookupTable");
    if (!lookupTable)
      continue;
    for (vtkSMProxy* bar : scalarBarsOf(lookupTable))
      if (vtkSMPropertyHelper(bar, "UseCustomLabels").GetAsInt() &&
          vtkSMPropertyHelper(bar, "CustomLabels").GetDoubleArray() == oldIsovalues)
        setLabels(bar, isovalues);
  }
}
