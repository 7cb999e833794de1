"""The formats of the contract that JSON Schema does not know, for Schemathesis."""

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format(
    "decimal",
    strategies.builds(
        lambda whole, cents: f"{whole}.{cents:02}",
        strategies.integers(min_value=0, max_value=10**9),
        strategies.integers(min_value=0, max_value=99),
    ),
)
