import { createWriteStream } from 'node:fs'
import { access, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text as textOf } from 'node:stream/consumers'
import { exitCodes } from '#foundation/exit-codes.ts'
import { fieldIn, jsonIn } from './json.ts'
import { Failure, WrongUse } from './failures.ts'

/**
 * Writes the bytes of an answer to a file, and returns its path; a file that was cut off leaves nothing. Without a name it is the one
 * that the server gives, in this folder, and no file is overwritten then. Throws Failure.
 */
export async function saveTo(response: Response, wanted: string | undefined): Promise<string> {
  const file = wanted ?? nameIn(response.headers.get('content-disposition'))
  if (wanted === undefined && (await isThere(file)))
    throw new Failure(`${file} is there already. Name another: --output FILE`, exitCodes.refused)
  const part = `${file}.part-${process.pid}`
  try {
    await pipeline(bytesOf(response), createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw new Failure(`${file} could not be written: ${String(fieldIn(error, 'message'))}`, exitCodes.failed)
  }
  return file
}

/** Writes the bytes of an answer to the output. */
export const sendTo = (response: Response, output: NodeJS.WritableStream): Promise<void> =>
  pipeline(bytesOf(response), output, { end: false })

const bytesOf = (response: Response): Readable =>
  response.body ? Readable.fromWeb(response.body) : Readable.from([])

/** Returns the name of a file that the server gives: a name alone, because a path in it would write anywhere. */
function nameIn(disposition: string | null): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? []
  const [, plain] = /filename="?([^";]+)"?/i.exec(disposition ?? '') ?? []
  const named = encoded === undefined ? plain : decodeURIComponent(encoded)
  const name = path.posix
    .basename((named ?? '').replaceAll('\\', '/'))
    .replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
  return name === '' || name.startsWith('.') ? 'download' : name
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    return false
  }
}

/** Returns a file as the form in which the API takes it. Throws WrongUse if it cannot be read. */
export async function formOf(file: string): Promise<FormData> {
  const form = new FormData()
  form.set('file', new Blob([await readOrRefuse(file)]), path.basename(file))
  return form
}

/** Returns the JSON of a body: as it was typed, of a file behind @, or of the standard input for `-`. Throws WrongUse. */
export async function bodyIn(typed: string): Promise<unknown> {
  const text =
    typed === '-'
      ? await textOf(process.stdin)
      : typed.startsWith('@')
        ? (await readOrRefuse(typed.slice(1))).toString()
        : typed
  const body = jsonIn(text)
  if (body === undefined)
    throw new WrongUse('--body takes JSON, @FILE with JSON in it, or - for the standard input.')
  return body
}

async function readOrRefuse(file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(file)
  } catch (error) {
    const isMissing = fieldIn(error, 'code') === 'ENOENT'
    throw isMissing
      ? new Failure(`There is no file '${file}'.`, exitCodes.notFound)
      : new WrongUse(`'${file}' cannot be read.`)
  }
}
