#!/usr/bin/env python3
"""Runs a command beside an S3-compatible store on a free port of this machine, and ends with it.

PLANTUNE_TEST_S3 is the store's address, and the credentials stand in the environment. Listings come in pages of
five, and two buckets have a fault:

slow     answers the put of each publisher's second file a second after it has stored it
partial  leaves each publisher's second file out of its listings
"""

import logging
import os
import subprocess
import sys
import time
import urllib.request

os.environ["MOTO_S3_DEFAULT_MAX_KEYS"] = "5"

from moto.s3.models import S3Backend  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

SECOND = "-000000000002.parquet"
put, list_keys = S3Backend.put_object, S3Backend.list_objects


def put_object(self, bucket_name, key_name, *more, **named):
    stored = put(self, bucket_name, key_name, *more, **named)
    if bucket_name == "slow" and key_name.endswith(SECOND):
        time.sleep(1)
    return stored


def list_objects(self, bucket, *more, **named):
    keys, *rest = list_keys(self, bucket, *more, **named)
    if bucket.name == "partial":
        keys = [key for key in keys if not key.name.endswith(SECOND)]
    return keys, *rest


def main():
    S3Backend.put_object, S3Backend.list_objects = put_object, list_objects
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        address = "http://%s:%d" % server.get_host_and_port()
        for bucket in ("slow", "partial"):
            make = urllib.request.Request(f"{address}/{bucket}", method="PUT")
            urllib.request.urlopen(make, timeout=30).close()
        credentials = {"AWS_ACCESS_KEY_ID": "of-a-test", "AWS_SECRET_ACCESS_KEY": "of-a-test"}
        environment = {**os.environ, **credentials, "PLANTUNE_TEST_S3": address}
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode
    finally:
        server.stop()


sys.exit(main())
