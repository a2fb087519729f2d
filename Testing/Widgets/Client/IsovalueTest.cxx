// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "IsovalueTest.h"

#include "Client.h"
#include "Plots/HistogramWidget.h"

#include "vtkDataObject.h"
#include "vtkPVDataInformation.h"
#include "vtkPVGeneralSettings.h"
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMUncheckedPropertyHelper.h"
#include "vtkScalarsToColors.h"

#include <pqApplicationCore.h>
#include <pqDataRepresentation.h>
#include <pqPipelineSource.h>
#include <pqProgressManager.h>

#include <QAbstractItemModel>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <numeric>
#include <set>

using client::waitFor;
using vmc::plots::Bin;
using vmc::plots::HistogramWidget;

namespace
{

using Values = std::vector<double>;

constexpr double Clear = 0.001; // part of the pixels: another isovalue of the wavelet changes more of them
constexpr double Noise = 1e-4;  // the same surface drawn anew

pqPipelineSource* createWavelet()
{
  pqPipelineSource* wavelet = client::create("sources", "RTAnalyticSource");
  client::apply();
  return wavelet;
}

// The array "values" of createImage.
void setScript(vtkSMProxy* source, const QString& values)
{
  vtkSMPropertyHelper(source, "Script")
    .Set(qPrintable(QString("from paraview.vtk import vtkStreamingDemandDrivenPipeline as Pipeline\n"
                            "import numpy\n"
                            "time = self.GetOutputInformation(0).Get(Pipeline.UPDATE_TIME_STEP())\n"
                            "output.SetExtent(0, 3, 0, 3, 0, 3)\n"
                            "output.PointData.append(%1, 'values')\n"
                            "output.PointData.SetActiveScalars('values')")
                      .arg(values)));
  source->UpdateVTKObjects();
}

// An image of 4 x 4 x 4 points at the times 0, 1 and 2. values: an expression of numpy and `time`.
pqPipelineSource* createImage(const QString& values)
{
  pqPipelineSource* source = client::create("sources", "ProgrammableSource");
  vtkSMProxy* proxy = source->getProxy();
  vtkSMPropertyHelper(proxy, "OutputDataSetType").Set(VTK_IMAGE_DATA);
  vtkSMPropertyHelper(proxy, "InformationScript")
    .Set("from paraview.vtk import vtkStreamingDemandDrivenPipeline as Pipeline\n"
         "info = self.GetOutputInformation(0)\n"
         "info.Set(Pipeline.TIME_STEPS(), [0, 1, 2], 3)\n"
         "info.Set(Pipeline.TIME_RANGE(), [0, 2], 2)\n"
         "info.Set(Pipeline.WHOLE_EXTENT(), [0, 3, 0, 3, 0, 3], 6)");
  setScript(proxy, values);
  client::apply();
  return source;
}

HistogramWidget* histogramWithBins()
{
  waitFor([] { return client::histogram() && !client::histogram()->histogram().bins.empty(); });
  return client::histogram();
}

// The wavelet with another point array, which is 0. Returns its name.
const char* createWaveletWithConstant()
{
  vtkSMSessionProxyManager* const manager = createWavelet()->getProxy()->GetSessionProxyManager();
  const bool hasProcessIds = manager->HasDefinition("filters", "ProcessIds"); // since ParaView 5.13
  client::create("filters", hasProcessIds ? "ProcessIds" : "ProcessIdScalars");
  client::apply();
  return hasProcessIds ? "PointProcessIds" : "ProcessId";
}

pqPipelineSource* createFilter()
{
  return client::create("filters", "VulkanMarchingCubes");
}

pqPipelineSource* createAppliedFilter()
{
  pqPipelineSource* filter = createFilter();
  client::apply();
  return filter;
}

// Presses the button and moves the cursor in steps, without releasing the button.
void dragTo(HistogramWidget* histogram, double from, double to)
{
  constexpr int steps = 5;
  client::press(histogram, client::pixelAt(histogram, from));
  for (int step = 1; step <= steps; ++step)
    client::move(histogram, client::pixelAt(histogram, from + (to - from) * step / steps));
  client::settle();
}

void releaseAt(HistogramWidget* histogram, double value)
{
  client::release(histogram, client::pixelAt(histogram, value));
  client::settle();
}

void drag(HistogramWidget* histogram, double from, double to)
{
  dragTo(histogram, from, to);
  releaseAt(histogram, to);
}

// The histogram of the wavelet, shown as isosurface.
HistogramWidget* showWavelet()
{
  createWavelet();
  client::showAs("Vulkan Isosurface");
  return histogramWithBins();
}

// Rounded to a decimal below the width of a pixel, so closer to the cursor than a pixel.
bool isAt(const HistogramWidget* histogram, double isovalue, double expected)
{
  return std::abs(isovalue - expected) <= 1.5 * histogram->axis().valuesPerPixel();
}

double sumOf(const HistogramWidget* histogram, double Bin::*count)
{
  const std::vector<Bin>& bins = histogram->histogram().bins;
  return std::accumulate(bins.begin(), bins.end(), 0.0, [&](double sum, const Bin& bin) { return sum + bin.*count; });
}

double samplesOf(const HistogramWidget* histogram)
{
  return sumOf(histogram, &Bin::samples);
}

double cutCellsOf(const HistogramWidget* histogram)
{
  return sumOf(histogram, &Bin::cutCells);
}

class AutoApply
{
public:
  AutoApply() { vtkPVGeneralSettings::GetInstance()->SetAutoApply(true); }
  ~AutoApply() { vtkPVGeneralSettings::GetInstance()->SetAutoApply(false); }
};

}

