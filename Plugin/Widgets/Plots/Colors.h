// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Colours of the plots, derived from the palette: for light and dark themes, and for colour-blind readers, to whom the
// colours differ in lightness. The hues are those of Okabe and Ito, "Color Universal Design" (2008).
#ifndef vmcPlotsColors_h
#define vmcPlotsColors_h

#include <QColor>
#include <QPalette>
#include <QString>

namespace vmc::plots
{

// The contrast ratio of the Web Content Accessibility Guidelines 2.1: from 1 (equal) to 21 (black and white).
double contrast(const QColor& first, const QColor& second);

// The colour, as much lighter or darker as a contrast of at least `ratio` to the background needs.
QColor withContrast(QColor color, const QColor& background, double ratio);

// Black or white, whichever has the higher contrast to the background.
QColor textOn(const QColor& background);

// 3 is what the guidelines ask of graphics, 4.5 what they ask of text.
constexpr double GraphicsContrast = 3;
constexpr double TextContrast = 4.5;

struct PlotColors
{
  QColor background;
  QColor text;
  QColor label; // text outside the plot
  QColor frame;
  QColor samples;        // columns, up to the smallest count of the bins of a pixel
  QColor largestSamples; // columns, up to the largest count
  QColor cutCells;
  QColor isovalue;
};

PlotColors plotColors(const QPalette& palette);

// The colour of the stage of this name (vmc::nameOf), always the same. Stages next to each other differ in lightness.
// An unknown name has the colour of Stage::Other.
QColor stageColor(const QString& name);

}

#endif
