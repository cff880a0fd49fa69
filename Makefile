# SPDX-License-Identifier: MIT
#
# The front door. CMake does the work; these are the commands one wants to remember.
#
#   PREFIX, DESTDIR   where `make install` puts things (default /usr/local)
#   TIME              how many seconds `make fuzz` runs each target (default 60)
#   MUTANTS           how many changes `make mutants` makes (default 200)
#   JOBS              parallel jobs of builds and tests (default: number of processors)

PREFIX  ?= /usr/local
DESTDIR ?=
TIME    ?= 60
MUTANTS ?= 200
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

c_files = $(shell git ls-files -co --exclude-standard '*.c' '*.h')

.DEFAULT_GOAL := build
.PHONY: build all deps deb test c21 examples bench-events bench-engine bench-code bench-modes bench-simulate bench-sparse bench-peers bench-quick bench-auto msl compliance asan tsan fuzz coverage mutants mpi bench-fmi bench-sweep bench-gpu \
        format format-check lint python install clean help

# $(call configure,PRESET), $(call compile,PRESET), $(call check,PRESET)
configure = cmake --preset $(1) -Wno-dev
compile   = cmake --build --preset $(1) -j $(JOBS) $(2)
check     = ctest --preset $(1) -j $(JOBS)

build: ## build the command, build/saltus, and nothing else (release)
	@$(call configure,release) || { echo "'make deps' installs what is missing (Debian)" >&2; exit 1; }
	@$(call compile,release,--target saltus-cli)
	@echo
	@echo "The command is build/saltus. What to type next:"
	@echo "    build/saltus simulate BouncingBall    run a model, see its curves here"
	@echo "    build/saltus help                     all commands"
	@echo "    make test                             build and run all tests"
	@echo "    make install                          install below $(PREFIX) (PREFIX=...)"
	@echo "docs/tutorial.md leads from a first model to one that changes its structure."

all: ## build everything: command, library, tests, examples, benchmarks (release)
	@$(call configure,release)
	@$(call compile,release)

deps: ## install missing Debian packages (root or sudo), if there are any
	@tools/install-deps

test: deps ## install what is missing, build everything with warnings as errors, run all tests
	@$(MAKE) --no-print-directory all
	@$(call check,release)

c21: deps ## install what is missing, build the command, run the benchmark C21: c21-report/index.html
	@$(call configure,release)
	@$(call compile,release,--target saltus-cli)
	@build/saltus benchmark c21 -o c21-report

mpi: ## install Open MPI if it is missing, build build/saltus-mpi: sweeps on many machines
	@tools/install-deps --mpi
	@$(call configure,release)
	@$(call compile,release,--target saltus-mpi)

examples: all ## run the C examples
	@set -e; for program in build/examples/example-*; do \
	    [ -x "$$program" ] || continue; \
	    echo "== $$program"; "$$program"; \
	done

bench-events: all ## event location: error and cost of every locator
	@build/benchmarks/bench-events

bench-engine: all ## engine overhead against a hand-written loop
	@build/benchmarks/bench-engine

bench-code: all ## right-hand sides by hand, as emitted C, interpreted
	@build/benchmarks/bench-code

bench-modes: all ## ideal diodes in a ladder, independent switches: the cost of modes, steps, events
	@build/benchmarks/bench-modes

bench-simulate: all ## whole runs of models against hand-written C; the time of the command
	@build/benchmarks/bench-simulate

bench-peers: all ## whole jobs against hand-written C, CVODE, IDA, SciPy, Octave, ngspice
	@tools/install-deps --peers
	@build/benchmarks/bench-peers build/peers.txt; status=$$?; \
	/usr/bin/python3 benchmarks/peers/others.py build/peers.txt || status=1; \
	build/benchmarks/bench-parts all || status=1; \
	build/benchmarks/bench-large && exit $$status

bench-quick: all ## instructions that jobs take (callgrind), against benchmarks/quick/baseline.txt
	@tools/bench-quick build

bench-auto: all ## the choice of the solver against each solver, in instructions (callgrind)
	@tools/bench-auto build

bench-fmi: all ## steps of exported FMUs against those of the engine
	@build/benchmarks/bench-fmi

bench-sweep: all ## sweeps by kernels against hand-written loops, and two ranks against two threads
	@build/benchmarks/bench-sweep
	@tools/bench-mpi build

bench-gpu: all ## the same on a GPU, against a hand-written CUDA kernel
	@tools/bench-gpu build

bench-sparse: all ## large stiff models: how time and memory grow with the size
	@build/benchmarks/bench-sparse

msl: build ## run the examples of the Modelica Standard Library: MSL=DIR REFERENCE=DIR (see tools/msl)
	@tools/msl build/saltus "$(MSL)" "$(REFERENCE)" --known=tools/known/msl.csv --csv=build/msl.csv

compliance: build ## run the cases of Modelica-Compliance: COMPLIANCE=DIR (see tools/compliance)
	@tools/compliance build/saltus "$(COMPLIANCE)" --known=tools/known/compliance.csv \
	    --csv=build/compliance.csv

asan: ## build with address and undefined behaviour sanitizers, run all tests
	@$(call configure,asan-ubsan)
	@$(call compile,asan-ubsan)
	@$(call check,asan-ubsan)

tsan: ## build with the thread sanitizer, run all tests
	@$(call configure,tsan)
	@$(call compile,tsan)
	@$(call check,tsan)

fuzz: ## fuzz what reads text with libFuzzer (clang), and whole runs of random models, TIME seconds each (default 60)
	@$(call configure,fuzz)
	@$(call compile,fuzz)
	@tools/fuzz build-fuzz $(TIME)

coverage: ## run all tests, print line coverage per file, note who runs what for make mutants
	@$(call configure,coverage)
	@$(call compile,coverage)
	@tools/covering build-coverage --jobs=$(JOBS)
	@tools/coverage build-coverage --files

mutants: ## make MUTANTS one-line changes (default 200), print how many the tests find
	@tools/mutants --count=$(MUTANTS) --jobs=$(JOBS)

format: ## format all C files (clang-format)
	@clang-format -i $(c_files)

format-check: ## fail if a C file is not formatted
	@clang-format --dry-run --Werror $(c_files)

lint: ## static analysis (clang-tidy, cppcheck)
	@cmake -S . -B build-clang -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -Wno-dev
	@tools/lint build-clang

python: deps ## install what is missing, build the Python package; it is build/python/saltus
	@$(call configure,release)
	@$(call compile,release) --target saltus-python
	@echo "PYTHONPATH=$(CURDIR)/build/python makes 'import saltus' work; or: pip install ./python"

install: ## build what is installed, install it below PREFIX (and DESTDIR)
	@$(call configure,release)
	@$(call compile,release,--target installed)
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

deb: ## make a Debian package of the command, the library, models and manual: build-deb/*.deb
	@tools/make-deb

clean: ## remove all build folders
	@rm -rf build build-debug build-asan-ubsan build-tsan build-coverage build-fuzz build-clang build-mutants build-deb

help: ## list these targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  \1	\2/p' Makefile | expand -t 18
