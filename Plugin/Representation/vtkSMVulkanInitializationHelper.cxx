// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanInitializationHelper.h"

#include "IsovalueLegend.h"
#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include "vtkDataObject.h"
#include "vtkObjectFactory.h"
#include "vtkPVDataInformation.h"
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"

#include <string>

vtkStandardNewMacro(vtkSMVulkanInitializationHelper);

namespace
{

// The look of a display, without the array that colours it. Some versions of ParaView lack some of these properties.
constexpr const char* LookProperties[] = { "AmbientColor", "DiffuseColor", "Opacity", "Interpolation", "Ambient",
  "Diffuse", "Specular", "SpecularPower", "SpecularColor", "Luminosity", "Metallic", "Roughness", "BaseIOR", "EdgeTint",
  "Anisotropy", "AnisotropyRotation", "CoatStrength", "CoatIOR", "CoatRoughness", "CoatColor", "EdgeColor",
  "EdgeOpacity", "LineWidth", "RenderLinesAsTubes", "Position", "Translation", "Scale", "Orientation", "Origin",
  "UserTransform" };

bool isContour(vtkSMProxy* proxy)
{
  return std::string(proxy->GetXMLName()) == "VulkanMarchingCubes";
}

// The filter of this project that the display shows; null if it shows something else.
vtkSMSourceProxy* filterOf(vtkSMProxy* display)
{
  vtkSMSourceProxy* const source =
    vtkSMSourceProxy::SafeDownCast(vtkSMPropertyHelper(display, "Input", /*quiet*/ true).GetAsProxy());
  return source && isContour(source) ? source : nullptr;
}

void copyLook(vtkSMProxy* surface, vtkSMProxy* image)
{
  for (const char* name : LookProperties)
    if (surface->GetProperty(name) && image->GetProperty(name))
      surface->GetProperty(name)->Copy(image->GetProperty(name));
  if (vtkSMPropertyHelper(image, "EdgeVisibility").GetAsInt())
    vtkSMPropertyHelper(surface, "Representation").Set("Surface With Edges");
}

// Gives the surface the colour that an isovalue has in the image's display.
void setColorOf(double isovalue, vtkSMProxy* surface, vtkSMProxy* image)
{
  if (const auto color = colorAt(vtkSMPropertyHelper(image, "LookupTable").GetAsProxy(), isovalue))
    for (const char* name : { "AmbientColor", "DiffuseColor" })
      vtkSMPropertyHelper(surface, name).Set(color->data(), 3);
}

// The name of the array that colours a display; empty if it has one colour, or for null.
std::string colorArrayOf(vtkSMProxy* display)
{
  return display ? vtkSMPropertyHelper(display, "ColorArrayName").GetInputArrayNameToProcess() : "";
}

bool hasPointArray(vtkSMSourceProxy* filter, const std::string& name)
{
  return !name.empty() && filter->GetDataInformation()->GetArrayInformation(name.c_str(), vtkDataObject::POINT);
}

// The array that shall colour the surface of a filter; empty for one colour. image: a display of the input; or null.
std::string chooseColorArray(vtkSMSourceProxy* filter, vtkSMProxy* image)
{
  const std::string isovalues = isovalueArrayOf(filter);
  std::string seen = colorArrayOf(image);
  if (seen != isovalues && hasPointArray(filter, seen))
    return seen;
  const bool hasOneColor = image && seen.empty();
  const bool hasSeveral = vtkSMPropertyHelper(filter, "ContourValues").GetNumberOfElements() > 1;
  return hasSeveral && !hasOneColor ? isovalues : "";
}

// The array's association and name; a property of five elements, of which these are the last.
std::string arrayIn(vtkSMProxy* proxy, const char* property)
{
  const vtkSMPropertyHelper helper(proxy, property);
  return std::string(helper.GetAsString(3)) + "/" + helper.GetAsString(4);
}

// Copies the settings of the display to a new filter, without those that the caller has set since the given time.
void copySettings(vtkSMProxy* filter, vtkSMProxy* display, vtkMTimeType initializationTime)
{
  const auto copy = [&](const char* to, const char* from)
  {
    if (filter->GetProperty(to)->GetMTime() <= initializationTime)
      filter->GetProperty(to)->Copy(display->GetProperty(from));
  };
  copy("Boundary", "Boundary");
  copy("Device", "Device");
  copy("SelectInputScalars", "ContourBy");
  const bool isSameArray = arrayIn(filter, "SelectInputScalars") == arrayIn(display, "ContourBy");
  if (isSameArray)
    copy("ArrayComponent", "ArrayComponent");
  if (isSameArray && vtkSMPropertyHelper(filter, "ArrayComponent").GetAsInt() ==
                       vtkSMPropertyHelper(display, "ArrayComponent").GetAsInt())
    copy("ContourValues", "Isosurfaces");
  vtkSMProperty* const interpolate = filter->GetProperty("InterpolateAttributes");
  if (!colorArrayOf(display).empty() && arrayIn(display, "ColorArrayName") != arrayIn(display, "ContourBy") &&
      interpolate->GetMTime() <= initializationTime)
    vtkSMPropertyHelper(interpolate).Set(1);
  filter->UpdateVTKObjects();
}

}

void vtkSMVulkanInitializationHelper::PostInitializeProxy(
  vtkSMProxy* proxy, vtkPVXMLElement*, vtkMTimeType initializationTime)
{
  if (proxy->GetProperty("CustomLabels"))
    return labelWithIsovalues(proxy);
  vtkSMProxy* const display =
    isContour(proxy) ? vtkSMVulkanIsosurfaceRepresentationProxy::FindDisplayOfInput(proxy) : nullptr;
  if (display)
    copySettings(proxy, display, initializationTime);
}

void vtkSMVulkanInitializationHelper::RegisterProxy(vtkSMProxy* proxy, vtkPVXMLElement*)
{
  vtkSMPVRepresentationProxy* const display = vtkSMPVRepresentationProxy::SafeDownCast(proxy);
  vtkSMSourceProxy* const filter = display ? filterOf(display) : nullptr;
  if (!filter)
    return;
  vtkSMProxy* const image = vtkSMVulkanIsosurfaceRepresentationProxy::FindDisplayOfInput(filter);
  const std::string array = chooseColorArray(filter, image);
  if (image)
    copyLook(display, image);
  display->SetScalarColoring(array.c_str(), vtkDataObject::POINT);
  if (!array.empty())
    labelScalarBarsOf(display);
  else if (image && colorArrayOf(image) == isovalueArrayOf(filter) && !colorArrayOf(image).empty())
    setColorOf(vtkSMPropertyHelper(filter, "ContourValues").GetAsDouble(), display, image);
  display->UpdateVTKObjects();
}
