// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SurfaceTest.h"

#include "Client.h"
#include "Plots/HistogramWidget.h"

#include "vtkDataObject.h"
#include "vtkPVGeneralSettings.h"
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMTrace.h"
#include "vtkSMTransferFunctionProxy.h"
#include "vtkSMViewProxy.h"

#include <pqActiveObjects.h>
#include <pqDataRepresentation.h>
#include <pqPVApplicationCore.h>
#include <pqPipelineSource.h>
#include <pqView.h>

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QListView>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

using client::waitFor;

namespace
{

using Values = std::vector<double>;

// Pixels at silhouettes: positions are rounded in another way.
constexpr double Silhouette = 0.001;
constexpr double Clear = 0.01; // part of the pixels, of another colour or another surface

pqPipelineSource* createWavelet()
{
  pqPipelineSource* wavelet = client::create("sources", "RTAnalyticSource");
  client::apply();
  return wavelet;
}

// The active source, as isosurfaces at these values.
pqDataRepresentation* showIsosurfaces(const Values& isovalues)
{
  client::showAs("Vulkan Isosurface");
  client::setValues(client::display()->getProxy(), "Isosurfaces", isovalues);
  return client::display();
}

pqPipelineSource* createAppliedFilter(const Values& isovalues)
{
  pqPipelineSource* filter = client::create("filters", "VulkanMarchingCubes");
  client::setValues(filter->getProxy(), "ContourValues", isovalues);
  client::apply();
  return filter;
}

void applyValues(pqPipelineSource* filter, const Values& isovalues)
{
  client::setValues(filter->getProxy(), "ContourValues", isovalues);
  filter->setModifiedState(pqProxy::MODIFIED); // as an edit in the panel does
  client::apply();
}

vtkSMPVRepresentationProxy* displayProxy()
{
  return vtkSMPVRepresentationProxy::SafeDownCast(client::display()->getProxy());
}

void colorBy(const char* array)
{
  displayProxy()->SetScalarColoring(array, vtkDataObject::POINT);
  displayProxy()->RescaleTransferFunctionToDataRange(/*extend*/ true, /*force*/ false);
  client::render();
}

QString colorArray()
{
  return vtkSMPropertyHelper(displayProxy(), "ColorArrayName").GetInputArrayNameToProcess();
}

// The labels in the visible legend of the active display; empty if there is no legend, or if its labels are ParaView's.
Values legend()
{
  vtkSMProxy* view = pqActiveObjects::instance().activeView()->getProxy();
  vtkSMProxy* table = vtkSMPropertyHelper(displayProxy(), "LookupTable").GetAsProxy();
  vtkSMProxy* bar = table ? vtkSMTransferFunctionProxy::FindScalarBarRepresentation(table, view) : nullptr;
  if (!bar || !vtkSMPropertyHelper(bar, "Visibility").GetAsInt() ||
      !vtkSMPropertyHelper(bar, "UseCustomLabels").GetAsInt() || vtkSMPropertyHelper(bar, "AddRangeLabels").GetAsInt())
    return {};
  return client::valuesOf(bar, "CustomLabels");
}

// With a legend or without, the picture is the same elsewhere.
void hideLegend()
{
  displayProxy()->SetScalarBarVisibility(pqActiveObjects::instance().activeView()->getProxy(), false);
  client::render();
}

// Returns the entries of ParaView's search that can be chosen.
QStringList search(const QString& text)
{
  QStringList found;
  QTimer::singleShot(0, qApp,
    [&]
    {
      QDialog* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      QTest::keyClicks(dialog, text);
      for (const QListView* list : dialog->findChildren<QListView*>())
        for (int row = 0; list->objectName() != "DisabledProxies" && row < list->model()->rowCount(); ++row)
          if (const QModelIndex entry = list->model()->index(row, 0); entry.flags() & Qt::ItemIsEnabled)
            found << entry.data().toString();
      dialog->reject();
    });
  pqPVApplicationCore::instance()->quickLaunch();
  return found;
}

}

