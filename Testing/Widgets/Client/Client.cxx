// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Client.h"

#include "Plots/HistogramWidget.h"

#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkSMParaViewPipelineControllerWithRendering.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMUncheckedPropertyHelper.h"
#include "vtkSMViewProxy.h"
#include "vtkSmartPointer.h"
#include "vtkUnsignedCharArray.h"

#include <pqActiveObjects.h>
#include <pqAnimationManager.h>
#include <pqAnimationScene.h>
#include <pqApplicationCore.h>
#include <pqCoreUtilities.h>
#include <pqDataRepresentation.h>
#include <pqDeleteReaction.h>
#include <pqFiltersMenuReaction.h>
#include <pqObjectBuilder.h>
#include <pqOutputPort.h>
#include <pqPVApplicationCore.h>
#include <pqPipelineSource.h>
#include <pqServer.h>
#include <pqServerManagerModel.h>
#include <pqUndoStack.h>
#include <pqView.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHash>
#include <QLabel>
#include <QMainWindow>
#include <QMouseEvent>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QToolBar>
#include <QTransform>
#include <QWheelEvent>

#include <algorithm>
#include <cstring>

namespace client
{

namespace
{

constexpr int Patience = 30000; // milliseconds; software rendering on a busy machine

QWidget* window()
{
  return pqCoreUtilities::mainWidget();
}

pqApplicationCore* core()
{
  return pqApplicationCore::instance();
}

QWidget* panel()
{
  return window()->findChild<QWidget*>("propertiesPanel");
}

}

bool isReady()
{
  return window() && window()->isVisible() && pqActiveObjects::instance().activeServer() &&
         pqActiveObjects::instance().activeView();
}

bool isRemote()
{
  return pqActiveObjects::instance().activeServer()->isRemote();
}

namespace
{

// ParaView's own arrangement, if this is the first call in a process that has read no settings.
const QByteArray& firstArrangement()
{
  static const QByteArray arrangement = qobject_cast<QMainWindow*>(window())->saveState();
  return arrangement;
}

}

void restoreWindow()
{
  constexpr QSize size(1280, 800);
  window()->setGeometry(QRect(QPoint(), size));
  qobject_cast<QMainWindow*>(window())->restoreState(firstArrangement());
  settle();
}

void arrangeWindow()
{
  firstArrangement();
  window()->setGeometry(window()->screen()->geometry());
  QMainWindow* main = qobject_cast<QMainWindow*>(window());
  QDockWidget* properties = main->findChild<QDockWidget*>("propertiesDock");
  QDockWidget* browser = main->findChild<QDockWidget*>("pipelineBrowserDock");
  main->resizeDocks({ properties }, { window()->width() / 3 }, Qt::Horizontal);
  main->resizeDocks({ browser, properties }, { window()->height() / 8, window()->height() }, Qt::Vertical);
  settle();
}

bool waitFor(const std::function<bool()>& condition)
{
  return QTest::qWaitFor(condition, Patience);
}

void settle()
{
  for (int i = 0; i < 4; ++i) // an event may start a timer, whose event starts another one
    QTest::qWait(25);
}

void resetSession()
{
  pqActiveObjects::instance().setActivePort(nullptr); // else ParaView 6.1 crashes, as the output stays selected
  pqDeleteReaction::deleteAll();
  if (pqUndoStack* stack = core()->getUndoStack())
    stack->clear();
  settle();
}

pqPipelineSource* create(const char* group, const char* name)
{
  if (std::strcmp(group, "filters") == 0)
    return pqFiltersMenuReaction::createFilter(group, name);
  return core()->getObjectBuilder()->createSource(group, name, pqActiveObjects::instance().activeServer());
}

void open(const char* reader, const QString& file)
{
  pqServer* server = pqActiveObjects::instance().activeServer();
  pqPipelineSource* source = core()->getObjectBuilder()->createReader("sources", reader, { file }, server);
  pqActiveObjects::instance().setActiveSource(source);
  apply();
}

pqPipelineSource* createAsScript(const char* filter)
{
  const vtkNew<vtkSMParaViewPipelineController> controller;
  vtkSMSessionProxyManager* manager = pqActiveObjects::instance().activeServer()->proxyManager();
  vtkSmartPointer<vtkSMProxy> proxy;
  proxy.TakeReference(manager->NewProxy("filters", filter));
  controller->PreInitializeProxy(proxy);
  vtkSMPropertyHelper(proxy, "Input").Set(activeSource()->getProxy());
  controller->PostInitializeProxy(proxy);
  controller->RegisterPipelineProxy(proxy, filter);
  selectSource(filter);
  return activeSource();
}

void showInActiveView(pqPipelineSource* source)
{
  const vtkNew<vtkSMParaViewPipelineControllerWithRendering> controller;
  controller->Show(source->getSourceProxy(), 0, pqActiveObjects::instance().activeView()->getViewProxy());
  render();
}

bool canApply()
{
  return panel()->findChild<QAbstractButton*>("Accept")->isEnabled();
}

void apply()
{
  panel()->findChild<QAbstractButton*>("Accept")->click();
  settle();
}

pqDataRepresentation* display()
{
  return pqActiveObjects::instance().activeRepresentation();
}

void showAs(const char* representation)
{
  vtkSMProxy* proxy = display()->getProxy();
  vtkSMPropertyHelper(proxy, "Representation").Set(representation);
  proxy->UpdateVTKObjects();
  pqActiveObjects::instance().activeView()->render();
  settle();
}

QWidget* visibleWidget(const char* name)
{
  settle();
  for (QWidget* widget : panel()->findChildren<QWidget*>(name))
    if (widget->isVisible())
      return widget;
  return nullptr;
}

// The class of the widget is linked into both plugins, and Qt takes the two for different classes.
vmc::plots::HistogramWidget* histogram()
{
  return static_cast<vmc::plots::HistogramWidget*>(visibleWidget("Histogram"));
}

void click(const char* button)
{
  static_cast<QAbstractButton*>(visibleWidget(button))->click();
  settle();
}

QList<QAction*> actions(const char* name)
{
  return window()->findChildren<QAction*>(name);
}

bool isInToolbar(QAction* action)
{
  const QList<QToolBar*> toolbars = window()->findChildren<QToolBar*>();
  return std::any_of(
    toolbars.begin(), toolbars.end(), [&](const QToolBar* toolbar) { return toolbar->actions().contains(action); });
}

pqPipelineSource* activeSource()
{
  return pqActiveObjects::instance().activeSource();
}

void selectSource(const char* name)
{
  pqActiveObjects::instance().setActiveSource(core()->getServerManagerModel()->findItem<pqPipelineSource*>(name));
  settle();
}

void render()
{
  pqActiveObjects::instance().activeView()->forceRender();
  settle();
}

void goToTime(double time)
{
  pqAnimationScene* scene = pqPVApplicationCore::instance()->animationManager()->getActiveScene();
  scene->setAnimationTime(time);
  settle();
}

void addView()
{
  pqOutputPort* shown = activeSource()->getOutputPort(0);
  pqObjectBuilder* builder = core()->getObjectBuilder();
  pqView* view = builder->createView("RenderView", pqActiveObjects::instance().activeServer());
  builder->addToLayout(view);
  pqActiveObjects::instance().setActiveView(view);
  builder->createDataRepresentation(shown, view);
  view->resetDisplay();
  view->render();
  settle();
}

void saveState(const QString& file)
{
  core()->saveState(file);
}

void loadState(const QString& file)
{
  core()->loadState(qUtf8Printable(file), pqActiveObjects::instance().activeServer());
  settle();
  const QList<pqPipelineSource*> sources = core()->getServerManagerModel()->findItems<pqPipelineSource*>();
  pqActiveObjects::instance().setActiveSource(sources.front());
  pqActiveObjects::instance().setActiveView(core()->getServerManagerModel()->findItems<pqView*>().front());
  render();
}

void selectArray(vtkSMProxy* proxy, const char* property, int association, const char* array)
{
  vtkSMUncheckedPropertyHelper(proxy, property).SetInputArrayToProcess(association, array);
  settle();
}

void selectComponent(int component)
{
  QComboBox* list = visibleWidget("ArrayComponent")->findChild<QComboBox*>("ComboBox");
  list->setCurrentIndex(list->findData(component));
  settle();
}

QString lastRun()
{
  QStringList texts;
  for (const char* name : { "Summary", "Run" })
    if (const QWidget* line = visibleWidget(name))
      for (const QLabel* label : line->parentWidget()->findChildren<QLabel*>())
        texts << label->text();
  return texts.join('\n');
}

void undo()
{
  core()->getUndoStack()->undo();
  settle();
}

void redo()
{
  core()->getUndoStack()->redo();
  settle();
}

bool canUndo()
{
  return core()->getUndoStack()->canUndo();
}

void forgetUndo()
{
  core()->getUndoStack()->clear();
}

std::vector<double> valuesOf(vtkSMProxy* proxy, const char* property)
{
  return vtkSMPropertyHelper(proxy, property).GetDoubleArray();
}

void setValues(vtkSMProxy* proxy, const char* property, const std::vector<double>& values)
{
  vtkSMPropertyHelper(proxy, property).Set(values.data(), static_cast<unsigned int>(values.size()));
  proxy->UpdateVTKObjects();
  pqActiveObjects::instance().activeView()->render();
  settle();
}

QAbstractItemModel* isovalueRows()
{
  return static_cast<QAbstractItemView*>(visibleWidget("Table"))->model();
}

std::vector<double> listedValues()
{
  return valuesIn(isovalueRows());
}

std::vector<double> valuesIn(const QAbstractItemModel* rows)
{
  std::vector<double> values;
  for (int row = 0; row < rows->rowCount(); ++row)
    values.push_back(rows->data(rows->index(row, 0), Qt::EditRole).toDouble());
  return values;
}

void typeIsovalue(double value)
{
  QAbstractItemModel* rows = isovalueRows();
  rows->setData(rows->index(0, 0), value, Qt::EditRole);
  settle();
}

QImage picture()
{
  vtkSMViewProxy* view = pqActiveObjects::instance().activeView()->getViewProxy();
  vtkSmartPointer<vtkImageData> image;
  image.TakeReference(view->CaptureWindow(1));
  int dimensions[3];
  image->GetDimensions(dimensions);
  const auto* pixels = static_cast<const uchar*>(image->GetScalarPointer());
  const int components = image->GetNumberOfScalarComponents();
  const QImage::Format format = components == 4 ? QImage::Format_RGBA8888 : QImage::Format_RGB888;
  return QImage(pixels, dimensions[0], dimensions[1], components * dimensions[0], format)
    .transformed(QTransform::fromScale(1, -1))
    .convertToFormat(QImage::Format_RGB32);
}

double differenceOf(const QImage& first, const QImage& second)
{
  constexpr int clear = 16; // of 255
  if (first.size() != second.size())
    return 1;
  qint64 different = 0;
  for (int y = 0; y < first.height(); ++y)
    for (int x = 0; x < first.width(); ++x)
    {
      const QRgb a = first.pixel(x, y);
      const QRgb b = second.pixel(x, y);
      const int most =
        std::max({ std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b)) });
      different += most > clear;
    }
  return double(different) / (qint64(first.width()) * first.height());
}

