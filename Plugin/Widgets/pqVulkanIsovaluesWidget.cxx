// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "pqVulkanIsovaluesWidget.h"

#include "HistogramOfInput.h"
#include "IsovalueLegend.h"
#include "Plots/HistogramWidget.h"
#include "Plots/Numbers.h"

#include "vtkCommand.h"
#include "vtkEventQtSlotConnect.h"
#include "vtkNew.h"
#include "vtkPVArrayInformation.h"
#include "vtkPVDataInformation.h"
#include "vtkPVGeneralSettings.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMRepresentationProxy.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMTrace.h"
#include "vtkSMUncheckedPropertyHelper.h"
#include "vtkSMViewProxy.h"
#include "vtkScalarsToColors.h"
#include "vtkWeakPointer.h"

#include <pqActiveObjects.h>
#include <pqApplicationCore.h>
#include <pqDoubleVectorPropertyWidget.h>
#include <pqFiltersMenuReaction.h>
#include <pqOutputPort.h>
#include <pqPipelineSource.h>
#include <pqScalarValueListPropertyWidget.h>
#include <pqServer.h>
#include <pqServerManagerModel.h>
#include <pqSettings.h>
#include <pqTimeKeeper.h>
#include <pqUndoStack.h>
#include <pqView.h>

#include <QAction>
#include <QCheckBox>
#include <QColor>
#include <QHBoxLayout>
#include <QMenu>
#include <QPointer>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

using vmc::plots::Histogram;
using vmc::plots::HistogramWidget;
using vmc::plots::Suggestion;

namespace
{

constexpr const char* LogarithmicSetting = "VulkanMarchingCubes/LogarithmicCounts";

template <class Type>
Type* findOwner(vtkSMProxy* proxy)
{
  return pqApplicationCore::instance()->getServerManagerModel()->findItem<Type*>(proxy);
}

// Returns null while the server is being disconnected.
pqTimeKeeper* timeKeeperOf(vtkSMProxy* proxy)
{
  const pqServer* server = pqApplicationCore::instance()->getServerManagerModel()->findServer(proxy->GetSession());
  return server ? server->getTimeKeeper() : nullptr;
}

// Returns whether a property has the values that the panel shows.
bool isApplied(vtkSMProxy* proxy, const char* name)
{
  const vtkSMPropertyHelper applied(proxy, name);
  const vtkSMUncheckedPropertyHelper shown(proxy, name);
  for (unsigned int i = 0; i < applied.GetNumberOfElements(); ++i)
    if (applied.GetAsVariant(i) != shown.GetAsVariant(i))
      return false;
  return true;
}

// Returns whether the colours of an image's display are those of the values that it contours. A lookup table has a
// choice of its own of the component.
bool isColoredByContoured(vtkSMProxy* display, vtkSMProxy* lookupTable)
{
  const vtkSMPropertyHelper contoured(display, "ContourBy");
  const vtkSMPropertyHelper input(display, "Input");
  const std::string name = contoured.GetInputArrayNameToProcess();
  vtkSMSourceProxy* image = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  if (!image || name != vtkSMPropertyHelper(display, "ColorArrayName").GetInputArrayNameToProcess())
    return false;
  const vtkPVArrayInformation* array = image->GetDataInformation(input.GetOutputPort())
                                         ->GetArrayInformation(name.c_str(), contoured.GetInputArrayAssociation());
  if (!array || array->GetNumberOfComponents() == 1)
    return array != nullptr;
  const bool isMagnitude = vtkSMPropertyHelper(lookupTable, "VectorMode").GetAsInt() == vtkScalarsToColors::MAGNITUDE;
  return vtkSMPropertyHelper(display, "ArrayComponent").GetAsInt() ==
         (isMagnitude ? -1 : vtkSMPropertyHelper(lookupTable, "VectorComponent").GetAsInt());
}

// The colour of the isosurfaces in a display of a filter, or of an image (filter: null), by isovalue; invalid if other
// values colour them.
QColor surfaceColor(vtkSMProxy* display, vtkSMSourceProxy* filter, double isovalue)
{
  const std::string name = vtkSMPropertyHelper(display, "ColorArrayName").GetInputArrayNameToProcess();
  if (name.empty())
  {
    double color[3] = { 0, 0, 0 };
    vtkSMPropertyHelper(display, "DiffuseColor").Get(color, 3);
    return QColor::fromRgbF(color[0], color[1], color[2]);
  }
  vtkSMProxy* lookupTable = vtkSMPropertyHelper(display, "LookupTable").GetAsProxy();
  if (!lookupTable || !(filter ? name == isovalueArrayOf(filter) : isColoredByContoured(display, lookupTable)))
    return QColor();
  const auto color = colorAt(lookupTable, isovalue);
  return color ? QColor::fromRgbF((*color)[0], (*color)[1], (*color)[2]) : QColor();
}

}

