// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Plots/HistogramWidget.h"

#include "Plots/Colors.h"
#include "Plots/Numbers.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace vmc::plots
{

namespace
{

constexpr int WheelPause = 300;    // milliseconds without a turn that end a change by the wheel
constexpr double WheelNotch = 120; // eighths of a degree, as QWheelEvent counts
constexpr double ZoomPerNotch = 1.25;
constexpr double StepsPerRange = 1000; // the finest step of a key is at most this part of the visible range

QPoint positionOf(const QMouseEvent* event)
{
#if QT_VERSION < QT_VERSION_CHECK(6, 0, 0)
  return event->pos();
#else
  return event->position().toPoint();
#endif
}

// A step from one visible value to the next by key or wheel: a power of ten, so that values stay short.
double fineStep(const ValueAxis& axis)
{
  const double range = axis.visible().upper / 2 - axis.visible().lower / 2;
  return ValueAxis::powerOfTenBelow(range / StepsPerRange * 2);
}

}

HistogramWidget::HistogramWidget(QWidget* parent)
  : QWidget(parent)
{
  this->setFocusPolicy(Qt::StrongFocus);
  this->setMouseTracking(true);
  this->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  this->setAccessibleName(tr("Histogram with isovalues"));
  this->setToolTip(tr(
    "Drag a line to change the isovalue. Double click adds one; Delete, or dragging it above or below the plot, "
    "removes it. Arrow keys and, after a click, the wheel move the selected line, Ctrl + wheel zooms, Home shows the "
    "whole range."));
  this->WheelEnd.setSingleShot(true);
  this->WheelEnd.setInterval(WheelPause);
  QObject::connect(&this->WheelEnd, &QTimer::timeout, this, [this] { this->finishChange(); });
}

void HistogramWidget::setHistogram(const Histogram& histogram)
{
  this->Data = histogram;
  this->Axis.changeWhole(rangeOf(this->Data));
  this->setAccessibleDescription(histogram.message);
  this->update();
}

void HistogramWidget::setIsovalues(const std::vector<double>& isovalues)
{
  if (isovalues == this->Isovalues)
    return;
  if (isovalues.size() != this->Isovalues.size())
  {
    this->Before.reset();
    this->Dragged = Drag::None;
    this->IsOutside = false;
  }
  this->Isovalues = isovalues;
  this->Current = std::min(std::max(this->Current, 0), static_cast<int>(isovalues.size()) - 1);
  this->update();
}

std::vector<double> HistogramWidget::shownIsovalues() const
{
  std::vector<double> isovalues = this->Isovalues;
  if (this->IsOutside && this->Current >= 0)
    isovalues.erase(isovalues.begin() + this->Current);
  return isovalues;
}

void HistogramWidget::setColorOfLines(std::function<QColor(double)> colorOf)
{
  this->ColorOfLines = std::move(colorOf);
  this->update();
}

void HistogramWidget::setLogarithmic(bool logarithmic)
{
  this->Logarithmic = logarithmic;
  this->update();
}

// ---- changes of isovalues

void HistogramWidget::beginChange()
{
  if (this->Before)
    return;
  this->Before = this->Isovalues;
  this->Announced = this->Isovalues;
}

void HistogramWidget::announce()
{
  this->update();
  const std::vector<double> values = this->shownIsovalues();
  if (values == this->Announced)
    return;
  this->Announced = values;
  Q_EMIT this->isovaluesChanging();
}

void HistogramWidget::finishChange()
{
  this->WheelEnd.stop();
  if (!this->Before)
    return;
  const bool wasAnnounced = this->Announced != *this->Before;
  const bool isOther = this->Isovalues != *this->Before;
  this->Before.reset();
  if (isOther || wasAnnounced)
    Q_EMIT this->isovaluesChanged();
}

void HistogramWidget::cancelChange()
{
  this->Dragged = Drag::None;
  this->IsOutside = false;
  this->Isovalues = *this->Before;
  this->announce();
  this->finishChange();
}

void HistogramWidget::moveCurrentTo(double value)
{
  this->finishChange();
  if (this->Current < 0)
  {
    this->addLine(value);
    return;
  }
  this->beginChange();
  this->Isovalues[this->Current] = value;
  this->announce();
  this->finishChange();
}

void HistogramWidget::addLine(double value)
{
  this->beginChange();
  this->Isovalues.push_back(value);
  this->Current = static_cast<int>(this->Isovalues.size()) - 1;
  this->announce();
  this->finishChange();
}

void HistogramWidget::removeCurrent()
{
  if (this->Current < 0)
    return;
  this->beginChange();
  this->IsOutside = false;
  this->Isovalues.erase(this->Isovalues.begin() + this->Current);
  this->Current = std::min(this->Current, static_cast<int>(this->Isovalues.size()) - 1);
  this->announce();
  this->finishChange();
}

void HistogramWidget::moveCurrentBy(double steps)
{
  if (this->Current < 0)
    return;
  this->beginChange();
  const double step = fineStep(this->Axis);
  double& isovalue = this->Isovalues[this->Current];
  isovalue = ValueAxis::rounded(isovalue + steps * step, step);
  isovalue = std::clamp(isovalue, this->Axis.whole().lower, this->Axis.whole().upper);
  this->Axis.scrollTo(isovalue);
  this->announce();
}

// ---- lines

double HistogramWidget::pixelOfLine(int index) const
{
  const QRect plot = this->plotArea();
  return std::clamp(this->Axis.pixelOf(this->Isovalues[index]), double(plot.left()), double(plot.right()));
}

// Returns the line that is nearest to the position; among equally near ones the last, which is on top.
int HistogramWidget::lineAt(const QPoint& position) const
{
  const QRect plot = this->plotArea();
  double nearest = this->unit() / 2.0;
  int found = -1;
  if (this->Data.bins.empty() || position.y() < plot.top() || position.y() > plot.bottom())
    return -1;
  for (int i = 0; i < static_cast<int>(this->Isovalues.size()); ++i)
  {
    const double distance = std::abs(this->pixelOfLine(i) - position.x());
    if (distance > nearest)
      continue;
    nearest = distance;
    found = i;
  }
  return found;
}

std::vector<int> HistogramWidget::linesInOrder() const
{
  std::vector<int> order(this->Isovalues.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(
    order.begin(), order.end(), [this](int a, int b) { return this->Isovalues[a] < this->Isovalues[b]; });
  return order;
}

// ---- mouse

void HistogramWidget::mousePressEvent(QMouseEvent* event)
{
  const QPoint position = positionOf(event);
  this->finishChange(); // of the wheel
  this->IsClicked = true;
  this->LastPosition = position;
  const int line = this->lineAt(position);
  const bool isLeft = event->button() == Qt::LeftButton;
  if (isLeft && line >= 0)
  {
    this->Dragged = Drag::Line;
    this->Current = line;
    this->beginChange();
  }
  else if (event->button() == Qt::RightButton || (isLeft && this->axisArea().contains(position)))
    this->Dragged = Drag::Range;
  this->update();
}

void HistogramWidget::mouseMoveEvent(QMouseEvent* event)
{
  const QPoint position = positionOf(event);
  this->Cursor.reset();
  if (this->plotArea().contains(position))
    this->Cursor = position.x();
  if (this->Dragged == Drag::Line)
    this->dragLineTo(position);
  else if (this->Dragged == Drag::Range)
    this->Axis.pan(this->LastPosition.x(), position.x());
  else
    this->setCursor(this->lineAt(position) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
  this->LastPosition = position;
  this->update();
}

void HistogramWidget::dragLineTo(const QPoint& position)
{
  const QRect plot = this->plotArea();
  const int margin = 2 * this->unit();
  this->IsOutside = position.y() < plot.top() - margin || position.y() > plot.bottom() + margin;
  // A click that selects a line does not move it to the pixel.
  if (position.x() != this->LastPosition.x())
  {
    const int pixel = std::clamp(position.x(), plot.left(), plot.right());
    this->Isovalues[this->Current] =
      std::clamp(this->Axis.rounded(this->Axis.valueAt(pixel)), this->Axis.whole().lower, this->Axis.whole().upper);
    this->Cursor = pixel;
  }
  this->announce();
}

void HistogramWidget::mouseReleaseEvent(QMouseEvent*)
{
  const Drag dragged = this->Dragged;
  this->Dragged = Drag::None;
  if (dragged == Drag::Line && this->IsOutside)
    this->removeCurrent();
  else if (dragged == Drag::Line)
    this->finishChange();
  this->update();
}

void HistogramWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
  if (event->button() != Qt::LeftButton || this->Data.bins.empty())
    return;
  if (this->axisArea().contains(positionOf(event)))
    this->Axis.setWhole(this->Axis.whole());
  else if (this->plotArea().contains(positionOf(event)) && this->lineAt(positionOf(event)) < 0)
    this->addLine(this->Axis.rounded(this->Axis.valueAt(positionOf(event).x())));
  this->update();
}

void HistogramWidget::leaveEvent(QEvent*)
{
  this->Cursor.reset();
  this->IsClicked = false;
  this->update();
}

// Without a click, the wheel scrolls the panel around the widget, also while the panel moves the widget under the
// pointer.
void HistogramWidget::wheelEvent(QWheelEvent* event)
{
  const double notches = event->angleDelta().y() / WheelNotch;
  event->accept();
  if (event->modifiers() & Qt::ControlModifier)
    this->Axis.zoom(std::pow(ZoomPerNotch, -notches), event->position().x());
  else if (this->IsClicked && this->hasFocus() && this->Current >= 0 && this->Dragged == Drag::None)
  {
    this->moveCurrentBy(event->modifiers() & Qt::ShiftModifier ? 10 * notches : notches);
    this->WheelEnd.start();
  }
  else
    event->ignore();
  this->update();
}

// ---- keys

void HistogramWidget::keyPressEvent(QKeyEvent* event)
{
  static const std::map<int, int> steps = { { Qt::Key_Left, -1 }, { Qt::Key_Down, -1 }, { Qt::Key_Right, 1 },
    { Qt::Key_Up, 1 }, { Qt::Key_PageDown, -100 }, { Qt::Key_PageUp, 100 } };
  const auto movement = steps.find(event->key());
  if (movement != steps.end() && this->Current >= 0 && this->Dragged != Drag::Line)
    this->moveCurrentBy(movement->second * (event->modifiers() & Qt::ShiftModifier ? 10 : 1));
  else if (!this->pressOtherKey(event->key()))
    QWidget::keyPressEvent(event);
}

bool HistogramWidget::pressOtherKey(int key)
{
  switch (key)
  {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      this->Dragged = Drag::None;
      this->removeCurrent();
      return true;
    case Qt::Key_Insert:
      this->addLine(this->Axis.rounded(this->Axis.valueAt(this->plotArea().center().x())));
      return true;
    case Qt::Key_Home:
      this->Axis.setWhole(this->Axis.whole());
      this->update();
      return true;
    case Qt::Key_Escape:
      if (!this->Before)
        return false;
      this->cancelChange();
      return true;
    default:
      return false;
  }
}

// A key that is held down is one change.
void HistogramWidget::keyReleaseEvent(QKeyEvent* event)
{
  if (!event->isAutoRepeat() && this->Dragged == Drag::None)
    this->finishChange();
  QWidget::keyReleaseEvent(event);
}

// The dialog or panel around the widget must not take Escape and Delete for its own shortcuts.
bool HistogramWidget::event(QEvent* event)
{
  if (event->type() == QEvent::ShortcutOverride)
  {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete || key == Qt::Key_Home || key == Qt::Key_Insert ||
        (key == Qt::Key_Escape && this->Before))
      event->accept();
  }
  return QWidget::event(event);
}

bool HistogramWidget::focusNextPrevChild(bool next)
{
  std::vector<int> order = this->linesInOrder();
  if (!next)
    std::reverse(order.begin(), order.end());
  const auto current = std::find(order.begin(), order.end(), this->Current);
  if (current == order.end() || current + 1 == order.end())
    return QWidget::focusNextPrevChild(next);
  this->finishChange();
  this->Current = *(current + 1);
  this->Axis.scrollTo(std::clamp(this->Isovalues[this->Current], this->Axis.whole().lower, this->Axis.whole().upper));
  this->update();
  return true;
}

void HistogramWidget::focusInEvent(QFocusEvent* event)
{
  const std::vector<int> order = this->linesInOrder();
  if (!order.empty() && event->reason() == Qt::TabFocusReason)
    this->Current = order.front();
  else if (!order.empty() && event->reason() == Qt::BacktabFocusReason)
    this->Current = order.back();
  QWidget::focusInEvent(event);
  this->update();
}

void HistogramWidget::focusOutEvent(QFocusEvent* event)
{
  if (this->Dragged == Drag::None)
    this->finishChange();
  QWidget::focusOutEvent(event);
}

// ---- geometry

int HistogramWidget::unit() const
{
  return this->fontMetrics().height();
}

QRect HistogramWidget::plotArea() const
{
  const int unit = this->unit();
  return this->rect().adjusted(unit / 2, unit + unit / 2, -unit / 2, -(unit + unit / 2));
}

QRect HistogramWidget::axisArea() const
{
  const QRect plot = this->plotArea();
  return { 0, plot.bottom() + 1, this->width(), this->height() - plot.bottom() - 1 };
}

QSize HistogramWidget::sizeHint() const
{
  return { 20 * this->unit(), 11 * this->unit() };
}

QSize HistogramWidget::minimumSizeHint() const
{
  return { 10 * this->unit(), 8 * this->unit() };
}

void HistogramWidget::placeAxis()
{
  const QRect plot = this->plotArea();
  this->Axis.setPixels(plot.left(), plot.right());
}

void HistogramWidget::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  this->placeAxis();
}

