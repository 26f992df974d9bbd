# Clients of agents from npm, for the tests that drive them. Read by test-claude-code.sh and test-agents.sh, which set
# `whose`, as in "the tests with $whose", and `if_possible`: 1 where a machine that lacks something is no failure.

cannot() {
    if [ "$if_possible" = 1 ]; then
        echo "skipped: the tests with $whose: $1"
        exit 0
    fi
    echo "$whose cannot be driven: $1" >&2
    exit 1
}

# The package of the agent $1, and the version to test: $2, which may be `newest`, or the one that is known to pass.
package_of() {
    local package version
    read -r package version < <(sed -n "s/^$1 //p" hooks/agents/tested-versions.txt)
    version="${2:-$version}"
    if [ "$version" = newest ]; then
        version="$(npm view "$package" version --fetch-retries=1 --fetch-timeout=20000 2>/dev/null)" ||
            cannot "npm does not reach its registry, or there is no $package"
    fi
    echo "$package@$version"
}

# Installs the package $2 into the folder $1, unless it is there. None of its scripts need run.
install_client() {
    [ -e "$1/installed" ] && return
    command -v npm >/dev/null 2>&1 || cannot 'npm is missing'
    npm view "$2" version --fetch-retries=1 --fetch-timeout=20000 >/dev/null 2>&1 ||
        cannot "npm does not reach its registry, or there is no $2"
    rm -rf "${1:?}" && mkdir -p "$1"
    # Don't wait for a network that answers nothing; not every system has `timeout`.
    local limit=()
    command -v timeout >/dev/null 2>&1 && limit=(timeout 300)
    ${limit[@]+"${limit[@]}"} npm install --prefix "$1" --no-save --no-audit --no-fund --ignore-scripts \
        --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=2000 --fetch-retry-maxtimeout=5000 "$2" ||
        cannot "npm could not install $2"
    : >"$1/installed"
}
