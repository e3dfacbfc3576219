#!/bin/bash
# What a Travis machine had and a sandbox has not, by name. Runs inside the sandbox:
#   bash travis.sh lay FOLDER       makes a program in FOLDER for each name below
#   bash travis.sh NAME WORDS ...   is that program
# Each line it prints about itself starts with "thresher: "; they go into the evidence.

SKIPPED="apt apt-get add-apt-repository aptitude dpkg yum brew choco snap
  curl wget docker docker-compose service systemctl start-stop-daemon initctl
  psql createdb createuser mysql mysqladmin redis-server redis-cli mongo sqlplus
  codecov coveralls python-coveralls codacy python-codacy-coverage codeclimate cc-test-reporter
  pyenv conda mamba nvm rvm npm yarn gem bundle phantomjs travis ssh ssh-add ssh-keyscan scp
  twine git-lfs sysctl modprobe locale-gen update-alternatives"
STOOD_FOR="sudo travis_retry travis_wait travis_time_start travis_time_finish travis_fold
  travis_terminate xvfb-run pip pip3 tox"
REPORTERS='^(codecov|coveralls|python-coveralls|codacy-coverage|codeclimate-test-reporter|scrutinizer-ocular)([^a-z-].*)?$'

lay() {
  mkdir -p "$1"
  for name in $SKIPPED $STOOD_FOR; do
    printf '#!/bin/sh\nexec bash %s %s "$@"\n' "$(realpath "$0")" "$name" > "$1/$name"
    chmod +x "$1/$name"
  done
}

as_user() {  # sudo -H -u name VARIABLE=value command
  while [[ $1 == -* ]]; do
    [[ $1 == -[ugCpTh] ]] && shift
    shift
  done
  [[ $# -eq 0 ]] || exec env "$@"
}

retry() {
  for _ in 1 2 3; do
    "$@" && return
  done
}

install_packages() {  # coverage reporters are no part of the tests, and some are gone
  local words=() word
  for word; do
    if [[ $word =~ $REPORTERS ]]; then
      echo "thresher: skipped installing $word"
    elif [[ $word != --use-mirrors ]]; then
      words+=("$word")
    fi
  done
  [[ ${words[*]} == install ]] || exec "$THRESHER_ENVIRONMENT/bin/python" -m pip "${words[@]}"
}

run_tox() {  # offline, the package lies in tox's environments already
  local tox=("$THRESHER_ENVIRONMENT/bin/python" -m tox) options=()
  if [[ $THRESHER_OFFLINE && $("${tox[@]}" --help 2>&1; "${tox[@]}" run --help 2>&1) == \
    *--skip-pkg-install* ]]; then
    options=(--skip-pkg-install)
  fi
  if [[ $1 == run || $1 == r ]]; then
    shift
  fi
  exec "${tox[@]}" "${options[@]}" "$@"
}

name=$1
shift
case $name in
  lay) lay "$@" ;;
  sudo) as_user "$@" ;;
  travis_retry) retry "$@" ;;
  travis_wait) [[ $1 =~ ^[0-9]+$ ]] && shift; exec "$@" ;;
  xvfb-run) while [[ $1 == -* ]]; do shift; done; exec "$@" ;;
  travis_*) ;;
  pip | pip3) install_packages "$@" ;;
  tox) run_tox "$@" ;;
  *) echo "thresher: skipped $name $*" >&2 ;;  # its output may be piped into a shell
esac
