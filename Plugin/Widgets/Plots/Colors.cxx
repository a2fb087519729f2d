// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Plots/Colors.h"

#include "Compute/System/Stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace vmc::plots
{

namespace
{

double linear(double channel)
{
  return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QColor mix(const QColor& first, const QColor& second, double part)
{
  const auto channel = [part](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
  return QColor(
    channel(first.red(), second.red()), channel(first.green(), second.green()), channel(first.blue(), second.blue()));
}

}

double contrast(const QColor& first, const QColor& second)
{
  const double a = luminance(first);
  const double b = luminance(second);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor withContrast(QColor color, const QColor& background, double ratio)
{
  const QColor end = textOn(background);
  const QColor start = color;
  for (int percent = 0; percent <= 100; percent += 5)
  {
    color = mix(start, end, percent / 100.0);
    if (contrast(color, background) >= ratio)
      break;
  }
  return color;
}

QColor textOn(const QColor& background)
{
  return contrast(Qt::black, background) >= contrast(Qt::white, background) ? Qt::black : Qt::white;
}

PlotColors plotColors(const QPalette& palette)
{
  PlotColors colors;
  colors.background = palette.color(QPalette::Base);
  colors.text = withContrast(palette.color(QPalette::Text), colors.background, TextContrast);
  colors.label = withContrast(palette.color(QPalette::WindowText), palette.color(QPalette::Window), TextContrast);
  colors.frame = mix(colors.background, colors.text, 0.5);
  colors.samples = mix(colors.background, colors.text, 0.35);
  colors.largestSamples = mix(colors.background, colors.text, 0.2);
  const bool isDark = textOn(colors.background) == Qt::white;
  const QColor blue = isDark ? QColor(0x56, 0xb4, 0xe9) : QColor(0x00, 0x72, 0xb2);
  colors.cutCells = withContrast(blue, colors.background, TextContrast);
  colors.isovalue = withContrast(QColor(0xd5, 0x5e, 0x00), colors.background, GraphicsContrast);
  return colors;
}

QColor stageColor(const QString& name)
{
  static const std::array<QColor, 8> colors = { QColor(0x00, 0x72, 0xb2), QColor(0xe6, 0x9f, 0x00),
    QColor(0x00, 0x5f, 0x50), QColor(0xe0, 0xe0, 0xe0), QColor(0xa6, 0x3d, 0x00), QColor(0xf0, 0xe4, 0x42),
    QColor(0x7a, 0x3b, 0x69), QColor(0x56, 0xb4, 0xe9) };
  std::size_t stage = 0;
  while (stage + 1 < StageCount && name != nameOf(static_cast<Stage>(stage)))
    ++stage;
  const QColor& color = colors[stage % colors.size()];
  const QColor shades[] = { color, mix(color, Qt::black, 0.35), mix(color, Qt::black, 0.55) };
  static_assert(StageCount <= std::size(shades) * colors.size());
  return shades[stage / colors.size()];
}

}