void IsovalueTest::initTestCase()
{
  client::arrangeWindow();
  vtkPVGeneralSettings::GetInstance()->SetAutoApply(false);
}

void IsovalueTest::init()
{
  client::resetSession();
}

// Saves a picture of the screen when a test has failed.
void IsovalueTest::cleanup()
{
  const QString folder = qEnvironmentVariable("VMC_PICTURES");
  if (QTest::currentTestFailed() && !folder.isEmpty())
    client::savePicture(folder + "/" + QTest::currentTestFunction() + ".png");
}

namespace
{

// In ParaView 6, vtkSMPVRepresentationProxy has no static function for it.
void colorBy(vtkSMProxy* display, const char* array, int association)
{
  vtkSMPVRepresentationProxy::SafeDownCast(display)->SetScalarColoring(array, association);
}

// A file of 4 x 4 x 4 points.
QString writeImage(const QString& file)
{
  QFile image(file);
  if (!image.open(QFile::WriteOnly))
    return {};
  QByteArray values;
  for (int i = 0; i < 64; ++i)
    values += ' ' + QByteArray::number(i * i);
  image.write("<VTKFile type='ImageData'><ImageData WholeExtent='0 3 0 3 0 3' Origin='0 0 0' Spacing='1 1 1'>"
              "<Piece Extent='0 3 0 3 0 3'><PointData Scalars='values'>"
              "<DataArray type='Float32' Name='values' format='ascii'>" +
              values + "</DataArray></PointData></Piece></ImageData></VTKFile>");
  return file;
}

}

// At ParaView's first start, without scrolling.
void IsovalueTest::histogramIsSeenAtFirst()
{
  client::restoreWindow();
  const QTemporaryDir folder;
  client::open("XMLImageDataReader", writeImage(folder.filePath("image.vti")));
  client::showAs("Vulkan Isosurface");
  const HistogramWidget* histogram = histogramWithBins();
  const QRect seen = histogram ? histogram->visibleRegion().boundingRect() : QRect();
  const bool isFirst = histogram && client::isAbove(histogram, client::visibleWidget("ColorEditor"));
  client::arrangeWindow();
  QVERIFY(histogram);
  QVERIFY(isFirst);
  QCOMPARE(seen.height(), histogram->height());
  QCOMPARE(seen.left(), 0);
}

namespace
{

// Rows of tests of all panels with a histogram.
void addPanels()
{
  QTest::addColumn<bool>("isFilter");
  QTest::addColumn<bool>("appliesChanges");
  QTest::newRow("representation") << false << false;
  QTest::newRow("filter that waits for Apply") << true << false;
  QTest::newRow("filter that follows") << true << true;
}

// The surface of the wavelet by the panel of the row.
class Panel
{
public:
  Panel()
  {
    QFETCH(bool, isFilter);
    QFETCH(bool, appliesChanges);
    createWavelet();
    if (!isFilter)
      client::showAs("Vulkan Isosurface");
    this->Proxy = isFilter ? createAppliedFilter()->getProxy() : client::display()->getProxy();
    this->Property = isFilter ? "ContourValues" : "Isosurfaces";
    this->WaitsForApply = isFilter && !appliesChanges;
    vtkPVGeneralSettings::GetInstance()->SetAutoApply(appliesChanges);
  }
  ~Panel() { vtkPVGeneralSettings::GetInstance()->SetAutoApply(false); }

  bool waitsForApply() const { return this->WaitsForApply; }
  Values values() const { return client::valuesOf(this->Proxy, this->Property); }

  // Returns whether property, list and histogram have the values.
  bool shows(const Values& expected) const
  {
    return this->values() == expected && client::listedValues() == expected &&
           client::histogram()->isovalues() == expected;
  }

private:
  vtkSMProxy* Proxy;
  const char* Property;
  bool WaitsForApply;
};

}

void IsovalueTest::dragMovesTheSurface_data()
{
  addPanels();
}

// A drag is one step of undo.
void IsovalueTest::dragMovesTheSurface()
{
  const Panel panel;
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  QVERIFY(waitFor([&] { return panel.shows(panel.values()); }));
  const Values before = panel.values();
  const QImage pictureBefore = client::picture();
  client::forgetUndo();
  QVERIFY(!client::canApply());

  dragTo(histogram, before[0], 230);
  const Values during = client::listedValues();
  const QImage pictureDuring = client::picture();
  QVERIFY(isAt(histogram, during.at(0), 230));
  QCOMPARE(panel.values(), panel.waitsForApply() ? before : during);
  QCOMPARE(client::differenceOf(pictureBefore, pictureDuring) > Clear, !panel.waitsForApply());
  releaseAt(histogram, 230);
  if (panel.waitsForApply())
  {
    QCOMPARE(panel.values(), before);
    QCOMPARE(client::listedValues(), during);
    QVERIFY(client::differenceOf(client::picture(), pictureBefore) < Noise);
    QVERIFY(client::canApply());
    client::apply();
  }
  else
    QVERIFY(client::differenceOf(client::picture(), pictureDuring) < Noise);
  QVERIFY(waitFor([] { return !client::canApply(); }));
  QVERIFY(panel.shows(during));
  const QImage pictureAfter = client::picture();
  QVERIFY(client::differenceOf(pictureAfter, pictureBefore) > Clear);

  client::undo();
  QVERIFY(!client::canUndo());
  QVERIFY(panel.shows(before));
  QVERIFY(client::differenceOf(client::picture(), pictureBefore) < Noise);
  client::redo();
  QVERIFY(panel.shows(during));
  QVERIFY(client::differenceOf(client::picture(), pictureAfter) < Noise);
}

