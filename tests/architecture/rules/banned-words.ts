import { paths } from '#features/paths.ts'
import { isSource, isTest } from './tree.ts'
import type { Rule, Tree } from './tree.ts'

type Ban = { in: (path: string) => boolean; word: RegExp; say: string }

const text = (path: string): boolean =>
  /\.(tsx?|m?js|sql|css|html|json|md|sh)$/.test(path) && !/package-lock|^tests\/architecture\//.test(path)

const bans: Ban[] = [
  { in: text, word: /\bFIXME\b|\bTODO\b/, say: 'do it now, or write it in an issue' },
  { in: isSource, word: /\bconsole\.\w+\(/, say: 'write to the log' },
  {
    in: (path) => /\.tsx?$/.test(path) && !isTest(path) && text(path),
    word: /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\b/,
    say: 'render elements: markup made of text is how a stored script runs',
  },
  { in: isSource, word: /from '\.\.\/\.\.\//, say: 'leave the folder by its name (#features/…)' },
  {
    in: (path) => /\/web\//.test(path) && isSource(path),
    word: /https?:\/\/(?!localhost|www\.w3\.org|[\w.]*example\.(com|org))/,
    say: 'the browser loads nothing from elsewhere, and links of the operator come from settings',
  },
  {
    // The rule includes fields for codes, though a code has a fixed length: `maxLength` would cut a code that is pasted after a word.
    in: (path) => /\/web\//.test(path) && isSource(path) && !isTest(path),
    word: /\bmaxLength\s*[=:]/,
    say: 'give the field `most`: a browser cuts what is pasted and says nothing',
  },
  {
    // The exempt file gives a handler the replica for all of its reads; such a handler is in no transaction.
    in: (path) =>
      /\/server\//.test(path) && isSource(path) && path !== 'foundation/server/http/read-replica.ts',
    word: /\{\s*(\.\.\.\w+,\s*)?db: ?(tx|trx)\b|\{\s*\.\.\.app,\s*db\b/,
    say: 'hand over `tx` as the parameter `db`, so that it is seen on which connection a statement runs',
  },
  {
    in: (path) => /\/server\//.test(path) && !path.startsWith('foundation/server/') && !isTest(path),
    word: /Promise<ReplyOf<|\bcall: Call<typeof|\}: Call<typeof/,
    say: 'write handler(contract.x, async (call) => …), which knows the types of the call and of its replies',
  },
  {
    in: (path) => isSource(path) && path !== 'features/paths.ts',
    word: pageAddress(),
    say: 'take the address of a page from features/paths.ts',
  },
  {
    in: isSource,
    word: /@ts-(ignore|nocheck)/,
    say: 'mend the type, or use @ts-expect-error with the reason',
  },
]

/**
 * Matches the address of a page in code: in quotes, at the beginning of a template string, in `to=`, or in `go(` and `navigate(`. A page of staff
 * that only the menu leads to has its address where it is registered (`path: '/staff-racks'`), and nowhere else.
 */
function pageAddress(): RegExp {
  const first = Object.values(paths).flatMap(({ pattern }) => pattern.split('/')[1] || [])
  return new RegExp(
    `^(?! *(?://|/?\\*)).*(?:['"\`](?:/account)?/(?:${first.join('|')})\\b|(?<!\\bpath: )['"\`](?:/account)?/staff-\\w|\\bto=\\{?['"\`]/\\w|\\b(?:go|navigate)\\(['"\`]/)`,
    'u',
  )
}

/** Finds banned words; each complaint says what to write instead. */
export const banned: Rule = (tree) =>
  tree.paths.flatMap((path) => bans.filter((ban) => ban.in(path)).flatMap((ban) => find(tree, path, ban)))

/** A file is called after what it holds. Names such as `utils` do not say what a file holds. */
export const names: Rule = ({ paths }) =>
  paths
    .filter((path) => /(^|[/-])(utils?|helpers?|common|misc|manager|service|index)\.(tsx?|js)$/.test(path))
    .map((path) => `${path}: call it after what it holds.`)

/** A file directly in foundation/ is used by the server and by the browser; other files belong in foundation/server or foundation/web. */
export const shared: Rule = (tree) => {
  const users = tree.paths.filter(isSource)
  return users
    .filter((path) => /^foundation\/(?!money|currencies|paging|idempotency)[^/]+\.ts$/.test(path))
    .flatMap((path) => {
      const beside = `'./${path.slice('foundation/'.length)}'`
      const by = users.filter(
        (user) =>
          tree.read(user).includes(`'#${path}'`) ||
          (/^foundation\/[^/]+$/u.test(user) && tree.read(user).includes(beside)),
      )
      const on = (side: string) => by.some((user) => !user.includes(side))
      return on('/web/') && on('/server/')
        ? []
        : [`${path} is used by one side only: move it to foundation/server or foundation/web, or delete it.`]
    })
}

/** Versions in package.json are exact: from a range, two machines may make two different lockfiles, and so two products. */
export const exact: Rule = ({ paths, read }) => {
  if (!paths.includes('package.json')) return []
  const {
    dependencies = {},
    devDependencies = {},
    optionalDependencies = {},
  } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name} is ${version}; write one exact version.`)
}

function find(tree: Tree, path: string, { word, say }: Ban): string[] {
  return tree
    .read(path)
    .split('\n')
    .flatMap((line, index) => {
      const found = word.exec(line)?.[0]
      return found ? [`${path}:${index + 1} says ${found.trim()}: ${say}.`] : []
    })
}
