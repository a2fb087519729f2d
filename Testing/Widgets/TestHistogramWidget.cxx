// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The histogram with isovalues, driven by events of mouse, wheel and keys.
#include "Plots/Colors.h"
#include "Plots/HistogramWidget.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <limits>

using vmc::plots::Bin;
using vmc::plots::Histogram;
using vmc::plots::HistogramWidget;

namespace
{

using Values = std::vector<double>;

// Bins of one value each, with 1 to `count` samples.
Histogram risingHistogram(int count)
{
  Histogram histogram;
  for (int i = 0; i < count; ++i)
    histogram.bins.push_back({ double(i), i + 1.0, i + 1.0, double(count - i) });
  return histogram;
}

QPalette darkPalette()
{
  QPalette palette(QColor(45, 45, 48), QColor(45, 45, 48));
  palette.setColor(QPalette::Base, QColor(30, 30, 32));
  palette.setColor(QPalette::Text, QColor(225, 225, 225));
  palette.setColor(QPalette::WindowText, QColor(225, 225, 225));
  return palette;
}

void send(QWidget& widget, QEvent::Type type, const QPoint& position, Qt::MouseButton button, Qt::MouseButtons buttons)
{
  QMouseEvent event(type, position, widget.mapToGlobal(position), button, buttons, Qt::NoModifier);
  QApplication::sendEvent(&widget, &event);
}

void press(QWidget& widget, const QPoint& position, Qt::MouseButton button = Qt::LeftButton)
{
  send(widget, QEvent::MouseButtonPress, position, button, button);
}

void move(QWidget& widget, const QPoint& position, Qt::MouseButton button = Qt::LeftButton)
{
  send(widget, QEvent::MouseMove, position, Qt::NoButton, button);
}

void release(QWidget& widget, const QPoint& position, Qt::MouseButton button = Qt::LeftButton)
{
  send(widget, QEvent::MouseButtonRelease, position, button, Qt::NoButton);
}

void click(QWidget& widget, const QPoint& position)
{
  press(widget, position);
  release(widget, position);
}

bool turnWheel(QWidget& widget, const QPoint& position, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
  QWheelEvent event(position, widget.mapToGlobal(position), QPoint(), QPoint(0, 120 * notches), Qt::NoButton, modifiers,
    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
  return event.isAccepted();
}

void sendKey(QWidget& widget, QEvent::Type type, int key, bool isRepeated)
{
  QKeyEvent event(type, key, Qt::NoModifier, QString(), isRepeated);
  QApplication::sendEvent(&widget, &event);
}

int countOf(const QImage& image, const QRect& area, const QColor& color)
{
  int count = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x)
      count += image.pixelColor(x, y) == color;
  return count;
}

}

// A widget of 400 x 220 pixels with bins from 0 to 100.
class TestHistogramWidget : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void init();
  void cleanup();

  void dragMovesALine();
  void dragStopsAtTheEndsOfThePlot();
  void dragGivesShortValues();
  void clickSelectsALineWithoutMovingIt();
  void nearestOfSeveralLinesIsDragged();
  void doubleClickAddsALine();
  void doubleClickOnALineAddsNone();
  void deleteKeyRemovesTheLine();
  void dragOutOfThePlotRemovesTheLine();
  void dragOutAndBackKeepsTheLine();
  void escapeEndsADragWithoutChange();
  void arrowKeysMoveTheLine_data();
  void arrowKeysMoveTheLine();
  void heldKeyIsOneChange();
  void tabGoesThroughTheLines();
  void insertKeyAddsALine();
  void wheelMovesTheLineAfterAClick();
  void wheelScrollsThePanelWithoutAClick();
  void wheelScrollsThePanelAfterThePointerHasLeft();
  void controlWheelZoomsAtTheCursor();
  void rightDragMovesTheRange();
  void homeAndDoubleClickOnTheAxisShowTheWholeRange();
  void hiddenLineIsDraggedFromTheSide();
  void moveCurrentToMovesOrAdds();
  void otherValuesEmitNothing();
  void otherNumberOfValuesEndsADrag();
  void readoutHasValueAndCounts();
  void columnsOfIntegersStandAtTheirValues();
  void thousandsOfBinsKeepTheirPeaks();
  void emptyDataShowsTheMessage();
  void constantDataHasARange();
  void hugeRangeHasFiniteValues();
  void colorsAreReadable_data();
  void colorsAreReadable();
  void linesHaveTheColorsOfTheirSurfaces();
  void largeFontIsNotClipped_data();
  void largeFontIsNotClipped();
  void linearCountsAreProportional();

