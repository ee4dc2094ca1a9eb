import * as banking from '#features/banking/server/banking.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** `transfer reread`: reads the kept files of the bank again, as the present release reads them, and says what was missing. */
export const rereadStatements = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const files = await banking.rereadFiles(app)
    const lines = files.flatMap(({ name, kept_at, added }) => {
      const file = `${name || 'A file'} of ${kept_at.toISOString().slice(0, 10)}`
      if (!added) return [`${file} can no longer be read.`]
      const { exact, ambiguous, unknown } = added.counts
      const count = exact + ambiguous + unknown
      return count + added.odd === 0
        ? []
        : [`${file}: ${count} payments were missing, and ${added.odd} parts are not certain.`]
    })
    const none = `${files.length} files were read again. Nothing was missing.`
    return { lines: lines.length > 0 ? lines : [none], data: { files } }
  })
