#!/bin/sh
# Starts the client of this folder, from wherever this script is called.
# Uses nothing but the shell itself unless the client has lost its permission to run.
case $0 in
    */*) folder=${0%/*} ;;
    *) folder=. ;;
esac
[ -x "$folder/PROGRAM" ] || chmod +x "$folder/PROGRAM"
exec "$folder/PROGRAM" "$@"
