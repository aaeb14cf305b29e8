#!/usr/bin/env bash
# Brings the files of Swagger UI for the page at /docs, packed as they are served. Needs npm.
set -euo pipefail

version=5.35.0
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../crates/kassa-http/src/openapi/page"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm pack --silent --pack-destination "$folder" "swagger-ui-dist@$version"
tar -xzf "$folder/swagger-ui-dist-$version.tgz" -C "$folder"
for file in swagger-ui-bundle.js swagger-ui.css; do
    gzip -9 --no-name --stdout "$folder/package/$file" >"$file.gz"
done
cp "$folder/package/LICENSE" "$folder/package/NOTICE" "$folder/package/swagger-ui-bundle.js.LICENSE.txt" .