private:
  QPoint at(double value) const
  {
    return { int(std::lround(this->Widget->axis().pixelOf(value))), this->Widget->plotArea().center().y() };
  }
  double pixel() const { return this->Widget->axis().valuesPerPixel(); }

  // The widget in logical pixels, so that a test reads the same ones at every scale.
  QImage picture() const
  {
    QImage image(this->Widget->size(), QImage::Format_RGB32);
    image.fill(this->Widget->palette().color(QPalette::Window));
    this->Widget->render(&image, QPoint(), QRegion(), QWidget::DrawChildren);
    return image;
  }

  std::unique_ptr<HistogramWidget> Widget;
  std::unique_ptr<QSignalSpy> Changing;
  std::unique_ptr<QSignalSpy> Changed;
};

void TestHistogramWidget::init()
{
  this->Widget = std::make_unique<HistogramWidget>();
  this->Widget->resize(400, 220);
  this->Widget->setHistogram(risingHistogram(100));
  this->Widget->show();
  QVERIFY(QTest::qWaitForWindowActive(this->Widget.get()));
  this->Widget->setFocus();
  this->Changing = std::make_unique<QSignalSpy>(this->Widget.get(), &HistogramWidget::isovaluesChanging);
  this->Changed = std::make_unique<QSignalSpy>(this->Widget.get(), &HistogramWidget::isovaluesChanged);
}

void TestHistogramWidget::cleanup()
{
  this->Changing.reset();
  this->Changed.reset();
  this->Widget.reset();
}

void TestHistogramWidget::dragMovesALine()
{
  this->Widget->setIsovalues({ 20, 50 });
  press(*this->Widget, this->at(50));
  QCOMPARE(this->Changing->count(), 0);
  move(*this->Widget, this->at(60));
  QCOMPARE(this->Changing->count(), 1);
  QVERIFY(std::abs(this->Widget->isovalues()[1] - 60) < this->pixel());
  move(*this->Widget, this->at(70));
  QCOMPARE(this->Changing->count(), 2);
  QCOMPARE(this->Changed->count(), 0);
  release(*this->Widget, this->at(70));
  QCOMPARE(this->Changed->count(), 1);
  QCOMPARE(this->Widget->isovalues()[0], 20.0);
  QVERIFY(std::abs(this->Widget->isovalues()[1] - 70) < this->pixel());
  move(*this->Widget, this->at(80), Qt::NoButton);
  QVERIFY(std::abs(this->Widget->isovalues()[1] - 70) < this->pixel());
}

void TestHistogramWidget::dragStopsAtTheEndsOfThePlot()
{
  this->Widget->setIsovalues({ 50 });
  press(*this->Widget, this->at(50));
  move(*this->Widget, this->at(1000));
  QCOMPARE(this->Widget->isovalues()[0], 100.0);
  move(*this->Widget, this->at(-1000));
  QCOMPARE(this->Widget->isovalues()[0], 0.0);
  release(*this->Widget, this->at(-1000));
  QCOMPARE(this->Widget->isovalues().size(), std::size_t(1));
}

// A pixel is 0.26 wide here, so one decimal suffices.
void TestHistogramWidget::dragGivesShortValues()
{
  this->Widget->setIsovalues({ 50 });
  press(*this->Widget, this->at(50));
  for (double value = 51; value < 60; value += 1.234)
  {
    move(*this->Widget, this->at(value));
    const double isovalue = this->Widget->isovalues()[0];
    QCOMPARE(isovalue, std::round(isovalue * 10) / 10);
  }
  release(*this->Widget, this->at(60));
}

void TestHistogramWidget::clickSelectsALineWithoutMovingIt()
{
  this->Widget->setIsovalues({ 20.123456, 50.123456 });
  for (const int line : { 1, 0 })
  {
    const QPoint position = this->at(this->Widget->isovalues()[line]) + QPoint(1, 0);
    press(*this->Widget, position);
    release(*this->Widget, position);
    QCOMPARE(this->Widget->current(), line);
  }
  QCOMPARE(this->Widget->isovalues(), (Values{ 20.123456, 50.123456 }));
  QCOMPARE(this->Changing->count() + this->Changed->count(), 0);
}

