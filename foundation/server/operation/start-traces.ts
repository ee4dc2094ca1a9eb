import { ConfigError } from '#foundation/server/config-error.ts'
import type { Log } from '#foundation/server/log.ts'
import { setTracer } from './tracing.ts'

/**
 * Starts traces if OpenTelemetry's standard environment variables name an endpoint or the exporter `otlp`; otherwise no module of its SDK
 * is loaded. Returns the function that sends the last spans and ends the traces. Throws ConfigError for an exporter or a protocol that is
 * not supported.
 */
export async function startTraces(
  env: NodeJS.ProcessEnv,
  about: { log: Log; version: string },
): Promise<() => Promise<void>> {
  if (!areAsked(env)) return async () => {}
  const { makeTracer } = await import('./otel/tracer.ts')
  const tracer = makeTracer(env, about)
  setTracer(tracer)
  return async () => {
    setTracer(undefined)
    await tracer.stop()
  }
}

function areAsked(env: NodeJS.ProcessEnv): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT']
  const exporter = env['OTEL_TRACES_EXPORTER'] || (endpoint ? 'otlp' : 'none')
  if (exporter === 'none') return false
  if (exporter !== 'otlp')
    throw new ConfigError([`OTEL_TRACES_EXPORTER is '${exporter}'. Set it to otlp or none.`])
  const protocol =
    env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/json'
  if (!protocol.startsWith('http/'))
    throw new ConfigError([
      `OTEL_EXPORTER_OTLP_PROTOCOL is '${protocol}'. Set it to http/json, and the endpoint to the port for HTTP (4318).`,
    ])
  return true
}
