# What is needed of Debian to build and to run cdpcc. Nothing here is only for tests: users install it.
BUILD_PACKAGES := clang-$(LLVM_VERSION) llvm-$(LLVM_VERSION)-dev lld-$(LLVM_VERSION) \
                  libclang-rt-$(LLVM_VERSION)-dev libffi-dev make
# What only tests need, and cdpcc's tools for debuggers, sanitizers and libraries that tests try.
TEST_PACKAGES := llvm-$(LLVM_VERSION)-tools check pkg-config gcc g++ \
                 gdb gdbserver valgrind libomp-$(LLVM_VERSION)-dev clang-format-$(LLVM_VERSION) \
                 clang-tidy-$(LLVM_VERSION) clangd-$(LLVM_VERSION) \
                 lldb-$(LLVM_VERSION) ccache cmake libthrust-dev libcub-dev libcu++-dev spin python3
# To make programs for the other machine, and to run them.
ifeq ($(ARCH),x86_64)
TEST_PACKAGES += g++-aarch64-linux-gnu qemu-user
endif
# For tests too, but without what they recommend: a Fortran compiler, and a web server for notebooks.
BARE_TEST_PACKAGES := openmpi-bin libopenmpi-dev python3-ipykernel python3-nbclient python3-venv \
                      python3-wheel
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
INSTALL := LLVM_VERSION=$(LLVM_VERSION) SUDO="$(SUDO)" packaging/install_missing.sh

## setup: install what is missing of Debian's packages to build and run (calls sudo only if not root)
setup:
	@$(INSTALL) --no-install-recommends $(BUILD_PACKAGES)

## setup-tests: install what is missing of Debian's packages for tests
setup-tests: setup
	@$(INSTALL) $(TEST_PACKAGES)
	@$(INSTALL) --no-install-recommends $(BARE_TEST_PACKAGES)
