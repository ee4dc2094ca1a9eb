import { execFile } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import net, { BlockList, type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { RECEIVER_CERTIFICATE as ca, RECEIVER_KEY as key } from '#tests/harness/receiver/certificate.ts'
import { startHttpsServer } from '#tests/harness/receiver/https-server.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { createEgress, type Outcome } from './egress.ts'
import { isAllowedAddress } from './allowed-address.ts'

const server = await startHttpsServer()
afterAll(() => server.close())

/** This machine stands for the world: its first address is open, and all others are blocked. */
const opened = new BlockList()
opened.addAddress('127.0.0.1')
const names = new Map<string, readonly string[]>()
const resolve = async (name: string) => names.get(name) ?? []
const egress = createEgress({ opened, resolve, ca, most_ms: 15_000 })
/** The same, which waits for no answer longer than a moment. */
const hurried = createEgress({ opened, resolve, ca, most_ms: 800 })

/** Every address that a socket tries to reach at the ports of these tests: other tests of this process leave sockets of their own. */
const tried: string[] = []
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: net.Socket }
  socket.on('connectionAttempt', (address: string, port: number) => {
    if (port === server.port || port === 443) tried.push(address)
  })
})
beforeEach(() => tried.splice(0))

const send = (url: string, by = egress): Promise<Outcome> =>
  by.post(url, { headers: { 'content-type': 'application/json' }, body: '{"a":1}' })
const atServer = (name: string, path = '/') => `https://${name}:${server.port}${path}`
const failureOf = (outcome: Outcome) => ('failure' in outcome ? outcome.failure : undefined)
const answerOf = (outcome: Outcome) => ('answer' in outcome ? outcome.answer : undefined)

/** The hosts of URLs that mean an address which is blocked, in every form that a URL knows: octal, decimal, IDN dots, mapped. */
const HOSTILE_HOSTS = `
  127.0.0.2 127.1.1.1 0.0.0.0 0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
  169.254.169.254 169.254.0.1 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192 198.18.0.1
  192.0.2.1 198.51.100.7 203.0.113.9 192.88.99.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
  0177.0.0.2 2130706434 0x7f000002 0x7f.0.0.2 017700000002 127.2 10.1 0xa9fea9fe 2852039166
  １２７.0.0.2 127。0。0。2 169｡254｡169｡254 127.0.0.2. ①②⑦.⓪.⓪.②
  [::1] [::] [::ffff:127.0.0.2] [::ffff:a9fe:a9fe] [::ffff:0:7f00:2] [::127.0.0.2] [::a9fe:a9fe]
  [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [ff02::1] [64:ff9b::7f00:2]
  [64:ff9b:1::a9fe:a9fe] [2002:7f00:2::] [2002:a9fe:a9fe::1] [2001::1] [2001:db8::1] [4000::1] [100::1]`
  .trim()
  .split(/\s+/u)

