#error "mma.h: cdpcc has no tensor cores; multiply the tiles by loops over half or float values"
