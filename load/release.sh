#!/bin/sh
# Builds the programs of a release: k6 with this extension, for each system. The version is a tag
# of this module, load/vX.Y.Z, or "." for a working copy.
#
#	release.sh VERSION DIRECTORY
set -eu
version=$1 out=$2
k6=v2.2.0 platforms=${PLATFORMS:-"linux/amd64 linux/arm64 darwin/arm64 windows/amd64"}
module=github.com/pixcert/pixcert/load
case $version in
.) with=$module=$(cd "$(dirname "$0")" && pwd) ;;
load/v*) with=$module@${version#load/} ;;
*) echo "release.sh: expected a tag such as load/v1.2.3, got $version" >&2; exit 2 ;;
esac
mkdir -p "$out"
for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/} program=
	[ "$os" = windows ] && program=.exe
	GOOS=$os GOARCH=$arch CGO_ENABLED=0 ${XK6:-xk6} build $k6 --with "$with" --output "$out/k6-pix-$os-$arch$program"
done
cd "$out" && sha256sum k6-pix-* >checksums.txt
