import net from 'node:net'
import type { AddressInfo } from 'node:net'

export type MailCounter = {
  url: string
  count(): number
  /** Resolves with the time (performance.now()) at which the next mail to the address comes; rejects after `timeout_ms`. */
  next(address: string, timeout_ms: number): Promise<number>
  close(): Promise<void>
}

/** Starts a mail server that accepts every mail and reads only the recipients, so that it takes hardly any processor time. */
export async function startMailCounter(): Promise<MailCounter> {
  const waiting = new Map<string, (at: number) => void>()
  let count = 0
  const server = net.createServer((socket) => {
    let text = ''
    let to = ''
    let isData = false
    const say = (line: string) => void socket.write(`${line}\r\n`)
    say('220 mail')
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          count += 1
          waiting.get(to)?.(performance.now())
          waiting.delete(to)
          say('250 taken')
          continue
        }
        const word = line.slice(0, 4).toUpperCase()
        if (word === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? ''
        if (word === 'DATA') isData = true
        say(word === 'DATA' ? '354 go on' : word === 'QUIT' ? '221 bye' : '250 fine')
        if (word === 'QUIT') socket.end()
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    next: (address, timeout_ms) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no mail to ${address}`)), timeout_ms)
        waiting.set(address, (at) => {
          clearTimeout(timer)
          resolve(at)
        })
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
