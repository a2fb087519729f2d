// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "pqVulkanSurfaceBehavior.h"

#include "IsovalueLegend.h"

#include "vtkDataObject.h"
#include "vtkNew.h"
#include "vtkPVGeneralSettings.h"
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSMParaViewPipelineControllerWithRendering.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMViewProxy.h"
#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"
#include "vtkWeakPointer.h"

#include <pqApplicationCore.h>
#include <pqObjectBuilder.h>
#include <pqPipelineSource.h>
#include <pqView.h>

#include <algorithm>

namespace
{

// The first display of a filter.
struct Surface
{
  vtkWeakPointer<vtkSMPVRepresentationProxy> Display;
  vtkWeakPointer<vtkSMViewProxy> View;
  vtkMTimeType ColorTime = 0; // when the colours were chosen first
};

vtkMTimeType colorTimeOf(vtkSMProxy* display)
{
  return std::max(display->GetProperty("ColorArrayName")->GetMTime(), display->GetProperty("DiffuseColor")->GetMTime());
}

Surface surfaceOf(pqPipelineSource* filter)
{
  for (pqView* view : filter->getViews())
    if (auto* display = vtkSMPVRepresentationProxy::SafeDownCast(
          view->getViewProxy()->FindRepresentation(filter->getSourceProxy(), 0)))
      return { display, view->getViewProxy(), colorTimeOf(display) };
  return {};
}

void hideInput(vtkSMProxy* filter, vtkSMViewProxy* view)
{
  const vtkSMPropertyHelper input(filter, "Input");
  vtkSMSourceProxy* const source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkSMProxy* const display = source ? view->FindRepresentation(source, input.GetOutputPort()) : nullptr;
  if (display && vtkSMVulkanIsosurfaceRepresentationProxy::IsShownBy(display))
    vtkNew<vtkSMParaViewPipelineControllerWithRendering>()->Hide(
      source, static_cast<int>(input.GetOutputPort()), view); // part of a Python trace
}

void colorByIsovalues(vtkSMSourceProxy* filter, const Surface& surface)
{
  if (surface.Display->GetUsingScalarColoring() ||
      vtkSMPropertyHelper(filter, "ContourValues").GetNumberOfElements() < 2)
    return;
  surface.View->Update(); // the range of the new isovalues
  const std::string array = isovalueArrayOf(filter);
  if (array.empty())
    return;
  surface.Display->SetScalarColoring(array.c_str(), vtkDataObject::POINT);
  surface.Display->RescaleTransferFunctionToDataRange(/*extend*/ true, /*force*/ false);
  if (vtkPVGeneralSettings::GetInstance()->GetScalarBarMode() ==
      vtkPVGeneralSettings::AUTOMATICALLY_SHOW_AND_HIDE_SCALAR_BARS)
    surface.Display->SetScalarBarVisibility(surface.View, true);
  labelScalarBarsOf(surface.Display); // a bar that is older than the surface
}

void onApplied(pqPipelineSource* filter, Surface& surface)
{
  if (surface.ColorTime == 0)
  {
    surface = surfaceOf(filter);
    if (surface.View)
      hideInput(filter->getProxy(), surface.View);
  }
  else if (surface.Display && surface.View && colorTimeOf(surface.Display) == surface.ColorTime)
    colorByIsovalues(filter->getSourceProxy(), surface);
}

void onCreated(pqPipelineSource* filter)
{
  if (!filter || QString(filter->getProxy()->GetXMLName()) != "VulkanMarchingCubes")
    return;
  vtkSMPropertyHelper(filter->getProxy(), "ComputeMeasures").Set(1); // a person sees them; a script must ask
  QObject::connect(filter, &pqProxy::modifiedStateChanged, filter,
    [filter, surface = Surface()](pqServerManagerModelItem*) mutable
    {
      if (filter->modifiedState() == pqProxy::UNINITIALIZED) // undo, too
        surface = Surface();
      else if (filter->modifiedState() == pqProxy::UNMODIFIED)
        onApplied(filter, surface);
    });
}

}

void pqVulkanSurfaceBehavior::startup()
{
  QObject::connect(
    pqApplicationCore::instance()->getObjectBuilder(), &pqObjectBuilder::filterCreated, this, &onCreated);
}
