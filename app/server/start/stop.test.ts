import { readdirSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { uploadAttachment } from '#features/support/files/contract.ts'
import { makeAgentToken } from '#features/hosts/contract.ts'
import { checkIn, figures } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { Client } from '#tests/harness/client.ts'
import { buildApp } from '../build-app.ts'
import { buildServer } from '../server.ts'
import { stopInTime } from './stop.ts'

const test = await startTestApp()
const { api } = await signedInCustomer(test)

/** Another process of the installation, which has got the metrics of a new host and has not written them. */
async function reportedTo() {
  const app = await buildApp(test.app.config, { ownerUrl: test.app.ownerUrl, log: test.app.log })
  const server = await buildServer(app, 30_000)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const { id } = await addHost(api, { name: 'reports' })
  const { token } = bodyOf(await api.call(makeAgentToken, { params: { hostId: id } }), 201)
  const there = { client: () => new Client(`http://127.0.0.1:${port}`) }
  expect((await checkIn(there, token, figures)).status).toBe(200)
  const written = async () =>
    (
      await asOwner(
        test,
        'select from host_figures where host_id = (select id from hosts where public_id = $1)',
        [id],
      )
    ).length
  expect(await written()).toBe(0)
  return { app, server, port, written }
}

/** An upload whose bytes stop to come. Resolves once the server has begun to keep them. */
async function slowUpload(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const { method, path } = uploadAttachment
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.access_token}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe first words',
  )
  await expect.poll(() => readdirSync(test.app.storage.incoming).length).toBe(1)
  return socket
}

// Seen red: the process ended with the figures of five minutes in its memory.
it('rule 34: a slow upload holds up a stop until its time is over, and the figures are written before that', async () => {
  const { app, server, port, written } = await reportedTo()
  const socket = await slowUpload(port)
  let isStopped = false
  const stop = async () => {
    await server.close()
    isStopped = true
    await app.close()
  }
  const stopping = stopInTime(app, stop, { write_ms: 300, end_ms: 30_000 })
  // The figures of a page that is open are written every 10 s in any case.
  await expect.poll(written, { timeout: 6000 }).toBe(1)
  expect(isStopped).toBe(false)
  // An upload that ends in time lets the rest be done in order.
  socket.destroy()
  expect(await stopping).toBe(0)
  expect(isStopped).toBe(true)
})

it('a stop that never ends is over in time, and one that fails writes the figures, too', async () => {
  const { app, server, written } = await reportedTo()
  expect(await stopInTime(app, () => new Promise(() => {}), { write_ms: 60_000, end_ms: 100 })).toBe(1)
  expect(await written()).toBe(0)
  const fails = () => Promise.reject(new Error('the mail server is stuck'))
  expect(await stopInTime(app, fails)).toBe(1)
  expect(await written()).toBe(1)
  server.server.closeAllConnections()
  await server.close()
  await app.close()
})
