import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import * as contract from '#foundation/live-contract.ts'
import type { App } from '#foundation/server/app.ts'
import { handler, type Handler } from '#foundation/server/http/handler.ts'
import { securityHeaders } from '#foundation/server/http/security-headers.ts'
import type { Program } from '#foundation/server/programs.ts'
import { parseCursor } from './cursor.ts'
import { hubOf } from './hub.ts'
import { endStream, type Stream } from './stream.ts'

const openEvents = handler(contract.events, async (call) => {
  const { app, program, caller, query, headers, reply } = call
  await program?.listen()
  const { user_id, session_id, generation, is_staff } = program ? asReader(program) : call.actor
  const { in_staff_network } = caller
  const cursor = headers['last-event-id'] ?? query.after
  const after = cursor === undefined ? undefined : parseCursor(cursor, { is_staff })
  const tab = headers['x-tab-id']
  const loaded_ms = headers['x-loaded-ms'] === undefined ? undefined : Number(headers['x-loaded-ms'])
  const wanted = { user_id, session_id, generation, is_staff, in_staff_network, tab, after, loaded_ms }
  const stream = hubOf(app).open(wanted, () => beginAnswer(app, reply))
  if (program) endInTime(stream)
  return null
})

/** A program has no session; the stream tells its number from the id of one by the sign. */
const asReader = ({ id, number }: Program) => ({
  user_id: id,
  session_id: -number,
  generation: 0,
  is_staff: false,
})

/** Half the time for which events are written for a token after its stream began. */
const PROGRAM_STREAM_MS = 43_200_000

function endInTime(stream: Stream): void {
  const timer = setTimeout(() => endStream(stream), PROGRAM_STREAM_MS).unref()
  stream.out.once('close', () => clearTimeout(timer))
}

/** The empty headers that all streams share; they are frozen, so that nothing is written into them. */
const FORGOTTEN = { headers: Object.freeze({}), rawHeaders: Object.freeze([]) }

/**
 * Takes the answer away from Fastify. Otherwise the handler, with all that it holds, would wait until the stream ends, and Fastify would
 * write through a pipe with buffers of its own: half of the memory of a stream (decision 061).
 */
function beginAnswer({ config }: App, reply: FastifyReply): ServerResponse {
  const { request, raw } = reply.hijack()
  // The headers have been read, and Node would keep them, with the token, until the stream ends.
  Object.assign(request.raw, FORGOTTEN)
  raw.writeHead(200, {
    ...securityHeaders(request.id, { https: config.publicOrigin.startsWith('https:') }),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // nginx would keep back what is written until a buffer is full.
    'x-accel-buffering': 'no',
    // A connection that carried a stream is of no use afterwards, and a server that closes must not wait for it.
    connection: 'close',
  })
  // Node keeps the head of the answer in memory: as one string if it is sent alone, else as the fifty pieces that it was put together from.
  raw.flushHeaders()
  return raw
}

export const routes: readonly Handler[] = [openEvents]
