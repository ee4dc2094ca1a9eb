import { AsyncLocalStorage } from 'node:async_hooks'
import os from 'node:os'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { getNumberFromEnv, parseTraceParent } from '@opentelemetry/core'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { messageOf } from '#foundation/server/error-code.ts'
import type { Log } from '#foundation/server/log.ts'
import type { Attributes, Span, Tracer } from '#foundation/server/operation/tracing.ts'
import { otlpExporter } from './otlp-exporter.ts'
import { samplerOf } from './sampler.ts'

/** Returns a tracer that makes spans with OpenTelemetry's SDK and sends them in batches to the endpoint that `env` names. */
export function makeTracer(env: NodeJS.ProcessEnv, { log, version }: { log: Log; version: string }): Tracer {
  const provider = new TracerProvider({
    resource: resourceOf(version),
    sampler: samplerOf(env),
    spanProcessors: [new BatchSpanProcessor({ exporter: otlpExporter(env, log), ...batches() })],
  })
  const tracer = provider.getTracer('hostdesk', version)
  const contexts = new AsyncLocalStorage<Context>()
  return {
    async during(name, attributes, work, headers) {
      const parent = headers ? callerOf(headers) : (contexts.getStore() ?? ROOT_CONTEXT)
      const kind = headers ? SpanKind.SERVER : SpanKind.INTERNAL
      const span = tracer.startSpan(name, { kind, attributes }, parent)
      try {
        return await contexts.run(trace.setSpan(parent, span), () => work(wrapped(span)))
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) })
        throw error
      } finally {
        span.end()
      }
    },
    begin(name, attributes) {
      const parent = contexts.getStore()
      // A span without a parent would be a trace of its own: polls, which nobody asks about, would make one each second.
      return parent && wrapped(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent))
    },
    // The exporter has logged already that it could not send the last spans.
    stop: () => provider.shutdown().catch(() => {}),
  }
}

function resourceOf(version: string) {
  const ours = resourceFromAttributes({
    'service.name': 'hostdesk',
    'service.version': version,
    'host.name': os.hostname(),
    'process.pid': process.pid,
  })
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are merged last, so that they win.
  return defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))
}

const batches = () => {
  const given = {
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Returns the context of the span of the caller, as the proxy in front names it (W3C Trace Context). */
function callerOf({ traceparent }: Record<string, unknown>): Context {
  const caller = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
  return caller ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true }) : ROOT_CONTEXT
}

type SdkSpan = ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>

const wrapped = (span: SdkSpan): Span => ({
  add(attributes: Attributes) {
    span.setAttributes(attributes)
    if (Number(attributes['http.response.status_code']) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  },
  end(error) {
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) })
    span.end()
  },
})
