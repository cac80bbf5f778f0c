# What is needed of Debian to build and to test.
PACKAGES := clang-$(LLVM_VERSION) llvm-$(LLVM_VERSION)-dev libclang-rt-$(LLVM_VERSION)-dev \
            llvm-$(LLVM_VERSION)-tools lld-$(LLVM_VERSION) check libffi-dev pkg-config make gcc g++ gdb valgrind \
            libomp-$(LLVM_VERSION)-dev clang-format-$(LLVM_VERSION) clang-tidy-$(LLVM_VERSION) \
            cmake libthrust-dev libcub-dev spin python3
# To make programs for the other machine, and to run them.
ifeq ($(ARCH),x86_64)
PACKAGES += g++-aarch64-linux-gnu qemu-user
endif
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

## setup: install what is missing of Debian's packages (calls sudo only if not root)
setup:
	@missing=$$(for p in $(PACKAGES); do dpkg-query -W -f='$${Status}' $$p 2>/dev/null \
	    | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	    echo "installing:" $$missing; \
	    $(SUDO) apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq $$missing; \
	fi
