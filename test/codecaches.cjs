// Which code caches V8 takes for a command: `codecaches.cjs WORDS…` runs the bundle, and lists its parts on stderr as it ends.

const { writeSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

const LAUNCH = join(__dirname, '../bin/launch.cjs');
const STDERR = 2;
const taken = {};

const { Script } = vm;
vm.Script = class extends Script {
  constructor(text, options) {
    super(text, options);
    taken[options.filename] = this.cachedDataRejected === false;
  }
};

process.argv = [process.argv[0], LAUNCH, ...process.argv.slice(2)];
process.on('exit', () => writeSync(STDERR, `\nTAKEN ${JSON.stringify(taken)}\n`));
require(LAUNCH);
