# make run    set up and serve, embedded          make test   set up and run the tests
# make check  make lint, and the quick tests      make e2e    processes over a real Kafka and Redis
# make lint   format, lint, types, contracts
# make bench  the benchmark, as table and JSON    make prove  is every refusal needed by a test?
# make battery   random play of every game, BATTERY_MATCHES a scenario
# make up / down   everything in containers       make stubs / trace / lock   generated files anew

PYTHON := .venv/bin/python
READY := .venv/.ready
WORKERS ?= 2
E2E ?= tests
BATTERY_MATCHES ?= 500

.PHONY: run test battery check lint e2e bench prove up down stubs trace lock

run: $(READY)
	.venv/bin/stavka serve

test: $(READY)
	$(PYTHON) -m pytest -q -n $(WORKERS) --dist loadgroup -m "not stack" tests

battery: $(READY)
	STAVKA_BATTERY_MATCHES=$(BATTERY_MATCHES) $(PYTHON) -m pytest -q -n $(WORKERS) --dist loadgroup --timeout 3600 tests/battery

check: lint
	$(PYTHON) -m pytest -q -n $(WORKERS) -m "not stack and not slow" tests/architecture tests/kernel tests/match tests/audit

lint: $(READY)
	.venv/bin/ruff format --check services tests deploy
	.venv/bin/ruff check services tests deploy
	.venv/bin/mypy
	.venv/bin/lint-imports
	cd proto && ../.venv/bin/buf lint && ../.venv/bin/buf breaking --against released.binpb
	$(PYTHON) deploy/stubs.py --check

e2e: $(READY)
	STAVKA_DEMAND_REAL=1 $(PYTHON) -m pytest -q -x -m stack $(E2E)

bench: $(READY)
	$(PYTHON) -m tests.bench

prove: $(READY)
	$(PYTHON) -m tests.prove

up:
	docker compose up --build --detach

down:
	docker compose down

stubs: $(READY)
	$(PYTHON) deploy/stubs.py

trace: $(READY)
	$(PYTHON) deploy/rules_trace.py

lock: $(READY)
	.venv/bin/uv pip compile -q --group dev pyproject.toml --generate-hashes --no-emit-index-url --no-header -o requirements.lock

$(READY): requirements.lock pyproject.toml
	python3 -m venv .venv
	$(PYTHON) -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(PYTHON) -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(READY)
