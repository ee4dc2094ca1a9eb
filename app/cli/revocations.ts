import { revocationList } from '#features/licences/server/document-queries.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

const MOST_SHOWN = 100

/** Prints the list that machines fetch: its number, the hosts whose documents from before a time are void, and the withdrawn keys. */
export const printRevocations = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const { seq, iat, revoked, withdrawn_keys } = await revocationList(app.db)
    const entries = revoked.toReversed().map(([host, before]) => ({ host, before: inTime(before) }))
    const shown = entries.slice(0, MOST_SHOWN)
    return {
      lines: [
        `Number ${seq}, changed ${inTime(iat)}: documents of ${revoked.length} hosts are void, and ${withdrawn_keys.length} keys are withdrawn.`,
        ...shown.map(({ host, before }) => `${host}  documents from before ${before}`),
        ...(shown.length < entries.length ? [`… and ${entries.length - shown.length} more`] : []),
        ...withdrawn_keys.map((kid) => `key ${kid}`),
      ],
      data: { seq, changed_at: inTime(iat), revoked: entries, withdrawn_keys },
    }
  })

const inTime = (seconds: number): string => new Date(seconds * 1000).toISOString()