void IsovalueTest::listFollowsEachMove_data()
{
  addPanels();
}

// Before the frame that a move makes, which may take long.
void IsovalueTest::listFollowsEachMove()
{
  const Panel panel;
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  const QAbstractItemModel* rows = client::isovalueRows();
  const Values before = histogram->isovalues();
  client::press(histogram, client::pixelAt(histogram, before[0]));
  for (const double value : { 180, 200, 230 })
  {
    const QPoint position = client::pixelAt(histogram, value);
    QMouseEvent move(QEvent::MouseMove, position, histogram->mapToGlobal(position), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(histogram, &move);
    QVERIFY(isAt(histogram, histogram->isovalues().at(0), value));
    QCOMPARE(client::valuesIn(rows), histogram->isovalues());
    client::settle();
    QCOMPARE(client::valuesIn(rows), histogram->isovalues());
  }
  QTest::keyClick(histogram, Qt::Key_Escape);
  client::settle();
  QCOMPARE(client::valuesIn(rows), before);
}

// Although the plot keeps the focus after a click.
void IsovalueTest::wheelScrollsThePanel()
{
  HistogramWidget* histogram = showWavelet();
  QVERIFY(histogram);
  const Values before = histogram->isovalues();
  const QPoint line = client::pixelAt(histogram, before[0]);
  client::press(histogram, line);
  client::release(histogram, line);
  histogram->window()->activateWindow();
  histogram->setFocus();
  QVERIFY(waitFor([&] { return histogram->hasFocus(); }));
  client::leave(histogram);
  QVERIFY(!client::turnWheel(histogram, line, -1));
  QCOMPARE(client::valuesOf(client::display()->getProxy(), "Isosurfaces"), before);

  client::press(histogram, line);
  client::release(histogram, line);
  QVERIFY(client::turnWheel(histogram, line, -1));
  QVERIFY(client::valuesOf(client::display()->getProxy(), "Isosurfaces") != before);
}

void IsovalueTest::linesAreAddedAndRemoved()
{
  HistogramWidget* histogram = showWavelet();
  vtkSMProxy* display = client::display()->getProxy();
  QVERIFY(histogram);
  const Values before = client::valuesOf(display, "Isosurfaces");

  QTest::mouseDClick(histogram, Qt::LeftButton, Qt::NoModifier, client::pixelAt(histogram, 230));
  client::settle();
  const Values added = client::valuesOf(display, "Isosurfaces");
  QCOMPARE(added.size(), before.size() + 1);
  QVERIFY(isAt(histogram, added.back(), 230));
  QCOMPARE(client::listedValues(), added);

  QTest::keyClick(histogram, Qt::Key_Delete);
  client::settle();
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), before);

  client::press(histogram, client::pixelAt(histogram, before[0]));
  client::move(histogram, { client::pixelAt(histogram, before[0]).x(), -5 * histogram->height() });
  client::release(histogram, { client::pixelAt(histogram, before[0]).x(), -5 * histogram->height() });
  client::settle();
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), Values{});
  QCOMPARE(client::listedValues(), Values{});
  client::undo();
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), before);
}

void IsovalueTest::linesFollowOtherChanges()
{
  createWavelet();
  vtkSMProxy* filter = createAppliedFilter()->getProxy();
  QVERIFY(histogramWithBins());
  const Values others{ 100, 220 };
  client::setValues(filter, "ContourValues", others); // as Python does
  QCOMPARE(client::histogram()->isovalues(), others);
  QCOMPARE(client::listedValues(), others);
}

void IsovalueTest::otherNumberOfValuesEndsADrag()
{
  HistogramWidget* histogram = showWavelet();
  vtkSMProxy* display = client::display()->getProxy();
  QVERIFY(histogram);
  const Values others{ 100, 200 };
  dragTo(histogram, client::valuesOf(display, "Isosurfaces").at(0), 230);
  client::setValues(display, "Isosurfaces", others); // as Python does
  releaseAt(histogram, 230);
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), others);

  client::forgetUndo();
  drag(histogram, others[1], 230);
  QVERIFY(isAt(histogram, client::valuesOf(display, "Isosurfaces").at(1), 230));
  client::undo();
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), others);
}

void IsovalueTest::resetTakesAnEditBack()
{
  createWavelet();
  vtkSMProxy* filter = createAppliedFilter()->getProxy();
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  const Values before = client::valuesOf(filter, "ContourValues");
  drag(histogram, before[0], 230);
  client::click("Reset");
  QCOMPARE(client::histogram()->isovalues(), before);
  QCOMPARE(client::listedValues(), before);
  QVERIFY(!client::canApply());
}

void IsovalueTest::suggestionMovesTheLine()
{
  HistogramWidget* histogram = showWavelet();
  QVERIFY(histogram);
  const auto* button = static_cast<QToolButton*>(client::visibleWidget("Suggest"));
  const QList<QAction*> actions = button->menu()->actions();
  QCOMPARE(actions.size(), int(histogram->histogram().suggestions.size()));
  QVERIFY(actions.size() >= 1);
  const double suggested = histogram->histogram().suggestions.front().value;
  actions.front()->trigger();
  client::settle();
  QCOMPARE(client::valuesOf(client::display()->getProxy(), "Isosurfaces"), Values{ suggested });
}

