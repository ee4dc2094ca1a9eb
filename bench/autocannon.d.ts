declare module 'autocannon' {
  type Request = {
    method: 'GET' | 'POST' | 'PATCH'
    path?: string
    headers: Record<string, string>
    body?: string
    setupRequest?: <R extends { body?: string }>(request: R) => R
  }
  type Options = {
    url: string
    connections: number
    duration: number
    requests: Request[]
    setupClient?: (client: { setRequests(requests: Request[]): void }) => void
  }
  type Result = { requests: { average: number }; latency: { p99: number }; non2xx: number; errors: number }
  export default function autocannon(options: Options): Promise<Result>
}
