import { readFile } from 'node:fs/promises'
import * as contract from '#features/statements/published.ts'
import { ED25519_KEY } from '#foundation/public-key.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { publicKeys } from './key-queries.ts'
import { allRoots } from './queries.ts'

const CACHED = 'public, max-age=300'

export const listKeys = handler(contract.listStatementKeys, async ({ app, reply }) => {
  const rows = await publicKeys(app.db)
  const keys = rows.map(({ kid, public_key, created_at, retired_at, withdrawn_at }) => ({
    ...ED25519_KEY,
    kid,
    x: public_key,
    created_at: created_at.toISOString(),
    retired_at: retired_at?.toISOString() ?? null,
    withdrawn_at: withdrawn_at?.toISOString() ?? null,
  }))
  reply.header('cache-control', CACHED)
  return { status: 200, body: { issuer: app.config.publicOrigin, keys } }
})

export const listRoots = handler(contract.listStatementRoots, async ({ app, reply }) => {
  const rows = await allRoots(app.db)
  const months = rows.map(({ kid: key, ...row }) => ({ ...row, key }))
  reply.header('cache-control', CACHED)
  return { status: 200, body: { issuer: app.config.publicOrigin, months } }
})

const program = new URL('../../../clients/verify-statement/verify-statement.mjs', import.meta.url)

export const getVerifier = handler(contract.getVerifier, async ({ reply }) => {
  void reply
    .type('text/javascript; charset=utf-8')
    .header('cache-control', CACHED)
    .send(await readFile(program))
  return null
})