void HistogramWidget::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
  {
    this->placeAxis();
    this->updateGeometry();
  }
  this->update();
}

// ---- painting

QString HistogramWidget::readout(double value, bool isShort) const
{
  QString text = textOf(value, this->Axis.valuesPerPixel());
  const int column = binAt(this->Data, value - this->Data.columnOffset);
  if (column < 0)
    return text;
  const int bin = binAt(this->Data, value);
  return (isShort ? QString("%1: %2, %3") : tr("%1: %2 samples, %3 cut cells"))
    .arg(text, textOfCount(this->Data.bins[column].samples), textOfCount(bin < 0 ? 0 : this->Data.bins[bin].cutCells));
}

std::vector<HistogramWidget::Column> HistogramWidget::columnsOf(double Bin::*count, double offset) const
{
  const QRect plot = this->plotArea();
  std::vector<Column> columns(std::max(plot.width(), 0));
  for (const Bin& bin : this->Data.bins)
  {
    double left = this->Axis.pixelOf(bin.lower + offset) - plot.left();
    double right = this->Axis.pixelOf(bin.upper + offset) - plot.left();
    if (bin.lower == bin.upper) // one value: it would have no width
    {
      left -= 1;
      right += 2;
    }
    const double width = static_cast<double>(columns.size());
    const int first = static_cast<int>(std::clamp(std::floor(left), 0.0, width));
    const int end = static_cast<int>(std::clamp(std::max(std::ceil(right), std::floor(left) + 1), 0.0, width));
    for (int x = first; x < end; ++x)
    {
      Column& column = columns[x];
      column.least = column.hasBins ? std::min(column.least, bin.*count) : bin.*count;
      column.most = std::max(column.most, bin.*count);
      column.hasBins = true;
    }
  }
  double largest = 0;
  for (const Column& column : columns)
    largest = std::max(largest, column.most);
  const auto heightOf = [&](double value)
  { return this->Logarithmic ? std::log1p(value) / std::log1p(largest) : value / largest; };
  for (Column& column : columns)
    if (largest > 0)
      column = { heightOf(column.least), heightOf(column.most), column.hasBins };
  return columns;
}