namespace
{

bool hasPixel(QWidget* widget, const QColor& color)
{
  const QImage image = widget->grab().toImage();
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y) == color)
        return true;
  return false;
}

}

// Tests the representation and the filter, with one colour and with one per isovalue.
void IsovalueTest::linesHaveTheColorsOfTheSurfaces()
{
  createWavelet();
  client::showAs("Vulkan Isosurface");
  const auto setColor = [](double red, double green, double blue) {
    client::setValues(client::display()->getProxy(), "DiffuseColor", { red, green, blue });
  };
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  colorBy(client::display()->getProxy(), nullptr, 0);
  setColor(0, 0.4, 1);
  QVERIFY(hasPixel(histogram, QColor(0, 102, 255)));

  createAppliedFilter();
  histogram = histogramWithBins();
  QVERIFY(histogram);
  vtkSMProxy* display = client::display()->getProxy();
  colorBy(display, nullptr, 0);
  setColor(0, 0.6, 0.2);
  QVERIFY(hasPixel(histogram, QColor(0, 153, 51)));

  colorBy(display, "RTData", vtkDataObject::POINT);
  vtkSMProxy* table = vtkSMPropertyHelper(display, "LookupTable").GetAsProxy();
  const double isovalue = histogram->isovalues().at(0);
  const double points[] = { isovalue - 1, 0.2, 0.2, 0.8, isovalue + 1, 0.2, 0.2, 0.8 };
  vtkSMPropertyHelper(table, "RGBPoints").Set(points, 8);
  table->UpdateVTKObjects();
  client::render();
  QVERIFY(hasPixel(histogram, QColor(51, 51, 204)));
}

// Half-way between them are the values of the menu, after Otsu's threshold.
void IsovalueTest::labelsStandAtTheirValues()
{
  createImage("(numpy.arange(64) // 16).astype(numpy.int16)"); // 0 to 3
  client::showAs("Vulkan Isosurface");
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  QCOMPARE(histogram->axis().visible().lower, -0.5);
  QCOMPARE(histogram->axis().visible().upper, 3.5);
  QVERIFY(histogram->readout(1.8).contains("16 samples"));
  Values halfWay;
  for (const auto& suggestion : histogram->histogram().suggestions)
    if (suggestion.name == "Between two peaks")
      halfWay.push_back(suggestion.value);
  QCOMPARE(halfWay, (Values{ 0.5, 1.5, 2.5 }));
  static_cast<QToolButton*>(client::visibleWidget("Suggest"))->menu()->actions().at(2)->trigger();
  client::settle();
  QCOMPARE(client::valuesOf(client::display()->getProxy(), "Isosurfaces"), Values{ 1.5 });
}

namespace
{

// An image of vectors: X from 1 to 64, Y from 100 to 415, Z from -192 to -3. Small absolute values are frequent.
pqPipelineSource* createVectors()
{
  return createImage("(lambda t: numpy.stack([t, 95 + 5 * t, -3 * t], 1))(1 + 63 * (numpy.arange(64) / 63) ** 3)");
}

constexpr int X = 0;
constexpr int Y = 1;
constexpr int Z = 2;
constexpr double MiddleOfX = (1 + 64) / 2.0;

// The largest value of each component.
constexpr double Largest[] = { 64, 415, -3 };

// Returns whether the list gets the suggestion of the histogram.
bool listHasSuggestion()
{
  return waitFor(
    []
    {
      const HistogramWidget* histogram = histogramWithBins();
      return histogram && !histogram->histogram().suggestions.empty() &&
             client::listedValues() == Values{ histogram->histogram().suggestions.front().value };
    });
}

// Selects the component, and waits for its histogram.
bool showComponent(int component)
{
  client::selectComponent(component);
  return waitFor(
    [&]
    {
      const HistogramWidget* histogram = histogramWithBins();
      return histogram && histogram->histogram().bins.back().upper == Largest[component];
    });
}

}

// A lookup table has a choice of its own of the component.
void IsovalueTest::linesOfAComponentHaveItsColorsAlone()
{
  createVectors();
  client::showAs("Vulkan Isosurface");
  vtkSMProxy* display = client::display()->getProxy();
  vtkSMPropertyHelper(display, "ArrayComponent").Set(Y);
  display->UpdateVTKObjects();
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  const vtkSMPropertyHelper contoured(display, "ContourBy");
  colorBy(display, contoured.GetInputArrayNameToProcess(), contoured.GetInputArrayAssociation());
  vtkSMProxy* table = vtkSMPropertyHelper(display, "LookupTable").GetAsProxy();
  client::setValues(table, "RGBPoints", { -1000, 0.2, 0.2, 0.8, 1000, 0.2, 0.2, 0.8 });
  for (const int component : { Y, X })
  {
    vtkSMPropertyHelper(table, "VectorMode").Set(vtkScalarsToColors::COMPONENT);
    vtkSMPropertyHelper(table, "VectorComponent").Set(component);
    table->UpdateVTKObjects();
    client::render();
    QCOMPARE(hasPixel(histogram, QColor(51, 51, 204)), component == Y);
  }
}

