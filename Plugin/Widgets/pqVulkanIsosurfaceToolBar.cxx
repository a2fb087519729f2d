// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "pqVulkanIsosurfaceToolBar.h"

#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkSMRepresentationProxy.h"
#include "vtkSMStringListDomain.h"
#include "vtkSMTrace.h"
#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include <pqActiveObjects.h>
#include <pqCoreUtilities.h>
#include <pqDataRepresentation.h>
#include <pqPVApplicationCore.h>
#include <pqUndoStack.h>

#include <QAction>
#include <QStringList>

namespace
{

// Null if the active display cannot show isosurfaces.
vtkSMProxy* displayOfImage()
{
  const pqDataRepresentation* display = pqActiveObjects::instance().activeRepresentation();
  vtkSMProperty* property = display ? display->getProxy()->GetProperty("Representation") : nullptr;
  vtkSMStringListDomain* types = property ? property->FindDomain<vtkSMStringListDomain>() : nullptr;
  unsigned int index = 0;
  return types && types->IsInDomain(vtkSMVulkanIsosurfaceRepresentationProxy::TypeName, index) ? display->getProxy()
                                                                                               : nullptr;
}

// Null until ParaView has made its menus.
QAction* findAction(const char* name)
{
  return pqCoreUtilities::mainWidget()->findChild<QAction*>(name);
}

// An entry of ParaView's search (Ctrl+Space) that does what an action does. Version 5.11 searches in the texts of
// entries alone, and an action has one text.
void addSearchEntry(QWidget* entries, const QString& text, const char* action)
{
  QAction* const entry = new QAction(text, entries);
  entry->setObjectName(QString("Search") + action);
  entry->setData(QStringList{ "filters", "VulkanMarchingCubes" }); // ParaView 5.13 shows the help of this proxy
  QObject::connect(entry, &QAction::triggered, entry, [action] { findAction(action)->trigger(); });
  QObject::connect(pqPVApplicationCore::instance(), &pqPVApplicationCore::aboutToShowQuickLaunch, entry,
    [entry, action]
    {
      const QAction* const original = findAction(action);
      entry->setEnabled(original && original->isEnabled());
      entry->setIcon(original ? original->icon() : QIcon());
    });
}

void showIsosurface()
{
  vtkSMProxy* display = displayOfImage();
  if (!display)
    return;
  {
    const pqScopedUndoSet undo(pqVulkanIsosurfaceToolBar::tr("Show as Vulkan Isosurface"));
    SM_SCOPED_TRACE(PropertiesModified).arg("proxy", display);
    vtkSMRepresentationProxy::SetRepresentationType(display, vtkSMVulkanIsosurfaceRepresentationProxy::TypeName);
    vtkSMPropertyHelper(display, "Visibility").Set(1);
    display->UpdateVTKObjects();
  }
  pqActiveObjects::instance().activeRepresentation()->renderViewEventually();
}

}

pqVulkanIsosurfaceToolBar::pqVulkanIsosurfaceToolBar(QWidget* parent)
  : Superclass(parent)
{
  this->setObjectName("VulkanIsosurface"); // by which ParaView remembers the place
  this->setWindowTitle(tr(vtkSMVulkanIsosurfaceRepresentationProxy::TypeName));
  QAction* const action =
    this->addAction(QIcon(":/VulkanMarchingCubes/VulkanIsosurface.svg"), tr("Show as Vulkan Isosurface"));
  action->setObjectName("ShowAsVulkanIsosurface");
  QObject::connect(action, &QAction::triggered, &showIsosurface);
  QObject::connect(&pqActiveObjects::instance(),
    static_cast<void (pqActiveObjects::*)(pqDataRepresentation*)>(&pqActiveObjects::representationChanged), this,
    [action](pqDataRepresentation*) { action->setEnabled(displayOfImage() != nullptr); });
  action->setEnabled(displayOfImage() != nullptr);

  QWidget* const entries = new QWidget(this);
  entries->hide();
  addSearchEntry(entries, tr("Contour, Isosurface: Vulkan Marching Cubes"), "VulkanMarchingCubes");
  addSearchEntry(entries, tr("Show as Vulkan Isosurface (Contour, Marching Cubes)"), "ShowAsVulkanIsosurface");
  pqPVApplicationCore::instance()->registerForQuicklaunch(entries);
}
