// Tickets as a customer opens them and both sides write in them.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { listMessages, postMessage } from '#features/support/messages/contract.ts'
import { createTicket, getTicket, splitTicket } from '#features/support/tickets/contract.ts'
import type { Customer } from './customer.ts'

export const question = {
  subject: 'Cannot reach my server',
  message: 'Since this morning.',
  topic: 'technical' as const,
}

export async function opened(customer: Customer, body: object = {}) {
  const reply = await customer.api.call(createTicket, { body: { ...question, ...body } })
  expect(reply.status).toBe(201)
  return reply.body
}

export const messagesOf = async ({ api }: Pick<Customer, 'api'>, chatId: string, query: object = {}) =>
  (await api.call(listMessages, { params: { chatId }, query })).body

export const say = ({ api }: Pick<Customer, 'api'>, chatId: string, text: string, client_id = randomUUID()) =>
  api.call(postMessage, { params: { chatId }, body: { client_id, text } })

/** Splits off the rest of a conversation, from a message on. */
export const split = (
  { api }: Pick<Customer, 'api'>,
  chatId: string,
  seq: number,
  client_id: string = randomUUID(),
) => api.call(splitTicket, { params: { chatId }, body: { seq, subject: 'Second thing', client_id } })

export const staffTicket = async ({ api }: Pick<Customer, 'api'>, chatId: string) =>
  (await api.call(getTicket, { params: { chatId } })).body
