// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "pqVulkanComponentWidget.h"

#include "ChosenArray.h"

#include "vtkCommand.h"
#include "vtkPVArrayInformation.h"
#include "vtkSMDomain.h"
#include "vtkSMProperty.h"

#include <pqCoreUtilities.h>

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace
{

constexpr int NoComponent = -2;

}

pqVulkanComponentWidget::pqVulkanComponentWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent)
  : Superclass(proxy, parent)
  , Domain(property->GetDomain("components"))
  , List(new QComboBox(this))
{
  this->List->setObjectName("ComboBox");
  QVBoxLayout* const column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(this->List);
  this->updateList();
  this->setChangeAvailableAsChangeFinished(true);
  this->addPropertyLink(this, "component", SIGNAL(componentChanged()), property);
  QObject::connect(
    this->List, QOverload<int>::of(&QComboBox::currentIndexChanged), this, [this] { Q_EMIT this->componentChanged(); });
  if (!this->Domain)
    return;
  // Another number of components, of the same array or of another one.
  pqCoreUtilities::connect(this->Domain, vtkCommand::DomainModifiedEvent, this, SLOT(updateList()));
  if (vtkSMProperty* const selection = this->Domain->GetRequiredProperty("ArraySelection"))
    pqCoreUtilities::connect(selection, vtkCommand::UncheckedPropertyModifiedEvent, this, SLOT(updateList()));
}

int pqVulkanComponentWidget::component() const
{
  const QVariant component = this->List->currentData();
  return component.isValid() ? component.toInt() : NoComponent;
}

void pqVulkanComponentWidget::setComponent(int component)
{
  if (this->List->findData(component) < 0)
    this->List->addItem(QString::number(component), component);
  this->List->setCurrentIndex(this->List->findData(component));
}

void pqVulkanComponentWidget::updateList()
{
  const int selected = this->component();
  {
    const QSignalBlocker blocker(this->List);
    this->List->clear();
    this->List->addItem(tr("Magnitude"), -1);
    const vtkPVArrayInformation* const array = this->Domain ? chosenArrayOf(*this->Domain) : nullptr;
    for (int component = 0; array && component < array->GetNumberOfComponents(); ++component)
      this->List->addItem(array->GetComponentName(component), component);
    if (!array && selected >= 0) // not known yet
      this->List->addItem(QString::number(selected), selected);
    this->List->setCurrentIndex(this->List->findData(selected));
  }
  if (selected != NoComponent && this->component() == NoComponent)
    this->setComponent(-1); // the array has fewer components now
}
