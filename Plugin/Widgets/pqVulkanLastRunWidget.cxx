// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "pqVulkanLastRunWidget.h"

#include "Plots/Numbers.h"
#include "Plots/StageBar.h"

#include "vtkCommand.h"
#include "vtkEventQtSlotConnect.h"
#include "vtkNew.h"
#include "vtkPVSession.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkSMSession.h"

#include <QVBoxLayout>

#include <algorithm>

using vmc::plots::RunTimes;
using vmc::plots::StageBar;

namespace
{

// The values of information properties; a property that the proxy lacks has no value.
class Information
{
public:
  explicit Information(vtkSMProxy* proxy)
    : Proxy(proxy)
  {
  }

  unsigned int sizeOf(const char* name) const
  {
    return vtkSMPropertyHelper(this->Proxy, name, true).GetNumberOfElements();
  }
  double number(const char* name, unsigned int index = 0) const
  {
    return index < this->sizeOf(name) ? vtkSMPropertyHelper(this->Proxy, name, true).GetAsDouble(index) : 0;
  }
  QString text(const char* name, unsigned int index = 0) const
  {
    return index < this->sizeOf(name) ? QString(vtkSMPropertyHelper(this->Proxy, name, true).GetAsString(index))
                                      : QString();
  }
  QString count(const char* name) const { return vmc::plots::textOfCount(this->number(name)); }

  // Returns the number of processes of the server that has the information.
  int processes() const
  {
    vtkSMSession* session = this->Proxy->GetSession();
    return session ? session->GetNumberOfProcesses(vtkPVSession::DATA_SERVER | vtkPVSession::RENDER_SERVER) : 1;
  }

private:
  vtkSMProxy* Proxy;
};

RunTimes timesOf(const Information& information)
{
  RunTimes times;
  const unsigned int size = std::min(information.sizeOf("StageNames"), information.sizeOf("StageTimes"));
  for (unsigned int i = 0; i < size; ++i)
    times.stages.push_back({ information.text("StageNames", i), information.number("StageTimes", i) });
  times.totalMilliseconds = information.number("TotalTime");
  return times;
}

bool wasUploaded(const RunTimes& times)
{
  for (const vmc::plots::TimedStage& stage : times.stages)
    if (stage.name.compare("Upload", Qt::CaseInsensitive) == 0 && stage.milliseconds > 0)
      return true;
  return false;
}

}

class pqVulkanLastRunWidget::Internals
{
public:
  StageBar* Bar = nullptr;
  vtkNew<vtkEventQtSlotConnect> Observer;
  QTimer Timer;

  // A server of several processes reports the values of its first process.
  static QString lineOf(const Information& information, const RunTimes& times);
  static QStringList summaryOf(const Information& information, const RunTimes& times);
  static QStringList factsOf(const Information& information, const RunTimes& times);
};

pqVulkanLastRunWidget::pqVulkanLastRunWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent)
  : Superclass(proxy, group, parent)
  , Impl(std::make_unique<Internals>())
{
  this->Impl->Bar = new StageBar(this);
  this->Impl->Bar->setObjectName("StageBar");
  QVBoxLayout* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(this->Impl->Bar);
  this->Impl->Timer.setSingleShot(true);
  QObject::connect(&this->Impl->Timer, &QTimer::timeout, this, [this] { this->updateBar(); });
  this->observe();
}

pqVulkanLastRunWidget::~pqVulkanLastRunWidget() = default;

// Properties of a representation belong to its subproxy.
void pqVulkanLastRunWidget::observe()
{
  vtkSMProperty* total = this->proxy()->GetProperty("TotalTime");
  vtkSMProxy* owner = total ? total->GetParent() : this->proxy();
  vtkEventQtSlotConnect* observer = this->Impl->Observer;
  observer->Connect(owner, vtkCommand::UpdateInformationEvent, this, SLOT(requireUpdate()));
  for (const char* name :
    { "StageNames", "StageTimes", "TotalTime", "UsedDevice", "FallbackReason", "Note", "DrawnBy" })
    if (vtkSMProperty* property = this->proxy()->GetProperty(name))
      observer->Connect(property, vtkCommand::ModifiedEvent, this, SLOT(requireUpdate()));
}

void pqVulkanLastRunWidget::updateWidget(bool isAdvanced)
{
  this->Superclass::updateWidget(isAdvanced);
  this->Impl->Bar->setDetailed(isAdvanced);
}

void pqVulkanLastRunWidget::requireUpdate()
{
  if (this->isVisible())
    this->Impl->Timer.start(0);
}

void pqVulkanLastRunWidget::showEvent(QShowEvent* event)
{
  this->Superclass::showEvent(event);
  this->requireUpdate();
}

void pqVulkanLastRunWidget::updateBar()
{
  Internals& impl = *this->Impl;
  const Information information(this->proxy());
  const RunTimes times = timesOf(information);
  impl.Bar->setSummary(impl.summaryOf(information, times));
  impl.Bar->setTimes(times);
  impl.Bar->setFacts(impl.factsOf(information, times));
}

QString pqVulkanLastRunWidget::Internals::lineOf(const Information& information, const RunTimes& times)
{
  // DrawnBy of a representation is how it is drawn, then a colon and the reason.
  const QString drawnBy = information.text("DrawnBy");
  const QString reason = drawnBy.section(": ", 1);
  if (drawnBy.startsWith("nothing: "))
    return tr("Not drawn: %1").arg(reason);
  if (drawnBy.startsWith("outline: "))
    return tr("Drawn as an outline: %1").arg(reason);
  if (times.totalMilliseconds <= 0)
    return tr("No run yet.");
  const QString made = drawnBy.startsWith("rays") ? tr("Rays, no triangles")
                                                  : tr("%1 triangles, %2 points")
                                                      .arg(information.count("NumberOfTriangles"))
                                                      .arg(information.count("NumberOfPoints"));
  QStringList parts{ made, vmc::plots::textOfMilliseconds(times.totalMilliseconds), information.text("UsedDevice") };
  if (information.processes() > 1)
    parts << tr("numbers of the first of %1 processes").arg(information.processes());
  parts.removeAll(QString());
  return parts.join(", ");
}

QStringList pqVulkanLastRunWidget::Internals::summaryOf(const Information& information, const RunTimes& times)
{
  QStringList lines{ lineOf(information, times), information.text("Note"), information.text("FallbackReason") };
  lines.removeAll(QString());
  return lines;
}

QStringList pqVulkanLastRunWidget::Internals::factsOf(const Information& information, const RunTimes& times)
{
  QStringList facts;
  // The active bricks of several isovalues are summed: they may be more than there are.
  if (information.number("NumberOfBricks") > 0)
    facts << tr("%1 active bricks in all isovalues, %2 bricks")
               .arg(information.count("NumberOfActiveBricks"), information.count("NumberOfBricks"));
  const double bytes = information.number("DeviceMemory");
  if (bytes > 0)
    facts << tr("Device memory: %1 MiB").arg(bytes / (1024 * 1024), 0, 'f', 1);
  if (bytes > 0 && !times.stages.empty() && !wasUploaded(times))
    facts << tr("Resident: the volume was on the device, nothing was uploaded.");
  const QString drawnBy = information.text("DrawnBy");
  if (times.totalMilliseconds > 0 && !drawnBy.isEmpty())
    facts << tr("Drawn by: %1").arg(drawnBy);
  return facts;
}
