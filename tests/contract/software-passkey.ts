import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { must } from '#foundation/must.ts'

const origin = 'http://localhost:3000'

/**
 * A passkey in software (WebAuthn level 3, ES256, no attestation). Its answers are valid, signature included, as those of a browser with
 * an authenticator.
 */
export class SoftwarePasskey {
  readonly id = randomBytes(32).toString('base64url')
  counter = 0
  verifiesUser = true
  private readonly keys: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  })

  /** Returns the answer to `navigator.credentials.create`. */
  register({ challenge }: { challenge: string }, at = origin) {
    const clientDataJSON = clientData('webauthn.create', challenge, at)
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.publicKey()])
    const authData = Buffer.concat([this.head(at, 0x40), attested])
    const attestationObject = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ])
    const response = {
      clientDataJSON,
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    }
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response,
      clientExtensionResults: { credProps: { rk: true } },
    }
  }

  /** Returns the answer to `navigator.credentials.get`, and raises the counter by 1. */
  answer({ challenge }: { challenge: string }, at = origin) {
    this.counter += 1
    const clientDataJSON = clientData('webauthn.get', challenge, at)
    const authenticatorData = this.head(at, 0)
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), this.keys.privateKey)
    const response = {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    }
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} }
  }

  /** Hash of the relying party, flags (present, verified), counter. */
  private head(at: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const party = createHash('sha256').update(new URL(at).hostname).digest()
    return Buffer.concat([party, Buffer.from([flags | 0x01 | (this.verifiesUser ? 0x04 : 0)]), counter])
  }

  /** The public key as COSE writes it (RFC 9053 7.1.1). */
  private publicKey(): Buffer {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' })
    return map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(must(x), 'base64url'))],
      [integer(-3), bytes(Buffer.from(must(y), 'base64url'))],
    ])
  }
}

const clientData = (type: string, challenge: string, at: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false })).toString('base64url')

// These functions write the part of CBOR (RFC 8949) that is needed here: lengths below 65,536.
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
const integer = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])
