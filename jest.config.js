// How jest runs the tests: native ESM, TypeScript stripped by swc.
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/controlplane/',
    '<rootDir>/test/endtoend/',
    '<rootDir>/test/package/',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  // A first run loads the code that reaches clusters; on a busy machine that alone takes seconds.
  testTimeout: 180_000,
  maxWorkers: 2,
  // Modules of each test file stay in memory; a worker that holds many is four times as slow.
  workerIdleMemoryLimit: '512MB',
};
