export type Load = { requests_s: number; p99_ms: number; failed: number }

/** A request; `{uuid}` in its body is another one each time. */
export type LoadRequest = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

export type LoadOptions = {
  url: string
  /** The requests of each caller, sent one after the other, instead of the same request of all callers. */
  requests?: LoadRequest[][]
  method?: 'GET' | 'POST'
  /** The body: the same for all requests, or one for each caller. */
  body?: string | string[]
  /** The headers of each caller. Without a rate, each connection sends for callers of its own, if there are at least as many callers. */
  headers: Record<string, string>[]
  seconds: number
  connections: number
  /** Requests a second in all, over as many connections as they need; without a rate, as many as the server answers. */
  rate?: number
}
