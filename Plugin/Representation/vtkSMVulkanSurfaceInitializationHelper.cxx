// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanSurfaceInitializationHelper.h"

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

vtkStandardNewMacro(vtkSMVulkanSurfaceInitializationHelper);

namespace
{

// The look of a display, without the array that colours it. Some versions of ParaView lack some of these properties.
constexpr const char* LookProperties[] = { "AmbientColor", "DiffuseColor", "Opacity", "Interpolation", "Ambient",
  "Diffuse", "Specular", "SpecularPower", "SpecularColor", "Luminosity", "Metallic", "Roughness", "BaseIOR", "EdgeTint",
  "Anisotropy", "AnisotropyRotation", "CoatStrength", "CoatIOR", "CoatRoughness", "CoatColor", "EdgeColor",
  "EdgeOpacity", "LineWidth", "RenderLinesAsTubes", "Position", "Translation", "Scale", "Orientation", "Origin",
  "UserTransform" };

// The filter of this project that the display shows; null if it shows something else.
vtkSMSourceProxy* filterOf(vtkSMProxy* display)
{
  vtkSMSourceProxy* const source =
    vtkSMSourceProxy::SafeDownCast(vtkSMPropertyHelper(display, "Input", /*quiet*/ true).GetAsProxy());
  return source && std::string(source->GetXMLName()) == "VulkanMarchingCubes" ? source : nullptr;
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

}

void vtkSMVulkanSurfaceInitializationHelper::PostInitializeProxy(vtkSMProxy* scalarBar, vtkPVXMLElement*, vtkMTimeType)
{
  if (scalarBar->GetProperty("CustomLabels"))
    labelWithIsovalues(scalarBar);
}

void vtkSMVulkanSurfaceInitializationHelper::RegisterProxy(vtkSMProxy* proxy, vtkPVXMLElement*)
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
