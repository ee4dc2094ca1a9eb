// `npm run routes`: one page that lists the product, written from the code itself: calls, pages, events, jobs, mails and
// settings. It is kept in docs/product.md (`npm run routes -- --write`), where a test compares it.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { featureOf } from '#tools/features.ts'
import { jobs, reactions, routes } from '#app/server/features.ts'
import { paths } from '#features/paths.ts'
import { settings } from '#app/server/config.ts'

const PAGE = 'docs/product.md'

/** The page as Markdown, read from the tree below the present directory. */
export async function describeProduct(): Promise<string> {
  const modules = await Promise.all(
    find('{features,foundation}/**/{contract,*-contract}.ts').map(async (file) => ({
      owner: ownerOf(file),
      values: valuesIn(await import(pathToFileURL(path.resolve(file)).href)),
    })),
  )
  const named = (name: 'type' | 'kind') =>
    modules
      .flatMap(({ owner, values }) =>
        values.flatMap((value) => {
          const found = isRecord(value) && !('_zod' in value) ? value[name] : undefined
          return typeof found === 'string' && NAME.test(found) ? [[found, owner]] : []
        }),
      )
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  const reacting = new Set(reactions.map(({ type }) => type))
  return [
    '# The product on one page',
    'Written by `npm run routes -- --write`; a test compares it with the code.',
    section(
      'Calls',
      ['Call', 'Who', 'What'],
      routes.map(({ contract: { method, path: address, access, summary } }) => [
        `\`${method} ${address}\``,
        access.who === 'staff' ? `staff, ${access.permission.name}` : access.who,
        summary,
      ]),
    ),
    section('Pages', ['Page, below `/account`', 'Feature', 'Who'], pages()),
    section(
      'Events between features',
      ['Event', 'From', 'Reacted to'],
      named('type').map(([type = '', owner = '']) => [
        `\`${type}\``,
        owner,
        reacting.has(type) ? 'yes' : 'no',
      ]),
    ),
    section(
      'Jobs',
      ['Job', 'Class', 'When'],
      jobs.map(({ name, class: its = '', every_s, every_ms }) => [
        `\`${name}\``,
        its,
        every_s
          ? `every ${every_s} s, once for all processes`
          : every_ms
            ? `every ${every_ms} ms, in each process`
            : 'when it is queued',
      ]),
    ),
    section(
      'Mails',
      ['Mail', 'From'],
      mails().map(([kind = '', owner = '']) => [`\`${kind}\``, owner]),
    ),
    section(
      'Settings',
      ['Setting', 'What it is for'],
      Object.entries(settings).map(([name, { about }]) => [`\`${name}\``, about]),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

/** The mails are read as text too, because most templates belong to the file that sends them. */
const mails = () =>
  find('{features,foundation}/**/{mails,*-mails}.ts')
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/emplate(?:<[^()]*>)?\(\s*'(\w+)'/g)].map(([, kind = '']) => [
        kind,
        ownerOf(file),
      ]),
    )
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))

/**
 * The lists of pages are read as text, since the modules of a page need a browser. `[paths.tickets, paths.support].map(` is one
 * page with two addresses.
 */
const pages = () =>
  find('features/**/web/{staff-feature,feature}.tsx').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/^ *(?=\{$|[^\n]*\[paths\.)/m)
      .flatMap((part) => {
        const who = /\bstaffOnly: /.test(part) ? 'staff' : 'everybody'
        return [...part.matchAll(/\bpaths\.(\w+)(?:\.pattern|[,\]])|\bpath: '([^']+)'/g)].map(
          ([, name = '', address]) => [`\`${address ?? patternOf(name)}\``, ownerOf(file), who],
        )
      }),
  )

const patternOf = (name: string): string | undefined =>
  Object.entries(paths).find(([path]) => path === name)?.[1].pattern

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const NAME = /^[a-z]+[._][a-z_]+$/
const find = (pattern: string): string[] => globSync(pattern).toSorted()
const ownerOf = (file: string): string => featureOf(file) ?? 'foundation'
const valuesIn = (module: unknown): unknown[] => (isRecord(module) ? Object.values(module) : [])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

if (import.meta.main) {
  const page = await describeProduct()
  if (process.argv.includes('--write')) writeFileSync(PAGE, page)
  else process.stdout.write(page)
}