void IsovalueTest::newFilterStartsFromTheSuggestion()
{
  createVectors();
  vtkSMProxy* filter = createFilter()->getProxy();
  QVERIFY(showComponent(X));
  QVERIFY(listHasSuggestion());
  const Values suggested = client::listedValues();
  QVERIFY(suggested.at(0) > 1 && suggested.at(0) < 64 && suggested.at(0) != MiddleOfX);
  QCOMPARE(client::histogram()->isovalues(), suggested);
  QVERIFY(client::valuesOf(filter, "ContourValues") != suggested); // a panel that was not applied
  client::click("Reset");
  QVERIFY(listHasSuggestion());

  QVERIFY(showComponent(X));
  QVERIFY(listHasSuggestion());
  client::apply();
  QCOMPARE(client::valuesOf(filter, "ContourValues"), suggested);
  QCOMPARE(client::listedValues(), suggested);
  QVERIFY(!client::canApply());
  client::undo();
  client::redo();
  QCOMPARE(client::valuesOf(filter, "ContourValues"), suggested);
  QCOMPARE(client::listedValues(), suggested);
}

void IsovalueTest::newFilterFollowsArrayAndComponent()
{
  createVectors();
  createFilter();
  QVERIFY(listHasSuggestion());
  QVERIFY(showComponent(Y));
  QVERIFY(listHasSuggestion());
  QVERIFY(showComponent(Z));
  QVERIFY(listHasSuggestion());

  client::resetSession();
  const char* const constant = createWaveletWithConstant();
  vtkSMProxy* filter = createFilter()->getProxy();
  QVERIFY(listHasSuggestion());
  QVERIFY(client::listedValues().at(0) > 37);
  client::selectArray(filter, "SelectInputScalars", 0, constant); // constant: without a suggestion
  QVERIFY(waitFor([] { return client::listedValues() == Values{ 0 }; }));
  client::selectArray(filter, "SelectInputScalars", 0, "RTData");
  QVERIFY(listHasSuggestion());
  QVERIFY(client::listedValues().at(0) > 37);
}

void IsovalueTest::appliedFilterFollowsTheComponent()
{
  createVectors();
  vtkSMProxy* filter = createFilter()->getProxy();
  QVERIFY(showComponent(X));
  QVERIFY(listHasSuggestion());
  client::apply();
  QVERIFY(showComponent(Z));
  QVERIFY(listHasSuggestion());
  const Values suggested = client::listedValues();
  client::apply();
  QCOMPARE(client::valuesOf(filter, "ContourValues"), suggested);
}

void IsovalueTest::representationFollowsTheComponent()
{
  createVectors();
  client::showAs("Vulkan Isosurface");
  vtkSMProxy* display = client::display()->getProxy();
  QVERIFY(listHasSuggestion());
  const Values ofMagnitude = client::valuesOf(display, "Isosurfaces");
  QCOMPARE(client::listedValues(), ofMagnitude);
  client::forgetUndo();
  Values ofZ;
  for (const int component : { Z, Y })
  {
    QVERIFY(showComponent(component));
    QVERIFY(listHasSuggestion());
    QCOMPARE(client::valuesOf(display, "Isosurfaces"), client::listedValues());
    QVERIFY(waitFor([&] { return client::valuesOf(display, "NumberOfTriangles").at(0) > 0; }));
    if (component == Z)
      ofZ = client::listedValues();
  }
  client::undo();
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), ofZ);
  client::undo();
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), ofMagnitude);
  QVERIFY(!client::canUndo());

  drag(client::histogram(), ofMagnitude.at(0), 300);
  const Values dragged = client::valuesOf(display, "Isosurfaces");
  client::selectComponent(X);
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), dragged);
}

void IsovalueTest::changedValuesAreLeftAlone()
{
  createVectors();
  createFilter();
  QVERIFY(showComponent(Y));
  QVERIFY(listHasSuggestion());
  const double suggested = client::listedValues().at(0);
  drag(client::histogram(), suggested, 300);
  const Values dragged = client::listedValues();
  QVERIFY(isAt(client::histogram(), dragged.at(0), 300));
  QVERIFY(showComponent(Z));
  QCOMPARE(client::listedValues(), dragged);

  // A typed value stays, too, and so does the default if the user has typed it after another one.
  client::resetSession();
  createVectors();
  createFilter();
  QVERIFY(listHasSuggestion());
  const double first = client::listedValues().at(0);
  client::typeIsovalue(200);
  client::typeIsovalue(first);
  QVERIFY(showComponent(X));
  QCOMPARE(client::listedValues(), Values{ first });
}

void IsovalueTest::valuesOfScriptsAreLeftAlone()
{
  createVectors();
  vtkSMProxy* filter = createFilter()->getProxy();
  const Values others{ 70, 80 };
  client::setValues(filter, "ContourValues", others); // as Python does, before the histogram is known
  QVERIFY(showComponent(X));
  QCOMPARE(client::listedValues(), others);
  QCOMPARE(client::valuesOf(filter, "ContourValues"), others);
}

void IsovalueTest::earlyApplyKeepsTheValue()
{
  createVectors();
  vtkSMProxy* filter = createAppliedFilter()->getProxy();
  const Values applied = client::valuesOf(filter, "ContourValues");
  QVERIFY(histogramWithBins());
  client::settle();
  QCOMPARE(client::listedValues(), applied);
  QVERIFY(!client::canApply());

  const double cutCells = cutCellsOf(client::histogram());
  vtkSMUncheckedPropertyHelper(filter, "Boundary").Set(2); // a closed surface cuts more cells
  QVERIFY(waitFor([&] { return cutCellsOf(client::histogram()) > cutCells; }));
  client::settle();
  QCOMPARE(client::listedValues(), applied);
}

void IsovalueTest::autoApplyAppliesTheSuggestion()
{
  createVectors();
  const AutoApply autoApply;
  vtkSMProxy* filter = createFilter()->getProxy();
  QVERIFY(listHasSuggestion());
  QVERIFY(waitFor([&] { return client::valuesOf(filter, "ContourValues") == client::listedValues(); }));
  QVERIFY(waitFor([] { return !client::canApply(); }));
}

