import { ownersInQueries, tablesIn, tablesNamed } from '#tools/table-owners.ts'
import type { Rule } from './tree.ts'

/**
 * A table has one owner, a feature or the foundation, and no queries.ts of another owner names the table. The seed (app/seed), which
 * writes the past of the example people, is exempt: it moves rows of all owners, which no code that runs for customers may.
 */
export const owners: Rule = (tree) => {
  return [...ownersInQueries(tree)].flatMap(([table, owners]) => {
    if (owners.size < 2) return []
    return [
      `${table} is named in the queries of ${[...owners].toSorted().join(' and ')}: let one own it and the other call its public API.`,
    ]
  })
}

/** Every table of the schema is named in the code of a feature or the foundation: nobody cleans a table without an owner. */
export const ownerless: Rule = (tree) => {
  const all = tablesIn(tree)
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
