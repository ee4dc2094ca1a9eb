import { must } from '#foundation/must.ts'
import type { Migration } from './run-migration.ts'
import { BASELINE } from './steps.ts'

/** A step that a database or a backup says to have run. Backups made before hashes were kept in them know the names only. */
export type RanStep = { name: string; hash?: string | undefined }

type Kind = 'database' | 'backup'

/**
 * Returns the one line by which this release refuses a database or a backup that has run these steps; undefined if it reads it. Names and
 * hashes are judged together: only names after the last of ours, on top of all of ours, are those of a newer release, which `acceptNewer`
 * lets pass. Any other difference is another commit's schema, from which no migration of ours leads on.
 */
export function refusalOf(
  kind: Kind,
  ran: readonly RanStep[],
  ours: readonly Migration[],
  { acceptNewer = false } = {},
): string | undefined {
  const last = must(ours.at(-1)).name
  const newest = ran
    .map(({ name }) => name)
    .filter((name) => name > last && name !== BASELINE)
    .toSorted()
    .at(-1)
  const foreign = foreignIn(ran, ours, last) ?? (newest && lackingIn(ran, ours, newest))
  if (foreign)
    return `The ${kind} was made by another commit, which this release does not read: ${foreign}. ${leave[kind]}`
  if (newest === undefined || acceptNewer) return undefined
  return `The ${kind} is newer than this release: it has ${newest}, this release ends with ${last}. ${goOn[kind]}`
}

/** Returns the line that refuses a database in which no step has run, because of this object; undefined where there is none. */
export const refusalOfOthers = (stranger: string | undefined): string | undefined =>
  stranger &&
  `The database is not empty and not Hostdesk's: it holds ${stranger}, and no record of migrations. ` +
    'Start with an empty database, or an empty DATA_DIR; a backup is restored into an empty one.'

const leave: Record<Kind, string> = {
  database: 'Start the commit that made it, or start with an empty database, or an empty DATA_DIR.',
  backup: 'Restore it with the commit that made it.',
}
const goOn: Record<Kind, string> = {
  database:
    'Start the newer release, or restore a backup of this one; ACCEPT_NEWER_DATABASE=on goes back exactly one release.',
  backup: 'Restore it with the newer release.',
}

function foreignIn(ran: readonly RanStep[], ours: readonly Migration[], last: string): string | undefined {
  const hashes = new Map(ours.map(({ name, hash }) => [name, hash]))
  const differs = ({ name, hash }: RanStep) => hash !== undefined && hash !== hashes.get(name)
  const beginning = ran.find(({ name }) => name === BASELINE)
  if (!beginning || differs(beginning)) return 'it did not begin with the baseline of this release'
  const unknown = ran.find(({ name }) => !hashes.has(name) && name < last)
  if (unknown) return `it has ${unknown.name}, which is unknown here`
  const edited = ran.find((step) => hashes.has(step.name) && differs(step))
  return edited && `its ${edited.name} has another text than that of this release`
}

function lackingIn(ran: readonly RanStep[], ours: readonly Migration[], newest: string): string | undefined {
  const lacking = ours.find(({ name }) => ran.every((step) => step.name !== name))
  return lacking && `it has ${newest}, but not ${lacking.name}`
}
