import { setTimeout as sleep } from 'node:timers/promises'
import { parseKeyPairsIntoRecord } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { messageOf } from '#foundation/server/error-code.ts'
import type { Log } from '#foundation/server/log.ts'
import { otlpRequest } from './otlp-json.ts'

/**
 * Sends spans as OTLP over HTTP in JSON, which every receiver of OTLP/HTTP takes at the same address as protobuf. Spans that
 * cannot be sent are dropped, with a line in the log each minute at most: traces may never hold up the work that they watch.
 */
export function otlpExporter(env: NodeJS.ProcessEnv, log: Log): SpanExporter {
  const url = endpointOf(env)
  const given = env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] || env['OTEL_EXPORTER_OTLP_HEADERS']
  const headers = { ...parseKeyPairsIntoRecord(given), 'content-type': 'application/json' }
  const timeout_ms =
    Number(env['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'] || env['OTEL_EXPORTER_OTLP_TIMEOUT']) ||
    DEFAULT_TIMEOUT_MS
  const pending = new Set<Promise<void>>()
  let warned_ms = Number.NEGATIVE_INFINITY

  async function send(spans: readonly ReadableSpan[]): Promise<void> {
    const body = JSON.stringify(otlpRequest(spans))
    const signal = AbortSignal.timeout(timeout_ms)
    for (let attempt = 1; ; attempt += 1) {
      // oxlint-disable-next-line hostdesk/server -- the address is the operator's setting
      const reply = await fetch(url, { method: 'POST', headers, body, signal })
      await reply.body?.cancel()
      if (reply.ok) return
      if (!retryable.has(reply.status) || attempt === ATTEMPTS) throw new Error(`it answered ${reply.status}`)
      await sleep(attempt * 500, undefined, { signal })
    }
  }

  function complain(error: unknown): void {
    const now_ms = performance.now()
    if (now_ms - warned_ms < WARN_PAUSE_MS) return
    warned_ms = now_ms
    log.warn(
      { reason: messageOf(error) },
      'traces: the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT takes none; they are dropped',
    )
  }

  return {
    export(spans, done) {
      const sending = send(spans).then(
        () => done({ code: SUCCESS }),
        (error: unknown) => {
          complain(error)
          done({ code: FAILED })
        },
      )
      pending.add(sending)
      void sending.finally(() => pending.delete(sending))
    },
    forceFlush: async () => void (await Promise.all(pending)),
    shutdown: async () => void (await Promise.all(pending)),
  }
}

const DEFAULT_TIMEOUT_MS = 10_000
const WARN_PAUSE_MS = 60_000
const ATTEMPTS = 3
// The statuses that the specification of OTLP lets a sender try again.
const retryable = new Set([429, 502, 503, 504])
// `ExportResultCode` of @opentelemetry/core.
const SUCCESS = 0
const FAILED = 1

/** The endpoint for traces is used as it is; the common endpoint gets the path added (OpenTelemetry's specification). */
function endpointOf(env: NodeJS.ProcessEnv): string {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  if (own) return own
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT'] || 'http://localhost:4318'
  return `${common.replace(/\/$/, '')}/v1/traces`
}
