// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Plots/Numbers.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace vmc::plots
{

namespace
{

QString grouped(double number, int decimals)
{
  return QLocale(QLocale::English, QLocale::UnitedStates).toString(number, 'f', decimals);
}

}

QString textOf(double value, double resolution)
{
  const double magnitude = std::abs(value);
  if (magnitude == 0 || !(resolution > 0))
    return QLocale::c().toString(value, 'g', 6);
  const double wholeDigits = std::floor(std::log10(magnitude)) + 1;
  const double digits = wholeDigits - std::floor(std::log10(resolution));
  const double fewest = std::clamp(wholeDigits, 3.0, 6.0); // fewer would give an exponent
  return QLocale::c().toString(value, 'g', static_cast<int>(std::clamp(digits, fewest, 17.0)));
}

QString textOfCount(double count)
{
  return grouped(count, 0);
}

QString textOfMilliseconds(double milliseconds)
{
  const int decimals = milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0;
  return QString("%1 ms").arg(grouped(milliseconds, decimals));
}

}
