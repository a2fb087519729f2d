// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// When the window of the client is there, runs the test functions that VMC_CLIENT_TEST names (separated by spaces; all
// if it is empty), and ends the client. Its exit status is the number of failures.
#ifndef ClientTestStarter_h
#define ClientTestStarter_h

#include <QObject>

class ClientTestStarter : public QObject
{
  Q_OBJECT

public:
  void startup();
  void shutdown() {}

private:
  void run();
};

#endif
