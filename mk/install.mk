# The scripts beside cdpcc, the headers, and what goes where under PREFIX.
$(B)/bin/cdp-fuzz: tools/fuzz/cdp-fuzz
	@mkdir -p $(@D)
	install -m 755 $< $@
$(B)/bin/cdp-sanitizer: tools/sanitizer/cdp-sanitizer
	@mkdir -p $(@D)
	install -m 755 $< $@
# Exercises, and the tool that checks them. It reads its parts from share/cdpcc/lab.
LAB_PARTS := $(wildcard tools/lab/*.bash tools/lab/*.awk)
$(B)/bin/cdp-lab: tools/lab/cdp-lab $(LAB_PARTS)
	@mkdir -p $(@D) $(B)/share/cdpcc/lab
	install -m 644 $(LAB_PARTS) $(B)/share/cdpcc/lab
	install -m 755 $< $@
$(B)/share/cdpcc/labs:
	@mkdir -p $(@D)
	ln -sfn "$(CURDIR)/labs" $@
$(B)/bin/cdp-prof: tools/profile/cdp-prof
	@mkdir -p $(@D)
	install -m 755 $< $@
# cdp_gdb.py and cdp_lldb.py, and the packages that they import.
DEBUGGERS := cdpdebug cdpgdb cdplldb
$(B)/bin/cdp-%: tools/debug/cdp-%
	@mkdir -p $(@D)
	install -m 755 $< $@
$(B)/share/cdpcc/cdp_gdb.py: $(wildcard tools/debug/*.py tools/debug/*/*.py)
	@mkdir -p $(DEBUGGERS:%=$(@D)/%)
	for package in $(DEBUGGERS); do install -m 644 tools/debug/$$package/*.py $(@D)/$$package; done
	install -m 644 tools/debug/cdp_lldb.py tools/debug/cdp_gdb.py $(@D)

$(B)/share/cdpcc/cmake/cdpcc.cmake: tools/cmake/cdpcc.cmake
	@mkdir -p $(@D)
	install -m 644 $< $@

$(B)/include/cdpcc:
	@mkdir -p $(@D)
	ln -sfn "$(CURDIR)/compat" $@

# The directory that is laid out as NVIDIA's toolkit. Where others have files, too, such as
# /usr/local, it is one of its own: no file there gets a name of NVIDIA's. cdpcc finds it there.
# Names are quoted: PREFIX may contain spaces.
TO := $(DESTDIR)$(PREFIX)
SHARED_PREFIXES := /usr|/usr/local|$(HOME)/.local
TOOLKIT := $(TO)$(if $(findstring |$(PREFIX)|,|$(SHARED_PREFIXES)|),/lib/cdpcc)
$(B)/version.json: $(wildcard tools/toolkit/* compat/*) $(B)/bin/cdpcc $(B)/include/cdpcc \
    $(B)/lib/libcdprt.a $(B)/lib/libcdprt.so $(LIBRARIES)
	tools/toolkit/layout.sh $(B) $(B)
	@touch $@

## install: headers, libraries, cdpcc and a pkg-config file under PREFIX
install: all
	install -d "$(TO)/bin" "$(TO)/lib/pkgconfig" \
	    "$(TO)/include/cdpcc" "$(TO)/share/cdpcc/cmake"
	install -m 755 $(B)/bin/cdpcc "$(TO)/bin/cdpcc"
	install -m 644 $(B)/lib/libcdprt*.a $(B)/lib/*.o $(B)/lib/cdp_object.S "$(TO)/lib"
	install -m 755 $(B)/lib/libcdprt.so "$(TO)/lib"
	for target in $(notdir $(wildcard $(B)/lib/*-linux-gnu)); do \
	    install -d "$(TO)/lib/$$target" && \
	    install -m 644 $(B)/lib/$$target/* "$(TO)/lib/$$target"; done
	for name in $(LIBRARY_NAMES); do \
	    install -m 644 $(B)/lib/lib$${name}_static.a "$(TO)/lib" && \
	    install -m 755 $(B)/lib/lib$$name.so.12 "$(TO)/lib" && \
	    ln -sf lib$$name.so.12 "$(TO)/lib/lib$$name.so"; done
	install -d "$(TO)/lib/cdpcc-nvml"
	install -m 755 $(NVML)/libnvidia-ml.so.1 $(NVML)/nvidia-smi "$(TO)/lib/cdpcc-nvml"
	ln -sf libnvidia-ml.so.1 "$(TO)/lib/cdpcc-nvml/libnvidia-ml.so"
	cp -r compat/. "$(TO)/include/cdpcc"
	install -m 755 tools/debug/cdp-gdb tools/debug/cdp-lldb tools/fuzz/cdp-fuzz tools/sanitizer/cdp-sanitizer \
	    tools/lab/cdp-lab tools/profile/cdp-prof $(B)/bin/cdp-report "$(TO)/bin"
	install -m 644 tools/debug/cdp_gdb.py tools/debug/cdp_lldb.py "$(TO)/share/cdpcc"
	for package in $(DEBUGGERS); do \
	    install -d "$(TO)/share/cdpcc/$$package" && \
	    install -m 644 tools/debug/$$package/*.py "$(TO)/share/cdpcc/$$package"; done
	install -d "$(TO)/share/cdpcc/report"
	install -m 644 $(REPORT_DATA) "$(TO)/share/cdpcc/report"
	install -d "$(TO)/share/cdpcc/lab" "$(TO)/share/cdpcc/labs" "$(TO)/share/cdpcc/python/cdpcc"
	install -m 644 $(LAB_PARTS) "$(TO)/share/cdpcc/lab"
	cp -r labs/ex* "$(TO)/share/cdpcc/labs"
	install -m 644 python/cdpcc/*.py "$(TO)/share/cdpcc/python/cdpcc"
	install -m 644 tools/cmake/cdpcc.cmake "$(TO)/share/cdpcc/cmake"
	install -m 644 tools/cdpcc.pc "$(TO)/lib/pkgconfig"
	tools/toolkit/layout.sh "$(TO)" "$(TOOLKIT)"

# Debian packages: the tree of an installation in /usr/lib/cdpcc, see packaging/deb/build.sh.
PACKAGES ?= $(B)/packages
## deb: Debian packages cdpcc and libcdprt-dev in build/packages
deb: setup
	@$(MAKE) $(TO_BUILD)
	rm -rf "$(PACKAGES)/tree"
	@$(MAKE) --no-print-directory install DESTDIR="$$(realpath -m "$(PACKAGES)")/tree" PREFIX=/usr/lib/cdpcc >/dev/null
	packaging/deb/build.sh "$(PACKAGES)/tree" "$(PACKAGES)"
	rm -rf "$(PACKAGES)/tree"
