import { sign } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import type { Call } from '#foundation/server/http/serve.ts'
import { licenceStatus } from '#features/hosts/rules.ts'
import { hostOf, type HostRow } from '#features/hosts/server/hosts.ts'
import type * as contract from '#features/licences/contract.ts'
import { DOCUMENT_GRACE_S, DOCUMENT_LIFETIME_S } from '#features/licences/rules.ts'
import { signingKey } from './signing-keys.ts'

type Licensed = Pick<HostRow, 'public_id' | 'ipv4' | 'licence_key' | 'plan' | 'paid_until' | 'now'>

/**
 * What a host's licence is, signed with Ed25519 as a compact JWS, for software on the host to check without asking us
 * (docs/decisions/016-licence-document.md; agent/licence.mjs reads it). Made of the row as the database saw it just now
 * and never from a cache: a signature costs 30 µs, and no document can say what was true a minute ago. By hand, because
 * jose signs through Web Crypto, which takes three times as long.
 */
export async function licenceDocument(app: App, host: Licensed): Promise<string> {
  const { kid, key } = await signingKey(app)
  const iat = Math.floor(host.now.getTime() / 1000)
  const claims = {
    iss: app.config.publicOrigin,
    sub: host.public_id,
    licence_key: host.licence_key,
    ipv4: host.ipv4,
    status: licenceStatus(host.paid_until, host.now),
    plan: host.plan,
    paid_until: host.paid_until?.toISOString() ?? null,
    iat,
    exp: iat + DOCUMENT_LIFETIME_S,
    grace_s: DOCUMENT_GRACE_S,
  }
  // A type of its own, so that nothing else this key may ever sign passes for a licence (RFC 8725 3.11).
  const signed = `${encode({ alg: 'EdDSA', typ: 'hostdesk-licence+jwt', kid })}.${encode(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The document as a file, for machines that reach us by hand only. */
export async function getDocument({
  app,
  actor,
  params,
  reply,
}: Call<typeof contract.getDocument>): Promise<null> {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  const document = await licenceDocument(app, host)
  void reply
    .type('application/jose')
    .header('content-disposition', `attachment; filename="licence-${host.public_id}.jws"`)
    .send(`${document}\n`)
  return null
}
