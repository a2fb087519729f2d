// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bar of the stages of a run.
#include "Compute/System/Stage.h"
#include "Plots/Colors.h"
#include "Plots/Numbers.h"
#include "Plots/StageBar.h"

#include <QLabel>
#include <QTest>

#include <cmath>
#include <set>

using vmc::plots::RunTimes;
using vmc::plots::StageBar;
using vmc::plots::StageBarPlot;
using vmc::plots::TimedStage;

namespace
{

RunTimes someTimes()
{
  return { { { "Upload", 6 }, { "CountBricks", 3 }, { "EmitPoints", 0.5 }, { "EmitTriangles", 0.5 } }, 10 };
}

QColor colorOf(std::size_t stage)
{
  return vmc::plots::stageColor(QString(vmc::nameOf(static_cast<vmc::Stage>(stage))));
}

}

class TestStageBar : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void segmentsAreProportionalToTheTimes();
  void missingTimeIsShownAsOther();
  void stagesThatAddUpHaveNoOther();
  void everyStageIsNamedWithItsTime();
  void onlyTheSummaryIsShownWithoutDetails();
  void aStageKeepsItsColor();
  void everyStageHasAColorOfItsOwn();
  void stagesWithoutTimeAreLeftOut();
  void legendWrapsInANarrowPanel();
  void namesInSegmentsHaveContrast();
  void neighboursDifferInLightness();
  void timesHaveTheDigitsOfInterest();
};

void TestStageBar::segmentsAreProportionalToTheTimes()
{
  StageBarPlot plot;
  plot.resize(400, 60);
  plot.setTimes(someTimes());
  QCOMPARE(plot.segment(0).left(), 0.0);
  QCOMPARE(plot.segment(0).width(), 240.0);
  QCOMPARE(plot.segment(1).left(), 240.0);
  QCOMPARE(plot.segment(1).width(), 120.0);
  QCOMPARE(plot.segment(3).right(), 400.0);
  const QImage image = plot.grab().toImage();
  const int y = int(plot.segment(0).height() * image.devicePixelRatio()) - 2;
  QCOMPARE(image.pixelColor(5, y), vmc::plots::stageColor(QString("Upload")));
  QCOMPARE(image.pixelColor(int(300 * image.devicePixelRatio()), y), vmc::plots::stageColor(QString("CountBricks")));
}

void TestStageBar::missingTimeIsShownAsOther()
{
  RunTimes times = someTimes();
  times.totalMilliseconds = 12;
  const std::vector<TimedStage> shown = vmc::plots::shownStages(times);
  QCOMPARE(shown.size(), std::size_t(5));
  QCOMPARE(shown.back().name, QString("other"));
  QCOMPARE(shown.back().milliseconds, 2.0);
}

void TestStageBar::stagesThatAddUpHaveNoOther()
{
  QCOMPARE(vmc::plots::shownStages(someTimes()).size(), std::size_t(4));
}

void TestStageBar::everyStageIsNamedWithItsTime()
{
  StageBar bar;
  bar.setSummary({ "1,234 triangles" });
  bar.setTimes(someTimes());
  bar.setFacts({ "12 bricks" });
  for (const char* part :
    { "Upload 6.00 ms", "CountBricks 3.00 ms", "EmitPoints 0.50 ms", "1,234 triangles", "12 bricks" })
    QVERIFY2(bar.text().contains(part), qPrintable(bar.text()));
  QVERIFY(bar.plot()->accessibleName().contains("Upload 6.00 ms"));
}

