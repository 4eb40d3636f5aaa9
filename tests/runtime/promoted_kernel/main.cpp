// Each kernel must run its own code, though both define a template of the same name.
extern "C" int pyc_gemm_one();
extern "C" int pyc_gemm_two();

int main() { return pyc_gemm_one() == 1 && pyc_gemm_two() == 2 ? 0 : 1; }
