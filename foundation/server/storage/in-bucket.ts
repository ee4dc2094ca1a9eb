import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { makeFolder } from '#foundation/server/make-folder.ts'
import { connect } from './bucket-requests.ts'
import type { Bucket } from './bucket-setting.ts'
import { assertKey } from './keys.ts'
import type { Kept, Storage } from './store.ts'
import { elements, firstText } from './xml-elements.ts'

/** Keeps files in a bucket with the interface of S3; `folder` holds only files that are still being received. */
export function storeInBucket(bucket: Bucket, folder: string): Storage {
  const incoming = path.join(folder, 'incoming')
  const send = connect(bucket)
  return {
    get incoming() {
      makeFolder(incoming, 0o700)
      return incoming
    },
    async keep(key, from) {
      assertKey(key)
      const body = await openAsBlob(from)
      const headers = {
        // A leaked address of the bucket serves bytes, never a page.
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
      }
      const reply = await send({ method: 'PUT', path: key, body, headers })
      await reply.arrayBuffer()
      await rm(from, { force: true })
    },
    async open(key) {
      assertKey(key)
      const reply = await send({ method: 'GET', path: key, mayLack: 'NoSuchKey' })
      if (reply.status === 404) return undefined
      return reply.body ? Readable.fromWeb(nodeStream(reply.body)) : Readable.from([])
    },
    async remove(key) {
      assertKey(key)
      const reply = await send({ method: 'DELETE', path: key, mayLack: 'NoSuchKey' })
      await reply.arrayBuffer()
    },
    async *list(): AsyncGenerator<Kept> {
      let more: string | undefined
      do {
        const query = { 'list-type': '2', ...(more ? { 'continuation-token': more } : {}) }
        const page = await (await send({ method: 'GET', path: '', query })).text()
        for (const entry of elements(page, 'Contents')) {
          const [key, changed_at] = [firstText(entry, 'Key'), firstText(entry, 'LastModified')]
          if (key && changed_at) yield { key, changed_at: new Date(changed_at) }
        }
        more = firstText(page, 'NextContinuationToken')
      } while (more)
    },
  }
}

// ReadableStream is one class with two declarations: the web's, and Node's, which can be iterated.
function nodeStream(body: NonNullable<Response['body']>): ReadableStream
function nodeStream(body: object): object {
  return body
}
