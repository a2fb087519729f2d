// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Outputs.h"

#include "Shared/Bindings.h"
#include "Shared/Constants.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

using vmc::Mesh;
using vmc::Output;
using vmc::outputsOf;
using vmc::Request;

namespace
{

std::vector<std::uint32_t> bindingsOf(const std::vector<Output>& outputs)
{
  std::vector<std::uint32_t> bindings;
  for (const Output& output : outputs)
    bindings.push_back(output.binding);
  return bindings;
}

Request requestOfAll()
{
  Request request;
  request.computeGradients = request.splitPositions = request.computeCells = true;
  return request;
}

}

TEST(Outputs, ARequestHasItsRowsAndThenTheAttributes)
{
  Request request;
  request.computeNormals = false;
  EXPECT_EQ(bindingsOf(outputsOf(request, {})), (std::vector<std::uint32_t>{ BINDING_POSITION, BINDING_TRIANGLE }));
  vmc::Attribute attribute;
  attribute.components = 5;
  const std::vector<Output> all = outputsOf(requestOfAll(), { attribute, attribute });
  EXPECT_EQ(bindingsOf(all),
    (std::vector<std::uint32_t>{ BINDING_POSITION, BINDING_POSITION_LOW, BINDING_NORMAL, BINDING_GRADIENT,
      BINDING_CROSSING, BINDING_TRIANGLE_CELL, BINDING_TRIANGLE, BINDING_INTERPOLATED, BINDING_INTERPOLATED }));
  EXPECT_EQ(all.back().words, 5u);
  EXPECT_EQ(all.back().attribute, 1u);
  EXPECT_EQ(all.back().bytes(3, 0), 60u);
}

TEST(Outputs, TheSettingsHaveABitPerOutputOfTheEmittingKernels)
{
  vmc::Attribute attribute;
  const std::uint32_t all = vmc::settingsOf(outputsOf(requestOfAll(), { attribute }));
  EXPECT_EQ(all, 0x7Fu); // seven rows
  EXPECT_EQ(all & (SETTING_CLOSED | SETTING_FLIP_WINDING), 0u);
}

TEST(Outputs, EachIsBroughtToAnArrayOfItsOwn)
{
  vmc::Attribute attribute;
  Mesh mesh;
  mesh.attributes.resize(2);
  std::set<const vmc::HostBlock*> blocks;
  for (const Output& output : outputsOf(requestOfAll(), { attribute, attribute }))
    if (output.isDownloaded(true))
    {
      EXPECT_TRUE(blocks.insert(vmc::blockOf(mesh, output)).second) << output.name;
    }
  EXPECT_EQ(blocks.count(nullptr), 0u);
  EXPECT_EQ(blocks.size(), 8u); // all but the crossings
}

TEST(Outputs, PointIdsOfTrianglesThatShareNoPointsStayOnTheDevice)
{
  for (const Output& output : outputsOf(Request(), {}))
    EXPECT_EQ(output.isDownloaded(false), output.binding != BINDING_TRIANGLE) << output.name;
}
