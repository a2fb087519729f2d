// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "pqVulkanLastRunWidget.h"

#include "Plots/Numbers.h"
#include "Plots/StageBar.h"

#include "vtkCommand.h"
#include "vtkPVSession.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyGroup.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkSMSession.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

using vmc::plots::StageBar;
using vmc::plots::TimedStage;

namespace
{

// The values of information properties; a property that the proxy lacks has no value.
struct Information
{
  vtkSMProxy* Proxy;

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
};

std::vector<TimedStage> stagesOf(const Information& information)
{
  std::vector<TimedStage> stages;
  const unsigned int size = std::min(information.sizeOf("StageNames"), information.sizeOf("StageTimes"));
  for (unsigned int i = 0; i < size; ++i)
    stages.push_back({ information.text("StageNames", i), information.number("StageTimes", i) });
  return stages;
}

bool wasUploaded(const std::vector<TimedStage>& stages)
{
  return std::any_of(stages.begin(), stages.end(),
    [](const TimedStage& stage) { return stage.name == "Upload" && stage.milliseconds > 0; });
}

// Returns whether the group shows the surface, not the run that made it.
bool isOfSurface(vtkSMProxy* proxy, vtkSMPropertyGroup* group)
{
  for (unsigned int i = 0; i < group->GetNumberOfProperties(); ++i)
    if (group->GetProperty(i) == proxy->GetProperty("NumberOfTriangles"))
      return true;
  return false;
}

// Returns a line about the surface or about the run. A server of several processes reports the values of its first
// process.
QString lineOf(const Information& information, bool showsSurface)
{
  // DrawnBy of a representation is how it is drawn, then a colon and the reason.
  const QString drawnBy = information.text("DrawnBy");
  const QString reason = drawnBy.section(": ", 1);
  if (drawnBy.startsWith("nothing: "))
    return pqVulkanLastRunWidget::tr("Not drawn: %1").arg(reason);
  if (drawnBy.startsWith("outline: "))
    return pqVulkanLastRunWidget::tr("Drawn as an outline: %1").arg(reason);
  const double milliseconds = information.number("TotalTime");
  if (milliseconds <= 0)
    return pqVulkanLastRunWidget::tr("No run yet.");
  const QString made = drawnBy.startsWith("rays") ? pqVulkanLastRunWidget::tr("Rays, no triangles")
                                                  : pqVulkanLastRunWidget::tr("%1 triangles, %2 points")
                                                      .arg(information.count("NumberOfTriangles"))
                                                      .arg(information.count("NumberOfPoints"));
  QStringList parts = showsSurface
                        ? QStringList{ made }
                        : QStringList{ vmc::plots::textOfMilliseconds(milliseconds), information.text("UsedDevice") };
  if (information.processes() > 1)
    parts << pqVulkanLastRunWidget::tr("numbers of the first of %1 processes").arg(information.processes());
  parts.removeAll(QString());
  return parts.join(", ");
}

// A line per isovalue, of up to LargestCount of them: "Area 144,444, encloses 27,704, 12.5% of the domain, 3 regions".
QStringList measuresOf(const Information& information)
{
  constexpr unsigned int LargestCount = 4;
  QStringList lines;
  const unsigned int size = std::max(information.sizeOf("SurfaceArea"), information.sizeOf("NumberOfRegions"));
  for (unsigned int i = 0; i < std::min(size, LargestCount); ++i)
  {
    QStringList parts;
    if (i < information.sizeOf("SurfaceArea"))
    {
      const double openEdges = information.number("OpenEdges", i);
      parts << pqVulkanLastRunWidget::tr("Area %1").arg(information.number("SurfaceArea", i), 0, 'g', 8);
      parts << (openEdges == 0
                  ? pqVulkanLastRunWidget::tr("encloses %1").arg(information.number("EnclosedVolume", i), 0, 'g', 8)
                  : pqVulkanLastRunWidget::tr("open at %1 edges").arg(vmc::plots::textOfCount(openEdges)));
      parts
        << pqVulkanLastRunWidget::tr("%1% of the domain").arg(100 * information.number("ShareOfDomain", i), 0, 'g', 4);
    }
    if (i < information.sizeOf("NumberOfRegions"))
      parts << (information.number("NumberOfRegions", i) == 1
                  ? pqVulkanLastRunWidget::tr("1 region")
                  : pqVulkanLastRunWidget::tr("%1 regions")
                      .arg(vmc::plots::textOfCount(information.number("NumberOfRegions", i))));
    lines << parts.join(", ");
  }
  if (size > LargestCount)
    lines << pqVulkanLastRunWidget::tr("and %1 further isovalues").arg(size - LargestCount);
  return lines;
}

QString surfaceOf(const Information& information)
{
  QStringList lines{ lineOf(information, true) };
  lines << measuresOf(information) << information.text("Note") << information.text("FallbackReason");
  lines.removeAll(QString());
  return lines.join('\n');
}

QString factsOf(const Information& information, const std::vector<TimedStage>& stages)
{
  QStringList facts;
  // The active bricks of several isovalues are summed: they may be more than there are.
  if (information.number("NumberOfBricks") > 0)
    facts << pqVulkanLastRunWidget::tr("%1 active bricks in all isovalues, %2 bricks")
               .arg(information.count("NumberOfActiveBricks"), information.count("NumberOfBricks"));
  const double bytes = information.number("DeviceMemory");
  if (bytes > 0)
    facts << pqVulkanLastRunWidget::tr("Device memory: %1 MiB").arg(bytes / (1024 * 1024), 0, 'f', 1);
  if (bytes > 0 && !stages.empty() && !wasUploaded(stages))
    facts << pqVulkanLastRunWidget::tr("Resident: the volume was on the device, nothing was uploaded.");
  const QString drawnBy = information.text("DrawnBy");
  if (information.number("TotalTime") > 0 && !drawnBy.isEmpty())
    facts << pqVulkanLastRunWidget::tr("Drawn by: %1").arg(drawnBy);
  return facts.join('\n');
}

}

