/** Attributes of a span, by OpenTelemetry's names. */
export type Attributes = Record<string, string | number>

export type Span = {
  /** Adds attributes that are known only after the span began. */
  add(attributes: Attributes): void
  end(error?: unknown): void
}

/** A maker of spans. `otel/tracer.ts` makes one, and is loaded only if the operator asks for traces. */
export type Tracer = {
  /** Runs `work` in a span: spans that begin in it are its children. `headers` may name the caller's span (W3C traceparent). */
  during<T>(
    name: string,
    attributes: Attributes,
    work: (span: Pick<Span, 'add'>) => Promise<T>,
    headers?: Record<string, unknown>,
  ): Promise<T>
  /** Begins a span for a short operation, as a child of the open span; undefined where no span is open. */
  begin(name: string, attributes: Attributes): Span | undefined
  stop(): Promise<void>
}

let current: Tracer | undefined

export function setTracer(tracer: Tracer | undefined): void {
  current = tracer
}

/** Runs `work`, in a span where traces are on. */
export const traced: Tracer['during'] = (name, attributes, work, headers) =>
  current ? current.during(name, attributes, work, headers) : work(none)

/** Begins a span for a short operation; undefined where traces are off. */
export const beginSpan = (name: () => string, attributes: () => Attributes): Span | undefined =>
  current?.begin(name(), attributes())

const none = { add() {} }
