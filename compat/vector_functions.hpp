/* vector_functions.hpp is vector_functions.h here. */
#include "vector_functions.h"
