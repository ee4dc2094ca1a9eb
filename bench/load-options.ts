export type Load = { requests_s: number; p99_ms: number; failed: number }

export type LoadOptions = {
  url: string
  method?: 'GET' | 'POST'
  /** The body: the same for all requests, or one for each caller. */
  body?: string | string[]
  /** The headers of each caller. The callers are divided among the connections: no two connections send for the same caller. */
  headers: Record<string, string>[]
  seconds: number
  connections: number
  /** Requests a second of all connections together; without a rate, as many as the server answers. */
  rate?: number
}
