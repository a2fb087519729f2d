// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The output of a filter does not depend on its history. Random moves change its settings, its input and its output.
// After each move its output is compared with that of a new filter on a copy of the input.
//
// The environment variables VMC_STATES_SEED and VMC_STATES_STEPS set another seed and another number of steps. Runs of
// more than DefaultSteps steps use all types of samples. The message of a failure has the variables that repeat the
// run.
#include "FilterTest.h"
#include "FreshFilter.h"
#include "OutputChanges.h"
#include "RandomImage.h"
#include "SilentChanges.h"

#include "vtkCallbackCommand.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

namespace
{

constexpr int DefaultSeed = 1;
constexpr int DefaultSteps = 300;

struct State
{
  State(int seed, bool withAllTypes);

  // A random image of the input: of two if the input is a composite.
  vtkImageData* someImage() { return this->Images[this->someNumber()]; }
  int someNumber() { return this->Blocks ? this->Random.below(2) : 0; }
  vtkSmartPointer<vtkImageData> newImage() { return RandomImage(this->Random, this->WithAllTypes); }

  RandomNumbers Random;
  const bool WithAllTypes;
  vtkNew<vtkVulkanMarchingCubes> Filter;
  vtkNew<vtkVulkanMarchingCubes> Second; // exists as long and runs sometimes
  const ArrayRecipe* ContouredArray = &ArrayRecipes[0];
  std::array<vtkSmartPointer<vtkImageData>, 2> Images; // the input, or the leaves of the composite that is the input
  vtkSmartPointer<vtkMultiBlockDataSet> Blocks;        // the composite; null: the input is the first image
  vtkNew<vtkPolyData> KeptOutput;                      // an earlier output, whose arrays must not change
  vtkNew<vtkPolyData> CopyOfKept;
  std::string Fault; // found by a move
};

State::State(int seed, bool withAllTypes)
  : Random(seed)
  , WithAllTypes(withAllTypes)
{
  this->Images[0] = this->newImage();
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  this->Filter->SetInputData(this->Images[0]);
  this->Filter->SetValue(0, LargestSample / 2);
}

struct ArrayInImage
{
  vtkImageData* image;
  vtkDataSetAttributes* data;
  vtkDataArray* array;
};

ArrayInImage someArray(State& state)
{
  vtkImageData* image = state.someImage();
  vtkDataSetAttributes* data = image->GetAttributes(state.Random.oneIn(2) ? vtkDataObject::CELL : vtkDataObject::POINT);
  return { image, data, data->GetArray(state.Random.below(data->GetNumberOfArrays())) };
}

// An image is modified with its arrays, but a composite is not modified with its leaves.
void modifyComposite(State& state)
{
  if (state.Blocks)
    state.Blocks->Modified();
}

// The output

// The first leaf of a composite output.
vtkPolyData* outputOf(vtkVulkanMarchingCubes* filter)
{
  if (auto* blocks = vtkMultiBlockDataSet::SafeDownCast(filter->GetOutputDataObject(0)))
    return vtkPolyData::SafeDownCast(blocks->GetBlock(0));
  return filter->GetOutput();
}

bool hasPoints(vtkPolyData* mesh)
{
  return mesh && mesh->GetNumberOfPoints() != 0;
}

// The moves. Each returns a description of the change. The filter runs afterwards.

using Filter = vtkVulkanMarchingCubes;

std::string setIsovalues(State& state)
{
  constexpr int Counts[] = { 0, 1, 1, 1, 1, 2, 3 };
  const int count = state.Random.anyOf(Counts);
  state.Filter->SetNumberOfContours(count);
  std::string values;
  for (int i = 0; i < count; ++i)
  {
    // The isovalues go from below every sample to above every sample. They are equal to samples or between them.
    state.Filter->SetValue(i, (state.Random.below(2 * LargestSample + 4) - 1) / 2.0);
    values += (i == 0 ? "" : ", ") + std::to_string(state.Filter->GetValue(i));
  }
  return values;
}

std::string setComponent(State& state)
{
  // Magnitudes have the type double, whose kernels take time to compile, so they are rare.
  state.Filter->SetArrayComponent(state.Random.oneIn(6) ? -1 : state.Random.below(state.ContouredArray->components));
  return std::to_string(state.Filter->GetArrayComponent());
}

std::string contourByName(State& state)
{
  state.ContouredArray = &state.Random.anyOf(ArrayRecipes);
  state.Filter->SetInputArrayToProcess(0, 0, 0, state.ContouredArray->association, state.ContouredArray->name);
  return std::string(state.ContouredArray->name) + ", component " + setComponent(state);
}

std::string contourActiveScalars(State& state)
{
  state.ContouredArray = &ArrayRecipes[state.Random.oneIn(2) ? 0 : 4];
  state.Filter->SetInputArrayToProcess(0, 0, 0, state.ContouredArray->association, vtkDataSetAttributes::SCALARS);
  return std::string(state.ContouredArray->name) + ", component " + setComponent(state);
}

template <auto Get, auto Set>
std::string toggle(State& state)
{
  const int value = (state.Filter.Get()->*Get)() == 0 ? 1 : 0;
  (state.Filter.Get()->*Set)(value);
  return std::to_string(value);
}

// A value from 0 to the largest.
template <auto Set, int Largest>
std::string choose(State& state)
{
  const int value = state.Random.below(Largest + 1);
  (state.Filter.Get()->*Set)(value);
  return std::to_string(value);
}

// Adds, replaces or removes the ghost array of the cells or of the points.
std::string changeGhosts(State& state, vtkImageData* image, int association)
{
  const char* const name = vtkDataSetAttributes::GhostArrayName();
  vtkDataSetAttributes* data = image->GetAttributes(association);
  const std::string elements = association == vtkDataObject::CELL ? "of cells " : "of points ";
  vtkDataArray* present = data->GetArray(name);
  if (present && state.Random.oneIn(2))
  {
    data->RemoveArray(name);
    return elements + "removed ";
  }
  data->AddArray(RandomGhosts(state.Random, image->GetNumberOfElements(association)));
  return elements + (present ? "replaced " : "added ");
}

std::string changeGhosts(State& state)
{
  vtkImageData* image = state.someImage();
  const int which = state.Random.below(3);
  const std::string cells = which != 0 ? changeGhosts(state, image, vtkDataObject::CELL) : "";
  const std::string points = which != 1 ? changeGhosts(state, image, vtkDataObject::POINT) : "";
  modifyComposite(state);
  return cells + points;
}

std::string setSpacing(State& state)
{
  constexpr double Steps[] = { 0.25, 0.7, 1, 3 };
  vtkImageData* image = state.someImage();
  double spacing[3];
  for (double& step : spacing)
    step = state.Random.anyOf(Steps);
  image->SetSpacing(spacing);
  modifyComposite(state);
  return std::to_string(spacing[0]) + " ...";
}

std::string setOrigin(State& state)
{
  vtkImageData* image = state.someImage();
  image->SetOrigin(state.Random.below(1000) - 500, 0.1, 0);
  modifyComposite(state);
  return std::to_string(image->GetOrigin()[0]);
}

std::string setDirection(State& state)
{
  struct Direction
  {
    const char* name;
    double elements[9];
  };
  constexpr Direction Directions[] = { { "identity", { 1, 0, 0, 0, 1, 0, 0, 0, 1 } },
    { "mirror", { -1, 0, 0, 0, 1, 0, 0, 0, 1 } }, { "half a turn", { -1, 0, 0, 0, -1, 0, 0, 0, 1 } },
    { "all mirrored", { -1, 0, 0, 0, -1, 0, 0, 0, -1 } },
    { "oblique", { 0, -1, 0, 0.6, 0, -0.8, 0.8, 0, 0.6 } } }; // uses other kernels
  const Direction& direction = state.Random.anyOf(Directions);
  state.someImage()->SetDirectionMatrix(direction.elements);
  modifyComposite(state);
  return direction.name;
}

std::string shiftExtent(State& state)
{
  vtkImageData* image = state.someImage();
  int extent[6];
  image->GetExtent(extent);
  const int axis = state.Random.below(3), steps = state.Random.below(9) - 4;
  extent[2 * axis] += steps;
  extent[2 * axis + 1] += steps;
  image->SetExtent(extent);
  modifyComposite(state);
  return std::to_string(steps) + " along axis " + std::to_string(axis);
}

// The same arrays with other dimensions.
std::string exchangeSides(State& state)
{
  vtkImageData* image = state.someImage();
  int points[3];
  image->GetDimensions(points);
  std::rotate(points, points + 1 + state.Random.below(2), points + 3);
  image->SetDimensions(points);
  modifyComposite(state);
  return SizeOf(image);
}

std::string writeAndCallModified(State& state)
{
  const ArrayInImage place = someArray(state);
  FillArray(state.Random, place.array);
  place.array->Modified();
  modifyComposite(state);
  return place.array->GetName();
}

std::string changeSilently(State& state)
{
  const ArrayInImage place = someArray(state);
  const SilentChange& change = state.Random.anyOf(SilentChanges);
  change.apply(place.array, ArrayLike(state.Random, place.array));
  place.image->Modified();
  modifyComposite(state);
  return std::string(place.array->GetName()) + " by " + change.name;
}

std::string replaceArray(State& state)
{
  const ArrayInImage place = someArray(state);
  const auto values = ArrayLike(state.Random, place.array);
  if (place.array == place.data->GetScalars())
    place.data->SetScalars(values);
  else
    place.data->AddArray(values); // replaces the array of that name
  modifyComposite(state);
  return values->GetName();
}

std::string replaceImage(State& state)
{
  const int number = state.someNumber();
  state.Images[number] = state.newImage();
  if (state.Blocks)
    state.Blocks->SetBlock(number, state.Images[number]);
  else
    state.Filter->SetInputData(state.Images[number]);
  return SizeOf(state.Images[number]);
}

std::string switchToCompositeOrBack(State& state)
{
  if (state.Blocks)
  {
    state.Blocks = nullptr;
    state.Filter->SetInputData(state.Images[0]);
    return "back";
  }
  state.Images[1] = state.Random.oneIn(3) ? state.Images[0] : state.newImage();
  state.Blocks = vtkSmartPointer<vtkMultiBlockDataSet>::New();
  state.Blocks->SetBlock(0, state.Images[0]);
  state.Blocks->SetBlock(1, state.Images[1]);
  state.Filter->SetInputDataObject(state.Blocks);
  return "with " + SizeOf(state.Images[1]);
}

std::string writeIntoOutput(State& state)
{
  vtkPolyData* mesh = outputOf(state.Filter);
  state.Filter->Modified();
  if (!hasPoints(mesh))
    return "is empty";
  const bool cells = state.Random.oneIn(2);
  cells ? ReplaceCells(mesh) : OverwriteArrays(mesh);
  return cells ? "cells" : "arrays";
}

std::string keepOutput(State& state)
{
  vtkPolyData* mesh = outputOf(state.Filter);
  if (!hasPoints(mesh))
    return "is empty";
  state.KeptOutput->ShallowCopy(mesh);
  state.CopyOfKept->DeepCopy(mesh);
  state.Filter->Modified(); // so that the next run makes new arrays
  return std::to_string(mesh->GetNumberOfPoints()) + " points";
}

// With types of 64 bits, some surfaces need nearly 1 MiB. Each session also keeps tables of some 30 KB that nobody
// frees, so with a limit of 1 MiB the number of filters would decide whether these surfaces fit.
std::string setMemoryLimit(State& state)
{
  const int limit = state.Random.below(2) * (state.WithAllTypes ? 2 : 1);
  state.Filter->SetMemoryLimit(limit);
  return std::to_string(limit);
}

std::string abortARun(State& state)
{
  vtkNew<vtkCallbackCommand> abort;
  abort->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void*) { static_cast<vtkAlgorithm*>(caller)->SetAbortExecute(1); });
  const unsigned long tag = state.Filter->AddObserver(vtkCommand::ProgressEvent, abort);
  state.Filter->Modified();
  state.Filter->Update();
  state.Filter->RemoveObserver(tag);
  state.Filter->SetAbortExecute(0);
  state.Filter->Modified();
  return "";
}

