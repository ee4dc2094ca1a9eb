import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import type { TestProjectConfiguration } from 'vitest/config'
import { LongestFirst } from './tests/harness/longest-first.ts'

// The browser project has a file of its own, because it needs the plugins of vite.config.ts.
const browser: TestProjectConfiguration[] = existsSync('vitest.browser.config.ts')
  ? ['./vitest.browser.config.ts']
  : []
// Tests of what a process has only once: the registry of its figures, the formats that its pictures may have.
const alone = ['app/server/health.test.ts', 'app/seed/**/*.test.ts', 'foundation/server/backup/*.test.ts']
// Tests of an operator's faults that measure, share the archives of one release, or start PostgreSQL again at a port which another test's
// connections could have taken meanwhile: one after the other.
const operateAlone = [
  'image',
  'installed',
  'point-in-time',
  'release',
  'renewals',
  'restore-drill',
  'standby',
].map((name) => `tests/faults/operate/${name}.test.ts`)
const never = ['**/node_modules/**', 'dist/**', '.generated/**', 'tests/architecture/fixtures/**']

export default defineConfig({
  test: {
    // One more than the two cores it is measured on: many files wait for processes that start, stop or are cut off.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // The awaited state may come late on a busy machine: with the default of one second a test would be red by chance.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'architecture',
          include: ['tests/architecture/**/*.test.ts'],
          exclude: never,
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['{app,features,foundation,tools,agent,clients}/**/*.test.ts'],
          exclude: [...never, '**/server/**', 'app/seed/**'],
          // Properties try a hundred cases each; a busy machine must not make them red.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // Loading the server costs more than most of its tests: files of one worker follow each other in one process.
          isolate: false,
          include: ['**/server/**/*.test.ts', '{database,tests/harness}/**/*.test.ts'],
          exclude: [...never, ...alone],
          setupFiles: 'tests/harness/judge-every-answer.ts',
          globalSetup: 'tests/harness/database-for-the-run.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          exclude: never,
          setupFiles: 'tests/harness/judge-every-answer.ts',
          globalSetup: 'tests/harness/database-for-the-run.ts',
          // The demo is filled whole, and whole archives are written: ten seconds each on an idle machine.
          testTimeout: 240_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          exclude: never,
          setupFiles: 'tests/harness/judge-every-answer.ts',
          globalSetup: 'tests/start/made-once.ts',
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          isolate: false,
          include: ['tests/{system,contract,faults}/**/*.test.ts'],
          exclude: [...never, 'tests/faults/operate/**'],
          setupFiles: 'tests/harness/judge-every-answer.ts',
          globalSetup: 'tests/harness/database-for-the-run.ts',
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Takes minutes each: `npm run test:faults -- operate`.
          name: 'operate',
          include: operateAlone,
          exclude: never,
          fileParallelism: false,
          testTimeout: 1_200_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          // The others wait for processes most of the time: two at once.
          name: 'operate-beside',
          include: ['tests/faults/operate/**/*.test.ts'],
          exclude: [...never, ...operateAlone],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 1_200_000,
          hookTimeout: 300_000,
        },
      },
      ...browser,
    ],
  },
})
