import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type * as sdk from '@aws-sdk/client-s3'
import { makeFolder } from '#foundation/server/make-folder.ts'
import type { Bucket } from './bucket-setting.ts'
import { assertKey } from './keys.ts'
import type { Kept, Storage } from './storage.ts'

type Sdk = typeof sdk

/** Files in a bucket that speaks S3; `folder` holds only what is still coming in. */
export function storeInBucket(bucket: Bucket, folder: string): Storage {
  const incoming = path.join(folder, 'incoming')
  const Bucket = bucket.name
  let opened: Promise<{ client: S3Client; sdk: Sdk }> | undefined
  // Loaded at the first use: most installations have no bucket, and the SDK is large.
  const connected = () => (opened ??= connect(bucket))
  return {
    get incoming() {
      makeFolder(incoming, 0o700)
      return incoming
    },
    async keep(key, from) {
      assertKey(key)
      const { client, sdk } = await connected()
      const { size } = await stat(from)
      await client.send(
        new sdk.PutObjectCommand({
          Bucket,
          Key: key,
          Body: createReadStream(from),
          ContentLength: size,
          // Whoever gets hold of the bucket's address is given bytes, never a page.
          ContentType: 'application/octet-stream',
          ContentDisposition: 'attachment',
        }),
      )
      await rm(from, { force: true })
    },
    async open(key) {
      assertKey(key)
      const { client, sdk } = await connected()
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key }))
        return Body as Readable
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        throw error
      }
    },
    async remove(key) {
      assertKey(key)
      const { client, sdk } = await connected()
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }))
    },
    async *list(): AsyncGenerator<Kept> {
      const { client, sdk } = await connected()
      for await (const { Contents } of sdk.paginateListObjectsV2({ client }, { Bucket }))
        for (const { Key, LastModified } of Contents ?? [])
          if (Key && LastModified) yield { key: Key, changed_at: LastModified }
    },
  }
}

async function connect({ endpoint, region, key_id, secret }: Bucket) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: key_id, secretAccessKey: secret.reveal() },
    forcePathStyle: true,
    // Checksums in trailers are Amazon's alone; other makers' servers refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
    maxAttempts: 2,
    // What fails is thrown, and told in our own log.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  })
  return { client, sdk }
}

const silent = () => {}
