import { readFileSync } from 'node:fs'
import path from 'node:path'
import { minifySync } from 'vite'
import type { Plugin, Rolldown } from 'vite'

type Options = {
  /** Files that list pages: `features/x/web/routes.tsx`. */
  lists: readonly string[]
  /** The patterns by the names that the lists have for them. */
  paths: Readonly<Record<string, { pattern: string }>>
  /** The ends of the names of the modules that are needed first: `login` when signed out, `frame` when signed in. */
  login: string
  frame: string
  /** The end of the name of the module that shows announcements, in the frame of a reader who has some. */
  notices: string
  /** The address to which the bare address `/` leads. */
  home: string
  /** The end of the name of the module that lists the pages of staff; the chunks of these pages are loaded after the list. */
  staff: string
  /** The call that a page shows first, by the page's pattern. */
  calls: Readonly<Record<string, string>>
  /** The beginning of the name of the font that every page is drawn with. */
  font: string
}

/**
 * Names to the browser, in its first script, the chunks of the page at its address, and in the document the files that every page
 * needs. Only the browser knows whether somebody is signed in, so the document, which is the same for everybody, names no page.
 */
export function firstFiles(
  { lists, paths, login, frame, notices, home, staff, calls, font }: Options,
  root = process.cwd(),
): Plugin {
  const listed = lists.flatMap((list) => pagesOf(path.join(root, list), paths))
  return {
    name: 'hostdesk:first-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const find = (end: string) => {
          const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(end)))
          return found ?? this.error(`No chunk of its own for ${end}: the first script cannot name it`)
        }
        const html = bundle['index.html']
        if (html?.type !== 'asset') throw new Error('the build has no index.html')
        const written = String(html.source)
        // The document may name another chunk than the entry: Vite leaves out an entry that only imports one chunk.
        const named = chunks.filter(({ fileName }) => written.includes(`src="/account/${fileName}"`))
        const known = new Set(named.flatMap((chunk) => [...filesOf(chunk, bundle)]))
        const wanted = (end: string, besides = known) =>
          namesOf([...filesOf(find(end), bundle)].filter((file) => !besides.has(file)))
        const shell = new Set([...known, ...filesOf(find(frame), bundle)])
        const files = {
          login: wanted(login),
          frame: wanted(frame),
          notices: wanted(notices, shell),
          pages: [
            ...listed.map(({ pattern, module }) =>
              [pattern, wanted(module, shell)].concat(calls[pattern] ?? []),
            ),
            ['/staff-.+', wanted(staff, shell)],
          ],
          home,
        }
        const [words, theme, first, formats] = [
          'no-start.js',
          'public/theme.js',
          'first.js',
          'formats.js',
        ].map((file) => readFileSync(path.join(root, 'app/web', file), 'utf8'))
        const script = `if (self.document) { ${words}\n${theme}\n${first} } else { ${formats} }`
        const { code } = minifySync('start.js', script.replace('__FILES__', JSON.stringify(files)))
        const name = this.getFileName(this.emitFile({ type: 'asset', name: 'start.js', source: code }))
        // Over HTTP/1.1 the first request takes the connection of the document, the next ones open theirs: the largest file is first.
        const links = chunks
          .filter(({ fileName }) => known.has(fileName))
          .toSorted((one, other) => other.code.length - one.code.length)
          .map(({ fileName }) => linkTo('modulepreload', fileName))
        const letters = Object.keys(bundle).find((file) => path.basename(file).startsWith(font))
        if (letters === undefined) this.error(`No font begins with ${font}`)
        // Without the preload the browser would load the font when it draws the first text, and then change the letters of that text.
        links.push(linkTo('preload', letters, ' as="font" type="font/woff2"'))
        const themeScript = /<script src="\/account\/theme\.js"><\/script>/u
        html.source = written.replace(
          themeScript,
          [...links, `<script src="/account/${name}"></script>`].join(''),
        )
        if (html.source === written) this.error('The document does not name /account/theme.js')
      },
    },
  }
}

const linkTo = (rel: string, file: string, more = '') =>
  `<link rel="${rel}" crossorigin href="/account/${file}"${more}>`

/** Returns the names of the files in few letters, because the script is part of every first page. */
const namesOf = (files: readonly string[]) =>
  files.map((file) => file.replace(/^assets\/(.+)\.js$/u, '$1')).join(' ')

/** Returns the files of a chunk and of all chunks that it imports before it runs. */
function filesOf(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  files = new Set<string>(),
): Set<string> {
  if (files.has(chunk.fileName)) return files
  files.add(chunk.fileName)
  for (const name of chunk.imports) {
    const imported = bundle[name]
    if (imported?.type === 'chunk') filesOf(imported, bundle, files)
  }
  return files
}

/**
 * Returns the addresses of a list of routes, as patterns, each with the module of its page. Pages outside of the frame are left out:
 * the script is part of every first page, and people who are signed in seldom open such pages.
 */
function pagesOf(list: string, paths: Options['paths']): { pattern: string; module: string }[] {
  const listed = readFileSync(list, 'utf8').split(/(?=\bpath: paths\.)/u)
  const source = listed.filter((page) => !/\bshell: false\b/u.test(page)).join('')
  const pages = source.matchAll(/\bpath: paths\.(\w+)\.pattern,\s*page: \(\) => import\('([^']+)'\)/gu)
  return [...pages].map(([, name = '', module = '']) => ({
    pattern: (paths[name]?.pattern ?? name).replaceAll(/\$\w+/gu, '[^/]+'),
    module: path.join(path.dirname(list), module),
  }))
}
