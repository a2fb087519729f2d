// Leaks that LeakSanitizer finds in drivers and layers when the process ends are not this project's.
extern "C" const char* __lsan_default_suppressions()
{
  return "leak:libVkLayer\nleak:libvulkan\nleak:libLLVM\n";
}
