// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs a fuzz target with the inputs of a file, without libFuzzer: a line each, in hexadecimal digits; lines that begin
// with # are comments. Prints each line before the target runs with it, as the target ends the process if a property
// fails. With a folder, writes the inputs there instead, a file each, as libFuzzer reads them.
//
// usage: TARGET FILE [FOLDER]
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t count);
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* count, char*** arguments);

namespace
{

// Throws std::invalid_argument if there are other characters than digits.
std::vector<std::uint8_t> bytesOf(const std::string& digits)
{
  std::vector<std::uint8_t> bytes(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
  return bytes;
}

void write(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes)
{
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Returns the number of inputs.
std::size_t replay(const char* path, const std::filesystem::path& folder)
{
  std::ifstream file(path);
  std::size_t done = 0;
  for (std::string line; std::getline(file, line);)
  {
    if (line.empty() || line.front() == '#')
      continue;
    std::cout << line << std::endl;
    const std::vector<std::uint8_t> input = bytesOf(line);
    if (folder.empty())
      LLVMFuzzerTestOneInput(input.data(), input.size());
    else
      write(folder / std::to_string(done), input);
    ++done;
  }
  return done;
}

}

int main(int count, char** arguments)
{
  if (count != 2 && count != 3)
  {
    std::cerr << "usage: " << arguments[0] << " FILE [FOLDER]" << std::endl;
    return 2;
  }
  try
  {
    if (LLVMFuzzerInitialize)
      LLVMFuzzerInitialize(&count, &arguments);
    const std::size_t done = replay(arguments[1], count == 3 ? arguments[2] : "");
    std::cout << done << " inputs" << std::endl;
    return done == 0 ? 1 : 0;
  }
  catch (const std::exception& exception)
  {
    std::cerr << exception.what() << std::endl;
    return 1;
  }
}
