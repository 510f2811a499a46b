// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile: the command line. Reads the arguments, runs one command, and turns every way to fail into
// one line on stderr and an exit code (failure.hpp).

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "octile/octile.hpp"

namespace octile::cli {
namespace {

std::string version() {
  return fmt::format("octile {}.{}.{}", OCTILE_VERSION_MAJOR, OCTILE_VERSION_MINOR,
                     OCTILE_VERSION_PATCH);
}

// Line breaks inside a message would make several lines of it.
std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  }
  return text;
}

int complain(int exit_code, const std::string& message) {
  std::fputs(("octile: " + one_line(message) + "\n").c_str(), stderr);
  return exit_code;
}

// What no command has asked for, "" for nothing; an option before the value that it would have had.
std::string unexpected(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  for (const std::string& word : words) {
    if (word.size() > 1 && word[0] == '-' && word != "--") return word;
  }
  return words.empty() ? "" : words.front();
}

// The parser's own words name counts and types; these name what to do.
std::string usage_fault(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  const size_t colon = text.find(": ");
  const std::string word = unexpected(app);
  if (text == "A subcommand is required") {
    if (!word.empty() && word[0] == '-') return "unexpected argument: " + word;
    // Of the program itself run() has told.
    const CLI::App& command = *app.get_subcommands().front();
    std::string names;
    for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
      names += fmt::format("{}{}", names.empty() ? "" : ", ", below->get_name());
    const std::string name = command.get_name();
    if (word.empty()) return fmt::format("{} needs a command: {}", name, names);
    return fmt::format("{} has no command '{}'; it has {}", name, word, names);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !word.empty())
    return "unexpected argument: " + word;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && colon != std::string::npos) {
    const bool missing = text.find("missing") != std::string::npos;
    return text.substr(0, colon) + (missing ? " needs a value" : " is given more than once");
  }
  return text;
}

// The option that is given an empty value, "" for none: the parser loses such a value.
std::string_view without_value(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view text = argv[i];
    if (text.size() < 2 || text[0] != '-') continue;
    if (text.find('=') == text.size() - 1) return text.substr(0, text.size() - 1);
    if (i + 1 < argc && *argv[i + 1] == '\0') return text;
  }
  return {};
}

int run(int argc, char** argv) {
  CLI::App app{"Exact path finding on grids.", "octile"};
  app.set_version_flag("--version", version(), "print the version");
  app.require_subcommand(1);
  Action action;
  add_demo(app, action);
  add_field(app, action);
  add_find(app, action);
  add_batch(app, action);
  add_bench(app, action);
  add_check(app, action);
  add_edit_bench(app, action);
  add_cases(app, action);
  add_generate(app, action);
  add_convert(app, action);
  add_group(app, action);
  add_index(app, action);
  add_info(app, action);
  add_mapf(app, action);
  add_mapf_check(app, action);
  add_render(app, action);
  add_solvers(app, action);
  add_steps(app, action);
  add_stream(app, action);
  add_would_block(app, action);
  // Last: commands would inherit it.
  app.footer(
      "Exit codes: 0 done; 1 a check failed or there is no path; 2 bad usage or input.\n"
      "octile COMMAND --help explains a command.");

  if (argc < 2) return complain(kBadInput, "a command is missing; octile --help lists them");
  const auto named = [argv](CLI::App* command) { return command->get_name() == argv[1]; };
  if (argv[1][0] != '-' && app.get_subcommands(named).empty()) {
    return complain(kBadInput,
                    fmt::format("there is no command '{}'; octile --help lists them", argv[1]));
  }
  if (const std::string_view option = without_value(argc, argv); !option.empty())
    return complain(kBadInput, fmt::format("{} needs a value, which is not empty", option));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return complain(kBadInput, usage_fault(app, error));
    app.exit(error);  // --help and --version
    action = [] { return int{kDone}; };
  }
  const int exit_code = action();
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout)) {
    return complain(kBadInput, "cannot write the output");
  }
  return exit_code;
}

}  // namespace
}  // namespace octile::cli

int main(int argc, char** argv) {
  using namespace octile::cli;
#if defined(SIGXFSZ)
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like any other
#endif
  try {
    return run(argc, argv);
  } catch (const Failure& failure) {
    return complain(failure.exit_code, failure.message);
  } catch (const std::bad_alloc&) {
    return complain(kFailed, "out of memory");
  } catch (const std::exception& error) {
    return complain(kBadInput, error.what());
  }
}
