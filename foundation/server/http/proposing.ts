import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Route } from '#foundation/contract.ts'

const HEADER = 'x-proposed-by-assistant'
/** Only this process knows it: a caller cannot make a proposal of a call, nor a call of a proposal. */
const KEY = randomUUID()

/** The headers by which this process makes a call that only proposes. */
export const asProposal = { [HEADER]: KEY }

/**
 * True for a call that an assistant makes as a tool: its handler path judges it as ever, and then it waits for a person instead of being
 * done. Calls of staff wait as `withApproval` has it, those of customers as `app.propose` has it.
 */
export const isProposed = (
  { tool }: Pick<Route, 'tool'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): boolean => tool === 'propose' && headers[HEADER] === KEY
