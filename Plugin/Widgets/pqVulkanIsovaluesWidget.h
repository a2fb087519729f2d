// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#ifndef pqVulkanIsovaluesWidget_h
#define pqVulkanIsovaluesWidget_h

#include <pqPropertyWidget.h>

#include <QVariantList>

#include <memory>
#include <vector>

class QColor;
class QHBoxLayout;
class QVBoxLayout;

/**
 * The isovalues of the filter Vulkan Marching Cubes and of the representation "Vulkan Isosurface": a histogram with a
 * line per isovalue, suggestions, and ParaView's list of values.
 *
 * Otsu's threshold, if it is suggested, is the default isovalue of a representation, and of a filter that was not
 * applied yet, or whose array or component is changed in the panel (vtkSMVulkanIsovalueDomain).
 *
 * If the user chooses the representation, the panel scrolls to the histogram.
 *
 * Lines have the colours of their surfaces in the view, if these are coloured by isovalues or have one colour.
 *
 * The histogram is that of the array in the panel. The server computes it when the widget is visible and the input, the
 * time, or a property that the histogram depends on has changed.
 *
 * While the user drags a line, the surface follows: that of a representation always, that of a filter if ParaView
 * applies changes automatically. Otherwise the panel shows the new value and waits for Apply. A drag is one step of
 * undo.
 */
class pqVulkanIsovaluesWidget : public pqPropertyWidget
{
  Q_OBJECT
  typedef pqPropertyWidget Superclass;
  Q_PROPERTY(QVariantList isovalues READ isovalues WRITE setIsovalues NOTIFY isovaluesEdited)

public:
  pqVulkanIsovaluesWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent = nullptr);
  ~pqVulkanIsovaluesWidget() override;

  QVariantList isovalues() const;
  void setIsovalues(const QVariantList& isovalues);

  void apply() override;
  void reset() override;

Q_SIGNALS:
  // The user has changed the isovalues of the panel.
  void isovaluesEdited();

protected:
  void showEvent(QShowEvent* event) override;

private Q_SLOTS:
  void observeInput();
  void onRepresentationChosen();
  void onInputUpdated();
  void onTimeChanged();
  void requireHistogram();

private:
  void createList();
  void createButtons(QHBoxLayout* row);
  void createSuggestions(QHBoxLayout* row);
  void createExtraction(QVBoxLayout* column);
  void showSuggestions();
  void observeProperties();

  void scrollToHistogram();
  void updateHistogram();
  void suggestDefault();
  void applyDefault();

  bool canFollow() const;
  void onChanging();
  void onChanged();
  void follow();
  void setApplied(const std::vector<double>& isovalues);

  void extractSurface();
  QColor colorOf(double isovalue) const;

  class Internals;
  const std::unique_ptr<Internals> Impl;
};

#endif
