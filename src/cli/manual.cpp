// Manual pages: troff with the man macros (man 7 man).
#include <fmt/format.h>

#include "base/text.h"
#include "cli/command_tree.h"
#include "cli/environment.h"
#include "cli/exit_codes.h"
#include "cli/reference.h"
#include "cli/verb_details.h"
#include "cli/version.h"

namespace pyc::cli {
namespace {

// Text as troff reads it: `code` in bold, no line that begins a request.
std::string troff(std::string_view text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    const bool at_line_start = out.empty() || out.back() == '\n';
    if (c == '`') {
      bold = !bold;
      out += bold ? "\\fB" : "\\fR";
      continue;
    }
    if (at_line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string item(const std::string &term, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff(term), troff(text));
}

std::string section(const char *title, const std::string &body) {
  return body.empty() ? "" : fmt::format(".SH {}\n{}", title, body);
}

std::string flag_items(std::span<const Flag> flags) {
  std::string items;
  for (const Flag &flag : flags) {
    const std::string usage = flag.is_switch() ? std::string(flag.name) : fmt::format("{} {}", flag.name, flag.value);
    items += item(usage, flag.help + std::string(flag.required() ? " (required)" : ""));
  }
  return items;
}

// "| `x` | meaning |" as an item; nothing for the head and the rule under it.
std::string table_item(const std::string &line) {
  const std::vector<std::string> cells = split(line, '|');
  if (cells.size() < 4 || !trim(cells[1]).starts_with('`')) return {};
  const std::string term(trim(cells[1]));
  return item(term.substr(1, term.size() - 2), trim(cells[2]));
}

// Paragraphs and tables of the details.
std::string prose(const std::string &details) {
  std::string out, paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) out += ".PP\n" + troff(paragraph) + "\n";
    paragraph.clear();
  };
  for (const std::string &line : split(details, '\n')) {
    if (line.empty()) {
      flush();
    } else if (line.starts_with('|')) {
      flush();
      out += table_item(line);
    } else {
      paragraph += (paragraph.empty() ? "" : "\n") + line;
    }
  }
  flush();
  return out;
}

std::string title(const std::string &name) {
  return fmt::format(
      ".\\\" Made by `pyc reference man` from the tables in src/cli.\n.TH {} 1 \"\" \"pyc {}\" \"PyC\"\n", name,
      tool_version().version);
}

std::string example(const char *command) { return section("EXAMPLE", fmt::format(".nf\n{}\n.fi\n", troff(command))); }

std::string exit_codes(std::string_view group) {
  std::string items;
  for (const ExitCodeRow &row : group == "lab" ? lab_exit_code_rows() : exit_code_rows())
    items += item(std::to_string(row.code), row.meaning);
  return items;
}

std::string page_name(const Verb &verb) { return "pyc-" + join(words_of(verb), "-"); }

ManualPage verb_page(const Verb &verb) {
  const std::string name = page_name(verb), command = "pyc " + join(words_of(verb), " ");
  std::string text = title(name);
  text += section("NAME", fmt::format("{} \\- {}\n", troff(name), troff(verb.summary)));
  text += section("SYNOPSIS", fmt::format("\\fB{}\\fR [\\fIflags\\fR]\n", troff(command)));
  text += example(verb.example);
  text += section("DESCRIPTION", prose(details_of(verb) + "\n\n" + word_table(verb)));
  text += section("FLAGS", flag_items(flags_of(verb)));
  text += section("EXIT STATUS", exit_codes(verb.group));
  text += section("SEE ALSO", "\\fBpyc\\fR(1)\n");
  return {name + ".1", text};
}

ManualPage main_page() {
  std::string verb_items, variables;
  for (const Verb &verb : verbs()) verb_items += item("pyc " + join(words_of(verb), " "), verb.summary);
  for (const EnvironmentVariable &variable : environment_variables())
    variables += item(variable.name, variable.meaning);
  std::string text = title("pyc");
  text += section("NAME", "pyc \\- CUDA GEMM kernel workbench\n");
  text += section("SYNOPSIS", "\\fBpyc\\fR \\fIgroup\\fR \\fIverb\\fR [\\fIflags\\fR]\n");
  text += example("pyc hpc doctor");
  text += section("DESCRIPTION", prose(general_details()));
  text += section("VERBS", verb_items);
  text += section("FLAGS OF EVERY VERB", flag_items(common_flags()));
  text += section("EXIT STATUS", exit_codes(""));
  text += section("ENVIRONMENT", variables);
  return {"pyc.1", text};
}

}  // namespace

std::vector<ManualPage> manual_pages() {
  std::vector<ManualPage> pages = {main_page()};
  for (const Verb &verb : verbs()) pages.push_back(verb_page(verb));
  return pages;
}

}  // namespace pyc::cli
