import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { errorCode } from '#foundation/server/error-code.ts'
import { storageRefused } from '#foundation/server/full-disk.ts'
import { HttpError, badRequest } from './http-error.ts'

/** A received file, flushed to disk in a temporary place; the caller moves it or removes it. */
export type ReceivedFile = {
  /** Absolute. */
  path: string
  /** The name that the sender gave. It must not be trusted. */
  name: string
  /** In bytes. */
  size: number
  sha256: Buffer
  /** The first 64 kB, from which the type of the file is recognised. */
  head: Buffer
  /** True if the whole file is UTF-8 without NUL. */
  is_text: boolean
}

type Wanted = {
  folder: string
  most_bytes: number
  /** Called before each piece is written; an error that it throws refuses the file. */
  taking: (bytes: number) => void
}

const HEAD_BYTES = 65_536
// The multipart envelope around a file: boundaries and the part's headers.
export const ENVELOPE_BYTES = 16_384

/**
 * Reads the one file of a multipart request into `folder`, without ever holding it in memory. Throws 413 `too_large` as
 * soon as it is known, 400 `empty_file`, 400 `one_file` for anything but one file, 415 for another type of request,
 * and 503 where the disk refuses. After a throw nothing is left behind.
 */
export async function receiveFile(
  request: FastifyRequest,
  { folder, ...wanted }: Wanted,
): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw new HttpError(415, [{ code: 'unsupported_media_type' }])
  if (Number(request.headers['content-length'] ?? 0) > wanted.most_bytes + ENVELOPE_BYTES) throw tooLarge()
  const at = path.join(folder, randomUUID())
  try {
    return await readParts(request, at, wanted)
  } catch (error) {
    request.raw.unpipe()
    request.raw.resume()
    await rm(at, { force: true })
    throw toHttpError(error)
  }
}

async function readParts(
  request: FastifyRequest,
  at: string,
  wanted: Omit<Wanted, 'folder'>,
): Promise<ReceivedFile> {
  // `fileSize` is one byte more than is allowed, so that a larger file is refused and not cut off.
  const limits = {
    fileSize: wanted.most_bytes + 1,
    files: 2,
    fields: 1,
    fieldSize: 1,
    parts: 2,
    headerPairs: 20,
  }
  let received: ReceivedFile | undefined
  for await (const part of request.parts({ limits })) {
    if (received || part.type !== 'file') throw badRequest('one_file')
    received = await writeDown(part, at, wanted)
  }
  if (!received) throw badRequest('one_file')
  if (received.size === 0) throw badRequest('empty_file')
  return received
}

async function writeDown(
  part: MultipartFile,
  at: string,
  { most_bytes, taking }: Omit<Wanted, 'folder'>,
): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  const looked = checkForText()
  const head: Buffer[] = []
  let size = 0
  const file = createWriteStream(at, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(
    part.file,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size))
        size += chunk.length
        if (size > most_bytes) throw tooLarge()
        taking(chunk.length)
        hash.update(chunk)
        looked.at(chunk)
        yield chunk
      }
    },
    file,
  )
  try {
    await written
  } finally {
    // A failed pipeline rejects before its file is closed, or even created: a file removed at that moment would be created afterwards.
    await finished(file).catch(() => {})
  }
  const is_text = looked.isText()
  return {
    path: at,
    name: part.filename || '',
    size,
    sha256: hash.digest(),
    head: Buffer.concat(head),
    is_text,
  }
}

/** Checks a file piece by piece for being text; a piece may end within a character. */
function checkForText() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isText = true
  const judge = (decode: () => string) => {
    try {
      if (isText) decode()
    } catch {
      isText = false
    }
  }
  return {
    at(chunk: Buffer) {
      if (chunk.includes(0)) isText = false
      judge(() => decoder.decode(chunk, { stream: true }))
    },
    isText() {
      judge(() => decoder.decode())
      return isText
    },
  }
}

const tooLarge = () => new HttpError(413, [{ code: 'too_large' }])

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  // Only errors of the file system have `syscall`.
  if (error instanceof Error && 'syscall' in error) return storageRefused(error)
  // Any other error comes from a request that is malformed, or that broke off.
  return /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(errorCode(error) ?? '')
    ? badRequest('one_file')
    : badRequest('invalid')
}
