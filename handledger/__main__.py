"""`python -m handledger`, and what the command `handledger` runs."""

from cli.main import run

if __name__ == "__main__":
    run()
