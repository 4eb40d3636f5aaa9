// The documents of --json of `pyc lab`. An "error" is null where the answer is yes.
#pragma once

#include <string>
#include <vector>

#include "cli/json_output.h"
#include "lab/verbs.h"

namespace pyc::cli {

std::string lab_doctor_document(const lab::DoctorResult &result);
std::string lab_list_document(const workspace::LabManifest &manifest);
std::string lab_show_document(const workspace::LabKernel &kernel);
std::string lab_command_document(const lab::CommandResult &result);
std::string lab_compare_document(const lab::CompareResult &result);
std::string lab_task_list_document(const std::vector<lab::TaskRow> &rows, const Failure &failure);
std::string lab_task_hardware_document(const workspace::LabHardware &machine);
std::string lab_task_show_document(const workspace::LabTask &task);
std::string lab_task_complete_document(const lab::TaskCompleteResult &result);
// `document` is the text of the file at `path`.
std::string lab_file_document(const std::string &path, const std::string &document, const Failure &failure);

}  // namespace pyc::cli
