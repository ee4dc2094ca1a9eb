import { BlockList } from 'node:net'
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { createEgress } from '#foundation/server/egress/egress.ts'
import type { App } from '#foundation/server/app.ts'
import { RECEIVER_CERTIFICATE } from './certificate.ts'
import { startHttpsServer } from './https-server.ts'

/** A request that a program got. */
export type Got = { id: string; headers: Record<string, string>; body: string; event: Event }
export type Event = {
  id: string
  seq: number
  type: string
  data: Record<string, unknown>
  customer?: { id: string }
}

export type Receiver = {
  /** The address of a program of this receiver. */
  url(path: string): string
  /** All that arrived at a path, oldest first, also what was refused. */
  got(path: string): Got[]
  /** Forgets what arrived at a path, so that a long test needs no memory for it. */
  forget(path: string): void
  /** Answers the requests at a path from now on; without it they get 204. */
  answer(path: string, by: (response: ServerResponse, got: Got) => void): void
  close(): Promise<void>
}

/** Starts a program that gets webhooks over TLS, on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const server = await startHttpsServer()
  const all = new Map<string, Got[]>()
  const answers = new Map<string, (response: ServerResponse, got: Got) => void>()
  server.behave(({ path, headers, body }, response) => {
    const event = JSON.parse(body) as Event
    const got = { id: String(headers['webhook-id']), headers: headers as Record<string, string>, body, event }
    all.set(path, [...(all.get(path) ?? []), got])
    const answer = answers.get(path)
    if (answer) answer(response, got)
    else response.writeHead(204).end()
  })
  return {
    url: (path) => `https://receiver.example:${server.port}${path}`,
    got: (path) => all.get(path) ?? [],
    forget: (path) => void all.delete(path),
    answer: (path, by) => void answers.set(path, by),
    close: server.close,
  }
}

/** Lets an app send to receivers on this machine: this is the whole of what DNS and the certificate authorities say to it. */
export function openTo(app: App, { most_ms = 15_000 }: { most_ms?: number } = {}): void {
  const opened = new BlockList()
  opened.addAddress('127.0.0.1')
  const resolve = async (name: string) => (name === 'receiver.example' ? ['127.0.0.1'] : [])
  app.config.egress = createEgress({ opened, resolve, ca: RECEIVER_CERTIFICATE, most_ms })
}

/** True if the signature of what arrived is by this secret. */
export function isSignedBy(secret: string, { body, headers }: Got): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
