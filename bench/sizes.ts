import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildIfStale } from '#tools/build.ts'
import type { Figure } from '#tools/figures/table.ts'
import { must } from '#foundation/must.ts'

type Chunk = {
  file: string
  name?: string
  src?: string
  css?: string[]
  imports?: string[]
  isDynamicEntry?: boolean
}
type Manifest = Record<string, Chunk>

const root = process.cwd()
const built = path.join(root, 'dist/web')

/**
 * Measures the compressed size of the scripts that a browser fetches before it shows a page, by the manifest of the build: the chunk of
 * the page with all its static imports and, for the first page, the scripts of the document.
 */
export async function measureSizes(): Promise<Figure[]> {
  await buildIfStale(root, (line) => process.stderr.write(`${line}\n`))
  const manifest = JSON.parse(readFileSync(path.join(built, '.vite/manifest.json'), 'utf8')) as Manifest
  const pages = Object.keys(manifest).filter(
    (name) => /(-page|pages)\.tsx$/.test(name) && must(manifest[name]).isDynamicEntry,
  )
  const find = (end: string) => Object.keys(manifest).find((name) => name.endsWith(end))
  const chunksOf = (group: string) =>
    Object.keys(manifest).filter((name) => must(manifest[name]).name === group)
  const named = Object.keys(manifest).filter((name) => documentNames(must(manifest[name]).file))
  const entry = filesOf(manifest, named).add(firstScript())
  const shell = new Set([...entry, ...filesOf(manifest, chunksOf('home'))])
  const figures: Figure[] = []
  const page = (name: string, files: Set<string>) =>
    figures.push({
      name: `JS of ${name}`,
      value: kilobytes(files, brotli),
      unit: 'kB br',
      note: `${kilobytes(files, gzip).toFixed(1)} kB gz`,
    })

  const login = find('/auth-page.tsx')
  if (login) {
    page('the login page', new Set([...entry, ...filesOf(manifest, [login])]))
    Object.assign(must(figures.at(-1)), { most: 112, target: 93 })
  }
  // The limit is for the first page after the sign-in. A later page fetches only its own chunks, which have a limit below.
  page('the server list, the first page signed in', shell)
  Object.assign(must(figures.at(-1)), { most: 135, target: 113 })
  const profile = find('/profile-page.tsx')
  if (profile)
    page('the profile page, were it the first', new Set([...shell, ...filesOf(manifest, [profile])]))
  for (const source of pages) {
    const own = new Set([...filesOf(manifest, [source])].filter((file) => !shell.has(file)))
    if (source === login) continue
    figures.push({
      name: `own chunks of ${path.basename(source, '.tsx')}`,
      value: kilobytes(own, gzip),
      unit: 'kB gz',
      most: 45,
      target: 30,
    })
  }
  const styles = new Set(
    Object.values(manifest).flatMap(({ css = [], file }) => [
      ...css,
      ...(file.endsWith('.css') ? [file] : []),
    ]),
  )
  figures.push({ name: 'CSS in all', value: kilobytes(styles, gzip), unit: 'kB gz', most: 12, target: 8 })
  return figures
}

const readDocument = () => readFileSync(path.join(built, 'index.html'), 'utf8')

const documentNames = (file: string): boolean => readDocument().includes(`src="/account/${file}"`)

/** Returns the path of the script that the document begins with. */
function firstScript(): string {
  const [, file] = /<script src="\/account\/([^"]+)"/.exec(readDocument()) ?? []
  if (file === undefined) throw new Error('The document names no first script.')
  return file
}

/** Returns the scripts of these chunks and of all chunks that they import statically, also indirectly. */
function filesOf(manifest: Manifest, names: string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || seen.has(name)) return
    seen.add(name)
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  names.forEach(visit)
  return files
}

const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
const gzip = (bytes: Buffer) => gzipSync(bytes, { level: 9 }).length

function kilobytes(files: Set<string>, compress: (bytes: Buffer) => number): number {
  return [...files].reduce((sum, file) => sum + compress(readFileSync(path.join(built, file))), 0) / 1000
}
