// How jest tries what a release consists of, and the packaged executable with all tests of the front door.
import unit from '../../jest.config.js';

export default {
  ...unit,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/package/**/*.test.ts', '<rootDir>/test/frontdoor/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/package/setup.ts',
  // The slowest makes a whole Debian, or builds krew.
  testTimeout: 600_000,
};