void IsovalueTest::scriptsFilterKeepsItsValue()
{
  createVectors();
  vtkSMProxy* filter = client::createAsScript("VulkanMarchingCubes")->getProxy();
  const Values value = client::valuesOf(filter, "ContourValues");
  QVERIFY(histogramWithBins());
  client::settle();
  QCOMPARE(client::listedValues(), value);
}

void IsovalueTest::extractedSurfaceKeepsTheValueThatIsSeen()
{
  createVectors();
  client::showAs("Vulkan Isosurface");
  const Values seen = client::valuesOf(client::display()->getProxy(), "Isosurfaces"); // the default
  QVERIFY(histogramWithBins());
  client::click("ExtractSurface");
  QVERIFY(histogramWithBins());
  QCOMPARE(client::listedValues(), seen);
  QVERIFY(showComponent(Y));
  QCOMPARE(client::listedValues(), seen);
}

void IsovalueTest::loadedFilterKeepsItsValue()
{
  createVectors();
  vtkSMProxy* filter = createAppliedFilter()->getProxy();
  const Values saved = client::valuesOf(filter, "ContourValues"); // the default
  const QTemporaryDir folder;
  client::saveState(folder.filePath("state.pvsm"));
  client::resetSession();
  client::loadState(folder.filePath("state.pvsm"));
  client::selectSource("VulkanMarchingCubes1");
  QVERIFY(histogramWithBins());
  QCOMPARE(client::listedValues(), saved);
  QVERIFY(showComponent(Y));
  QCOMPARE(client::listedValues(), saved);
}

void IsovalueTest::histogramIsOfTheArrayInThePanel()
{
  const char* const constant = createWaveletWithConstant();
  vtkSMProxy* filter = createFilter()->getProxy();
  vtkSMPropertyHelper(filter, "SelectInputScalars").SetInputArrayToProcess(0, "RTData");
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  QVERIFY(waitFor([&] { return histogram->histogram().bins.front().lower > 30; })); // of RTData: 37 to 277
  QCOMPARE(samplesOf(histogram), 21.0 * 21 * 21);
  client::selectArray(filter, "SelectInputScalars", 0, constant); // not applied
  QVERIFY(waitFor([&] { return histogram->histogram().bins.front().lower <= 0; }));
  QCOMPARE(samplesOf(histogram), 21.0 * 21 * 21);
}

void IsovalueTest::histogramFollowsTheInput()
{
  pqPipelineSource* wavelet = createWavelet();
  client::showAs("Vulkan Isosurface");
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  QCOMPARE(samplesOf(histogram), 21.0 * 21 * 21);
  const int extent[6] = { -10, 10, -10, 10, 0, 10 };
  vtkSMPropertyHelper(wavelet->getProxy(), "WholeExtent").Set(extent, 6);
  wavelet->getProxy()->UpdateVTKObjects();
  client::render();
  QVERIFY(waitFor([] { return client::histogram() && samplesOf(client::histogram()) == 21 * 21 * 11; }));
}

void IsovalueTest::histogramFollowsTime()
{
  createImage("(1 + time) * numpy.arange(1.0, 65.0)");
  client::showAs("Vulkan Isosurface");
  QVERIFY(histogramWithBins());
  const auto largest = [] { return client::histogram()->histogram().bins.back().upper; };
  QCOMPARE(largest(), 64.0);
  for (const double time : { 1, 2, 0 })
  {
    client::goToTime(time);
    QVERIFY(waitFor([&] { return largest() == 64 * (1 + time); }));
  }
}

void IsovalueTest::histogramFollowsChangesWhileItIsComputed()
{
  const char* const constant = createWaveletWithConstant();
  vtkSMProxy* filter = createFilter()->getProxy();
  client::selectArray(filter, "SelectInputScalars", 0, "RTData");
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  const auto isOfWavelet = [&] // 37 to 277
  { return !histogram->histogram().bins.empty() && histogram->histogram().bins.front().lower > 30; };
  QVERIFY(waitFor(isOfWavelet));

  bool wasChanged = false;
  const auto changeBack = [&]
  {
    if (wasChanged)
      return;
    wasChanged = true;
    vtkSMUncheckedPropertyHelper(filter, "SelectInputScalars").SetInputArrayToProcess(0, "RTData");
  };
  QObject receiver; // until the end of this test
  const pqProgressManager* progress = pqApplicationCore::instance()->getProgressManager();
  QObject::connect(progress, &pqProgressManager::progressStartEvent, &receiver, changeBack);
  client::selectArray(filter, "SelectInputScalars", 0, constant);
  QVERIFY(waitFor([&] { return wasChanged; }));
  QVERIFY(waitFor(isOfWavelet));
}

void IsovalueTest::componentsFollowTheInput()
{
  vtkSMSourceProxy* image =
    vtkSMSourceProxy::SafeDownCast(createImage("numpy.arange(192.0).reshape(64, 3)")->getProxy());
  createAppliedFilter();
  const auto entries = []
  {
    const QWidget* widget = client::visibleWidget("ArrayComponent");
    const QComboBox* list = widget ? widget->findChild<QComboBox*>("ComboBox") : nullptr;
    return list ? list->count() : 0;
  };
  QVERIFY(waitFor([&] { return entries() == 1 + 3; })); // the magnitude and the components
  setScript(image, "numpy.arange(128.0).reshape(64, 2)");
  image->UpdatePipeline(0);
  QVERIFY(waitFor([&] { return entries() == 1 + 2; }));
}

