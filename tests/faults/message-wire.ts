import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { socketOf } from '#tests/system/breakable-database.ts'

/** The point at which the connections break: the number of the message from now on, and whether this message still arrives. */
export type Cut = { message: number; side: 'before' | 'after' }

/** A socket between the application and PostgreSQL that knows where each message of the protocol begins. */
export type MessageWire = {
  url: string
  /** Counts the messages of both directions from now on, and ends all connections at one of them; new connections are accepted. */
  arm(cut: Cut): void
  /** Stops counting. Returns true if the connections were cut. */
  disarm(): boolean
  /**
   * Loses the answer to the next statement with this text, and all later ones on its connection, which stays open: as behind a firewall that
   * forgot it. Resolves once the statement was sent.
   */
  loseAnswer(text: string): Promise<void>
  close(): Promise<void>
}

/** Returns a `MessageWire` in front of a database that listens on a unix socket. */
export async function makeMessageWire(databaseUrl: string): Promise<MessageWire> {
  const real = socketOf(databaseUrl)
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-messages-'))
  const open = new Set<net.Socket>()
  let losing: { text: string; sent: () => void } | undefined
  let armed: { cut: Cut; seen: number; done: boolean } | undefined

  const cutAll = () => {
    for (const one of open) one.destroy()
  }

  /** Passes a message on. Returns false if the connections are cut at this message. */
  function pass(message: Buffer, to: net.Socket): boolean {
    if (!armed || armed.done) return to.write(message) || true
    armed.seen += 1
    if (armed.seen < armed.cut.message) return to.write(message) || true
    armed.done = true
    if (armed.cut.side === 'before') cutAll()
    // `cutAll` is called once the message is sent, and no other message is sent before.
    else to.write(message, cutAll)
    return false
  }

  const server = net.createServer((near) => {
    const far = net.connect(real)
    let isDeaf = false
    for (const [from, to, frames] of [
      [near, far, makeFrames({ withStart: true })],
      [far, near, makeFrames({ withStart: false })],
    ] as const) {
      let cut = false
      open.add(from)
      from.on('data', (bytes) => {
        for (const message of frames(bytes)) {
          if (from === near && losing && message.includes(losing.text)) {
            isDeaf = true
            losing.sent()
            losing = undefined
          }
          if (!cut && !(isDeaf && from === far) && !pass(message, to)) cut = true
        }
      })
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        open.delete(from)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(path.join(folder, path.basename(real)), resolve))
  return {
    url: databaseUrl.replace(/host=[^&]+/, `host=${encodeURIComponent(folder)}`),
    arm(cut) {
      armed = { cut, seen: 0, done: false }
    },
    disarm() {
      const done = armed?.done ?? false
      armed = undefined
      return done
    },
    loseAnswer: (text) => new Promise((resolve) => (losing = { text, sent: resolve })),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      cutAll()
      await closed
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Splits a stream into messages: a letter, a length of four bytes that counts itself, the content. The first message of a client has
 * no letter (PostgreSQL's manual, 'Frontend/Backend Protocol').
 */
function makeFrames({ withStart }: { withStart: boolean }): (bytes: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0)
  let letter = withStart ? 0 : 1
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const messages: Buffer[] = []
    while (rest.length >= letter + 4) {
      const length = letter + rest.readInt32BE(letter)
      if (rest.length < length) break
      messages.push(rest.subarray(0, length))
      rest = rest.subarray(length)
      letter = 1
    }
    return messages
  }
}