class pqVulkanIsovaluesWidget::Internals
{
public:
  HistogramWidget* Plot = nullptr;
  pqDoubleVectorPropertyWidget* List = nullptr;
  QMenu* Suggestions = nullptr;
  bool IsChosen = false; // the representation, since the widget was shown last

  vtkNew<vtkEventQtSlotConnect> Observer;
  vtkWeakPointer<vtkSMSourceProxy> Input; // observed
  QTimer HistogramTimer;
  bool IsHistogramOld = true;
  bool IsComputing = false;
  bool IsApplying = false; // the values are applied, but the state of the filter has not changed yet

  QTimer FollowTimer;
  bool IsFollowing = false;
  std::vector<double> Applied; // before the surface began to follow
};

pqVulkanIsovaluesWidget::pqVulkanIsovaluesWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent)
  : Superclass(proxy, parent)
  , Impl(std::make_unique<Internals>())
{
  this->setProperty(property);
  this->setToolTip(QString()); // each part has its own
  this->setShowLabel(false);
  Internals& impl = *this->Impl;
  impl.Plot = new HistogramWidget(this);
  impl.Plot->setObjectName("Histogram");
  QVBoxLayout* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(impl.Plot);
  QHBoxLayout* row = new QHBoxLayout;
  column->addLayout(row);
  this->createButtons(row);
  this->createList();
  if (vtkSMRepresentationProxy::SafeDownCast(proxy))
    this->createExtraction(column);

  QObject::connect(impl.Plot, &HistogramWidget::isovaluesChanging, this, [this] { this->onChanging(); });
  QObject::connect(impl.Plot, &HistogramWidget::isovaluesChanged, this, [this] { this->onChanged(); });
  for (QTimer* timer : { &impl.HistogramTimer, &impl.FollowTimer })
    timer->setSingleShot(true);
  QObject::connect(&impl.HistogramTimer, &QTimer::timeout, this, [this] { this->updateHistogram(); });
  QObject::connect(&impl.FollowTimer, &QTimer::timeout, this, [this] { this->follow(); });

  impl.Plot->setColorOfLines([this](double isovalue) { return this->colorOf(isovalue); });
  QObject::connect(this, &pqPropertyWidget::viewChanged, this,
    [this](pqView* view)
    {
      if (view) // a change of colours is drawn
        QObject::connect(view, SIGNAL(endRender()), this->Impl->Plot, SLOT(update()), Qt::UniqueConnection);
    });

  this->addPropertyLink(this, "isovalues", SIGNAL(isovaluesEdited()), property);
  this->observeProperties();
}

pqVulkanIsovaluesWidget::~pqVulkanIsovaluesWidget() = default;

void pqVulkanIsovaluesWidget::createList()
{
  Internals& impl = *this->Impl;
  impl.List = new pqDoubleVectorPropertyWidget(this->property(), this->proxy(), this);
  impl.List->setObjectName("List");
  this->layout()->addWidget(impl.List);
  QObject::connect(impl.List, &pqPropertyWidget::changeAvailable, this, &pqPropertyWidget::changeAvailable);
  QObject::connect(impl.List, &pqPropertyWidget::changeFinished, this, &pqPropertyWidget::changeFinished);
}

void pqVulkanIsovaluesWidget::createButtons(QHBoxLayout* row)
{
  this->createSuggestions(row);
  QCheckBox* logarithmic = new QCheckBox(tr("Logarithmic"), this);
  logarithmic->setObjectName("Logarithmic");
  logarithmic->setToolTip(tr("Logarithmic counts show values that few samples have, too."));
  QObject::connect(logarithmic, &QCheckBox::toggled, this,
    [this](bool isOn)
    {
      this->Impl->Plot->setLogarithmic(isOn);
      pqApplicationCore::instance()->settings()->setValue(LogarithmicSetting, isOn);
    });
  logarithmic->setChecked(pqApplicationCore::instance()->settings()->value(LogarithmicSetting, true).toBool());
  this->Impl->Plot->setLogarithmic(logarithmic->isChecked());
  row->addWidget(logarithmic);
  row->addStretch();
}

