// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#ifndef pqVulkanSurfaceBehavior_h
#define pqVulkanSurfaceBehavior_h

#include <QObject>

/**
 * This behaviour acts beside ParaView's own. It switches Compute Measures on for a new filter Vulkan Marching Cubes.
 * When the filter is applied the first time, it hides the input if that is shown as "Vulkan Isosurface", because both
 * surfaces would lie in the same place. A surface that has one colour because it had one isovalue is coloured by the
 * isovalues when it gets several, unless the user has chosen its colours.
 *
 * Filters and displays of scripts, state files and redo are left alone.
 */
class pqVulkanSurfaceBehavior : public QObject
{
  Q_OBJECT

public:
  void startup();
  void shutdown() {}
};

#endif
