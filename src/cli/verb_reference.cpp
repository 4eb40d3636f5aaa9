#include <filesystem>

#include "base/files.h"
#include "cli/json_output.h"
#include "cli/reference.h"
#include "cli/verb.h"

namespace pyc::cli {

Result<Answer> run_reference_markdown(const Invocation &) {
  Answer answer;
  answer.text = markdown_reference();
  answer.json = [text = answer.text] { return text_document(text); };
  return answer;
}

Result<Answer> run_reference_man(const Invocation &invocation) {
  const std::filesystem::path folder = invocation.values.text("--folder");
  PYC_CHECK(make_folder(folder));
  Answer answer;
  for (const ManualPage &page : manual_pages()) {
    PYC_CHECK(write_file_atomic(folder / page.file_name, page.text));
    answer.text += (folder / page.file_name).string() + "\n";
  }
  answer.json = [text = answer.text] { return text_document(text); };
  return answer;
}

}  // namespace pyc::cli
