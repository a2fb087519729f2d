// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Functions of the fuzz targets: they read values from the bytes of an input, and end the process if a property fails.
#ifndef vmcTortureFuzzedBytes_h
#define vmcTortureFuzzedBytes_h

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace vmc::torture
{

// The bytes of an input, in order. All are 0 after the last one.
class FuzzedBytes
{
public:
  FuzzedBytes(const std::uint8_t* bytes, std::size_t count)
    : Next(bytes)
    , Left(count)
  {
  }

  std::size_t left() const { return this->Left; }

  template <class Number>
  Number number()
  {
    Number value = 0;
    const std::size_t count = std::min(this->Left, sizeof(value));
    if (count != 0)
      std::memcpy(&value, this->Next, count);
    this->skip(count);
    return value;
  }

  // A number from 0 to most, of one byte.
  std::uint32_t upTo(std::uint32_t most) { return this->number<std::uint8_t>() % (most + 1); }

  // The bytes before the next 0, without 0.
  std::string text()
  {
    const auto* const begin = reinterpret_cast<const char*>(this->Next);
    const std::size_t count = std::find(begin, begin + this->Left, '\0') - begin;
    const std::string text(begin, count);
    this->skip(std::min(this->Left, count + 1));
    return text;
  }

  std::vector<std::uint8_t> rest() const { return { this->Next, this->Next + this->Left }; }

private:
  void skip(std::size_t count)
  {
    this->Next += count;
    this->Left -= count;
  }

  const std::uint8_t* Next;
  std::size_t Left;
};

// Ends the process with this sentence, which says what is wrong, if it is not empty.
inline void requireNothingWrong(const std::string& sentence)
{
  if (sentence.empty())
    return;
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::abort();
}

inline void require(bool holds, const char* sentence)
{
  requireNothingWrong(holds ? "" : sentence);
}

}

#endif
