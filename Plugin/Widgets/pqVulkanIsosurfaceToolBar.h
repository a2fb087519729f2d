// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#ifndef pqVulkanIsosurfaceToolBar_h
#define pqVulkanIsosurfaceToolBar_h

#include <QToolBar>

/**
 * A button that shows the active image as "Vulkan Isosurface" in the active view. It is disabled if the active source
 * is no image, or not shown. ParaView's search (Ctrl+Space) finds the button, and the filter, by the words isosurface,
 * contour and marching cubes.
 */
class pqVulkanIsosurfaceToolBar : public QToolBar
{
  Q_OBJECT
  typedef QToolBar Superclass;

public:
  explicit pqVulkanIsosurfaceToolBar(QWidget* parent = nullptr);
};

#endif
