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
