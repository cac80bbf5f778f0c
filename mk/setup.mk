# What is needed of Debian to build and to test.
PACKAGES := clang-$(LLVM_VERSION) llvm-$(LLVM_VERSION)-dev libclang-rt-$(LLVM_VERSION)-dev \
            llvm-$(LLVM_VERSION)-tools lld-$(LLVM_VERSION) check libffi-dev pkg-config make gcc g++ gdb gdbserver valgrind \
            libomp-$(LLVM_VERSION)-dev clang-format-$(LLVM_VERSION) clang-tidy-$(LLVM_VERSION) \
            clangd-$(LLVM_VERSION) lldb-$(LLVM_VERSION) ccache \
            cmake libthrust-dev libcub-dev libcu++-dev spin python3
# To make programs for the other machine, and to run them.
ifeq ($(ARCH),x86_64)
PACKAGES += g++-aarch64-linux-gnu qemu-user
endif
# Installed without what they recommend, here a Fortran compiler and a web server for notebooks.
BARE_PACKAGES := openmpi-bin libopenmpi-dev python3-ipykernel python3-nbclient python3-venv python3-wheel
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

## setup: install what is missing of Debian's packages (calls sudo only if not root)
setup:
	@missing() { \
	    for p in "$$@"; do dpkg-query -W -f='$${Status}' $$p 2>/dev/null \
	        | grep -q 'ok installed' || echo $$p; done; \
	}; \
	all=$$(missing $(PACKAGES)); bare=$$(missing $(BARE_PACKAGES)); \
	if [ -n "$$all$$bare" ]; then \
	    echo "installing:" $$all $$bare; \
	    $(SUDO) apt-get update -qq && \
	    if [ -n "$$all" ]; then DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq $$all; fi && \
	    if [ -n "$$bare" ]; then DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq \
	        --no-install-recommends $$bare; fi; \
	fi
