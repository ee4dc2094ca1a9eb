import { posix } from 'node:path'
import type { Rule, Tree } from './tree.ts'

/** Every row of docs/rows.md is named in the code of a test (comments do not count), as in its title, which a failure shows. */
export const rowsShown: Rule = ({ paths, read }) => {
  if (!paths.includes('docs/rows.md')) return []
  const rows = [...read('docs/rows.md').matchAll(/^\| ([A-Z]-\d\d) \|/gm)].map((match) => match[1] ?? '')
  const tests = testsIn({ paths, read })
  return rows.filter((row) => !new RegExp(`\\b${row}\\b`).test(tests)).map((row) => `No test names ${row}.`)
}

/** Every rule of docs/rules.md is shown by a test that names it. */
export const rulesShown: Rule = (tree) => {
  if (!tree.paths.includes('docs/rules.md')) return []
  const rules = [...tree.read('docs/rules.md').matchAll(/^(\d+)\. /gm)].map((match) => match[1] ?? '')
  const tests = testsIn(tree)
  return rules
    .filter((rule) => !new RegExp(`\\brule ${rule}\\b`).test(tests))
    .map((rule) => `No test names rule ${rule}.`)
}

/** Returns the text of all tests without comments. */
const testsIn = ({ paths, read }: Tree): string =>
  paths
    .filter((path) => /\.(test\.tsx?|e2e\.ts)$/.test(path) && path !== 'tests/architecture/rules.test.ts')
    .map((path) => read(path).replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, ''))
    .join('\n')

/**
 * A link or a picture in a document leads somewhere. An address that begins with a slash is one of the product: tests/system/guide.test.ts
 * follows it.
 */
export const linksLead: Rule = (tree) =>
  docs(tree).flatMap((path) =>
    [...tree.read(path).matchAll(/(?:\]\(|src(?:set)?=")([^)#\s"]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((target) => !/^(?:[a-z]+:|\/)/.test(target))
      .map((target) => posix.join(posix.dirname(path), target))
      .filter(
        (target) =>
          !tree.paths.some((other) => other === target || other.startsWith(`${target.replace(/\/$/, '')}/`)),
      )
      .map((target) => `${path} links to ${target}, which is not there.`),
  )

/** A document is short, so that people read it. */
export const shortDocs: Rule = (tree) => {
  const most = (path: string) =>
    path.startsWith('docs/decisions/') ? 40 : path === 'ARCHITECTURE.md' ? 150 : Number.POSITIVE_INFINITY
  return docs(tree).flatMap((path) => {
    const lines = tree.read(path).trimEnd().split('\n').length
    return lines > most(path) ? [`${path} has ${lines} lines: at most ${most(path)}.`] : []
  })
}

/** A decision has a context, a decision and a consequence; no two decisions have the same number. */
export const decisionsComplete: Rule = ({ paths, read }) => {
  const decisions = paths.filter((path) => /^docs\/decisions\/.*\.md$/.test(path))
  const numbers = decisions.map((path) => path.slice('docs/decisions/'.length, 'docs/decisions/'.length + 3))
  return decisions.flatMap((path, index) => [
    ...['Context', 'Decision', 'Consequence']
      .filter((part) => !read(path).includes(`\n## ${part}`))
      .map((part) => `${path} lacks its ${part}.`),
    ...(numbers.indexOf(numbers[index] ?? '') < index ? [`${path}: its number is taken.`] : []),
  ])
}

/** A reference to a decision leads to one that stands: one that decides nothing any more goes, and its references with it. */
export const decisionsStand: Rule = ({ paths, read }) => {
  const standing = new Set(paths.map((path) => /^docs\/decisions\/(\d{3})-/.exec(path)?.[1]))
  return paths
    .filter((path) => isText(path) && path !== 'tests/architecture/rules.test.ts')
    .flatMap((path) =>
      citedIn(read(path), path)
        .filter((number) => !standing.has(number))
        .map((number) => `${path} names decision ${number}, which does not stand.`),
    )
}

const isText = (path: string): boolean => /\.(tsx?|m?js|sql|md|css|html|sh|py|go|php|ya?ml)$/.test(path)

/** Returns the numbers in `decision 001`, `decisions 001 and 002`, `docs/decisions/001` and `[001](…)`, also over two lines of a comment. */
const citedIn = (text: string, path: string): string[] => [
  ...[...text.matchAll(/\bdecisions?[\s*/-]+((?:\d{3}\b(?:,? and |, )?)+)/gi)].flatMap(
    ([, numbers]) => numbers?.match(/\d{3}/g) ?? [],
  ),
  ...[...text.matchAll(/\bdecisions\/(\d{3})/g)].map(([, number]) => number ?? ''),
  ...(path.endsWith('.md')
    ? [...text.matchAll(/\[(?:decision )?(\d{3})\]\(/g)].map(([, number]) => number ?? '')
    : []),
]

/** The table of settings in README.md lists each setting of the schemas, and nothing else. */
export const settingsListed: Rule = ({ paths, read }) => {
  const files = paths.filter((path) =>
    /^(?:foundation|features\/[^/]+(?:\/[^/]+)?)\/server\/(?:[a-z]+-)?settings\.ts$/.test(path),
  )
  if (files.length === 0) return []
  const settings = files.flatMap((path) => [
    ...read(path).matchAll(/^ {2}([A-Z][A-Z0-9_]+): (?:setting|optional)\(/gm),
  ])
  const known = settings.map((match) => match[1] ?? '')
  const listed = [...read('README.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(
    (match) => match[1] ?? '',
  )
  return [
    ...known
      .filter((name) => !listed.includes(name))
      .map((name) => `README.md does not list the setting ${name}.`),
    ...listed
      .filter((name) => !known.includes(name))
      .map((name) => `README.md lists ${name}, which is no setting.`),
  ]
}

const docs = ({ paths }: Tree): string[] => paths.filter((path) => path.endsWith('.md'))
