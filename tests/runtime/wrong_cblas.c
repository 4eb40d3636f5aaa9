/* A library that has the function of a CBLAS, and does not multiply. */
void cblas_sgemm(void);
void cblas_sgemm(void) {}