void TestStageBar::onlyTheSummaryIsShownWithoutDetails()
{
  StageBar bar;
  bar.setSummary({ "1,234 triangles" });
  bar.setTimes(someTimes());
  bar.setFacts({ "12 bricks" });
  bar.show();
  const int height = bar.sizeHint().height();
  QVERIFY(bar.findChild<QLabel*>("Summary")->isVisible());
  QVERIFY(!bar.plot()->isVisible());
  QVERIFY(!bar.findChild<QLabel*>("Facts")->isVisible());
  QVERIFY(height < 2 * bar.fontMetrics().height());
  bar.setDetailed(true);
  QVERIFY(bar.plot()->isVisible());
  QVERIFY(bar.findChild<QLabel*>("Facts")->isVisible());
  bar.setTimes({});
  bar.setFacts({});
  QVERIFY(!bar.plot()->isVisible());
  QVERIFY(!bar.findChild<QLabel*>("Facts")->isVisible());
}

// The colour of a stage does not depend on the other stages of the run.
void TestStageBar::aStageKeepsItsColor()
{
  for (const TimedStage& before : { TimedStage{ "Upload", 0 }, TimedStage{ "Upload", 5 } })
  {
    StageBarPlot plot;
    plot.resize(400, 60);
    plot.setTimes({ { before, { "EmitPoints", 5 } }, before.milliseconds + 5 });
    const QImage image = plot.grab().toImage();
    const int y = int(plot.segment(0).height() * image.devicePixelRatio()) - 2;
    QCOMPARE(image.pixelColor(image.width() - 5, y), vmc::plots::stageColor(QString("EmitPoints")));
  }
}

void TestStageBar::everyStageHasAColorOfItsOwn()
{
  std::set<QRgb> colors;
  for (std::size_t stage = 0; stage < vmc::StageCount; ++stage)
    colors.insert(colorOf(stage).rgb());
  QCOMPARE(colors.size(), vmc::StageCount);
  QCOMPARE(vmc::plots::stageColor(QString("other")), vmc::plots::stageColor(QString("Other")));
}

void TestStageBar::stagesWithoutTimeAreLeftOut()
{
  const RunTimes times{ { { "Upload", 0 }, { "Download", 1 } }, 1 };
  QCOMPARE(vmc::plots::shownStages(times).size(), std::size_t(1));
}

void TestStageBar::legendWrapsInANarrowPanel()
{
  StageBarPlot plot;
  plot.setTimes(someTimes());
  const int wide = plot.heightForWidth(2000);
  const int narrow = plot.heightForWidth(150);
  QVERIFY(narrow > wide);
  plot.resize(150, 10);
  plot.show();
  QCOMPARE(plot.height(), narrow);
  // Nothing is cut off below: a higher widget shows no more. Letters may touch the last row.
  plot.setFixedHeight(narrow + 20);
  QImage image(plot.size(), QImage::Format_RGB32);
  image.fill(plot.palette().color(QPalette::Window));
  plot.render(&image, QPoint(), QRegion(), QWidget::DrawChildren);
  QCOMPARE(image.height(), narrow + 20);
  for (int y = narrow; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      QCOMPARE(image.pixelColor(x, y), plot.palette().color(QPalette::Window));
}

void TestStageBar::namesInSegmentsHaveContrast()
{
  for (std::size_t i = 0; i < vmc::StageCount; ++i)
    QVERIFY(vmc::plots::contrast(vmc::plots::textOn(colorOf(i)), colorOf(i)) >= vmc::plots::TextContrast);
}

// For readers who see no hue.
void TestStageBar::neighboursDifferInLightness()
{
  for (std::size_t i = 0; i + 1 < vmc::StageCount; ++i)
    QVERIFY2(vmc::plots::contrast(colorOf(i), colorOf(i + 1)) >= 1.5, vmc::nameOf(static_cast<vmc::Stage>(i)));
}

void TestStageBar::timesHaveTheDigitsOfInterest()
{
  QCOMPARE(vmc::plots::textOfMilliseconds(0.3149), QString("0.31 ms"));
  QCOMPARE(vmc::plots::textOfMilliseconds(12.36), QString("12.4 ms"));
  QCOMPARE(vmc::plots::textOfMilliseconds(1250.4), QString("1,250 ms"));
}

QTEST_MAIN(TestStageBar)
#include "TestStageBar.moc"
