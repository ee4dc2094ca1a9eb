import type { InputOf, ReplyOf, Route } from '#foundation/contract.ts'

/** A reply. `body` is the parsed JSON, or the text if it is no JSON; undefined without a body. */
export type Reply<Body = unknown> = { status: number; body: Body; headers: Headers }

export type Options = {
  query?: Record<string, string | number>
  headers?: Record<string, string>
  /** The tokens to send instead of those that this client keeps; `null` sends none. */
  access_token?: string | null
  session_token?: string | null
}

/**
 * Talks to a server as the browser does and keeps the tokens of all answers. Two clients are like two browsers. The method `call` is typed
 * by a contract; the other methods take any path and body, also wrong ones.
 */
export class Client {
  access_token: string | undefined
  refresh_token: string | undefined
  session_token: string | undefined
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  get<Body = unknown>(path: string, options: Options = {}): Promise<Reply<Body>> {
    return this.send<Body>('GET', path, undefined, options)
  }

  post<Body = unknown>(path: string, body?: unknown, options: Options = {}): Promise<Reply<Body>> {
    return this.send<Body>('POST', path, body, options)
  }

  patch<Body = unknown>(path: string, body?: unknown, options: Options = {}): Promise<Reply<Body>> {
    return this.send<Body>('PATCH', path, body, options)
  }

  put<Body = unknown>(path: string, body?: unknown, options: Options = {}): Promise<Reply<Body>> {
    return this.send<Body>('PUT', path, body, options)
  }

  delete<Body = unknown>(path: string, body?: unknown, options: Options = {}): Promise<Reply<Body>> {
    return this.send<Body>('DELETE', path, body, options)
  }

  /** Makes the call of a contract. The status decides the type of the body: `if (reply.status === 200) reply.body.…`. */
  async call<const R extends Route>(
    route: R,
    input: InputOf<R>,
    options: Options = {},
  ): Promise<ReplyOf<R> & { headers: Headers }> {
    const parts = input as { params?: object; query?: object; headers?: object; body?: unknown }
    const params = new Map(Object.entries(parts.params ?? {}))
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(params.get(name))),
    )
    const reply = await this.send(route.method, path, parts.body, {
      ...options,
      query: { ...(parts.query as Options['query']), ...options.query },
      headers: { ...(parts.headers as Options['headers']), ...options.headers },
    })
    return reply as unknown as ReplyOf<R> & { headers: Headers }
  }

  forgetTokens(): void {
    this.access_token = this.refresh_token = this.session_token = undefined
  }

  /** Returns another client with the same tokens. */
  copy(): Client {
    return Object.assign(new Client(this.url), this)
  }

  async send<Body>(method: string, path: string, body: unknown, options: Options): Promise<Reply<Body>> {
    const url = new URL(path, this.url)
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value))
    const access = options.access_token === undefined ? this.access_token : options.access_token
    const session = options.session_token === undefined ? this.session_token : options.session_token
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        'x-requested-with': 'XMLHttpRequest',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(access ? { authorization: `Bearer ${access}` } : {}),
        ...(session ? { 'x-session-token': session } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const parsed = parse(await response.text())
    this.keepTokens(parsed)
    return { status: response.status, body: parsed as Body, headers: response.headers }
  }

  private keepTokens(body: unknown): void {
    const meta = (body as { meta?: Tokens } | undefined)?.meta
    if (meta?.session_token) this.session_token = meta.session_token
    if (meta?.access_token) {
      this.access_token = meta.access_token.access
      this.refresh_token = meta.access_token.refresh
    }
  }
}

type Tokens = { session_token?: string; access_token?: { access: string; refresh: string } }

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
