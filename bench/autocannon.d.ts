declare module 'autocannon' {
  type Options = {
    url: string
    connections: number
    duration: number
    requests: { method: 'GET'; headers: Record<string, string> }[]
  }
  type Result = { requests: { average: number }; latency: { p99: number }; non2xx: number; errors: number }
  export default function autocannon(options: Options): Promise<Result>
}
