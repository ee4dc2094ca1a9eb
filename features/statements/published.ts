import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { time } from '#foundation/printed.ts'
import { publicKey } from '#foundation/public-key.ts'

/** All that anybody may read to check a statement: the keys, the roots of all months, and the program that checks without us. */

const key = z.strictObject({
  ...publicKey.shape,
  created_at: time(),
  /** When another key began to sign; what this one had signed stays genuine. */
  retired_at: z.nullable(time()),
  /** When it was found to be stolen: of what it signed, only what is under a root that another key signed is genuine. */
  withdrawn_at: z.nullable(time()),
})

export const listStatementKeys = route({
  id: 'listStatementKeys',
  tag: 'Finances',
  method: 'GET',
  path: '/.well-known/statement-keys.json',
  access: { who: 'anyone' },
  summary: 'All public keys that ever signed statements',
  replies: { 200: z.strictObject({ issuer: z.string(), keys: z.array(key) }) },
})

const root = z.strictObject({
  month: z.string(),
  /** The root of a tree over the hashes of all statements of the month (docs/decisions/203). */
  root: z.string(),
  key: z.string(),
  signature: z.string(),
})

export const listStatementRoots = route({
  id: 'listStatementRoots',
  tag: 'Finances',
  method: 'GET',
  path: '/.well-known/statement-roots.json',
  access: { who: 'anyone' },
  summary: 'The signed root over all statements of each month, newest first',
  description: 'It names no account and not how many there are; a statement holds its way to the root',
  replies: { 200: z.strictObject({ issuer: z.string(), months: z.array(root) }) },
})

export const getVerifier = route({
  id: 'getVerifier',
  tag: 'Finances',
  method: 'GET',
  path: '/.well-known/verify-statement.mjs',
  access: { who: 'anyone' },
  summary: 'The program that checks statements without a network',
  description: 'One file for Node 20 or newer, without packages',
  responseType: 'text/javascript',
  replies: { 200: null },
})