void HistogramWidget::paintEvent(QPaintEvent*)
{
  const PlotColors colors = plotColors(this->palette());
  QPainter painter(this);
  const QRect plot = this->plotArea();
  painter.fillRect(plot, colors.background);
  if (this->Data.bins.empty())
  {
    const int margin = this->unit() / 2;
    painter.setPen(colors.text);
    painter.drawText(
      plot.adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap, this->Data.message);
  }
  else
  {
    painter.save();
    painter.setClipRect(plot);
    this->paintColumns(painter);
    this->paintCurve(painter);
    painter.restore();
    this->paintAxis(painter);
    this->paintLines(painter);
    this->paintText(painter);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(this->hasFocus() ? QPen(this->palette().color(QPalette::Highlight), std::max(1, this->unit() / 8))
                                  : QPen(colors.frame));
  painter.drawRect(plot);
}

void HistogramWidget::paintColumns(QPainter& painter) const
{
  const PlotColors colors = plotColors(this->palette());
  const QRect plot = this->plotArea();
  const std::vector<Column> columns = this->columnsOf(&Bin::samples, this->Data.columnOffset);
  const auto paint = [&](int x, double part, const QColor& color)
  {
    const double height = std::max(part * (plot.height() - 1), part > 0 ? 1.0 : 0.0);
    painter.fillRect(QRectF(plot.left() + x, plot.bottom() + 1 - height, 1, height), color);
  };
  for (int x = 0; x < static_cast<int>(columns.size()); ++x)
  {
    paint(x, columns[x].most, colors.largestSamples);
    paint(x, columns[x].least, colors.samples);
  }
}

void HistogramWidget::paintCurve(QPainter& painter) const
{
  const QRect plot = this->plotArea();
  const std::vector<Column> columns = this->columnsOf(&Bin::cutCells, 0);
  QPainterPath curve;
  bool isConnected = false;
  for (int x = 0; x < static_cast<int>(columns.size()); ++x)
  {
    const QPointF point(plot.left() + x + 0.5, plot.bottom() - columns[x].most * (plot.height() - 1));
    if (columns[x].hasBins && isConnected)
      curve.lineTo(point);
    else if (columns[x].hasBins)
      curve.moveTo(point);
    isConnected = columns[x].hasBins;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(plotColors(this->palette()).cutCells, std::max(1.5, this->unit() / 8.0), Qt::DashLine));
  painter.drawPath(curve);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void HistogramWidget::paintAxis(QPainter& painter) const
{
  const QRect plot = this->plotArea();
  const QFontMetrics metrics = this->fontMetrics();
  const int unit = this->unit();
  painter.setPen(plotColors(this->palette()).label);
  int free = 0; // the first pixel behind the last label
  for (const double tick : this->Axis.ticks(std::max(2, plot.width() / (4 * unit))))
  {
    const int x = static_cast<int>(std::lround(this->Axis.pixelOf(tick)));
    const QString label = textOf(tick, this->Axis.valuesPerPixel());
    const int width = metrics.horizontalAdvance(label) + 2;
    const int left = std::clamp(x - width / 2, 0, std::max(0, this->width() - width));
    painter.drawLine(x, plot.bottom() + 1, x, plot.bottom() + unit / 4);
    if (left < free)
      continue;
    painter.drawText(
      QRect(left, plot.bottom() + unit / 4, width, metrics.height()), Qt::AlignHCenter | Qt::AlignTop, label);
    free = left + width + unit / 2;
  }
}

void HistogramWidget::paintLines(QPainter& painter) const
{
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < static_cast<int>(this->Isovalues.size()); ++i)
    this->paintLine(painter, i);
  if (this->Current >= 0)
    this->paintValue(painter, this->Current);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

QColor HistogramWidget::colorOfLine(int index) const
{
  const QColor color = this->ColorOfLines ? this->ColorOfLines(this->Isovalues[index]) : QColor();
  return color.isValid() ? color : plotColors(this->palette()).isovalue;
}

// An edge makes colours visible that are near to that of the background.
QPen HistogramWidget::edgeOf(const QColor& color) const
{
  const PlotColors colors = plotColors(this->palette());
  return contrast(color, colors.background) < GraphicsContrast ? QPen(colors.text, 1) : QPen(Qt::NoPen);
}

// A line with a handle on top; an arrow at the side where an isovalue is that is not visible.
void HistogramWidget::paintLine(QPainter& painter, int index) const
{
  const QRect plot = this->plotArea();
  const QColor color = this->colorOfLine(index);
  const QPen edge = this->edgeOf(color);
  const double unit = this->unit();
  const double x = this->pixelOfLine(index) + 0.5;
  const double isovalue = this->Isovalues[index];
  const double size = unit / 3;
  const bool isBelow = isovalue < this->Axis.visible().lower;
  painter.setBrush(color);
  if (isBelow || isovalue > this->Axis.visible().upper)
  {
    const double tip = isBelow ? plot.left() : plot.right();
    const double base = isBelow ? tip + 2 * size : tip - 2 * size;
    const double y = plot.top() + 2 * unit;
    painter.setPen(edge);
    painter.drawPolygon(QPolygonF({ { tip, y }, { base, y - size }, { base, y + size } }));
    return;
  }
  const bool isCurrent = index == this->Current;
  const double width = std::max(1.0, unit / (isCurrent ? 6 : 12));
  const Qt::PenStyle style = this->isShownAsRemoved(index) ? Qt::DotLine : Qt::SolidLine;
  if (edge.style() != Qt::NoPen)
  {
    painter.setPen(QPen(edge.color(), width + 2, style));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  }
  painter.setPen(QPen(color, width, style));
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  painter.setPen(edge);
  const double top = plot.top();
  painter.drawPolygon(QPolygonF({ { x - size, top }, { x + size, top }, { x, top + 1.5 * size } }));
}

// The value beside the line, on the side with more space.
void HistogramWidget::paintValue(QPainter& painter, int index) const
{
  const QRect plot = this->plotArea();
  const QColor color = this->colorOfLine(index);
  const int unit = this->unit();
  const QString text = this->isShownAsRemoved(index) ? tr("release to remove")
                                                     : textOf(this->Isovalues[index], this->Axis.valuesPerPixel());
  const int width = std::min(this->fontMetrics().horizontalAdvance(text) + unit / 2, plot.width());
  const int x = static_cast<int>(this->pixelOfLine(index));
  const int left = x < plot.center().x() ? x + unit / 2 : x - unit / 2 - width;
  const QRect box(
    std::clamp(left, plot.left(), std::max(plot.left(), plot.right() - width)), plot.top() + unit / 4, width, unit);
  painter.setPen(this->edgeOf(color));
  painter.setBrush(color);
  painter.drawRoundedRect(box, unit / 5.0, unit / 5.0);
  painter.setPen(textOn(color));
  painter.drawText(box, Qt::AlignCenter, text);
}

void HistogramWidget::paintText(QPainter& painter) const
{
  if (!this->Cursor)
  {
    this->paintLegend(painter);
    return;
  }
  const QRect plot = this->plotArea();
  const QRect row(plot.left(), 0, plot.width(), plot.top());
  painter.setPen(plotColors(this->palette()).label);
  const double value = this->Axis.valueAt(*this->Cursor);
  QString text = this->readout(value);
  if (this->fontMetrics().horizontalAdvance(text) > row.width())
    text = this->readout(value, /*isShort*/ true);
  painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void HistogramWidget::paintLegend(QPainter& painter) const
{
  const PlotColors colors = plotColors(this->palette());
  const QColor window = this->palette().color(QPalette::Window);
  const QRect plot = this->plotArea();
  const int unit = this->unit();
  const int y = plot.top() / 2;
  int x = plot.left();
  const auto write = [&](const QString& name)
  {
    x += unit / 4;
    painter.setPen(colors.label);
    painter.drawText(QRect(x, 0, plot.right() - x, plot.top()), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += this->fontMetrics().horizontalAdvance(name) + unit / 2;
  };
  painter.fillRect(QRect(x, y - unit / 4, unit, unit / 2), withContrast(colors.samples, window, GraphicsContrast));
  x += unit;
  write(tr("samples"));
  const QColor cutCells = withContrast(colors.cutCells, window, GraphicsContrast);
  painter.setPen(QPen(cutCells, std::max(1.5, unit / 8.0), Qt::DashLine));
  painter.drawLine(x, y, x + unit + unit / 2, y);
  x += unit + unit / 2;
  write(tr("cut cells"));
}

}
