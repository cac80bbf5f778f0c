# cdp-report: a program that runs others and fills a page. The page's parts are data.
REPORT_SRC := $(sort $(wildcard tools/report/*.c))
REPORT_DATA := $(sort $(wildcard tools/report/page/*))
REPORT_SHARED := arena str vec
$(O)/report/%.o: tools/report/%.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(CC) -std=c11 $(WARN) -Itools -Itools/cdpcc -D_GNU_SOURCE $(MODEFLAGS) -MMD -MP -c $< -o $@
-include $(REPORT_SRC:tools/report/%.c=$(O)/report/%.d)

$(B)/bin/cdp-report: $(REPORT_SRC:tools/report/%.c=$(O)/report/%.o) $(REPORT_SHARED:%=$(O)/tool/support/%.o)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(CC) $(MODEFLAGS) -o $@ $^ -lm
$(B)/share/cdpcc/report/page.html: $(REPORT_DATA)
	@mkdir -p $(@D)
	install -m 644 $(REPORT_DATA) $(@D)
