import type { Rule } from './tree.ts'

const OUTSIDE = '-- outside a transaction'

/** Changes that break a process of the release before, each with its words in the complaint. */
const breaking: readonly (readonly [what: string, how: RegExp])[] = [
  ['drops a table', /\bdrop table (?:if exists )?(\w+)/gi],
  ['drops a column', /\bdrop column (?:if exists )?(\w+)/gi],
  ['drops a function', /\bdrop function (?:if exists )?(\w+)/gi],
  ['drops a view', /\bdrop (?:materialized )?view (?:if exists )?(\w+)/gi],
  ['renames', /\brename (?:column |constraint )?(?:\w+ )?to (\w+)/gi],
  ['changes the type of', /\balter column (\w+) (?:set data )?type\b/gi],
  ['demands', /\balter column (\w+) set not null\b/gi],
  [
    'adds without a default',
    /\badd column (?:if not exists )?(\w+) (?![^,;]*\bdefault\b)[^,;]*\bnot null\b/gi,
  ],
]

/**
 * Expand and contract: a migration only adds, so that processes of the release before run on beside this one; a name that nobody
 * reads any more is dropped a release later, by a migration that says since when: `-- contract: NAME is read no more since 0.2.0`.
 */
export const rolling: Rule = ({ paths, read }) => {
  const version = paths.includes('package.json') ? versionOf(read('package.json')) : ''
  const migrations = paths.filter((path) => /^database\/migrations\/\d{4}_/.test(path))
  const owned = [...paths.filter((path) => path.startsWith('database/baseline/')), ...migrations].flatMap(
    (path) => [...read(path).matchAll(/\bprotect_rows\('(\w+)'/g)].flatMap(([, table = '']) => table),
  )
  return migrations.flatMap((path) => [
    ...complaints(path, read(path), version),
    ...blind(path, read(path), owned),
  ])
}

/** Only the system may change rows that have an owner: a migration that does not act as the system changes none, without an error. */
const blind = (path: string, text: string, owned: readonly string[]): string[] =>
  text.includes("set_config('app.actor', 'system', true)")
    ? []
    : [...text.matchAll(/^(?:update|delete from) (\w+)/gm)]
        .filter(([, table = '']) => owned.includes(table))
        .map(
          ([, table]) =>
            `${path} changes no row of ${table}: begin with select set_config('app.actor', 'system', true).`,
        )

function complaints(path: string, text: string, version: string): string[] {
  const statements = text.replaceAll(/--.*$/gm, '')
  if (text.startsWith(OUTSIDE)) return []
  const made = [...statements.matchAll(/\bcreate (?:temporary )?table (\w+)/gi)].map(([, table]) => table)
  // The old tables whose names new tables take over, as when an old table becomes a partition of the new one.
  const replaced = [...statements.matchAll(/\balter table (\w+) rename to (\w+)/gi)].flatMap(
    ([, before, after]) => (made.includes(before) ? [after] : []),
  )
  const slow = [...statements.matchAll(/\bcreate (?:unique )?index \w+ on (\w+)/gi)]
    .filter(([, table]) => !made.includes(table))
    .map(
      ([, table]) =>
        `${path} locks ${table} while it makes an index: make it concurrently, in a file that begins with '${OUTSIDE}'.`,
    )
  const broken = breaking.flatMap(([what, how]) =>
    [...statements.matchAll(how)]
      .filter(([, name = '']) => ![...made, ...replaced].includes(name) && !isContracted(text, name, version))
      .map(
        ([, name]) =>
          `${path} ${what} ${name}: the release before still uses it. Add first; take away a release later.`,
      ),
  )
  return [...slow, ...broken]
}

function isContracted(text: string, name: string, version: string): boolean {
  const since = new RegExp(`^-- contract: ${name} is read no more since (\\d+\\.\\d+\\.\\d+)\\.?$`, 'm').exec(
    text,
  )?.[1]
  return since !== undefined && numberOf(since) < numberOf(version)
}

const versionOf = (text: string): string => (JSON.parse(text) as { version: string }).version

const numberOf = (version: string): number =>
  version.split('.').reduce((sum, part) => sum * 1000 + Number.parseInt(part, 10), 0)
