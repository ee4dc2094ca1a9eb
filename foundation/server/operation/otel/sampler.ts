import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import { ConfigError } from '#foundation/server/config-error.ts'

/**
 * Returns the sampler that OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG name; unset, it keeps every trace whose caller does not say
 * otherwise, as the specification says. Throws ConfigError for an unknown name.
 */
export function samplerOf(env: NodeJS.ProcessEnv): Sampler {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'
  const [, parentBased, root = ''] = /^(parentbased_)?(.*)$/.exec(name) ?? []
  const make = roots[root]
  if (!make)
    throw new ConfigError([
      `OTEL_TRACES_SAMPLER is '${name}'. Set it to always_on, always_off or traceidratio, or parentbased_ and one of them.`,
    ])
  const sampler = make(Number(env['OTEL_TRACES_SAMPLER_ARG'] || 1))
  return parentBased ? new ParentBasedSampler({ root: sampler }) : sampler
}

const roots: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
}
