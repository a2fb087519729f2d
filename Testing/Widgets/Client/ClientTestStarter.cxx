// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ClientTestStarter.h"

#include "Client.h"
#include "GuidePictures.h"
#include "IsovalueTest.h"
#include "SurfaceTest.h"

#include <QCoreApplication>
#include <QTest>
#include <QTimer>

#include <memory>

namespace
{

std::unique_ptr<QObject> makeTest()
{
  if (qEnvironmentVariableIsSet("VMC_GUIDE_PICTURES"))
    return std::make_unique<GuidePictures>();
  if (qEnvironmentVariable("VMC_CLIENT_TEST_CLASS") == "SurfaceTest")
    return std::make_unique<SurfaceTest>();
  return std::make_unique<IsovalueTest>();
}

}

void ClientTestStarter::startup()
{
  if (qEnvironmentVariableIsSet("VMC_CLIENT_TEST"))
    QTimer::singleShot(0, this, [this] { this->run(); });
}

void ClientTestStarter::run()
{
  if (!client::isReady())
  {
    QTimer::singleShot(100, this, [this] { this->run(); });
    return;
  }
  const QStringList functions = QString::fromLocal8Bit(qgetenv("VMC_CLIENT_TEST")).split(' ', Qt::SkipEmptyParts);
  const std::unique_ptr<QObject> test = makeTest();
  const int failures = QTest::qExec(test.get(), QStringList{ "ClientTest" } + functions);
  client::resetSession(); // the client asks no question at its end
  QCoreApplication::exit(failures);
}
