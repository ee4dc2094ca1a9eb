import type { Attributes, HrTime } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** The body of an export request: OTLP 1.x in its JSON encoding, in which ids are hex and 64-bit numbers are strings. */
export function otlpRequest(spans: readonly ReadableSpan[]): object {
  const [first] = spans
  if (!first) return { resourceSpans: [] }
  // All spans of a process have the same resource and the same scope.
  const scopeSpans = [{ scope: first.instrumentationScope, spans: spans.map(spanOf) }]
  return {
    resourceSpans: [{ resource: { attributes: attributesOf(first.resource.attributes) }, scopeSpans }],
  }
}

function spanOf(span: ReadableSpan): object {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceId,
    spanId,
    ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }),
    flags: traceFlags,
    name: span.name,
    // The numbers of OTLP begin at 1, with 0 for none.
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributesOf(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    status: span.status,
  }
}

const nanoseconds = ([seconds, rest]: HrTime): string =>
  String(BigInt(seconds) * 1_000_000_000n + BigInt(rest))

const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  )

function valueOf(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { stringValue: String(value) }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
