import type { Received, Reply } from './wire-server.ts'

/** Scripts the replies of a route, given one after the other: `await reply('GET /api/users/detail/', { status: 200, body })`. */
export const reply = (route: string, ...replies: Reply[]): Promise<Received[]> =>
  tell('script', { route, replies })

/** Returns the requests that came since the last reset. */
export const requests = (): Promise<Received[]> => tell('requests', {})

export const resetWire = (): Promise<Received[]> => tell('reset', {})

/** Ends the requests that still wait for their answers: a browser has few connections. */
export const cutWire = (): Promise<Received[]> => tell('cut', {})

async function tell(what: string, body: unknown): Promise<Received[]> {
  const response = await fetch(`/wire/${what}`, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as Received[]
}