void SurfaceTest::initTestCase()
{
  client::arrangeWindow();
  vtkPVGeneralSettings::GetInstance()->SetAutoApply(false);
  vtkPVGeneralSettings::GetInstance()->SetScalarBarMode(vtkPVGeneralSettings::AUTOMATICALLY_SHOW_AND_HIDE_SCALAR_BARS);
}

void SurfaceTest::init()
{
  client::resetSession();
}

// Saves a picture of the screen at the end of each test.
void SurfaceTest::cleanup()
{
  const QString folder = qEnvironmentVariable("VMC_PICTURES");
  const QString row = QTest::currentDataTag() ? QString("-") + QTest::currentDataTag() : QString();
  if (!folder.isEmpty())
    client::savePicture(folder + "/" + QTest::currentTestFunction() + row.simplified().replace(' ', '_') + ".png");
}

void SurfaceTest::imageOfIsosurfacesIsHidden_data()
{
  QTest::addColumn<QString>("action");
  QTest::newRow("menu and toolbar") << "VulkanMarchingCubes";
  QTest::newRow("search") << "SearchVulkanMarchingCubes";
  QTest::newRow("button") << "";
}

void SurfaceTest::imageOfIsosurfacesIsHidden()
{
  QFETCH(QString, action);
  createWavelet();
  const pqDataRepresentation* image = showIsosurfaces({ 150 });
  QVERIFY(waitFor([] { return client::visibleWidget("ExtractSurface"); }));
  if (action.isEmpty())
    client::click("ExtractSurface");
  else
    client::actions(qPrintable(action)).front()->trigger();
  QVERIFY(image->isVisible()); // until there is something else to see
  client::apply();
  QVERIFY(client::display() != image);
  QVERIFY(client::display()->isVisible());
  QVERIFY(!image->isVisible());
}

void SurfaceTest::hidingIsPartOfApply()
{
  createWavelet();
  const pqDataRepresentation* image = showIsosurfaces({ 150 });
  client::create("filters", "VulkanMarchingCubes");
  client::apply();
  client::undo();
  QVERIFY(image->isVisible());
  client::redo();
  QVERIFY(!image->isVisible());
  client::undo();
  client::selectSource("VulkanMarchingCubes1");
  client::apply();
  QVERIFY(!image->isVisible());
}

void SurfaceTest::imageThatIsShownAgainStays()
{
  createWavelet();
  pqDataRepresentation* image = showIsosurfaces({ 150 });
  pqPipelineSource* filter = createAppliedFilter({ 200 });
  image->setVisible(true);
  applyValues(filter, { 210 });
  QVERIFY(image->isVisible());
}

void SurfaceTest::outlineStays()
{
  createWavelet();
  const pqDataRepresentation* image = client::display();
  createAppliedFilter({ 150 });
  QVERIFY(image->isVisible());
}

void SurfaceTest::filterOfAScriptHidesNothing()
{
  createWavelet();
  const pqDataRepresentation* image = showIsosurfaces({ 150 });
  pqPipelineSource* filter = client::createAsScript("VulkanMarchingCubes");
  client::showInActiveView(filter);
  QVERIFY(client::display() != image);
  QVERIFY(image->isVisible());
}

namespace
{

// The area in the group Surface of the panel; 0 if there is none.
double shownArea()
{
  const QLabel* const surface = static_cast<QLabel*>(client::visibleWidget("Summary"));
  return surface ? QRegularExpression("^Area ([^,]+),", QRegularExpression::MultilineOption)
                     .match(surface->text())
                     .captured(1)
                     .toDouble()
                 : 0;
}

// Returns whether the panel shows the area of the last surface of the proxy, to the digits that it has.
bool isAreaOf(vtkSMProxy* proxy)
{
  const Values areas = client::valuesOf(proxy, "SurfaceArea");
  return areas.size() == 1 && areas[0] > 0 && std::abs(shownArea() - areas[0]) < 1e-7 * areas[0];
}

}

