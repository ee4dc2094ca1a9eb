import { HEARTBEAT_MS } from '#foundation/live-contract.ts'
import { isRecord } from '#foundation/web/property.ts'

export type LiveEvent = { type: string; id?: string | undefined; data: Record<string, unknown> }

/**
 * Reads text/event-stream until it ends. Throws if it breaks, or if not even a heartbeat came for 35 s (two intervals and 5 s):
 * a network that was lost without a message looks like silence.
 */
export async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
  /** Called whenever anything arrives, also a heartbeat. */
  onSign: () => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await within(2 * HEARTBEAT_MS + 5000, reader.read())
      if (done || signal.aborted) return
      onSign()
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parse(block)
        if (event) onEvent(event)
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Reads one block of lines `field: value`. Returns undefined for a block without an event, such as a comment (heartbeat). */
function parse(block: string): LiveEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? []
      return [name, value]
    }),
  )
  const type = fields.get('event')
  if (!type) return undefined
  const data: unknown = JSON.parse(fields.get('data') || '{}')
  return { type, id: fields.get('id'), data: isRecord(data) ? data : {} }
}

async function within<T>(timeout_ms: number, promise: Promise<T>): Promise<T> {
  let timer = 0
  const late = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error('the stream is silent')), timeout_ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