std::string runSecond(State& state)
{
  CopySettings(state.Filter, state.Second);
  if (state.Random.oneIn(2))
    state.Second->SetValue(0, state.Random.below(LargestSample));
  state.Second->SetInputDataObject(state.Filter->GetInputDataObject(0, 0));
  state.Second->Update();
  state.Filter->Modified();
  const std::string difference = DifferenceBetween(state.Second->GetOutputDataObject(0), FreshOutput(state.Second));
  state.Fault = difference.empty() ? "" : "The second filter: " + difference;
  return state.Second->GetNumberOfContours() == 0 ? "" : std::to_string(state.Second->GetValue(0));
}

std::string runAgain(State& state)
{
  state.Filter->Modified();
  return "";
}

struct Move
{
  const char* name;
  std::string (*apply)(State& state);
  int weight; // relative frequency
};

constexpr Move Moves[] = {
  { "isovalues", setIsovalues, 8 },
  { "contour", contourByName, 6 },
  { "contour active scalars", contourActiveScalars, 2 },
  { "component", setComponent, 2 },
  { "boundary", choose<&Filter::SetBoundary, 2>, 2 },
  { "join blocks", toggle<&Filter::GetJoinBlocks, &Filter::SetJoinBlocks>, 2 },
  { "normals", toggle<&Filter::GetComputeNormals, &Filter::SetComputeNormals>, 1 },
  { "gradients", toggle<&Filter::GetComputeGradients, &Filter::SetComputeGradients>, 1 },
  { "scalars", toggle<&Filter::GetComputeScalars, &Filter::SetComputeScalars>, 1 },
  { "sample ids", toggle<&Filter::GetComputeSampleIds, &Filter::SetComputeSampleIds>, 1 },
  { "attributes", toggle<&Filter::GetInterpolateAttributes, &Filter::SetInterpolateAttributes>, 2 },
  { "merge points", toggle<&Filter::GetMergePoints, &Filter::SetMergePoints>, 2 },
  { "ids", choose<&Filter::SetOutputIds, 1>, 1 },
  { "precision", choose<&Filter::SetOutputPointsPrecision, 2>, 2 },
  { "memory limit", setMemoryLimit, 2 },
  { "ghosts", changeGhosts, 6 },
  { "origin", setOrigin, 1 },
  { "spacing", setSpacing, 1 },
  { "direction", setDirection, 1 },
  { "extent", shiftExtent, 2 },
  { "sides", exchangeSides, 2 },
  { "write and call Modified", writeAndCallModified, 4 },
  { "change silently", changeSilently, 8 },
  { "replace array", replaceArray, 4 },
  { "replace image", replaceImage, 3 },
  { "composite", switchToCompositeOrBack, 2 },
  { "write into output", writeIntoOutput, 4 },
  { "keep output", keepOutput, 3 },
  { "abort", abortARun, 2 },
  { "second filter", runSecond, 4 },
  { "again", runAgain, 1 },
};

