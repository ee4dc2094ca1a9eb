/** Returns one address for each host that a PostgreSQL URL names, without `target_session_attrs`; with one host, the URL as it is. */
export function addressesOf(url: string): string[] {
  const [, scheme = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  if (!hosts.includes(',')) return [url]
  const others = rest.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) =>
    after ? before : '',
  )
  return hosts.split(',').map((host) => `${scheme}${host}${others}`)
}
