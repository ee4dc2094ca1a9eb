export type Load = { requests_s: number; p99_ms: number; failed: number }

export type LoadOptions = {
  url: string
  method?: 'GET' | 'POST'
  /** The body: one for all requests, or one for each caller. */
  body?: string | string[]
  /** The headers, one of each caller. They are dealt out to the connections, so that no two of these speak for the same one. */
  headers: Record<string, string>[]
  seconds: number
  connections: number
  /** Requests a second of all connections together; as many as are answered, unless said. */
  rate?: number
}
