// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#ifndef pqVulkanLastRunWidget_h
#define pqVulkanLastRunWidget_h

#include "vtkEventQtSlotConnect.h"
#include "vtkNew.h"

#include <pqPropertyGroupWidget.h>

#include <QTimer>

class QLabel;

namespace vmc::plots
{
class StageBar;
}

/**
 * The last run of the filter Vulkan Marching Cubes, or of the representation "Vulkan Isosurface". A group with
 * NumberOfTriangles shows the surface: its triangles, its measures, and notes, if there are any. Another group shows
 * how long the run took, on which device, and where the time went.
 *
 * It shows information properties. The proxies ask the server for them after each execution of the filter and after
 * each still frame of the representation. Properties that the proxy lacks are left out. If the server has several
 * processes, the widget says that the numbers are those of the first one.
 */
class pqVulkanLastRunWidget : public pqPropertyGroupWidget
{
  Q_OBJECT
  typedef pqPropertyGroupWidget Superclass;

public:
  pqVulkanLastRunWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent = nullptr);

protected:
  void showEvent(QShowEvent* event) override;

private Q_SLOTS:
  void requireUpdate();

private:
  void observe();
  void showLastRun();
  void showDetails();

  const bool ShowsSurface;
  QLabel* const Summary;
  vmc::plots::StageBar* const Bar;
  QLabel* const Facts;
  vtkNew<vtkEventQtSlotConnect> Observer;
  QTimer Timer;
};

#endif
