// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Tests of what the client of ParaView shows: the surface alone, in its colours, with its legend, and where people find
// it. Each test starts with an empty session.
#ifndef SurfaceTest_h
#define SurfaceTest_h

#include <QObject>

class SurfaceTest : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();

  void imageOfIsosurfacesIsHidden_data();
  void imageOfIsosurfacesIsHidden();
  void hidingIsPartOfApply();
  void imageThatIsShownAgainStays();
  void outlineStays();
  void filterOfAScriptHidesNothing();
  void areaFollowsTheIsovalue_data();
  void areaFollowsTheIsovalue();
  void filterOfAScriptMeasuresNothing();
  void oneIsovalueHasOneColour();
  void severalIsovaluesHaveALegend();
  void moreIsovaluesGetColours();
  void legendOfTheImageGetsTheLabels();
  void chosenColourStays();
  void coloursAreInTheStateFile();
  void surfaceLooksAsTheRepresentation_data();
  void surfaceLooksAsTheRepresentation();
  void firstIsovalueIsTheSame();
  void searchFindsFilterAndButton_data();
  void searchFindsFilterAndButton();
  void searchEntriesWork();
  void commonIsParaViewsOwn();
  void traceOfExtraction();
};

#endif
