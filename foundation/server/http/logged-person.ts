import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Keys } from '#foundation/server/keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The hash of the person who makes the request, for its line in the log. */
    person?: string
  }
}

/**
 * Keeps the person who makes a request, for its line in the log: hashed with a key, so that the lines of one person are
 * found together, while a reader of the log learns nobody's id.
 */
export function notePerson(keys: Keys, request: FastifyRequest, user_id: string): void {
  if (last.keys !== keys || last.hashes.size >= MOST) last = { keys, hashes: new Map() }
  let hash = last.hashes.get(user_id)
  if (!hash) {
    hash = createHmac('sha256', keys.log).update(user_id).digest('hex').slice(0, 16)
    last.hashes.set(user_id, hash)
  }
  request.person = hash
}

const MOST = 1000
// A person makes many requests, and the hash costs more than all other checks of who calls.
let last: { keys: Keys | undefined; hashes: Map<string, string> } = { keys: undefined, hashes: new Map() }