void SurfaceTest::areaFollowsTheIsovalue_data()
{
  QTest::addColumn<bool>("isFilter");
  QTest::newRow("filter") << true; // a new one measures
  QTest::newRow("representation") << false;
}

void SurfaceTest::areaFollowsTheIsovalue()
{
  QFETCH(bool, isFilter);
  createWavelet();
  pqPipelineSource* const filter = isFilter ? createAppliedFilter({ 150 }) : nullptr;
  vtkSMProxy* const proxy = filter ? filter->getProxy() : showIsosurfaces({ 150 })->getProxy();
  if (filter)
    QCOMPARE(client::valuesOf(proxy, "ComputeMeasures"), Values{ 1 });
  else
  {
    vtkSMPropertyHelper(proxy, "ComputeMeasures").Set(1);
    proxy->UpdateVTKObjects();
    client::render();
  }
  QVERIFY(waitFor([&] { return isAreaOf(proxy); }));
  const double first = shownArea();
  if (filter)
    applyValues(filter, { 200 });
  else
    showIsosurfaces({ 200 });
  QVERIFY(waitFor([&] { return shownArea() != first && isAreaOf(proxy); }));
  QVERIFY(!client::visibleWidget("Run")); // advanced
  client::click("AdvancedButton");
  QVERIFY(client::visibleWidget("Run"));
  QVERIFY(client::isAbove(client::visibleWidget("Histogram"), client::visibleWidget("Summary")));
  QVERIFY(client::isAbove(client::visibleWidget("Summary"), client::visibleWidget("Run")));
  client::click("AdvancedButton");
}

void SurfaceTest::filterOfAScriptMeasuresNothing()
{
  createWavelet();
  pqPipelineSource* filter = client::createAsScript("VulkanMarchingCubes");
  client::showInActiveView(filter);
  QCOMPARE(client::valuesOf(filter->getProxy(), "ComputeMeasures"), Values{ 0 });
  QVERIFY(waitFor([] { return client::lastRun().contains(" triangles, "); }));
  QCOMPARE(shownArea(), 0.0);
}

void SurfaceTest::oneIsovalueHasOneColour()
{
  createWavelet();
  createAppliedFilter({ 150 });
  QVERIFY(!displayProxy()->GetUsingScalarColoring());
  QCOMPARE(client::valuesOf(displayProxy(), "DiffuseColor"), (Values{ 1, 1, 1 }));
  QVERIFY(legend().empty());
}

void SurfaceTest::severalIsovaluesHaveALegend()
{
  createWavelet();
  pqPipelineSource* filter = createAppliedFilter({ 100, 150, 225.5 });
  QCOMPARE(colorArray(), QString("RTData"));
  QCOMPARE(legend(), (Values{ 100, 150, 225.5 }));
  applyValues(filter, { 110, 225.5 });
  QCOMPARE(legend(), (Values{ 110, 225.5 }));
  client::setValues(filter->getProxy(), "ContourValues", { 120, 225.5 }); // without Apply, as an animation does
  QCOMPARE(legend(), (Values{ 120, 225.5 }));
}

void SurfaceTest::moreIsovaluesGetColours()
{
  createWavelet();
  pqPipelineSource* filter = createAppliedFilter({ 100 });
  applyValues(filter, { 120 });
  QCOMPARE(colorArray(), QString());
  const QImage one = client::picture();
  applyValues(filter, { 120, 220 });
  QCOMPARE(colorArray(), QString("RTData"));
  QCOMPARE(legend(), (Values{ 120, 220 }));
  QVERIFY(client::differenceOf(client::picture(), one) > Clear);
  applyValues(filter, { 130 });
  QCOMPARE(colorArray(), QString("RTData")); // the legend tells which
  QCOMPARE(legend(), (Values{ 130 }));
}