namespace
{

void send(QWidget* widget, QEvent::Type type, const QPoint& position, Qt::MouseButton button, Qt::MouseButtons buttons)
{
  QMouseEvent event(type, position, widget->mapToGlobal(position), button, buttons, Qt::NoModifier);
  QApplication::sendEvent(widget, &event);
  QApplication::processEvents();
}

}

void press(QWidget* widget, const QPoint& position, Qt::MouseButton button)
{
  send(widget, QEvent::MouseButtonPress, position, button, button);
}

void move(QWidget* widget, const QPoint& position, Qt::MouseButton button)
{
  send(widget, QEvent::MouseMove, position, Qt::NoButton, button);
}

void release(QWidget* widget, const QPoint& position, Qt::MouseButton button)
{
  send(widget, QEvent::MouseButtonRelease, position, button, Qt::NoButton);
}

bool turnWheel(QWidget* widget, const QPoint& position, int notches)
{
  QWheelEvent event(position, widget->mapToGlobal(position), QPoint(), QPoint(0, 120 * notches), Qt::NoButton,
    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(widget, &event);
  settle();
  return event.isAccepted();
}

void leave(QWidget* widget)
{
  QEvent event(QEvent::Leave);
  QApplication::sendEvent(widget, &event);
}

QPoint pixelAt(vmc::plots::HistogramWidget* histogram, double value)
{
  return { static_cast<int>(histogram->axis().pixelOf(value)), histogram->plotArea().center().y() };
}

bool isAbove(const QWidget* first, const QWidget* second)
{
  return first->mapToGlobal(QPoint()).y() < second->mapToGlobal(QPoint()).y();
}

void scrollTo(QWidget* widget)
{
  auto* const area = panel()->findChild<QScrollArea*>("scrollArea");
  area->ensureWidgetVisible(widget);
  area->horizontalScrollBar()->setValue(0);
  settle();
}

namespace
{

// The colours that occur most often in the image, at most 256.
QVector<QRgb> frequentColors(const QImage& image)
{
  QHash<QRgb, int> counts;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      ++counts[image.pixel(x, y) | 0x030303]; // alike but for the last bits
  QVector<QRgb> colors = counts.keys().toVector();
  std::sort(colors.begin(), colors.end(), [&](QRgb a, QRgb b) { return counts[a] > counts[b]; });
  return colors.mid(0, 256);
}

}

void savePicture(const QString& file)
{
  settle();
  const QImage image = window()->screen()->grabWindow(0).toImage();
  image.convertToFormat(QImage::Format_Indexed8, frequentColors(image)).save(file);
}

}
