import { once } from 'node:events';
import { join } from 'node:path';
import { startSubjects } from '../subjects.js';
import { openPostgres } from './databases.js';
import { firstMessage, forkOn, freePort, OTHER_CORES } from './processes.js';

export class Place {
  #subjects = null;

  static async open(options, available) {
    const place = new Place();
    place.options = options;
    place.settings = options.settings;
    place.available = available;
    place.postgres = await openPostgres();
    place.providerPort = await freePort();
    place.provider = forkOn(OTHER_CORES, join(import.meta.dirname, '../provider/provider.js'), [
      String(place.providerPort),
    ]);
    place.load = forkOn(OTHER_CORES, join(import.meta.dirname, '../load/load.js'), []);
    await Promise.all([firstMessage(place.provider), firstMessage(place.load)]);
    return place;
  }

  async subjects() {
    this.#subjects ??= await startSubjects(this.available, this);
    return this.#subjects;
  }

  async providerCounts() {
    this.provider.send('counts');
    return (await once(this.provider, 'message'))[0];
  }

  async run(plan, at = {}) {
    this.load.send(plan);
    for (;;) {
      const [message] = await once(this.load, 'message');
      if (typeof message === 'string') await at[message]?.();
      else if (message.error !== undefined) throw new Error(message.error);
      else return message;
    }
  }

  async stopSubjects() {
    for (const subject of Object.values(this.#subjects ?? {})) await subject.stop();
    this.#subjects = null;
  }

  async close() {
    await this.stopSubjects();
    this.load.disconnect();
    this.provider.disconnect();
    await this.postgres.stop();
  }
}