void SurfaceTest::legendOfTheImageGetsTheLabels()
{
  createWavelet();
  showIsosurfaces({ 120 });
  colorBy("RTData");
  displayProxy()->SetScalarBarVisibility(pqActiveObjects::instance().activeView()->getProxy(), true);
  pqPipelineSource* filter = createAppliedFilter({ 120 });
  QCOMPARE(colorArray(), QString());
  applyValues(filter, { 120, 220 });
  QCOMPARE(legend(), (Values{ 120, 220 }));
}

void SurfaceTest::chosenColourStays()
{
  createWavelet();
  pqPipelineSource* filter = createAppliedFilter({ 100 });
  client::setValues(displayProxy(), "DiffuseColor", { 1, 0, 0 });
  applyValues(filter, { 100, 200 });
  QCOMPARE(colorArray(), QString());
}

void SurfaceTest::coloursAreInTheStateFile()
{
  createWavelet();
  createAppliedFilter({ 100, 200 });
  const QTemporaryDir folder;
  client::saveState(folder.filePath("state.pvsm"));
  client::resetSession();
  client::loadState(folder.filePath("state.pvsm"));
  client::selectSource("VulkanMarchingCubes1");
  QCOMPARE(colorArray(), QString("RTData"));
  QCOMPARE(legend(), (Values{ 100, 200 }));
  client::setValues(client::activeSource()->getProxy(), "ContourValues", { 110, 210 });
  QCOMPARE(legend(), (Values{ 110, 210 }));
}

namespace
{

struct Look
{
  const char* Name;
  const char* Array; // that colours the image; empty for one colour
  Values Isovalues;
  std::vector<std::pair<const char*, Values>> Settings;
};

const Look Looks[] = {
  { "colour", "", { 150 }, { { "DiffuseColor", { 1, 0.5, 0 } }, { "AmbientColor", { 1, 0.5, 0 } } } },
  { "opacity", "", { 150 }, { { "Opacity", { 0.4 } } } },
  { "light", "", { 150 },
    { { "Specular", { 1 } }, { "SpecularPower", { 10 } }, { "SpecularColor", { 0, 1, 0 } }, { "Ambient", { 0.3 } } } },
  { "place", "", { 150 }, { { "Scale", { 0.5, 1, 1 } }, { "Orientation", { 0, 30, 0 } } } },
  { "edges", "", { 150 }, { { "EdgeColor", { 1, 0, 0 } }, { "LineWidth", { 2 } } } },
  { "several in one colour", "", { 100, 200 }, { { "Opacity", { 0.4 } } } },
  { "coloured by its isovalue", "RTData", { 100 }, {} },
  { "several coloured by isovalues", "RTData", { 100, 200 }, { { "Opacity", { 0.4 } } } },
  { "coloured by another array", "Distance", { 150 }, {} },
};

}

void SurfaceTest::surfaceLooksAsTheRepresentation_data()
{
  QTest::addColumn<int>("index");
  for (std::size_t i = 0; i < std::size(Looks); ++i)
    QTest::newRow(Looks[i].Name) << static_cast<int>(i);
}

void SurfaceTest::surfaceLooksAsTheRepresentation()
{
  QFETCH(int, index);
  const Look& look = Looks[index];
  createWavelet();
  vtkSMProxy* calculator = client::create("filters", "Calculator")->getProxy();
  vtkSMPropertyHelper(calculator, "ResultArrayName").Set("Distance");
  vtkSMPropertyHelper(calculator, "Function").Set("mag(coords)");
  calculator->UpdateVTKObjects();
  client::apply();
  vtkSMPropertyHelper(displayProxy(), "ContourBy").SetInputArrayToProcess(vtkDataObject::POINT, "RTData");
  colorBy("");
  showIsosurfaces({ 150 });
  const QImage plain = client::picture();
  showIsosurfaces(look.Isovalues);
  for (const auto& [name, values] : look.Settings)
    client::setValues(displayProxy(), name, values);
  vtkSMPropertyHelper(displayProxy(), "EdgeVisibility").Set(look.Name == QString("edges"));
  displayProxy()->UpdateVTKObjects();
  if (*look.Array)
    colorBy(look.Array);
  client::render();
  const QImage seen = client::picture();
  QVERIFY(client::differenceOf(seen, plain) > Silhouette);

  client::create("filters", "VulkanMarchingCubes");
  client::apply();
  QCOMPARE(colorArray(), QString(look.Isovalues.size() > 1 || look.Array != QString("RTData") ? look.Array : ""));
  QCOMPARE(legend(), *look.Array && look.Isovalues.size() > 1 ? look.Isovalues : Values());
  if (*look.Array)
    hideLegend();
  client::render();
  QVERIFY(client::differenceOf(client::picture(), seen) < Silhouette);
}

