#include "request.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "json_reader.h"

namespace pyc::harness {
namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 31;
constexpr int64_t kMaxOperand = int64_t{1} << 40;  // elements; far beyond any device, and its bytes fit 64 bits

bool too_large(const Shape &shape) {
  return shape.m * shape.k > kMaxOperand || shape.k * shape.n > kMaxOperand || shape.m * shape.n > kMaxOperand;
}

// Reads the members of one object and refuses, at the end, those that nobody asked for.
class Fields {
 public:
  Fields(const Json &object, std::string where) : object_(object), where_(std::move(where)) {
    if (object.kind != Json::Kind::object) {
      throw BadRequest("\"" + where_ + "\" must be an object, not " + kind_name(object.kind));
    }
  }

  const Json *take(const char *key, Json::Kind kind, bool required) {
    seen_.push_back(key);
    const Json *value = object_.find(key);
    if (!value && required) throw BadRequest("the key \"" + path(key) + "\" is missing");
    if (value && value->kind != kind) {
      throw BadRequest("\"" + path(key) + "\" must be " + kind_name(kind) + ", not " + kind_name(value->kind));
    }
    return value;
  }

  std::string string(const char *key, bool required = true) {
    const Json *value = take(key, Json::Kind::string, required);
    return value ? value->text : "";
  }

  bool boolean(const char *key, bool otherwise) {
    const Json *value = take(key, Json::Kind::boolean, false);
    return value ? value->boolean : otherwise;
  }

