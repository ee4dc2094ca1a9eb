import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { helperOf, inputsOf, mailStatementOf, messagesOf, statementOf } from './texts/message.ts'
import type { Message, Sources, Translations } from './texts/message.ts'
import { DECLARATIONS, MAIL_DECLARATIONS, MAIL_RUNTIME, RUNTIME } from './texts/runtime.ts'

/**
 * Compiles `messages/{en,de,ru}.json` of the foundation and of every feature to typed functions in `.generated/texts/`, for the browser and
 * for Node alike. Returns whether anything was compiled: when no text has changed since the last time, it only compares a hash.
 */
export function compileTexts(root = process.cwd()): boolean {
  if (textsAreCurrent(root)) return false
  const hash = hashOf(root, sourcesIn(root))
  const messages = messagesOf(readSources(root))
  const texts = join(root, '.generated/texts')
  const work = `${texts}-${process.pid}`
  const former = `${work}-former`
  try {
    mkdirSync(join(work, 'messages'), { recursive: true })
    write(work, messages, textsOfMails(root))
    writeFileSync(join(work, '.inputs'), hash)
    // The folder is replaced by two renames: a reader (a test run, a dev server) finds the old texts or the new. If it were deleted
    // and written again, half of it would be missing while a thousand files are written.
    if (existsSync(texts)) renameSync(texts, former)
    renameSync(work, texts)
  } finally {
    for (const folder of [work, former]) rmSync(folder, { recursive: true, force: true })
  }
  return true
}

/** True if the compiled texts match the present sources. Writes nothing. */
export function textsAreCurrent(root: string): boolean {
  const stamp = join(root, '.generated/texts/.inputs')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(root, sourcesIn(root))
}

/** Tells the texts of mails by their keys, which begin with the feature: owners may say them otherwise. Texts about mails that came in stand on pages. */
function textsOfMails(root: string): RegExp {
  const ofTwoWords = globSync('features/*-*', { cwd: root }).map((folder) => basename(folder))
  const features = ['[a-z]+', ...ofTwoWords.map((name) => name.replaceAll('-', '_'))]
  return new RegExp(`^(?!act_|error_|mail_in_)(?:(?:${features.join('|')})_)?mail_`)
}

// A change of the program makes the texts stale as well.
const PROGRAM = ['compile-texts.ts', 'texts/message.ts', 'texts/runtime.ts']
const LOCALES = ['en', 'de', 'ru']

/** Returns the folders that hold texts. An architecture test names a feature without all three languages. */
function sourcesIn(root: string): string[] {
  return [
    'app/messages',
    'foundation/messages',
    'foundation/server/mail/messages',
    ...globSync('features/**/messages', { cwd: root }),
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
    Object.fromEntries(
      sourcesIn(root).flatMap((folder) => Object.entries(readTexts(join(root, folder, `${locale}.json`)))),
    )
  return { en: read('en'), de: read('de'), ru: read('ru') }
}

// The files are read without a schema, which saves time at each start; the architecture tests check every text.
function readTexts(file: string): Record<string, Message>
function readTexts(file: string): unknown {
  const texts: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return texts
}

/**
 * Writes each message to a module of its own, so that the browser's build leaves out what a page does not use; and all messages to
 * one file for Node (package.json, "imports"), which would spend a fifth of a second at each start on opening hundreds of files.
 */
function write(out: string, messages: Map<string, Translations>, ofMail: RegExp): void {
  const keys = [...messages.keys()].toSorted()
  for (const [key, message] of messages) {
    const from = `import { ${helperOf(message)} } from '../runtime.js'\n`
    writeFileSync(join(out, 'messages', `${key}.js`), from + statementOf(key, message))
  }
  const types = [...messages].map(([key, message]) => {
    const inputs = inputsOf(message)
    const parameter = inputs === '{}' ? 'inputs?: Record<string, never>' : `inputs: ${inputs}`
    return `export declare const ${key}: (${parameter}, options?: Options) => string\n`
  })
  const index = `export * from './messages/_index.js'\nexport * as m from './messages/_index.js'\n`
  const files = {
    'runtime.js': RUNTIME,
    'runtime.d.ts': DECLARATIONS,
    'mail-texts.js': MAIL_RUNTIME,
    'mail-texts.d.ts': MAIL_DECLARATIONS,
    'messages/_index.js': keys.map((key) => `export * from './${key}.js'\n`).join(''),
    'messages/_index.d.ts': `import type { Locale } from '../runtime.js'\ntype Options = { locale?: Locale }\n${types.join('')}`,
    'messages.js': index,
    'messages.d.ts': index,
    'messages-node.js': [
      "import { mail } from './mail-texts.js'\nimport { plural, text } from './runtime.js'\n",
      "export * as m from './messages-node.js'\n",
      ...[...messages].map(([key, message]) =>
        (ofMail.test(key) ? mailStatementOf : statementOf)(key, message),
      ),
    ].join(''),
    'messages-node.d.ts': index,
    ...errorTable(keys.filter((key) => key.startsWith('error_'))),
    ...actTable(keys.filter((key) => key.startsWith('act_'))),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(out, name), content)
}

/**
 * Returns a table of the texts of errors by code, and the codes as a type: a code is one that has a text. The browser loads this
 * table only once an error has come.
 */
function errorTable(keys: string[]): Record<string, string> {
  const imports = keys.map((key) => `import { ${key} } from './messages/${key}.js'`)
  const entries = keys.map((key) => `  ${key.slice('error_'.length)}: ${key},`)
  return {
    'errors.js': `${imports.join('\n')}\nexport const errors = {\n${entries.join('\n')}\n}\n`,
    'errors.d.ts': `import type { Locale } from './runtime.js'
export type ErrorCode = ${keys.map((key) => `'${key.slice('error_'.length)}'`).join(' | ') || 'never'}
export declare const errors: Record<ErrorCode, (inputs?: object, options?: { locale?: Locale }) => string>
`,
  }
}

/** Returns such a table for the acts of the audit: `act_finance__refunded` is the sentence of `finance.refunded`. */
function actTable(keys: string[]): Record<string, string> {
  const actOf = (key: string) => `'${key.slice('act_'.length).replace('__', '.')}'`
  const imports = keys.map((key) => `import { ${key} } from './messages/${key}.js'`)
  const entries = keys.map((key) => `  ${actOf(key)}: ${key},`)
  return {
    'acts.js': `${imports.join('\n')}\nexport const acts = {\n${entries.join('\n')}\n}\n`,
    'acts.d.ts': `export type Act = ${keys.map(actOf).join(' | ') || 'never'}
export declare const acts: Record<Act, () => string>
`,
  }
}

if (import.meta.main) {
  const started_ms = performance.now()
  const compiled = compileTexts()
  const took_ms = Math.round(performance.now() - started_ms)
  process.stdout.write(compiled ? `texts: compiled in ${took_ms} ms\n` : 'texts: nothing changed\n')
}
