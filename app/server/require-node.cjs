// Loaded before anything else (npm start), by whatever Node there is: an older one can't read the rest and would only
// say that it doesn't know the file extension .ts. Written for the oldest: --require and this language are in all of them.
var versions = process.versions.node.split('.')
if (Number(versions[0]) < 24) {
  process.stderr.write(
    'Hostdesk needs Node 24 or later, and this is ' +
      versions.slice(0, 2).join('.') +
      '. Install it, or run npm ci --include=dev, which brings one.\n',
  )
  process.exit(1)
}

// From here on, code that was read once is read without its types from the cache of compile-cache.ts. As the first files are in it too,
// Node does not load its own reader of TypeScript, which would take 8 MB of the process for as long as it lives.
require('node:module').enableCompileCache(
  require('node:path').join(__dirname, '../../node_modules/.cache/compiled'),
)
