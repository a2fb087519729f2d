// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The failure of an oracle.
#ifndef vmcTortureMismatch_h
#define vmcTortureMismatch_h

#include <cmath>
#include <map>
#include <sstream>
#include <string>

namespace vmc::torture
{

// An oracle throws it: the output differs from what it must be.
struct Mismatch
{
  std::string oracle;
  std::string text; // what differs
};

// The checks of one oracle. Counts them in the process.
class Oracle
{
public:
  explicit Oracle(const std::string& name)
    : Name(name)
  {
    ++counts()[name];
  }

  // [oracle]: how often it was used.
  static std::map<std::string, std::size_t>& counts()
  {
    static std::map<std::string, std::size_t> all;
    return all;
  }

  void require(bool isRight, const std::string& text) const
  {
    if (!isRight)
      throw Mismatch{ this->Name, text };
  }

  template <class Value>
  void requireEqual(const Value& found, const Value& expected, const char* name) const
  {
    if (!(found == expected))
      this->fail(found, expected, 0, name, 0);
  }

  void requireNear(
    long double found, long double expected, long double tolerance, const char* name, std::size_t at) const
  {
    if (!(std::fabs(found - expected) <= tolerance) && found != expected)
      this->fail(found, expected, tolerance, name, at);
  }

private:
  template <class Value>
  void fail(const Value& found, const Value& expected, long double tolerance, const char* name, std::size_t at) const
  {
    std::ostringstream text;
    text.precision(17);
    text << name << " " << at << " is " << found << ", not " << expected;
    if (tolerance > 0)
      text << " within " << tolerance;
    throw Mismatch{ this->Name, text.str() };
  }

  const std::string Name;
};

}

#endif
