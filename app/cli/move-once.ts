import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { onceForOperator } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { Options } from './options.ts'

const KEY_LENGTH = 200

type Move = { user_id: string; command: string; given: readonly string[]; options: Options }

/**
 * Moves money of an account in one transaction. With `--idempotency-key` a repeated command moves the money once only and repeats its
 * first answer; the key is kept for a week. Throws WrongUse for a malformed key, and Refused if the key was used for another command.
 */
export async function moveOnce(
  app: App,
  { user_id, command, given, options }: Move,
  move: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const { idempotencyKey: key, ...others } = options
  if (key !== undefined && (typeof key !== 'string' || key.trim() === '' || key.length > KEY_LENGTH))
    throw new WrongUse(`Write a key of at most ${KEY_LENGTH} characters.`)
  const asked = { command, given, options: others }
  const answer = await transaction(app, 'system', (tx) =>
    onceForOperator(tx, { user_id, key, asked }, () => move(tx)),
  ).catch((error: unknown) => {
    if (error instanceof HttpError && error.errors.some(({ code }) => code === 'idempotency_key_reused'))
      throw new Refused('This key was used for another command. Nothing was changed.')
    throw error
  })
  return storedAnswer.parse(answer)
}

/** The schema of the answer, which a repeated command reads from the database as JSON. */
const storedAnswer = z.object({ lines: z.array(z.string()), data: z.record(z.string(), z.unknown()) })
