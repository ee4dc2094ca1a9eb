import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Secret } from '#foundation/server/secret.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { send } from './transport.ts'

const { app } = await startTestApp()
const mail = { id: 'x', created_at: new Date(), subject: 's', text: 't', html: 'h', attachments: [] }

/** Starts a mail server that waits before each of its answers; it takes every mail, and keeps what it was told. */
async function startSlowServer(pause_ms: number) {
  const heard: string[] = []
  const open = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    const say = async (words: string) => {
      await sleep(pause_ms)
      if (socket.writable) socket.write(`${words}\r\n`)
    }
    let isInText = false
    socket.setEncoding('utf8').on('data', (words: string) => {
      heard.push(words)
      if (isInText) {
        isInText = !words.endsWith('\r\n.\r\n')
        if (!isInText) void say('250 taken')
      } else {
        isInText = words.startsWith('DATA')
        const taken = words.startsWith('EHLO') ? '250-slow\r\n250 SMTPUTF8' : '250 ok'
        void say(isInText ? '354 go on' : taken)
      }
    })
    void say('220 slow')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    config: {
      ...app.config,
      smtpUrl: new Secret(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`),
      demandsStartTls: false,
    },
    open,
    mails: () => heard.filter((words) => words.includes('\r\n.\r\n')).length,
    close: () => server.close(),
  }
}

// Seen red: the mail counted as failed and was sent again, while the connection of each try went on and delivered it.
it('a mail that took too long is given up with its connection, and a server that is slow at each step never gets it', async () => {
  const slow = await startSlowServer(300)
  await expect(send(slow.config, { ...mail, to: 'ann@example.com' }, 1000)).rejects.toThrow(
    'the mail server took longer than 1000 ms',
  )
  await expect.poll(() => slow.open.size, { timeout: 2000 }).toBe(0)
  await sleep(1500)
  expect(slow.mails()).toBe(0)
  await send(slow.config, { ...mail, to: 'ann@example.com' }, 10_000)
  expect(slow.mails()).toBe(1)
  slow.close()
})

it('the limit counts the question for SMTPUTF8, too', async () => {
  const slow = await startSlowServer(1500)
  const took = ownClock()
  await expect(send(slow.config, { ...mail, to: 'jürgen@example.com' }, 500)).rejects.toThrow(
    'the mail server took longer than 500 ms',
  )
  expect(took()).toBeLessThan(2500)
  await expect.poll(() => slow.open.size, { timeout: 2000 }).toBe(0)
  expect(slow.mails()).toBe(0)
  slow.close()
})
