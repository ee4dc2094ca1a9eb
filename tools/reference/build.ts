// `npm run reference` builds the viewer of the API document into dist/reference, where the server finds it. Its packages are no packages
// of the product (decision 181): they are installed here, once, and again when their versions change.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { compressFiles } from '../compress-files.ts'
import { viteConfig } from './vite-config.ts'

const run = promisify(execFile)
const here = import.meta.dirname

/** Builds the viewer if it is not there, or not from the present sources. Throws Error with the tool's output. */
export async function buildReference(root: string, say: (line: string) => void): Promise<void> {
  const folder = path.join(root, 'dist/reference')
  const stamp = path.join(folder, '.built')
  const hash = hashOfInputs()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  await install(say)
  say('Building the reference of the API …')
  rmSync(stamp, { force: true })
  await build(viteConfig(folder))
  await compressFiles(folder)
  writeFileSync(stamp, hash)
}

function hashOfInputs(): string {
  const hash = createHash('sha256')
  for (const file of globSync(['*.{json,js,css,html,ts}', 'public/*'], { cwd: here }).toSorted())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(here, file)))
  return hash.digest('hex')
}

async function install(say: (line: string) => void): Promise<void> {
  const installed = path.join(here, 'node_modules/.installed-lock.json')
  const wanted = readFileSync(path.join(here, 'package-lock.json'), 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return
  say('Fetching the packages of the reference, which takes a minute …')
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here })
  writeFileSync(installed, wanted)
}

if (import.meta.main) await buildReference(process.cwd(), (line) => process.stdout.write(`${line}\n`))
