// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A widget that shows the result of a run in one line and, as details, its timed stages: one horizontal bar, a legend
// with the milliseconds, and text. A stage has the same colour in all runs.
#ifndef vmcPlotsStageBar_h
#define vmcPlotsStageBar_h

#include <QFrame>
#include <QString>
#include <QWidget>

#include <vector>

class QLabel;
class QPainter;

namespace vmc::plots
{

struct TimedStage
{
  QString name;
  double milliseconds = 0;
};

// The stages of one run. If they do not add up to the total, the rest is a stage of its own, "other": the bar never
// claims more than was measured.
struct RunTimes
{
  std::vector<TimedStage> stages;
  double totalMilliseconds = 0;
};

// The stages that took time, and "other" if they lack more than a hundredth of the total.
std::vector<TimedStage> shownStages(const RunTimes& times);

// The bar and its legend, which wraps: the height is that which the width needs.
class StageBarPlot : public QWidget
{
  Q_OBJECT

public:
  explicit StageBarPlot(QWidget* parent = nullptr);

  void setTimes(const RunTimes& times);
  const std::vector<TimedStage>& stages() const { return this->Stages; }

  // Returns the segment of the stage with this index, in pixels of this widget.
  QRectF segment(int index) const;

  // The texts that the legend and the bar show, for tests and screen readers.
  QStringList texts() const;

  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void fitHeight();

  // The place of each stage in the legend of this width.
  std::vector<QRect> legend(int width) const;
  QString textOf(const TimedStage& stage) const;
  int unit() const;
  void paintSegment(QPainter& painter, int index) const;

  std::vector<TimedStage> Stages;
  double Total = 0;
};

class StageBar : public QFrame
{
  Q_OBJECT

public:
  explicit StageBar(QWidget* parent = nullptr);

  // Shows these lines above the bar.
  void setSummary(const QStringList& lines);

  // Shows the bar and the facts, or hides them. Default: hidden.
  void setDetailed(bool isDetailed);

  // Shows the run.
  void setTimes(const RunTimes& times);

  // Shows one line per fact below the bar.
  void setFacts(const QStringList& facts);

  // Returns the visible text of the widget, line by line.
  QString text() const;

  const StageBarPlot* plot() const { return this->Plot; }

private:
  void showDetails();

  QLabel* Summary = nullptr;
  StageBarPlot* Plot = nullptr;
  QLabel* Facts = nullptr;
  bool IsDetailed = false;
};

}

#endif
