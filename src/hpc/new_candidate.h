// How a template becomes a candidate that is not written yet: what `create` writes and `tune` tries.
#pragma once

#include <string>

#include "base/result.h"
#include "hpc/verbs.h"
#include "workspace/candidate.h"
#include "workspace/template.h"

namespace pyc::hpc {

std::string or_default(const std::string &given, const std::string &fallback);

// kInvalid if a word that was given is not a known one; empty words were not given.
Status check_words(const CreateOptions &options);
// kInvalid if there is a candidate of that name.
Status require_absent(const workspace::Workspace &workspace, const std::string &name);

// The template that was named. Else of those that offer what the contract asks for one that has the parameters that
// were given, kDefaultTemplate before all others.
Result<workspace::Template> choose_template(const Context &context, const std::string &named,
                                            const workspace::Contract &wanted, const workspace::Parameters &given = {});

// Contract and sources of the template's instance; `options.from` is not looked at.
Result<workspace::NewCandidate> from_template(const Context &context, const CreateOptions &options);

}  // namespace pyc::hpc
