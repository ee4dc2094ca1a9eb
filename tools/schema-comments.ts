import { globSync, readFileSync } from 'node:fs'

/**
 * Returns the comments that baseline and migrations give to tables, columns and functions, by `hosts`, `hosts.name` and `licence_at()`:
 * the lines that stand right above each, with their `--`. The last of several for a function counts that speaks for itself.
 */
export function schemaComments(): Map<string, string> {
  const comments = new Map<string, string>()
  const files = ['baseline', 'migrations'].flatMap((folder) =>
    globSync(`database/${folder}/*.sql`).toSorted(),
  )
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replaceAll(/^-- (?:outside a transaction|contract:.*)\n/gm, '')
    for (const [, comment = '', table = ''] of text.matchAll(ABOVE_TABLE))
      comments.set(table, comment.trimEnd())
    for (const [, table = '', body = ''] of text.matchAll(TABLE))
      for (const [, comment = '', column = ''] of body.matchAll(ABOVE_COLUMN))
        comments.set(`${table}.${column}`, comment.replaceAll(/^ +/gm, '').trimEnd())
    for (const [, comment = '', table = '', column = ''] of text.matchAll(ABOVE_ADDED))
      comments.set(`${table}.${column}`, comment.trimEnd())
    for (const [, comment = '', name = ''] of text.matchAll(ABOVE_FUNCTION))
      if (!comments.has(`${name}()`) || !/^-- (?:As before|The same)\b/.test(comment))
        comments.set(`${name}()`, comment.trimEnd())
  }
  return comments
}

const ABOVE_TABLE = /((?:^--.*\n)+)create (?:or replace )?(?:table|view) (?:if not exists )?(\w+)/gm
const TABLE = /^create table (?:if not exists )?(\w+) \(\n(.*?)^\)/gms
const ABOVE_COLUMN = /((?:^ +--.*\n)+) +(\w+) /gm
const ABOVE_ADDED = /((?:^--.*\n)+)alter table (\w+)\s+add column (?:if not exists )?(\w+)/gm
const ABOVE_FUNCTION = /((?:^--.*\n)+)create (?:or replace )?function (\w+)\(/gm
