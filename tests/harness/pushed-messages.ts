import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { must } from '#foundation/must.ts'
import { startHttpsServer } from './receiver/https-server.ts'

/** A message as a push service gets it. */
type Pushed = { path: string; headers: Record<string, string | string[] | undefined>; bytes: Buffer }

/** A push service on this machine (RFC 8030), which answers 201 unless told otherwise. It knows no more than the RFCs. */
export async function startPushService() {
  const server = await startHttpsServer()
  const pushed: Pushed[] = []
  let status = 201
  server.behave(({ path, headers, bytes }, response) => {
    pushed.push({ path, headers, bytes })
    response.writeHead(status).end()
  })
  return {
    origin: `https://receiver.example:${server.port}`,
    got: (path: string) => pushed.filter((one) => one.path === path),
    answer: (next: number) => void (status = next),
    close: () => server.close(),
  }
}

/** A browser with the keys of a subscription. */
export function newBrowser(endpoint: string) {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') }
  return { subscription: { endpoint, keys }, open: (body: Buffer) => opened(own, auth, body) }
}

const derived = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

/** Opens a message as a browser does: RFC 8291, 3.4, and RFC 8188, 2. Throws where it was sealed for another one. */
function opened(own: ReturnType<typeof createECDH>, auth: Buffer, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = must(body[20])
  const sender = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const both = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
  const secret = derived(own.computeSecret(sender), auth, both, 32)
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The last record ends with 2 and zeros.
  return record.subarray(0, record.lastIndexOf(2)).toString()
}

/** Reads who signed a message (RFC 8292): the claims of its token, and the key. Throws for a signature that is not by this key. */
export function signerOf({ headers }: Pushed): {
  claims: { aud: string; exp: number; sub: string }
  key: string
} {
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(String(headers['authorization'])) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  const isGenuine = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isGenuine) throw new Error('signed by another key')
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), key }
}