void TestHistogramWidget::nearestOfSeveralLinesIsDragged()
{
  const double near = 50 + 3 * this->pixel();
  this->Widget->setIsovalues({ 50, near });
  press(*this->Widget, this->at(50));
  QCOMPARE(this->Widget->current(), 0);
  release(*this->Widget, this->at(50));
  press(*this->Widget, this->at(near));
  QCOMPARE(this->Widget->current(), 1);
  release(*this->Widget, this->at(near));
}

void TestHistogramWidget::doubleClickAddsALine()
{
  this->Widget->setIsovalues({ 20 });
  QTest::mouseDClick(this->Widget.get(), Qt::LeftButton, Qt::NoModifier, this->at(70));
  QCOMPARE(this->Widget->isovalues().size(), std::size_t(2));
  QCOMPARE(this->Widget->isovalues()[0], 20.0);
  QVERIFY(std::abs(this->Widget->isovalues()[1] - 70) < this->pixel());
  QCOMPARE(this->Widget->current(), 1);
  QCOMPARE(this->Changed->count(), 1);
}

void TestHistogramWidget::doubleClickOnALineAddsNone()
{
  this->Widget->setIsovalues({ 20 });
  QTest::mouseDClick(this->Widget.get(), Qt::LeftButton, Qt::NoModifier, this->at(20));
  QCOMPARE(this->Widget->isovalues(), Values{ 20 });
}

void TestHistogramWidget::deleteKeyRemovesTheLine()
{
  this->Widget->setIsovalues({ 20, 50, 80 });
  press(*this->Widget, this->at(50));
  release(*this->Widget, this->at(50));
  QTest::keyClick(this->Widget.get(), Qt::Key_Delete);
  QCOMPARE(this->Widget->isovalues(), (Values{ 20, 80 }));
  QCOMPARE(this->Changed->count(), 1);
  QTest::keyClick(this->Widget.get(), Qt::Key_Delete);
  QTest::keyClick(this->Widget.get(), Qt::Key_Delete);
  QTest::keyClick(this->Widget.get(), Qt::Key_Delete); // nothing is left
  QCOMPARE(this->Widget->isovalues(), Values{});
  QCOMPARE(this->Widget->current(), -1);
  QCOMPARE(this->Changed->count(), 3);
}

void TestHistogramWidget::dragOutOfThePlotRemovesTheLine()
{
  for (const int y : { -200, 500 })
  {
    this->Widget->setIsovalues({ 20, 50 });
    this->Changed->clear();
    press(*this->Widget, this->at(50));
    move(*this->Widget, { this->at(50).x(), y });
    QCOMPARE(this->Widget->shownIsovalues(), Values{ 20 }); // the surface follows
    QCOMPARE(this->Widget->isovalues(), (Values{ 20, 50 }));
    release(*this->Widget, { this->at(50).x(), y });
    QCOMPARE(this->Widget->isovalues(), Values{ 20 });
    QCOMPARE(this->Changed->count(), 1);
  }
}

void TestHistogramWidget::dragOutAndBackKeepsTheLine()
{
  this->Widget->setIsovalues({ 50 });
  press(*this->Widget, this->at(50));
  move(*this->Widget, { this->at(50).x(), -200 });
  QCOMPARE(this->Widget->shownIsovalues(), Values());
  move(*this->Widget, this->at(50));
  release(*this->Widget, this->at(50));
  QCOMPARE(this->Widget->isovalues(), Values{ 50 });
}

void TestHistogramWidget::escapeEndsADragWithoutChange()
{
  this->Widget->setIsovalues({ 50 });
  press(*this->Widget, this->at(50));
  move(*this->Widget, this->at(70));
  QTest::keyClick(this->Widget.get(), Qt::Key_Escape);
  QCOMPARE(this->Widget->isovalues(), Values{ 50 });
  QCOMPARE(this->Changing->count(), 2); // there and back: a surface that follows is taken back
  move(*this->Widget, this->at(80));
  release(*this->Widget, this->at(80));
  QCOMPARE(this->Widget->isovalues(), Values{ 50 });
}