void IsovalueTest::constantDataHasALine()
{
  createImage("numpy.full(64, 7.0)");
  client::showAs("Vulkan Isosurface");
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  QCOMPARE(samplesOf(histogram), 64.0);
  QVERIFY(histogram->axis().visible().lower < 7 && histogram->axis().visible().upper > 7);
  const Values before = histogram->isovalues();
  QTest::mouseDClick(histogram, Qt::LeftButton, Qt::NoModifier, histogram->plotArea().topLeft() + QPoint(20, 60));
  client::settle();
  QCOMPARE(client::valuesOf(client::display()->getProxy(), "Isosurfaces").size(), before.size() + 1);
}

void IsovalueTest::dataOfNansIsExplained()
{
  createImage("numpy.full(64, numpy.nan)");
  client::showAs("Vulkan Isosurface");
  QVERIFY(waitFor([] { return client::histogram() && !client::histogram()->histogram().message.isEmpty(); }));
  QCOMPARE(client::histogram()->histogram().message, QString("No sample has a finite value."));
}

void IsovalueTest::missingDataIsExplained()
{
  client::create("sources", "RTAnalyticSource");
  client::apply();
  vtkSMProxy* filter = createFilter()->getProxy();
  HistogramWidget* histogram = histogramWithBins();
  QVERIFY(histogram);
  client::selectArray(filter, "SelectInputScalars", 0, "no such array");
  QVERIFY(waitFor([&] { return histogram->histogram().bins.empty(); }));
  QVERIFY(histogram->histogram().message.contains("no such array"));
  client::selectArray(filter, "SelectInputScalars", 0, "RTData");
  QVERIFY(waitFor([&] { return !histogram->histogram().bins.empty(); }));
  QVERIFY(histogram->histogram().message.isEmpty());
}

void IsovalueTest::errorIsShownInThePlot()
{
  createWavelet();
  vtkSMProxy* filter = createFilter()->getProxy();
  vtkSMPropertyHelper(filter, "ArrayComponent").Set(5); // of 1
  QVERIFY(waitFor([] { return client::histogram() && !client::histogram()->histogram().message.isEmpty(); }));
  const QString message = client::histogram()->histogram().message;
  const char* expected = client::isRemote() ? "The server could not compute the histogram." : "omponent";
  QVERIFY2(message.contains(expected), qPrintable(message));
}

void IsovalueTest::stateFileRoundTrip()
{
  HistogramWidget* histogram = showWavelet();
  QVERIFY(histogram);
  drag(histogram, histogram->isovalues().at(0), 230);
  QTest::mouseDClick(histogram, Qt::LeftButton, Qt::NoModifier, client::pixelAt(histogram, 100));
  client::settle();
  const Values saved = histogram->isovalues();
  const QImage picture = client::picture();

  const QTemporaryDir folder;
  client::saveState(folder.filePath("state.pvsm"));
  client::resetSession();
  client::loadState(folder.filePath("state.pvsm"));
  HistogramWidget* loaded = histogramWithBins();
  QVERIFY(loaded);
  QCOMPARE(loaded->isovalues(), saved);
  QCOMPARE(client::listedValues(), saved);
  QCOMPARE(samplesOf(loaded), 21.0 * 21 * 21);
  QVERIFY(client::differenceOf(client::picture(), picture) < Noise);
}

void IsovalueTest::extractButtonAddsTheFilter()
{
  HistogramWidget* histogram = showWavelet();
  QVERIFY(histogram);
  drag(histogram, histogram->isovalues().at(0), 230);
  const Values isovalues = histogram->isovalues();
  const pqDataRepresentation* image = client::display();
  client::click("ExtractSurface");
  QVERIFY(image->isVisible());
  pqPipelineSource* filter = client::activeSource();
  QCOMPARE(QString(filter->getProxy()->GetXMLName()), QString("VulkanMarchingCubes"));
  client::apply();
  QVERIFY(!image->isVisible());
  QCOMPARE(client::valuesOf(filter->getProxy(), "ContourValues"), isovalues);
  QVERIFY(histogramWithBins());
  QCOMPARE(client::histogram()->isovalues(), isovalues);
}

void IsovalueTest::twoViewsHaveLinesOfTheirOwn()
{
  createWavelet();
  client::showAs("Vulkan Isosurface");
  HistogramWidget* first = histogramWithBins();
  QVERIFY(first);
  vtkSMProxy* display = client::display()->getProxy();
  const Values before = client::valuesOf(display, "Isosurfaces");
  client::addView();
  client::showAs("Vulkan Isosurface");
  HistogramWidget* second = histogramWithBins();
  QVERIFY(second);
  vtkSMProxy* otherDisplay = client::display()->getProxy();
  QVERIFY(otherDisplay != display);
  drag(second, second->isovalues().at(0), 230);
  QVERIFY(isAt(second, client::valuesOf(otherDisplay, "Isosurfaces").at(0), 230));
  QCOMPARE(client::valuesOf(display, "Isosurfaces"), before);
}

namespace
{

// Returns whether the text about the last run has this number of triangles.
bool lastRunHas(qlonglong triangles)
{
  QString text = client::lastRun();
  return text.remove(',').contains(QString("%1 triangles").arg(triangles));
}

}

