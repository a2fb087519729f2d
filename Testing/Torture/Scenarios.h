// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The scenarios that run while calls fail.
#ifndef vmcScenarios_h
#define vmcScenarios_h

#include "Compute/Engine.h"
#include "Compute/Session.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vmc::torture
{

// The results of a scenario.
struct Results
{
  std::string bytes;           // the same in every run
  std::vector<double> numbers; // sums, whose order and thus last bits depend on where they are computed

  void add(const HostBlock& block);
  void add(const Mesh& mesh);
  void add(double number) { this->numbers.push_back(number); }
  void add(const SurfaceMeasures& measures);
  template <class Value>
  void add(const std::vector<Value>& values)
  {
    this->bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
  }

  bool isEmpty() const { return this->bytes.empty() && this->numbers.empty(); }
  bool equals(const Results& other) const;
};

struct Scenario
{
  std::string name;
  // Calls the functions of a session. Only they may meet failures (see HostFaults::Pause).
  std::function<Results(Session&)> run;
  bool isShared = false; // by several devices
};

// Their inputs are never destroyed.
const std::vector<Scenario>& scenarios();

// How a device is used.
enum class Setup
{
  Unified,    // host and device share one memory
  Copied,     // the same, but the device does not write into memory of the host
  Discrete,   // they do not, but the device writes into memory of the host
  Staged,     // neither
  TwoDevices, // the same device twice, each as Staged, as the engine of several devices
  Cpu
};
constexpr std::array<Setup, 6> AllSetups = { Setup::Unified, Setup::Copied, Setup::Discrete, Setup::Staged,
  Setup::TwoDevices, Setup::Cpu };
const char* nameOf(Setup setup);

// Opens an engine that nobody shares, but for the CPU's. Throws Error.
std::shared_ptr<Engine> open(Setup setup);

}

#endif