void pqVulkanIsovaluesWidget::createSuggestions(QHBoxLayout* row)
{
  QToolButton* button = new QToolButton(this);
  button->setObjectName("Suggest");
  button->setText(tr("Suggest"));
  button->setToolTip(tr("Moves the selected line to an isovalue that the histogram suggests."));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  this->Impl->Suggestions = new QMenu(button);
  this->Impl->Suggestions->setObjectName("Suggestions");
  button->setMenu(this->Impl->Suggestions);
  this->showSuggestions();
  row->addWidget(button);
}

void pqVulkanIsovaluesWidget::createExtraction(QVBoxLayout* column)
{
  QToolButton* button = new QToolButton(this);
  button->setObjectName("ExtractSurface");
  button->setText(tr("Extract Surface"));
  button->setIcon(QIcon(":/VulkanMarchingCubes/VulkanMarchingCubes.svg"));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setToolTip(tr("Adds the filter Vulkan Marching Cubes with these settings, to get the surface as a mesh."));
  QObject::connect(button, &QToolButton::clicked, this, [this] { this->extractSurface(); });
  column->addWidget(button);
}

void pqVulkanIsovaluesWidget::showSuggestions()
{
  QMenu* menu = this->Impl->Suggestions;
  menu->clear();
  for (const Suggestion& suggestion : this->Impl->Plot->histogram().suggestions)
  {
    const double value = suggestion.value;
    QAction* action = menu->addAction(QString("%1: %2").arg(suggestion.name, vmc::plots::textOf(value)));
    QObject::connect(action, &QAction::triggered, this, [this, value] { this->Impl->Plot->moveCurrentTo(value); });
  }
  if (menu->isEmpty())
    menu->addAction(tr("No suggestion"))->setEnabled(false);
}

// The line has the colour of the surface in the view of the panel, if there is one.
QColor pqVulkanIsovaluesWidget::colorOf(double isovalue) const
{
  vtkSMProxy* display = vtkSMRepresentationProxy::SafeDownCast(this->proxy());
  vtkSMSourceProxy* filter = vtkSMSourceProxy::SafeDownCast(this->proxy());
  if (!display && this->view())
    display = this->view()->getViewProxy()->FindRepresentation(filter, 0);
  const bool hasColors = display && display->GetProperty("ColorArrayName") && display->GetProperty("DiffuseColor");
  return hasColors ? surfaceColor(display, display == this->proxy() ? nullptr : filter, isovalue) : QColor();
}

QVariantList pqVulkanIsovaluesWidget::isovalues() const
{
  QVariantList list;
  for (const double isovalue : this->Impl->Plot->shownIsovalues())
    list.push_back(isovalue);
  return list;
}

void pqVulkanIsovaluesWidget::setIsovalues(const QVariantList& isovalues)
{
  Internals& impl = *this->Impl;
  std::vector<double> values;
  for (const QVariant& isovalue : isovalues)
    values.push_back(isovalue.toDouble());
  impl.Plot->setIsovalues(values);
  if (impl.Plot->isChanging())
    return;
  // Another number of values has ended the change: isovaluesChanged does not follow.
  impl.FollowTimer.stop();
  impl.IsFollowing = false;
}

void pqVulkanIsovaluesWidget::apply()
{
  this->Superclass::apply();
  this->Impl->List->apply();
  this->Impl->IsApplying = true;
}

void pqVulkanIsovaluesWidget::reset()
{
  this->Impl->List->reset();
  this->Superclass::reset();
}

// ---- the histogram