void IsovalueTest::lastRunOfAFilterIsOfThePicture()
{
  createWavelet();
  vtkSMSourceProxy* filter = vtkSMSourceProxy::SafeDownCast(createFilter()->getProxy());
  QVERIFY(waitFor([] { return client::lastRun().contains("No run yet."); }));
  client::click("AdvancedButton"); // there is nothing to show
  QVERIFY(client::visibleWidget("Run"));
  QVERIFY(!client::visibleWidget("StageBar"));
  QVERIFY(!client::visibleWidget("Facts"));
  client::click("AdvancedButton");
  client::apply();
  const auto triangles = [&] { return filter->GetDataInformation()->GetNumberOfCells(); };
  const qlonglong first = triangles();
  QVERIFY(waitFor([&] { return lastRunHas(first); }));
  dragTo(histogramWithBins(), client::valuesOf(filter, "ContourValues")[0], 230);
  releaseAt(client::histogram(), 230);
  client::apply();
  const qlonglong second = triangles();
  QVERIFY(second != first);
  QVERIFY(waitFor([&] { return lastRunHas(second); }));
  QVERIFY(!client::visibleWidget("Run")); // advanced
  client::click("AdvancedButton");
  QVERIFY(waitFor([] { return client::lastRun().contains("Resident"); }));
  client::click("AdvancedButton");
  client::undo();
  QCOMPARE(qlonglong(triangles()), first);
  QVERIFY(waitFor([&] { return lastRunHas(first); }));
}

void IsovalueTest::lastRunFollowsTime()
{
  createImage("(1 + time) * numpy.arange(1.0, 65.0)");
  vtkSMSourceProxy* filter = vtkSMSourceProxy::SafeDownCast(createAppliedFilter()->getProxy());
  std::set<qlonglong> counts;
  for (const double time : { 0, 1, 2 })
  {
    client::goToTime(time);
    const qlonglong triangles = filter->GetDataInformation()->GetNumberOfCells();
    QVERIFY(waitFor([&] { return lastRunHas(triangles); }));
    counts.insert(triangles);
  }
  QVERIFY(counts.size() > 1); // the steps differ
}

void IsovalueTest::lastRunOfARepresentationIsOfThePicture()
{
  HistogramWidget* histogram = showWavelet();
  vtkSMProxy* display = client::display()->getProxy();
  QVERIFY(histogram);
  const auto triangles = [&] { return qlonglong(client::valuesOf(display, "NumberOfTriangles").at(0)); };
  const qlonglong first = triangles();
  QVERIFY(first > 0);
  QVERIFY(waitFor([&] { return lastRunHas(first); }));
  drag(histogram, histogram->isovalues().at(0), 230);
  QVERIFY(triangles() != first);
  QVERIFY(waitFor([&] { return lastRunHas(triangles()); }));
  client::undo();
  QCOMPARE(triangles(), first);
  QVERIFY(waitFor([&] { return lastRunHas(first); }));
}

// One line without measures: triangles or rays, and nothing about frames that nobody sees. The frame is advanced.
void IsovalueTest::surfaceIsOneLine()
{
  createWavelet();
  client::showAs("Vulkan Isosurface");
  vtkSMProxy* display = client::display()->getProxy();
  const auto summary = [] { return static_cast<QLabel*>(client::visibleWidget("Summary"))->text(); };
  QVERIFY(waitFor([&] { return summary().contains(" triangles, "); }));
  QVERIFY2(
    QRegularExpression("^[0-9,]+ triangles, [0-9,]+ points$").match(summary()).hasMatch(), qPrintable(summary()));
  QVERIFY(!client::visibleWidget("StageBar"));

  const auto set = [display](const char* property, int value)
  {
    vtkSMPropertyHelper(display, property).Set(value);
    display->UpdateVTKObjects();
    client::render();
  };
  set("Surface", 1); // rays
  QCOMPARE(summary(), QString("Rays, no triangles"));
  client::click("AdvancedButton");
  const QString run = static_cast<QLabel*>(client::visibleWidget("Run"))->text();
  QVERIFY2(QRegularExpression("^[0-9,.]+ ms, \\S.*$").match(run).hasMatch(), qPrintable(run));
  QVERIFY(client::visibleWidget("StageBar"));
  QVERIFY(client::visibleWidget("Facts"));
  QVERIFY(client::lastRun().contains("Drawn by: rays"));
  client::click("AdvancedButton");

  set("Visibility", 0);
  QCOMPARE(client::lastRun().trimmed(), QString("Not drawn: The representation is hidden."));
}

void IsovalueTest::iconsAreInMenuAndToolbar()
{
  for (const char* name : { "VulkanMarchingCubes", "VulkanImageHistogram", "ShowAsVulkanIsosurface" })
  {
    const QList<QAction*> actions = client::actions(name);
    QVERIFY2(!actions.empty(), name);
    const QImage icon = actions.front()->icon().pixmap(32, 32).toImage();
    QCOMPARE(icon.size(), QSize(32, 32));
    QVERIFY2(icon != QImage(icon.size(), icon.format()), name);
    QVERIFY2(std::any_of(actions.begin(), actions.end(), client::isInToolbar), name);
  }
}

void IsovalueTest::toolBarShowsTheImage()
{
  QAction* action = client::actions("ShowAsVulkanIsosurface").front();
  QVERIFY(!action->isEnabled());
  createWavelet();
  QVERIFY(action->isEnabled());
  const QImage outline = client::picture();
  action->trigger();
  QVERIFY(histogramWithBins());
  QVERIFY(client::differenceOf(client::picture(), outline) > Clear);
  createAppliedFilter();
  QVERIFY(!action->isEnabled()); // a mesh
}
