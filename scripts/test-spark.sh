#!/usr/bin/env bash
# The fleet's report on Apache Spark beside DuckDB (fleet/tests/it/spark.rs): a cluster on this machine, a master, two
# workers and a Spark Connect server, for as long as the tests run. With SPARK_IF_POSSIBLE=1 a machine without Java,
# protoc or pyspark is no failure, and is said to be skipped.
#
#   scripts/test-spark.sh                 the tests
#   scripts/test-spark.sh COMMAND …       a command instead, with the cluster in PLANTUNE_SPARK_CONNECT
#   WORKERS=1 MEMORY=3g PARTITIONS=8 scripts/test-spark.sh COMMAND …   so many workers of one core, executors with so
#                                         much memory, and so many partitions after an exchange of rows
set -euo pipefail
cd "$(dirname "$0")/.."

WORKERS="${WORKERS:-2}" MEMORY="${MEMORY:-1g}" PARTITIONS="${PARTITIONS:-2}"

# The longest that the tests may take, in seconds.
LIMIT="${LIMIT:-1200}"

cannot() {
    if [ "${SPARK_IF_POSSIBLE:-}" = 1 ]; then
        echo "skipped: the tests on Apache Spark: $1"
        exit 0
    fi
    echo "the tests on Apache Spark cannot run: $1" >&2
    exit 1
}

# Installs packages of Debian's where that is possible.
debian() {
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null || true
    fi
}

# A Java that Spark runs on: 17 or 21.
find_java() {
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        if [ -x "$home/bin/java" ] && "$home/bin/java" -version 2>&1 | grep -Eq 'version "(17|21)[."]'; then
            export JAVA_HOME="$home"
            return
        fi
    done
    return 1
}

find_java || { debian openjdk-17-jre-headless && find_java; } ||
    cannot 'there is no Java 17 or 21 (Debian: openjdk-17-jre-headless; or set JAVA_HOME)'
