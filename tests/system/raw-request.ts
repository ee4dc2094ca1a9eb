import net from 'node:net'

/** A request as bytes on the wire, so that it may be as broken as an attacker likes. */
export type RawRequest = {
  method: string
  target: string
  headers: [string, string][]
  body?: Buffer | undefined
  /** True to close the sending side right after the request, for requests that announce more than they send. */
  hangsUp?: boolean
}

/** A reply; `status` is 0 if the server closed the connection without an answer. */
export type RawReply = { status: number; headers: Map<string, string[]>; body: string }

/** Sends one request over a connection of its own and reads the answer to its end. */
export function sendRaw(url: string, request: RawRequest, timeout_ms = 10_000): Promise<RawReply> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = net.connect({ host: hostname, port: Number(port) })
    const finish = () => {
      socket.destroy()
      resolve(parseReply(Buffer.concat(chunks)))
    }
    socket.setTimeout(timeout_ms, () => {
      socket.destroy()
      reject(new Error(`no end of the answer to ${request.method} ${request.target} within ${timeout_ms} ms`))
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isComplete(Buffer.concat(chunks))) finish()
    })
    socket.on('end', finish)
    // The server may close while a body it has refused is still being sent.
    socket.on('error', finish)
    socket.write(bytesOf(request))
    if (request.hangsUp) socket.end()
  })
}

function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  // latin1 writes each code unit as one byte, so that generated junk arrives unchanged.
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

function isComplete(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return false
  // A stream has no end, so its beginning is enough of an answer.
  if (/\r\ncontent-type: text\/event-stream/i.test(bytes.subarray(0, end).toString('latin1'))) return true
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.subarray(0, end).toString('latin1'))?.[1]
  return length !== undefined && bytes.length >= end + 4 + Number(length)
}

function parseReply(all: Buffer): RawReply {
  // '100 Continue' only means that the answer is still to come.
  const bytes = all.subarray(0, 13).toString('latin1').startsWith('HTTP/1.1 100 ')
    ? all.subarray(all.indexOf('\r\n\r\n') + 4)
    : all
  const end = bytes.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  const rest = end < 0 ? bytes : bytes.subarray(end + 4)
  const body = headers.get('transfer-encoding')?.[0] === 'chunked' ? joinChunks(rest) : rest
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0),
    headers,
    body: body.toString('utf8'),
  }
}

function joinChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    if (lineEnd < 0 || !(size > 0)) break
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return Buffer.concat(parts)
}
