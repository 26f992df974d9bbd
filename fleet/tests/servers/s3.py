#!/usr/bin/env python3
"""Runs a command beside an S3-compatible store on a free port of this machine, and ends with it.

PLANTUNE_TEST_S3 is the store's address; the credentials in the environment are those of one who may do everything.
Listings come in pages of five. The bucket `slow` answers the put of a file of 2026-11-18 a second after it has stored
it. PLANTUNE_TEST_S3_USER makes a user: called with a name, with a policy on its standard input, it prints what the user
signs with.
"""

import json
import logging
import os
import subprocess
import sys
import time
import urllib.request

os.environ["MOTO_S3_DEFAULT_MAX_KEYS"] = "5"

import boto3  # noqa: E402
from moto.s3.models import S3Backend  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

put = S3Backend.put_object


def put_object(self, bucket_name, key_name, *more, **named):
    stored = put(self, bucket_name, key_name, *more, **named)
    if bucket_name == "slow" and "day=2026-11-18" in key_name:
        time.sleep(1)
    return stored


def client(service, address, key, secret):
    return boto3.client(
        service, endpoint_url=address, region_name="us-east-1", aws_access_key_id=key, aws_secret_access_key=secret
    )


def user(iam, name, policy):
    iam.create_user(UserName=name)
    iam.put_user_policy(UserName=name, PolicyName="policy", PolicyDocument=policy)
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return key["AccessKeyId"], key["SecretAccessKey"]


def main():
    S3Backend.put_object = put_object
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        address = "http://%s:%d" % server.get_host_and_port()
        everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
        key, secret = user(client("iam", address, "a", "a"), "all", json.dumps(everything))
        for bucket in ("slow", "confined"):
            client("s3", address, key, secret).create_bucket(Bucket=bucket)
        # From here on every request needs the leave of a policy.
        plain = {"Content-Type": "text/plain"}
        asked = urllib.request.Request(f"{address}/moto-api/reset-auth", b"0", plain, method="POST")
        urllib.request.urlopen(asked, timeout=30).close()
        environment = {
            **os.environ,
            "AWS_ACCESS_KEY_ID": key,
            "AWS_SECRET_ACCESS_KEY": secret,
            "AWS_ENDPOINT_URL": address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "PLANTUNE_TEST_S3": address,
            "PLANTUNE_TEST_S3_USER": f"{sys.executable} {os.path.abspath(__file__)} --user",
        }
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode
    finally:
        server.stop()


if sys.argv[1] == "--user":
    own = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    print(*user(client("iam", os.environ["PLANTUNE_TEST_S3"], *own), sys.argv[2], sys.stdin.read()))
else:
    sys.exit(main())
