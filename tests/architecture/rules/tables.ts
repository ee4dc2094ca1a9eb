import type { Rule, Tree } from './tree.ts'

/**
 * A table has one owner, a feature or the foundation, and no queries.ts of another owner names the table. The seed (app/seed), which
 * writes the past of the example people, is exempt: it moves rows of all owners, which no code that runs for customers may.
 */
export const owners: Rule = (tree) => {
  const owned = new Map<string, Set<string>>()
  const queries = /^(?!app\/seed\/).*\/[a-z-]*queries\.ts$/
  const all = tables(tree)
  for (const path of tree.paths.filter((candidate) => queries.test(candidate)))
    for (const table of tablesNamed(all, tree.read(path)))
      owned.set(table, (owned.get(table) ?? new Set()).add(ownerOf(path)))
  return [...owned].flatMap(([table, owners]) => {
    if (owners.size < 2) return []
    return [
      `${table} is named in the queries of ${[...owners].toSorted().join(' and ')}: let one own it and the other call its public API.`,
    ]
  })
}

/** Every table of the schema is named in the code of a feature or the foundation: nobody cleans a table without an owner. */
export const ownerless: Rule = (tree) => {
  const all = tables(tree)
  const named = new Set(
    tree.paths
      .filter((path) => /^(features|foundation)\/.*\.ts$/.test(path))
      .flatMap((path) => tablesNamed(all, tree.read(path))),
  )
  return all
    .filter((table) => !named.has(table))
    .map(
      (table) => `${table} is named by no feature and not by the foundation: drop it, or give it an owner.`,
    )
}

/** Migrations run forward only, one after the other: no number is used twice. */
export const numbered: Rule = ({ paths }) => {
  const files = paths.filter((path) => path.startsWith('database/migrations/'))
  const numbers = files.map((path) => path.slice('database/migrations/'.length).split('_')[0])
  return files.flatMap((path, index) => {
    if (!/^database\/migrations\/\d{4}_[a-z0-9_]+\.sql$/.test(path))
      return [`${path}: call it 0007_what_it_adds.sql.`]
    return numbers.indexOf(numbers[index]) < index ? [`${path}: its number is taken.`] : []
  })
}

const ownerOf = (path: string): string => /^features\/[^/]+/.exec(path)?.[0] ?? 'foundation'

const tables = ({ paths, read }: Tree): string[] =>
  paths
    .filter((path) => /^database\/(?:baseline|migrations)\/.*\.sql$/.test(path))
    .flatMap((path) =>
      // A partition belongs to the owner of its table.
      [...read(path).matchAll(/^create table (?:if not exists )?(\w+)\b(?! partition of)/gim)].map(
        (match) => match[1] ?? '',
      ),
    )

// A table is named in a builder call ('users' or 'users as u'), in SQL text (from users, join users, update users) or in a list (table: 'users').
function tablesNamed(all: readonly string[], source: string): string[] {
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
