// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The pictures of Documentation/UserGuide.md: the window of the client at steps of the guide.
#ifndef GuidePictures_h
#define GuidePictures_h

#include <QObject>
#include <QString>

// Utilities/guide_pictures.sh runs it. VMC_GUIDE_PICTURES names the folder for the pictures, VMC_GUIDE_VOLUME the
// volume of Utilities/make_phantom.py.
class GuidePictures : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void init();
  void firstIsosurface();
  void choosingAnIsovalue();

private:
  void save(const QString& name) const;
};

#endif
