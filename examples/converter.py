"""Convert hand histories: any format that handledger reads, to PHH, Open Hand History, handscript, JSON lines or CSV.

Run: python examples/converter.py phh FILE...
"""

from __future__ import annotations

import sys

import handledger


def main(arguments: list[str]) -> int:
    """Write the hands of some files to standard output; return 3 if something can't be converted."""
    if len(arguments) < 2:
        sys.stderr.write("Usage: converter.py FORMAT FILE...\n")
        return 2
    to, *files = arguments
    with handledger.open("sqlite://") as ledger:  # in memory
        try:
            imported = handledger.import_files(ledger, files)
            exported = handledger.export(ledger, to, lossy=True)  # type: ignore[arg-type]  # checked there
        except handledger.HandledgerError as error:
            sys.stderr.write(f"{error.message}\n{error.hint}\n")
            return 2
    sys.stdout.write(exported.text)
    rejected = sum(file.rejected for file in imported.files)
    sys.stderr.write(f"{exported.hands} hands written, {rejected} rejected, {len(exported.left_out)} left out\n")
    for loss in exported.losses:
        sys.stderr.write(f"  without {loss}\n")
    return 3 if rejected or exported.left_out else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