command -v protoc >/dev/null 2>&1 || [ $# -gt 0 ] || debian protobuf-compiler libprotobuf-dev
command -v protoc >/dev/null 2>&1 || [ $# -gt 0 ] || cannot 'protoc is missing (Debian: protobuf-compiler, libprotobuf-dev)'
command -v python3 >/dev/null 2>&1 || cannot 'python3 is missing, which installs pyspark'

# Spark as pyspark has it; installed anew when the list changes.
venv="${XDG_CACHE_HOME:-$HOME/.cache}/plantune-ci/tools/spark-$(cksum <fleet/tests/servers/spark-requirements.txt | tr ' ' -)"
if [ ! -e "$venv/whole" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv" || { debian python3-venv && python3 -m venv "$venv"; } || cannot 'python3 has no venv'
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r fleet/tests/servers/spark-requirements.txt ||
        cannot 'pyspark could not be installed'
    touch "$venv/whole"
fi
SPARK_HOME="$("$venv/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')"
export SPARK_HOME

# Built before anything is started: a build may take longer than the tests.
tests=("${CARGO:-cargo}" test --locked -p plantune-fleet --features spark --test it)
[ $# -gt 0 ] || "${tests[@]}" --no-run

run="$(mktemp -d)"
processes=()
finish() {
    local code=$?
    trap - EXIT INT TERM
    # Workers before their master; what does not listen is killed, and executors end with their worker.
    for process in $(printf '%s\n' "${processes[@]}" | tac); do kill "$process" 2>/dev/null || true; done
    for _ in $(seq 50); do
        alive=0
        for process in "${processes[@]}"; do kill -0 "$process" 2>/dev/null && alive=1; done
        [ "$alive" = 1 ] || break
        sleep 0.2
    done
    for process in "${processes[@]}"; do kill -9 "$process" 2>/dev/null || true; done
    if [ "$code" != 0 ]; then
        for log in "$run"/*.log; do [ -e "$log" ] && { echo "--- $(basename "$log"):" && tail -n 15 "$log"; } >&2; done
    fi
    rm -rf "$run"
    exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

free_ports() {
    python3 -c 'import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in sockets: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))' "$1"
}

# Waits until a file has a line; fails when the process ends or after three minutes.
await() {
    local process=$1 log=$2 line=$3
    for _ in $(seq 900); do
        grep -q "$line" "$log" 2>/dev/null && return
        kill -0 "$process" 2>/dev/null || break
        sleep 0.2
    done
    echo "Spark does not start: no \"$line\" in $(basename "$log")" >&2
    exit 1
}

export SPARK_LOCAL_IP=127.0.0.1 SPARK_NO_DAEMONIZE=1
read -r master_port connect_port <<<"$(free_ports 2)"
PLANTUNE_FLEET_SPARK_TOKEN="$(python3 -c 'import secrets; print(secrets.token_hex(16))')"
export PLANTUNE_FLEET_SPARK_TOKEN

"$SPARK_HOME/bin/spark-class" -Xmx512m org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$master_port" \
    --webui-port 0 >"$run/master.log" 2>&1 &
processes+=($!)
await $! "$run/master.log" 'New state: ALIVE'
workers=()
for number in $(seq "$WORKERS"); do
    mkdir -p "$run/worker$number"
    SPARK_WORKER_DIR="$run/worker$number" SPARK_LOCAL_DIRS="$run/worker$number" \
        "$SPARK_HOME/bin/spark-class" -Xmx512m org.apache.spark.deploy.worker.Worker \
        "spark://127.0.0.1:$master_port" --host 127.0.0.1 --cores 1 --memory 16g --webui-port 0 \
        >"$run/worker$number.log" 2>&1 &
    processes+=($!)
    workers+=($!)
done
for number in $(seq "$WORKERS"); do
    await "${workers[number - 1]}" "$run/worker$number.log" 'Successfully registered'
done
# Few and plain jobs: the lake of the tests is small. The server lets in who has the token, which stands in no command line.
SPARK_CONNECT_AUTHENTICATE_TOKEN="$PLANTUNE_FLEET_SPARK_TOKEN" SPARK_LOCAL_DIRS="$run" \
    "$SPARK_HOME/bin/spark-submit" --class org.apache.spark.sql.connect.service.SparkConnectServer \
    --master "spark://127.0.0.1:$master_port" --driver-memory 1g --executor-memory "$MEMORY" --executor-cores 1 \
    --conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1 --conf spark.ui.enabled=false \
    --conf spark.connect.grpc.binding.address=127.0.0.1 --conf "spark.connect.grpc.binding.port=$connect_port" \
    --conf spark.sql.shuffle.partitions="$PARTITIONS" --conf spark.sql.adaptive.enabled=false \
    --conf spark.sql.warehouse.dir="$run/warehouse" \
    >"$run/connect.log" 2>&1 &
processes+=($!)
await $! "$run/connect.log" 'Spark Connect server started'
await $! "$run/connect.log" 'Registered executor'

export PLANTUNE_SPARK_CONNECT="sc://127.0.0.1:$connect_port" PLANTUNE_SPARK_WORKER="${workers[0]}"
# The same server through TLS, with a certificate that nobody else trusts.
if command -v openssl >/dev/null 2>&1; then
    read -r tls_port <<<"$(free_ports 1)"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE \
        -keyout "$run/tls.key" -out "$run/tls.pem" 2>"$run/openssl.log"
    python3 fleet/tests/servers/tls.py "$run/tls.pem" "$run/tls.key" "$tls_port" "$connect_port" >"$run/tls.log" 2>&1 &
    processes+=($!)
    await $! "$run/tls.log" 'listening'
    export PLANTUNE_SPARK_TLS="sc://localhost:$tls_port/;use_ssl=true" PLANTUNE_SPARK_CERTIFICATE="$run/tls.pem"
fi
if [ $# -gt 0 ]; then
    "$@"
else
    timeout "$LIMIT" "${tests[@]}" -- spark:: for_spark --nocapture --test-threads 1
fi
