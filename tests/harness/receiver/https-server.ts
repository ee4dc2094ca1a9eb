import https from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from './certificate.ts'

type Received = {
  path: string
  headers: IncomingMessage['headers']
  body: string
  bytes: Buffer
  socket: object
}
type Behaviour = (got: Received, response: ServerResponse) => void

export type HttpsServer = {
  port: number
  /** The number of connections that were opened. */
  connections(): number
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/** Starts a server with TLS on this machine, by a certificate of its own; it answers 204 unless told otherwise. */
export async function startHttpsServer(port = 0): Promise<HttpsServer> {
  let behaviour: Behaviour = (_got, response) => void response.writeHead(204).end()
  let connections = 0
  const server = https.createServer(
    { key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE },
    (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const bytes = Buffer.concat(parts)
        const body = bytes.toString()
        behaviour(
          { path: request.url ?? '', headers: request.headers, body, bytes, socket: request.socket },
          response,
        )
      })
    },
  )
  server.on('connection', () => (connections += 1))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    behave: (next) => {
      behaviour = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
