// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A histogram on which isovalues are lines that the user drags.
//
// Mouse: drag a line; drag it above or below the plot to remove it; double click to add one; drag the axis, or drag
// with the right button, to move the visible range; double click on the axis to see the whole range. Wheel: after a
// click in the widget, until the pointer leaves it, moves the current line; with Ctrl, zooms the range at the cursor.
// Keys: Tab selects the next line; Left and Right move it, with Shift ten times as far; Page Up and Page Down a hundred
// times as far; Delete removes it; Insert adds one; Home shows the whole range; Escape ends a drag without a change.
#ifndef vmcPlotsHistogramWidget_h
#define vmcPlotsHistogramWidget_h

#include "Plots/Histogram.h"
#include "Plots/ValueAxis.h"

#include <QColor>
#include <QPen>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace vmc::plots
{

class HistogramWidget : public QWidget
{
  Q_OBJECT

public:
  explicit HistogramWidget(QWidget* parent = nullptr);

  // Shows the bins, or the message if there are none. The visible range stays if it is a part of the new one.
  void setHistogram(const Histogram& histogram);
  const Histogram& histogram() const { return this->Data; }

  // The isovalues keep the order of the caller; new ones are at the end. Emits no signal. Ends a change that the user
  // is making, if the number of isovalues is another one.
  void setIsovalues(const std::vector<double>& isovalues);
  const std::vector<double>& isovalues() const { return this->Isovalues; }
  // Returns the isovalues without a line that is dragged away.
  std::vector<double> shownIsovalues() const;

  // The index of the line that keys, wheel and moveCurrentTo move; -1 if there is none.
  int current() const { return this->Current; }

  // Moves the current line, or adds one if there is none, as a finished change of the user.
  void moveCurrentTo(double value);

  // The colour of the line at an isovalue: that of its surface. An invalid colour, and no function (the default), is a
  // colour that no surface has by default.
  void setColorOfLines(std::function<QColor(double)> colorOf);

  // Logarithmic counts (the default) show bins with few samples, too.
  void setLogarithmic(bool logarithmic);

  // Returns whether the user is making a change: between isovaluesChanging and isovaluesChanged.
  bool isChanging() const { return this->Before.has_value(); }

  // Pixels of this widget, for tests and tools.
  QRect plotArea() const;
  QRect axisArea() const;
  const ValueAxis& axis() const { return this->Axis; }

  // Returns the line of text above the plot for the cursor at this value. The short text has numbers without words.
  QString readout(double value, bool isShort = false) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

Q_SIGNALS:
  // While the user changes isovalues: during a drag, while a key is down, between turns of the wheel.
  void isovaluesChanging();
  // At the end of each change. If a drag is cancelled, the values are those before it.
  void isovaluesChanged();

protected:
  bool event(QEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

private:
  enum class Drag
  {
    None,
    Line,
    Range
  };

  // The smallest and the largest of the bins in one column of pixels, as parts of the largest of all, from 0 to 1.
  struct Column
  {
    double least = 0;
    double most = 0;
    bool hasBins = false;
  };

  // Changes of isovalues.
  void beginChange();
  void announce();
  void finishChange();
  void cancelChange();
  void addLine(double value);
  void removeCurrent();
  void moveCurrentBy(double steps);
  void dragLineTo(const QPoint& position);
  bool pressOtherKey(int key);

  // Lines.
  int lineAt(const QPoint& position) const;
  double pixelOfLine(int index) const; // at a side of the plot if the isovalue is not visible
  std::vector<int> linesInOrder() const;
  bool isShownAsRemoved(int index) const { return this->IsOutside && index == this->Current; }

  // Painting.
  void placeAxis();
  QColor colorOfLine(int index) const;
  QPen edgeOf(const QColor& color) const;
  std::vector<Column> columnsOf(double Bin::*count, double offset) const; // offset: of the bins, in values
  void paintColumns(QPainter& painter) const;
  void paintCurve(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;
  void paintLines(QPainter& painter) const;
  void paintLine(QPainter& painter, int index) const;
  void paintValue(QPainter& painter, int index) const;
  void paintText(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  int unit() const; // pixels, from the font: distances and widths follow the scaling of the screen

  Histogram Data;
  ValueAxis Axis;
  std::vector<double> Isovalues;
  std::function<QColor(double)> ColorOfLines;
  int Current = -1;
  bool Logarithmic = true;

  Drag Dragged = Drag::None;
  bool IsClicked = false; // since the pointer has entered
  bool IsOutside = false; // the dragged line is outside the plot, and is removed at the end
  QPoint LastPosition;
  std::optional<int> Cursor;                 // pixel of the cursor in the plot
  std::optional<std::vector<double>> Before; // isovalues before the change
  std::vector<double> Announced;             // with the last isovaluesChanging
  QTimer WheelEnd;
};

}

#endif
