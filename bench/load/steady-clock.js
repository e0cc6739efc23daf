export function steadyMicroseconds() {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + Math.round(nanoseconds / 1000);
}
