import '../server/compile-cache.ts'

// `hostdesk COMMAND …`, or `npm run hostdesk -- COMMAND …`.
await import('./run.ts')
