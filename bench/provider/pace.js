// Paces thousands of streams with one timer per interval. The streams are spread over the interval, and late ticks are caught up.
const wheels = new Map();

export function everyFewMs(everyMs, one) {
  let wheel = wheels.get(everyMs);
  if (wheel === undefined) wheels.set(everyMs, (wheel = startWheel(everyMs)));
  wheel.add(one);
}

function startWheel(everyMs) {
  const slots = Array.from({ length: everyMs }, () => []);
  let [turned, joined] = [Math.floor(performance.now()), 0];
  setInterval(() => {
    for (const now = Math.floor(performance.now()); turned < now;) {
      const at = ++turned % everyMs;
      slots[at] = slots[at].filter((one) => one());
    }
  }, 1);
  return { add: (one) => slots[joined++ % everyMs].push(one) };
}
