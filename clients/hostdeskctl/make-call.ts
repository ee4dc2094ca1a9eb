import { randomUUID } from 'node:crypto'
import type { Request } from './ask.ts'
import type { Call } from './calls.ts'
import type { Context } from './context.ts'
import { WrongUse } from './failures.ts'
import type { Field } from './fields.ts'
import { bodyIn, formOf, saveTo, sendTo } from './files.ts'
import { fieldIn } from './json.ts'
import { allPages } from './pages.ts'
import { optionOf, valueOf } from './typed.ts'

/** The options of a command, by their names in camelCase. */
export type Typed = Readonly<Record<string, string | string[] | true | undefined>>

type Made = { call: Call; calls: readonly Call[]; context: Context; words: readonly string[]; typed: Typed }

/** Makes the call of a command from what was typed, and prints its answer. Throws Failure. */
export async function makeCall({ call, calls, context, words, typed }: Made): Promise<void> {
  const { idempotencyKey: key = randomUUID() } = typed
  const request: Request = {
    method: call.method,
    path: pathOf(call, words),
    query: queryOf(call, typed),
    ...(call.takesKey ? { key: String(key) } : {}),
  }
  if (call.takesFile)
    return context.write(await context.askJson({ ...request, body: await formOf(words.at(-1) ?? '') }))
  const body = await bodyOf(call, typed)
  if (body !== undefined && Array.isArray(typed['attach']))
    body['attachment_ids'] = await attached(typed['attach'], calls, context)
  const whole: Request = body === undefined ? request : { ...request, body }
  if (call.gives === 'file') return saveOrSend(await context.ask(whole), typed['output'], context)
  const answer =
    typed['all'] === true
      ? await allPages((cursor) =>
          context.askJson({
            ...whole,
            query: { limit: '100', ...whole.query, ...(cursor ? { cursor } : {}) },
          }),
        )
      : await context.askJson(whole)
  if (answer !== undefined) context.write(answer)
  else if (context.isForPerson()) context.writeLine('Done.')
  if (typed['all'] !== true && context.isForPerson() && fieldIn(answer, 'next_cursor'))
    context.say('There is more: --all for the whole list.')
}

/** Writes a file to the disk, or to the output where it is a pipe or `-` is typed. */
export async function saveOrSend(response: Response, output: unknown, context: Context): Promise<void> {
  if (output === '-' || (output === undefined && !process.stdout.isTTY))
    return sendTo(response, process.stdout)
  const file = await saveTo(response, typeof output === 'string' ? output : undefined)
  if (context.isForPerson()) context.writeLine(`Written to ${file}.`)
  else context.write({ file })
}

function pathOf({ path, named }: Call, words: readonly string[]): string {
  const values = new Map(named.map((name, index) => [name, words[index] ?? '']))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name) ?? ''
    // A browser and a server read these as steps between folders, whoever writes them.
    if (value === '' || value === '.' || value === '..') throw new WrongUse(`'${value}' names nothing.`)
    return encodeURIComponent(value)
  })
}

/** Returns what was typed for some fields, as [field, text]. */
const typedFor = (fields: readonly Field[], typed: Typed): [Field, string][] =>
  fields.flatMap((field) => {
    const text = typed[camelCase(field.name)]
    return typeof text === 'string' ? [[field, text] as [Field, string]] : []
  })

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, start: string) => start.toUpperCase())

function queryOf({ query }: Call, typed: Typed): Record<string, string> {
  refuseMissing(query, (name) => typed[camelCase(name)] !== undefined)
  return Object.fromEntries(typedFor(query, typed).map(([{ name }, text]) => [name, text]))
}

async function bodyOf(call: Call, typed: Typed): Promise<Record<string, unknown> | undefined> {
  if (call.body.length === 0) return undefined
  const whole = typeof typed['body'] === 'string' ? await bodyIn(typed['body']) : {}
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new WrongUse('--body takes an object: {"name": "value"}.')
  const body: Record<string, unknown> = { ...whole }
  for (const [field, text] of typedFor(call.body, typed)) body[field.name] = valueOf(field, text)
  // An id by which the server knows that a message is the same when it is sent again.
  if (call.body.some(({ name }) => name === 'client_id')) body['client_id'] ??= randomUUID()
  refuseMissing(call.body, (name) => name in body)
  return call.isBodyOptional && Object.keys(body).length === 0 ? undefined : body
}

function refuseMissing(fields: readonly Field[], isThere: (name: string) => boolean): void {
  const missing = fields.filter(({ name, isRequired }) => isRequired && !isThere(name))
  if (missing.length > 0)
    throw new WrongUse(`This needs ${missing.map(({ name }) => optionOf(name)).join(', ')}.`)
}

/** Uploads files and returns their ids. */
async function attached(
  files: readonly string[],
  calls: readonly Call[],
  context: Context,
): Promise<string[]> {
  const upload = calls.find(({ takesFile }) => takesFile)
  const ids: string[] = []
  for (const file of files) {
    const { method = 'POST', path = '' } = upload ?? {}
    const kept = await context.askJson({ method, path, body: await formOf(file) })
    ids.push(String(fieldIn(kept, 'id')))
  }
  return ids
}
