// cdpcc: -G
// stderr: parameter 1 \('p'\) of kernel child points to local variable 'plain' of thread \(1,0,0\)
// stderr: local variable 'row' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which it
// stderr: parameter 1 \('l.next'\), 8 bytes into it, of kernel chain points to .* variable 'link'
// stderr: local variable 'inner' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'own' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'wide' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'given' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'deep' of thread \(1,0,0\) of block \(0,0,0\) of kernel parent, which
// stderr: local variable 'lost' of thread \(0,0,0\) of block \(0,0,0\) of kernel parent, which
#include "s33_reports_name_local_variables.cu"
