# plantune: `make demo` shows it, `make test` tests it, `make install` installs it.
# Every target fetches and builds what it needs and can be run again.

PREFIX ?= $(HOME)/.local
CARGO ?= cargo
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
# The library is looked for where `make setup` puts it, unless DUCKDB_LIB_DIR names another place.
ifndef DUCKDB_DOWNLOAD_LIB
DUCKDB_LIB_DIR ?= $(CURDIR)/.libduckdb
export DUCKDB_LIB_DIR
endif

# Linked statically and without position independence on Linux: the hook starts in two thirds of the time. Against
# musl it starts sooner than /bin/true (docs/development/benchmarks.md), where Rust has that (`rustup target add`): glibc asks the
# processor 68 times what it can when a process starts.
# SHA-256 of a few words is faster without asking, too, and 9 KB smaller as a loop. `--target` keeps the flags away from build scripts.
HOST := $(shell rustc -vV 2>/dev/null | sed -n 's/^host: //p')
HOOK_TARGET := $(HOST)
ifneq (,$(findstring linux,$(HOST)))
# The folder of the person's crates is left out of what a panic would say, so that it makes the hook no larger; cargo
# cannot be given one with a space in its name.
CRATES := $(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src
HOOK_FLAGS := $(if $(word 2,$(CRATES)),,--remap-path-prefix=$(CRATES)=) -C target-feature=+crt-static -C relocation-model=static --cfg sha2_backend=\"soft\" --cfg sha2_backend_soft=\"compact\"
# Functions that became the same code are kept once, and nothing is kept to look up who called what, which only a
# backtrace needs: 55 KB less. The linker that Rust brings for this platform can. Code that stands in several functions
# is kept once, too: 69 KB less for 3 to 7 % more instructions.
ifneq (,$(filter x86_64-unknown-linux-%,$(HOST)))
HOOK_FLAGS += -C link-arg=-Wl,--icf=all -C link-arg=-Wl,--no-eh-frame-hdr -C llvm-args=-enable-machine-outliner
endif
MUSL := $(HOST:-gnu=-musl)
ifneq (,$(wildcard $(shell rustc --print target-libdir --target $(MUSL))/libstd-*))
HOOK_TARGET := $(MUSL)
else
# Its half a megabyte takes the room of quicker code, unless how the stack is unwound, which nothing reads, is left
# out: 220 KB.
ifneq (,$(filter x86_64-unknown-linux-%,$(HOST)))
HOOK_FLAGS += -C link-arg=-Wl,-T,hooks/no-unwind.ld
else
HOOK_PROFILE := CARGO_PROFILE_HOOK_OPT_LEVEL=z
endif
endif
endif
HOOK := $(TARGET_DIR)/$(HOOK_TARGET)/hook/plantune-hook
PLANTUNE := $(TARGET_DIR)/release/plantune
FLEET_PROGRAM := $(TARGET_DIR)/release/plantune-fleet
DEBUG := $(TARGET_DIR)/debug

# The shells, and where below PREFIX/share each looks for completions.
COMPLETIONS := bash:bash-completion/completions/plantune zsh:zsh/site-functions/_plantune \
	fish:fish/vendor_completions.d/plantune.fish

# How often each of the torture's tests kills.
KILLS ?= 320

# How many rounds of pushing and killing `make fleet-test` runs.
ROUNDS ?= 12

# What `make fleet-scale` measures, and where.
SIZES ?= 5000000 50000000
DIR ?= $(TARGET_DIR)/fleet-scale
MERGED ?= 1
WORDS ?=

# How long `make fuzz` takes for each target.
SECONDS ?= 60

.PHONY: help setup build hook hook-path demo test test-long test-page test-claude-code test-agents test-npm torture lint bench bench-check fuzz picture install uninstall \
	plugin dist reproducible fleet fleet-test fleet-s3-test fleet-spark-test fleet-install fleet-scale clean
help:
	@echo 'make demo      build, and watch plantune at work on a sample history'
	@echo 'make test      what a change must pass; CONTRIBUTING.md says what each suite takes'
	@echo 'make test-long kills, damage, full disks, random orders: what takes too long to run before each commit'
	@echo 'make test-page the page of report --html, in Chromium'
	@echo 'make test-claude-code  the real Claude Code, without a model (docs/development/claude-code.md)'
	@echo 'make test-agents  the real Codex, Copilot CLI, Gemini CLI, OpenCode, Qwen Code, without a model (docs/agents.md)'
	@echo 'make test-npm  the packages for npm, from a registry on this machine (docs/development/releasing.md)'
	@echo 'make torture   kills and crowds at length, a quarter of an hour (KILLS=$(KILLS))'
	@echo 'make lint      formatting, clippy, the hook'"'"'s dependencies, what names an agent, circles between files'
	@echo 'make bench     the hook beside /bin/true, ingest beside read_json, a growing store'
	@echo 'make bench-check  what the hook and the verbs cost, and fails where that is 10 % more than at the last release'
	@echo 'make fuzz      every fuzz target for SECONDS=$(SECONDS) each (docs/development/fuzzing.md); TARGETS="hook settings" for some'
	@echo 'make fleet     plantune-fleet, for an organisation'"'"'s lake (docs/fleet.md); fleet-test tests it (ROUNDS=$(ROUNDS)'
	@echo '               with kills), fleet-s3-test in an object store, fleet-install installs it beside plantune;'
	@echo '               SPARK=1 with the client of Apache Spark'
	@echo 'make fleet-spark-test  the report on Apache Spark beside DuckDB, on a cluster on this machine (docs/fleet.md)'
	@echo 'make fleet-scale  what reports cost on lakes of made-up machines (docs/development/fleet.md)'
	@echo 'make install   binaries into PREFIX/bin, the DuckDB library into PREFIX/lib, manual pages and'
	@echo '               completions into PREFIX/share (PREFIX=$(PREFIX))'
	@echo 'make plugin    the plugin with the hook for this platform in it, in $(TARGET_DIR)/plugin (docs/development/plugin.md)'
	@echo 'make dist      packages for npm, a tarball, a .deb below $(TARGET_DIR)/dist; make reproducible: the same twice?'
	@echo 'make picture   draw docs/terminal.svg from the sample history'
	@echo 'make setup     only fetch the DuckDB library; the others do it by themselves'

setup:
	@command -v $(CARGO) >/dev/null 2>&1 || { echo 'cargo is missing: install Rust (1.95 or newer), see https://rustup.rs' >&2; exit 1; }
	@command -v cc >/dev/null 2>&1 || { echo 'a C linker (cc) is missing: install gcc or clang' >&2; exit 1; }
ifndef DUCKDB_DOWNLOAD_LIB
	@if [ "$(DUCKDB_LIB_DIR)" = "$(CURDIR)/.libduckdb" ]; then scripts/setup-libduckdb.sh; \
	elif ! ls "$(DUCKDB_LIB_DIR)"/libduckdb.* >/dev/null 2>&1; then \
	echo 'DUCKDB_LIB_DIR is $(DUCKDB_LIB_DIR), and no libduckdb lies there' >&2; exit 1; fi
endif

# What `plantune debug version` says it was built from.
COMMIT = $(shell git describe --always --abbrev=40 --exclude '*' --dirty 2>/dev/null)

build: setup hook
	PLANTUNE_COMMIT="$(COMMIT)" $(CARGO) build --locked --release --bin plantune

# Where `hook` puts it.
hook-path:
	@echo '$(abspath $(HOOK))'

hook: setup
	$(HOOK_PROFILE) RUSTFLAGS="$(RUSTFLAGS) $(HOOK_FLAGS)" $(CARGO) build --locked --profile hook -p plantune-hooks --bin plantune-hook --target $(HOOK_TARGET)

# Not optimized: DuckDB does the heavy work and is not compiled.
demo: setup
	@echo 'Building plantune without optimization: about three minutes on two processors the first time, then seconds.'
	@$(CARGO) build --locked --bins
	@PLANTUNE_HOOK="$(DEBUG)/plantune-hook" "$(DEBUG)/plantune" debug demo

# Some tests wait, for a lock or a program: more of them at a time than there are processors.
export RUST_TEST_THREADS ?= 4
SKIPPED := $(TARGET_DIR)/skipped-tests

# A line for each test that was skipped, and why; then how many, and their names, in one line.
SAY_SKIPPED = sort -u "$(SKIPPED)"; sort -u "$(SKIPPED)" | awk -F': ' '{ names = names (NR > 1 ? ", " : "") $$2 } \
	END { print NR == 0 ? "No test was skipped." : NR (NR == 1 ? " test was" : " tests were") " skipped: " names }'

test: setup
	@echo 'Building and testing: minutes the first time, then less (CONTRIBUTING.md).'
	@mkdir -p "$(TARGET_DIR)" && : >"$(SKIPPED)"
	PLANTUNE_SKIPPED="$(abspath $(SKIPPED))" $(CARGO) test --locked --tests
	@echo 'Not in this run: test-long, test-page, test-claude-code, test-agents, test-npm, torture, fleet-test (CONTRIBUTING.md)'
	@$(SAY_SKIPPED)

# The tests that are ignored for the time they take, and none that are for what they need.
test-long: setup
	@mkdir -p "$(TARGET_DIR)" && : >"$(SKIPPED)"
	PLANTUNE_SKIPPED="$(abspath $(SKIPPED))" $(CARGO) test --locked --tests -- \
		--ignored --skip page:: --skip claude_code:: --skip agents::real:: --skip torture::ingest::a_large
	@$(SAY_SKIPPED)

# The report's page in Chromium; PLANTUNE_CHROMIUM names another one.
test-page: setup
	$(CARGO) test --locked --test it page:: -- --ignored

# The client is fetched from npm: the version in hooks/agents/tested-versions.txt, or CLAUDE_CODE_VERSION (`newest`).
test-claude-code: setup
	@CARGO="$(CARGO)" scripts/test-claude-code.sh

# The clients are fetched from npm into a folder outside the clone; PLANTUNE_AGENTS names another one. CODEX_VERSION,
# COPILOT_VERSION, GEMINI_VERSION, OPENCODE_VERSION and QWEN_VERSION choose other versions (`newest`).
test-agents: setup
	@CARGO="$(CARGO)" scripts/test-agents.sh

torture: setup
	@# A released program has no clock that tests could set.
	CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true PLANTUNE_TORTURE_KILLS=$(KILLS) $(CARGO) test --locked --release --test it torture:: -- --include-ignored --nocapture --test-threads=1

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	scripts/check-hook-dependencies.sh
	scripts/check-agent-words.sh
	@if command -v python3 >/dev/null 2>&1; then scripts/check-prose.py && scripts/check-house.py; \
	else echo 'python3 is missing: the English and the circles between files were not checked'; fi
	@if command -v cargo-deny >/dev/null 2>&1; then cargo deny --log-level error check bans licenses sources; \
	else echo 'cargo-deny is not installed: licences and sources were not checked'; fi

bench: build
	PLANTUNE_HOOK="$(abspath $(HOOK))" $(CARGO) bench --locked --bench hook
	$(CARGO) bench --locked --bench ingest
	$(CARGO) bench --locked --bench store
	$(CARGO) bench --locked --bench import

# Instructions of the hook, and user time of verbs beside a reference: benches/check.py, figures in check.json.
bench-check: build
	@command -v valgrind >/dev/null 2>&1 || { echo 'valgrind is missing, which counts instructions: install it' >&2; exit 1; }
	@python3 benches/check.py "$(HOOK)" "$(PLANTUNE)" $(if $(LOWER),--lower)

# A workspace of its own, which needs a C++ compiler and no DuckDB.
fuzz:
	@fuzz/run.sh "$(SECONDS)" $(TARGETS)

# A program of its own, which brings an object store's client; no default member of the workspace.
FLEET := --locked -p plantune-fleet $(if $(SPARK),--features spark)

fleet: setup
ifdef SPARK
	@command -v protoc >/dev/null 2>&1 || { echo 'protoc is missing: install it (Debian: protobuf-compiler, libprotobuf-dev)' >&2; exit 1; }
endif
	PLANTUNE_COMMIT="$(COMMIT)" $(CARGO) build $(FLEET) --release

fleet-test: setup
	$(CARGO) clippy $(FLEET) --all-targets -- -D warnings
	$(CARGO) test $(FLEET) --lib
	PLANTUNE_FLEET_ROUNDS=$(ROUNDS) $(CARGO) test $(FLEET) --test it

# Beside an S3-compatible store on this machine; needs Python, and fetches the store.
fleet-s3-test: setup
	$(CARGO) test $(FLEET) --test it --no-run
	@scripts/test-fleet-s3.sh $(CARGO) test $(FLEET) --test it s3:: -- --nocapture

fleet-spark-test: setup
	@scripts/test-spark.sh

# Beside plantune where that is in PREFIX, too; plantune finds it in PATH as well.
fleet-install: fleet
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/lib"
	install -m 755 "$(FLEET_PROGRAM)" "$(DESTDIR)$(PREFIX)/bin/plantune-fleet.new"
	mv -f "$(DESTDIR)$(PREFIX)/bin/plantune-fleet.new" "$(DESTDIR)$(PREFIX)/bin/plantune-fleet"
	$(INSTALL_LIBRARY)
	"$(FLEET_PROGRAM)" man "$(DESTDIR)$(PREFIX)/share/man/man1"
	@echo 'Installed. Next: plantune fleet init LAKE (docs/fleet.md)'

# Lakes of SIZES events by made-up machines in DIR, and what a report on each costs; MERGED=0 for a file of each machine
# and day; WORDS are more words for the report.
fleet-scale: setup
	PLANTUNE_FLEET_EVENTS="$(SIZES)" PLANTUNE_FLEET_DIR="$(DIR)" PLANTUNE_FLEET_MERGED=$(MERGED) \
		PLANTUNE_FLEET_WORDS="$(WORDS)" $(CARGO) test $(FLEET) --test it scale:: -- --ignored --nocapture

# docs/terminal.svg, of builds whose clock can be set; needs Python, and fetches what draws it.
picture: setup
	@command -v python3 >/dev/null 2>&1 || { echo 'python3 is missing, which draws the picture' >&2; exit 1; }
	@test -x "$(TARGET_DIR)/picture/bin/python" || python3 -m venv "$(TARGET_DIR)/picture"
	@"$(TARGET_DIR)/picture/bin/python" -m pip install --quiet -r scripts/picture-requirements.txt
	@$(CARGO) build --locked --bins
	"$(TARGET_DIR)/picture/bin/python" scripts/terminal_picture.py docs/terminal.svg "$(DEBUG)"

# DuckDB's library, where programs in PREFIX/bin look for it.
ifndef DUCKDB_DOWNLOAD_LIB
INSTALL_LIBRARY = @for library in "$(DUCKDB_LIB_DIR)"/libduckdb.so "$(DUCKDB_LIB_DIR)"/libduckdb.dylib; do \
	if [ -f "$$library" ]; then install -m 644 "$$library" "$(DESTDIR)$(PREFIX)/lib/.plantune-new" && \
	mv -f "$(DESTDIR)$(PREFIX)/lib/.plantune-new" "$(DESTDIR)$(PREFIX)/lib/$$(basename "$$library")"; fi; done
endif

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/lib"
	@# Replaced by renaming: a session that runs the old hook is not disturbed.
	install -m 755 "$(PLANTUNE)" "$(DESTDIR)$(PREFIX)/bin/plantune.new"
	mv -f "$(DESTDIR)$(PREFIX)/bin/plantune.new" "$(DESTDIR)$(PREFIX)/bin/plantune"
	install -m 755 "$(HOOK)" "$(DESTDIR)$(PREFIX)/bin/plantune-hook.new"
	mv -f "$(DESTDIR)$(PREFIX)/bin/plantune-hook.new" "$(DESTDIR)$(PREFIX)/bin/plantune-hook"
	$(INSTALL_LIBRARY)
	"$(PLANTUNE)" debug man "$(DESTDIR)$(PREFIX)/share/man/man1"
	@for shell in $(COMPLETIONS); do to="$(DESTDIR)$(PREFIX)/share/$${shell#*:}" && \
	install -d "$$(dirname "$$to")" && "$(PLANTUNE)" debug completions "$${shell%%:*}" >"$$to" || exit 1; done
	@echo 'Installed. Next: plantune, for the last weeks; plantune install, to log from now on, and after each upgrade'
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'note: $(PREFIX)/bin is not in PATH' ;; esac

uninstall:
	@# A program knows its pages; without it they stay.
	@pages() { [ ! -x "$$1" ] || "$$@" man --list; }; \
	{ pages "$(DESTDIR)$(PREFIX)/bin/plantune" debug; pages "$(DESTDIR)$(PREFIX)/bin/plantune-fleet"; } | \
	while read -r page; do rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/$$page"; done
	@for shell in $(COMPLETIONS); do rm -f "$(DESTDIR)$(PREFIX)/share/$${shell#*:}"; done
	rm -f "$(DESTDIR)$(PREFIX)/bin/plantune" "$(DESTDIR)$(PREFIX)/bin/plantune-hook" "$(DESTDIR)$(PREFIX)/bin/plantune-fleet"
	@echo 'Left alone: $(PREFIX)/lib/libduckdb.* (other programs may use it), your data, and settings.json (plantune uninstall)'

# Folders in the plugin are named as packages for Node.js name platforms; the one for Linux is for any C library.
PLATFORM := $(if $(findstring darwin,$(HOST)),darwin,linux)-$(subst x86_64,x64,$(subst aarch64,arm64,$(firstword $(subst -, ,$(HOST)))))
plugin: hook
	@scripts/assemble_plugin.py "$(TARGET_DIR)/plugin" "$(PLATFORM)=$(HOOK)"

# For other people's machines: packages for npm, a tarball, a .deb (docs/development/releasing.md).
dist: setup
	@python3 scripts/dist $(KINDS)

# The packages as they are used, from a registry on this machine (docs/development/releasing.md). PROFILE=packages compiles plantune
# quickly; the hook is always the one that is published.
PROFILE ?= release
test-npm: setup
	@PLANTUNE_DIST_PROFILE=$(PROFILE) scripts/test-npm.sh

# Builds twice, in two folders, and compares what comes out.
reproducible: setup
	@scripts/check-reproducible.sh

clean:
	$(CARGO) clean