pqVulkanLastRunWidget::pqVulkanLastRunWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent)
  : Superclass(proxy, group, parent)
  , ShowsSurface(isOfSurface(proxy, group))
  , Summary(new QLabel(this))
  , Bar(new StageBar(this))
  , Facts(new QLabel(this))
{
  this->Summary->setObjectName(this->ShowsSurface ? "Summary" : "Run");
  this->Bar->setObjectName("StageBar");
  this->Facts->setObjectName("Facts");
  for (QLabel* label : { this->Summary, this->Facts })
  {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  QVBoxLayout* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(this->fontMetrics().height() / 4);
  column->addWidget(this->Summary);
  column->addWidget(this->Bar);
  column->addWidget(this->Facts);
  this->showDetails();
  this->Timer.setSingleShot(true);
  QObject::connect(&this->Timer, &QTimer::timeout, this, [this] { this->showLastRun(); });
  this->observe();
}

// Properties of a representation belong to its subproxy.
void pqVulkanLastRunWidget::observe()
{
  vtkSMProperty* total = this->proxy()->GetProperty("TotalTime");
  vtkSMProxy* owner = total ? total->GetParent() : this->proxy();
  vtkEventQtSlotConnect* observer = this->Observer;
  observer->Connect(owner, vtkCommand::UpdateInformationEvent, this, SLOT(requireUpdate()));
  for (const char* name : { "StageNames", "StageTimes", "TotalTime", "UsedDevice", "FallbackReason", "Note", "DrawnBy",
         "SurfaceArea", "EnclosedVolume", "OpenEdges", "ShareOfDomain", "NumberOfRegions" })
    if (vtkSMProperty* property = this->proxy()->GetProperty(name))
      observer->Connect(property, vtkCommand::ModifiedEvent, this, SLOT(requireUpdate()));
}

void pqVulkanLastRunWidget::requireUpdate()
{
  if (this->isVisible())
    this->Timer.start(0);
}

void pqVulkanLastRunWidget::showEvent(QShowEvent* event)
{
  this->Superclass::showEvent(event);
  this->requireUpdate();
}

void pqVulkanLastRunWidget::showLastRun()
{
  const Information information{ this->proxy() };
  if (this->ShowsSurface)
    return this->Summary->setText(surfaceOf(information));
  const std::vector<TimedStage> stages = stagesOf(information);
  this->Summary->setText(lineOf(information, false));
  this->Bar->setStages(stages);
  this->Facts->setText(factsOf(information, stages));
  this->showDetails();
}

void pqVulkanLastRunWidget::showDetails()
{
  this->Bar->setVisible(!this->Bar->stages().empty());
  this->Facts->setVisible(!this->Facts->text().isEmpty());
}
