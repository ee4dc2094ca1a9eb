import { Secret } from '#foundation/server/secret.ts'
import { kind } from '#foundation/server/setting-kinds.ts'

/** A bucket of a server with the interface of S3, and the key that may write to it. */
export type Bucket = {
  /** Scheme, host and port. */
  endpoint: string
  name: string
  region: string
  /** True if the operator wrote tls=off. */
  isClearAsked: boolean
  key_id: string
  secret: Secret
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** s3://key:secret@host:port/bucket?region=…&tls=off, or the same with https:// or http:// in front. */
export const bucket = () =>
  kind(
    'is no address of a bucket. Set it like s3://key:secret@s3.example.com/bucket?region=eu-central-1',
    readBucket,
  )

function readBucket(given: string): Bucket | undefined {
  // `URL` does not check host and port if it does not know the scheme, so s3:// is read as https://.
  const scheme = /^(s3|https?):\/\//.exec(given)?.[1]
  const url = scheme && URL.parse(given.replace(/^s3:/, 'https:'))
  if (!url || ![...url.searchParams.keys()].every((name) => name === 'region' || name === 'tls'))
    return undefined
  const name = url.pathname.slice(1).replace(/\/$/, '')
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const tls = url.searchParams.get('tls') ?? (scheme === 'http' ? 'off' : 'on')
  if (!bucketName.test(name) || !/^[a-z0-9-]{1,40}$/.test(region) || !['on', 'off'].includes(tls))
    return undefined
  const [key_id, secret] = [url.username, url.password].map(decoded)
  if (!key_id || !secret) return undefined
  const endpoint = `${tls === 'on' ? 'https' : 'http'}://${url.host}`
  const isClearAsked = url.searchParams.get('tls') === 'off'
  return { endpoint, name, region, isClearAsked, key_id, secret: new Secret(secret) }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
