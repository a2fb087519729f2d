// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bar of the stages of a run.
#include "Plots/Colors.h"
#include "Plots/Numbers.h"
#include "Plots/StageBar.h"

#include <QLabel>
#include <QTest>

#include <cmath>

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

}

class TestStageBar : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void segmentsAreProportionalToTheTimes();
  void missingTimeIsShownAsOther();
  void stagesThatAddUpHaveNoOther();
  void everyStageIsNamedWithItsTime();
  void stagesWithoutTimeAreLeftOut();
  void legendWrapsInANarrowPanel();
  void noRunIsSaid();
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
  QCOMPARE(image.pixelColor(5, y), vmc::plots::stageColor(0));
  QCOMPARE(image.pixelColor(int(300 * image.devicePixelRatio()), y), vmc::plots::stageColor(1));
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
  bar.setTimes(someTimes());
  bar.setFacts({ "1,234 triangles", "Device: llvmpipe" });
  for (const char* part :
    { "Total 10.0 ms", "Upload 6.00 ms", "CountBricks 3.00 ms", "EmitPoints 0.50 ms", "1,234 triangles", "llvmpipe" })
    QVERIFY2(bar.text().contains(part), qPrintable(bar.text()));
  QVERIFY(bar.plot()->accessibleName().contains("Upload 6.00 ms"));
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

void TestStageBar::noRunIsSaid()
{
  StageBar bar;
  QVERIFY(bar.text().contains("No run yet"));
  bar.setTimes(someTimes());
  QVERIFY(!bar.text().contains("No run yet"));
  bar.setTimes({});
  QVERIFY(bar.text().contains("No run yet"));
}

void TestStageBar::namesInSegmentsHaveContrast()
{
  for (int i = 0; i < 16; ++i)
    QVERIFY(vmc::plots::contrast(vmc::plots::textOn(vmc::plots::stageColor(i)), vmc::plots::stageColor(i)) >=
            vmc::plots::TextContrast);
}

// For readers who see no hue.
void TestStageBar::neighboursDifferInLightness()
{
  for (int i = 0; i < 16; ++i)
    QVERIFY2(vmc::plots::contrast(vmc::plots::stageColor(i), vmc::plots::stageColor(i + 1)) >= 1.5,
      qPrintable(QString::number(i)));
}

void TestStageBar::timesHaveTheDigitsOfInterest()
{
  QCOMPARE(vmc::plots::textOfMilliseconds(0.3149), QString("0.31 ms"));
  QCOMPARE(vmc::plots::textOfMilliseconds(12.36), QString("12.4 ms"));
  QCOMPARE(vmc::plots::textOfMilliseconds(1250.4), QString("1,250 ms"));
}

QTEST_MAIN(TestStageBar)
#include "TestStageBar.moc"