void pqVulkanIsovaluesWidget::observeProperties()
{
  vtkSMProxy* contour = this->proxy();
  for (const char* name : { vmc::widgets::arrayPropertyOf(contour), "ArrayComponent", "Boundary", "Device" })
    this->Impl->Observer->Connect(
      contour->GetProperty(name), vtkCommand::UncheckedPropertyModifiedEvent, this, SLOT(requireHistogram()));
  this->Impl->Observer->Connect(contour->GetProperty("Input"), vtkCommand::ModifiedEvent, this, SLOT(observeInput()));
  if (vtkSMProperty* type = contour->GetProperty("Representation"))
    this->Impl->Observer->Connect(type, vtkCommand::ModifiedEvent, this, SLOT(onRepresentationChosen()));
  if (const auto* filter = findOwner<pqPipelineSource>(contour))
    QObject::connect(filter, &pqProxy::modifiedStateChanged, this, [this] { this->Impl->IsApplying = false; });
  if (pqTimeKeeper* time = timeKeeperOf(contour))
    QObject::connect(time, SIGNAL(timeChanged()), this, SLOT(onTimeChanged()));
  this->observeInput();
}

void pqVulkanIsovaluesWidget::observeInput()
{
  Internals& impl = *this->Impl;
  if (impl.Input)
    impl.Observer->Disconnect(impl.Input, vtkCommand::UpdateDataEvent, this);
  impl.Input = vmc::widgets::arrayOf(this->proxy()).source;
  if (impl.Input)
    impl.Observer->Connect(impl.Input, vtkCommand::UpdateDataEvent, this, SLOT(onInputUpdated()));
  this->requireHistogram();
}

// Data that does not depend on time has the same histogram at each step of an animation.
void pqVulkanIsovaluesWidget::onTimeChanged()
{
  const vmc::widgets::ContouredArray array = vmc::widgets::arrayOf(this->proxy());
  if (array.source && array.source->GetDataInformation(array.port)->GetHasTime())
    this->requireHistogram();
}

void pqVulkanIsovaluesWidget::onInputUpdated()
{
  if (!this->Impl->IsComputing) // the histogram's own update of the input
    this->requireHistogram();
}

void pqVulkanIsovaluesWidget::requireHistogram()
{
  this->Impl->IsHistogramOld = true;
  if (this->isVisible())
    this->Impl->HistogramTimer.start(0);
}

void pqVulkanIsovaluesWidget::showEvent(QShowEvent* event)
{
  this->Superclass::showEvent(event);
  if (this->Impl->IsHistogramOld)
    this->Impl->HistogramTimer.start(0);
  if (std::exchange(this->Impl->IsChosen, false))
    QTimer::singleShot(0, this, [this] { this->scrollToHistogram(); }); // when the panel knows its place
}

void pqVulkanIsovaluesWidget::onRepresentationChosen()
{
  this->Impl->IsChosen = true;
}

// The properties of the source above may take all of a small panel.
void pqVulkanIsovaluesWidget::scrollToHistogram()
{
  for (QWidget* widget = this->parentWidget(); widget; widget = widget->parentWidget())
    if (QScrollArea* panel = qobject_cast<QScrollArea*>(widget))
    {
      panel->ensureVisible(0, this->Impl->List->mapTo(panel->widget(), QPoint()).y(), 0, 0);
      return;
    }
}

void pqVulkanIsovaluesWidget::updateHistogram()
{
  Internals& impl = *this->Impl;
  const pqTimeKeeper* time = timeKeeperOf(this->proxy());
  if (!this->isVisible() || impl.IsComputing || !impl.IsHistogramOld || !time)
    return;
  impl.IsHistogramOld = false;
  impl.IsComputing = true;
  const QPointer<pqVulkanIsovaluesWidget> self = this; // progress events may close the panel
  {
    const pqScopedUndoExclude withoutUndo;
    const Histogram histogram = vmc::widgets::computeHistogram(this->proxy(), time->getTime());
    if (!self)
      return;
    impl.Plot->setHistogram(histogram);
  }
  this->showSuggestions();
  impl.IsComputing = false;
  if (impl.IsHistogramOld) // progress events have changed a setting or the time
    impl.HistogramTimer.start(0);
  else
    this->suggestDefault();
}

