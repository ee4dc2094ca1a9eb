import * as banking from '#features/banking/server/banking.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** `transfer reread`: reads the kept files of the bank again, adds what an earlier release had dropped, and says what it was. */
export const rereadStatements = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const { files, unkept } = await banking.rereadFiles(app)
    const lines = files.flatMap(({ name, kept_at, added }) => {
      const file = `${name || 'A file'} of ${kept_at.toISOString().slice(0, 10)}`
      if (!added) return [`${file} can no longer be read.`]
      const { exact, ambiguous, unknown } = added.counts
      const count = exact + ambiguous + unknown
      return count + added.odd === 0
        ? []
        : [`${file}: ${count} payments were missing, and ${added.odd} parts are not certain.`]
    })
    const old = unkept.map(
      ({ statement_id, opened_on, closed_on, imported_at }) =>
        `The file of statement ${statement_id || 'without a name'} (${opened_on ?? '?'} to ${closed_on ?? '?'}, imported on ${imported_at.toISOString().slice(0, 10)}) was not kept. Download it again and import it.`,
    )
    const none = `${files.length} files were read again. Nothing was missing.`
    return { lines: [...(lines.length > 0 ? lines : [none]), ...old], data: { files, unkept } }
  })
