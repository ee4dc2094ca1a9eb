import type { AnyPublished } from '#foundation/published.ts'
import { accountEvent } from '#foundation/server/account-events/contract.ts'
import { exampleOf } from './example.ts'
import { jsonOf, type Json, type SchemaPrinter } from './schemas.ts'

/** Returns a kind of account event as a webhook: the event as it is sent, with the schema of its data and an example. */
export function webhookOf(
  { type, summary, data, isForOperator }: AnyPublished,
  printer: SchemaPrinter,
): Json {
  const event = printer.output(accountEvent)
  const given = printer.output(data)
  const own = { type: { type: 'string', enum: [type] }, data: given }
  const schema = { allOf: [event, { type: 'object', properties: own }] }
  return {
    post: {
      operationId: operationIdOf(type),
      // Generators put each tag into a file, and what webhooks have in common with calls would be lost.
      tags: ['Account events'],
      summary: type,
      description: isForOperator ? `${summary} In the list of the operator only.` : summary,
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema, example: exampleEvent(type, given, printer) },
        },
      },
      responses: { '2XX': { description: 'The event was taken.' } },
    },
  }
}

/** `invoice.issued` is `onInvoiceIssued`. */
const operationIdOf = (type: string): string =>
  `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`

function exampleEvent(type: string, data: Json, { components }: SchemaPrinter): Json {
  const event = jsonOf(exampleOf({ $ref: '#/components/schemas/AccountEvent' }, components, 'listEvents'))
  const { customer: _customer, ...envelope } = event
  return { ...envelope, type, data: exampleOf(data, components, type) }
}
