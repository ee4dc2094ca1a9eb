import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { notFound, badRequest } from './http-error.ts'
import { errorResponse } from './error-response.ts'

/** Answers requests that the router rejects before any route is found, in the one shape of all refusals. */
export const answerUnroutable =
  (app: App) => (error: { code: string }, request: FastifyRequest, reply: FastifyReply) => {
    // An address that cannot be decoded is a broken request; one with too long an id names nothing we have.
    const problem = error.code === 'FST_ERR_BAD_URL' ? badRequest('invalid') : notFound()
    void reply.send(errorResponse(app, request, reply, problem, 'product'))
  }

const lastAnswers = new WeakMap<Socket, ServerResponse>()

/** Keeps the last answer of each connection, for `answerUnreadable`. */
export function followAnswers(server: Server): void {
  server.on('request', (request, response) => lastAnswers.set(request.socket, response))
}

/**
 * Answers bytes that are no valid HTTP, if the connection can still be written to. There is no request yet, only the socket. They may be
 * in the body of a request that has its answer already, or come after the last one of a connection: then the connection ends, since a
 * second answer would be taken for that of the next request, or for a part of the first.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = JSON.stringify({ status })
  const last = lastAnswers.get(socket)
  const isAnswered = last?.headersSent === true && !(last.req.complete && last.shouldKeepAlive)
  if (socket.writable && !isAnswered) {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
    ]
    socket.write(`${[...head, 'Cache-Control: no-store', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroy(error)
}