const Move& someMove(State& state)
{
  int sum = 0;
  for (const Move& move : Moves)
    sum += move.weight;
  int number = state.Random.below(sum);
  const Move* move = Moves;
  for (; number >= move->weight; ++move)
    number -= move->weight;
  return *move;
}

// Runs the filter. Returns a fault of its output; empty: there is none.
std::string faultAfterRun(State& state)
{
  state.Filter->Update();
  if (!state.Fault.empty())
    return state.Fault;
  const std::string kept = DifferenceBetween(state.KeptOutput, state.CopyOfKept);
  return kept.empty() ? DifferenceBetween(state.Filter->GetOutputDataObject(0), FreshOutput(state.Filter))
                      : "An earlier output has changed: " + kept;
}

int numberFrom(const char* variable, int otherwise)
{
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

std::string lastOf(const std::vector<std::string>& moves)
{
  std::string text;
  for (std::size_t i = moves.size() > 20 ? moves.size() - 20 : 0; i < moves.size(); ++i)
    text += "\n  " + std::to_string(i) + ": " + moves[i];
  return text;
}

// Errors are expected: then the outputs of both filters are empty and have no arrays.
class FilterStates : public FilterTest
{
protected:
  void SetUp() override
  {
    FilterTest::SetUp();
    vtkObject::GlobalWarningDisplayOff();
  }
  void TearDown() override { vtkObject::GlobalWarningDisplayOn(); }
};

}

TEST_F(FilterStates, EveryMoveGivesTheOutputOfANewFilter)
{
  const int seed = numberFrom("VMC_STATES_SEED", DefaultSeed), steps = numberFrom("VMC_STATES_STEPS", DefaultSteps);
  State state(seed, steps > DefaultSteps);
  std::vector<std::string> moves{ "an image of " + SizeOf(state.Images[0]) };
  int withPoints = 0;
  for (int step = 1; step <= steps; ++step)
  {
    const Move& move = someMove(state);
    moves.push_back(std::string(move.name) + " " + move.apply(state));
    const std::string fault = faultAfterRun(state);
    ASSERT_EQ(fault, "") << "VMC_STATES_SEED=" << seed << " VMC_STATES_STEPS=" << steps << " fails at step " << step
                         << ". The last moves, at most 20:" << lastOf(moves);
    withPoints += hasPoints(outputOf(state.Filter)) ? 1 : 0;
  }
  EXPECT_GE(withPoints, steps / 2); // a run with empty outputs only would test nothing
}
