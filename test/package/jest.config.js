// How jest tries what a release consists of: one file after the other, for what they start is large.
import unit from '../../jest.config.js';

export default {
  ...unit,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/package/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/package/setup.ts',
  maxWorkers: 1,
  // The slowest makes a whole Debian, or builds krew.
  testTimeout: 600_000,
};
