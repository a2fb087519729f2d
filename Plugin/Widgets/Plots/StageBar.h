// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A widget that shows the timed stages of a run: one horizontal bar, and a legend with the milliseconds. A stage has
// the same colour in all runs.
#ifndef vmcPlotsStageBar_h
#define vmcPlotsStageBar_h

#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace vmc::plots
{

struct TimedStage
{
  QString name;
  double milliseconds = 0;
};

// The bar and its legend, which wraps: the height is that which the width needs.
class StageBar : public QWidget
{
  Q_OBJECT

public:
  explicit StageBar(QWidget* parent = nullptr);

  // Shows the stages that took time.
  void setStages(const std::vector<TimedStage>& stages);
  const std::vector<TimedStage>& stages() const { return this->Stages; }

  // Returns the segment of the stage with this index, in pixels of this widget.
  QRectF segment(int index) const;

  // The texts that the legend shows, for tests and screen readers.
  QStringList texts() const;

  int heightForWidth(int width) const override;

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

}

#endif