void SurfaceTest::firstIsovalueIsTheSame()
{
  createWavelet();
  client::create("filters", "VulkanMarchingCubes");
  QVERIFY(waitFor([] { return client::histogram() && !client::histogram()->histogram().bins.empty(); }));
  client::settle();
  const Values ofFilter = client::listedValues();
  client::resetSession();

  createWavelet();
  client::showAs("Vulkan Isosurface");
  QVERIFY(waitFor([] { return client::histogram() && !client::histogram()->histogram().bins.empty(); }));
  client::settle();
  QCOMPARE(client::valuesOf(displayProxy(), "Isosurfaces"), ofFilter);
  QCOMPARE(client::listedValues(), ofFilter);
}

void SurfaceTest::searchFindsFilterAndButton_data()
{
  QTest::addColumn<QString>("text");
  for (const char* text : { "iso", "contour", "marching" })
    QTest::newRow(text) << text;
}

void SurfaceTest::searchFindsFilterAndButton()
{
  QFETCH(QString, text);
  createWavelet();
  const QStringList found = search(text);
  QVERIFY2(found.filter("Show as Vulkan Isosurface").size() == 1, qPrintable(found.join('\n')));
  QVERIFY2(!found.filter(QRegularExpression("Vulkan Marching Cubes$")).empty(), qPrintable(found.join('\n')));
}

void SurfaceTest::searchEntriesWork()
{
  QAction* button = client::actions("SearchShowAsVulkanIsosurface").front();
  createWavelet();
  search("contour");
  QVERIFY(button->isEnabled());
  button->trigger();
  QVERIFY(waitFor([] { return client::histogram(); }));
  client::actions("SearchVulkanMarchingCubes").front()->trigger();
  QCOMPARE(QString(client::activeSource()->getProxy()->GetXMLName()), QString("VulkanMarchingCubes"));
  client::apply();
  search("contour");
  QVERIFY(!button->isEnabled()); // a mesh
}

void SurfaceTest::commonIsParaViewsOwn()
{
  QList<QAction*> common;
  for (const QWidget* widget : QApplication::allWidgets())
    if (widget->objectName() == "Common" || widget->objectName() == "filters.Common") // before and since ParaView 5.13
      common += widget->actions();
  QVERIFY(!common.isEmpty());
  for (const char* name : { "VulkanMarchingCubes", "VulkanImageHistogram" })
  {
    QAction* action = client::actions(name).front();
    QVERIFY2(client::isInToolbar(action), name);
    QVERIFY2(!common.contains(action), name);
  }
}

// Saves a trace, and a picture of what it has shown. TestTrace.py replays it.
void SurfaceTest::traceOfExtraction()
{
  const QString folder = qEnvironmentVariable("VMC_TRACE_FOLDER");
  if (folder.isEmpty())
    QSKIP("VMC_TRACE_FOLDER is not set.");
  vtkSMTrace::StartTrace();
  createWavelet();
  client::actions("ShowAsVulkanIsosurface").front()->trigger();
  QVERIFY(waitFor([] { return client::histogram() && !client::histogram()->histogram().bins.empty(); }));
  client::settle();
  client::click("ExtractSurface");
  client::apply();
  QFile file(folder + "/trace.py");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(vtkSMTrace::StopTrace().c_str());
  QVERIFY(client::picture().save(folder + "/client.png"));
}
