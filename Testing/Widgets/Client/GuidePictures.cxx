// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "GuidePictures.h"

#include "Client.h"
#include "Plots/HistogramWidget.h"

#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkType.h"

#include <pqActiveObjects.h>
#include <pqDataRepresentation.h>
#include <pqPipelineSource.h>
#include <pqView.h>

#include <QMenu>
#include <QTest>
#include <QToolButton>

namespace
{

constexpr int Size = 256; // samples of the phantom along each axis

void openPhantom()
{
  pqPipelineSource* reader = client::create("sources", "ImageReader");
  vtkSMProxy* proxy = reader->getProxy();
  const int extent[6] = { 0, Size - 1, 0, Size - 1, 0, Size - 1 }, dimensions[3] = { Size, Size, Size };
  vtkSMPropertyHelper(proxy, "FileNames").Set(qPrintable(qEnvironmentVariable("VMC_GUIDE_VOLUME")));
  vtkSMPropertyHelper(proxy, "DataScalarType").Set(VTK_UNSIGNED_CHAR);
  if (proxy->GetProperty("Dimensions")) // since ParaView 6.1
    vtkSMPropertyHelper(proxy, "Dimensions").Set(dimensions, 3);
  else
    vtkSMPropertyHelper(proxy, "DataExtent").Set(extent, 6);
  vtkSMPropertyHelper(proxy, "FileDimensionality").Set(3);
  proxy->UpdateVTKObjects();
  reader->rename("chest");
  client::apply();
}

// Moves the camera to the front of the body.
void lookAtThePhantom()
{
  vtkSMProxy* view = pqActiveObjects::instance().activeView()->getProxy();
  const double middle = Size / 2.0;
  const double focus[3] = { middle, middle, middle };
  const double position[3] = { middle + 160, middle + 60, middle + 620 };
  vtkSMPropertyHelper(view, "CameraFocalPoint").Set(focus, 3);
  vtkSMPropertyHelper(view, "CameraPosition").Set(position, 3);
  view->UpdateVTKObjects();
  client::render();
}

}

void GuidePictures::init()
{
  client::resetSession();
  client::arrangeWindow();
}

void GuidePictures::save(const QString& name) const
{
  client::savePicture(qEnvironmentVariable("VMC_GUIDE_PICTURES") + "/" + name + ".png");
}

void GuidePictures::firstIsosurface()
{
  client::create("sources", "RTAnalyticSource");
  client::apply();
  client::create("filters", "VulkanMarchingCubes");
  QVERIFY(client::waitFor([] { return client::histogram() && !client::histogram()->histogram().bins.empty(); }));
  client::settle();
  client::apply();
  client::render();
  this->save("first-isosurface");
}

void GuidePictures::choosingAnIsovalue()
{
  openPhantom();
  client::showAs("Vulkan Isosurface");
  lookAtThePhantom();
  QVERIFY(client::waitFor([] { return client::histogram() && !client::histogram()->histogram().bins.empty(); }));
  vmc::plots::HistogramWidget* histogram = client::histogram();
  client::scrollTo(client::visibleWidget("ExtractSurface"));
  QToolButton* suggest = static_cast<QToolButton*>(client::visibleWidget("Suggest"));
  suggest->menu()->popup(suggest->mapToGlobal(suggest->rect().bottomLeft()));
  this->save("isovalue-histogram");
  suggest->menu()->close();

  client::press(histogram, client::pixelAt(histogram, histogram->isovalues().at(0)));
  for (const double value : { 110, 140, 170, 185 })
    client::move(histogram, client::pixelAt(histogram, value));
  client::settle();
  this->save("isovalue-drag");
  client::release(histogram, client::pixelAt(histogram, 185));

  client::click("ExtractSurface");
  vtkSMProxy* filter = client::activeSource()->getProxy();
  client::setValues(filter, "ContourValues", { 117.5 });
  client::apply();
  client::render();
  client::click("AdvancedButton"); // the stages
  QVERIFY(client::waitFor([] { return client::visibleWidget("Run"); }));
  client::scrollTo(client::visibleWidget("Run")->parentWidget());
  this->save("isovalue-filter");
  client::click("AdvancedButton");
}
