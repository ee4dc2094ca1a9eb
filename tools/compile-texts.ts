import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inputsOf, moduleOf, plainTexts } from './texts/plain.ts'
import type { PlainText, Sources } from './texts/plain.ts'
import { writeRuntime } from './texts/runtime.ts'

/**
 * Compiles `messages/{en,de,ru}.json` of the foundation and of every feature to typed functions in
 * `.generated/texts/`, for the browser and for Node alike. Answers whether anything was compiled: when no
 * text has changed since the last time, it only compares a hash.
 */
export async function compileTexts(root = process.cwd()): Promise<boolean> {
  if (textsAreCurrent(root)) return false
  const hash = hashOf(root, sourcesIn(root))
  const sources = readSources(root)
  const plain = plainTexts(sources)
  const work = join(root, '.generated/project')
  const out = join(work, 'texts')
  try {
    await compileRest(work, sources, plain)
    for (const [key, text] of plain) writeFileSync(join(out, 'messages', `${key}.js`), moduleOf(key, text))
    writeRuntime(out)
    indexMessages(out, plain)
    collectErrors(out)
    writeFileSync(join(out, '.inputs'), hash)
    // All at once: whoever is reading (a test run, a dev server) finds the old texts or the new, never half of them.
    const texts = join(root, '.generated/texts')
    rmSync(texts, { recursive: true, force: true })
    renameSync(out, texts)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return true
}

/** Whether the compiled texts are those of the sources as they are now. Writes nothing. */
export function textsAreCurrent(root: string): boolean {
  const stamp = join(root, '.generated/texts/.inputs')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(root, sourcesIn(root))
}

// A change of the program makes the texts stale as well.
const PROGRAM = ['compile-texts.ts', 'texts/plain.ts', 'texts/runtime.ts']
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
  const hash = createHash('sha256')
  for (const file of PROGRAM) hash.update(readFileSync(join(import.meta.dirname, file)))
  for (const file of sources.flatMap((folder) => LOCALES.map((locale) => `${folder}/${locale}.json`))) {
    hash.update(file)
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function readSources(root: string): Sources {
  const read = (locale: string) =>
    Object.assign(
      {},
      ...sourcesIn(root).map((folder) => readTexts(join(root, folder, `${locale}.json`))),
    ) as object
  return { en: { ...read('en') }, de: { ...read('de') }, ru: { ...read('ru') } }
}

const readTexts = (file: string): object =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}

/**
 * Texts with plurals, by Paraglide. It keeps caches beside its project file and asks the network for plugins it does
 * not find, so it works among the generated files, on the settings of the house with the paths filled in.
 */
async function compileRest(
  work: string,
  sources: Sources,
  plain: ReadonlyMap<string, unknown>,
): Promise<void> {
  const rest = Object.keys(sources.en).filter((key) => key !== '$schema' && !plain.has(key))
  mkdirSync(join(work, 'texts/messages'), { recursive: true })
  if (rest.length === 0) return
  const project = join(work, 'project.inlang')
  mkdirSync(project, { recursive: true })
  mkdirSync(join(work, 'plugin'))
  const root = join(work, '../..')
  writeFileSync(join(work, 'plugin/index.js'), readFileSync(join(root, PLUGIN)))
  const settings = JSON.parse(readFileSync(join(root, 'project.inlang/settings.json'), 'utf8')) as object
  const filled = {
    ...settings,
    modules: ['./plugin/index.js'],
    'plugin.inlang.messageFormat': { pathPattern: './{locale}.json' },
  }
  writeFileSync(join(project, 'settings.json'), JSON.stringify(filled))
  for (const [locale, texts] of Object.entries(sources)) {
    const some = Object.fromEntries(rest.map((key) => [key, texts[key]]))
    writeFileSync(join(work, `${locale}.json`), JSON.stringify(some))
  }
  const { compile } = await import('@inlang/paraglide-js')
  await compile({
    project,
    outdir: join(work, 'texts'),
    outputStructure: 'message-modules',
    strategy: ['globalVariable', 'baseLocale'],
    emitReadme: false,
    emitPrettierIgnore: false,
    emitGitIgnore: false,
  })
}

/** One index and one declaration file for all messages. */
function indexMessages(out: string, plain: ReadonlyMap<string, PlainText>): void {
  const keys = messageKeys(out)
  const types = ["import type { Locale } from '../runtime.js'", 'type Options = { locale?: Locale }']
  for (const key of keys) {
    const text = plain.get(key)
    const inputs = text
      ? inputsOf(text)
      : compiledInputs(readFileSync(join(out, 'messages', `${key}.js`), 'utf8'))
    const parameter = inputs === '{}' ? 'inputs?: Record<string, never>' : `inputs: ${inputs}`
    types.push(`export declare const ${key}: (${parameter}, options?: Options) => string`)
  }
  const modules = keys.map((key) => `export * from './${key}.js'`)
  writeFileSync(join(out, 'messages/_index.js'), `${modules.join('\n')}\n`)
  writeFileSync(join(out, 'messages/_index.d.ts'), `${types.join('\n')}\n`)
  const door = `export * from './messages/_index.js'\nexport * as m from './messages/_index.js'\n`
  writeFileSync(join(out, 'messages.js'), door)
  writeFileSync(join(out, 'messages.d.ts'), door)
  writeFileSync(join(out, 'messages-node.js'), inOneFile(out, keys))
  writeFileSync(join(out, 'messages-node.d.ts'), door)
}

/**
 * The same messages for Node (package.json, "imports"), which would spend a fifth of a second on opening hundreds of
 * files at each start; the browser's build needs them apart, to leave out what a page does not say.
 */
function inOneFile(out: string, keys: string[]): string {
  const head = "import { text } from './runtime.js'\nexport * as m from './messages-node.js'\n"
  const parts = keys.map((key) => {
    const [first, ...rest] = readFileSync(join(out, 'messages', `${key}.js`), 'utf8').split('\n')
    return first === "import { text } from '../runtime.js'"
      ? rest.join('\n')
      : `export * from './messages/${key}.js'\n`
  })
  return head + parts.join('')
}

function messageKeys(out: string): string[] {
  return globSync('messages/*.js', { cwd: out })
    .map((file) => file.slice('messages/'.length, -'.js'.length))
    .filter((key) => key !== '_index')
    .toSorted()
}

/** The inputs that the compiler notes in each module. */
function compiledInputs(module: string): string {
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
