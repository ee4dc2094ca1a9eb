/** Files as the owners are found in them: the paths from the root of a checkout and the text behind each. */
type Sources = { paths: readonly string[]; read: (path: string) => string }

/** Returns the owners of each table that a queries.ts names, by its name: features, as `features/hosts`, or `foundation`. */
export function ownersInQueries(sources: Sources): Map<string, Set<string>> {
  // The seed (app/seed), which writes the past of the example people, owns nothing: it moves rows of all owners.
  return ownersIn(sources, /^(?!app\/seed\/).*\/[a-z-]*queries\.ts$/, tablesIn(sources))
}

/** Returns the owners of each of these tables or views that a file names whose path matches. */
export function ownersIn(
  { paths, read }: Sources,
  matching: RegExp,
  names: readonly string[],
): Map<string, Set<string>> {
  const owned = new Map<string, Set<string>>()
  for (const path of paths.filter((candidate) => matching.test(candidate)))
    for (const name of tablesNamed(names, read(path)))
      owned.set(name, (owned.get(name) ?? new Set()).add(ownerOf(path)))
  return owned
}

export const ownerOf = (path: string): string => /^features\/[^/]+/.exec(path)?.[0] ?? 'foundation'

export const tablesIn = ({ paths, read }: Sources): string[] =>
  paths
    .filter((path) => /^database\/(?:baseline|migrations)\/.*\.sql$/.test(path))
    .flatMap((path) =>
      // A partition belongs to the owner of its table.
      [...read(path).matchAll(/^create table (?:if not exists )?(\w+)\b(?! partition of)/gim)].map(
        (match) => match[1] ?? '',
      ),
    )

/**
 * Returns those of the tables that a text names, in a builder call ('users' or 'users as u'), in SQL text (from users, join users, update
 * users) or in a list (table: 'users').
 */
export function tablesNamed(all: readonly string[], source: string): string[] {
  const text = source.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '')
  return all.filter(
    (table) =>
      text.includes(table) &&
      (new RegExp(`(From|Into|Table|Join|Using)\\w*\\(\\s*['\\[]+${table}\\b`).test(text) ||
        new RegExp(
          `\\b(from|into|update|join|using|table)\\s+(only\\s+)?${table}\\b|\\btable: '${table}'`,
          'i',
        ).test(text)),
  )
}
