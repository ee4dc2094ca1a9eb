import { globSync, readFileSync } from 'node:fs'
import { must } from '#foundation/must.ts'
import { featuresInOrder } from './features.ts'
import type { Routine, Schema } from './read-schema.ts'
import { ownerOf, ownersIn, ownersInQueries, tablesNamed } from './table-owners.ts'

const FOUNDATION = 'foundation'
const QUERIES = /^(features|foundation)\/.*queries\.ts$/

/** The owners in their order, the parts of a feature as one. */
export const featureNames = (): string[] => [
  FOUNDATION,
  ...new Set(
    featuresInOrder((file) => readFileSync(file, 'utf8')).map((name) => `features/${name.split('/')[0]}`),
  ),
]

/** A function is named as its calls are, so that a table may have the same name. */
export const nameOf = ({ name }: Routine): string => `${name}()`

/** The tables whose triggers call a function. */
export const callersOf = ({ name }: Routine, { triggers }: Schema): string[] => [
  ...new Set(triggers.filter((trigger) => trigger.function === name).map(({ of }) => of)),
]

/**
 * Returns the owner of a table, a view or a function (`licence_at()`). A table and a view belong to whose queries.ts names them. A function,
 * and a view that several name, belong to the last in the order of features among the owners of the tables that it names and of the functions that it calls,
 * since a feature leans only on those before it; a function with neither belongs to the only owner that calls it, or to the foundation.
 */
export function ownersOf(schema: Schema): (object: string) => string {
  const paths = globSync(['{database,features,foundation}/**/*.{ts,sql}']).toSorted()
  const sources = { paths, read: (file: string) => readFileSync(file, 'utf8') }
  const order = featureNames()
  const last = (names: readonly string[]) =>
    names.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)).at(-1)
  const tables = schema.tables.map(({ name }) => name)
  const inQueries = ownersInQueries(sources)
  const inCode = ownersIn(sources, /^(features|foundation)\/.*(?<!\.test)\.ts$/, tables)
  const owners = new Map<string, string>()
  for (const { name, parent } of schema.tables) {
    const found = inQueries.get(parent ?? name) ?? inCode.get(parent ?? name) ?? []
    owners.set(name, last([...found]) ?? FOUNDATION)
  }
  const ofTables = (text: string) =>
    last(tablesNamed(tables, text.replaceAll(/--.*$|\bpublic\./gm, '')).map((name) => must(owners.get(name))))
  const views = schema.views.map(({ of }) => of)
  const readers = ownersIn(sources, QUERIES, views)
  for (const { of, line } of schema.views) {
    const [reader, ...more] = readers.get(of) ?? []
    owners.set(of, (more.length === 0 ? reader : undefined) ?? ofTables(line) ?? FOUNDATION)
  }
  giveToLast(schema, owners, (one) => ofTables(one.line), last)
  const files = paths.filter((file) => QUERIES.test(file))
  const calls = files.map((file) => ({ owner: ownerOf(file), text: sources.read(file) }))
  giveToCallers(schema, owners, calls)
  return (object) => owners.get(object) ?? FOUNDATION
}

/** Gives each function to the last owner among the tables that it names and the functions that it calls, and goes on until nothing changes. */
function giveToLast(
  { functions }: Schema,
  owners: Map<string, string>,
  ofTables: (one: Routine) => string | undefined,
  last: (names: readonly string[]) => string | undefined,
): void {
  const all = functions.map((one) => {
    const called = functions.filter(
      (other) => other.name !== one.name && new RegExp(`\\b${other.name}\\(`).test(one.line),
    )
    return { name: nameOf(one), table: ofTables(one), called: called.map(nameOf) }
  })
  for (let given = true; given;) {
    given = false
    for (const { name, table, called } of all) {
      const before = owners.get(name)
      const found = [before, table, ...called.map((other) => owners.get(other))]
      const owner = last(found.filter((one) => one !== undefined))
      if (owner === undefined || owner === before) continue
      owners.set(name, owner)
      given = true
    }
  }
}

type Call = { owner: string; text: string }

/** Gives each function without an owner to the only owner among its callers, and goes on until nothing changes. */
function giveToCallers(schema: Schema, owners: Map<string, string>, calls: readonly Call[]): void {
  const { tables, indexes, policies, triggers, functions } = schema
  const items = tables.flatMap(({ name, items: all }) => all.map(({ text }) => ({ of: name, line: text })))
  const lines = [...items, ...indexes, ...policies, ...triggers]
  for (let given = true; given;) {
    given = false
    for (const one of functions.filter((candidate) => !owners.has(nameOf(candidate)))) {
      const called = new RegExp(`\\b${one.name}\\(`)
      const others = functions.filter((other) => other.name !== one.name && called.test(other.line))
      const callers = new Set([
        ...calls.filter(({ text }) => called.test(text)).map(({ owner }) => owner),
        ...lines.filter(({ line }) => called.test(line)).map(({ of }) => owners.get(of)),
        ...others.map((other) => owners.get(nameOf(other))),
      ])
      const [owner] = callers
      if (callers.size !== 1 || owner === undefined) continue
      owners.set(nameOf(one), owner)
      given = true
    }
  }
}
