// Thousands of streams at an even pace by one timer for each pace, spread over its period: what runs late is made up for.
const wheels = new Map();

/** Calls `one` each `everyMs` milliseconds until it returns false. */
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
