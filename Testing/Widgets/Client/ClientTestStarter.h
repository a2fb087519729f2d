// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// After the window of the client has opened, runs the test functions that VMC_CLIENT_TEST names (separated by spaces;
// all if it is empty), and ends the client. They are those of IsovalueTest, or of SurfaceTest if VMC_CLIENT_TEST_CLASS
// names it. The exit status of the client is the number of failures.
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
