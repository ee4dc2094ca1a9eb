import type { FastifyInstance } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { errorResponse } from './error-response.ts'
import { notFound } from './http-error.ts'

/** Answers what goes wrong before or beside a route (a body that is no JSON, an unknown path) in the shape of all refusals. */
export function handleErrors(server: FastifyInstance, app: App): void {
  server.setErrorHandler((error, request, reply) =>
    reply.send(errorResponse(app, request, reply, error, styleOf(request.url))),
  )
  server.setNotFoundHandler((request, reply) =>
    reply.send(errorResponse(app, request, reply, notFound(), styleOf(request.url))),
  )
}

const styleOf = (url: string) => (url.startsWith(AUTH) ? 'auth' : 'product')
