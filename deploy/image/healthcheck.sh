#!/usr/bin/env bash
# The image's HEALTHCHECK: exits with 0 if /health/live returns 200 on HOST and PORT. bash connects by itself, because starting
# Node would take 40 times as much CPU time. Linux connects to this machine for the addresses 0.0.0.0 and ::.
exec 3<>"/dev/tcp/${HOST:-127.0.0.1}/${PORT:-8080}" || exit 1
printf 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
IFS=' ' read -r -t 4 _ status _ <&3
[ "$status" = 200 ]
