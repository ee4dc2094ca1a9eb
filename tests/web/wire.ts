import type { Received, Reply } from './wire-server.ts'

/** `await reply('GET /api/users/detail/', { status: 200, body })`; several replies are given one after the other. */
export const reply = (route: string, ...replies: Reply[]): Promise<Received[]> =>
  tell('script', { route, replies })

/** The requests that came since the last reset. */
export const requests = (): Promise<Received[]> => tell('requests', {})

export const resetWire = (): Promise<Received[]> => tell('reset', {})

async function tell(what: string, body: unknown): Promise<Received[]> {
  const response = await fetch(`/wire/${what}`, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as Received[]
}
