import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimes,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '#foundation/server/error-code.ts'
import { buildElsewhere } from './build-elsewhere.ts'
import { compileTexts, textsAreCurrent } from './compile-texts.ts'
import { compressFiles } from './compress-files.ts'

/**
 * Brings `.generated/texts`, `dist/web` and `dist/hostdeskctl.mjs` up to date with their sources; does nothing, in some 30 ms, when they are.
 * Staleness is judged by content, not by time: a fresh checkout and a restored cache have arbitrary times.
 * Processes that start at once take turns. `say` gets what is being done; throws Error with the tool's output.
 */
export async function buildIfStale(root: string, say: (line: string) => void): Promise<void> {
  const stamp = path.join(root, 'dist/.built')
  const isCurrent = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfInputs(root)
  if (isCurrent() && textsAreCurrent(root)) return
  const release = await takeTurn(root)
  try {
    compileTexts(root)
    if (isCurrent()) return
    say('Building the pages …')
    const hash = hashOfInputs(root)
    // A build empties its folder first: one that fails or is ended leaves nothing that is current.
    rmSync(stamp, { force: true })
    if (existsSync(viteIn(root))) await buildAll(root)
    else {
      say('Fetching the packages that build them, which takes a minute …')
      await buildElsewhere(root, buildAll)
    }
    await compressFiles(path.join(root, 'dist/web'))
    writeFileSync(stamp, hash)
  } finally {
    release()
  }
}

/** Compiles the texts alone, for `npm run dev`, in which Vite serves the pages from their sources. */
export async function buildTexts(root: string): Promise<void> {
  if (textsAreCurrent(root)) return
  const release = await takeTurn(root)
  try {
    compileTexts(root)
  } finally {
    release()
  }
}

// Everything the pages and the command line of customers are made from.
const inputs = [
  'app/{messages,web}/**',
  'foundation/*.ts',
  'foundation/{web,messages}/**',
  'features/**/*.{ts,tsx,json}',
  'tools/{compile-texts,compress-files,build,build-client,build-elsewhere}.ts',
  'clients/**',
  'app/server/openapi/**',
  'foundation/server/fonts/**',
  'tools/vite/**',
  'vite.config.ts',
  'tools/texts/**',
  'package-lock.json',
]

function hashOfInputs(root: string): string {
  const files = globSync(inputs, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|e2e)\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
  const hash = createHash('sha256')
  for (const file of files) hash.update(path.relative(root, file)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

/**
 * Waits for the lock file, which only one process can make, and returns a function that removes it. The lock file of a dead process
 * is removed: its process is gone, or (if the number was used again) nobody has touched the file for a minute.
 */
async function takeTurn(root: string): Promise<() => void> {
  const lock = path.join(root, 'dist/.building')
  mkdirSync(path.dirname(lock), { recursive: true })
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      const touching = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), 5000).unref()
      return () => {
        clearInterval(touching)
        rmSync(lock, { force: true })
      }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw explain(error, root)
      if (!isHeld(lock)) rmSync(lock, { force: true })
      else await sleep(200)
    }
  }
}

function isHeld(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > 60_000) return false
    return process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function explain(error: unknown, root: string): unknown {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return error
  return new Error(
    `The pages are out of date, and this user may not write to ${root}. Run there, as its owner: npm run build`,
  )
}

const viteIn = (root: string): string => path.join(root, 'node_modules/vite/bin/vite.js')

/** Builds in processes of their own, so that the memory and the plugins of the build are not in the server. */
async function buildAll(root: string): Promise<void> {
  await run(root, [viteIn(root), 'build', '--logLevel', 'warn'])
  await run(root, ['tools/build-client.ts'])
}

function run(root: string, command: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()))
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The pages could not be built.\n${output}`)),
    )
  })
}

if (import.meta.main) {
  const started_ms = performance.now()
  await buildIfStale(process.cwd(), (line) => process.stdout.write(`${line}\n`))
  process.stdout.write(`build: current after ${Math.round(performance.now() - started_ms)} ms\n`)
  process.exit(0)
}
