import { readFileSync } from 'node:fs'
import path from 'node:path'
import { minifySync } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { must } from '#foundation/must.ts'

type Options = {
  /** Files that list pages: `features/x/web/routes.tsx`. */
  lists: readonly string[]
  /** The patterns by the names that the lists have for them. */
  paths: Readonly<Record<string, { pattern: string }>>
  /** Ends of the names of the modules needed first when signed out, and when signed in. */
  login: string
  frame: string
  /** The end of the name of the module that shows announcements, in the frame of a reader who has some. */
  notices: string
  /** The target of the bare address. */
  home: string
  /** The end of the name of the module that lists the pages of staff; theirs follow when it is there. */
  staff: string
}

/**
 * Names to the browser, in its first script, the chunks of the page at its address. Only the browser knows
 * whether somebody is signed in, so it is no matter of the document, which is the same for everybody.
 */
export function firstFiles(
  { lists, paths, login, frame, notices, home, staff }: Options,
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
        const known = filesOf(must(chunks.find(({ isEntry }) => isEntry)), bundle)
        const wanted = (end: string, besides = known) =>
          [...filesOf(find(end), bundle)].filter((file) => !besides.has(file))
        const shell = new Set([...known, ...wanted(frame)])
        const files = {
          login: wanted(login),
          frame: wanted(frame),
          notices: wanted(notices, shell),
          pages: [
            ...listed.map(({ pattern, module }) => [pattern, wanted(module, shell)]),
            ['/staff-.+', wanted(staff, shell)],
          ],
          home,
        }
        const first = ['app/web/public/theme.js', 'app/web/first.js'].map((file) =>
          readFileSync(path.join(root, file), 'utf8'),
        )
        const { code } = minifySync('start.js', first.join('\n').replace('__FILES__', JSON.stringify(files)))
        const name = this.getFileName(this.emitFile({ type: 'asset', name: 'start.js', source: code }))
        const html = bundle['index.html']
        if (html?.type !== 'asset') throw new Error('the build has no index.html')
        const written = String(html.source)
        html.source = written.replace('/account/theme.js', `/account/${name}`)
        if (html.source === written) this.error('The document does not name /account/theme.js')
      },
    },
  }
}

/** A chunk with all that it imports before it runs. */
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
 * The addresses of a list of routes, as patterns, each with the module of its page. Pages outside of the frame are left out: the
 * script is part of every first page, and these are seldom opened by somebody who is signed in.
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
