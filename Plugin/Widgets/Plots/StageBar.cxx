// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Plots/StageBar.h"

#include "Plots/Colors.h"
#include "Plots/Numbers.h"

#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>

#include <algorithm>

namespace vmc::plots
{

StageBar::StageBar(QWidget* parent)
  : QWidget(parent)
{
  this->setMinimumWidth(8 * this->unit());
}

void StageBar::setStages(const std::vector<TimedStage>& stages)
{
  this->Stages.clear();
  this->Total = 0;
  for (const TimedStage& stage : stages)
    if (stage.milliseconds > 0)
    {
      this->Stages.push_back(stage);
      this->Total += stage.milliseconds;
    }
  this->setAccessibleName(this->texts().join(", "));
  this->fitHeight();
  this->update();
}

// A layout would have to pass a height that depends on the width through the whole properties panel.
void StageBar::fitHeight()
{
  this->setFixedHeight(this->heightForWidth(this->width()));
}

int StageBar::unit() const
{
  return this->fontMetrics().height();
}

QString StageBar::textOf(const TimedStage& stage) const
{
  return QString("%1 %2").arg(stage.name, textOfMilliseconds(stage.milliseconds));
}

QStringList StageBar::texts() const
{
  QStringList texts;
  for (const TimedStage& stage : this->Stages)
    texts << this->textOf(stage);
  return texts;
}

QRectF StageBar::segment(int index) const
{
  double before = 0;
  for (int i = 0; i < index; ++i)
    before += this->Stages[i].milliseconds;
  const double scale = this->width() / this->Total;
  return { before * scale, 0, this->Stages[index].milliseconds * scale, 1.25 * this->unit() };
}

std::vector<QRect> StageBar::legend(int width) const
{
  const int unit = this->unit();
  std::vector<QRect> places;
  int x = 0;
  int y = unit + unit / 2;
  for (const TimedStage& stage : this->Stages)
  {
    const int needed = std::min(width, unit + this->fontMetrics().horizontalAdvance(this->textOf(stage)) + 2);
    if (x > 0 && x + needed > width)
    {
      x = 0;
      y += unit;
    }
    places.emplace_back(x, y, needed, unit);
    x += needed + unit / 2;
  }
  return places;
}

int StageBar::heightForWidth(int width) const
{
  const std::vector<QRect> places = this->legend(width);
  return places.empty() ? 0 : places.back().bottom() + 1;
}

bool StageBar::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip)
    return QWidget::event(event);
  const QHelpEvent* help = static_cast<QHelpEvent*>(event);
  QString text;
  for (int i = 0; i < static_cast<int>(this->Stages.size()); ++i)
    if (this->segment(i).contains(help->pos()))
      text = this->textOf(this->Stages[i]);
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void StageBar::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    this->fitHeight();
}

void StageBar::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width())
    this->fitHeight();
}

void StageBar::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  const QColor text = plotColors(this->palette()).label;
  const std::vector<QRect> places = this->legend(this->width());
  const int unit = this->unit();
  for (int i = 0; i < static_cast<int>(this->Stages.size()); ++i)
  {
    this->paintSegment(painter, i);
    const QRect swatch(places[i].left(), places[i].top() + unit / 5, unit * 3 / 5, unit * 3 / 5);
    painter.setPen(text);
    painter.setBrush(stageColor(this->Stages[i].name));
    painter.drawRect(swatch);
    const QRect label = places[i].adjusted(unit, 0, 0, 0);
    painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
      this->fontMetrics().elidedText(this->textOf(this->Stages[i]), Qt::ElideRight, label.width()));
  }
  painter.setBrush(Qt::NoBrush);
  if (!this->Stages.empty())
    painter.drawRect(QRectF(0, 0, this->width() - 1, this->segment(0).height()));
}

// Paints a segment, with the name of its stage if that fits.
void StageBar::paintSegment(QPainter& painter, int index) const
{
  const QRectF segment = this->segment(index);
  const QColor color = stageColor(this->Stages[index].name);
  painter.fillRect(segment, color);
  painter.setPen(this->palette().color(QPalette::Window));
  if (index > 0 && segment.width() > 2)
    painter.drawLine(segment.topLeft(), segment.bottomLeft());
  const QString& name = this->Stages[index].name;
  if (this->fontMetrics().horizontalAdvance(name) + 0.5 * this->unit() > segment.width())
    return;
  painter.setPen(textOn(color));
  painter.drawText(segment, Qt::AlignCenter, name);
}

}
