import http from 'node:http'
import https from 'node:https'
import { isIP, type BlockList } from 'node:net'
import { isAllowedAddress } from './allowed-address.ts'
import { failureOf, type Failure } from './failure.ts'
import { judgedLookup, REFUSED_ADDRESS, resolveByDns, type Resolve } from './judged-lookup.ts'
import { MOST_BYTES, readAnswer, type Answer } from './read-answer.ts'

type Options = {
  /** Private networks that URLs may lead to. */
  opened?: BlockList | undefined
  /** Another way to look up names than by DNS. */
  resolve?: Resolve
  /** A certificate authority beside those that Node knows. */
  ca?: string
  most_ms?: number
  /** The bytes of an answer that are read. */
  most_bytes?: number
  /** True for an address that the operator named, which may be one without TLS. */
  isPlainAllowed?: boolean
}

type Request = { headers: Readonly<Record<string, string>>; body: string | Uint8Array }
export type Outcome = { took_ms: number } & ({ answer: Answer } | { failure: Failure })

/** The only way to a URL that somebody gave (rule 26). */
export type Egress = {
  /** Returns why a URL can never be asked, before anything is looked up: `url`, `https` or `address`. */
  refusalOf(url: string): UrlRefusal | undefined
  /** Sends a POST and returns what came of it; never throws. */
  post(url: string, request: Request): Promise<Outcome>
}

type UrlRefusal = 'url' | 'https' | 'address'

const MOST_ms = 15_000

/**
 * The guarded client: https only, to global unicast addresses, judged when the connection is made; no redirects, no proxy of the environment,
 * headers and body up to 16 kB, everything within 15 s.
 */
export function createEgress({
  opened,
  resolve = resolveByDns,
  ca,
  most_ms = MOST_ms,
  most_bytes = MOST_BYTES,
  isPlainAllowed = false,
}: Options = {}): Egress {
  // Connections are kept and used again; each was judged when it was made. An agent of its own knows no proxy of the environment.
  const kept = {
    keepAlive: true,
    maxFreeSockets: 64,
    timeout: most_ms,
    lookup: judgedLookup(resolve, opened),
  }
  const plain = new http.Agent(kept)
  const agent = new https.Agent({
    ...kept,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  const refusalOf = (text: string): UrlRefusal | undefined => {
    const url = URL.parse(text)
    if (!url || url.username !== '' || url.password !== '' || url.hostname === '') return 'url'
    if (url.protocol !== 'https:' && !(isPlainAllowed && url.protocol === 'http:')) return 'https'
    const name = url.hostname.replaceAll(/[[\]]/gu, '')
    // This name leads to the machine that asks, by definition (RFC 6761), and DNS does not know it.
    const literal = /(^|\.)localhost$/u.test(name) ? '127.0.0.1' : name
    return isIP(literal) !== 0 && !isAllowedAddress(literal, opened) ? 'address' : undefined
  }
  return {
    refusalOf,
    async post(url, request) {
      const began = performance.now()
      const took_ms = () => Math.round(performance.now() - began)
      try {
        if (refusalOf(url)) throw Object.assign(new Error('refused URL'), { code: REFUSED_ADDRESS })
        const deadline = AbortSignal.timeout(most_ms)
        const isPlain = url.startsWith('http:')
        const answer = await send({ url, agent: isPlain ? plain : agent, deadline, most_bytes }, request)
        return { answer, took_ms: took_ms() }
      } catch (error) {
        return { failure: failureOf(error), took_ms: took_ms() }
      }
    },
  }
}

type Way = { url: string; agent: http.Agent; deadline: AbortSignal; most_bytes: number }

function send(way: Way, request: Request): Promise<Answer> {
  const { url, agent, deadline, most_bytes } = way
  const { request: open } = agent instanceof https.Agent ? https : http
  return new Promise((resolve, reject) => {
    const sent = open(url, {
      method: 'POST',
      agent,
      signal: deadline,
      maxHeaderSize: MOST_BYTES,
      headers: {
        ...request.headers,
        'accept-encoding': 'identity',
        'content-length': Buffer.byteLength(request.body),
      },
    })
    sent.on('response', (response) => resolve(readAnswer(response, deadline, most_bytes)))
    sent.on('error', (error) => {
      // A kept connection that the other side closed meanwhile says nothing about the other side: a new one does.
      const isStale = sent.reusedSocket && !deadline.aborted && failureOf(error) === 'cut'
      if (isStale) resolve(send(way, request))
      else reject(deadline.aborted ? deadline.reason : error)
    })
    // The last word of every request, also where no answer and no error came before: Node gives an answer that leaves HTTP (101, `Upgrade`) to
    // nobody, and drops the connection without a word.
    sent.on('close', () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })))
    sent.end(request.body)
  })
}