// The panel of a filter without changes shows the isovalues of the filter. ParaView 6.1 processes events while it
// applies changes: then the panel shows the applied isovalues, too. A representation gets one suggestion per array and
// component: its surface shall not follow the histograms of an animation.
void pqVulkanIsovaluesWidget::suggestDefault()
{
  const pqPipelineSource* filter = findOwner<pqPipelineSource>(this->proxy());
  const bool waitsForApply = filter && filter->modifiedState() != pqProxy::UNMODIFIED && !this->Impl->IsApplying;
  const std::vector<Suggestion>& suggestions = this->Impl->Plot->histogram().suggestions;
  const auto first = std::find_if(
    suggestions.begin(), suggestions.end(), [](const Suggestion& suggestion) { return suggestion.isDefault; });
  vtkSMUncheckedPropertyHelper suggested(this->proxy(), "SuggestedIsovalue");
  if (vtkSMRepresentationProxy::SafeDownCast(this->proxy()))
  {
    if (first != suggestions.end() && suggested.GetNumberOfElements() == 0)
    {
      suggested.Set(first->value);
      this->applyDefault();
    }
  }
  else if (waitsForApply && first != suggestions.end())
    suggested.Set(first->value);
  else
    suggested.SetNumberOfElements(0);
}

// If the array or the component was not applied yet, the default is applied with it, as one step of undo.
void pqVulkanIsovaluesWidget::applyDefault()
{
  for (const char* name : { vmc::widgets::arrayPropertyOf(this->proxy()), "ArrayComponent" })
    if (!isApplied(this->proxy(), name))
      return;
  const std::vector<double> isovalues = vtkSMUncheckedPropertyHelper(this->property()).GetDoubleArray();
  if (isovalues == vtkSMPropertyHelper(this->property()).GetDoubleArray())
    return;
  SM_SCOPED_TRACE(PropertiesModified).arg("proxy", this->proxy());
  this->setApplied(isovalues);
  if (this->view())
    this->view()->render();
}

// ---- following a drag

bool pqVulkanIsovaluesWidget::canFollow() const
{
  if (vtkSMRepresentationProxy::SafeDownCast(this->proxy()))
    return true;
  const pqPipelineSource* filter = findOwner<pqPipelineSource>(this->proxy());
  return filter && filter->modifiedState() == pqProxy::UNMODIFIED &&
         vtkPVGeneralSettings::GetInstance()->GetAutoApply();
}

void pqVulkanIsovaluesWidget::onChanging()
{
  Internals& impl = *this->Impl;
  if (!impl.IsFollowing && this->canFollow())
  {
    impl.IsFollowing = true;
    impl.Applied = vtkSMPropertyHelper(this->property()).GetDoubleArray();
  }
  if (!impl.IsFollowing)
  {
    Q_EMIT this->isovaluesEdited();
    return;
  }
  impl.FollowTimer.start(0); // one frame for all the moves of the mouse that wait
  if (auto* list = impl.List->findChild<pqScalarValueListPropertyWidget*>())
  {
    const QSignalBlocker noEdit(list);
    list->setScalars(this->isovalues());
  }
}

// The step of undo is from the values before the drag to those after it: the ones between are taken back first.
void pqVulkanIsovaluesWidget::onChanged()
{
  Internals& impl = *this->Impl;
  if (impl.IsFollowing)
  {
    const QVariantList isovalues = this->isovalues();
    impl.FollowTimer.stop();
    impl.IsFollowing = false;
    this->setApplied(impl.Applied);
    this->setIsovalues(isovalues);
  }
  Q_EMIT this->isovaluesEdited();
}

void pqVulkanIsovaluesWidget::follow()
{
  if (!this->Impl->IsFollowing)
    return;
  this->setApplied(this->Impl->Plot->shownIsovalues());
  if (!this->view())
    return;
  if (vtkSMRepresentationProxy::SafeDownCast(this->proxy()))
    this->view()->getViewProxy()->InteractiveRender();
  else
    this->view()->forceRender(); // an interactive frame may need a coarse copy of the new mesh, which takes longer
}

void pqVulkanIsovaluesWidget::setApplied(const std::vector<double>& isovalues)
{
  const pqScopedUndoExclude withoutUndo;
  vtkSMPropertyHelper(this->property()).Set(isovalues.data(), static_cast<unsigned int>(isovalues.size()));
  this->proxy()->UpdateVTKObjects();
}

void pqVulkanIsovaluesWidget::extractSurface()
{
  const vmc::widgets::ContouredArray array = vmc::widgets::arrayOf(this->proxy());
  pqPipelineSource* source = findOwner<pqPipelineSource>(array.source);
  if (!source)
    return;
  pqActiveObjects::instance().setActivePort(source->getOutputPort(static_cast<int>(array.port)));
  pqFiltersMenuReaction::createFilter("filters", "VulkanMarchingCubes");
}
