import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Compiles `messages/{en,de,ru}.json` of the foundation and of every feature to typed functions in
 * `.generated/texts/`, for the browser and for Node alike. Answers whether anything was compiled: when no
 * text has changed since the last time, it only compares a hash.
 */
export async function compileTexts(root = process.cwd()): Promise<boolean> {
  if (textsAreCurrent(root)) return false
  const sources = sourcesIn(root)
  const out = join(root, '.generated/texts')
  const hash = hashOf(root, sources)

  const { compile } = await import('@inlang/paraglide-js')
  const project = projectFor(root, sources)
  try {
    await compile({
      project,
      outdir: out,
      outputStructure: 'message-modules',
      strategy: ['globalVariable', 'baseLocale'],
      emitReadme: false,
      emitPrettierIgnore: false,
      emitGitIgnore: false,
    })
  } finally {
    rmSync(resolve(project, '..'), { recursive: true, force: true })
  }
  replaceRuntime(out)
  declareMessages(out)
  collectErrors(out)
  writeFileSync(join(out, '.inputs'), hash)
  return true
}

/** Whether the compiled texts are those of the sources as they are now. Writes nothing. */
export function textsAreCurrent(root: string): boolean {
  const stamp = join(root, '.generated/texts/.inputs')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(root, sourcesIn(root))
}

const LOCALES = ['en', 'de', 'ru']
const PLUGIN = 'node_modules/@inlang/plugin-message-format/dist/index.js'

/** The folders that hold texts. A feature without a complete set of three is a fault the house test names. */
function sourcesIn(root: string): string[] {
  return [
    'foundation/messages',
    'foundation/server/mail/messages',
    ...globSync('features/*/messages', { cwd: root }),
  ]
    .filter((folder) => existsSync(join(root, folder, 'en.json')))
    .toSorted()
}

function hashOf(root: string, sources: string[]): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const file of sources.flatMap((folder) => LOCALES.map((locale) => `${folder}/${locale}.json`))) {
    hash.update(file)
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/**
 * The compiler keeps caches beside the project file and asks the network for plugins it does not find, so it
 * works on a copy among the generated files: the settings of the house, with the absolute paths filled in.
 */
function projectFor(root: string, sources: string[]): string {
  const folder = join(root, '.generated/project/project.inlang')
  const settings = JSON.parse(readFileSync(join(root, 'project.inlang/settings.json'), 'utf8')) as object
  const base = join(folder, '..')
  mkdirSync(join(base, 'plugin'), { recursive: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(base, 'plugin/index.js'), readFileSync(join(root, PLUGIN)))
  // One file a language: the compiler inserts the first pattern at once, and each further one row by row.
  for (const locale of LOCALES) {
    const files = sources
      .map((source) => join(root, source, `${locale}.json`))
      .filter((file) => existsSync(file))
    const texts = Object.fromEntries(
      files.flatMap((file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object)),
    ) as object
    writeFileSync(join(base, `${locale}.json`), JSON.stringify(texts))
  }
  const filled = {
    ...settings,
    modules: ['./plugin/index.js'],
    'plugin.inlang.messageFormat': { pathPattern: './{locale}.json' },
  }
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(filled))
  return folder
}

/** Paraglide's own runtime knows URLs, cookies and middleware, 80 kB of it; a message needs the locale. */
function replaceRuntime(out: string): void {
  rmSync(join(out, 'server.js'), { force: true })
  writeFileSync(
    join(out, 'runtime.js'),
    `export const baseLocale = 'en'
export const locales = ['en', 'de', 'ru']
export const experimentalStaticLocale = undefined
let read = () => baseLocale
export const getLocale = () => read()
export const overwriteGetLocale = (next) => { read = next }
export const isLocale = (value) => locales.includes(value)
`,
  )
  writeFileSync(
    join(out, 'runtime.d.ts'),
    `export type Locale = 'en' | 'de' | 'ru'
export declare const baseLocale: Locale
export declare const locales: readonly Locale[]
export declare const getLocale: () => Locale
export declare const overwriteGetLocale: (next: () => Locale) => void
export declare const isLocale: (value: unknown) => value is Locale
`,
  )
}

/** One declaration file for all messages, from the inputs that the compiler notes in each module. */
function declareMessages(out: string): void {
  const lines = ["import type { Locale } from './runtime.js'", 'type Options = { locale?: Locale }']
  for (const key of messageKeys(out)) {
    const inputs = inputsOf(readFileSync(join(out, 'messages', `${key}.js`), 'utf8'))
    const optional = inputs === '{}' ? '?' : ''
    const shape = inputs === '{}' ? 'Record<string, never>' : inputs
    lines.push(`export declare const ${key}: (inputs${optional}: ${shape}, options?: Options) => string`)
  }
  writeFileSync(join(out, 'messages/_index.d.ts'), `${lines.join('\n')}\n`)
  writeFileSync(
    join(out, 'messages.d.ts'),
    `export * from './messages/_index.js'\nexport * as m from './messages/_index.js'\n`,
  )
}

function messageKeys(out: string): string[] {
  return globSync('messages/*.js', { cwd: out })
    .map((file) => file.slice('messages/'.length, -'.js'.length))
    .filter((key) => key !== '_index')
    .toSorted()
}

function inputsOf(module: string): string {
  const inputs = /@typedef \{(\{.*\})\} \w+Inputs/u.exec(module)?.[1]?.replaceAll(/\s/gu, ' ').trim() ?? '{}'
  return inputs.replaceAll('NonNullable<unknown>', 'string | number')
}

/** The texts of error codes by code. The browser loads this table only once an error has come. */
function collectErrors(out: string): void {
  const keys = messageKeys(out).filter((key) => key.startsWith('error_'))
  const imports = keys.map((key) => `import { ${key} } from './messages/${key}.js'`)
  const entries = keys.map((key) => `  ${key.slice('error_'.length)}: ${key},`)
  writeFileSync(
    join(out, 'errors.js'),
    `${imports.join('\n')}\nexport const errors = {\n${entries.join('\n')}\n}\n`,
  )
  writeFileSync(
    join(out, 'errors.d.ts'),
    `import type { Locale } from './runtime.js'
export declare const errors: Record<string, (inputs?: object, options?: { locale?: Locale }) => string>
`,
  )
}

if (import.meta.main) {
  const started_ms = performance.now()
  const compiled = await compileTexts()
  const took_ms = Math.round(performance.now() - started_ms)
  process.stdout.write(compiled ? `texts: compiled in ${took_ms} ms\n` : 'texts: nothing changed\n')
  // The compiler's project keeps a timer of half a minute alive; nothing waits for it.
  process.exit(0)
}
