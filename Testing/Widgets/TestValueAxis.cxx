// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The axis of a histogram, its bins, and its numbers.
#include "Plots/Histogram.h"
#include "Plots/Numbers.h"
#include "Plots/ValueAxis.h"

#include <QTest>

#include <cmath>
#include <limits>

using vmc::plots::Histogram;
using vmc::plots::ValueAxis;

namespace
{

using Values = std::vector<double>;

ValueAxis axisOf(double lower, double upper)
{
  ValueAxis axis;
  axis.setPixels(10, 110);
  axis.setWhole({ lower, upper });
  return axis;
}

}

class TestValueAxis : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void pixelsAndValuesAreInverse();
  void roundedValuesAreDecimal();
  void ticksAreRoundValues_data();
  void ticksAreRoundValues();
  void changedRangeKeepsThePartThatIsVisible();
  void changedRangeShowsAllIfAllWasVisible();
  void scrollToShowsAHiddenValue();
  void binsHaveTheirLowerBound();
  void gapsHaveNoBin();
  void numbersDistinguishPixels();
};

void TestValueAxis::pixelsAndValuesAreInverse()
{
  const ValueAxis axis = axisOf(-50, 150);
  QCOMPARE(axis.pixelOf(-50), 10.0);
  QCOMPARE(axis.pixelOf(150), 110.0);
  QCOMPARE(axis.pixelOf(50), 60.0);
  QCOMPARE(axis.valueAt(35), 0.0);
  QCOMPARE(axis.valuesPerPixel(), 2.0);
}

// The double next to the decimal number, so that the list shows no digits of rounding.
void TestValueAxis::roundedValuesAreDecimal()
{
  QCOMPARE(ValueAxis::rounded(0.30000000000000004, 0.1), 0.3);
  QVERIFY(ValueAxis::rounded(50.123, 0.01) == 50.12);
  QVERIFY(ValueAxis::rounded(1234.5, 100) == 1200);
  QVERIFY(ValueAxis::rounded(-0.6789e-7, 1e-9) == -6.8e-8);
}

void TestValueAxis::ticksAreRoundValues_data()
{
  QTest::addColumn<double>("lower");
  QTest::addColumn<double>("upper");
  QTest::addColumn<int>("count");
  QTest::addColumn<QVector<double>>("expected");
  QTest::newRow("by 50") << 0.0 << 255.0 << 6 << QVector<double>{ 0, 50, 100, 150, 200, 250 };
  QTest::newRow("by 0.2") << -0.3 << 0.5 << 4 << QVector<double>{ -0.2, 0, 0.2, 0.4 };
  QTest::newRow("by 1e9") << 0.0 << 3e9 << 3 << QVector<double>{ 0, 1e9, 2e9, 3e9 };
}

void TestValueAxis::ticksAreRoundValues()
{
  QFETCH(double, lower);
  QFETCH(double, upper);
  QFETCH(int, count);
  QFETCH(QVector<double>, expected);
  QCOMPARE(axisOf(lower, upper).ticks(count), Values(expected.begin(), expected.end()));
}

void TestValueAxis::changedRangeKeepsThePartThatIsVisible()
{
  ValueAxis axis = axisOf(0, 100);
  axis.zoom(0.5, 60);
  QCOMPARE(axis.visible().lower, 25.0);
  axis.changeWhole({ -10, 200 });
  QCOMPARE(axis.visible().lower, 25.0);
  QCOMPARE(axis.visible().upper, 75.0);
  axis.changeWhole({ 1000, 2000 }); // other data: nothing of it would be visible
  QCOMPARE(axis.visible().lower, 1000.0);
  QCOMPARE(axis.visible().upper, 2000.0);
}

void TestValueAxis::changedRangeShowsAllIfAllWasVisible()
{
  ValueAxis axis = axisOf(0, 100);
  axis.changeWhole({ -10, 300 });
  QCOMPARE(axis.visible().lower, -10.0);
  QCOMPARE(axis.visible().upper, 300.0);
}

void TestValueAxis::scrollToShowsAHiddenValue()
{
  ValueAxis axis = axisOf(0, 100);
  axis.zoom(0.1, 10);
  QCOMPARE(axis.visible().upper, 10.0);
  axis.scrollTo(5);
  QCOMPARE(axis.visible().upper, 10.0);
  axis.scrollTo(70);
  QVERIFY(axis.visible().lower <= 70 && axis.visible().upper >= 70);
}

void TestValueAxis::binsHaveTheirLowerBound()
{
  Histogram histogram;
  histogram.bins = { { 0, 1, 1, 0 }, { 1, 2, 2, 0 }, { 2, 3, 3, 0 } };
  QCOMPARE(vmc::plots::binAt(histogram, 0), 0);
  QCOMPARE(vmc::plots::binAt(histogram, 1), 1);
  QCOMPARE(vmc::plots::binAt(histogram, 2.5), 2);
  QCOMPARE(vmc::plots::binAt(histogram, 3), 2);
  for (const double outside : { -0.1, 3.1, std::numeric_limits<double>::quiet_NaN() })
    QCOMPARE(vmc::plots::binAt(histogram, outside), -1);
  QCOMPARE(vmc::plots::binAt({}, 0), -1);
}

void TestValueAxis::gapsHaveNoBin()
{
  Histogram histogram;
  histogram.bins = { { 0, 1, 1, 0 }, { 5, 6, 2, 0 } };
  QCOMPARE(vmc::plots::binAt(histogram, 3), -1);
}

void TestValueAxis::numbersDistinguishPixels()
{
  QCOMPARE(vmc::plots::textOf(1000000.25, 0.01), QString("1000000.25"));
  QCOMPARE(vmc::plots::textOf(157.09133, 0.7), QString("157.1"));
  QCOMPARE(vmc::plots::textOf(2000, 11), QString("2000"));
  QCOMPARE(vmc::plots::textOf(0, 0.1), QString("0"));
  QCOMPARE(vmc::plots::textOfCount(16777216), QString("16,777,216"));
}

QTEST_APPLESS_MAIN(TestValueAxis)
#include "TestValueAxis.moc"
