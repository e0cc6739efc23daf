/** `write` with its last text kept: those who ask within one millisecond share it. */
export function onceAMillisecond(write: (ms: number) => string): (ms: number) => string {
  let [lastMs, text] = [Number.NaN, ''];
  return (ms) => {
    if (ms !== lastMs) [lastMs, text] = [ms, write(ms)];
    return text;
  };
}