/** Answers of name servers, each with an address that is blocked among them. */
const HOSTILE_ANSWERS: readonly (readonly string[])[] = [
  ['127.0.0.2'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:169.254.169.254'],
  ['64:ff9b::a00:1'],
  ['fd00::1'],
  ['127.0.0.1', '127.0.0.2'],
  ['10.0.0.1', '127.0.0.1'],
  ['127.0.0.1', 'fe80::1'],
  ['127.0.0.1', '::a9fe:a9fe'],
  ['2002:a00:1::'],
  ['0.0.0.0'],
  ['100.100.100.200'],
  ['not an address'],
  ['127.0.0.1', 'fd00:ec2::254'],
]

it('rule 26: no URL of 60 and no answer of a name server leads to a blocked address', async () => {
  expect(HOSTILE_HOSTS.length + HOSTILE_ANSWERS.length).toBeGreaterThanOrEqual(60)
  for (const host of HOSTILE_HOSTS) {
    const url = `https://${host}:${server.port}/`
    expect(['address', 'url'], host).toContain(egress.refusalOf(url))
    expect(failureOf(await send(url)), host).toBe('address')
  }
  for (const [place, addresses] of HOSTILE_ANSWERS.entries()) {
    names.set(`n${place}.example`, addresses)
    expect(failureOf(await send(atServer(`n${place}.example`))), addresses.join()).toBe('address')
  }
  expect(tried).toEqual([])
  for (const url of [
    'http://receiver.example/',
    'ftp://receiver.example/',
    'file:///etc/passwd',
    'gopher://x/',
  ])
    expect(['https', 'url'], url).toContain(egress.refusalOf(url))
  for (const url of [
    'https://name:word@receiver.example/',
    'https://',
    'receiver.example',
    '//receiver.example',
  ])
    expect(egress.refusalOf(url), url).toBe('url')
  expect(createEgress().refusalOf('https://localhost:9443/hook'), 'at once, not at the first attempt').toBe(
    'address',
  )
})

it('rule 26: a name is judged at each connection, so that it cannot lead elsewhere a moment later', async () => {
  names.set('receiver.example', ['127.0.0.1'])
  server.behave((_got, response) => void response.writeHead(200, { connection: 'close' }).end('ok'))
  expect(answerOf(await send(atServer('receiver.example')))).toMatchObject({ status: 200, body: 'ok' })
  names.set('receiver.example', ['127.0.0.2'])
  expect(failureOf(await send(atServer('receiver.example')))).toBe('address')
  names.set('receiver.example', ['127.0.0.1'])
  expect(tried).toEqual(['127.0.0.1'])
  expect(failureOf(await send(atServer('nobody.example')))).toBe('unknown_name')
})

it('rule 26: private ranges open by their networks, metadata and carried addresses by none', () => {
  const all = new BlockList()
  all.addSubnet('0.0.0.0', 0)
  all.addSubnet('::', 0, 'ipv6')
  for (const address of [
    '10.0.0.1',
    '192.168.0.1',
    '127.0.0.1',
    'fd12::1',
    '100.64.0.1',
    '1.1.1.1',
    '2606:4700::1',
  ])
    expect(isAllowedAddress(address, all), address).toBe(true)
  for (const address of [
    '169.254.169.254',
    'fe80::1',
    '100.100.100.200',
    'fd00:ec2::254',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '0.0.0.0',
    '224.0.0.1',
  ])
    expect(isAllowedAddress(address, all), address).toBe(false)
  for (const address of ['10.0.0.1', 'fd12::1', '127.0.0.1'])
    expect(isAllowedAddress(address), address).toBe(false)
})

it('rules 26, 33: a receiver that redirects, floods or drips harms nobody', async () => {
  names.set('receiver.example', ['127.0.0.1'])
  server.behave(({ path }, response) => {
    if (path === '/away') response.writeHead(302, { location: 'https://127.0.0.2/' }).end()
    if (path === '/wide') response.writeHead(200, { wide: 'x'.repeat(20_000) }).end()
    if (path === '/drip') {
      response.writeHead(200)
      const drops = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(drops))
    }
    if (path === '/flood') {
      const flood = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', flood)
      }
      response.writeHead(200)
      flood()
    }
    if (path === '/cut') response.destroy()
  })
  expect(answerOf(await send(atServer('receiver.example', '/away')))).toMatchObject({ status: 302 })
  expect(answerOf(await send(atServer('receiver.example', '/flood')))?.body).toHaveLength(16_384)
  expect(failureOf(await send(atServer('receiver.example', '/wide')))).toBe('not_http')
  expect(failureOf(await send(atServer('receiver.example', '/cut')))).toBe('cut')
  for (const path of ['/drip', '/silent']) {
    const took = ownClock()
    const slow = await send(atServer('receiver.example', path), hurried)
    expect([failureOf(slow), took() < 2_500], path).toEqual(['slow', true])
  }
  expect(new Set(tried)).toEqual(new Set(['127.0.0.1']))
  names.set('other.test', ['127.0.0.1'])
  expect(failureOf(await send(atServer('other.test')))).toBe('tls')
})

/** Heads after which a receiver leaves HTTP, or ends without what it promised. */
const LAST_WORDS = [
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
  'HTTP/1.1 200 OK\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 9\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf',
  'HTTP/1.1 200 OK\r\nContent-',
  'HTTP/1.1 100 Continue\r\n\r\n',
  '',
]

it.each([true, false])(
  'a receiver that leaves HTTP or ends in the middle is a connection that was cut (TLS: %s)',
  { timeout: 20_000 },
  async (isSecure) => {
    let words = ''
    const say = (socket: net.Socket) => {
      socket.on('error', () => {})
      socket.once('data', () => void socket.end(words))
    }
    const raw = isSecure ? tls.createServer({ key, cert: ca }, say) : net.createServer(say)
    await new Promise<void>((done) => raw.listen(0, '127.0.0.1', done))
    const url = `${isSecure ? 'https' : 'http'}://receiver.example:${(raw.address() as AddressInfo).port}/`
    const brief = createEgress({ opened, resolve, ca, most_ms: 800, isPlainAllowed: true })
    names.set('receiver.example', ['127.0.0.1'])
    for (words of LAST_WORDS) expect(failureOf(await send(url, brief)), words).toBe('cut')
    raw.close()
  },
)

it('rule 26: no proxy of the environment is asked', async () => {
  let asked = 0
  const proxy = net.createServer((socket) => {
    asked += 1
    socket.destroy()
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const program = `
    import { BlockList } from 'node:net'
    import { createEgress } from '#foundation/server/egress/egress.ts'
    const opened = new BlockList()
    opened.addAddress('127.0.0.1')
    const { failure } = await createEgress({ opened }).post('https://127.0.0.1:${server.port}/', { headers: {}, body: '' })
    console.log(failure)`
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: address,
    https_proxy: address,
    NO_PROXY: '',
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  })
  proxy.close()
  // The certificate is nobody's: the program has reached the server itself.
  expect([stdout.trim(), asked]).toEqual(['tls', 0])
})
