import type pg from 'pg'
import { readSchema, type Routine, type Schema, type Table } from './read-schema.ts'
import { schemaComments } from './schema-comments.ts'
import { callersOf, featureNames, nameOf, ownersOf } from './schema-owners.ts'

/** The folder of the files that describeSchema returns. */
export const FOLDER = 'database/schema'

/**
 * Returns the schema as files for reading, by their paths: one for each feature that owns tables, and one for what belongs to the foundation
 * or to all. A table stands with its keys, indices, policies, triggers and their functions; views and the other functions follow the tables.
 */
export async function describeSchema(client: pg.Client): Promise<Map<string, string>> {
  const schema = await readSchema(client)
  const comments = schemaComments()
  const owner = ownersOf(schema)
  const besides = new Map(schema.functions.map((one) => [one, tableOf(one, schema, owner)]))
  const files = new Map<string, string>()
  for (const name of featureNames()) {
    const isOwn = (object: string) => owner(object) === name
    const roots = schema.tables.filter((table) => table.parent === null && isOwn(table.name))
    const views = schema.views.filter(({ of }) => isOwn(of))
    const others = schema.functions.filter((one) => besides.get(one) === undefined && isOwn(nameOf(one)))
    const written = [
      ...roots.map((table) =>
        tableText(table, schema, comments, (of) => schema.functions.filter((one) => besides.get(one) === of)),
      ),
      ...views.map(({ of, line }) =>
        [...commentOf(comments, of), plain(line), ...linesOf(schema.rights, of)].join('\n'),
      ),
      ...others.map((one) => functionText(one, comments)),
    ]
    if (written.length > 0)
      files.set(`${FOLDER}/${fileName(name)}.sql`, `${head(name)}\n\n${written.join('\n\n')}\n`)
  }
  return files
}

const fileName = (owner: string): string => owner.replace('features/', '')

const head = (owner: string): string =>
  `-- The tables of ${owner} with all that belongs to them, as the migrations have made them. Printed by \`npm run schema\`: do not edit.`

/** Returns the table beside which a function stands: the only one whose triggers call it, if both have one owner. */
function tableOf(one: Routine, schema: Schema, owner: (object: string) => string): string | undefined {
  const root = (name: string) => schema.tables.find((table) => table.name === name)?.parent ?? name
  const [table, ...more] = new Set(callersOf(one, schema).map(root))
  return table !== undefined && more.length === 0 && owner(table) === owner(nameOf(one)) ? table : undefined
}

function tableText(
  table: Table,
  schema: Schema,
  comments: Map<string, string>,
  functionsBeside: (table: string) => Routine[],
): string {
  const family = [table, ...schema.tables.filter(({ parent }) => parent === table.name)]
  const about = (lines: readonly { of: string; line: string }[]) =>
    family.flatMap(({ name }) => linesOf(lines, name))
  return [
    ...commentOf(comments, table.name),
    ...family.map((one) => (one === table ? createTable(one, comments) : createPartition(one, table))),
    ...about(schema.indexes),
    ...about(schema.rights),
    ...about(schema.policies),
    ...about(schema.triggers),
    ...functionsBeside(table.name).map((one) => `\n${functionText(one, comments)}`),
  ].join('\n')
}

const linesOf = (lines: readonly { of: string; line: string }[], name: string): string[] =>
  lines.filter(({ of }) => of === name).map(({ line }) => plain(line))

const commentOf = (comments: Map<string, string>, name: string): string[] => {
  const comment = comments.get(name)
  return comment === undefined ? [] : [comment]
}

function createTable({ name, key, items }: Table, comments: Map<string, string>): string {
  const lines = items.map(({ column, text }, index) => {
    const comment = column === null ? [] : commentOf(comments, `${name}.${column}`)
    const above = comment.map((line) => `${line.replaceAll(/^/gm, '  ')}\n`).join('')
    return `${above}  ${plain(text).replaceAll(/\n */g, ' ')}${index < items.length - 1 ? ',' : ''}`
  })
  const by = key === null ? '' : ` partition by ${plain(key)}`
  return `create table ${name} (\n${lines.join('\n')}\n)${by};`
}

/** Only the items that a partition does not have from its table. */
function createPartition({ name, bound, items }: Table, table: Table): string {
  const known = new Set(table.items.map(({ text }) => text))
  const own = items.filter(({ text }) => !known.has(text)).map(({ text }) => plain(text))
  return `create table ${name} partition of ${table.name}${own.length > 0 ? ` (${own.join(', ')})` : ''} ${plain(bound ?? 'default')};`
}

function functionText(one: Routine, comments: Map<string, string>): string {
  const [head = '', ...body] = one.line.trimEnd().split('AS $function$')
  const begun = plain(head).replace('create or replace function public.', 'create function ').trimEnd()
  const written = body.join('AS $function$').replace(/\$function\$$/, '')
  return [
    ...commentOf(comments, nameOf(one)),
    body.length > 0 ? `${begun}\nas $$${written}$$;` : `${begun};`,
  ].join('\n')
}

/** Statements of the catalogue as the migrations write them: in lower case but for what is quoted, and without what goes without saying. */
const plain = (text: string): string =>
  text
    .replaceAll(/'(?:[^']|'')*'|"[^"]*"|[^'"]+/g, (part) => (/^['"]/.test(part) ? part : part.toLowerCase()))
    .replaceAll(' using btree ', ' ')
