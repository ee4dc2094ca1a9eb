export const earlier = '2026-05-04T09:30:00Z'

/** The values for fields that have no value by name. The first value that fits the schema is taken. */
export const byForm: readonly unknown[] = [
  true,
  earlier,
  'u0Jm2vQe7ZxT4kRa9LwPcA',
  'b8f0c2d4-5e6a-4b7c-8d9e-0f1a2b3c4d5e',
  'anna@example.com',
  '203.0.113.9',
  '/account/',
  '1990',
  'EUR',
  3,
  1_777_887_000,
]
