import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, so that none of them is begun at the end, when the other processor has nothing left to do. */
export const LONGEST = [
  'tests/system/access.test.ts',
  'tests/faults/cuts.test.ts',
  'tests/faults/licences/histories.test.ts',
  'tests/system/api-document.test.ts',
  'tests/system/generated.test.ts',
  'tests/faults/kill-staff-jobs.test.ts',
  'tests/system/headers.test.ts',
  'tests/system/kill.test.ts',
  'tests/system/foreign.test.ts',
  'tests/system/agent-alone.test.ts',
  'tests/faults/kill-money.test.ts',
  'tests/faults/model/model.test.ts',
  'tests/faults/kill-debts.test.ts',
  'tests/system/agent-verify.test.ts',
  'features/support/files/server/kill.test.ts',
  'features/security/server/races.test.ts',
  'features/sales/server/transfer-races.test.ts',
  'features/sales/server/upgrade-model.test.ts',
  'features/sales/server/books.test.ts',
  'features/auth/server/races.test.ts',
  'foundation/server/mail/kill.test.ts',
  'foundation/server/backup/backup.test.ts',
]

const { sort: inOrderOfVitest } = BaseSequencer.prototype

/** Keeps vitest's order of the projects, and its order of the files that are not in `LONGEST`: larger files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await inOrderOfVitest.call(this, files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const placeOf = ({ project, moduleId }: TestSpecification): number => {
      const known = LONGEST.indexOf(path.relative(process.cwd(), moduleId))
      return projects.indexOf(project.name) * 1000 + (known === -1 ? LONGEST.length : known)
    }
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
