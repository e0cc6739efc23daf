/** Tolerances for growth that is not a leak: caches, pages kept by the allocator, pool sizes. */
const ROOM = {
  rssMiB: (before) => 40 + before * 0.2,
  heapMiB: (before) => 5 + before * 0.05,
  externalMiB: (before) => 5 + before * 0.2,
  timers: () => 5,
  resources: () => 12,
  sockets: () => 8,
  handles: () => 8,
  threads: () => 2,
};

export function compareLevels(before, after) {
  return Object.entries(ROOM).map(([what, room]) => ({
    what,
    before: before[what],
    after: after[what],
    room: room(before[what]),
    back: after[what] <= before[what] + room(before[what]),
  }));
}
