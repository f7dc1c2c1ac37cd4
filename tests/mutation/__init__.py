"""Breaks one condition at a time in detectors and obligations, and sees whether a test notices.

`make mutants` or `python -m tests.mutation.hunt --sample 300 --seed 1`.
"""

from tests.mutation import ran

ran.watch()
