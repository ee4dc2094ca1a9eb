import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Keys } from '#foundation/server/keys.ts'

const people = new WeakMap<FastifyRequest, string>()

/**
 * Keeps the person who makes a request, for its line in the log: hashed with a key, so that the lines of one person are
 * found together, while a reader of the log learns nobody's id.
 */
export function notePerson(keys: Keys, request: FastifyRequest, user_id: string): void {
  people.set(request, createHmac('sha256', keys.log).update(user_id).digest('hex').slice(0, 16))
}

export const loggedPerson = (request: FastifyRequest): string | undefined => people.get(request)
