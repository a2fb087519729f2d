// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#ifndef pqVulkanComponentWidget_h
#define pqVulkanComponentWidget_h

#include <pqPropertyWidget.h>

class QComboBox;
class vtkSMDomain;

/**
 * The component of an array, as a list of names: "Magnitude" (-1), then the names of the components (0, 1, ...). Only
 * for properties with a vtkSMVulkanComponentDomain.
 */
class pqVulkanComponentWidget : public pqPropertyWidget
{
  Q_OBJECT
  typedef pqPropertyWidget Superclass;
  Q_PROPERTY(int component READ component WRITE setComponent NOTIFY componentChanged)

public:
  pqVulkanComponentWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent = nullptr);
  ~pqVulkanComponentWidget() override = default;

  // -2: none is selected.
  int component() const;
  // A component that the array lacks is added by its number.
  void setComponent(int component);

Q_SIGNALS:
  void componentChanged();

private Q_SLOTS:
  // Lists the components of the chosen array and keeps the selected one.
  void updateList();

private:
  vtkSMDomain* const Domain;
  QComboBox* const List;
};

#endif
