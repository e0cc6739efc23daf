# Debian's Node image, or another image with Node 26.10, glibc, bash, and the user 1000. A release passes it with its digest, so that
# the base cannot change (docs/releasing.md).
ARG NODE_IMAGE=node:26.10-bookworm-slim

# Builds on the platform of the build machine, because the result is the same for every platform.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/node/package.json tools/node/
COPY dashboard/package.json dashboard/
COPY sandbox/package.json sandbox/
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY src src
COPY sandbox sandbox
COPY migrations migrations
COPY dashboard dashboard
COPY tools/bundle.js tools/version.js tools/archived-commit.json tools/
COPY tools/image tools/image
COPY tools/supply-chain tools/supply-chain
# Without it, the version is `unknown`, because the build has no Git (docs/releasing.md).
ARG VERSION
RUN BUILD_VERSION="$VERSION" npm run build && node tools/image/write-licenses.js

# Installs the native packages of the target platform. Docker's amd64 is npm's x64.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS packages
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/node/package.json tools/node/
COPY dashboard/package.json dashboard/
COPY sandbox/package.json sandbox/
RUN npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc \
  --cpu="$(echo "${TARGETARCH:-$(node -p process.arch)}" | sed s/amd64/x64/)"
COPY tools/version.js tools/archived-commit.json tools/
COPY tools/image tools/image
COPY tools/supply-chain tools/supply-chain
COPY --from=build /app/dist dist
RUN node tools/image/assemble.js image && node tools/supply-chain/write-sbom.js image

# No RUN below, so that an image for another platform needs no emulation.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 GW_METRICS_HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/image/node_modules node_modules
COPY --from=packages /app/image/dist dist
COPY --from=packages /app/image/package.json /app/image/sbom.cdx.json ./
COPY deploy/image/healthcheck.sh ./
# The gateway writes no files in production, so the root file system can be read-only.
# The user `node` as a numeric ID: Kubernetes cannot verify `runAsNonRoot` for a user name.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["bash", "/app/healthcheck.sh"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js"]
ARG VERSION=unknown
ARG COMMIT=unknown
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="inference-gateway" \
  org.opencontainers.image.description="An HTTP gateway in front of AI provider accounts" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${COMMIT}" \
  org.opencontainers.image.base.name="${NODE_IMAGE}"
