// npm run bench: compares the gateway, with all features enabled, with its baselines against one provider.
import { readFileSync, writeFileSync } from 'node:fs';
import { measureAdmission } from './measure/admission.js';
import { measureColdStart } from './measure/cold-start.js';
import { measureHeld } from './measure/held.js';
import { measureLatency } from './measure/latency.js';
import { measureThroughput } from './measure/throughput.js';
import { measureValidation } from './measure/validation.js';
import { readOptions } from './options.js';
import { compare } from './report/compare.js';
import { report, reportFacts } from './report/report.js';
import { chosenScenarios } from './scenarios.js';
import { availableSubjects } from './subjects.js';
import { facts } from './system/facts.js';
import { Place } from './system/place.js';

const MEASURES = {
  throughput: measureThroughput,
  held: measureHeld,
  latency: measureLatency,
  validation: measureValidation,
  admission: measureAdmission,
  'cold-start': measureColdStart,
};

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main(options) {
  if (options.help !== null) return console.log(options.help);
  if (options.compare === null) return run(options, chosenScenarios(options.only));
  console.log(compare(...options.compare.map((file) => JSON.parse(readFileSync(file)))));
}

async function run(options, scenarios) {
  const subjects = availableSubjects(options, console.log);
  const place = await Place.open(options, subjects);
  const whole = { facts: { ...facts(), database: place.postgres.kind }, options, scenarios: [] };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void place.close().finally(() => process.exit(1)));
  console.log(reportFacts(whole));
  try {
    for (const scenario of scenarios) {
      const { kind, name, title } = scenario;
      const measured = { kind, name, title, ...(await MEASURES[kind](scenario, place)) };
      whole.scenarios.push(measured);
      console.log(report(measured));
    }
  } finally {
    await place.close();
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(whole, null, 2)}\n`);
  }
}
