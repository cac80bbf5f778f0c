// A .cu without any device code is a C++ program.
#include <cstdio>
#include <map>
#include <string>
int main() {
    std::map<std::string, int> map = {{"a", 1}, {"b", 2}};
    try {
        map.at("c");
    } catch (const std::exception &) {
        printf("%d\n", map["a"] + map["b"]);
    }
}
