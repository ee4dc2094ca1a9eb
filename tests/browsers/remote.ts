import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** Sends commands of WebDriver to a browser: the name in Firefox's own protocol, and the request in that of the standard. */
type Command = {
  name: string
  method: 'POST' | 'DELETE'
  path: string
  parameters: Record<string, unknown>
}

export type Remote = { send(command: Command): Promise<unknown>; close(): void }

/** A browser behind a WebDriver program, which speaks HTTP (WebKit). */
export async function remoteByHttp(port: number, capabilities: object): Promise<Remote> {
  const ask = async (method: string, path: string, parameters: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(parameters) }),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  const { sessionId } = (await ask('POST', '/session', { capabilities })) as { sessionId: string }
  const session = `/session/${sessionId}`
  return {
    send: ({ method, path, parameters }) => ask(method, session + path, parameters),
    close: () => void ask('DELETE', session, {}).catch(() => {}),
  }
}

type Answer = [kind: number, id: number, error: { message: string } | null, result: unknown]

/** Firefox itself, which speaks Marionette: a length, a colon, and a list in JSON. */
export async function remoteByMarionette(port: number): Promise<Remote> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answers = answersOf(socket)
  let id = 0
  const send = async ({ name, parameters }: Pick<Command, 'name' | 'parameters'>) => {
    id += 1
    const sent = JSON.stringify([0, id, `WebDriver:${name}`, parameters])
    socket.write(`${Buffer.byteLength(sent)}:${sent}`)
    const [, , error, result] = (await answers()) as Answer
    if (error) throw new Error(`${name}: ${error.message}`)
    return result !== null && typeof result === 'object' && 'value' in result ? result.value : result
  }
  // The greeting comes first.
  await answers()
  await send({ name: 'NewSession', parameters: {} })
  return { send, close: () => socket.destroy() }
}

/** Returns a function that waits for the next packet of the stream. */
function answersOf(socket: Socket): () => Promise<unknown> {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
  })
  return async () => {
    for (;;) {
      const colon = rest.indexOf(':')
      const end = colon + 1 + Number(rest.subarray(0, Math.max(colon, 0)).toString())
      if (colon > 0 && rest.length >= end) {
        const packet = rest.subarray(colon + 1, end).toString()
        rest = rest.subarray(end)
        return JSON.parse(packet)
      }
      await once(socket, 'data')
    }
  }
}
