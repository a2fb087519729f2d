// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bar of the stages of a run.
#include "Compute/System/Stage.h"
#include "Plots/Colors.h"
#include "Plots/Numbers.h"
#include "Plots/StageBar.h"

#include <QTest>

#include <cmath>
#include <set>

using vmc::plots::StageBar;
using vmc::plots::TimedStage;

namespace
{

std::vector<TimedStage> someStages()
{
  return { { "Upload", 6 }, { "CountBricks", 3 }, { "ScanBricks", 0.5 }, { "EmitSurface", 0.5 } };
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
  void everyStageIsNamedWithItsTime();
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
  StageBar bar;
  bar.resize(400, 60);
  bar.setStages(someStages());
  QCOMPARE(bar.segment(0).left(), 0.0);
  QCOMPARE(bar.segment(0).width(), 240.0);
  QCOMPARE(bar.segment(1).left(), 240.0);
  QCOMPARE(bar.segment(1).width(), 120.0);
  QCOMPARE(bar.segment(3).right(), 400.0);
  const QImage image = bar.grab().toImage();
  const int y = int(bar.segment(0).height() * image.devicePixelRatio()) - 2;
  QCOMPARE(image.pixelColor(5, y), vmc::plots::stageColor(QString("Upload")));
  QCOMPARE(image.pixelColor(int(300 * image.devicePixelRatio()), y), vmc::plots::stageColor(QString("CountBricks")));
}

void TestStageBar::everyStageIsNamedWithItsTime()
{
  StageBar bar;
  bar.setStages(someStages());
  QCOMPARE(
    bar.texts(), QStringList({ "Upload 6.00 ms", "CountBricks 3.00 ms", "ScanBricks 0.50 ms", "EmitSurface 0.50 ms" }));
  QCOMPARE(bar.accessibleName(), bar.texts().join(", "));
}

// The colour of a stage does not depend on the other stages of the run.
void TestStageBar::aStageKeepsItsColor()
{
  for (const TimedStage& before : { TimedStage{ "Upload", 0 }, TimedStage{ "Upload", 5 } })
  {
    StageBar bar;
    bar.resize(400, 60);
    bar.setStages({ before, { "EmitSurface", 5 } });
    const QImage image = bar.grab().toImage();
    const int y = int(bar.segment(0).height() * image.devicePixelRatio()) - 2;
    QCOMPARE(image.pixelColor(image.width() - 5, y), vmc::plots::stageColor(QString("EmitSurface")));
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
  StageBar bar;
  bar.setStages({ { "Upload", 0 }, { "Download", 1 } });
  QCOMPARE(bar.texts(), QStringList("Download 1.00 ms"));
}

void TestStageBar::legendWrapsInANarrowPanel()
{
  StageBar bar;
  bar.setStages(someStages());
  const int wide = bar.heightForWidth(2000);
  const int narrow = bar.heightForWidth(150);
  QVERIFY(narrow > wide);
  bar.resize(150, 10);
  bar.show();
  QCOMPARE(bar.height(), narrow);
  // Nothing is cut off below: a higher widget shows no more. Letters may touch the last row.
  bar.setFixedHeight(narrow + 20);
  QImage image(bar.size(), QImage::Format_RGB32);
  image.fill(bar.palette().color(QPalette::Window));
  bar.render(&image, QPoint(), QRegion(), QWidget::DrawChildren);
  QCOMPARE(image.height(), narrow + 20);
  for (int y = narrow; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      QCOMPARE(image.pixelColor(x, y), bar.palette().color(QPalette::Window));
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
  // Most runs have few stages between these.
  const QColor surface = vmc::plots::stageColor(QString("EmitSurface"));
  for (const char* next : { "Download", "WrapOutput", "Other" })
    QVERIFY2(vmc::plots::contrast(surface, vmc::plots::stageColor(QString(next))) >= 1.5, next);
}

void TestStageBar::timesHaveTheDigitsOfInterest()
{
  QCOMPARE(vmc::plots::textOfMilliseconds(0.3149), QString("0.31 ms"));
  QCOMPARE(vmc::plots::textOfMilliseconds(12.36), QString("12.4 ms"));
  QCOMPARE(vmc::plots::textOfMilliseconds(1250.4), QString("1,250 ms"));
}

QTEST_MAIN(TestStageBar)
#include "TestStageBar.moc"
