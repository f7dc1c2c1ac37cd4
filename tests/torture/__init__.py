"""What breaks ledgers, on purpose. Keys of ids go into a folder that is gone afterwards, not into anybody's home."""

import atexit
import os
import shutil
import tempfile

if "HANDLEDGER_PEOPLE_KEY" not in os.environ:  # processes that are started from here have it
    _keys = tempfile.mkdtemp(prefix="handledger-torture-")
    os.environ["HANDLEDGER_PEOPLE_KEY"] = os.path.join(_keys, "people.key")  # noqa: PTH118 - for the environment
    atexit.register(shutil.rmtree, _keys, ignore_errors=True)
