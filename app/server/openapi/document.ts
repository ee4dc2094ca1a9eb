import { money } from '#foundation/money.ts'
import type { Route } from '#foundation/contract.ts'
import type { AnyPublished } from '#foundation/published.ts'
import { sharedAnswers } from './answers.ts'
import { operationOf, sharedParameters, signedIn } from './operation.ts'
import { shareExamples } from './share-examples.ts'
import { shareRefusals } from './share-refusals.ts'
import { SchemaPrinter, type Json } from './schemas.ts'
import { tagGroups, tags } from './tags.ts'
import { webhookOf } from './webhooks.ts'

/** The facts about the installation that the document states. */
export type Installation = { origin: string; version: string; name: string; email?: string | undefined }

/**
 * Returns the contracts as an OpenAPI 3.1 document, and the account events as its webhooks. `closed` forbids further fields in answers, for tests
 * that check answers.
 */
export function describeApi(
  contracts: readonly Route[],
  { origin, version, name, email }: Installation,
  closed = false,
  kinds: readonly AnyPublished[] = [],
): Json {
  const printer = new SchemaPrinter(closed)
  // Requests refer to it before any answer is printed.
  printer.output(money)
  const paths: Record<string, Json> = {}
  for (const contract of contracts) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: operationOf(contract, printer),
    }
  }
  const webhooks = Object.fromEntries(kinds.map((kind) => [kind.type, webhookOf(kind, printer)]))
  const shared = shareRefusals(paths)
  const examples = shareExamples(paths)
  return {
    openapi: '3.1.0',
    info: {
      title: name,
      version,
      description:
        'Customer account area: all calls, printed from the contracts that the server itself checks.',
      contact: { name, url: origin, ...(email === undefined ? {} : { email }) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    security: signedIn,
    tags: tags(),
    'x-tagGroups': tagGroups(),
    paths,
    ...(kinds.length > 0 && { webhooks }),
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        session: { type: 'apiKey', in: 'header', name: 'X-Session-Token' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'hdp_…' },
        agent: { type: 'http', scheme: 'bearer', bearerFormat: 'hda_…' },
      },
      responses: { ...sharedAnswers(), ...shared },
      examples,
      parameters: sharedParameters,
      schemas: printer.components,
    },
  }
}
