/**
 * Narrows the types of tables: a text column whose CHECK lists its values gets the union of these values as its type. `types` is
 * what kysely-codegen wrote, `schema` the text of the files of database/schema.
 */
export function narrowTypes(types: string, schema: string): string {
  let narrowed = types
  for (const [, table = '', body = ''] of schema.matchAll(/^create table (\w+) \(\n(.*?)^\)/gims)) {
    for (const [, column = '', list = ''] of body.matchAll(LISTED)) {
      const union = [...list.matchAll(/'((?:[^']|'')*)'::text/g)]
        .map(([, value = '']) => `'${value}'`)
        .join(' | ')
      narrowed = narrowed.replace(
        new RegExp(
          `(export interface ${pascal(table)} \\{(?:(?!\\n\\}).)*?\\n  ${column}: )(Generated<)?string\\b`,
          's',
        ),
        `$1$2${union}`,
      )
    }
  }
  return narrowed
}

const LISTED = /check \((\w+) = any \(array\[([^\]]+)\]\)\)/g

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
