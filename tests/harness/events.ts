type ReadEvent = { id: string | undefined; type: string; data: Record<string, unknown> }

export type OpenEvents = {
  headers: Headers
  /** The events that have arrived, oldest first. */
  events: ReadEvent[]
  last_id: string
  beats: number
  open: boolean
  /** Returns the first event that fits, past or to come. */
  until(fits: (event: ReadEvent) => boolean, timeout_ms?: number): Promise<ReadEvent>
  ended(): Promise<void>
  close(): void
}

/**
 * Opens the live stream as a browser does. A stream that resumes from no position is returned after its `ready`: earlier events are
 * not sent. Throws if the stream is refused.
 */
export async function openEvents(
  url: string,
  access_token: string,
  headers: Record<string, string> = {},
  query = '',
): Promise<OpenEvents> {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/events/${query}`, {
    headers: { authorization: `Bearer ${access_token}`, ...headers },
    signal: abort.signal,
  })
  if (response.status !== 200 || !response.body) throw new Error(`the stream answers ${response.status}`)
  const stream: OpenEvents = {
    headers: response.headers,
    events: [],
    last_id: headers['last-event-id'] ?? '',
    beats: 0,
    open: true,
    async until(fits, timeout_ms = 12_000) {
      const deadline = Date.now() + timeout_ms
      for (;;) {
        const found = stream.events.find(fits)
        if (found) return found
        if (Date.now() > deadline)
          throw new Error(`no such event; there were ${JSON.stringify(stream.events)}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    ended: () => ended,
    close: () => abort.abort(),
  }
  const ended = read(response.body, stream).catch(() => {
    stream.open = false
  })
  if (!stream.last_id && !query)
    await Promise.race([ended, stream.until(({ type }) => type === 'ready' || type === 'resync')])
  return stream
}

async function read(body: ReadableStream<Uint8Array>, stream: OpenEvents): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) take(block, stream)
  }
  stream.open = false
}

function take(block: string, stream: OpenEvents): void {
  const lines = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  if (lines.get('') === 'beat') stream.beats += 1
  const type = lines.get('event')
  if (!type) return
  const id = lines.get('id')
  if (id !== undefined) stream.last_id = id
  stream.events.push({ id, type, data: JSON.parse(lines.get('data') ?? '{}') as Record<string, unknown> })
}
