/** Pseudorandom numbers that depend only on the seeds (mulberry32). */
export class Dice {
  private state: number;

  constructor(...seeds: readonly number[]) {
    this.state = seeds.reduce((state, seed) => Math.imul(state ^ (seed + 0x9e3779b9), 0x85ebca6b) ^ (state >>> 13), 1);
  }

  /** Returns an integer from 0 to `below` - 1. */
  int(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  }

  oneIn(n: number): boolean {
    return this.int(n) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!;
  }
}
