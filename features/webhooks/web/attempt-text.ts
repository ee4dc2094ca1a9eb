import type { Attempt } from '#features/webhooks/contract.ts'
import { m } from '#texts/messages.js'

const FAILURES: Readonly<Record<string, () => string>> = {
  address: () => m.webhooks_failure_address(),
  unknown_name: () => m.webhooks_failure_unknown_name(),
  unreachable: () => m.webhooks_failure_unreachable(),
  tls: () => m.webhooks_failure_tls(),
  cut: () => m.webhooks_failure_cut(),
  slow: () => m.webhooks_failure_slow(),
  not_http: () => m.webhooks_failure_not_http(),
}

/** The status and the time of an answer, or the reason why there is none. */
export function resultText({ answer, failure, took_ms }: Attempt): string {
  if (answer) return `${answer.status} · ${m.webhooks_took({ ms: took_ms })}`
  const reason = failure ?? ''
  return FAILURES[reason]?.() ?? reason
}
