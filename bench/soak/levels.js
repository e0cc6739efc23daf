// Whether a process is back where it was: how much of each resource may have been added.

/** Room for what no leak is: caches that fill, pages that the allocator keeps, a pool at another size. */
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

/** A row for each: `{what, before, after, room, back}`. */
export function compareLevels(before, after) {
  return Object.entries(ROOM).map(([what, room]) => ({
    what,
    before: before[what],
    after: after[what],
    room: room(before[what]),
    back: after[what] <= before[what] + room(before[what]),
  }));
}
