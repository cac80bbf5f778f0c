// cdpcc: --entry=block -O2 -lineinfo -march=x86-64
// env: CDP_ENTRY=thread
// stderr: in kernel line, block \(3,0,0\), thread \(70,0,0\), at line
// stderr: in kernel line, block \(0,0,0\), thread \(99,0,0\), at line
// stderr: in kernel rows, block \(0,0,0\), thread \(6,2,0\), at rows
// stderr: in kernel behind, block \(0,0,0\), thread \(21,0,0\), at behind
// entries: it tests their code
// The command that the report of a block entry recommends names the thread.
#include "block_entries_report_faulting_threads.cu"
