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
.PHONY: build deps test c21 examples bench-events bench-engine bench-code bench-modes bench-simulate bench-sparse msl compliance asan tsan fuzz coverage mutants \
        format format-check lint install clean help

# $(call configure,PRESET), $(call compile,PRESET), $(call check,PRESET)
configure = cmake --preset $(1) -Wno-dev
compile   = cmake --build --preset $(1) -j $(JOBS)
check     = ctest --preset $(1) -j $(JOBS)

build: ## configure and build (release); the command is build/saltus
	@$(call configure,release)
	@$(call compile,release)

deps: ## install missing Debian packages (root or sudo), if there are any
	@tools/install-deps

test: deps ## install what is missing, build with warnings as errors, run all tests
	@$(MAKE) --no-print-directory build
	@$(call check,release)

c21: deps ## install what is missing, build, run the whole benchmark; the report is c21-report/index.html
	@$(MAKE) --no-print-directory build
	@build/saltus benchmark c21 -o c21-report

examples: ## run the C examples
	@set -e; for program in build/examples/example-*; do \
	    [ -x "$$program" ] || continue; \
	    echo "== $$program"; "$$program"; \
	done

bench-events: build ## event location: error and cost of every locator
	@build/benchmarks/bench-events

bench-engine: build ## engine overhead against a hand-written loop
	@build/benchmarks/bench-engine

bench-code: build ## right-hand sides by hand, as emitted C, interpreted
	@build/benchmarks/bench-code

bench-modes: build ## ideal diodes in a ladder, independent switches: the cost of modes, steps, events
	@build/benchmarks/bench-modes

bench-simulate: build ## whole runs of models against hand-written C; the time of the command
	@build/benchmarks/bench-simulate

bench-sparse: build ## large stiff models: how time and memory grow with the size
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

coverage: ## run all tests, print line coverage per file
	@$(call configure,coverage)
	@$(call compile,coverage)
	@$(call check,coverage)
	@tools/coverage build-coverage

mutants: ## make MUTANTS one-line changes (default 200), print how many the tests find
	@tools/mutants --count=$(MUTANTS) --jobs=$(JOBS)

format: ## format all C files (clang-format)
	@clang-format -i $(c_files)

format-check: ## fail if a C file is not formatted
	@clang-format --dry-run --Werror $(c_files)

lint: ## static analysis (clang-tidy, cppcheck)
	@cmake -S . -B build-clang -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -Wno-dev
	@tools/lint build-clang

install: build ## install below PREFIX (and DESTDIR)
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean: ## remove all build folders
	@rm -rf build build-debug build-asan-ubsan build-tsan build-coverage build-fuzz build-clang build-mutants

help: ## list these targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  \1	\2/p' Makefile | expand -t 18