  int64_t integer(const char *key, int64_t least, int64_t most, bool required = true, int64_t otherwise = 0) {
    const Json *value = take(key, Json::Kind::number, required);
    if (!value) return otherwise;
    char *end = nullptr;
    errno = 0;
    const long long number = std::strtoll(value->text.c_str(), &end, 10);
    if (*end || errno || number < least || number > most) {
      throw BadRequest("\"" + path(key) + "\" must be a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most) + ", not " + value->text);
    }
    return number;
  }

  uint64_t seed(const char *key) {
    const Json *value = take(key, Json::Kind::number, true);
    char *end = nullptr;
    errno = 0;
    const uint64_t number = std::strtoull(value->text.c_str(), &end, 10);
    if (*end || errno || value->text[0] == '-') {
      throw BadRequest("\"" + path(key) + "\" must be a whole number of at most 64 bits, not " + value->text);
    }
    return number;
  }

  double tolerance(const char *key) {
    const double number = std::strtod(take(key, Json::Kind::number, true)->text.c_str(), nullptr);
    if (!(number >= 0 && std::isfinite(number))) throw BadRequest("\"" + path(key) + "\" must be finite and >= 0");
    return number;
  }

  void done() const {
    for (const auto &member : object_.members) {
      bool known = false;
      for (const char *key : seen_) known = known || member.first == key;
      if (!known) throw BadRequest("unknown key \"" + path(member.first.c_str()) + "\"");
    }
  }

  std::string path(const char *key) const { return where_.empty() ? key : where_ + "." + key; }

 private:
  const Json &object_;
  std::string where_;
  std::vector<const char *> seen_;
};

Requires read_requires(const Json *object, const std::string &where) {
  Requires out;
  if (!object) return out;
  Fields fields(*object, where);
  const auto at_least_one = [&](const char *key) { return fields.integer(key, 1, 1 << 20, false, 1); };
  out.m_multiple = at_least_one("m_multiple");
  out.n_multiple = at_least_one("n_multiple");
  out.k_multiple = at_least_one("k_multiple");
  out.pointer_alignment = at_least_one("pointer_alignment");
  out.ld_multiple = at_least_one("ld_multiple");
  fields.done();
  return out;
}

Shape read_shape(const Json &object, const std::string &where) {
  Fields fields(object, where);
  Shape shape;
  shape.m = fields.integer("m", 1, kMaxExtent);
  shape.n = fields.integer("n", 1, kMaxExtent);
  shape.k = fields.integer("k", 1, kMaxExtent);
  shape.timed = fields.boolean("timed", true);
  shape.large = fields.boolean("large", false);
  fields.done();
  if (too_large(shape)) throw BadRequest("\"" + where + "\" has an operand of more than 2^40 elements");
  return shape;
}

ContenderRequest read_contender(const Json &object, const std::string &where) {
  Fields fields(object, where);
  ContenderRequest out;
  out.role = fields.string("role");
  if (out.role != "incumbent" && out.role != "against") {
    throw BadRequest("\"" + fields.path("role") + "\" must be incumbent or against, not \"" + out.role + "\"");
  }
  out.name = fields.string("name");
  out.digest = fields.string("digest", false);
  out.library = fields.string("library");
  if (out.library.empty() || out.library[0] != '/') {
    throw BadRequest("\"" + fields.path("library") + "\" must be an absolute path, not \"" + out.library + "\"");
  }
  out.symbol = fields.string("symbol");
  out.workspace = fields.boolean("workspace", false);
  out.requires_ = read_requires(fields.take("requires", Json::Kind::object, false), fields.path("requires"));
  fields.done();
  return out;
}

Mode read_mode(const std::string &text) {
  if (text == "validate") return Mode::validate;
  if (text == "bench") return Mode::bench;
  throw BadRequest("\"mode\" must be validate or bench, not \"" + text + "\"");
}

Depth read_depth(const std::string &text) {
  if (text.empty() || text == "default") return Depth::thorough;
  if (text == "quick") return Depth::quick;
  throw BadRequest("\"depth\" must be default or quick, not \"" + text + "\"");
}

Rule read_tolerance(const Json &object) {
  Fields fields(object, "tolerance");
  Rule rule{fields.tolerance("absolute"), fields.tolerance("relative")};
  fields.done();
  return rule;
}

template <class Item, class Read>
std::vector<Item> read_list(const Json *list, const std::string &name, Read read) {
  std::vector<Item> out;
  if (!list) return out;
  for (const Json &item : list->items) out.push_back(read(item, name + "[" + std::to_string(out.size()) + "]"));
  return out;
}

std::string read_folder(const Json &item, const std::string &where) {
  if (item.kind != Json::Kind::string) throw BadRequest("\"" + where + "\" must be a string");
  return item.text;
}

void read_measuring(Fields &fields, Request &request) {
  request.warmup = fields.integer("warmup", 0, 1000000, false, request.warmup);
  request.repeats = fields.integer("repeats", 1, 1000000, false, request.repeats);
  request.vendor_algorithms = fields.integer("vendor_algorithms", 1, 1000, false, request.vendor_algorithms);
  request.contenders =
      read_list<ContenderRequest>(fields.take("contenders", Json::Kind::list, false), "contenders", read_contender);
  request.vendor_library_dirs = read_list<std::string>(fields.take("vendor_library_dirs", Json::Kind::list, false),
                                                       "vendor_library_dirs", read_folder);
}

}  // namespace

Request parse_request(std::string_view text) {
  const Json document = read_json(text);
  Fields fields(document, "");
  Request request;
  if (const std::string schema = fields.string("schema"); schema != "pyc.harness-request/1") {
    throw BadRequest("\"schema\" must be pyc.harness-request/1, not \"" + schema + "\"");
  }
  request.mode = read_mode(fields.string("mode"));
  request.nonce = fields.string("nonce");
  request.dtype = parse_dtype(fields.string("dtype"));
  request.layout = parse_layout(fields.string("layout"));
  request.compute_capability = fields.string("compute_capability");
  request.seed = fields.seed("seed");
  request.shapes = read_list<Shape>(fields.take("shapes", Json::Kind::list, true), "shapes", read_shape);
  request.tolerance = read_tolerance(*fields.take("tolerance", Json::Kind::object, true));
  request.requires_ = read_requires(fields.take("requires", Json::Kind::object, true), "requires");
  request.workspace = fields.boolean("workspace", false);
  request.depth = read_depth(fields.string("depth", false));
  request.deterministic = fields.boolean("deterministic", false);
  read_measuring(fields, request);
  fields.done();
  if (request.shapes.empty()) throw BadRequest("\"shapes\" must name at least one shape");
  return request;
}

DType parse_dtype(const std::string &name) {
  if (name == "fp32") return DType::fp32;
  if (name == "fp16") return DType::fp16;
  if (name == "bf16") return DType::bf16;
  throw BadRequest("the dtype must be fp32, fp16 or bf16, not \"" + name + "\"");
}

Layout parse_layout(const std::string &letters) {
  const auto valid = [](char c) { return c == 'n' || c == 't'; };
  if (letters.size() != 2 || !valid(letters[0]) || !valid(letters[1])) {
    throw BadRequest("the layout must be nn, nt, tn or tt, not \"" + letters + "\"");
  }
  return Layout{letters[0] == 't', letters[1] == 't'};
}

Shape parse_shape(const std::string &text) {
  Shape shape;
  int64_t *const extents[] = {&shape.m, &shape.n, &shape.k};
  const char *at = text.c_str();
  for (int i = 0; i < 3; ++i) {
    char *end = nullptr;
    errno = 0;
    *extents[i] = std::strtoll(at, &end, 10);
    const bool delimited = *end == (i < 2 ? 'x' : '\0');
    if (*at < '0' || *at > '9' || !delimited || errno || *extents[i] < 1 || *extents[i] > kMaxExtent) {
      throw BadRequest("a shape is MxNxK with whole numbers >= 1, not \"" + text + "\"");
    }
    at = end + 1;
  }
  if (too_large(shape)) throw BadRequest("the shape \"" + text + "\" has an operand of more than 2^40 elements");
  return shape;
}

std::string unmet(const Requires &requires_, const Shape &shape) {
  const auto broken = [](const char *name, int64_t extent, int64_t multiple) -> std::string {
    if (extent % multiple == 0) return "";
    return std::string(name) + " = " + std::to_string(extent) + " is not a multiple of " + std::to_string(multiple);
  };
  if (std::string why = broken("m", shape.m, requires_.m_multiple); !why.empty()) return why;
  if (std::string why = broken("n", shape.n, requires_.n_multiple); !why.empty()) return why;
  return broken("k", shape.k, requires_.k_multiple);
}

}  // namespace pyc::harness
