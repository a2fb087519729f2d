// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Operates the client as a user does: with mouse and keyboard in its widgets.
#ifndef vmcClient_h
#define vmcClient_h

#include <QImage>
#include <QList>
#include <QPoint>
#include <QString>

#include <functional>
#include <vector>

class pqDataRepresentation;
class pqPipelineSource;
class pqPropertyWidget;
class QAbstractItemModel;
class QAction;
class QWidget;
class vtkSMProxy;

namespace vmc::plots
{
class HistogramWidget;
}

namespace client
{

// Returns whether the main window is shown, and a server is connected: a remote one if VMC_CLIENT_TEST_REMOTE is set.
bool isReady();

// Returns whether the server is another process.
bool isRemote();

// Makes the window as large as the screen, and the properties panel large enough for the histogram.
void arrangeWindow();

// Gives the window the size and the panels of ParaView's first start.
void restoreWindow();

// Lets the client handle events until the condition holds; false if it does not within a generous time.
bool waitFor(const std::function<bool()>& condition);

// Lets the client handle the events that wait, and those that follow from them.
void settle();

// Deletes all sources, views and steps of undo, and creates a view.
void resetSession();

// A source or filter of the active one, as its menu creates it. Not yet applied.
pqPipelineSource* create(const char* group, const char* name);

// Opens a file with this reader, and clicks Apply.
void open(const char* reader, const QString& file);

// A filter of the active source, as a line of Python creates it: without Apply. It is the active source then.
pqPipelineSource* createAsScript(const char* filter);

// Shows its surface as a line of Python does.
void showInActiveView(pqPipelineSource* source);

// Clicks Apply.
void apply();
bool canApply();

// Shows the active source in the active view.
pqDataRepresentation* display();
void showAs(const char* representation);

// The widget of this name that is visible in the properties panel; null if there is none.
QWidget* visibleWidget(const char* name);
vmc::plots::HistogramWidget* histogram();

// Clicks the visible button of this name in the properties panel.
void click(const char* button);

// The actions of the client's menus and toolbars with this name.
QList<QAction*> actions(const char* name);

bool isInToolbar(QAction* action);

pqPipelineSource* activeSource();
void selectSource(const char* name);

// Draws the active view.
void render();

// A step of the animation, and what is drawn for it.
void goToTime(double time);

// Splits the window, and shows the active source in the new view, too.
void addView();

void saveState(const QString& file);
void loadState(const QString& file);

// Selects an array in the panel, without Apply. association: 0 for points, 1 for cells.
void selectArray(vtkSMProxy* proxy, const char* property, int association, const char* array);

// Selects a component in the visible list of the panel: -1 for the magnitude.
void selectComponent(int component);

// Returns the text about the surface in the panel, and about the last run if it is shown.
QString lastRun();

void undo();
void redo();
bool canUndo();
void forgetUndo();

// Values of a property of the server manager.
std::vector<double> valuesOf(vtkSMProxy* proxy, const char* property);
void setValues(vtkSMProxy* proxy, const char* property, const std::vector<double>& values);

// The numbers in the list below the histogram, applied or not. The second function does not let the client handle
// events.
std::vector<double> listedValues();
std::vector<double> valuesIn(const QAbstractItemModel* rows);
QAbstractItemModel* isovalueRows();

// Replaces the first one, as the editor in the list does.
void typeIsovalue(double value);

// The picture of the active view.
QImage picture();
// The part of pixels that differ clearly, from 0 to 1.
double differenceOf(const QImage& first, const QImage& second);

// Mouse events at a pixel of the widget.
void press(QWidget* widget, const QPoint& position, Qt::MouseButton button = Qt::LeftButton);
void move(QWidget* widget, const QPoint& position, Qt::MouseButton button = Qt::LeftButton);
void release(QWidget* widget, const QPoint& position, Qt::MouseButton button = Qt::LeftButton);

// Turns the wheel with the pointer at a pixel of the widget. Returns false if the widget leaves it to the panel.
bool turnWheel(QWidget* widget, const QPoint& position, int notches);
void leave(QWidget* widget);

// The pixel of the histogram in the middle of the plot at this value.
QPoint pixelAt(vmc::plots::HistogramWidget* histogram, double value);

// Returns whether the first of two widgets of the panel is above the second one.
bool isAbove(const QWidget* first, const QWidget* second);

// Scrolls the properties panel.
void scrollTo(QWidget* widget);

// The whole window, with at most 256 colours.
void savePicture(const QString& file);

}

#endif