void TestHistogramWidget::arrowKeysMoveTheLine_data()
{
  QTest::addColumn<int>("key");
  QTest::addColumn<int>("modifiers");
  QTest::addColumn<double>("expected");
  // A thousandth of the visible range, 0.1, is the finest step.
  QTest::newRow("Right") << int(Qt::Key_Right) << int(Qt::NoModifier) << 50.1;
  QTest::newRow("Left") << int(Qt::Key_Left) << int(Qt::NoModifier) << 49.9;
  QTest::newRow("Up") << int(Qt::Key_Up) << int(Qt::NoModifier) << 50.1;
  QTest::newRow("Down") << int(Qt::Key_Down) << int(Qt::NoModifier) << 49.9;
  QTest::newRow("Shift Right") << int(Qt::Key_Right) << int(Qt::ShiftModifier) << 51.0;
  QTest::newRow("Page Up") << int(Qt::Key_PageUp) << int(Qt::NoModifier) << 60.0;
  QTest::newRow("Page Down") << int(Qt::Key_PageDown) << int(Qt::NoModifier) << 40.0;
}

void TestHistogramWidget::arrowKeysMoveTheLine()
{
  QFETCH(int, key);
  QFETCH(int, modifiers);
  QFETCH(double, expected);
  this->Widget->setIsovalues({ 50 });
  QTest::keyClick(this->Widget.get(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
  QCOMPARE(this->Widget->isovalues(), Values{ expected });
  QCOMPARE(this->Changed->count(), 1);
}

void TestHistogramWidget::heldKeyIsOneChange()
{
  this->Widget->setIsovalues({ 50 });
  sendKey(*this->Widget, QEvent::KeyPress, Qt::Key_Right, false);
  for (int i = 0; i < 4; ++i)
  {
    sendKey(*this->Widget, QEvent::KeyRelease, Qt::Key_Right, true);
    sendKey(*this->Widget, QEvent::KeyPress, Qt::Key_Right, true);
  }
  QCOMPARE(this->Changing->count(), 5);
  QCOMPARE(this->Changed->count(), 0);
  sendKey(*this->Widget, QEvent::KeyRelease, Qt::Key_Right, false);
  QCOMPARE(this->Changed->count(), 1);
  QCOMPARE(this->Widget->isovalues(), Values{ 50.5 });
}

void TestHistogramWidget::tabGoesThroughTheLines()
{
  QWidget window;
  QWidget before(&window);
  HistogramWidget histogram(&window);
  QWidget after(&window);
  before.setFocusPolicy(Qt::StrongFocus);
  after.setFocusPolicy(Qt::StrongFocus);
  histogram.setHistogram(risingHistogram(100));
  histogram.setIsovalues({ 80, 20, 50 });
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  before.setFocus();
  for (const int line : { 1, 2, 0 }) // in the order of values
  {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(histogram.hasFocus());
    QCOMPARE(histogram.current(), line);
  }
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QVERIFY(after.hasFocus());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
  QVERIFY(histogram.hasFocus());
  QCOMPARE(histogram.current(), 0);
}

void TestHistogramWidget::insertKeyAddsALine()
{
  QTest::keyClick(this->Widget.get(), Qt::Key_Insert);
  QCOMPARE(this->Widget->isovalues().size(), std::size_t(1));
  QVERIFY(std::abs(this->Widget->isovalues()[0] - 50) < 2 * this->pixel());
}

void TestHistogramWidget::wheelMovesTheLineAfterAClick()
{
  this->Widget->setIsovalues({ 50 });
  click(*this->Widget, this->at(10));
  QVERIFY(turnWheel(*this->Widget, this->at(10), 1));
  QVERIFY(turnWheel(*this->Widget, this->at(10), 1));
  QVERIFY(turnWheel(*this->Widget, this->at(10), 1));
  QCOMPARE(this->Widget->isovalues(), Values{ 50.3 });
  QVERIFY(turnWheel(*this->Widget, this->at(10), -1, Qt::ShiftModifier));
  QCOMPARE(this->Widget->isovalues(), Values{ 49.3 });
  QCOMPARE(this->Changing->count(), 4);
  QCOMPARE(this->Changed->count(), 0);
  QVERIFY(this->Changed->wait());
  QCOMPARE(this->Changed->count(), 1);
}

void TestHistogramWidget::wheelScrollsThePanelWithoutAClick()
{
  this->Widget->setIsovalues({ 50 });
  QVERIFY(!turnWheel(*this->Widget, this->at(10), 1)); // although it has the focus
  click(*this->Widget, this->at(10));
  this->Widget->clearFocus();
  QVERIFY(!turnWheel(*this->Widget, this->at(10), 1));
  QCOMPARE(this->Widget->isovalues(), Values{ 50 });
}

// The panel moves the plot under the pointer while it is scrolled.
void TestHistogramWidget::wheelScrollsThePanelAfterThePointerHasLeft()
{
  this->Widget->setIsovalues({ 50 });
  click(*this->Widget, this->at(50));
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(this->Widget.get(), &leave);
  QVERIFY(this->Widget->hasFocus());
  QVERIFY(!turnWheel(*this->Widget, this->at(10), 1));
  QCOMPARE(this->Widget->isovalues(), Values{ 50 });
  click(*this->Widget, this->at(50));
  QVERIFY(turnWheel(*this->Widget, this->at(10), 1));
}

void TestHistogramWidget::controlWheelZoomsAtTheCursor()
{
  const QPoint position = this->at(30);
  const double value = this->Widget->axis().valueAt(position.x());
  const double before = this->pixel();
  QVERIFY(turnWheel(*this->Widget, position, 4, Qt::ControlModifier));
  QVERIFY(this->pixel() < before / 2);
  QVERIFY(std::abs(this->Widget->axis().valueAt(position.x()) - value) < 1e-9);
  QVERIFY(turnWheel(*this->Widget, position, -40, Qt::ControlModifier));
  QCOMPARE(this->Widget->axis().visible().lower, 0.0);
  QCOMPARE(this->Widget->axis().visible().upper, 100.0);
  QVERIFY(turnWheel(*this->Widget, position, 10000, Qt::ControlModifier)); // to the limit
  QVERIFY(this->pixel() > 0);
  QVERIFY(this->Widget->axis().valueAt(100) < this->Widget->axis().valueAt(101));
}

void TestHistogramWidget::rightDragMovesTheRange()
{
  QVERIFY(turnWheel(*this->Widget, this->at(50), 5, Qt::ControlModifier));
  const QPoint inAxis(this->at(50).x(), this->Widget->axisArea().center().y());
  for (const auto& [button, start] : { std::pair{ Qt::RightButton, this->at(50) }, { Qt::LeftButton, inAxis } })
  {
    const double value = this->Widget->axis().valueAt(start.x());
    press(*this->Widget, start, button);
    move(*this->Widget, start + QPoint(30, 0), button);
    release(*this->Widget, start + QPoint(30, 0), button);
    QVERIFY(std::abs(this->Widget->axis().valueAt(start.x() + 30) - value) < 1e-9);
  }
  press(*this->Widget, inAxis);
  move(*this->Widget, inAxis + QPoint(100000, 0));
  release(*this->Widget, inAxis);
  QCOMPARE(this->Widget->axis().visible().lower, 0.0); // not beyond the data
}

void TestHistogramWidget::homeAndDoubleClickOnTheAxisShowTheWholeRange()
{
  for (const bool isKey : { true, false })
  {
    turnWheel(*this->Widget, this->at(50), 5, Qt::ControlModifier);
    QVERIFY(this->Widget->axis().visible().lower > 0);
    if (isKey)
      QTest::keyClick(this->Widget.get(), Qt::Key_Home);
    else
      QTest::mouseDClick(this->Widget.get(), Qt::LeftButton, Qt::NoModifier, this->Widget->axisArea().center());
    QCOMPARE(this->Widget->axis().visible().lower, 0.0);
    QCOMPARE(this->Widget->axis().visible().upper, 100.0);
  }
  QCOMPARE(this->Widget->isovalues(), Values{});
}

void TestHistogramWidget::hiddenLineIsDraggedFromTheSide()
{
  this->Widget->setIsovalues({ 150 });
  const QPoint side(this->Widget->plotArea().right(), this->Widget->plotArea().center().y());
  press(*this->Widget, side);
  move(*this->Widget, this->at(60));
  release(*this->Widget, this->at(60));
  QVERIFY(std::abs(this->Widget->isovalues()[0] - 60) < this->pixel());
}

void TestHistogramWidget::moveCurrentToMovesOrAdds()
{
  this->Widget->moveCurrentTo(12.3456789);
  QCOMPARE(this->Widget->isovalues(), Values{ 12.3456789 });
  this->Widget->moveCurrentTo(45.5);
  QCOMPARE(this->Widget->isovalues(), Values{ 45.5 });
  QCOMPARE(this->Changed->count(), 2);
}

void TestHistogramWidget::otherValuesEmitNothing()
{
  this->Widget->setIsovalues({ 20, 30 });
  this->Widget->setIsovalues({ 40 });
  this->Widget->setHistogram(risingHistogram(7));
  QCOMPARE(this->Widget->isovalues(), Values{ 40 });
  QCOMPARE(this->Changing->count() + this->Changed->count(), 0);
}

void TestHistogramWidget::otherNumberOfValuesEndsADrag()
{
  this->Widget->setIsovalues({ 20, 50 });
  press(*this->Widget, this->at(50));
  move(*this->Widget, this->at(60));
  this->Widget->setIsovalues({ 10 }); // by Python
  move(*this->Widget, this->at(70));
  release(*this->Widget, this->at(70));
  QCOMPARE(this->Widget->isovalues(), Values{ 10 });
  QCOMPARE(this->Changed->count(), 0);
}

void TestHistogramWidget::readoutHasValueAndCounts()
{
  Histogram histogram = risingHistogram(100);
  histogram.bins[42].samples = 1234567;
  histogram.bins[42].cutCells = 890;
  this->Widget->setHistogram(histogram);
  const QString text = this->Widget->readout(42.5);
  for (const char* part : { "42.5", "1,234,567", "890" })
    QVERIFY2(text.contains(part), qPrintable(text));
}

// The labels 0 to 3. The bin [2, 3) has the samples 2 alone, and an isovalue of 2.5 cuts cells between 2 and 3.
void TestHistogramWidget::columnsOfIntegersStandAtTheirValues()
{
  Histogram labels;
  for (int label = 0; label < 4; ++label)
    labels.bins.push_back({ double(label), label + 1.0, label == 2 ? 70.0 : 0.0, 10.0 * label });
  labels.columnOffset = -0.5;
  this->Widget->setHistogram(labels);
  QCOMPARE(this->Widget->axis().whole().lower, -0.5);
  QCOMPARE(this->Widget->axis().whole().upper, 3.5);
  const QImage image = this->picture();
  const QColor column = vmc::plots::plotColors(this->Widget->palette()).samples;
  const int bottom = this->Widget->plotArea().bottom() - 5;
  for (const double inside : { 1.55, 2.0, 2.45 })
    QCOMPARE(image.pixelColor(this->at(inside).x(), bottom), column);
  for (const double outside : { 1.45, 2.55 })
    QVERIFY(image.pixelColor(this->at(outside).x(), bottom) != column);
  QVERIFY(this->Widget->readout(1.6).contains("70 samples, 10 cut cells"));
  QVERIFY(this->Widget->readout(2.4).contains("70 samples, 20 cut cells"));
  QVERIFY(this->Widget->readout(2.6).contains(" 0 samples, 20 cut cells"));
  QVERIFY(this->Widget->readout(-0.3).contains(" 0 samples, 0 cut cells"));
}

// 50,000 bins on 380 pixels: the one full bin is as high as the plot, and the few samples of the others are seen.
void TestHistogramWidget::thousandsOfBinsKeepTheirPeaks()
{
  Histogram histogram = risingHistogram(50000);
  for (Bin& bin : histogram.bins)
    bin.samples = 10;
  histogram.bins[25000].samples = 1e9;
  this->Widget->setHistogram(histogram);
  const QImage image = this->picture();
  const QRect plot = this->Widget->plotArea();
  const vmc::plots::PlotColors colors = vmc::plots::plotColors(this->Widget->palette());
  const int x = this->at(25000.5).x();
  const QRect top(x - 1, plot.top() + 2, 3, 10);
  QVERIFY(countOf(image, top, colors.largestSamples) >= top.height() / 2);
  const QRect bottom(plot.left() + 1, plot.bottom() - 1, plot.width() - 2, 1);
  QVERIFY(countOf(image, bottom, colors.samples) > bottom.width() * 9 / 10);
}

void TestHistogramWidget::emptyDataShowsTheMessage()
{
  this->Widget->setHistogram({});
  const QImage without = this->picture();
  Histogram histogram;
  histogram.message = "The input has no array.";
  this->Widget->setHistogram(histogram);
  QVERIFY(this->picture() != without);
  QCOMPARE(this->Widget->accessibleDescription(), QString("The input has no array."));
  this->Widget->setIsovalues({ 5 });
  press(*this->Widget, this->at(5));
  move(*this->Widget, this->at(7));
  release(*this->Widget, this->at(7));
  QTest::mouseDClick(this->Widget.get(), Qt::LeftButton, Qt::NoModifier, this->at(0.5));
  QCOMPARE(this->Widget->isovalues(), Values{ 5 }); // without an axis nothing moves
}

void TestHistogramWidget::constantDataHasARange()
{
  for (const double value : { 0.0, 7.0, -1e300 })
  {
    Histogram histogram;
    histogram.bins = { { value, value, 1000, 0 } };
    this->Widget->setHistogram(histogram);
    QTest::keyClick(this->Widget.get(), Qt::Key_Home);
    QVERIFY(this->Widget->axis().visible().lower < value);
    QVERIFY(this->Widget->axis().visible().upper > value);
    const QRect plot = this->Widget->plotArea();
    const QRect column(this->at(value).x() - 3, plot.top() + 5, 7, plot.height() - 10);
    const vmc::plots::PlotColors colors = vmc::plots::plotColors(this->Widget->palette());
    QVERIFY(countOf(this->picture(), column, colors.samples) >= column.height());
    QVERIFY(this->Widget->readout(value).contains("1,000"));
  }
}

void TestHistogramWidget::hugeRangeHasFiniteValues()
{
  const double largest = std::numeric_limits<double>::max();
  Histogram histogram;
  histogram.bins = { { -largest, 0, 10, 1 }, { 0, largest, 20, 1 } };
  this->Widget->setHistogram(histogram);
  this->Widget->setIsovalues({ 0 });
  press(*this->Widget, this->at(0));
  move(*this->Widget, this->at(0) + QPoint(50, 0));
  release(*this->Widget, this->at(0) + QPoint(50, 0));
  QVERIFY(std::isfinite(this->Widget->isovalues()[0]));
  QVERIFY(this->Widget->isovalues()[0] > largest / 10);
  QVERIFY(turnWheel(*this->Widget, this->at(0), 3, Qt::ControlModifier));
  QVERIFY(std::isfinite(this->Widget->axis().visible().lower));
  this->picture();
}

void TestHistogramWidget::colorsAreReadable_data()
{
  QTest::addColumn<QPalette>("palette");
  QTest::newRow("light") << QPalette(QColor(239, 239, 239), QColor(239, 239, 239));
  QTest::newRow("dark") << darkPalette();
}

// Tests the picture, not only the computed colours: the colour of the line is in the picture, and has contrast to both
// the background and the columns below it. Lines and curve differ in lightness, for readers who see no hue.
void TestHistogramWidget::colorsAreReadable()
{
  QFETCH(QPalette, palette);
  this->Widget->setPalette(palette);
  this->Widget->setIsovalues({ 90 });
  const vmc::plots::PlotColors colors = vmc::plots::plotColors(palette);
  const QImage image = this->picture();
  const QRect plot = this->Widget->plotArea();
  const QRect line(this->at(90).x() - 3, plot.center().y(), 7, plot.height() / 3);
  QVERIFY(countOf(image, line, colors.isovalue) >= line.height());
  QVERIFY(countOf(image, plot, colors.background) > plot.width() * plot.height() / 20);
  using vmc::plots::contrast;
  QVERIFY(contrast(colors.isovalue, colors.background) >= vmc::plots::GraphicsContrast);
  QVERIFY(contrast(colors.cutCells, colors.background) >= vmc::plots::GraphicsContrast);
  QVERIFY(contrast(colors.text, colors.background) >= vmc::plots::TextContrast);
  QVERIFY(contrast(vmc::plots::textOn(colors.isovalue), colors.isovalue) >= vmc::plots::TextContrast);
  QVERIFY(contrast(colors.isovalue, colors.samples) >= 1.5);
  QVERIFY(contrast(colors.cutCells, colors.samples) >= 1.5);
  QVERIFY(contrast(colors.isovalue, colors.cutCells) >= 1.2);
}

// White is visible on white by its edge. A surface without one colour leaves the line its own.
void TestHistogramWidget::linesHaveTheColorsOfTheirSurfaces()
{
  const QColor green(20, 120, 40);
  this->Widget->setIsovalues({ 20, 50, 80 });
  this->Widget->setColorOfLines(
    [&](double isovalue) { return isovalue == 20   ? green
                                  : isovalue == 50 ? QColor(Qt::white)
                                                   : QColor(); });
  const QImage image = this->picture();
  const int y = this->Widget->plotArea().top() + this->Widget->fontMetrics().height(); // above the columns
  const auto around = [&](double value) { return QRect(this->at(value).x() - 6, y, 13, 1); };
  const vmc::plots::PlotColors colors = vmc::plots::plotColors(this->Widget->palette());
  QVERIFY(countOf(image, around(20), green) > 0);
  QVERIFY(countOf(image, around(50), colors.background) < around(50).width());
  QVERIFY(countOf(image, around(80), colors.isovalue) > 0);

  this->Widget->setIsovalues({ 50 });
  const int unit = this->Widget->fontMetrics().height();
  const QRect line(this->at(50).x() - unit / 2, this->Widget->plotArea().top() + unit / 4, unit, 1);
  const QRect row = line.adjusted(-2 * unit, 0, 2 * unit, 0); // with an edge of the box of the value
  const QImage white = this->picture();
  const auto foreground = [&](const QRect& rect) { return rect.width() - countOf(white, rect, colors.background); };
  QVERIFY(foreground(row) - foreground(line) > unit / 2);
}

void TestHistogramWidget::largeFontIsNotClipped_data()
{
  QTest::addColumn<int>("points");
  QTest::newRow("100 %") << 9;
  QTest::newRow("200 %") << 18;
}

// Text that is cut off touches the side of the widget: the outermost pixels have the colour of the window.
void TestHistogramWidget::largeFontIsNotClipped()
{
  QFETCH(int, points);
  QFont font = this->Widget->font();
  font.setPointSize(points);
  this->Widget->setFont(font);
  this->Widget->resize(this->Widget->minimumSizeHint());
  this->Widget->setIsovalues({ 3, 97.5 });
  QVERIFY(this->Widget->plotArea().height() >= 4 * this->Widget->fontMetrics().height());
  const QImage image = this->picture();
  const QColor window = this->Widget->palette().color(QPalette::Window);
  const int width = image.width();
  const int height = image.height();
  QCOMPARE(countOf(image, QRect(0, 0, width, 1), window), width);
  QCOMPARE(countOf(image, QRect(0, height - 1, width, 1), window), width);
  QCOMPARE(countOf(image, QRect(0, 0, 1, height), window), height);
  QCOMPARE(countOf(image, QRect(width - 1, 0, 1, height), window), height);
}

void TestHistogramWidget::linearCountsAreProportional()
{
  Histogram histogram = risingHistogram(100);
  for (Bin& bin : histogram.bins)
    bin = { bin.lower, bin.upper, bin.lower < 50 ? 25.0 : 100.0, 0 };
  this->Widget->setHistogram(histogram);
  this->Widget->setLogarithmic(false);
  const QImage image = this->picture();
  const QRect plot = this->Widget->plotArea();
  const QColor color = vmc::plots::plotColors(this->Widget->palette()).samples;
  const auto heightAt = [&](double value)
  { return countOf(image, QRect(this->at(value).x(), plot.top() + 1, 1, plot.height() - 1), color); };
  QVERIFY(std::abs(heightAt(20) - plot.height() / 4) <= 2);
  QVERIFY(heightAt(70) >= plot.height() - 5); // but for the curve's line
}

QTEST_MAIN(TestHistogramWidget)
#include "TestHistogramWidget.moc"
