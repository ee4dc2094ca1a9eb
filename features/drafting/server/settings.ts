import { BlockList } from 'node:net'
import { createEgress, type Egress } from '#foundation/server/egress/egress.ts'
import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { optional } from '#foundation/server/setting.ts'
import { choices, kind, text } from '#foundation/server/setting-kinds.ts'
import { Secret } from '#foundation/server/secret.ts'
import { topics, type Topic } from '#features/support/tickets/rules.ts'

const address = () =>
  kind('is no address of a model. Set it like https://models.example.com/v1', (given) => {
    const url = URL.parse(given)
    if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
    return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
      ? url.href.replace(/\/$/u, '')
      : undefined
  })

const settings = {
  ASSISTANT_URL: optional(
    'A model that drafts answers for staff: the address of any service that speaks chat completions as OpenAI does, also one in your network. Unset: none.',
    address(),
  ),
  ASSISTANT_KEY: optional(
    'The key of that service, if it wants one.',
    kind('is empty. Set it to the key', (given) => (given === '' ? undefined : new Secret(given))),
  ),
  ASSISTANT_MODEL: optional('The name of the model there.', text('the name of the model')),
  ASSISTANT_TOPICS: optional(
    'The topics of the tickets that the model may be shown, separated by commas. Unset: all.',
    choices(...topics),
  ),
}

type Assistant = {
  url: string
  key: Secret | undefined
  model: string
  topics: readonly Topic[]
  egress: Egress
}

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** The model of the operator; undefined where none is set up. */
    assistant: Assistant | undefined
  }
}

const LONGEST_ms = 60_000
const MOST_BYTES = 262_144

export const draftingSettings = {
  settings,
  read: ({
    ASSISTANT_URL,
    ASSISTANT_KEY,
    ASSISTANT_MODEL,
    ASSISTANT_TOPICS,
  }: FeatureValues<typeof settings>) => ({
    assistant:
      ASSISTANT_URL === undefined
        ? undefined
        : {
            url: ASSISTANT_URL,
            key: ASSISTANT_KEY,
            model: ASSISTANT_MODEL ?? 'default',
            topics: ASSISTANT_TOPICS ?? topics,
            egress: egressTo(),
          },
  }),
}

/** The operator named the address, so it may be one of a private network, and without TLS; never that of a metadata service. */
function egressTo(): Egress {
  const opened = new BlockList()
  opened.addSubnet('0.0.0.0', 0)
  opened.addSubnet('::', 0, 'ipv6')
  return createEgress({ opened, most_ms: LONGEST_ms, most_bytes: MOST_BYTES, isPlainAllowed: true })
}
