// How jest runs the end-to-end suite: one file after the other, for all share one control plane.
import unit from '../../jest.config.js';

export default {
  ...unit,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/endtoend/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  // The slowest waits for a control plane of its own to start.
  testTimeout: 120_000,
};
