// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The widgets of isovalues and of the last run in the client of ParaView. Each test starts with an empty session.
#ifndef IsovalueTest_h
#define IsovalueTest_h

#include <QObject>

class IsovalueTest : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();

  void histogramIsSeenAtFirst();
  void dragMovesTheSurface_data();
  void dragMovesTheSurface();
  void wheelScrollsThePanel();
  void listFollowsEachMove_data();
  void listFollowsEachMove();
  void linesAreAddedAndRemoved();
  void linesFollowOtherChanges();
  void otherNumberOfValuesEndsADrag();
  void resetTakesAnEditBack();
  void suggestionMovesTheLine();
  void labelsStandAtTheirValues();
  void linesHaveTheColorsOfTheSurfaces();
  void linesOfAComponentHaveItsColorsAlone();
  void newFilterStartsFromTheSuggestion();
  void newFilterFollowsArrayAndComponent();
  void appliedFilterFollowsTheComponent();
  void representationFollowsTheComponent();
  void changedValuesAreLeftAlone();
  void valuesOfScriptsAreLeftAlone();
  void earlyApplyKeepsTheValue();
  void autoApplyAppliesTheSuggestion();
  void scriptsFilterKeepsItsValue();
  void extractedSurfaceKeepsTheValueThatIsSeen();
  void loadedFilterKeepsItsValue();
  void histogramIsOfTheArrayInThePanel();
  void histogramFollowsTheInput();
  void histogramFollowsTime();
  void histogramFollowsChangesWhileItIsComputed();
  void componentsFollowTheInput();
  void constantDataHasALine();
  void dataOfNansIsExplained();
  void missingDataIsExplained();
  void errorIsShownInThePlot();
  void stateFileRoundTrip();
  void extractButtonAddsTheFilter();
  void twoViewsHaveLinesOfTheirOwn();
  void lastRunOfAFilterIsOfThePicture();
  void lastRunFollowsTime();
  void lastRunOfARepresentationIsOfThePicture();
  void surfaceIsOneLine();
  void iconsAreInMenuAndToolbar();
  void toolBarShowsTheImage();
};

#endif
